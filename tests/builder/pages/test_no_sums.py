"""Templates and prose do no sums: what is computed belongs to calculators/, and a length in a drawing to the builder.

Layout may be counted: constants written in the template, loop counters, and names for such things.
Whatever comes from a fact, a result or Python is no layout, and nothing may be read out of displayed text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import jinja2
import pytest
from jinja2 import nodes

from builder.paths import CONTENT, ROOT, TEMPLATES
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NUMBERS_FROM_TEXT = {"float", "int", "round", "format", "abs", "sum", "filesizeformat"}
TEXT_TAKEN_APART = {"split", "rsplit", "partition", "rpartition", "format"}
SIGNS = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Neg, nodes.Pos)
FILES = sorted(
    path
    for folder in (CONTENT, TEMPLATES)
    for path in folder.rglob("*")
    if path.suffix in {".md", ".j2", ".html", ".xml"}
)


def bindings(tree: nodes.Template) -> Iterator[tuple[str, nodes.Node | None]]:
    """Every name that a template gives to something, with that: None for what is known to be layout."""
    for given in tree.find_all(nodes.Assign):
        yield from bound(given.target, given.node)
    lists = {given.target.name: given.node for given in tree.find_all(nodes.Assign) if hasattr(given.target, "name")}
    for loop in tree.find_all(nodes.For):
        yield "loop", None
        over = lists.get(loop.iter.name, loop.iter) if isinstance(loop.iter, nodes.Name) else loop.iter
        for row in over.items if isinstance(over, nodes.List | nodes.Tuple) else [over]:
            yield from bound(loop.target, row)
    for macro in tree.find_all(nodes.Macro):
        yield from arguments(macro, [call for call in tree.find_all(nodes.Call) if is_name(call.node, macro.name)])


def is_name(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Name) and node.name == name


def arguments(macro: nodes.Macro, calls: list[nodes.Call]) -> Iterator[tuple[str, nodes.Node]]:
    """What a macro's parameters are given by its callers and by their defaults."""
    names = [argument.name for argument in macro.args]
    yield from zip(names[len(names) - len(macro.defaults) :], macro.defaults, strict=True)
    for call in calls:
        yield from zip(names, call.args, strict=False)
        yield from ((word.key, word.value) for word in call.kwargs)


def bound(target: nodes.Node, value: nodes.Node) -> Iterator[tuple[str, nodes.Node]]:
    if isinstance(target, nodes.Name):
        yield target.name, value
    elif isinstance(target, nodes.Tuple):
        each = value.items if isinstance(value, nodes.Tuple | nodes.List) else [value] * len(target.items)
        for part, given in zip(target.items, each, strict=True):
            yield from bound(part, given)


def is_layout(node: nodes.Node | None, known: set[str]) -> bool:
    match node:
        case None | nodes.Const() | nodes.TemplateData():
            return True
        case nodes.Name():
            return node.name in known
        case nodes.Call(node=nodes.Name(name="range")):
            return all(is_layout(argument, known) for argument in node.args)
        case nodes.Call():
            return False
        case _:
            return all(is_layout(part, known) for part in node.iter_child_nodes())


def layout_names(tree: nodes.Template) -> set[str]:
    found = list(bindings(tree))
    known = {name for name, _ in found}
    while wrong := {name for name, value in found if name in known and not is_layout(value, known)}:
        known -= wrong
    return known


def sums(text: str) -> list[str]:
    tree = jinja2.Environment(autoescape=True).parse(text)
    known = layout_names(tree)
    found = [f"line {node.lineno}: arithmetic" for node in tree.find_all(SIGNS) if not is_layout(node, known)]
    found += [
        f"line {node.lineno}: |{node.name}"
        for node in tree.find_all(nodes.Filter)
        if node.name in NUMBERS_FROM_TEXT and not is_layout(node, known)
    ]
    found += [
        f"line {node.lineno}: .{node.node.attr}()"
        for node in tree.find_all(nodes.Call)
        if isinstance(node.node, nodes.Getattr)
        and node.node.attr in TEXT_TAKEN_APART
        and any(True for _ in node.node.find_all(nodes.Call))
    ]
    return found


@each([pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in FILES])
def test_a_template_does_no_sums(path: Path) -> None:
    assert sums(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        '{{ value("mfu") * 2 }}',
        '{% set half = value("mfu") %}{{ half / 2 }}',
        '{{ bare("mfu").split()[0] }}',
        '{{ (bare("mfu") | float) }}',
        '{{ "%.0f" | format(result("checkpoint", "checkpoint_size")) }}',
        '{% for name, f in [("a", value("mfu"))] %}{{ 100 - f }}{% endfor %}',
        '{% set rows = [("a", value("mfu"))] %}{% for name, f in rows %}{{ f + 1 }}{% endfor %}',
        '{% macro wide(share) %}{{ share * 400 }}{% endmacro %}{{ wide(value("mfu")) }}',
        '{% macro wide(share) %}{{ share * 400 }}{% endmacro %}{{ wide(share=value("mfu")) }}',
        "{{ record.number ** 2 }}",
        "{{ -value('mfu') }}",
        "{{ [value('mfu'), value('goodput')] | sum }}",
    ],
)
def test_a_sum_is_found(text: str) -> None:
    assert sums(text)


@pytest.mark.parametrize(
    "text",
    [
        '{% for each in ("a", "b") %}{% set y = loop.index0 * 50 %}<g y="{{ y + 16 }}">{{ each }}</g>{% endfor %}',
        "{% macro box(x, height=48) %}{{ x + height / 2 }}{% endmacro %}{{ box(12) }}",
        "{% set rows = [1, 2] %}{% for n in range(2) %}{{ 195 - rows[n] }}{% endfor %}",
        '<rect width="{{ x.length(value("mfu")) }}"/>',
        '{{ value("mfu").text ~ " and " ~ 3 }}',
    ],
)
def test_layout_may_be_counted(text: str) -> None:
    assert sums(text) == []

"""Arithmetic: what every number that readers see comes from, as texts by name, so that a change of it can be noticed.

Of formulas a digest of what they compute: their syntax without docstrings, types, prose and the names of what they use
from elsewhere, in whose place is the meaning of that. So a formula may move to another module, and a function that it
calls may get another name. Of defaults, menus and facts what they are, and of every result what it is by default.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import hashlib
import inspect
import types
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from calculators import facts, units
from calculators.answers.answer import evaluated
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, Choice, Formula, Quantity

if TYPE_CHECKING:
    from collections.abc import Callable

    from calculators.declare import AnyFormula, Input, Preset

_OURS = "calculators"
# What numbers are written and declared with is no part of a formula.
_AROUND = ("calculators.declare", "calculators.units", "calculators.facts")
_PROSE = "…"
_DIGITS = 16
_NOT_FILLED = "not filled"


def state() -> dict[str, str]:
    """Arithmetic by kind and name: "formula stall_share", "default checkpoint.write_window", "fact mfu", "result …"."""
    found: dict[str, str] = {}
    for calculator in CALCULATORS.values():
        for formula in calculator.formulas:
            if formula.role in {"step", "verdict"}:
                found[f"formula {formula.name}"] = digest(formula)
        for name, declared in calculator.inputs.items():
            found[f"default {calculator.name}.{name}"] = default_and_range(declared)
        for preset in calculator.presets:
            filled = ", ".join(f"{name} by {field}" for name, field in sorted(preset.fills.items()))
            found[f"menu {calculator.name}.{preset.name}"] = f"{preset.default or 'none'}, which fills {filled}"
            found.update(_borrowed(preset))
        values = evaluated(calculator, parse_inputs(calculator, {}))
        for name in calculator.steps:
            found[f"result {calculator.name}.{name}"] = calculator.text(name, values[name])
    for record in facts.all_records().values():
        found.update({f"fact {fact.key}": _stated(fact) for fact in record.fields.values()})
    return dict(sorted(found.items()))


def _borrowed(preset: Preset) -> dict[str, str]:
    """Inputs that records of a menu fill in from elsewhere, or leave alone: they may change while the records stay."""
    found = {}
    for record in preset.records:
        for field in set(preset.fills.values()):
            fact = record.fields.get(field)
            if fact is None:
                found[f"fact {record.key}.{field}"] = _NOT_FILLED
            elif fact.key != f"{record.key}.{field}":
                found[f"fact {record.key}.{field}"] = _stated(fact)
    return found


def default_and_range(declared: Input) -> str:
    """Default of an input, and its range."""
    if isinstance(declared, Choice):
        return declared.default
    ways = [
        f"{one.word} ({' when '.join(filter(None, (one.name, ' or '.join(one.when))))})" for one in declared.fallbacks
    ]
    return ", else ".join(filter(None, [*ways, declared.box(declared.default)])) + _hedge(declared.spread, declared)


def _hedge(spread: tuple[float, float] | None, declared: Quantity) -> str:
    if spread is None:
        return ""
    return f" ({' to '.join(units.text(end, declared.unit, binary=declared.binary) for end in spread)})"


def _stated(fact: facts.Fact) -> str:
    return fact.text + (f" ({fact.spread_text})" if fact.spread_text else "")


def digest(formula: AnyFormula) -> str:
    """Short digest of a formula's arithmetic."""
    message = f"{', '.join(formula.needs)} [{formula.unit}] {_of_function(inspect.unwrap(formula.function), ())}"
    return hashlib.sha256(message.encode()).hexdigest()[:_DIGITS]


@cache
def _functions(path: str) -> Mapping[tuple[str, int], ast.FunctionDef]:
    """Every function of a file by its name and its first line, decorators included."""
    with open(path, encoding="utf-8") as file:  # noqa: PTH123  shorter than a Path made for this
        tree = ast.parse(file.read())
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[node.name, first] = node
    return found


def _of_function(function: Callable[..., Any], within: tuple[object, ...]) -> str:
    """A function's meaning: its syntax, with the meaning of what it uses from elsewhere in the place of names."""
    code = function.__code__
    if code in within:
        return "itself"
    node = _functions(code.co_filename).get((code.co_name, code.co_firstlineno))
    if node is None:
        return _shown(code.co_code.hex())
    known = dict(function.__globals__)
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    known.update({name: cell.cell_contents for name, cell in cells})
    named = (one for one in ast.walk(node) if isinstance(one, ast.Name | ast.arg))
    own = {one.arg if isinstance(one, ast.arg) else one.id for one in named if not _is_read(one)}
    plain = _Plain({name: value for name, value in known.items() if name not in own}, (*within, code))
    bare = copy.deepcopy(node)
    bare.name, bare.decorator_list, bare.returns = "_", [], None
    if ast.get_docstring(bare) is not None:
        bare.body = bare.body[1:] or [ast.Pass()]
    for argument in ast.walk(bare.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    defaults = _meaning([*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()], within)
    bare.args.defaults, bare.args.kw_defaults = [], [None for _ in bare.args.kwonlyargs]
    return f"{ast.unparse(plain.visit(bare))} {defaults}"


def _is_read(named: ast.Name | ast.arg) -> bool:
    return isinstance(named, ast.Name) and isinstance(named.ctx, ast.Load)


class _Plain(ast.NodeTransformer):
    """Puts meanings in the places of names that are known from elsewhere, and takes prose out."""

    def __init__(self, known: Mapping[str, Any], within: tuple[object, ...]) -> None:
        self.known, self.within = known, within

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name."""
        return self._put(self.known[node.id]) if node.id in self.known else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Names that belong to a module known from elsewhere."""
        if isinstance(node.value, ast.Name) and isinstance(self.known.get(node.value.id), types.ModuleType):
            return self._put(getattr(self.known[node.value.id], node.attr))
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """A number, a key, or prose."""
        return self._put(node.value) if isinstance(node.value, str) else node

    def visit_JoinedStr(self, _: ast.JoinedStr) -> ast.AST:
        """A text with values in it: prose."""
        return ast.Constant(_PROSE)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """An assignment, whose type is no part of it."""
        node.annotation = ast.Constant(value=None)
        return self.generic_visit(node)

    def _put(self, value: object) -> ast.Constant:
        return ast.Constant(_shown(_meaning(value, self.within)))


def _shown(meaning: str) -> str:
    """A meaning as it is within another: short ones as they are."""
    long = 40
    return meaning if len(meaning) <= long else hashlib.sha256(meaning.encode()).hexdigest()[:_DIGITS]


def _meaning(value: Any, within: tuple[object, ...]) -> str:  # noqa: C901, PLR0911  one line for each kind of value
    """Meaning of a value from elsewhere to a formula."""
    if isinstance(value, Formula):
        return _of_function(inspect.unwrap(value.function), within)
    if isinstance(value, facts.Fact):
        return repr(value.value)
    if isinstance(value, facts.Record):
        return _meaning(value.fields, within)
    if isinstance(value, str):
        return _of_text(value)
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return _meaning([part for pair in value.items() for part in pair], within)
    if isinstance(value, set | frozenset):
        return repr(sorted(_meaning(part, within) for part in value))
    if isinstance(value, list | tuple):
        return repr([_meaning(part, within) for part in value])
    if callable(value) and not isinstance(value, type) and _is_ours(getattr(value, "__module__", "")):
        return _of_function(inspect.unwrap(value), within)
    if dataclasses.is_dataclass(value) and not isinstance(value, type | Calculator):
        return _meaning([getattr(value, field.name) for field in dataclasses.fields(value)], within)
    return str(getattr(value, "__qualname__", type(value).__qualname__))


def _is_ours(module: str) -> bool:
    return module.startswith(_OURS) and not module.startswith(_AROUND)


def _of_text(text: str) -> str:
    """A key as it is, with its value if it is a fact's; prose as nothing."""
    if " " in text:
        return _PROSE
    try:
        return f"{text}={facts.fact(text).value!r}"
    except facts.FactError:
        return repr(text)

"""Working: what readers see of a formula has the same names and numbers as what runs."""

from __future__ import annotations

import ast
import html
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from builder.pages.formulas.working import Working, working
from calculators.answers import answer, explain
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import AnyFormula, Calculator, Choice, step
from tests.declare.test_declare import inputs_of, sized, toy
from tests.each import each

STEPS = [
    pytest.param(calculator, formula, id=f"{calculator.name}.{formula.name}")
    for calculator in CALCULATORS.values()
    for formula in calculator.steps.values()
]


def values_of(calculator: Calculator) -> dict[str, Any]:
    """The default answer's texts."""
    return answer.texts(calculator, answer.evaluated(calculator, parse_inputs(calculator, {})))


def is_mathematics(shown: Working) -> bool:
    """Whether a formula is drawn, rather than shown as Python."""
    return shown.symbols.startswith("<math")


def slots(markup: str) -> dict[str, str]:
    """Name -> text of every slot."""
    return {name: html.unescape(text) for name, text in re.findall(r'<mn data-value="(\w+)">([^<]*)</mn>', markup)}


RECORDS = {one.name for calculator in CALCULATORS.values() for one in calculator.formulas if one.role == "record"}


def named(formula: AnyFormula) -> set[str]:
    """Values that a formula takes by name, records apart: all it needs, or those that a variant is given."""
    return ({*formula.pieces[1::2]} if formula.written else {*formula.needs}) - RECORDS


def words(markup: str) -> list[str]:
    """Every text in the markup, in order."""
    found: list[str] = []
    parser = HTMLParser()
    parser.handle_data = found.append  # type: ignore[method-assign, assignment]
    parser.feed(markup)
    return found


def numbers_in(formula: AnyFormula) -> list[str]:
    """The numbers in a formula's source."""
    nodes = ast.walk(ast.parse(formula.body))
    constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [f"{value:,}" for value in constants if isinstance(value, int) and not isinstance(value, bool)]


@each(STEPS)
def test_every_argument_and_the_result_has_a_slot_with_its_value(calculator: Calculator, formula: AnyFormula) -> None:
    shown, texts = working(calculator, formula), values_of(calculator)
    if is_mathematics(shown):
        expected = {name: texts[name] for name in (*named(formula), formula.name)}
        assert {name: text for name, text in slots(shown.numbers).items() if name not in RECORDS} == expected
    else:
        assert f'data-python="{formula.name}"' in shown.numbers


@each(STEPS)
def test_every_argument_and_the_result_is_in_words_with_its_label(calculator: Calculator, formula: AnyFormula) -> None:
    shown = working(calculator, formula)
    if is_mathematics(shown):
        for name in (*named(formula), formula.name):
            assert calculator.declared(name).label in words(shown.symbols), name
    else:
        assert html.unescape(shown.symbols) == f"<pre><code>{formula.body.removeprefix('return ')}</code></pre>"


@each(STEPS)
def test_every_number_of_the_source_is_shown(calculator: Calculator, formula: AnyFormula) -> None:
    shown = working(calculator, formula)
    if is_mathematics(shown):
        for number in numbers_in(formula):
            assert number in words(shown.symbols)
            assert number in words(shown.numbers)


@each(STEPS)
def test_no_number_is_written_as_programs_write_it(calculator: Calculator, formula: AnyFormula) -> None:
    shown = working(calculator, formula)
    if is_mathematics(shown):
        found = [word for word in words(shown.symbols + shown.numbers) if re.search(r"\de[-+]?\d", word)]
        assert found == []


def test_a_small_constant_is_a_power_of_ten() -> None:
    shown = working(CALCULATORS["inference"], CALCULATORS["inference"].steps["exchange_latency"])
    assert "<mn>3.3</mn>" in shown.symbols
    assert "<msup><mn>10</mn><mn>\N{MINUS SIGN}5</mn></msup>" in shown.symbols


@each(STEPS)
def test_no_latex_and_no_placeholder_is_left(calculator: Calculator, formula: AnyFormula) -> None:
    shown = working(calculator, formula)
    if is_mathematics(shown):
        for markup in (shown.symbols, shown.numbers):
            assert "\\" not in markup
            assert "piece" not in markup
            assert "http" not in markup
            assert 'display="block"' in markup
            keys = {key for one in calculator.inputs.values() if isinstance(one, Choice) for key in one.options}
            labels = {one.label for one in calculator.inputs.values()}  # which may name an engine's flag
            assert "_" not in "".join(word for word in words(markup) if word not in keys | labels)
            ET.fromstring(markup)  # noqa: S314


@each(STEPS)
def test_a_step_is_drawn_as_mathematics_unless_it_loops_branches_looks_up_or_names_what_is_no_number(
    calculator: Calculator, formula: AnyFormula
) -> None:
    """A function of ours in the formula's own module is drawn by its name; its docstring says what it does."""
    tree = ast.parse(formula.body)
    nodes = list(ast.walk(tree))
    looked_up = any(
        isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Name))
        for node in nodes
    )
    called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    elsewhere = any("." in name for name in called)
    named = {node.id for node in nodes if isinstance(node, ast.Name)} - {*formula.needs, *called}
    no_number = named - explain.constants(formula).keys() - explain.lists(formula).keys()
    if formula.role == "step" and len(tree.body) == 1 and not looked_up and not elsewhere and not no_number:
        assert is_mathematics(working(calculator, formula))


def test_every_formula_of_storage_is_drawn_as_mathematics() -> None:
    """But for what a checkpoint takes from a model's shape: the adapters of its layers, shown as Python."""
    for name in ("checkpoint", "goodput", "storage_demand", "data_loader"):
        steps = [one for one in CALCULATORS[name].steps.values() if one.role == "step"]
        steps = [one for one in steps if one.function.__module__ != "calculators.llm.adapters"]
        assert [one.name for one in steps if not is_mathematics(working(CALCULATORS[name], one))] == []


def test_a_name_taken_out_of_the_source_is_missed() -> None:
    @step("B", "Result")
    def result(size: float, other: float) -> float:
        return 2 * size  # `other` is wired, yet does nothing

    calculator = toy(inputs_of(size=sized(), other=sized(label="Other")), result, headline=["result"])
    assert set(slots(working(calculator, result).numbers)) == {"size", "result"}

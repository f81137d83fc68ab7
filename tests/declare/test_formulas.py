"""Formulas: plain functions that readers see as they are written, and whose parameters are what they need."""

from __future__ import annotations

import ast
import textwrap

from calculators.catalog import CALCULATORS
from calculators.declare import Verdict, step, verdict
from calculators.declare.formulas import Formula, formulas_of


@step("B", "The larger")
def larger(size: float, weight: float) -> float:
    """The size, or twice the weight, whichever is more."""
    return max(size, 2 * weight)


@step("B", "By steps", not_applicable="no size")
def stepwise(size: float) -> float | None:
    both = dict(size=size)  # noqa: C408  as a formula may call what it is made of
    return both["size"] or None


@verdict("Is it?")
def judged(size: float) -> Verdict:
    """It is, or not."""
    return Verdict(level="good", word="it is") if size else Verdict(level="bad", word="it is not")


def test_readers_see_the_body_without_what_it_says_of_itself() -> None:
    assert larger.body == "return max(size, 2 * weight)"
    assert larger.doc == "The size, or twice the weight, whichever is more."
    assert stepwise.body == "both = dict(size=size)\nreturn both['size'] or None"
    assert stepwise.doc == ""


def test_a_body_is_cut_at_the_values_it_takes_and_nowhere_else() -> None:
    """Neither the name of a parameter of what is called nor an entry is a value."""
    assert larger.pieces == ("max(", "size", ", 2 * ", "weight", ")")
    assert stepwise.pieces == ("both = dict(size=", "size", ")\nreturn both['size'] or None")


def test_a_formula_made_of_others_is_seen_as_it_is_written() -> None:
    made = Formula(name="sum", role="step", function=max, wired=("one", "other"), written="one + other")
    assert (made.body, made.needs) == ("return one + other", ("one", "other"))
    assert made.pieces == ("", "one", " + ", "other", "")


def test_a_value_is_seen_in_its_unit_as_a_word_or_as_what_means_nothing() -> None:
    assert larger.text(980e9) == "980 GB"
    assert stepwise.text(None) == "no size"
    assert judged.text(judged(0)) == "it is not"


def test_a_module_has_the_formulas_that_it_defines_in_order() -> None:
    module = {"judged": judged, "__name__": __name__, "larger": larger, "number": 1}
    assert formulas_of(module) == (judged, larger)
    assert formulas_of({**module, "__name__": "elsewhere"}) == ()


def test_readers_see_the_same_body_whatever_python_runs() -> None:
    """Python 3.12 and later write quotes within an f-string's braces unlike 3.11: no formula has any there."""
    quoted = [
        f"{calculator.name}.{formula.name}"
        for calculator in CALCULATORS.values()
        for formula in calculator.formulas
        if formula.role != "warning"  # its sentence is shown, not its body
        for braces in ast.walk(ast.parse(f"def body():\n{textwrap.indent(formula.body, '    ')}"))
        if isinstance(braces, ast.FormattedValue)
        for inside in ast.walk(braces.value)
        if isinstance(inside, ast.Constant) and isinstance(inside.value, str)
    ]
    assert quoted == []

"""Examples declared next to warnings, constraints and verdicts: each outcome is what its state leads to."""

import pytest

from calculators.answers import links
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import AnyFormula, Calculator, Verdict

EXAMPLES = [
    (calculator.name, formula.name, outcome, state)
    for calculator in CALCULATORS.values()
    for formula in calculator.formulas
    for outcome, state in formula.examples
    if all(part.partition("=")[0] in calculator.canonical_names for part in state.split("&") if part)
]


def outcome_of(calculator: Calculator, formula: AnyFormula, state: str) -> str:
    """What a formula comes to in a state: "speaks" or "silent", or a verdict's level."""
    given, notices = links.read_link(calculator, state)
    assert not notices
    resolved = parse_inputs(calculator, given)
    if formula.role == "constraint" and formula.about in resolved.problems:
        return "speaks"
    assert not resolved.problems
    values = calculator.evaluate(resolved.explicit)
    found = formula.function(*[values[need] for need in formula.needs])
    if isinstance(found, Verdict):
        return found.level
    return "speaks" if found else "silent"


@pytest.mark.parametrize(("name", "formula", "outcome", "state"), EXAMPLES)
def test_an_example_leads_to_its_outcome(name: str, formula: str, outcome: str, state: str) -> None:
    calculator = CALCULATORS[name]
    (declared,) = (one for one in calculator.formulas if one.name == formula)
    assert outcome_of(calculator, declared, state) == outcome


def test_every_example_is_tried_in_some_calculator() -> None:
    declared = {
        (formula.name, *example)
        for calculator in CALCULATORS.values()
        for formula in calculator.formulas
        for example in formula.examples
    }
    assert declared == {tuple(rest) for _, *rest in EXAMPLES}

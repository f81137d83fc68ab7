"""Texts of an answer for given inputs: every constraint and warning by its name, with the values in the sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calculators.answers.answer import filled
from calculators.answers.input_state import parse_inputs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calculators.declare import Calculator


def answer_texts(calculator: Calculator, given: Mapping[str, Any]) -> dict[str, str]:
    """Name of each constraint and warning that applies -> its sentence."""
    resolved = parse_inputs(calculator, given)
    assert not resolved.unknown
    values = calculator.evaluate(resolved.values)
    spoken = {}
    for formula in (*calculator.of_role("constraint"), *calculator.of_role("warning")):
        if sentence := formula.function(*[values[need] for need in formula.needs]):
            spoken[formula.name] = filled(calculator, sentence, values)
    return spoken

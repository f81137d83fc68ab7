"""What a fabric is and says, for inputs by name."""

from __future__ import annotations

from typing import Any

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Values
from calculators.page import exploration

CALCULATOR = CALCULATORS["fabric"]


def found(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {key: str(text) for key, text in given.items()}))


def text(name: str, **given: Any) -> str:
    return CALCULATOR.text(name, found(**given)[name])


def judged(name: str, **given: Any) -> tuple[str, str]:
    value = found(**given)[name]
    return value.level, value.word


def reason(name: str, **given: Any) -> str:
    return answer.verdicts(CALCULATOR, found(**given))[name]["reason"]


def advised(**given: Any) -> dict[str, Any]:
    """What is proposed for a state: the label, and the texts of the inputs after it."""
    return {row["label"]: row["changes"] for row in exploration.exploration(CALCULATOR, found(**given))["advice"]}


def sheet(name: str, **given: Any) -> list[list[str]]:
    values = found(**given)
    rows = next(one for one in CALCULATOR.tables if one.name == name).rows(values)
    return [[answer.filled(CALCULATOR, cell, values) for cell in row] for row in rows]

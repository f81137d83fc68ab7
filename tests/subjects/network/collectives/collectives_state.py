"""What a collective takes and what is said of it, for inputs by name."""

from __future__ import annotations

from typing import Any

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.declare import Values, Verdict
from calculators.subjects.network.collectives.calculator import CALCULATOR

EXPERTS: dict[str, Any] = {
    "experts": 64,
    "experts_per_token": 4,
    "expert_parallel": 64,
    "tensor_parallel": 1,
    "pipeline_parallel": 1,
    "data_parallel": 64,
}


def values(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))


def warned(**given: Any) -> list[str]:
    return answer.warnings(CALCULATOR, values(**given))


def text(verdict: str, **given: Any) -> tuple[str, str, str]:
    found = values(**given)
    judged: Verdict = found[verdict]
    return judged.level, judged.word, answer.filled(CALCULATOR, judged.reason, found)

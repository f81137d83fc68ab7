"""A model of round numbers, for tests of the KV cache that calculate by hand."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.declare import InputError, Values, Verdict
from calculators.page import exploration
from calculators.subjects.serving.kv_cache.calculator import CALCULATOR

# A round model: 10 layers of 4 key-value heads, each 100 wide, so 16 kB a token; 8B parameters in 16 bits over 8 GPUs
# of 10 GB, of which half may be used and 1 GB is overhead: 2 GB of weights and 2 GB of room on each.
ROUND = {
    "layers": 10,
    "heads": 8,
    "kv_heads": 4,
    "head_dim": 100,
    "hidden": 800,
    "vocab": 1000,
    "parameters": "8B",
    "gpu_memory": "10 GB",
    "gpu_memory_utilization": 0.5,
    "overhead": "1 GB",
    "memory_bandwidth": "1 TB/s",
    "tensor_parallel": 8,
    "context": 1024,
    "sequences": 10,
}


def values(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {**ROUND, **given}))


def problem(**given: Any) -> dict[str, str]:
    with pytest.raises(InputError) as error:
        values(**given)
    return error.value.problems


def warning(name: str, **given: Any) -> str:
    found = values(**given)
    formula = next(formula for formula in CALCULATOR.of_role("warning") if formula.name == name)
    return answer.filled(CALCULATOR, formula.function(*[found[need] for need in formula.needs]), found)


def verdict(**given: Any) -> tuple[str, str, str]:
    found = values(**given)
    text: Verdict = found["serving_fits"]
    return text.level, text.word, answer.filled(CALCULATOR, text.reason, found)


def recommendations(**given: Any) -> list[dict[str, Any]]:
    return [dict(recommendations) for recommendations in exploration.exploration(CALCULATOR, values(**given))["advice"]]

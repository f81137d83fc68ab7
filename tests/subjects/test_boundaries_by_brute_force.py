"""Thresholds of verdicts against brute force: no value on a grid before the threshold has another level."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.explore import margins
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, Quantity, Values

POINTS, FEW = 60, 8  # few of a calculator with a hundred inputs and more
STATES = [
    ("retrieval", {}),
    ("retrieval", {"index_kind": "diskann"}),
    ("retrieval", {"index_kind": "object"}),
    ("retrieval", {"copies_of_index": "2", "request_rate": "6000"}),
    ("post_training", {"algorithm": "dpo", "gpus": "64"}),
    ("post_training", {"train_gpus": "64"}),
    ("data_lifecycle", {"hot_bought": "300TB", "warm_bought": "1.6PB", "cold_bought": "2PB"}),
    ("sample_inference", {}),
    ("sample_inference", {"trained_model": "sample-model-dlrm-dcnv2"}),
    ("sample_training", {}),
]
Levels = dict[float, dict[str, str]]


def levels_on_a_grid(calculator: Calculator, values: Values, declared: Quantity, verdicts: list[str]) -> Levels:
    """Level of each verdict at points of the slider's range that no constraint refuses."""
    low, high = declared.slider
    logarithmic = declared.scale == "log" and low > 0
    most = POINTS if len(calculator.inputs) < 100 else FEW
    points = [
        low * (high / low) ** (i / most) if logarithmic else low + (high - low) * i / most for i in range(most + 1)
    ]
    if declared.whole:
        points = sorted({float(round(point)) for point in points})
    found: Levels = {}
    for point in points:
        try:
            after = calculator.after(values, {declared.name: point})
        except (ArithmeticError, TypeError, ValueError):
            continue
        refused = (
            one.function(*[after[need] for need in one.needs])
            for one in calculator.checks_on(frozenset(calculator.inputs), values)
        )
        if not any(refused):
            found[point] = {verdict: after[verdict].level for verdict in verdicts}
    return found


@pytest.mark.daily(5)
@pytest.mark.parametrize(("name", "given"), STATES, ids=str)
def test_a_verdict_turns_first_at_its_threshold(name: str, given: dict[str, Any]) -> None:
    calculator = CALCULATORS[name]
    values = answer.evaluated(calculator, valid_inputs(calculator, given))
    verdicts = [one.name for one in calculator.of_role("verdict")]
    found = margins.margins(calculator, values, verdicts).run()
    by_input = {(one.name, one.verdict): one for several in found.values() for one in several}
    missed = []
    for declared in (calculator.inputs[one] for one in calculator.explored):
        present = values[declared.name]
        if not isinstance(declared, Quantity) or present is None:
            continue
        levels = levels_on_a_grid(calculator, values, declared, verdicts)
        for verdict in verdicts:
            margin, here = by_input.get((declared.name, verdict)), values[verdict].level
            other = [point for point, level in levels.items() if level[verdict] != here]
            above, below = [point for point in other if point > present], [point for point in other if point < present]
            up = margin.up[0].first if margin and margin.up else float("inf")
            down = margin.down[0].last if margin and margin.down else float("-inf")
            if above and min(above) < up * (1 - 1e-9):
                missed.append(f"{declared.name} {verdict}: {min(above)} before {up}")
            if below and max(below) > down * (1 + 1e-9):
                missed.append(f"{declared.name} {verdict}: {max(below)} before {down}")
    assert not missed

"""Pictures of training: every piece starts where the one before ends, as long as its value, next to the right limit."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers.answer import evaluated
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import pictures
from calculators.units import GIB

PARTS = ["weight", "gradient", "optimizer", "activation", "logit", "reserved", "companion", "engine"]


def drawn(name: str, **given: Any) -> tuple[dict[str, Any], dict[str, dict[str, float]]]:
    """The values, and where everything is in percent of the width."""
    calculator = CALCULATORS[name]
    values = evaluated(calculator, parse_inputs(calculator, given))
    assert calculator.picture
    placed = pictures.drawing(calculator.picture, values).places
    return values, {key: {side: float(at.rstrip("%")) for side, at in ends.items()} for key, ends in placed.items()}


def test_a_model_that_fits_fills_its_bar_up_to_the_memory_of_the_gpu() -> None:
    values, at = drawn("training_memory")
    start = 0.0
    for number, part in enumerate([*(f"{part}_memory" for part in PARTS), "headroom"]):
        assert at[f"0.{number}"]["x"] == pytest.approx(start, abs=2e-3)
        assert at[f"0.{number}"]["width"] == pytest.approx(100 * values[part] / (1.2 * 80 * GIB), abs=1e-3)
        start += 100 * values[part] / (1.2 * 80 * GIB)
    assert start == pytest.approx(100 / 1.2)
    assert at["limit"]["x1"] == at["limit"]["x2"] == pytest.approx(100 / 1.2, abs=1e-3)
    assert at["0.excess"]["width"] == 0


def test_a_model_that_does_not_fit_reaches_beyond_a_limit_that_stays() -> None:
    values, at = drawn("training_memory", pipeline_parallel=1, data_parallel=8)
    assert values["training_memory"] > 80 * GIB
    assert at["0.8"]["width"] == 0
    end = 100 * values["training_memory"] / (1.2 * 80 * GIB)
    assert at["0.5"]["x"] + at["0.5"]["width"] == pytest.approx(end, abs=5e-3)
    assert at["0.excess"]["x"] == at["limit"]["x1"] == pytest.approx(100 / 1.2, abs=1e-3)
    assert at["0.excess"]["width"] == pytest.approx(end - 100 / 1.2, abs=2e-3)


def test_half_the_peak_is_twice_the_time_and_half_the_goodput_doubles_it_again() -> None:
    _, at = drawn("training_time", mfu=0.5, goodput=0.5)
    assert (at["0.0"]["x"], at["0.0"]["width"]) == (0, 25)
    assert (at["1.0"]["width"], at["1.1"]["x"], at["1.1"]["width"]) == (25, 25, 25)
    assert (at["2.0"]["width"], at["2.1"]["width"]) == (25, 25)
    assert (at["2.2"]["x"], at["2.2"]["width"]) == (50, 50)


def test_a_run_without_losses_is_all_work() -> None:
    _, at = drawn("training_time", mfu=1, goodput=1)
    assert at["0.0"]["width"] == at["1.0"]["width"] == at["2.0"]["width"] == 100
    assert at["1.1"]["width"] == at["2.1"]["width"] == at["2.2"]["width"] == 0

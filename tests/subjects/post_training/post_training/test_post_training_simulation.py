"""The closed form of the loop against discrete events, on a fourth of the default job: it is as far off as stated."""

from __future__ import annotations

import statistics
from functools import cache
from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.subjects.post_training.post_training.calculator import CALCULATOR
from tests.subjects.post_training.post_training.pipeline import Measured, simulated

SMALL = {"gpus": 32, "train_gpus": 16, "train_group": 4, "prompts_per_step": 16}
AGENTS = {"turns": 20, "tool_time": 10, "tool_tokens": 300, "prompts_per_step": 8, "gpus": 24}
SCENARIOS: dict[str, tuple[dict[str, Any], float]] = {
    "on policy": ({"max_staleness": 0}, 0.08),
    "on policy, more samples than the engines hold": ({"max_staleness": 0, "prompts_per_step": 64}, 0.09),
    "one step": ({}, 0.05),
    "one step, fewer GPUs train": ({"train_gpus": 8}, 0.07),
    "two steps, a longer tail": ({"max_staleness": 2, "answer_tail": 20}, 0.05),
    "four steps, the trainer decides": ({"max_staleness": 4, "train_gpus": 4}, 0.01),
    "eight steps, few engines": ({"max_staleness": 8, "train_gpus": 24}, 0.03),
    "waited, one step": ({"late_samples": "waited"}, 0.15),
    "waited, four steps, the trainer decides": (
        {"late_samples": "waited", "max_staleness": 4, "train_gpus": 8},
        0.01,
    ),
    "agents": ({"max_staleness": 2, **AGENTS}, 0.06),
    "agents, few sandboxes": ({"max_staleness": 4, "sandboxes": 64, **AGENTS}, 0.03),
    "verifiers decide": ({"max_staleness": 4, "verifier_time": 60, "verifier_pool": 25}, 0.02),
}


@cache
def both(name: str) -> tuple[Any, Measured]:
    """Calculated values and the simulated step of a scenario."""
    given, _ = SCENARIOS[name]
    values = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {**SMALL, **given}))
    return values, simulated(values)


@pytest.mark.daily(3)
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_calculated_step_is_the_simulated_one(name: str) -> None:
    values, measured = both(name)
    assert values["rl_step_time"] == pytest.approx(measured.step, rel=SCENARIOS[name][1])


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_trainer_waits_as_long_as_in_the_simulation(name: str) -> None:
    values, measured = both(name)
    assert values["trainer_wait_share"] == pytest.approx(measured.trainer_wait, abs=0.06)


def test_the_median_error_of_all_scenarios_is_below_three_percent() -> None:
    errors = [abs(values["rl_step_time"] / measured.step - 1) for values, measured in map(both, SCENARIOS)]
    assert statistics.median(errors) < 0.03


def test_late_answers_that_are_carried_over_are_older_than_the_staleness() -> None:
    """The warning's reason: the mean is bounded, the oldest sample is several steps older."""
    _, measured = both("one step")
    assert measured.staleness == pytest.approx(1, abs=0.1)
    assert measured.oldest > 1 + 1


def test_a_batch_that_is_waited_for_bounds_the_oldest() -> None:
    _, measured = both("waited, one step")
    assert measured.oldest == 1

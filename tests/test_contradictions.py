"""Verdicts of one state that exclude each other, on states drawn by chance from every calculator's ranges.

Each pair is a verdict that is green and a value that makes it wrong to say so, whatever else holds.
"""

from __future__ import annotations

import datetime
import random
from typing import TYPE_CHECKING, Any

import pytest

from calculators.answers import answer
from calculators.answers.explore.trials import BROKEN
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import InputError, Values
from tests.readers import anywhere

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_STATES = 300
_MOVED = 4  # inputs at a time: with all of them moved nearly every state is refused
_NEARLY = 1 + 1e-9

# Calculator, green verdict, what must not hold with it
PAIRS: dict[str, list[tuple[str, Callable[[Mapping[str, Any]], bool]]]] = {
    "checkpoint": [
        ("write_in_time", lambda one: one["write_duration"] > one["checkpoint_interval"] * _NEARLY),
    ],
    "goodput": [
        ("time_kept", lambda one: one["gpus_lost"] > one["gpus"] / 2),
        ("interval_right", lambda one: one["waiting_for_spare"] > 1 / 2),
        ("interval_right", lambda one: one["goodput_at_best"] - one["goodput"] > 0.05),
        ("keeps_up", lambda one: one["waiting_for_spare"] > 1 / 2),
        ("keeps_up", lambda one: one["down_share"] > 1 / 2),
    ],
    "power": [
        ("hall_fits", lambda one: one["facility_power"] > one["hall_power"] * _NEARLY),
        ("hall_fits", lambda one: one["racks"] > one["hall_racks"] * _NEARLY),
        ("hall_fits", lambda one: one["rack_power"] > one["rack_limit"] * _NEARLY),
        ("hall_fits", lambda one: one["rack_power"] > one["cooling_limit"] * _NEARLY),
    ],
    "storage_demand": [
        ("drives_last", lambda one: one["drive_life"] < one["drive_warranty"] / _NEARLY),
    ],
    "training_memory": [
        ("fits", lambda one: one["training_memory"] > one["gpu_memory"] * _NEARLY),
    ],
}


def states(name: str, seed: str) -> list[Values]:
    """States that are not refused, with a few inputs moved anywhere in their ranges."""
    calculator, chance = CALCULATORS[name], random.Random(f"{name} {seed}")  # noqa: S311  states, not secrets
    plain = parse_inputs(calculator, {}).explicit
    found = []
    for _ in range(_STATES):
        moved = chance.sample(list(calculator.inputs.values()), _MOVED)
        given = {one.name: anywhere(one, chance) for one in moved}
        try:
            values = calculator.evaluate(Values({**plain, **given}, {*plain.given, *given}))
        except (InputError, *BROKEN):
            continue
        if not any(one.function(*[values[need] for need in one.needs]) for one in calculator.of_role("constraint")):
            found.append(values)
    return found


@pytest.mark.parametrize("name", PAIRS)
def test_no_green_verdict_stands_next_to_a_value_that_excludes_it(name: str) -> None:
    seed = datetime.datetime.now(tz=datetime.UTC).strftime("day %j")
    drawn = states(name, seed)
    assert len(drawn) > _STATES / 10
    for verdict, excluded in PAIRS[name]:
        for values in drawn:
            is_green = values[verdict].level == "good"
            assert not (is_green and excluded(values)), (seed, verdict, dict(values))


@pytest.mark.parametrize("name", list(PAIRS))
def test_every_pair_is_about_a_verdict_that_both_kinds_of_states_have(name: str) -> None:
    """A pair that no state is near could not fail: each verdict is green in some state drawn and not in others."""
    drawn = states(name, "always the same")
    for verdict, _ in PAIRS[name]:
        assert {values[verdict].level == "good" for values in drawn} == {True, False}, verdict


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("goodput", {"node_repair_time": "7d", "spare_nodes": "0"}, "waits for a node 97.7% of the time"),
        ("storage_demand", {"rebuild_share": "0.1%", "drive": "drive-d5-p5336"}, "40.5 days"),
    ],
)
def test_the_largest_loss_is_named(name: str, given: dict[str, str], said: str) -> None:
    calculator = CALCULATORS[name]
    resolved = parse_inputs(calculator, given)
    values = answer.evaluated(calculator, resolved)
    told = [answer.sentence(calculator, values, resolved), *answer.warnings(calculator, values)]
    told += [one["reason"] for one in answer.verdicts(calculator, values).values()]
    assert any(said in text for text in told)

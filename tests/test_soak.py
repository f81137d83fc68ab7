"""Two thousand states a day, others every day of the year: `make soak` looks at as many as there is time for."""

from __future__ import annotations

import datetime
import random

import pytest

from calculators.catalog import CALCULATORS
from tests.soak.exclusions import PAIRS
from tests.soak.states import NAMES, Soak

STATES = 2000 // len(NAMES) + 1


@pytest.mark.parametrize("name", NAMES)
def test_what_holds_in_every_state_holds_in_those_of_today(name: str) -> None:
    seed = datetime.datetime.now(tz=datetime.UTC).strftime("day %j")
    soak = Soak(random.Random(f"{name} {seed}"))  # noqa: S311  states, not secrets
    for _ in range(STATES):
        soak.look(name)
    assert not soak.breaches, seed
    assert soak.answered > STATES / 4


def test_a_breach_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It could fail: a verdict that no value excludes, one that every state breaks, and a direction that is wrong."""
    monkeypatch.setitem(PAIRS, "checkpoint", [("write_in_time", lambda _: True)])
    soak = Soak(random.Random(1))  # noqa: S311
    for _ in range(30):
        soak.look("checkpoint")
    assert any("write_in_time is good" in breach for breach in soak.breaches)


def test_every_calculator_with_verdicts_has_pairs_that_exclude_each_other() -> None:
    judged = {name for name, one in CALCULATORS.items() if any(f.role == "verdict" for f in one.steps.values())}
    assert judged - PAIRS.keys() == {"cost"}, "the cheaper of two is no promise that a value could break"


def test_more_of_a_negative_input_is_a_larger_one() -> None:
    soak = Soak(random.Random(2))  # noqa: S311
    cost = CALCULATORS["cost"]
    for _ in range(200):
        soak.consider(cost, {"gpu_hours": "157742089", "money_per": "year", "rent_trend": "-8.852%"})
    assert not soak.breaches

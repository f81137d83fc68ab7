"""A thousand states a day, others every day of the year: `make soak` looks at as many as there is time for."""

from __future__ import annotations

import datetime
import random
from collections.abc import Mapping

import pytest

from calculators.catalog import CALCULATORS
from calculators.declare import Calculator
from tests.soak import conservation
from tests.soak.conservation import Sum
from tests.soak.exclusions import PAIRS
from tests.soak.states import NAMES, Soak, imported

STATES = 2000 // len(NAMES) + 1


@pytest.mark.daily(2)
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


def test_a_whole_that_is_not_the_sum_of_its_parts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(conservation.SUMS, "goodput", [Sum(1, "goodput stalled_share lost_share down_share")])
    soak = Soak(random.Random(1))  # noqa: S311
    soak.consider(CALCULATORS["goodput"], {"spare_nodes": "0", "node_repair_time": "7 d"})
    assert [breach for breach in soak.breaches if "1 is 1, its parts are 0.02" in breach]


def test_configurations_that_are_drawn_fill_inputs() -> None:
    chance = random.Random(3)  # noqa: S311
    filled = [imported(CALCULATORS["kv_cache"], {}, chance) for _ in range(20)]
    assert sum("layers" in texts for texts in filled) > 12, "a number that is another one may be refused"


def test_some_states_are_carried_over() -> None:
    noted: set[str] = set()

    class Noted(Soak):
        """A soak that notes at which calculators it looked."""

        def consider(self, calculator: Calculator, texts: Mapping[str, str]) -> str | None:
            noted.add(calculator.name)
            return super().consider(calculator, texts)

    soak = Noted(random.Random(4))  # noqa: S311
    for _ in range(60):
        soak.look("goodput")
    assert noted > {"goodput"}


def test_every_calculator_with_verdicts_has_pairs_that_exclude_each_other() -> None:
    judged = {name for name, one in CALCULATORS.items() if any(f.role == "verdict" for f in one.steps.values())}
    assert judged - PAIRS.keys() == {"cost"}, "the cheaper of two is no promise that a value could break"


def test_more_of_a_negative_input_is_a_larger_one() -> None:
    soak = Soak(random.Random(2))  # noqa: S311
    cost = CALCULATORS["cost"]
    for _ in range(200):
        soak.consider(cost, {"gpu_hours": "157742089", "money_per": "year", "rent_trend": "-8.852%"})
    assert not soak.breaches

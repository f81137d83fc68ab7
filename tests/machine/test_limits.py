"""What a machine holds, how far its rates may fall and what a tenth more of them costs, by hand."""

from __future__ import annotations

import math
from collections.abc import Generator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from calculators.machine import hall_and_storage
from calculators.machine.kinds import Machine
from calculators.machine.resources import bottlenecks, capacities, prices, rates

HALL = {
    "facility_power": 100,
    "hall_power": 125,
    "hall_power_used": 0.8,
    "racks": 9,
    "hall_racks": 10,
    "hall_racks_used": 0.9,
    "rack_limit_used": 0.7,
    "cooling_used": 0.6,
    "nodes_per_rack": 2,
    "rack_nodes": None,
}
SUPPLY = {
    "power_swing": 40,
    "swing_peak": 100,
    "facility_power": 100,
    "hall_power": 99,
    "average_facility_power": 80,
    "power_per_surviving_source": 10,
    "circuit_power": 20,
}
FORMULAS = {one.name: one for one in hall_and_storage.FORMULAS}


def judged(name: str, known: dict[str, Any]) -> str:
    formula = FORMULAS[name]
    return str(formula.function(*[known[need] for need in formula.needs]).word)


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({}, "tight; the limit is rack positions"),
        ({"hall_racks": 9, "hall_racks_used": 1}, "fits; the first limit is power"),
        ({"hall_power": 100, "hall_power_used": 1}, "tight; the limit is rack positions"),
        (
            {"hall_power": 100, "hall_power_used": 1, "hall_racks": 9, "hall_racks_used": 1},
            "fits; the first limit is rack power",
        ),
        ({"hall_power": 99, "hall_power_used": 1.01}, "does not fit; the limit is power"),
        ({"rack_limit_used": 0.91}, "tight; the limit is rack power"),
        ({"cooling_used": 0.95}, "tight; the limit is rack cooling"),
    ],
)
def test_a_hall_that_is_not_given_is_exactly_what_is_taken(changed: dict[str, Any], word: str) -> None:
    assert judged("hall_fits", {**HALL, **changed}) == word


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({}, "swings exceed the supply"),
        ({"hall_power": 100}, "large swings"),
        ({"hall_power": 110}, "swings reach the rating"),
        ({"hall_power": 100, "power_swing": 30}, "OK"),
        ({"hall_power": 100, "power_per_surviving_source": 21}, "a lost feed trips breakers"),
    ],
)
def test_a_supply_that_is_not_given_cannot_be_exceeded(changed: dict[str, Any], word: str) -> None:
    assert judged("supply_follows", {**SUPPLY, **changed}) == word


def machine(**known: Any) -> Machine:
    return cast("Machine", SimpleNamespace(**known))


@pytest.mark.parametrize(
    ("only_given", "origin", "there", "expected"),
    [
        (False, "default", 8, (8, 0.375)),
        (True, "yours", 8, (8, 0.375)),
        (True, "default", 8, (None, None)),
        (False, "default", None, (None, None)),
        (False, "default", 4, (4, -0.25)),
    ],
)
def test_a_margin_is_what_is_left_of_what_there_is(
    only_given: bool,  # noqa: FBT001  a column of the table
    origin: str,
    there: float | None,
    expected: tuple[float | None, float | None],
) -> None:
    capacity = SimpleNamespace(asked="asked", there="there", only_given=only_given)
    found = machine(
        kind=SimpleNamespace(capacities=[capacity]),
        values={"asked": 5, "there": there},
        resolved=SimpleNamespace(origins={"there": origin}),
    )
    (margin,) = capacities.margins(found)
    assert (margin.asked, margin.there, margin.margin) == (5, *expected)


@pytest.mark.parametrize(
    ("margin", "level", "word"),
    [
        (None, "good", "no limit given"),
        (0.5, "good", "fits"),
        (0.1, "good", "fits"),
        (0.05, "tight", "tight"),
        (0.0, "tight", "tight"),  # all of it is taken, and no more
        (-0.05, "bad", "exceeded"),
    ],
)
def test_less_than_ten_percent_left_of_a_capacity_is_tight_and_less_than_nothing_is_exceeded(
    margin: float | None, level: str, word: str
) -> None:
    verdict = bottlenecks._fits(margin)
    assert (verdict.level, verdict.word) == (level, word)


def gained(share: float) -> rates.MarginalGain:
    """What a rate gains that is this share of a run of 100 s and of its price of 200 $; the rest is fixed."""

    def timed(_rate: Any) -> Any:
        def at(factor: float, _longest: float) -> Generator[None, None, float]:
            yield
            return 100 * (1 - share + share / factor)

        return at

    measures = [SimpleNamespace(result="time"), SimpleNamespace(result="price")]
    found = machine(kind=SimpleNamespace(measures=measures, rates=["rate"]), timed=timed, values={"price": 200})
    (gain,) = (one for one in rates.gains(found) if one is not None)
    return gain


def test_ten_percent_more_of_a_rate_shortens_its_part_of_the_run() -> None:
    """Half of 100 s take 45.45 s: 95.45; a hundredth more time lets it fall to 50 / 51."""
    gain = gained(0.5)
    assert gain.gain == pytest.approx(100 / 95.4545 - 1, rel=1e-4)
    assert gain.saved == pytest.approx(200 * 4.5455 / 100, rel=1e-4)
    assert gain.slack == pytest.approx(1 / 51, abs=2e-4)
    whole = gained(1)
    assert whole.gain == pytest.approx(0.1)
    assert whole.slack == pytest.approx(1 / 101, abs=2e-4)


def test_a_rate_that_does_nothing_may_fall_to_nothing() -> None:
    nothing = gained(0)
    assert (nothing.gain, nothing.slack, nothing.saved) == (0, 1, 0)
    hardly = gained(1e-8)
    assert hardly.slack == 1, "a hundred-millionth of the run a million times over is a hundredth"
    assert math.isclose(gained(1e-7).slack, 1 - 1e-5, abs_tol=3e-6)


def priced(rate: str, **changed: Any) -> tuple[float | None, str]:
    known: dict[str, Any] = {"paid": "rent", "fabric_cost": 700, "price": 200, "origin": "yours", **changed}
    found = machine(
        values=known,
        resolved=SimpleNamespace(
            origins={"price_per_gpu_hour": known["origin"], "server_price_per_gpu": "default"},
        ),
        kind=SimpleNamespace(measures=[None, SimpleNamespace(result="price")]),
    )
    report = prices.of_ten_percent_more(found, rate)
    return report.cost, report.words


def test_ten_percent_more_costs_ten_percent_of_what_has_a_dated_price() -> None:
    assert priced("compute")[0] == pytest.approx(20)
    assert priced("compute")[1] == "more, at the same price per FLOP"
    assert priced("compute", origin="preset")[0] == pytest.approx(20)
    assert priced("compute", origin="default")[0] is None
    assert priced("compute", paid="purchase")[0] is None
    assert priced("network")[0] == pytest.approx(70)
    assert priced("network")[1] == "more switches and links, bought"
    assert priced("network", fabric_cost=None)[0] is None
    assert priced("recovery") == (None, "faster recovery is software and has no price")

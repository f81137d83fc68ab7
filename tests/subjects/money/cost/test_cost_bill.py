"""Cost: every line of the bill, every comparison and every caution at its boundary, by hand."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from calculators import facts
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import pictures
from calculators.subjects.money.cost import comparison, rent_swing, tables, verdicts, warnings
from calculators.units import YEAR

CALCULATOR = CALCULATORS["cost"]
KEPT = warnings.OperationsShares(1, 1, 1)
# Two GPUs over four years: 50,000 $ of purchase, and a rent with a quarter of support on top.
PAID = {
    "gpus": 2,
    "book_years": 4 * YEAR,
    "servers_price": 40_000,
    "fabric_price": 4_000,
    "storage_price": 0,
    "site_price": 6_000,
    "residual_for_a_year": 300,
    "interest_cost": 700,
    "colocation_cost": 500,
    "energy_cost": 900,
    "operations": 0.05,
    "operations_rate": 0.05,
    "operations_cost": 2_600,
    "capital": 50_000,
    "support_rate": 0.02,
    "spares_rate": 0.01,
    "staff_rate": 0.03,
    "own_per_year": 17_300,
    "rent_support": 0.25,
    "rent_of_used_hours": 8_000,
    "rent_of_unused_hours": 2_000,
    "yearly_storage_rent": 350,
    "yearly_egress_cost": 0,
    "rent_per_year": 10_350,
}


def lines(who: str, **changed: Any) -> dict[str, tuple[str, ...]]:
    return {name: tuple(report) for side, name, *report in tables.bill({**PAID, **changed}) if side == who}


def test_every_line_of_owning_is_a_year_of_it() -> None:
    off = ("off: nothing was given",) * 3
    assert {name: report[0] for name, report in lines("own").items()} == {
        "Servers, written off": "$10,000",
        "Fabric, written off": "$1,000",
        "Storage, written off": off[0],
        "Own site, written off": "$1,500",
        "Residual value": "−$300",
        "Interest": "$700",
        "Space and power rented": "$500",
        "Electricity": "$900",
        "Support contract": "$1,000",
        "Spare parts": "$500",
        "Staff": "$1,500",
        "Together": "$17,300",
    }
    assert lines("own")["Storage, written off"] == off
    # 10,000 $ over 2 x 8,766 hours.
    assert lines("own")["Servers, written off"] == ("$10,000", "$0.57/GPU-hour", "$40,000")
    odd = lines("own", book_years=2.5 * YEAR)
    assert odd["Servers, written off"] == ("$16,000", "$0.913/GPU-hour", "$40,000")
    together = lines("own", operations=0.052)
    assert together["Operations: support, spares, staff"][0] == "$2,600"
    assert "Staff" not in together


def test_every_line_of_renting_is_apart_from_its_support() -> None:
    """Of 8,000 and 2,000 $ a fifth each is support."""
    assert {name: (report[0], report[2]) for name, report in lines("rent").items()} == {
        "Hours used": ("$6,400", "$25,600"),
        "Hours paid and not used": ("$1,600", "$6,400"),
        "Support contract": ("$2,000", "$8,000"),
        "Storage": ("$350", "$1,400"),
        "Egress": ("off: nothing was given",) * 2,
        "Together": ("$10,400", "$41,400"),
    }


def test_owning_is_even_where_the_rent_of_used_hours_makes_up_for_it() -> None:
    """2 $ an hour owned; 3 $ rented, half of it paid anyway, and 0.40 $ besides."""
    assert comparison.break_even_utilization(2, 3, 0.5, 0.4) == pytest.approx(1.6 / 3)
    assert comparison.break_even_utilization(1.9, 3, 0.5, 0.4) == 0
    assert comparison.break_even_utilization(1, 0, 0.5, 0) == inf
    assert comparison.break_even_rent(2, 0.5, 0.6, 0.4) == pytest.approx(1.6 / 0.6)
    assert comparison.break_even_rent(2, 0.7, 0.6, 0.4) == pytest.approx(1.6 / 0.7)
    assert comparison.break_even_rent(0.3, 0.7, 0.6, 0.4) == 0


def test_rents_move_by_30_percent() -> None:
    """An hour owned at 2 $; rents of 3 $ become 2.10 and 3.90."""
    given = {"own_per_gpu_hour": 2, "mean_rent": 3, "commitment": 0.5, "utilization": 0.7, "beside_the_rent": 0.4}
    given["goodput"] = 0.9
    moved = {one.name: one.function(*[given[need] for need in one.needs]) for one in rent_swing.FORMULAS}
    assert moved == pytest.approx(
        {
            "break_even_if_rents_fall": 1.6 / 2.1,
            "break_even_if_rents_rise": 0,
            "rented_hour_if_rents_fall": 1.87,
            "rented_hour_if_rents_rise": 3.13,
            "rent_if_rents_fall": 1.87 / 0.63,
            "rent_if_rents_rise": 3.13 / 0.63,
        }
    )


def test_sums_run_over_the_years() -> None:
    assert comparison.saved_by_owning(5, 7) == -2
    assert comparison.own_total(7, 2.5 * YEAR) == comparison.rent_total(7, 2.5 * YEAR) == 17.5
    # A quarter of four years: the book holds 77.5 %; after five it holds the residual.
    assert comparison.book_above_market(1000, 0.1, 4 * YEAR, YEAR, 600) == pytest.approx(175)
    assert comparison.book_above_market(1000, 0.1, 4 * YEAR, 5 * YEAR, 40) == pytest.approx(60)


@pytest.mark.parametrize(
    ("changed", "years"),
    [
        # 3,000 $ of rent, a tenth more each year, 900 + 200 to run less 100 rented besides: 2,000, 2,300, 2,630 saved.
        ({}, 2 + 700 / 2630),
        ({"capital": 2000}, 1),
        ({"capital": 2001}, 1 + 1 / 2300),
        ({"capital": 0}, 0),
        ({"utilization": 0.5, "commitment": 1}, 2 + 700 / 2630),
        ({"rent_support": 0.5}, 1 + 1500 / 3950),
    ],
)
def test_a_purchase_is_paid_back_year_by_year(changed: dict[str, float], years: float) -> None:
    running = {"colocation_cost": 900, "energy_cost": 150, "operations_cost": 50}
    running |= {"yearly_storage_rent": 60, "yearly_egress_cost": 40}
    rent = {"price_per_gpu_hour": 1500 / 8766, "rent_support": 0, "rent_trend": 0.1, "gpus": 2}
    rent |= {"utilization": 1, "commitment": 0}
    rents = comparison.rent_by_year(**{name: changed.get(name, value) for name, value in rent.items()})
    paid = comparison.payback(changed.get("capital", 5000), comparison.running_costs(**running), rents)
    assert paid / YEAR == pytest.approx(years)


@pytest.mark.parametrize(
    ("own", "rent", "fall", "rise", "expected"),
    [
        (2, 2, 2, 3, ("good", "owning costs less")),
        (2, 2, 1.9, 3, ("tight", "owning costs less, at this rent")),
        (2, 1.9, 1, 1.9, ("good", "renting costs less")),
        (2, 1.9, 1, 2, ("tight", "renting costs less, at this rent")),
    ],
)
def test_a_decision_holds_where_rents_may_move(
    own: float, rent: float, fall: float, rise: float, expected: tuple[str, str]
) -> None:
    (formula,) = (one for one in verdicts.FORMULAS if one.name == "own_or_rent")
    judged = formula.function(own, rent, fall, rise, 0.6, 0.7, 0.4)
    assert (judged.level, judged.word) == expected


@pytest.mark.parametrize(
    ("share", "begins", "moved"),
    [
        (1.01, "Never at this rent", "never"),
        (1, "Owning costs less from {break_even_utilization} utilization on, which few", "from {{{}}} on"),
        (0.91, "Owning costs less from {break_even_utilization} utilization on, which few", "from {{{}}} on"),
        (0.9, "Owning costs less from {break_even_utilization} utilization on: utilization decides", "from {{{}}} on"),
        (0.5, "Owning costs less from {break_even_utilization} utilization on: utilization decides", "from {{{}}} on"),
        (0.49, "Owning costs less from {break_even_utilization} utilization on, which most", "from {{{}}} on"),
        (0, "Committed hours cost", "always"),
    ],
)
def test_from_where_on_owning_costs_less_is_reported(share: float, begins: str, moved: str) -> None:
    (formula,) = (one for one in verdicts.FORMULAS if one.name == "own_or_rent")
    reason = formula.function(1, 2, 1.5, 3, share, share, share).reason
    assert reason.startswith(begins)
    lower, higher = moved.format("break_even_if_rents_fall"), moved.format("break_even_if_rents_rise")
    assert reason.endswith(f"With rents 30% lower {lower}, 30% higher {higher}.")


def fact(key: str) -> facts.Fact:
    return facts.fact(key)


POWER, RENT, SERVER = (
    float(fact(f"{key}").value) for key in ("h100-sxm.gpu_power", "price-per-gpu-hour-h100", "server-price-h100")
)
LOWEST, MOST = float(fact("h100-long-tail").low or 0), float(fact("rsc-utilization").high or 1)
SHORT, LONG = float(fact("depreciation").low or 0), float(fact("depreciation").high or 0)


@pytest.mark.parametrize(
    ("name", "speaks", "silent"),
    [
        (
            "reservation_without_commitment",
            [(LOWEST - 0.01, 0, POWER), (LOWEST - 0.01, 0.99, POWER + 1), (0.01, 0, POWER)],
            [(LOWEST, 0, POWER), (0, 0, POWER), (LOWEST - 0.01, 1, POWER), (LOWEST - 0.01, 0, POWER - 1)],
        ),
        (
            "prices_of_another_device",
            [(RENT, SERVER, POWER + 1), (RENT, SERVER + 1, POWER - 1), (RENT + 1, SERVER, POWER + 1)],
            [(RENT, SERVER, POWER), (RENT + 1, SERVER + 1, POWER + 1)],
        ),
        ("rent_without_storage", [(0, 1), (1, 0), (0, 0)], [(1, 1)]),
        ("site_twice", [(1, 1), (0, 0)], [(0, 1), (1, 0)]),
        ("residual_above_market", [(0.26, 0.5, 2 * YEAR), (0.25, 0.5, 2.1 * YEAR)], [(0.25, 0.5, 2 * YEAR)]),
        ("utilization_above_published", [(MOST + 0.01,)], [(MOST,), (0.5,)]),
        ("unusual_book", [(SHORT - 1,), (LONG + 1,)], [(SHORT,), (LONG,)]),
        ("lines_forgotten", [(0, 1, KEPT, 1, 1)], [(1, 1, KEPT, 1, 1)]),
    ],
)
def test_a_caution_turns_at_its_boundary(
    name: str, speaks: list[tuple[Any, ...]], silent: list[tuple[Any, ...]]
) -> None:
    assert [given for given in speaks if not text(name, *given)] == []
    assert [given for given in silent if text(name, *given)] == []


def text(name: str, *given: Any) -> str:
    (formula,) = (one for one in warnings.FORMULAS if one.name == name)
    return str(formula.function(*given))


def test_cautions_name_what_is_missing_and_which_way_it_is_off() -> None:
    assert text("rent_without_storage", 0, 0).startswith("The rented bill has no storage or egress:")
    assert text("rent_without_storage", 0, 1).startswith("The rented bill has no storage:")
    assert text("rent_without_storage", 1, 0).startswith("The rented bill has no egress:")
    assert text("site_twice", 1, 1).startswith("The facility is both built and rented")
    assert text("site_twice", 0, 0).startswith("No cost for space")
    assert "slower than published" in text("unusual_book", LONG + 1)
    assert "faster than published" in text("unusual_book", SHORT - 1)
    assert text("prices_of_another_device", RENT, SERVER, 1).startswith(
        "{price_per_gpu_hour} and {server_price_per_gpu} are an H100's prices"
    )
    assert text("prices_of_another_device", RENT + 1, SERVER, 1).startswith("{server_price_per_gpu} is an H100's price")


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((1, 0, KEPT, 1, 1), "storage"),
        ((0, 1, KEPT, 0, 0), "fabric, interest or electricity"),
        ((1, 1, warnings.operations_shares(1, 1, 0, 1, 0), 1, 1), "support or staff"),
        ((1, 1, warnings.operations_shares(0, 1, 1, 1, 1), 1, 1), "support, spare parts or staff"),
        ((1, 1, warnings.operations_shares(2, 0, 0, 0, 0), 0, 1), "interest"),
    ],
)
def test_the_lines_that_an_owner_s_bill_lacks_are_named(given: tuple[Any, ...], named: str) -> None:
    assert f"has no {named}:" in text("lines_forgotten", *given)


def test_rents_above_what_owning_costs_are_not_drawn_as_too_much() -> None:
    picture = CALCULATOR.picture
    assert picture is not None
    places = pictures.drawing(picture, answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {}))).places
    assert {place["width"] for name, place in places.items() if name.endswith("excess")} == {"0.000%"}


def test_a_run_and_a_month_are_reported_by_their_hours() -> None:
    """Nine tenths of 1,000 hours; 720, 730 and 730.5 hours at 2.40 $."""
    reports = [row[2] for row in tables.meanings({"gpu_hours": 1000, "goodput": 0.9, "price_per_gpu_hour": 2.4})]
    assert reports[4] == "900 GPU-hours of {gpu_hours}: never count goodput twice"
    assert reports[5].endswith("at {price_per_gpu_hour}: $1,730, $1,750, $1,750")
    apart = [row[2] for row in tables.meanings({"gpu_hours": 1, "goodput": 1, "price_per_gpu_hour": 0.1})]
    assert apart[5].endswith("at {price_per_gpu_hour}: $72, $73, $73")

"""Advice on owning and renting: each piece at its boundary, by hand; nothing where all is good."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from calculators.subjects.money.cost import recommendations as cost_advice
from calculators.units import YEAR

GOOD, TIGHT = (SimpleNamespace(level=level) for level in ("good", "tight"))

# Owning costs 1,100 a year where renting costs 1,000, and is used half of the time; five years at no interest.
OWNED = {
    "own_or_rent": GOOD,
    "own_per_year": 1100,
    "rent_per_year": 1000,
    "utilization": 0.5,
    "break_even_utilization": 0.553,
    "book_years": 5 * YEAR,
    "capital_rate": 0,
    "capital": 4000,
    "residual": 0,
    "capital_cost": 800,
    "annuity": 0.2,
    "rent_trend": 0,
    "rent_support": 0,
    "price_per_gpu_hour": 2,
    "mean_rent": 2,
    "gpus": 1,
    "commitment": 0,
    "server_price_per_gpu": 4000,
    "operations": 0.05,
}
USE = ("Raise utilization to {utilization}", {"utilization": 0.56})
KEEP = ("Depreciate over {book_years}", {"book_years": 6 * YEAR})
# 100 dollars a year too much, a quarter of which each dollar of the price adds: 400 less.
BUY = ("Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": 3600})


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        # Over six years 4,000 are 667 a year, 133 less than over five.
        ({}, [USE, KEEP, BUY]),
        ({"own_or_rent": TIGHT}, []),
        ({"own_per_year": 1000}, []),
        ({"utilization": 0.553}, [KEEP, BUY]),
        ({"break_even_utilization": 1.01}, [KEEP, BUY]),
        ({"break_even_utilization": 1}, [("Raise utilization to {utilization}", {"utilization": 1}), KEEP, BUY]),
        ({"own_per_year": 1134}, [USE, ("Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": 3400})]),
        # 500 too much: half of the price is proposed, less is not.
        ({"own_per_year": 1500}, [USE, ("Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": 2000})]),
        ({"own_per_year": 1501}, [USE]),
        (
            {"book_years": 6 * YEAR, "annuity": 1 / 6},
            [USE, ("Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": 3500})],
        ),
        ({"gpus": 2}, [USE, KEEP, ("Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": 3800})]),
    ],
)
def test_owning_pays_by_use_by_years_and_by_price(changed: dict[str, Any], report: list[Any]) -> None:
    found = list(cost_advice.recommendations({**OWNED, **changed}))
    assert [label for label, _ in found] == [label for label, _ in report]
    for (_, changes), (_, expected) in zip(found, report, strict=True):
        assert changes == pytest.approx(expected)


def test_rents_that_fall_are_counted_over_the_longer_years() -> None:
    """At a tenth less each year the mean of six years is below that of five: 133 saved, over 1,000 $ lost in rent."""
    falling = {"rent_trend": -0.1, "mean_rent": 1.62, "utilization": 1, "break_even_utilization": 2}
    labels = [label for label, _ in cost_advice.recommendations({**OWNED, **falling})]
    assert labels == [BUY[0]]
    committed = {"rent_trend": -0.1, "mean_rent": 1.62, "utilization": 0, "commitment": 1, "break_even_utilization": 2}
    assert [label for label, _ in cost_advice.recommendations({**OWNED, **committed})] == [BUY[0]]
    unused = {"rent_trend": -0.1, "mean_rent": 1.62, "utilization": 0, "break_even_utilization": 2}
    assert [label for label, _ in cost_advice.recommendations({**OWNED, **unused})] == [KEEP[0], BUY[0]]

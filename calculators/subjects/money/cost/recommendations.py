"""Recommendations that make owning pay off: higher utilization, longer depreciation, cheaper servers."""

from collections.abc import Iterator, Mapping
from math import ceil, floor
from typing import Any

from calculators import facts, units
from calculators.subjects.money.cost.owning import annuity, capital_cost, yearly_cost_of_a_dollar
from calculators.subjects.money.cost.renting import mean_rent, rent_growth
from calculators.units import HOUR, YEAR

_LONGEST_BOOK = float(facts.fact("depreciation").high or 0)
_PERCENT = units.unit("%").factor
_HUNDRED = 100.0
_HARDLY_ANY_SELLER_BELOW = 0.5  # of the present price


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes after which owning costs no more, where renting costs less even if rents rise; none otherwise.

    Where the answer turns with the rent, its thresholds are near and are given as such.
    """
    if values["own_per_year"] <= values["rent_per_year"] or values["own_or_rent"].level != "good":
        return
    if values["utilization"] < values["break_even_utilization"] <= 1:
        yield "Raise utilization to {utilization}", {"utilization": _rounded_up(values["break_even_utilization"])}
    for years in range(floor(values["book_years"] / YEAR) + 1, round(_LONGEST_BOOK / YEAR) + 1):
        if _pays_over(values, years * YEAR):
            yield "Depreciate over {book_years}", {"book_years": years * YEAR}
            break
    server = _server_price_to_be_even(values)
    if server >= values["server_price_per_gpu"] * _HARDLY_ANY_SELLER_BELOW:
        yield "Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": server}


def _rounded_up(share: float) -> float:
    return min(1.0, ceil(share / _PERCENT) * _PERCENT)


def _pays_over(values: Mapping[str, Any], book_years: float) -> bool:
    """Whether owning costs no more when it is written off over this time."""
    each = annuity(values["capital_rate"], book_years)
    bought = capital_cost(values["capital"], values["residual"], values["capital_rate"], book_years, each)
    growth = rent_growth(values["rent_trend"], book_years)
    higher = mean_rent(values["price_per_gpu_hour"], growth, values["rent_support"]) - values["mean_rent"]
    paid_hours = values["gpus"] * max(values["utilization"], values["commitment"]) * YEAR / HOUR
    owned = values["own_per_year"] - values["capital_cost"] + bought
    return bool(owned <= values["rent_per_year"] + higher * paid_hours)


def _server_price_to_be_even(values: Mapping[str, Any]) -> float:
    """The price of a server for each GPU at which both cost the same; purchase and operations follow it."""
    missing = values["rent_per_year"] - values["own_per_year"]
    price = values["server_price_per_gpu"] + missing / (values["gpus"] * yearly_cost_of_a_dollar(values))
    return float(floor(price / _HUNDRED) * _HUNDRED)

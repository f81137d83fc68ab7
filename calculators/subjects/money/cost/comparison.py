"""Own or rent: where the two cost the same, and what they cost over the years."""

from math import inf, pow  # noqa: A004  of numbers that are floats
from typing import NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.units import HOUR, YEAR

_YEARS_LOOKED_AT = 30


class RunningCosts(NamedTuple):
    """Costs of a year [USD]: an owner's besides the purchase, a renter's besides the GPUs."""

    owned: float
    storage_rent: float
    egress: float


class RentByYear(NamedTuple):
    """Rent of the first year [USD], and its change per year [share]."""

    first: float
    trend: float


@step("share", "Break-even utilization", rises_with=("server_price_per_gpu",), falls_with=("price_per_gpu_hour",))
def break_even_utilization(
    own_per_gpu_hour: float, mean_rent: float, commitment: float, beside_the_rent: float
) -> float:
    """Share of hours in use from which on owning costs no more than renting; above all of them, never.

    0 where what is paid anyway is more than that.

    >>> round(break_even_utilization(2.34, 3, 0, 0), 2), break_even_utilization(2.34, 3, 1, 0)
    (0.78, 0)
    """
    if own_per_gpu_hour <= mean_rent * commitment + beside_the_rent:
        return 0
    return (own_per_gpu_hour - beside_the_rent) / mean_rent if mean_rent > 0 else inf


@step("USD/GPU-hour", "Break-even rent", rises_with=("server_price_per_gpu",), falls_with=("commitment",))
def break_even_rent(own_per_gpu_hour: float, utilization: float, commitment: float, beside_the_rent: float) -> float:
    """The rent at which renting costs as much as owning, at this use, mean of the years.

    >>> break_even_rent(2, 0.5, 0, 0)
    4.0
    """
    return max(0, own_per_gpu_hour - beside_the_rent) / max(utilization, commitment)


@step("USD", "Savings per year by owning")
def saved_by_owning(rent_per_year: float, own_per_year: float) -> float:
    """Yearly saving of owning over renting [USD]; negative if owning costs more."""
    return rent_per_year - own_per_year


@step("USD", "Owning, over the depreciation period", rises_with=("book_years",))
def own_total(own_per_year: float, book_years: float) -> float:
    """Cost of owning over the depreciation period [USD]."""
    return own_per_year * book_years / YEAR


@step("USD", "Renting, over the depreciation period", rises_with=("book_years",))
def rent_total(rent_per_year: float, book_years: float) -> float:
    """Cost of renting the same over the depreciation period [USD]."""
    return rent_per_year * book_years / YEAR


@record("Running costs, owned and rented")
def running_costs(
    colocation_cost: float,
    energy_cost: float,
    operations_cost: float,
    yearly_storage_rent: float,
    yearly_egress_cost: float,
) -> RunningCosts:
    """Costs of a year besides purchase and GPU rent."""
    return RunningCosts(colocation_cost + energy_cost + operations_cost, yearly_storage_rent, yearly_egress_cost)


@record("Rent by year")
def rent_by_year(
    price_per_gpu_hour: float,
    rent_support: float,
    rent_trend: float,
    gpus: float,
    utilization: float,
    commitment: float,
) -> RentByYear:
    """Rent of the first year, and its change per year."""
    rent = price_per_gpu_hour * (1 + rent_support) * gpus * max(utilization, commitment) * YEAR / HOUR
    return RentByYear(rent, rent_trend)


@step("year", "Payback time of the purchase", rises_with=("server_price_per_gpu",))
def payback(capital: float, running_costs: RunningCosts, rent_by_year: RentByYear) -> float:
    """Time [s] after which the rent saved, year by year and without interest, has paid for the purchase; 30 at most.

    4,000 USD that save 3,000 of rent a year and cost 1,000 to run: two years.

    >>> payback(4000, RunningCosts(1000, 0, 0), RentByYear(3000, 0)) / 31557600
    2.0
    """
    running = running_costs.owned - running_costs.storage_rent - running_costs.egress
    left = capital
    for year in range(_YEARS_LOOKED_AT):
        saved = rent_by_year.first * (1 + rent_by_year.trend) ** year - running
        if saved >= left:
            return (year + (left / saved if left > 0 else 0)) * YEAR
        left -= saved
    return _YEARS_LOOKED_AT * YEAR


@step("USD", "Market value at resale", falls_with=("sold_after", "value_decline"))
def value_when_sold(capital: float, value_decline: float, sold_after: float) -> float:
    """Resale price after `sold_after` [s] when value falls by the same share each year [USD].

    >>> round(value_when_sold(44299, 0.27556, 1.1828 * 31557600))
    30256
    """
    return capital * pow(1 - value_decline, sold_after / YEAR)


@step("USD", "Book value − market value at resale")
def book_above_market(
    capital: float, residual: float, book_years: float, sold_after: float, value_when_sold: float
) -> float:
    """Book value at the sale, straight-line to the residual, above the resale price [USD]."""
    return capital * (1 - (1 - residual) * min(1, sold_after / book_years)) - value_when_sold


FORMULAS = formulas_of(globals())

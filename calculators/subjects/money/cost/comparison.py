"""Own or rent: where the two cost the same, what a lower and a higher rent make of it, and over the years."""

from math import inf, pow  # noqa: A004  of numbers that are floats

from calculators import facts
from calculators.declare import Verdict, constraint, formulas_of, step, verdict
from calculators.units import HOUR, YEAR

SWING = float(facts.fact("rent-swing").value)
_DECIDED_BELOW, _DECIDED_ABOVE = 0.5, 0.9
_YEARS_LOOKED_AT = 30


def even_at(own_per_gpu_hour: float, mean_rent: float, commitment: float, beside_the_rent: float) -> float:
    """The share of hours in use from which on owning costs no more; 0 where what is paid anyway is more than that."""
    if own_per_gpu_hour <= mean_rent * commitment + beside_the_rent:
        return 0
    return (own_per_gpu_hour - beside_the_rent) / mean_rent if mean_rent > 0 else inf


@constraint("price_per_gpu_hour")
def rent_for_nothing(price_per_gpu_hour: float) -> str:
    """A rent of nothing, beside which owning never pays."""
    return "" if price_per_gpu_hour > 0 else "Nothing is even with an hour for nothing; give what one costs"


@step("share", "Break-even utilization", rises_with=("server_price_per_gpu",), falls_with=("price_per_gpu_hour",))
def break_even_utilization(
    own_per_gpu_hour: float, mean_rent: float, commitment: float, beside_the_rent: float
) -> float:
    """Hours in use from which on owning costs no more than renting; above all of them, never.

    >>> round(break_even_utilization(2.34, 3, 0, 0), 2), break_even_utilization(2.34, 3, 1, 0)
    (0.78, 0)
    """
    return even_at(own_per_gpu_hour, mean_rent, commitment, beside_the_rent)


@step("share", "Break-even utilization, rents −30%", falls_with=("price_per_gpu_hour",))
def break_even_if_rents_fall(
    own_per_gpu_hour: float, mean_rent: float, commitment: float, beside_the_rent: float
) -> float:
    """The same with every rent lower by three tenths."""
    return even_at(own_per_gpu_hour, mean_rent * (1 - SWING), commitment, beside_the_rent)


@step("share", "Break-even utilization, rents +30%", falls_with=("price_per_gpu_hour",))
def break_even_if_rents_rise(
    own_per_gpu_hour: float, mean_rent: float, commitment: float, beside_the_rent: float
) -> float:
    """The same with every rent higher by three tenths."""
    return even_at(own_per_gpu_hour, mean_rent * (1 + SWING), commitment, beside_the_rent)


@step("USD/GPU-hour", "Break-even rent", rises_with=("server_price_per_gpu",), falls_with=("commitment",))
def break_even_rent(own_per_gpu_hour: float, utilization: float, commitment: float, beside_the_rent: float) -> float:
    """The rent at which renting costs as much as owning, at this use, mean of the years.

    >>> break_even_rent(2, 0.5, 0, 0)
    4.0
    """
    return max(0, own_per_gpu_hour - beside_the_rent) / max(utilization, commitment)


@step("USD/GPU-hour", "Renting, per calendar hour, rents −30%")
def rented_hour_if_rents_fall(mean_rent: float, commitment: float, utilization: float, beside_the_rent: float) -> float:
    """What renting costs for each hour of the calendar with every rent lower by three tenths."""
    return mean_rent * (1 - SWING) * max(utilization, commitment) + beside_the_rent


@step("USD/GPU-hour", "Renting, per calendar hour, rents +30%")
def rented_hour_if_rents_rise(mean_rent: float, commitment: float, utilization: float, beside_the_rent: float) -> float:
    """What renting costs for each hour of the calendar with every rent higher by three tenths."""
    return mean_rent * (1 + SWING) * max(utilization, commitment) + beside_the_rent


@step("USD/GPU-hour", "Renting, per useful hour, rents −30%")
def rent_if_rents_fall(rented_hour_if_rents_fall: float, utilization: float, goodput: float) -> float:
    """A rented useful hour with every rent lower by three tenths."""
    return rented_hour_if_rents_fall / (utilization * goodput)


@step("USD/GPU-hour", "Renting, per useful hour, rents +30%")
def rent_if_rents_rise(rented_hour_if_rents_rise: float, utilization: float, goodput: float) -> float:
    """A rented useful hour with every rent higher by three tenths."""
    return rented_hour_if_rents_rise / (utilization * goodput)


@step("USD", "Savings per year by owning")
def saved_by_owning(rent_per_year: float, own_per_year: float) -> float:
    """What owning costs less in a year [USD]; below nothing, what it costs more."""
    return rent_per_year - own_per_year


@step("USD", "Owning, over the depreciation period", rises_with=("book_years",))
def own_total(own_per_year: float, book_years: float) -> float:
    """What owning costs until it is written off [USD]."""
    return own_per_year * book_years / YEAR


@step("USD", "Renting, over the depreciation period", rises_with=("book_years",))
def rent_total(rent_per_year: float, book_years: float) -> float:
    """What renting the same costs in that time [USD]."""
    return rent_per_year * book_years / YEAR


@step("year", "Payback time of the purchase", rises_with=("server_price_per_gpu",))
def payback(
    capital: float,
    colocation_cost: float,
    energy_cost: float,
    operations_cost: float,
    price_per_gpu_hour: float,
    rent_support: float,
    rent_trend: float,
    gpus: float,
    utilization: float,
    commitment: float,
    yearly_storage_rent: float,
    yearly_egress_cost: float,
) -> float:
    """When [s] the rent saved, year by year and without interest, has paid for the purchase, in 30 at most.

    4,000 USD that save 3,000 of rent a year and cost 1,000 to run: two years.

    >>> payback(4000, 1000, 0, 0, 3000 / 8766, 0, 0, 1, 1, 0, 0, 0) / 31557600
    2.0
    """
    running = colocation_cost + energy_cost + operations_cost - yearly_storage_rent - yearly_egress_cost
    rent = price_per_gpu_hour * (1 + rent_support) * gpus * max(utilization, commitment) * YEAR / HOUR
    left = capital
    for year in range(_YEARS_LOOKED_AT):
        saved = rent * (1 + rent_trend) ** year - running
        if saved >= left:
            return (year + (left / saved if left > 0 else 0)) * YEAR
        left -= saved
    return _YEARS_LOOKED_AT * YEAR


@step("USD", "Market value at resale", falls_with=("sold_after", "value_decline"))
def value_when_sold(capital: float, value_decline: float, sold_after: float) -> float:
    """What a buyer would give after `sold_after` [s] when value falls by the same share each year [USD].

    >>> round(value_when_sold(44299, 0.27556, 1.1828 * 31557600))
    30256
    """
    return capital * pow(1 - value_decline, sold_after / YEAR)


@step("USD", "Book value − market value at resale")
def book_above_market(
    capital: float, residual: float, book_years: float, sold_after: float, value_when_sold: float
) -> float:
    """What the book still holds then, in a straight line to the residual, above what a buyer would give [USD]."""
    return capital * (1 - (1 - residual) * min(1, sold_after / book_years)) - value_when_sold


def _from_where(share: float) -> str:
    """From which use on owning costs less, and what that means for the decision."""
    if share > 1:
        return "Never at this rent: every hour owned costs {own_per_gpu_hour}, and one rented {mean_rent}"
    if share <= 0:
        return "Committed hours cost more than owning at any utilization"
    said = "Owning costs less from {break_even_utilization} utilization on"
    if share < _DECIDED_BELOW:
        return said + ", which most clusters reach"
    return said + (": utilization decides" if share <= _DECIDED_ABOVE else ", which few clusters reach")


def _said_of(share: float, name: str) -> str:
    return "never" if share > 1 else "from {" + name + "} on" if share > 0 else "always"


@verdict("Own or rent")
def own_or_rent(
    own_per_useful_hour: float,
    rent_per_useful_hour: float,
    rent_if_rents_fall: float,
    rent_if_rents_rise: float,
    break_even_utilization: float,
    break_even_if_rents_fall: float,
    break_even_if_rents_rise: float,
) -> Verdict:
    """Cheaper option at this utilization, and whether it remains so with rents 30 % lower or higher."""
    owning = own_per_useful_hour <= rent_per_useful_hour
    still = own_per_useful_hour <= rent_if_rents_fall if owning else own_per_useful_hour > rent_if_rents_rise
    lower = _said_of(break_even_if_rents_fall, "break_even_if_rents_fall")
    higher = _said_of(break_even_if_rents_rise, "break_even_if_rents_rise")
    reason = f"{_from_where(break_even_utilization)}. With rents 30% lower {lower}, 30% higher {higher}."
    word = "owning costs less" if owning else "renting costs less"
    return Verdict(level="good" if still else "tight", word=word if still else f"{word}, at this rent", reason=reason)


FORMULAS = formulas_of(globals())

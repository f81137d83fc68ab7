"""Renting: the mean rent of the years, hours paid and not used, storage and egress, and that by the hour used."""

from collections.abc import Iterable
from itertools import pairwise
from math import expm1, fsum, inf, log1p

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.units import HOUR, MONTH, YEAR

Tiers = tuple[tuple[float, float, float], ...]


def _tiers(record: str, names: Iterable[str]) -> Tiers:
    """From which amount of a month to which what is asked for each byte, from a record with `<tier>_up_to` in it."""
    names = tuple(names)
    known = facts.all_records()[record]
    edges = (0.0, *(float(known.value(f"{name}_up_to")) for name in names[:-1]), inf)
    prices = (float(known.value(name)) for name in names)
    return tuple((start, end, price) for price, (start, end) in zip(prices, pairwise(edges), strict=True))


STORAGE_TIERS = _tiers("s3-tiers", ("first", "next", "rest"))
EGRESS_TIERS = _tiers("egress-tiers", ("first", "next", "third", "rest"))
_STORED_PER_GPU = float(facts.fact("rented-per-gpu.stored").value)
_EGRESS_PER_GPU = float(facts.fact("rented-per-gpu.egress").value)


def tiered(amount: float, tiers: Tiers) -> float:
    """The mean price of each byte of an amount, each part of it at the price of its tier; of nothing, the first's.

    60 TB: 10 at 0.09, 40 at 0.085 and 10 at 0.07 USD for each GB.

    >>> round(tiered(60e12, EGRESS_TIERS) * 1e9, 6)
    0.083333
    """
    if amount <= 0:
        return tiers[0][2]
    return fsum(max(0, min(amount, end) - start) * price for start, end, price in tiers) / amount


@step("B", "Rented storage for these GPUs")
def stored_for_gpus(gpus: float) -> float:
    """Data kept with the provider [B], in proportion to the GPUs: a store of a petabyte is no example for one of them.

    >>> stored_for_gpus(1000) / 1e15
    1.0
    """
    return gpus * _STORED_PER_GPU


@step("TB/month", "Egress for these GPUs")
def egress_for_gpus(gpus: float) -> float:
    """Data that leaves [B/s], in proportion to the GPUs."""
    return gpus * _EGRESS_PER_GPU


@step("USD/TB/month", "Mean object-storage price", source="go-cloud-s3")
def tiered_storage_price(stored: float) -> float:
    """Price of a byte for a second at this amount [USD/B/s], each part of it at the price of its tier."""
    return tiered(stored, STORAGE_TIERS)


@step("USD/GB", "Mean egress price", source="cloudtoolstack-egress")
def tiered_egress_price(egress: float) -> float:
    """Price of a byte of egress at this monthly traffic [USD/B], each part of it at the price of its tier."""
    return tiered(egress * MONTH, EGRESS_TIERS)


@step("USD", "Storage rent, per year", rises_with=("stored", "storage_per_gb_month"))
def yearly_storage_rent(stored: float, storage_per_gb_month: float) -> float:
    """Yearly cost of `stored` [B] [USD]."""
    return stored * storage_per_gb_month * YEAR


@step("USD", "Egress, per year", rises_with=("egress_per_gb",))
def yearly_egress_cost(egress: float, egress_per_gb: float) -> float:
    """Yearly cost of `egress` [B/s] [USD]."""
    return egress * YEAR * egress_per_gb


@step("share", "Mean rent ÷ today's rent", rises_with=("rent_trend",))
def rent_growth(rent_trend: float, book_years: float) -> float:
    """Mean rent of an hour over `book_years` [s], over today's, when the rent moves by `rent_trend` each year.

    >>> rent_growth(0, 1), round(rent_growth(-0.5, 2 * 31557600), 4)
    (1, 0.75)
    """
    return expm1(book_years / YEAR * log1p(rent_trend)) / (rent_trend * (book_years / YEAR)) if rent_trend else 1


@step("USD/GPU-hour", "Mean rent with support", rises_with=("price_per_gpu_hour", "rent_support"))
def mean_rent(price_per_gpu_hour: float, rent_growth: float, rent_support: float) -> float:
    """Mean rent of an hour over the years, with the provider's support.

    >>> mean_rent(3, 1, 0.05)
    3.1500000000000004
    """
    return price_per_gpu_hour * rent_growth * (1 + rent_support)


@step("USD", "Rent of used hours, per year", rises_with=("utilization",))
def rent_of_used_hours(mean_rent: float, gpus: float, utilization: float) -> float:
    """Yearly cost of the hours in use [USD]."""
    return mean_rent * gpus * utilization * YEAR / HOUR


@step("USD", "Rent of unused hours, per year", rises_with=("commitment",), falls_with=("utilization",))
def rent_of_unused_hours(mean_rent: float, gpus: float, utilization: float, commitment: float) -> float:
    """Yearly payment for committed hours that are not used [USD]."""
    return mean_rent * gpus * max(0, commitment - utilization) * YEAR / HOUR


@step("USD", "Renting, per year")
def rent_per_year(
    rent_of_used_hours: float, rent_of_unused_hours: float, yearly_storage_rent: float, yearly_egress_cost: float
) -> float:
    """Cost of a year of renting [USD], with storage and egress."""
    return rent_of_used_hours + rent_of_unused_hours + yearly_storage_rent + yearly_egress_cost


@step("USD/GPU-hour", "Storage and egress, per hour")
def beside_the_rent(yearly_storage_rent: float, yearly_egress_cost: float, gpus: float) -> float:
    """Paid besides the rent, whatever is used, for each GPU and hour of the year."""
    return (yearly_storage_rent + yearly_egress_cost) / (gpus * YEAR / HOUR)


@step("USD/GPU-hour", "Renting, per used hour")
def rent_per_used_hour(mean_rent: float, commitment: float, utilization: float, beside_the_rent: float) -> float:
    """Tenant's cost of a used GPU-hour, with unused committed hours, storage and egress.

    >>> rent_per_used_hour(3, 0, 0.5, 0), rent_per_used_hour(3, 1, 0.5, 0)
    (3.0, 6.0)
    """
    return mean_rent * max(1, commitment / utilization) + beside_the_rent / utilization


@step("USD/GPU-hour", "Rent of used hours, per calendar hour")
def used_rent_per_hour(mean_rent: float, utilization: float) -> float:
    """Cost of the hours in use, per calendar hour."""
    return mean_rent * utilization


@step("USD/GPU-hour", "Rent of unused hours, per calendar hour")
def unused_rent_per_hour(mean_rent: float, utilization: float, commitment: float) -> float:
    """Cost of unused committed hours, per calendar hour."""
    return mean_rent * max(0, commitment - utilization)


@step("USD/GPU-hour", "Renting, per useful hour", falls_with=("goodput",))
def rent_per_useful_hour(rent_per_used_hour: float, goodput: float) -> float:
    """Tenant's cost of a useful GPU-hour, after goodput."""
    return rent_per_used_hour / goodput


FORMULAS = formulas_of(globals())

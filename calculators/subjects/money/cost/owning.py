"""Owning: what is bought, what a year of it costs line by line, and that by the GPU-hour, used and useful."""

from collections.abc import Mapping
from math import expm1, log1p, pow  # noqa: A004  of numbers that are floats
from typing import Any

from calculators.declare import formulas_of, step
from calculators.units import HOUR, YEAR


@step("USD", "Servers", rises_with=("server_price_per_gpu",))
def servers_price(gpus: float, server_price_per_gpu: float) -> float:
    """Price of all servers [USD]."""
    return gpus * server_price_per_gpu


@step("USD", "Fabric", rises_with=("fabric_per_gpu",))
def fabric_price(gpus: float, fabric_per_gpu: float, fabric_cost: float | None) -> float:
    """Price of the fabric [USD]: counted, else by the GPU."""
    return gpus * fabric_per_gpu if fabric_cost is None else fabric_cost


@step("USD", "Storage", rises_with=("storage_per_gpu",))
def storage_price(gpus: float, storage_per_gpu: float, storage_cost: float | None) -> float:
    """Price of the owner's storage system [USD]: as offered, else by the GPU."""
    return gpus * storage_per_gpu if storage_cost is None else storage_cost


@step("W", "Power of the servers")
def servers_power(gpus: float, watts_per_gpu: float) -> float:
    """Rated power of all servers [W]; switches and storage are counted elsewhere."""
    return gpus * watts_per_gpu


@step("USD", "Facility construction, per kW", rises_with=("facility_per_kw",))
def site_price(it_power: float, pue: float, facility_per_kw: float) -> float:
    """Cost of building for this load [USD], at `facility_per_kw` [USD/W] of the power at the meter."""
    return facility_per_kw * it_power * pue


@step("USD", "Purchase", rises_with=("server_price_per_gpu",))
def capital(servers_price: float, fabric_price: float, storage_price: float, site_price: float) -> float:
    """Payment on the first day [USD]: servers, fabric, storage and, where one builds, the site."""
    return servers_price + fabric_price + storage_price + site_price


@step("share", "Annuity", rises_with=("capital_rate",))
def annuity(capital_rate: float, book_years: float) -> float:
    """Yearly payment of a loan over `book_years` [s] that repays it with interest [share].

    >>> round(annuity(0.08, 5 * 31557600), 5)
    0.25046
    """
    return (
        capital_rate / -expm1(-book_years / YEAR * log1p(capital_rate)) if capital_rate > 0 else 1 / (book_years / YEAR)
    )


@step("USD", "Purchase, per year", rises_with=("capital_rate",), falls_with=("residual",))
def capital_cost(capital: float, residual: float, capital_rate: float, book_years: float, annuity: float) -> float:
    """Equal yearly payment [USD] for the purchase and its interest, less its sale at the end.

    >>> round(capital_cost(49000, 0.1, 0.08, 5 * 31557600, 0.25045645))
    11437
    """
    return (capital - residual * capital / pow(1 + capital_rate, book_years / YEAR)) * annuity


@step("USD", "Depreciation per year", falls_with=("book_years",))
def written_off(capital: float, book_years: float) -> float:
    """The purchase in a straight line [USD]."""
    return capital / (book_years / YEAR)


@step("USD", "Residual value, per year", rises_with=("residual",))
def residual_for_a_year(written_off: float, residual: float) -> float:
    """Reduction of each year's cost by the sale at the end [USD], before interest."""
    return residual * written_off


@step("USD", "Interest, per year", rises_with=("capital_rate",))
def interest_cost(capital_cost: float, written_off: float, residual_for_a_year: float) -> float:
    """Interest on top of the straight line [USD], on average over the years."""
    return max(0, capital_cost - (written_off - residual_for_a_year))


@step("USD", "Colocation, per year", rises_with=("colocation_per_kw_month",))
def colocation_cost(it_power: float, colocation_per_kw_month: float) -> float:
    """Rent of what may be drawn [USD], by the rating and not by the meter; `colocation_per_kw_month` in USD/W/s.

    >>> round(colocation_cost(1275, 194.95 / 1000 / 2629800))
    2983
    """
    return it_power * colocation_per_kw_month * YEAR


@step("USD", "Electricity for all hours, per year", rises_with=("average_share", "pue", "price_per_kwh"))
def every_hours_energy_cost(it_power: float, average_share: float, pue: float, price_per_kwh: float) -> float:
    """Electricity at the meter for all hours of a year [USD], each at the average draw, at `price_per_kwh` [USD/J].

    >>> round(every_hours_energy_cost(1275, 1, 1.3, 0.0806 / 3.6e6))
    1171
    """
    return it_power * average_share * pue * YEAR * price_per_kwh


@step("share", "Support, spares and staff", rises_with=("support_rate", "spares_rate", "staff_rate"))
def operations_rate(support_rate: float, spares_rate: float, staff_rate: float) -> float:
    """Operations per year, as a share of the purchase."""
    return support_rate + spares_rate + staff_rate


@step("USD", "Operations, per year", rises_with=("operations",))
def operations_cost(capital: float, operations: float) -> float:
    """Support, spares and staff [USD], or the one share given in their place."""
    return capital * operations


def yearly_cost_of_a_dollar(values: Mapping[str, Any]) -> float:
    """Yearly cost of each dollar of the purchase [USD]: annuity, less the sale, and operations."""
    back = capital_cost(1, values["residual"], values["capital_rate"], values["book_years"], values["annuity"])
    return back + float(values["operations"])


@step("USD", "Owning, per year", rises_with=("energy_cost", "operations"))
def own_per_year(capital_cost: float, colocation_cost: float, energy_cost: float, operations_cost: float) -> float:
    """Cost of a year of owning [USD], used or not."""
    return capital_cost + colocation_cost + energy_cost + operations_cost


@step("USD/GPU-hour", "Owning, per calendar hour", rises_with=("server_price_per_gpu",))
def own_per_gpu_hour(own_per_year: float, gpus: float) -> float:
    """Owner's cost of each GPU in each hour of the year, used or not.

    >>> round(own_per_gpu_hour(20491.3, 1), 3)
    2.338
    """
    return own_per_year / (gpus * YEAR / HOUR)


@step("USD/GPU-hour", "Owning, per used hour", falls_with=("utilization",))
def own_per_used_hour(own_per_gpu_hour: float, utilization: float) -> float:
    """Owner's cost of a used GPU-hour: every hour is paid, a share is used.

    >>> own_per_used_hour(2, 0.5)
    4.0
    """
    return own_per_gpu_hour / utilization


@step("USD/GPU-hour", "Owning, per useful hour", falls_with=("utilization", "goodput"))
def own_per_useful_hour(own_per_used_hour: float, goodput: float) -> float:
    """Owner's cost of a useful GPU-hour, after goodput."""
    return own_per_used_hour / goodput


@step("USD/GPU-hour", "Purchase − residual, per hour")
def hardware_per_gpu_hour(written_off: float, residual_for_a_year: float, gpus: float) -> float:
    """The part of an hour that is the purchase in a straight line."""
    return (written_off - residual_for_a_year) / (gpus * YEAR / HOUR)


@step("USD/GPU-hour", "Interest, per hour")
def interest_per_gpu_hour(interest_cost: float, gpus: float) -> float:
    """The part of an hour that is interest."""
    return interest_cost / (gpus * YEAR / HOUR)


@step("USD/GPU-hour", "Colocation, per hour")
def colocation_per_gpu_hour(colocation_cost: float, gpus: float) -> float:
    """The part of an hour that is rent of space and power."""
    return colocation_cost / (gpus * YEAR / HOUR)


@step("USD/GPU-hour", "Electricity, per hour")
def electricity_per_gpu_hour(energy_cost: float, gpus: float) -> float:
    """The part of an hour that is electricity."""
    return energy_cost / (gpus * YEAR / HOUR)


@step("USD/GPU-hour", "Operations, per hour")
def operations_per_gpu_hour(operations_cost: float, gpus: float) -> float:
    """The part of an hour that is support, spares and staff."""
    return operations_cost / (gpus * YEAR / HOUR)


FORMULAS = formulas_of(globals())

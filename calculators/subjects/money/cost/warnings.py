"""Warnings of cost: missing or double lines, prices of other kinds and devices."""

from typing import NamedTuple

from calculators import facts
from calculators.declare import formulas_of, record, warning
from calculators.units import YEAR

_H100_POWER = float(facts.fact("h100-sxm.gpu_power").value)
_H100_RENT = float(facts.fact("price-per-gpu-hour-h100").value)
_H100_SERVER = float(facts.fact("server-price-h100").value)
_LOWEST_ON_DEMAND = float(facts.fact("h100-long-tail").low or 0)
_MOST_USED = float(facts.fact("rsc-utilization").high or 1)
_LONGEST_BOOK = float(facts.fact("depreciation").high or 0)
_SHORTEST_BOOK = float(facts.fact("depreciation").low or 0)


@warning(speaks="price_per_gpu_hour=1.9", silent="price_per_gpu_hour=1.9&commitment=1")
def reservation_without_commitment(price_per_gpu_hour: float, commitment: float, gpu_power: float) -> str:
    """A price that only reservations have, counted as if idle hours were free."""
    if commitment >= 1 or not 0 < price_per_gpu_hour < _LOWEST_ON_DEMAND or gpu_power < _H100_POWER:
        return ""
    return (
        "{price_per_gpu_hour} is below on-demand prices of such a device: a reservation is paid used or not. "
        "Set the committed hours."
    )


@warning(speaks="accelerator=a100-sxm-80gb", silent="accelerator=b200-sxm")
def prices_of_another_device(price_per_gpu_hour: float, server_price_per_gpu: float, gpu_power: float) -> str:
    """A rent or a purchase of an H100 with the power of another device."""
    if gpu_power == _H100_POWER:
        return ""
    defaults = [
        words
        for words, same in (
            ("{price_per_gpu_hour}", price_per_gpu_hour == _H100_RENT),
            ("{server_price_per_gpu}", server_price_per_gpu == _H100_SERVER),
        )
        if same
    ]
    if not defaults:
        return ""
    verb = "are an H100's prices" if len(defaults) > 1 else "is an H100's price"
    return f"{' and '.join(defaults)} {verb}, but {{gpu_power}} is another device's power: set its own prices."


class OperationsShares(NamedTuple):
    """Yearly shares of the purchase for each line of operations; one share for all where it is given as one."""

    support: float
    spares: float
    staff: float


@record("Operations by line")
def operations_shares(
    operations: float, operations_rate: float, support_rate: float, spares_rate: float, staff_rate: float
) -> OperationsShares:
    """Support, spares and staff, or the one share given for all of them."""
    if operations == operations_rate:
        return OperationsShares(support_rate, spares_rate, staff_rate)
    return OperationsShares(operations, operations, operations)


@warning(speaks="operations=0", silent="operations=0.08&staff_rate=0")
def lines_forgotten(
    fabric_price: float,
    storage_price: float,
    operations_shares: OperationsShares,
    capital_rate: float,
    energy_cost: float,
) -> str:
    """Lines of an owner's bill that are off."""
    lines = (
        ("fabric", fabric_price),
        ("storage", storage_price),
        ("support", operations_shares.support),
        ("spare parts", operations_shares.spares),
        ("staff", operations_shares.staff),
        ("interest", capital_rate),
        ("electricity", energy_cost),
    )
    off = [name for name, amount in lines if amount == 0]
    if not off:
        return ""
    listed = off[0] if len(off) == 1 else f"{', '.join(off[:-1])} or {off[-1]}"
    return f"The owner's bill has no {listed}: quotes often leave these out, but they are paid."


@warning(speaks="egress=0", silent="")
def rent_without_storage(stored: float, egress: float) -> str:
    """A rented bill of hours alone."""
    if stored > 0 and egress > 0:
        return ""
    missing = "storage or egress" if stored == egress == 0 else "storage" if stored == 0 else "egress"
    return f"The rented bill has no {missing}: ask the provider for the price before you compare."


@warning(speaks="facility_per_kw=15000", silent="facility_per_kw=15000&colocation_per_kw_month=0")
def site_twice(facility_per_kw: float, colocation_per_kw_month: float) -> str:
    """A site that is built and rented, or neither."""
    if facility_per_kw > 0 and colocation_per_kw_month > 0:
        return "The facility is both built and rented: set one of {facility_per_kw} and {colocation_per_kw_month} to 0."
    if facility_per_kw == 0 and colocation_per_kw_month == 0:
        return "No cost for space, power and cooling: set the colocation price or the facility construction price."
    return ""


@warning(speaks="residual=0.21", silent="residual=0.19")
def residual_above_market(residual: float, value_decline: float, book_years: float) -> str:
    """More left at the end than the market's pace leaves."""
    if residual <= (1 - value_decline) ** (book_years / YEAR):
        return ""
    return (
        "A residual value of {residual} after {book_years} is more than devices keep that lose {value_decline} a year."
    )


@warning(speaks="utilization=0.95", silent="utilization=0.85")
def utilization_above_published(utilization: float) -> str:
    """A share of hours above what large clusters report."""
    if utilization <= _MOST_USED:
        return ""
    return f"{{utilization}} utilization is more than large clusters report: Meta's reach {_MOST_USED:.0%}."


@warning(speaks="book_years=7years", silent="book_years=6years")
def unusual_book(book_years: float) -> str:
    """Written off faster or slower than books do."""
    if _SHORTEST_BOOK <= book_years <= _LONGEST_BOOK:
        return ""
    direction = "slower" if book_years > _LONGEST_BOOK else "faster"
    return f"{{book_years}} depreciates {direction} than published books, which take 3 to 6 years."


FORMULAS = formulas_of(globals())

"""The bill: every line of owning and of renting, by the year, the GPU-hour and the years, those that are off too."""

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any

from calculators import units
from calculators.declare.tables import Table
from calculators.units import HOUR, YEAR

_OFF = "off: nothing was given"


def _owned(values: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    years = values["book_years"] / YEAR
    yield "Servers, written off", values["servers_price"] / years
    yield "Fabric, written off", values["fabric_price"] / years
    yield "Storage, written off", values["storage_price"] / years
    yield "Own site, written off", values["site_price"] / years
    yield "Residual value", -values["residual_for_a_year"]
    yield "Interest", values["interest_cost"]
    yield "Space and power rented", values["colocation_cost"]
    yield "Electricity", values["energy_cost"]
    if isclose(values["operations"], values["operations_rate"]):
        yield "Support contract", values["capital"] * values["support_rate"]
        yield "Spare parts", values["capital"] * values["spares_rate"]
        yield "Staff", values["capital"] * values["staff_rate"]
    else:
        yield "Operations: support, spares, staff", values["operations_cost"]


def _rented(values: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    alone = 1 / (1 + values["rent_support"])
    yield "Hours used", values["rent_of_used_hours"] * alone
    yield "Hours paid and not used", values["rent_of_unused_hours"] * alone
    yield "Support contract", (values["rent_of_used_hours"] + values["rent_of_unused_hours"]) * (1 - alone)
    yield "Storage", values["yearly_storage_rent"]
    yield "Egress", values["yearly_egress_cost"]


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each line: whose it is, a year of it, its part of an hour of the calendar, and all the years."""
    hours, years = values["gpus"] * YEAR / HOUR, values["book_years"] / YEAR
    for who, lines, total in (("own", _owned, "own_per_year"), ("rent", _rented, "rent_per_year")):
        for name, amount in (*lines(values), ("Together", values[total])):
            if amount:
                hour = units.text(amount / hours, "USD/GPU-hour")
                yield who, name, units.text(amount, "USD"), hour, units.text(amount * years, "USD")
            else:
                yield who, name, _OFF, _OFF, _OFF


BILL = Table(
    name="bill",
    title="The whole bill",
    about=(
        "Hours are those of the calendar, used or not, on both sides, so that the sums can be held against each other. "
        "In no line: tax, insurance, moving data in, people who use it, and runs that were thrown away."
    ),
    columns=("Side", "Line", "A year", "Per GPU and hour of the calendar", "Over the years"),
    rows=rows,
)

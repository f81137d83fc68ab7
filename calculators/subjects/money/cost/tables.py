"""Tables: the bill line by line, and what “the cost of a run” means to those who print one."""

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


def bill(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
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
        "Hours are those of the calendar, used or not, on both sides, so that the sums can be compared. "
        "In no line: tax, insurance, moving data in, people who use it, and runs that were thrown away."
    ),
    columns=("Side", "Line", "A year", "Per GPU and hour of the calendar", "Over the years"),
    rows=bill,
)


def meanings(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each meaning, who prints it, and what it makes of these GPU-hours."""
    yield (
        "Rent: GPU-hours at a price",
        "DeepSeek-V3’s report, MPT-7B, Epoch’s cloud cost",
        "{training_cost} for {gpu_hours} at {price_per_gpu_hour}",
    )
    yield (
        "Hardware used up, and electricity",
        "Epoch’s amortized cost: value lost at the pace of new devices",
        "{run_used_up}, of it {run_electricity} electricity",
    )
    yield (
        "Purchase of the cluster",
        "Epoch’s acquisition cost; headlines about clusters",
        "{capital} for {gpus}, whatever ran on them",
    )
    yield (
        "Everything an owner pays, by the hour used",
        "owners that book it all",
        "{run_owned}, with interest, space, operations and idle hours",
    )
    useful = values["gpu_hours"] * values["goodput"]
    yield (
        "Useful GPU-hours",
        "who compares with measured speeds of steps",
        f"{units.text(useful, 'GPU-hour')} of {{gpu_hours}}: never count goodput twice",
    )
    yield (
        "A month of 720, 730 or 730.5 hours",
        "ClusterMAX and OpenRelay; silybench; this page",
        "a month of one GPU at {price_per_gpu_hour}: "
        + ", ".join(units.text(values["price_per_gpu_hour"] * hours, "USD") for hours in (720, 730, 730.5)),
    )


MEANINGS = Table(
    name="conventions",
    title="What “the cost of a run” means",
    about="The same run by each published meaning. Whole companies, failed runs and salaries are in none of them.",
    columns=("Meaning", "Who prints it", "What it makes of this run"),
    rows=meanings,
)

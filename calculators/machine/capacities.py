"""Capacities of a machine: what is asked of each, what there is, and the margin between them."""

from collections.abc import Iterator
from dataclasses import dataclass

from calculators.machine.standing import Standing

TIGHT = 0.1


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """A limit: the values that are asked and that there are; `only_given` where it is none unless somebody says so."""

    key: str
    title: str
    asked: str
    there: str
    calculator: str
    only_given: bool = False


CAPACITIES = (
    Capacity(
        key="memory",
        title="Memory of the fullest GPU",
        asked="training_memory",
        there="gpu_memory",
        calculator="training_memory",
    ),
    Capacity(
        key="storage_capacity",
        title="Capacity of the store",
        asked="hot_raw",
        there="storage_capacity",
        calculator="storage_demand",
    ),
    Capacity(
        key="storage_metadata",
        title="Metadata of the store",
        asked="metadata_demand",
        there="metadata_supply",
        calculator="storage_demand",
    ),
    Capacity(
        key="storage_wear",
        title="Wear of the store's drives",
        asked="writes_per_drive_and_day",
        there="drive_writes_per_day",
        calculator="storage_demand",
    ),
    Capacity(
        key="power",
        title="Power of the hall",
        asked="facility_power",
        there="hall_power",
        calculator="power",
        only_given=True,
    ),
    Capacity(
        key="space",
        title="Rack positions",
        asked="racks",
        there="hall_racks",
        calculator="power",
        only_given=True,
    ),
    Capacity(key="rack", title="Power of a rack", asked="rack_power", there="rack_limit", calculator="power"),
    Capacity(key="cooling", title="Cooling of a rack", asked="rack_power", there="cooling_limit", calculator="power"),
    Capacity(key="money", title="Money", asked="run_price", there="budget", calculator="cost", only_given=True),
    Capacity(
        key="deadline",
        title="Deadline",
        asked="training_duration",
        there="deadline",
        calculator="training_time",
        only_given=True,
    ),
)


@dataclass(frozen=True, kw_only=True)
class Margin:
    """A capacity as it stands. `margin` is what is left of what there is [share], nothing where nobody gave a limit."""

    capacity: Capacity
    asked: float
    there: float | None
    margin: float | None


def margins(found: Standing) -> Iterator[Margin]:
    """Every capacity, as declared."""
    for capacity in CAPACITIES:
        asked, there = found.values[capacity.asked], found.values[capacity.there]
        given = not capacity.only_given or found.resolved.origins[capacity.there] == "yours"
        margin = (there - asked) / there if given and there else None
        yield Margin(capacity=capacity, asked=asked, there=there if given else None, margin=margin)

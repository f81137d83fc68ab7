"""Capacities of a machine: what is asked of each, what there is, and the margin between them."""

from collections.abc import Iterator
from dataclasses import dataclass

from calculators.machine.kinds import Capacity, Machine

TIGHT = 0.1


@dataclass(frozen=True, kw_only=True)
class Margin:
    """A capacity in this state. `margin` is what is left of it [share], None where no limit was given."""

    capacity: Capacity
    asked: float
    there: float | None
    margin: float | None


def margins(found: Machine) -> Iterator[Margin]:
    """Every capacity, as declared."""
    for capacity in found.kind.capacities:
        asked, there = found.values[capacity.asked], found.values[capacity.there]
        given = not capacity.only_given or found.resolved.origins[capacity.there] == "yours"
        margin = (there - asked) / there if given and there is not None else None
        yield Margin(capacity=capacity, asked=asked, there=there if given else None, margin=margin)

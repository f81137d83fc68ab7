"""Elevation of one unit of 256 GPUs: what is in each rack unit of its row of racks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calculators import facts

ROW = "unit-elevation"
RAILS, SPINES, NODES_PER_RACK = 8, 4, 4
NETWORK = "N"


@dataclass(frozen=True, kw_only=True)
class Part:
    """Something in a rack: its lowest rack unit and how many it takes."""

    name: str
    kind: str
    rack: str
    lowest: float
    units: float

    @property
    def highest(self) -> float:
        """Highest rack unit that it takes."""
        return self.lowest + self.units - 1


def number(key: str) -> float:
    """Number of a fact."""
    return float(facts.fact(key).value)


@cache
def racks() -> tuple[str, ...]:
    """Racks of the row from left to right: nodes, the network rack, nodes."""
    count = int(number(f"{ROW}.racks"))
    names = [f"R{index + 1}" for index in range(count)]
    return (*names[: count // 2], NETWORK, *names[count // 2 :])


@cache
def elevation(rack: str) -> tuple[Part, ...]:
    """Parts of a rack from the bottom up."""

    def stack(kind: str, names: list[str], units: float) -> list[Part]:
        pitch = units + number(f"{ROW}.between")
        lowest = number(f"{ROW}.{kind}")
        return [
            Part(name=name, kind=kind, rack=rack, lowest=lowest + index * pitch, units=units)
            for index, name in enumerate(names)
        ]

    if rack == NETWORK:
        inside = stack("leaves", [f"leaf {index + 1}" for index in range(RAILS)], 1)
        inside += stack("spines", [f"spine {index + 1}" for index in range(SPINES)], 1)
    else:
        first = (int(rack.removeprefix("R")) - 1) * NODES_PER_RACK
        names = [f"node {first + index + 1}" for index in range(NODES_PER_RACK)]
        inside = stack("nodes", names, number("server-dgx-h100.node_units"))
    panels = Part(
        name="panels",
        kind="panels",
        rack=rack,
        lowest=number(f"{ROW}.panels"),
        units=number(f"{ROW}.panel_units"),
    )
    out_of_band = Part(name="out-of-band", kind="management", rack=rack, lowest=number(f"{ROW}.management"), units=1)
    return (*inside, panels, out_of_band)

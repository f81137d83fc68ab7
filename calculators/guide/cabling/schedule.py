"""Schedule of the compute fabric of one unit: every cable, its path and its length.

Nodes have eight adapters on eight rails: adapter k of every node goes to leaf k, so every leaf sees every node. Half of
a leaf's ports go down, half go up, in equal shares to all spines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calculators import facts
from calculators.guide.cabling.elevation import NETWORK, ROW, SPINES, Part, elevation, number, racks

PORTS_PER_CAGE = 2


@dataclass(frozen=True, kw_only=True)
class End:
    """One end of a cable: a part, its cage and the port in it, both from 1."""

    part: Part
    cage: int
    port: int

    @property
    def label(self) -> str:
        """Rack, rack unit, part, cage and port, as on the cable."""
        return f"{self.part.rack}-U{self.part.lowest:.0f} {self.part.name} {self.cage}/{self.port}"


@dataclass(frozen=True, kw_only=True)
class Cable:
    """One row of the schedule. Lengths in meters."""

    name: str
    a: End
    z: End
    path: float
    length: float
    medium: str


def path(a: Part, z: Part, height: float) -> float:
    """Path from one part to another [m]: up to the tray of racks of `height` units, along it and down, with slack."""
    unit, slack, side = (number(f"rack-geometry.{name}") for name in ("unit_height", "slack", "side"))
    ends = 2 * (slack + side)
    if a.rack == z.rack:
        return abs(a.lowest - z.lowest) * unit + ends
    rises = sum((height - part.lowest) * unit + number("rack-geometry.tray") for part in (a, z))
    along = abs(racks().index(a.rack) - racks().index(z.rack)) * number("rack-geometry.pitch")
    return rises + along + ends


def ordered(metres: float) -> float:
    """Shortest length on sale that covers a path [m].

    >>> ordered(5.2), ordered(7)
    (7.0, 7.0)
    """
    lengths = [float(each) for each in str(facts.fact("cable-lengths").value).split()]
    return next(each for each in lengths if each >= metres)


def medium(length: float, *, twin: bool) -> str:
    """Medium of a cable of a length [m], the cheapest that reaches; copper between twin ports reaches less far.

    >>> medium(3, twin=False), medium(3, twin=True), medium(10, twin=False)
    ('passive copper', 'active copper', 'multimode')
    """
    reach = {
        "passive copper": number(f"link-reach-400g.{'passive_twin' if twin else 'passive'}"),
        "active copper": number("link-reach-400g.active_copper"),
        "multimode": number("link-reach-400g.multimode"),
    }
    return next(name for name, metres in reach.items() if length <= metres)


@cache
def schedule() -> tuple[Cable, ...]:
    """Every cable of the compute fabric: nodes to leaves by rack and node, then leaves to spines."""
    leaves, spines = ([part for part in elevation(NETWORK) if part.kind == kind] for kind in ("leaves", "spines"))
    nodes = [part for rack in racks() for part in elevation(rack) if part.kind == "nodes"]
    ends = [
        (_end(node, rail), _end(leaf, index)) for index, node in enumerate(nodes) for rail, leaf in enumerate(leaves)
    ]
    share = len(nodes) // SPINES
    ends += [
        (_end(leaf, len(nodes) + rank * share + link), _end(spine, order * share + link))
        for order, leaf in enumerate(leaves)
        for rank, spine in enumerate(spines)
        for link in range(share)
    ]
    return tuple(_cable(f"C{index + 1:03d}", a, z) for index, (a, z) in enumerate(ends))


def _end(part: Part, port: int) -> End:
    return End(part=part, cage=port // PORTS_PER_CAGE + 1, port=port % PORTS_PER_CAGE + 1)


def _cable(name: str, a: End, z: End) -> Cable:
    along = path(a.part, z.part, number(f"{ROW}.height"))
    length = ordered(along)
    return Cable(name=name, a=a, z=z, path=along, length=length, medium=medium(length, twin=a.part.kind != "nodes"))

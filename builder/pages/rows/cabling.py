"""Cabling of one unit as the page, the figure and the file have it: elevation, totals by length, schedule."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from builder.pages.amounts import Amount
from calculators import units
from calculators.guide.cabling import elevation as racks
from calculators.guide.cabling.schedule import PORTS_PER_CAGE, schedule

if TYPE_CHECKING:
    from calculators.guide.cabling.elevation import Part
    from calculators.guide.cabling.schedule import Cable, End

FILE = "data/cable-schedule.csv"
KEYS = ("rack-geometry.pitch", "cable-lengths", "unit-elevation.nodes", "link-reach-400g.multimode")
_RUNS = {"nodes": "node to leaf", "leaves": "leaf to spine"}
_END = ("rack", "unit", "part", "cage", "port")
_COLUMNS = (
    *("cable", "run", *(f"a_{each}" for each in _END), *(f"z_{each}" for each in _END)),
    *("path_m", "length_m", "medium", "side"),
)
_METRE, _UNIT, _CABLE, _RACK = "metre", "rack unit", "cable", "rack"
_SIDES = ("left", "right")


@dataclass(frozen=True, kw_only=True)
class Box:
    """A part in the drawing of a rack, from its lower to its upper edge in rack units."""

    name: str
    kind: str
    place: str
    lower: Amount
    upper: Amount


@dataclass(frozen=True, kw_only=True)
class Total:
    """Cables of one run, length and medium."""

    run: str
    length: str
    medium: str
    count: Amount


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """Cables that leave a rack of nodes, half of them on either side, by the length to order."""

    rack: str
    away: str
    count: Amount
    side: Amount
    lengths: str


def elevation(rack: str) -> tuple[Box, ...]:
    """Parts of a rack to draw."""
    return tuple(
        Box(
            name=part.name,
            kind=part.kind,
            place=_place(part),
            lower=_amount(part.lowest - 1, _UNIT),
            upper=_amount(part.highest, _UNIT),
        )
        for part in racks.elevation(rack)
    )


def totals() -> tuple[Total, ...]:
    """What to order: each length of each run."""
    counted = Counter((cable.a.part.kind, cable.length, cable.medium) for cable in schedule())
    return tuple(
        Total(run=_RUNS[kind], length=metres(length), medium=medium, count=_amount(count, _CABLE))
        for (kind, length, medium), count in sorted(counted.items(), key=lambda one: (one[0][0] != "nodes", one[0][1]))
    )


def bundles() -> tuple[Bundle, ...]:
    """Cables of each rack of nodes, from left to right."""
    middle = racks.racks().index(racks.NETWORK)
    found = []
    for index, rack in enumerate(racks.racks()):
        counted = Counter(cable.length for cable in schedule() if cable.a.part.rack == rack)
        if rack == racks.NETWORK:
            continue
        found.append(
            Bundle(
                rack=rack,
                away=units.text(abs(index - middle), _RACK),
                count=_amount(counted.total(), _CABLE),
                side=_amount(counted.total() / len(_SIDES), _CABLE),
                lengths=", ".join(f"{count} of {metres(length)}" for length, count in sorted(counted.items())),
            )
        )
    return tuple(found)


def rows(*names: str) -> tuple[Cable, ...]:
    """Rows of the schedule by the names of their cables."""
    by_name = {cable.name: cable for cable in schedule()}
    return tuple(by_name[name] for name in names)


def table() -> str:
    """The whole schedule as CSV, a row for each cable."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for cable in schedule():
        writer.writerow(
            [
                *(cable.name, _RUNS[cable.a.part.kind], *_end(cable.a), *_end(cable.z)),
                *(f"{cable.path:.2f}", f"{cable.length:g}", cable.medium, side(cable)),
            ]
        )
    return file.getvalue()


def side(cable: Cable) -> str:
    """Side of the A rack on which the cable runs: the lower half of the ports left, the upper half right."""
    if cable.a.part.kind == "nodes":
        return _SIDES[cable.a.cage * PORTS_PER_CAGE > racks.RAILS / 2]
    return _SIDES[cable.z.part.name.endswith(("3", "4"))]


def _end(end: End) -> tuple[str, ...]:
    return end.part.rack, f"U{end.part.lowest:.0f}", end.part.name, str(end.cage), str(end.port)


def _place(part: Part) -> str:
    low, high = f"{part.lowest:.0f}", f"{part.highest:.0f}"
    return f"U{low}" if low == high else f"U{low}\N{EN DASH}{high}"


def metres(length: float) -> str:
    """A length for readers."""
    return f"{length:.3g} m"


def _amount(base: float, unit: str) -> Amount:
    return Amount(base=base, unit=unit, text=units.text(base, unit))

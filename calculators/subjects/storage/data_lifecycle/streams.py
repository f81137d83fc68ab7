"""Streams of data: what arrives, how long it stays on each tier, and by that what every tier holds each month.

Age alone decides where data is, so at every moment bytes in = bytes held + bytes moved on + bytes deleted.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from math import exp, expm1, log1p, prod
from operator import add, sub
from typing import NamedTuple

LOCAL, HOT, WARM, COLD = range(4)
TIERS = (LOCAL, HOT, WARM, COLD)
MONTHS_A_YEAR = 12  # of the calendar
_STREAMS = 512  # the latest ones: a moved slider changes one of nine
_ESTATES = 64
_FLAT = 1e-12  # growth over the whole time below which arrivals are even


@dataclass(frozen=True)
class Stream:
    """One kind of data: what arrives, how long it stays on each tier, and what share of it moves on.

    `initial` [B] is on all tiers at month 0, evenly arrived; `rate` [B/s] grows by `growth` a year; `stays` [s] are on
    local, hot, warm and cold; `passed` is the share that moves on from each of the first three, the rest is deleted.
    `reduction` is logical over stored bytes. What is `irreplaceable` has replicas and backups.
    """

    name: str
    initial: float
    rate: float
    growth: float
    stays: tuple[float, float, float, float]
    year: float
    passed: tuple[float, float, float] = (1, 1, 1)
    reduction: float = 1
    irreplaceable: bool = False

    @property
    def history(self) -> float:
        """Time over which what is held at month 0 has arrived [s]: a year where nothing arrives any more."""
        lifetime = sum(self.stays)
        return min(lifetime, self.initial / self.rate) if self.rate > 0 else min(lifetime, self.year)

    @property
    def first(self) -> int:
        """The tier on which it arrives."""
        return next(tier for tier in TIERS if self.stays[tier] > 0)

    def passed_below(self, tier: int) -> float:
        """Share of what leaves a tier that moves to the next one it uses; 0 on the last."""
        below = next((other for other in TIERS[tier + 1 :] if self.stays[other] > 0), None)
        return 0 if below is None else prod(self.passed[tier:below])


def level(
    name: str,
    rate: float,
    growth: float,
    stays: tuple[float, float, float, float],
    year: float,
    passed: tuple[float, float, float] = (1, 1, 1),
) -> Stream:
    """Stream of a working set, which came in at the same rate before month 0: a count times a size is on each tier."""
    return Stream(name, rate * sum(stays), rate, growth, stays, year, passed)


def arrived(stream: Stream, time: float) -> float:
    """Bytes that have arrived by `time` [s], where month 0 is 0 [B].

    >>> ten = Stream("ten", initial=10, rate=1, growth=0, stays=(0, 0, 20, 0), year=12)
    >>> arrived(ten, 0), arrived(ten, 5), arrived(ten, -5)
    (10.0, 15, 5.0)
    """
    if time <= 0:
        return stream.initial and stream.initial * max(0, 1 + time / stream.history)
    growth = log1p(stream.growth) / stream.year
    if abs(growth * time) < _FLAT:
        return stream.initial + stream.rate * time
    return stream.initial + stream.rate * expm1(growth * time) / growth


class Course(NamedTuple):
    """Of one stream by tier and month, from month 0 on: bytes held, and all that came in and went out until then."""

    held: tuple[list[float], ...]
    entered: tuple[list[float], ...]
    left: tuple[list[float], ...]


@lru_cache(maxsize=_STREAMS)
def _arrivals(stream: Stream, lifetime: float, edge: float, months: int, month: float) -> list[float]:
    """Bytes that have reached the age `edge` [s] by the end of each month; of a stream without its stays [B]."""
    aged = replace(stream, stays=(lifetime, 0, 0, 0))
    return [arrived(aged, number * month - edge) for number in range(months + 1)]


@lru_cache(maxsize=_STREAMS)
def course(stream: Stream, months: int, month: float) -> Course:
    """Bytes of a stream on each tier at the end of each of `months`, each `month` [s] long."""
    edges = (0.0, *accumulate(stream.stays))
    ageless = replace(stream, stays=(0, 0, 0, 0))
    by_edge = {edge: _arrivals(ageless, edges[-1], edge, months, month) for edge in dict.fromkeys(edges)}
    nothing = [0.0] * (months + 1)
    held: list[list[float]] = []
    entered: list[list[float]] = []
    left: list[list[float]] = []
    for tier in TIERS:
        if stream.stays[tier] <= 0:
            for found in (held, entered, left):
                found.append(nothing)
            continue
        through = prod(stream.passed[:tier]) / stream.reduction
        inward = [through * bytes_ for bytes_ in by_edge[edges[tier]]]
        outward = [through * bytes_ for bytes_ in by_edge[edges[tier + 1]]]
        held.append(list(map(sub, inward, outward)))
        entered.append(inward)
        left.append(outward)
    return Course(tuple(held), tuple(entered), tuple(left))


@dataclass(frozen=True)
class Estate:
    """All streams over the months of a plan; irreplaceable ones at `sites` more sites, with `backups` on cold media."""

    streams: tuple[Stream, ...]
    months: int
    month: float
    sites: float
    backups: float

    def course(self, stream: Stream) -> Course:
        """Bytes of a stream on every tier."""
        return course(stream, self.months, self.month)

    def copies(self, stream: Stream) -> float:
        """Copies of a stream on each tier, backups not among them."""
        return 1 + self.sites if stream.irreplaceable else 1

    @property
    def raw(self) -> Stream | None:
        """The stream of raw data; None where there is none."""
        return next((stream for stream in self.streams if stream.name == "raw"), None)

    def raw_on(self, tier: int) -> list[float]:
        """Raw data on a tier by month, one copy [B]."""
        return self.course(self.raw).held[tier] if self.raw else [0.0] * (self.months + 1)

    @property
    def held(self) -> tuple[list[float], ...]:
        """Bytes on each tier by month, replicas and backups included."""
        return held(self)


@lru_cache(maxsize=_ESTATES)
def held(estate: Estate) -> tuple[list[float], ...]:
    """Bytes of all streams on each tier by month, replicas and backups included."""
    found = [[0.0] * (estate.months + 1) for _ in TIERS]
    for stream in estate.streams:
        copies, on_tiers = estate.copies(stream), estate.course(stream).held
        for tier in TIERS:
            if stream.stays[tier] > 0:
                added = on_tiers[tier] if copies == 1 else [copies * bytes_ for bytes_ in on_tiers[tier]]
                found[tier] = list(map(add, found[tier], added))
                if stream.irreplaceable and estate.backups:
                    kept = [estate.backups * bytes_ for bytes_ in on_tiers[tier]]
                    found[COLD] = list(map(add, found[COLD], kept))
    return tuple(found)


class Flows(NamedTuple):
    """Of all streams, one copy, by tier and month: bytes that came in, moved down and left until then [B]."""

    entered: tuple[list[float], ...]
    moved: tuple[list[float], ...]
    left: tuple[list[float], ...]
    irreplaceable: list[float]


@lru_cache(maxsize=_ESTATES)
def flows(estate: Estate) -> Flows:
    """Bytes of all streams that came in, moved down and left until the end of each month."""
    nothing = [0.0] * (estate.months + 1)
    entered, moved, left = ([nothing for _ in TIERS] for _ in range(3))
    irreplaceable = nothing
    for stream in estate.streams:
        found = estate.course(stream)
        for tier in TIERS:
            if stream.stays[tier] <= 0:
                continue
            passed = stream.passed_below(tier)
            entered[tier] = list(map(add, entered[tier], found.entered[tier]))
            left[tier] = list(map(add, left[tier], found.left[tier]))
            if passed:
                moved[tier] = [
                    before + passed * bytes_ for before, bytes_ in zip(moved[tier], found.left[tier], strict=True)
                ]
        if stream.irreplaceable:
            irreplaceable = list(map(add, irreplaceable, found.entered[stream.first]))
    return Flows(tuple(entered), tuple(moved), tuple(left), irreplaceable)


class Movement(NamedTuple):
    """Between two months, by tier [B]: came in, moved to the next tier, deleted; irreplaceable data that arrived."""

    entered: tuple[float, ...]
    moved: tuple[float, ...]
    deleted: tuple[float, ...]
    irreplaceable: float


def movement_between(estate: Estate, start: int, end: int) -> Movement:
    """Flows of each tier between the ends of two months, one copy [B]."""
    found = flows(estate)
    entered, moved, left = (
        tuple(until[end] - until[start] for until in by_tier) for by_tier in (found.entered, found.moved, found.left)
    )
    return Movement(entered, moved, tuple(map(sub, left, moved)), found.irreplaceable[end] - found.irreplaceable[start])


def grown(growth: float, years: float) -> float:
    """Factor by which what grows by `growth` a year grows in so many years.

    >>> round(grown(0.4, 3), 3)
    2.744
    """
    return exp(years * log1p(growth))

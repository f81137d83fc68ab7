"""Bounds: the values of one input at which a result is at most, or at least, a limit."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.solve import points
from calculators.answers.explore.thresholds import near_middle
from calculators.answers.explore.trials import ResultCurve, Trials, checked
from calculators.declare import Calculator, Quantity

_NARROWINGS = 200  # more than enough to halve any range to its digits


@dataclass(frozen=True, kw_only=True)
class Edge:
    """A last value of the input within the limit, and the result there."""

    value: float
    result: float


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Values of the input within the limit, from edge to edge; None: to the end of the input's range."""

    low: Edge | None
    high: Edge | None

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Its edges that are not ends of the input's range."""
        return tuple(edge for edge in (self.low, self.high) if edge)


@dataclass(frozen=True, kw_only=True)
class Bounded:
    """All stretches within the limit, and the least and greatest result along the input."""

    stretches: tuple[Stretch, ...]
    least: float
    most: float


def within(bound: str, value: float, limit: float) -> bool:
    """Whether a result [base units] is at most ("most") or at least ("least") the limit; never for NaN."""
    return value <= limit if bound == "most" else value >= limit


@search
def bounded(
    calculator: Calculator, values: Mapping[str, Any], name: str, result: str, bound: str, limit: float
) -> Pauses[Bounded]:
    """The stretches of the quantity `name` on which `result` is within the limit, everything else unchanged."""
    declared = calculator.inputs[name]
    if not isinstance(declared, Quantity):
        message = f"{name} is a choice"
        raise TypeError(message)
    limited = _Limited(declared=declared, present=values[name], result=result, bound=bound, limit=limit)
    return (
        yield from checked(
            calculator,
            values,
            name,
            result,
            lambda trials: _along(limited, trials),
            lambda found: (edge.value for one in found.stretches for edge in one.edges),
        )
    )


@dataclass(frozen=True, kw_only=True)
class _Limited:
    """A quantity, its present value, and the limit of a result."""

    declared: Quantity
    present: float | None
    result: str
    bound: str
    limit: float

    def within(self, value: float) -> bool:
        """Whether a result [base units] is within the limit."""
        return within(self.bound, value, self.limit)


def _along(limited: _Limited, trials: Trials) -> Pauses[Bounded]:
    """The stretches within the limit along a quantity."""
    declared = limited.declared
    curve = ResultCurve(trials, declared.name, limited.result)
    for point in points(declared, limited.present):
        yield from curve.at(point)
        yield
    known = [point for point, value in sorted(curve.known.items()) if not math.isnan(value)]
    found = [curve.known[point] for point in known]
    stretches = yield from _stretches(curve, known, limited.within, whole=declared.whole)
    return Bounded(stretches=tuple(stretches), least=min(found, default=math.nan), most=max(found, default=math.nan))


def _stretches(
    curve: ResultCurve, known: Sequence[float], is_within: Callable[[float], bool], *, whole: bool
) -> Pauses[list[Stretch]]:
    """Stretches between neighboring values of which one is within the limit."""
    found: list[Stretch] = []
    low: Edge | None = None
    within_limit = bool(known) and is_within(curve.known[known[0]])
    for one, other in itertools.pairwise(known):
        if is_within(curve.known[other]) == within_limit:
            continue
        last, first = yield from _narrowed(curve, one, other, is_within, whole=whole)
        if within_limit:
            found.append(Stretch(low=low, high=Edge(value=last, result=curve.known[last])))
        else:
            low = Edge(value=first, result=curve.known[first])
        within_limit = not within_limit
        if not within_limit:
            low = None
    if within_limit:
        found.append(Stretch(low=low, high=None))
    return found


def _narrowed(
    curve: ResultCurve, low: float, high: float, is_within: Callable[[float], bool], *, whole: bool
) -> Pauses[tuple[float, float]]:
    """The neighboring values, `low` like its side and `high` like its, between which the limit is crossed."""
    side = is_within(curve.known[low])
    for _ in range(_NARROWINGS):
        middle = yield from _calculable(curve, low, high, whole=whole)
        yield
        if middle is None:
            break
        if is_within(curve.known[middle]) == side:
            low = middle
        else:
            high = middle
    return low, high


def _calculable(curve: ResultCurve, low: float, high: float, *, whole: bool) -> Pauses[float | None]:
    """A value in the middle, or near it, that can be calculated; None where nothing lies between."""
    for value in near_middle(low, high, whole=whole):
        if not math.isnan((yield from curve.at(value))):
            return value
    return None

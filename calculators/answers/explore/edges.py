"""Edges: a verdict along one input, and the places where it changes, narrowed down."""

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.answers import sliders
from calculators.answers.explore.trials import Trials
from calculators.declare import Calculator, Level, Quantity, Verdict

_FINE = 1e-12
_ROUND = 9  # digits
_NARROWINGS = 200


@dataclass(frozen=True, kw_only=True)
class Edge:
    """Where a verdict changes along an input: the last value with the lower one's word, the first with the other."""

    last: float
    first: float
    below: Verdict
    above: Verdict


class Line:
    """A verdict along one quantity, everything else as it is; every value is tried once."""

    def __init__(self, calculator: Calculator, values: Mapping[str, Any], declared: Quantity, verdict: str) -> None:
        self.declared = declared
        self.present: float = values[declared.name]
        self._values = values
        self._verdict = verdict
        self._needs = calculator.steps[verdict].needs
        self.trials = Trials(calculator, values, {declared.name}, {verdict, *self._needs})
        self._found: dict[float, dict[str, Any] | None] = {self.present: dict(values)}

    def at(self, value: float) -> Verdict | None:
        """The verdict at a value; None where a check refuses it."""
        if value not in self._found:
            self._found[value] = self.trials.after({self.declared.name: value})
        found = self._found[value]
        verdict: Verdict | None = found[self._verdict] if found else None
        return verdict

    def moves(self) -> bool:
        """Whether anything the verdict looks at is other at the slider's ends or in its middle than it is now."""
        stops = sliders.stops(self.declared)
        for stop in (stops[0], stops[-1], stops[len(stops) // 2]):
            self.at(stop)
            found = self._found[stop]
            if found is None or any(found[need] != self._values[need] for need in self._needs):
                return True
        return False

    def within(self, factor: float, *, up: bool) -> float:
        """The farthest value on the slider within a factor of the present one."""
        low, high = self.declared.slider
        if up:
            value = min(self.present * factor, max(high, self.present))
            return float(math.floor(value)) if self.declared.whole else value
        value = max(self.present / factor, min(low, self.present))
        return float(math.ceil(value)) if self.declared.whole else value

    def changes(self, factor: float, *, up: bool) -> bool:
        """Whether the verdict is at another level there than now."""
        found = self.at(self.within(factor, up=up))
        return found is not None and self.changed(found)

    def changed(self, found: Verdict) -> bool:
        """Whether a verdict is at another level than now."""
        level: Level = self._values[self._verdict].level
        return found.level != level

    def edges_between(self, low: float, one: Verdict, high: float, other: Verdict) -> Generator[None, None, list[Edge]]:
        """Every change between two values with different verdicts; there may be a third word between them."""
        found = []
        while one.level != other.level:
            edge = yield from self._edge(low, one, high, other)
            found.append(edge)
            low, one = edge.first, edge.above
        return found

    def _between_stops(
        self, low: float, one: Verdict, high: float, other: Verdict
    ) -> Generator[None, None, tuple[float, float, float, Verdict]]:
        """The stops between which it changes first, where numbers are refused that nobody would say.

        The ends of what is left, the last value with the lower one's word before them, and the word above.
        """
        last = low
        stops = [stop for stop in sliders.stops(self.declared) if low < stop < high]
        while stops:
            middle = stops[len(stops) // 2]
            found = self.at(middle)
            yield
            if found is None:
                stops.remove(middle)
            elif found.level == one.level:
                low = last = middle
                stops = [stop for stop in stops if stop > middle]
            else:
                high, other = middle, found
                stops = [stop for stop in stops if stop < middle]
        return low, last, high, other

    def _edge(self, low: float, one: Verdict, high: float, other: Verdict) -> Generator[None, None, Edge]:
        """The first change above `low`; what a check refuses on the way counts to those below."""
        low, last, high, other = yield from self._between_stops(low, one, high, other)
        for _ in range(_NARROWINGS):
            middle = between(low, high, whole=self.declared.whole)
            if middle in (low, high):
                break
            found = self.at(middle)
            yield
            if found is None:
                low = middle
            elif found.level == one.level:
                low = last = middle
            else:
                high, other = middle, found
        for rounded in _round_between(last, high, units.unit(self.declared.unit).factor):
            found = self.at(rounded)
            if found is not None and found.level == one.level:
                last = max(last, rounded)
            elif found is not None:
                high, other = min(high, rounded), found
        return Edge(last=last, first=high, below=self.at(last) or one, above=other)


def between(low: float, high: float, *, whole: bool) -> float:
    """The middle, by ratio where both are above 0; one of the two where nothing lies between them."""
    if whole:
        return float(math.floor((low + high) / 2)) if high - low > 1 else low
    middle = math.sqrt(low * high) if low > 0 else (low + high) / 2
    return low if high - low <= _FINE * max(abs(low), abs(high)) else middle


def _round_between(low: float, high: float, factor: float) -> list[float]:
    """Round values between two neighbors: a threshold is one more often than not, and belongs to one of its sides."""
    rounded = {float(f"{high:.{_ROUND}g}"), float(f"{high / factor:.{_ROUND}g}") * factor}
    return sorted(value for value in rounded if low < value < high)

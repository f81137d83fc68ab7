"""Edges: a verdict along one input, and the places where it changes, narrowed down."""

import math
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.answers import sliders
from calculators.answers.explore.trials import BROKEN, finite, refused
from calculators.declare import Calculator, Level, Quantity, Verdict
from calculators.declare.parts import Begun, Other, Stages

_FINE = 1e-12
_ROUND = 9  # digits
_NARROWINGS = 200
_MOST_TRIED = 64  # values of one input that are kept for the next state
# How many times faster or slower something may move over a part of the way than over all of it, about: no test could
# notice a little more, or <.
_EVEN = 4.0


@dataclass(frozen=True, kw_only=True)
class Edge:
    """Where a verdict changes along an input: the last value with the lower one's word, the first with the other."""

    last: float
    first: float
    below: Verdict
    above: Verdict


def by_level(verdict: Verdict) -> Hashable:
    """What must change for an edge: how good it is."""
    return verdict.level


def by_word(verdict: Verdict) -> Hashable:
    """What must change for an edge: how good it is, or what it says; two words may be as good as each other."""
    return verdict.level, verdict.word


Tried = dict[float, Begun]  # by the value
LookedAt = tuple[Any, ...]  # a verdict, and what it looks at, in the order of its needs


class _Here:
    """What verdicts look at at one value, as far as they were asked; nothing is begun where a check refuses it."""

    __slots__ = ("begun", "found")

    def __init__(self, begun: Begun | None) -> None:
        self.begun = begun
        self.found: dict[str, LookedAt | None] = {}  # by the verdict


class Along:
    """What these verdicts look at along one quantity, everything else as it is; every value is tried once for all.

    At each value a verdict is computed when it is asked for, but for what another one that was asked before needed too.
    Given what was tried in an earlier state, only what hangs on what is otherwise since is computed.
    """

    def __init__(
        self,
        calculator: Calculator,
        values: Mapping[str, Any],
        declared: Quantity,
        verdicts: Sequence[str],
        tried: Tried | None = None,
    ) -> None:
        self.declared = declared
        self.values = values
        self.looked_at = {name: (name, *calculator.steps[name].needs) for name in verdicts}
        self._checks = calculator.checks_of(frozenset({declared.name}))
        self._checked = tuple({need for check in self._checks for need in check.needs})
        wanted = {*self._checked, *(name for names in self.looked_at.values() for name in names)}
        self._stages = calculator.stages(values, {declared.name}, wanted)
        self._tried: Tried = {} if tried is None else tried
        self._since: dict[Stages, Other | None] = {}
        self._here: dict[float, _Here] = {}
        for value in list(self._tried)[:-_MOST_TRIED]:
            del self._tried[value]

    @property
    def count(self) -> int:
        """How many values were tried."""
        return len(self._here)

    def at(self, verdict: str, value: float) -> LookedAt | None:
        """A verdict and what it looks at; None where a check refuses the value or gives it no number."""
        here = self._here.get(value)
        if here is None:
            here = self._here[value] = _Here(self._let(value))
        if verdict not in here.found:
            here.found[verdict] = None if here.begun is None else self._look(verdict, value, here.begun)
        return here.found[verdict]

    def _look(self, verdict: str, value: float, begun: Begun) -> LookedAt | None:
        try:
            if begun.stages is not self._stages:  # another search took it along meanwhile
                begun = self._begun(value)
            known = begun.further((verdict,))
        except BROKEN:  # others may have an answer
            return None
        found = tuple([known[name] for name in self.looked_at[verdict]])
        return found if finite(found) else None

    def _let(self, value: float) -> Begun | None:
        """What is known at a value that no check refuses."""
        try:
            begun = self._begun(value)
            return None if refused(self._checks, begun.further(self._checked)) else begun
        except BROKEN:
            return None

    def _begun(self, value: float) -> Begun:
        """What is known at a value, also from an earlier state."""
        begun = self._tried.pop(value, None)  # it goes to the end: what was not asked for longest is forgotten first
        changes = self._stages.whole({self.declared.name: value})
        if begun is None:
            begun = Begun(self._stages, changes)
        elif begun.stages is not self._stages:
            begun.take_along(self._stages, self._otherwise_since(begun.stages), changes)
        self._tried[value] = begun
        return begun

    def _otherwise_since(self, before: Stages) -> Other | None:
        if before not in self._since:
            self._since[before] = self._stages.since(before, {self.declared.name})
        return self._since[before]


class Line:
    """One verdict along one quantity, everything else as it is."""

    def __init__(self, along: Along, verdict: str, told_by: Callable[[Verdict], Hashable] = by_level) -> None:
        self.declared = along.declared
        self.told_by = told_by
        self.present: float = along.values[along.declared.name]
        self._along = along
        self._verdict = verdict
        self._now: LookedAt = tuple([along.values[name] for name in along.looked_at[verdict]])
        self._level: Level = self._now[0].level

    def at(self, value: float) -> Verdict | None:
        """The verdict at a value; None where a check refuses it."""
        found = self._look_at(value)
        verdict: Verdict | None = found[0] if found else None
        return verdict

    def _look_at(self, value: float) -> LookedAt | None:
        return self._now if value == self.present else self._along.at(self._verdict, value)

    def moves(self) -> bool:
        """Whether anything the verdict looks at is other at the slider's ends or in its middle than it is now."""
        stops = sliders.stops(self.declared)
        return not all(self.same_at(stop) for stop in (stops[0], stops[-1], stops[len(stops) // 2]))

    def same_at(self, value: float) -> bool:
        """Whether all that the verdict looks at is there as it is now."""
        found = self._look_at(value)
        return found is not None and found[1:] == self._now[1:]

    def is_even(self, one: float, other: float) -> bool:
        """Whether all that the verdict looks at moves about as evenly from now to one value as from there to another.

        What fills up, or must divide something, does not.
        """
        between, there = self._look_at(one), self._look_at(other)
        if between is None or there is None:
            return False
        share = (one - self.present) / (other - self.present)
        # All three are of the same needs: no test could notice strict=False.
        for start, middle, end in list(zip(self._now, between, there, strict=True))[1:]:
            if start == middle == end:
                continue
            if start == end or not isinstance(start, float | int) or not isinstance(end, float | int):
                return False
            if not share / _EVEN <= (middle - start) / (end - start) <= share * _EVEN:
                return False
        return True

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
        return found.level != self._level

    def edges_between(self, low: float, one: Verdict, high: float, other: Verdict) -> Generator[None, None, list[Edge]]:
        """Every change between two values with different verdicts; there may be a third word between them."""
        found = []
        while self.told_by(one) != self.told_by(other):
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
            elif self.told_by(found) == self.told_by(one):
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
            elif self.told_by(found) == self.told_by(one):
                low = last = middle
            else:
                high, other = middle, found
        for rounded in _round_between(last, high, units.unit(self.declared.unit).factor):
            found = self.at(rounded)
            if found is not None and self.told_by(found) == self.told_by(one):
                last = max(last, rounded)
            elif found is not None:
                high, other = min(high, rounded), found
        return Edge(last=last, first=high, below=self.at(last) or one, above=other)


def between(low: float, high: float, *, whole: bool) -> float:
    """The middle, by ratio where both are above 0; one of the two where nothing lies between them."""
    if whole:
        found = max((low + high) // 2, low // 1 + 1)  # one of them may be the present value, and no whole number
        return float(found) if found < high else low
    middle = math.sqrt(low * high) if low > 0 else (low + high) / 2
    return low if high - low <= _FINE * max(abs(low), abs(high)) else middle


def _round_between(low: float, high: float, factor: float) -> list[float]:
    """Round values between two neighbors: a threshold is one more often than not, and belongs to one of its sides."""
    rounded = {float(f"{high:.{_ROUND}g}"), float(f"{high / factor:.{_ROUND}g}") * factor}
    return sorted(value for value in rounded if low < value < high)  # its ends are known: no test could notice <=

"""Edges: a verdict along one input, and the places where it changes, narrowed down."""

import math
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.answers import sliders
from calculators.answers.explore.trials import BROKEN, finite, refused
from calculators.declare import AnyFormula, Calculator, Level, Quantity, Verdict
from calculators.declare.memory import alike
from calculators.declare.parts import Begun, Other, Stages

_FINE = 1e-12
_ROUND = 9  # digits
_NARROWINGS = 200
_MOST_TRIED = 64  # values of one input that are kept for the next state
# How many times faster or slower a value may change over a part of the range than over all of it.
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


LookedAt = tuple[Any, ...]  # a verdict, and what it looks at, in the order of its needs


class Trial:
    """What is known at one value, and whether a check allows it; None where that must be asked (anew)."""

    __slots__ = ("begun", "is_allowed")

    def __init__(self, begun: Begun) -> None:
        self.begun = begun
        self.is_allowed: bool | None = None


Tried = dict[float, Trial]  # by the value


class Differing:
    """Which values are otherwise than in an earlier state: found once for all that ask."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self._known: list[tuple[Mapping[str, Any], frozenset[str]]] = []

    def since(self, before: Mapping[str, Any]) -> frozenset[str]:
        """The names of what both states have and is not alike."""
        for state, names in self._known:
            if state is before:
                return names
        now = self._values
        names = frozenset(name for name, value in before.items() if name in now and not alike(value, now[name]))
        self._known.append((before, names))
        return names


@dataclass(frozen=True)
class _Asked:
    """What verdicts along one input look at, which checks may refuse it, and all that these need."""

    looked_at: Mapping[str, tuple[str, ...]]
    checks: tuple[AnyFormula, ...]
    checked: tuple[str, ...]
    wanted: frozenset[str]


def _asked(calculator: Calculator, name: str, verdicts: tuple[str, ...]) -> _Asked:
    looked_at = {verdict: (verdict, *calculator.steps[verdict].needs) for verdict in verdicts}
    checks = calculator.constraints_on(frozenset({name}))
    checked = tuple({need for check in checks for need in check.needs})
    return _Asked(looked_at, checks, checked, frozenset(checked).union(*looked_at.values()))


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
        differing: Differing | None = None,
    ) -> None:
        self.declared = declared
        self.values = values
        self._asked = calculator.memory(_asked)(declared.name, tuple(verdicts))
        self._stages = calculator.stages(values, {declared.name}, self._asked.wanted)
        part = self._stages.part
        self._checked = part.leading_to(self._asked.checked)
        self._leading = {verdict: part.leading_to((verdict,)) for verdict in verdicts}
        self._tried: Tried = {} if tried is None else tried
        self._differing = differing or Differing(values)
        self._since: dict[Stages, tuple[Other | None, bool]] = {}
        self._here: dict[float, Begun | None] = {}  # None where a check refuses the value
        for value in list(self._tried)[:-_MOST_TRIED]:
            del self._tried[value]

    def looked_at(self, verdict: str) -> tuple[str, ...]:
        """The names of a verdict and of what it looks at."""
        return self._asked.looked_at[verdict]

    @property
    def count(self) -> int:
        """How many values were tried."""
        return len(self._here)

    def at(self, verdict: str, value: float) -> LookedAt | None:
        """A verdict and what it looks at; None where a check refuses the value or gives it no number."""
        known = self.known(verdict, value)
        if known is None:
            return None
        found = tuple([known[name] for name in self._asked.looked_at[verdict]])
        return found if finite(found) else None

    def known(self, verdict: str, value: float) -> Mapping[str, Any] | None:
        """What is known at a value once the verdict is; None where a check refuses it, or a formula has no answer."""
        begun = self._here[value] if value in self._here else self._here.setdefault(value, self._let(value))
        if begun is None:
            return None
        try:
            if begun.stages is not self._stages:  # another search took it along meanwhile
                begun = self._trial(value).begun
            return begun.further(self._leading[verdict])
        except BROKEN:  # others may have an answer
            return None

    def _let(self, value: float) -> Begun | None:
        """What is known at a value that no check refuses."""
        try:
            trial = self._trial(value)
            if trial.is_allowed is None:
                trial.is_allowed = not refused(self._asked.checks, trial.begun.further(self._checked))
        except BROKEN:
            return None
        return trial.begun if trial.is_allowed else None

    def _trial(self, value: float) -> Trial:
        """What is known at a value, also from an earlier state."""
        trial = self._tried.pop(value, None)  # it goes to the end: what was not asked for longest is forgotten first
        changes = self._stages.whole({self.declared.name: value})
        if trial is None:
            trial = Trial(Begun(self._stages, changes))
        elif trial.begun.stages is not self._stages:
            other, may_refuse = self._otherwise_since(trial.begun.stages)
            was_kept = trial.begun.take_along(self._stages, other, changes)
            if may_refuse or not was_kept:
                trial.is_allowed = None
        self._tried[value] = trial
        return trial

    def _otherwise_since(self, before: Stages) -> tuple[Other | None, bool]:
        """What is otherwise than before, and whether that may matter for a check."""
        found = self._since.get(before)
        if found is None:
            other = self._stages.since(before, self._differing.since(before.values) - {self.declared.name})
            may_refuse = other is None or self._stages.part.reaches(other, self._asked.checked)
            found = self._since[before] = (other, may_refuse)
        return found


class Line:
    """One verdict along one quantity, everything else as it is."""

    def __init__(self, along: Along, verdict: str, told_by: Callable[[Verdict], Hashable] = by_level) -> None:
        self.declared = along.declared
        self.told_by = told_by
        self.present: float = along.values[along.declared.name]
        self._along = along
        self._verdict = verdict
        self._now: LookedAt = tuple([along.values[name] for name in along.looked_at(verdict)])
        self._level: Level = self._now[0].level
        self._low, self._high = along.declared.slider
        self._known: dict[float, LookedAt | None] = {self.present: self._now}

    def at(self, value: float) -> Verdict | None:
        """The verdict at a value; None where a check refuses it."""
        found = self._look_at(value)
        verdict: Verdict | None = found[0] if found else None
        return verdict

    def _look_at(self, value: float) -> LookedAt | None:
        if value not in self._known:
            self._known[value] = self._along.at(self._verdict, value)
        return self._known[value]

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
        if up:
            value = min(self.present * factor, max(self._high, self.present))
            return float(math.floor(value)) if self.declared.whole else value
        value = max(self.present / factor, min(self._low, self.present))
        return float(math.ceil(value)) if self.declared.whole else value

    def changes(self, factor: float, *, up: bool) -> bool:
        """Whether the verdict is at another level there than now."""
        value = self.within(factor, up=up)
        known = None if value == self.present else self._along.known(self._verdict, value)
        if known is None or known[self._verdict].level == self._level:  # whether all is finite matters for no other
            return False
        return self._look_at(value) is not None

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
    return sorted(value for value in rounded if low < value < high)

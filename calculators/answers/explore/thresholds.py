"""Thresholds: a verdict along one input, and the places where it changes, narrowed down."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.answers import sliders
from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.trials import BROKEN, finite, refused
from calculators.declare import Calculator, Level, Quantity, Verdict
from calculators.declare.subgraph import PartialEvaluation

_FINE = 1e-12
_ROUND = 9  # digits
_NARROWINGS = 200
# How many times faster or slower a value may change over a part of the range than over all of it.
_EVEN = 4.0


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """Where a verdict changes along an input: the last value with the lower one's word, the first with the other."""

    last: float
    first: float
    below: Verdict
    above: Verdict


def by_level(verdict: Verdict) -> Hashable:
    """What must change for a threshold: the level."""
    return verdict.level


def by_word(verdict: Verdict) -> Hashable:
    """What must change for a threshold: the level or the word; two words may have the same level."""
    return verdict.level, verdict.word


LookedAt = tuple[Any, ...]  # a verdict, and the values it looks at, in the order of its needs


class InputTrials:
    """Verdicts at values of one quantity, everything else as in `values`; every value is tried once for all verdicts.

    At each value a verdict is computed when it is needed, from what an earlier verdict left computed.
    """

    def __init__(
        self, calculator: Calculator, values: Mapping[str, Any], declared: Quantity, verdicts: Sequence[str]
    ) -> None:
        self.declared = declared
        self.values = values
        self._looked_at = {verdict: (verdict, *calculator.steps[verdict].needs) for verdict in verdicts}
        self._constraints = calculator.constraints_on(frozenset({declared.name}))
        checked = tuple({need for constraint in self._constraints for need in constraint.needs})
        self._evaluator = calculator.evaluator(
            values, {declared.name}, frozenset(checked).union(*self._looked_at.values())
        )
        subgraph = self._evaluator.subgraph
        self._checked = subgraph.leading_to(checked)
        self._leading_to = {verdict: subgraph.leading_to((verdict,)) for verdict in verdicts}
        self._tried: dict[float, PartialEvaluation | None] = {}  # None where a constraint refuses the value

    def looked_at(self, verdict: str) -> tuple[str, ...]:
        """The names of a verdict and of the values it looks at."""
        return self._looked_at[verdict]

    @property
    def count(self) -> int:
        """How many values were tried."""
        return len(self._tried)

    def at(self, verdict: str, value: float) -> LookedAt | None:
        """A verdict and what it looks at; None where a constraint refuses the value or gives it no number."""
        known = self.known(verdict, value)
        if known is None:
            return None
        found = tuple([known[name] for name in self._looked_at[verdict]])
        return found if finite(found) else None

    def known(self, verdict: str, value: float) -> Mapping[str, Any] | None:
        """All that is known at a value once the verdict is; None where it is refused, or a formula has no answer."""
        if value not in self._tried:
            self._tried[value] = self._allowed(value)
        evaluation = self._tried[value]
        if evaluation is None:
            return None
        try:
            return evaluation.up_to(self._leading_to[verdict])
        except BROKEN:  # other verdicts may have an answer
            return None

    def _allowed(self, value: float) -> PartialEvaluation | None:
        """The evaluation at a value that no constraint refuses."""
        try:
            evaluation = PartialEvaluation(self._evaluator, {self.declared.name: value})
            return None if refused(self._constraints, evaluation.up_to(self._checked)) else evaluation
        except BROKEN:
            return None


class VerdictCurve:
    """One verdict along one quantity, everything else as it is."""

    def __init__(
        self, trials: InputTrials, verdict: str, compared_by: Callable[[Verdict], Hashable] = by_level
    ) -> None:
        self.declared = trials.declared
        self.compared_by = compared_by
        self.present: float = trials.values[trials.declared.name]
        self._trials = trials
        self._verdict = verdict
        self._now: LookedAt = tuple([trials.values[name] for name in trials.looked_at(verdict)])
        self._level: Level = self._now[0].level
        self._low, self._high = trials.declared.slider
        self._known: dict[float, LookedAt | None] = {self.present: self._now}

    def at(self, value: float) -> Verdict | None:
        """The verdict at a value; None where a check refuses it."""
        found = self._look_at(value)
        verdict: Verdict | None = found[0] if found else None
        return verdict

    def _look_at(self, value: float) -> LookedAt | None:
        if value not in self._known:
            self._known[value] = self._trials.at(self._verdict, value)
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
        known = None if value == self.present else self._trials.known(self._verdict, value)
        if known is None or known[self._verdict].level == self._level:  # whether all is finite matters for no other
            return False
        return self._look_at(value) is not None

    def changed(self, found: Verdict) -> bool:
        """Whether a verdict is at another level than now."""
        return found.level != self._level

    @search
    def thresholds_between(self, low: float, one: Verdict, high: float, other: Verdict) -> Pauses[list[Threshold]]:
        """Every change between two values with different verdicts; there may be a third word between them."""
        found = []
        while self.compared_by(one) != self.compared_by(other):
            threshold = yield from self._first_threshold(low, one, high, other)
            found.append(threshold)
            low, one = threshold.first, threshold.above
        return found

    def _between_stops(
        self, low: float, one: Verdict, high: float, other: Verdict
    ) -> Pauses[tuple[float, float, float, Verdict]]:
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
            elif self.compared_by(found) == self.compared_by(one):
                low = last = middle
                stops = [stop for stop in stops if stop > middle]
            else:
                high, other = middle, found
                stops = [stop for stop in stops if stop < middle]
        return low, last, high, other

    def _first_threshold(self, low: float, one: Verdict, high: float, other: Verdict) -> Pauses[Threshold]:
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
            elif self.compared_by(found) == self.compared_by(one):
                low = last = middle
            else:
                high, other = middle, found
        for rounded in _round_between(last, high, units.unit(self.declared.unit).factor):
            found = self.at(rounded)
            if found is not None and self.compared_by(found) == self.compared_by(one):
                last = max(last, rounded)
            elif found is not None:
                high, other = min(high, rounded), found
        return Threshold(last=last, first=high, below=self.at(last) or one, above=other)


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

"""Thresholds: a verdict along one input, and the values at which it changes, narrowed down."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.answers import sliders
from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.trials import BROKEN, finite, refused
from calculators.declare import REFUSED, Calculator, Quantity, Verdict
from calculators.declare.subgraph import PartialEvaluation

# Digits to which a threshold is narrowed down, and of the round values tried there; fewer where each trial is a search
_DIGITS, _SEARCHED_DIGITS = (12, 9), (6, 6)
_NARROWINGS = 200
_NEIGHBORS = 8  # counts tried next to one that is refused: as many as a server has GPUs
_MULTIPLES = tuple(2**n for n in range(4, 13))  # which degrees of a layout mostly are
# How many times faster or slower a value may change over a part of the range than over all of it.
_EVEN = 4.0


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """A change of a verdict along an input: the last value with the verdict `below`, the first with that `above`."""

    last: float
    first: float
    below: Verdict
    above: Verdict


def by_level(verdict: Verdict) -> Hashable:
    """The key that changes at a threshold: the level; a layout that frameworks refuse has one of its own."""
    return REFUSED if verdict.word == REFUSED else verdict.level


def by_word(verdict: Verdict) -> Hashable:
    """The key that changes at a threshold: the level or the word; two words may have the same level."""
    return verdict.level, verdict.word


WithNeeds = tuple[Any, ...]  # a verdict, and the values it depends on, in the order of its parameters


class InputTrials:
    """Verdicts at values of one quantity, all other inputs as in `values`; every value is tried once for all verdicts.

    A verdict is computed when it is needed, from the values that earlier verdicts already computed. Where frameworks
    refuse the layout of `values`, values are tried that are refused as well, unless `accepted`.
    """

    def __init__(
        self,
        calculator: Calculator,
        values: Mapping[str, Any],
        declared: Quantity,
        verdicts: Sequence[str],
        *,
        accepted: bool = False,
    ) -> None:
        self.declared = declared
        self.values = values
        self.searching = declared.name in calculator.searched
        self.digits = _SEARCHED_DIGITS if self.searching else _DIGITS
        needs = {verdict: calculator.steps[verdict].needs for verdict in verdicts}
        self._constraints = calculator.checks_on(frozenset({declared.name}), values)
        if not accepted and calculator.is_refused(values):  # verdicts say from where on it is not
            needs = {verdict: calculator.wiring[verdict] for verdict in verdicts}
            self._constraints = tuple(one for one in self._constraints if one.role == "constraint")
        self._with_needs = {verdict: (verdict, *needs[verdict]) for verdict in verdicts}
        checked = tuple({need for constraint in self._constraints for need in constraint.needs})
        self._evaluator = calculator.evaluator(
            values, {declared.name}, frozenset(checked).union(*self._with_needs.values())
        )
        subgraph = self._evaluator.subgraph
        self._checked = subgraph.leading_to(checked)
        self._leading_to = {verdict: subgraph.leading_to((verdict,)) for verdict in verdicts}
        self._tried: dict[float, PartialEvaluation | None] = {}  # None where a constraint refuses the value

    def with_needs(self, verdict: str) -> tuple[str, ...]:
        """Names of a verdict and of the values it depends on."""
        return self._with_needs[verdict]

    @property
    def verdicts(self) -> tuple[str, ...]:
        """Names of the verdicts that these trials compute."""
        return tuple(self._with_needs)

    @property
    def count(self) -> int:
        """Number of values tried."""
        return len(self._tried)

    def prepare(self, value: float) -> Pauses[None]:
        """Search for what else changes with this value, with pauses, where it has not been tried."""
        if value not in self._tried:
            yield from self._evaluator.prepare({self.declared.name: value})

    def at(self, verdict: str, value: float) -> WithNeeds | None:
        """A verdict and its needs at a value; None where a constraint refuses the value or a number is not finite."""
        known = self.known(verdict, value)
        if known is None:
            return None
        found = tuple([known[name] for name in self._with_needs[verdict]])
        return found if finite(found) else None

    def known(self, verdict: str, value: float) -> Mapping[str, Any] | None:
        """All values up to the verdict; None where a constraint refuses the value or a formula has no result."""
        if value not in self._tried:
            self._tried[value] = self._allowed(value)
        evaluation = self._tried[value]
        if evaluation is None:
            return None
        try:
            return evaluation.up_to(self._leading_to[verdict])
        except BROKEN:  # other verdicts may have a result
            return None

    def _allowed(self, value: float) -> PartialEvaluation | None:
        """The evaluation at a value; None where a constraint refuses it."""
        try:
            evaluation = PartialEvaluation(self._evaluator, {self.declared.name: value})
            return None if refused(self._constraints, evaluation.up_to(self._checked)) else evaluation
        except BROKEN:
            return None


class VerdictCurve:
    """One verdict along one quantity, all other inputs unchanged."""

    def __init__(
        self, trials: InputTrials, verdict: str, compared_by: Callable[[Verdict], Hashable] = by_level
    ) -> None:
        self.declared = trials.declared
        self.compared_by = compared_by
        self.present: float = trials.values[trials.declared.name]
        self._trials = trials
        self._verdict = verdict
        self._now: WithNeeds = tuple([trials.values[name] for name in trials.with_needs(verdict)])
        self._low, self._high = trials.declared.slider
        self._known: dict[float, WithNeeds | None] = {self.present: self._now}

    def each_at(self, value: float) -> Pauses[Verdict | None]:
        """`at`, with the pauses of the search that it needs."""
        yield from self._trials.prepare(value)
        return self.at(value)

    def at(self, value: float) -> Verdict | None:
        """The verdict at a value; None where a constraint refuses it."""
        found = self._evaluated(value)
        verdict: Verdict | None = found[0] if found else None
        return verdict

    def _evaluated(self, value: float) -> WithNeeds | None:
        if value not in self._known:
            self._known[value] = self._trials.at(self._verdict, value)
        return self._known[value]

    @search
    def moves(self) -> Pauses[bool]:
        """Whether a need of the verdict differs from its present value at the slider's ends or in its middle."""
        stops = sliders.stops(self.declared)
        for stop in (stops[0], stops[-1], stops[len(stops) // 2]):
            yield from self._trials.prepare(stop)
            if not self.same_at(stop):
                return True
        return False

    def same_at(self, value: float) -> bool:
        """Whether all needs of the verdict have their present values there."""
        found = self._evaluated(value)
        return found is not None and found[1:] == self._now[1:]

    @search
    def is_even(self, one: float, other: float) -> Pauses[bool]:
        """Whether all needs of the verdict move about evenly from the present value to `one` and on to `other`.

        Counts that fill up or must divide another number do not.
        """
        for value in (one, other):
            yield from self._trials.prepare(value)
        between, there = self._evaluated(one), self._evaluated(other)
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
        value = min(self.present * factor, max(self._high, self.present))
        if not up:
            value = max(self.present / factor, min(self._low, self.present))
        if not self.declared.whole:
            return value
        count = float(math.floor(value) if up else math.ceil(value))
        if self._trials.searching or self.at(count) is not None:
            return count
        sign = -1 if up else 1
        nearer = [count + sign * step for step in range(1, _NEIGHBORS + 1)]
        nearer += [count + sign * (-sign * count % multiple) for multiple in _MULTIPLES]
        low, high = sorted((self.present, count))
        return next((one for one in nearer if low < one < high and self.at(one) is not None), count)

    @search
    def changes(self, factor: float, *, up: bool) -> Pauses[bool]:
        """Whether the verdict's level changes when its input is multiplied or divided by this factor."""
        value = self.within(factor, up=up)
        yield from self._trials.prepare(value)
        known = None if value == self.present else self._trials.known(self._verdict, value)
        if known is None or not self.changed(known[self._verdict]):  # no need to check that all is finite
            return False
        return self._evaluated(value) is not None

    def changed(self, found: Verdict) -> bool:
        """Whether a verdict has another level than the present one."""
        return by_level(found) != by_level(self._now[0])

    @search
    def thresholds_between(self, low: float, one: Verdict, high: float, other: Verdict) -> Pauses[list[Threshold]]:
        """All thresholds between two values with different verdicts; a third verdict may lie between them."""
        found = []
        while self.compared_by(one) != self.compared_by(other):
            threshold = yield from self._first_threshold(low, one, high, other)
            found.append(threshold)
            low, one = threshold.first, threshold.above
        return found

    def _between_stops(
        self, low: float, one: Verdict, high: float, other: Verdict
    ) -> Pauses[tuple[float, float, float, Verdict]]:
        """The stops between which the verdict first changes; round values are rarely refused by constraints.

        Returned are both ends, the last value with the lower verdict, and the verdict above.
        """
        last = low
        stops = [stop for stop in sliders.stops(self.declared) if low < stop < high]
        while stops:
            middle = stops[len(stops) // 2]
            found = yield from self.each_at(middle)
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
        """The first threshold above `low`; values that a constraint refuses count as below it."""
        low, last, high, other = yield from self._between_stops(low, one, high, other)
        for _ in range(_NARROWINGS):  # towards 0 there is always a value between
            places = near_middle(low, high, whole=self.declared.whole, digits=self._trials.digits[0])
            if not places:
                break
            found = None
            for middle in places[: 1 if self._trials.searching else None]:
                found = yield from self.each_at(middle)
                yield
                if found is not None:
                    break
            if found is None:
                low = places[0]
            elif self.compared_by(found) == self.compared_by(one):
                low = last = middle
            else:
                high, other = middle, found
        for rounded in _round_between(last, high, units.unit(self.declared.unit).factor, self._trials.digits[1]):
            found = yield from self.each_at(rounded)
            if found is not None and self.compared_by(found) == self.compared_by(one):
                last = max(last, rounded)
            elif found is not None:
                high, other = min(high, rounded), found
        return Threshold(last=last, first=high, below=self.at(last) or one, above=other)


def between(low: float, high: float, *, whole: bool, digits: int = _DIGITS[0]) -> float:
    """The middle, by ratio where both are above 0; one of the two where nothing of so many digits is between them."""
    if whole:
        found = max((low + high) // 2, low // 1 + 1)  # the present value may be no whole number
        return float(found) if found < high else low
    middle = math.sqrt(low * high) if low > 0 else (low + high) / 2
    return low if high - low <= 10.0**-digits * max(abs(low), abs(high)) else middle


def near_middle(low: float, high: float, *, whole: bool, digits: int = _DIGITS[0]) -> list[float]:
    """The middle, and of counts others near it, for a middle that is refused: neighbors, multiples of powers of two.

    Nothing where nothing lies between.
    """
    middle = between(low, high, whole=whole, digits=digits)
    if middle in (low, high):
        return []
    if not whole:
        return [middle]
    near = [middle + sign * step for step in range(1, _NEIGHBORS + 1) for sign in (1, -1)]
    near += [middle - middle % multiple for multiple in _MULTIPLES]
    return [middle, *(value for value in near if low < value < high)]


def _round_between(low: float, high: float, factor: float, digits: int) -> list[float]:
    """Round values between two neighbors: most thresholds are round values, on one side or the other."""
    rounded = {float(f"{high:.{digits}g}"), float(f"{high / factor:.{digits}g}") * factor}
    return sorted(value for value in rounded if low < value < high)

"""Solve: values of one input at which a result reaches its target.

Nothing is assumed of the result but that it is a number: it is evaluated over the whole slider and beyond, and every
crossing of the target is narrowed down. So no, one and several solutions are all found, and a jump over the target is
reported as such.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators.answers import sliders
from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.thresholds import near_middle
from calculators.answers.explore.trials import ResultCurve, Trials, checked, number
from calculators.declare import Calculator, Choice, Quantity

_NARROWINGS = 200  # more than enough to halve any range to its digits
_MET = 1e-6
_POINTS_BEYOND = 24


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A value of the input at which the result crosses the target, and the result there.

    `met`: the result equals the target, not only jumps past it. `usual`: the value lies on the slider.
    """

    value: Any
    result: Any
    met: bool
    usual: bool


@dataclass(frozen=True, kw_only=True)
class Solution:
    """All answers, the closest to the present value first, and the least and greatest result along the input."""

    name: str
    answers: tuple[Answer, ...]
    least: float
    most: float


@search
def solve(calculator: Calculator, values: Mapping[str, Any], name: str, result: str, target: float) -> Pauses[Solution]:
    """The values of the input `name` at which `result` is `target` [base units], everything else as it is.

    For a choice, the options with which the result reaches or passes the target. Raises KeyError for an unknown name.
    """
    declared = calculator.inputs[name]
    now = number(values[result])

    if isinstance(declared, Choice):
        trials = Trials(calculator, values, {name}, {result})
        return (yield from _options(declared, ResultCurve(trials, name, result), target, now=now))
    asked = _Asked(declared=declared, present=values[name], now=now, target=target)
    return (
        yield from checked(
            calculator,
            values,
            name,
            result,
            lambda trials: _along(asked, ResultCurve(trials, name, result)),
            lambda found: (one.value for one in found.answers),
        )
    )


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A quantity, its present value and that of the result, and the target."""

    declared: Quantity
    present: float | None
    now: float
    target: float


def _along(asked: _Asked, curve: ResultCurve) -> Pauses[Solution]:
    """All crossings of the target along a quantity."""
    declared, present, target = asked.declared, asked.present, asked.target
    known = []
    for point in points(declared, present):
        value = yield from curve.at(point)
        known += [] if math.isnan(value) else [(point, value)]
        yield
    crossings: list[float] = []
    for one, other in itertools.pairwise(known):
        if (one[1] - target) * (other[1] - target) < 0:
            ends = yield from _narrowed(curve, one, other, target, whole=declared.whole)
            crossings.append(_end_past(curve, ends, target, now=asked.now))
            yield
    crossings += _where_met(known, target)
    low, high = declared.slider
    answers = [
        Answer(value=value, result=there, met=_is(there, target), usual=low <= value <= high)
        for value in dict.fromkeys(crossings)
        if not math.isnan(there := curve.known[value])  # refused
    ]
    return Solution(
        name=declared.name,
        answers=tuple(sorted(answers, key=lambda one: _distance(one.value, present))),
        least=min((value for _, value in known), default=math.nan),
        most=max((value for _, value in known), default=math.nan),
    )


def points(declared: Quantity, present: float | None) -> list[float]:
    """Values at which the result is evaluated: every stop of the slider, and beyond to the ends of the hard range."""
    low, high = declared.hard
    stops = sliders.stops(declared)
    beyond: list[float] = []
    for start, end in ((stops[0], low), (stops[-1], high)):
        if start > 0 and end > 0:
            ratio = end / start
            beyond += [start * ratio ** (n / _POINTS_BEYOND) for n in range(1, _POINTS_BEYOND)]
        else:
            beyond += [start + (end - start) * n / _POINTS_BEYOND for n in range(1, _POINTS_BEYOND)]
    found = {low, high, *stops, *beyond, *([] if present is None else [present])}
    if declared.whole:
        found = {float(round(point)) for point in found}
    return sorted(point for point in found if low <= point <= high)


def _where_met(known: list[tuple[float, float]], target: float) -> list[float]:
    """Values at which the result is the target; of a whole stretch, its ends."""
    if not known:
        return []
    met = [value == target for _, value in known]
    inside = [before and after for before, after in zip([False, *met], [*met[1:], False], strict=False)]
    return [point for (point, _), here, within in zip(known, met, inside, strict=True) if here and not within]


def _narrowed(
    curve: ResultCurve,
    one: tuple[float, float],
    other: tuple[float, float],
    target: float,
    *,
    whole: bool,
) -> Pauses[tuple[float, float]]:
    """The two neighboring values between which the result crosses the target."""
    (low, at_low), (high, _) = one, other
    for _ in range(_NARROWINGS):
        found = math.nan
        places = near_middle(low, high, whole=whole)
        for middle in places:
            found = yield from curve.at(middle)
            yield
            if not math.isnan(found):
                break
        if not places or (whole and math.isnan(found)):
            break
        if found == target:
            return middle, middle
        if math.isnan(found) or (found < target) != (at_low < target):
            high = middle
        else:
            low = middle
    return low, high


def _end_past(curve: ResultCurve, ends: tuple[float, float], target: float, *, now: float) -> float:
    """The end at which the result has crossed the target, seen from the present result."""
    low, high = ends
    at_low = curve.known[low]
    return low if (at_low - target) * (now - target) <= 0 and not math.isnan(at_low) else high


def _options(declared: Choice, curve: ResultCurve, target: float, *, now: float) -> Pauses[Solution]:
    found = {}
    for key, option in declared.options.items():
        found[key] = (option.value, (yield from curve.at(option.value)))
        yield
    known = {key: (value, result) for key, (value, result) in found.items() if not math.isnan(result)}
    answers = [
        Answer(value=value, result=result, met=_is(result, target), usual=True)
        for value, result in known.values()
        if _is(result, target) or (result > target) == (target > now)
    ]
    results = [result for _, result in known.values()]
    return Solution(
        name=declared.name,
        answers=tuple(answers),
        least=min(results, default=math.nan),
        most=max(results, default=math.nan),
    )


def _is(found: float, target: float) -> bool:
    return math.isclose(found, target, rel_tol=_MET, abs_tol=0.0 if target else _MET)


def _distance(value: float, present: float | None) -> float:
    if present is None:
        return value
    return abs(math.log(value / present)) if value > 0 and present > 0 else abs(value - present)

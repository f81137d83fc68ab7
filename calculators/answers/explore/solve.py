"""Turned round: which value of one input gives a result that was asked for, or makes a verdict good.

Nothing is assumed of the result but that it is a number: it is looked at over the whole slider and beyond it, and every
place where it passes the target is narrowed down. So none, one and several answers are all found, and a result that
jumps over the target is told as such.
"""

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from calculators.answers import sliders
from calculators.declare import Calculator, Choice, Quantity, Verdict

_NARROWINGS = 200
_SAME = 1e-12
_MET = 1e-6
_POINTS_BEYOND = 24


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A value of the input at which the result passes the target, and the result there.

    `met`: it is the target; a result that jumps passes it without ever being it. `usual`: the value is on the slider.
    """

    value: Any
    result: Any
    met: bool
    usual: bool


@dataclass(frozen=True, kw_only=True)
class Solution:
    """Every answer, the nearest to the present value first, and between which results the input can lead."""

    name: str
    answers: tuple[Answer, ...]
    least: float
    most: float


def solve(calculator: Calculator, values: Mapping[str, Any], name: str, result: str, target: float) -> Solution:
    """The values of the input `name` at which `result` is `target` [base units], everything else as it is.

    Of a choice, the options with which the result reaches the target from where it is now. Raises KeyError for a name
    that the calculator does not have.
    """
    declared = calculator.inputs[name]

    def at(value: Any) -> float:
        return _result(calculator, values, {name: value}, result)

    if isinstance(declared, Choice):
        return _options(declared, at, target, now=float(values[result]))
    points = _points(declared, values[name])
    found = {point: at(point) for point in points}
    known = [(point, value) for point, value in found.items() if not math.isnan(value)]
    crossings = [
        _narrowed(at, one, other, target, whole=declared.whole)
        for one, other in itertools.pairwise(known)
        if (one[1] - target) * (other[1] - target) < 0
    ]
    crossings += [point for point, value in known if value == target]
    low, high = declared.slider
    answers = [
        Answer(value=value, result=at(value), met=_is(at(value), target), usual=low <= value <= high)
        for value in dict.fromkeys(crossings)
    ]
    present = values[name]
    return Solution(
        name=name,
        answers=tuple(sorted(answers, key=lambda one: _distance(one.value, present))),
        least=min((value for _, value in known), default=math.nan),
        most=max((value for _, value in known), default=math.nan),
    )


def edges(calculator: Calculator, values: Mapping[str, Any], name: str, verdict: str) -> list[tuple[float, str, str]]:
    """Where a verdict changes as one quantity moves along its slider: the first value with the other word, and both.

    Each as (value, level below it, level from it on), ascending.
    """
    declared = calculator.inputs[name]
    if isinstance(declared, Choice):
        return []

    def at(value: float) -> str:
        return _level(calculator, values, {name: value}, verdict)

    stops = [*sliders.stops(declared)]
    present = values[name]
    if present is not None:
        stops = sorted({*stops, present})
    known = [(stop, level) for stop in stops if (level := at(stop))]
    found = []
    for (below, one), (above, other) in itertools.pairwise(known):
        start, level = below, one
        while level != other:  # between two stops a verdict may pass through a third word
            edge = _edge(at, start, above, level, whole=declared.whole)
            found.append((edge, level, at(edge)))
            start, level = edge, at(edge)
    return found


def _result(calculator: Calculator, values: Mapping[str, Any], changes: Mapping[str, Any], result: str) -> float:
    """The result after a change; not a number where a check refuses it or nothing can be computed."""
    try:
        after = calculator.after(values, changes)
    except (ArithmeticError, ValueError, TypeError):
        return math.nan
    if any(check.function(*[after[need] for need in check.needs]) for check in calculator.of_role("check")):
        return math.nan
    found = after[result]
    return float(found) if isinstance(found, int | float) else math.nan


def _level(calculator: Calculator, values: Mapping[str, Any], changes: Mapping[str, Any], verdict: str) -> str:
    try:
        found = calculator.after(values, changes)
    except (ArithmeticError, ValueError, TypeError):
        return ""
    if any(check.function(*[found[need] for need in check.needs]) for check in calculator.of_role("check")):
        return ""
    value = found[verdict]
    return value.level if isinstance(value, Verdict) else ""


def _points(declared: Quantity, present: float | None) -> list[float]:
    """Where the result is looked at: every stop of the slider, and on to the ends of the hard range."""
    low, high = declared.hard
    stops = sliders.stops(declared)
    beyond: list[float] = []
    for start, end in ((stops[0], low), (stops[-1], high)):
        if start > 0 and end > 0:
            ratio = end / start
            beyond += [start * ratio ** (n / _POINTS_BEYOND) for n in range(1, _POINTS_BEYOND)]
        else:
            beyond += [start + (end - start) * n / _POINTS_BEYOND for n in range(1, _POINTS_BEYOND)]
    points = {low, high, *stops, *beyond, *([] if present is None else [present])}
    if declared.whole:
        points = {float(round(point)) for point in points}
    return sorted(point for point in points if low <= point <= high)


def _narrowed(
    at: Callable[[float], float],
    one: tuple[float, float],
    other: tuple[float, float],
    target: float,
    *,
    whole: bool,
) -> float:
    """Where between two points the result passes the target: on its far side, seen from the first."""
    (low, at_low), (high, _) = one, other
    for _ in range(_NARROWINGS):
        middle = _between(low, high, whole=whole)
        if middle in (low, high):
            break
        found = at(middle)
        if found == target:
            return middle
        if math.isnan(found) or (found < target) != (at_low < target):
            high = middle
        else:
            low = middle
    return high


def _edge(at: Callable[[float], str], low: float, high: float, level: str, *, whole: bool) -> float:
    """The first value above `low` with another word; values that a check refuses count to those below them."""
    for _ in range(_NARROWINGS):
        middle = _between(low, high, whole=whole)
        if middle in (low, high):
            break
        low, high = (middle, high) if at(middle) in {level, ""} else (low, middle)
    return high


def _between(low: float, high: float, *, whole: bool) -> float:
    """The middle, by ratio where both are above 0; one of the two where nothing lies between them."""
    middle = math.sqrt(low * high) if low > 0 else (low + high) / 2
    if whole:
        return float(math.floor((low + high) / 2)) if high - low > 1 else low
    return low if high - low <= _SAME * max(abs(low), abs(high)) else middle


def _options(declared: Choice, at: Callable[[Any], float], target: float, *, now: float) -> Solution:
    found = {key: (option.value, at(option.value)) for key, option in declared.options.items()}
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

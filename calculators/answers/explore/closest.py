"""Closest: of the curves of one verdict, the one whose threshold is nearest to the present state, and that threshold.

Searched within growing factors of the present values in both directions, and narrowed down only where the verdict has
changed. Counts next to the present ones are tried one by one where they are closer.
"""

import math
from functools import lru_cache

from calculators.answers.explore.search import Pauses
from calculators.answers.explore.thresholds import Threshold, VerdictCurve
from calculators.declare import Calculator, Quantity, Verdict

_FACTORS = (math.sqrt(2), 2.0, 10.0, 100.0, 1e3, 1e6, math.inf)
COUNTED, ONE_BY_ONE = 4096, 64  # up to which count every whole number is tried, and how far from the present one
_QUICK = 12  # the same for the closest threshold, which must be quick
_NEAR_ENOUGH = 1.001  # a threshold farther by this factor need not be narrowed down

Found = tuple[VerdictCurve, Threshold, bool]  # whether it lies above the present value
_Sides = list[tuple[VerdictCurve, bool]]


def closest_of(calculator: Calculator, lines: list[VerdictCurve], at_once: int) -> Pauses[Found | None]:
    """The curve with the closest threshold, that threshold, and whether it lies above; `at_once` trials per pause."""
    found = yield from _nearest_of(lines, at_once)
    return (yield from _nearer(calculator, lines, found))


def one_by_one(
    calculator: Calculator, declared: Quantity, present: float | None, most: int = ONE_BY_ONE
) -> list[float]:
    """Every whole number near the present count, on its slider; none where each would need a search."""
    if not declared.whole or declared.name in calculator.searched or not present or present > COUNTED:
        return []
    low, high = declared.slider
    first, last = math.ceil(max(low, 1.0) - present), math.floor(high - present)
    return [float(present + offset) for offset in range(max(first, -most), min(last, most) + 1) if offset]


def _changing(sides: _Sides, factor: float, at_once: int) -> Pauses[_Sides]:
    """The curves and directions whose verdict differs at this factor; `at_once` are tried between two pauses."""
    found: _Sides = []
    for start in range(0, len(sides), at_once):
        for line, up in sides[start : start + at_once]:
            found += [(line, up)] if (yield from line.changes(factor, up=up)) else []
        yield
    return found


def _nearest_of(lines: list[VerdictCurve], at_once: int) -> Pauses[Found | None]:
    sides = [(line, up) for line in lines for up in (False, True)]
    near = 1.0
    for far in _FACTORS:
        changed = yield from _changing(sides, far, at_once)
        if changed:
            break
        near = far
        sides = [(line, up) for line, up in sides if line.within(far, up=up) != line.within(math.inf, up=up)]
    else:
        return None
    far = max(_reached(line, line.within(far, up=up)) for line, up in changed)
    # A single one is narrowed down below, and so are those that change at 0 only, infinitely far.
    while len(changed) > 1 and near * _NEAR_ENOUGH < far < math.inf:
        middle = math.sqrt(near * far)
        closer = yield from _changing(changed, middle, at_once)
        near, far, changed = (near, middle, closer) if closer else (middle, far, changed)
    found = []
    for line, up in changed:
        inner, outer = line.within(near, up=up), line.within(far, up=up)
        there = yield from line.each_at(inner)
        start = line.present if there is None or line.changed(there) else inner
        low, high = sorted((start, outer))
        ends = yield from _both_ends(line, low, high)
        ascending = yield from line.thresholds_between(low, *ends)
        threshold = ascending[0] if up else ascending[-1]
        found.append((away(line.present, threshold, up=up), line, threshold, up))
        yield
    _, line, threshold, up = min(found, key=lambda one: ranked(one[0]))
    return line, threshold, up


def _nearer(calculator: Calculator, lines: list[VerdictCurve], found: Found | None) -> Pauses[Found | None]:
    """The closest threshold: that of a count, tried one by one, if it is closer than the one found so far."""
    limit = away(found[0].present, found[1], up=found[2]) if found else math.inf
    for line in lines:
        around = one_by_one(calculator, line.declared, line.present, _QUICK)
        below = [value for value in reversed(around) if value < line.present]
        for up, values in ((False, below), (True, [value for value in around if value > line.present])):
            if not values or ranked(_reached(line, values[0])) >= ranked(limit):
                continue
            if (yield from line.is_even(values[0], values[-1])):
                continue  # the values behind the verdict move evenly: a threshold would have been found
            last = line.present
            for value in values:
                if ranked(_reached(line, value)) >= ranked(limit):
                    break
                verdict = yield from line.each_at(value)
                yield
                if verdict is not None and line.changed(verdict):
                    low, high = sorted((last, value))
                    one, _, other = yield from _both_ends(line, low, high)
                    found, limit = (
                        (line, Threshold(last=low, first=high, below=one, above=other), up),
                        _reached(line, value),
                    )
                    break
                last = last if verdict is None else value
    return found


def _both_ends(line: VerdictCurve, low: float, high: float) -> Pauses[tuple[Verdict, float, Verdict]]:
    one, other = (yield from line.each_at(low)), (yield from line.each_at(high))
    if one is None or other is None:
        message = f"{line.declared.name}: no verdict at {low} or {high}"
        raise ValueError(message)
    return one, high, other


def _reached(line: VerdictCurve, value: float) -> float:
    """The factor between a value and the present one, at least 1."""
    return max(value / line.present, line.present / value) if value > 0 else math.inf


@lru_cache(4096)
def ranked(distance: float) -> float:
    """The distance for ranking: equal distances keep the declared order, whatever their last digits."""
    return float(f"{distance:.9g}")


def away(present: float | None, threshold: Threshold, *, up: bool) -> float:
    """The factor from the present value to the first value with another verdict."""
    value = threshold.first if up else threshold.last
    if present is None or present <= 0 or value <= 0:
        return math.inf
    return value / present if up else present / value

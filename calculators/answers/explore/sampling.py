"""Estimated range of a result: cases in which all inputs with a range vary at once.

Each input is drawn from a triangular distribution: its mode is the present value, its ends are those of the range, by
ratio on a logarithmic scale. That is an assumption, and so is that inputs are independent, so the result is an assumed
range, not a confidence interval. Cases are stratified (Latin hypercube), so that a few hundred are enough, and seeded,
so that the same state gives the same range everywhere.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers.explore import Swing, band, ends_of, swings
from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.trials import Trials
from calculators.declare import Calculator, Quantity, Values, Verdict

CASES = 400
_SEED, _MULTIPLIER, _MODULUS = 20_26, 48_271, 2**31 - 1
_TENTH, _HALF, _NINE_TENTHS = 0.1, 0.5, 0.9
_A_TENTH_MORE = 1.1
_SAME = 1e-9


@dataclass(frozen=True, kw_only=True)
class Range:
    """A result's p10, p50 and p90 over the cases, and its ends; `refused` of `cases` had no result.

    `levels`: the share of cases at each level, by verdict.
    """

    low: float
    middle: float
    high: float
    least: float
    most: float
    cases: int
    refused: int
    levels: Mapping[str, Mapping[str, float]]

    def text(self, value: float, shown: Callable[[float], str]) -> str:
        """The range, and where the value itself is outside of it, the median and why.

        >>> ends = Range(low=2, middle=3, high=5, least=1, most=9, cases=400, refused=0, levels={})
        >>> ends.text(4, "{:.0f} s".format)
        '2 s to 5 s'
        >>> ends.text(1, "{:.0f} s".format)
        '2 s to 5 s (median 3 s: the ranges of its inputs reach further above 1 s than below)'
        """
        ends = f"{shown(self.low)} to {shown(self.high)}"
        if self.low <= value <= self.high:
            return ends
        sides = ("above", "below") if value < self.low else ("below", "above")
        reach = f"the ranges of its inputs reach further {sides[0]} {shown(value)} than {sides[1]}"
        return f"{ends} (median {shown(self.middle)}: {reach})"


# Values of a state, and the result that is drawn for it.
Drawn = tuple[Mapping[str, Any], str]


@search
def assumed_range(
    calculator: Calculator, values: Mapping[str, Any], result: str, moving: Sequence[Swing] | None = None
) -> Pauses[Range | None]:
    """Range of a result while all inputs with a range vary at once; None where none of them moves it.

    `moving` are the result's swings, if they are known already.
    """
    moving = (yield from swings(calculator, values, result)) if moving is None else moving
    if not moving:
        return None
    names = sorted(swing.name for swing in moving)
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    trials = Trials(calculator, values, names, {result, *verdicts})
    results: list[float] = []
    counted: dict[str, dict[str, int]] = {name: {} for name in verdicts}
    for case in _cases(calculator, values, names):
        after = yield from trials.each_after(case)
        if after is not None and after[result] is not None:
            results.append(float(after[result]))
            for name in verdicts:
                verdict: Verdict = after[name]
                counted[name][verdict.level] = counted[name].get(verdict.level, 0) + 1
        yield
    if not results:
        return None
    results.sort()
    low, middle, high = (percentile(results, share) for share in (_TENTH, _HALF, _NINE_TENTHS))
    return Range(
        low=low,
        middle=middle,
        high=high,
        least=results[0],
        most=results[-1],
        cases=CASES,
        refused=CASES - len(results),
        levels={
            name: {level: count / len(results) for level, count in levels.items()} for name, levels in counted.items()
        },
    )


def widest(
    calculator: Calculator, values: Mapping[str, Any], result: str, moving: Sequence[Swing], found: Range | None
) -> tuple[float, float] | None:
    """Widest range of a result: its band, and any case beyond it.

    A result that moves in steps, such as a time that whole requests keep at its target, may peak inside the ranges.
    """
    ends = band(calculator, values, result, moving)
    if ends is None or found is None:
        return ends
    return min(*ends, found.least), max(*ends, found.most)


@search
def without_range(calculator: Calculator, values: Mapping[str, Any], result: str) -> Pauses[list[str]]:
    """Quantities that move a result but have no range, so that they keep their present values.

    Inputs computed from others are left out: their uncertainty is that of the others.
    """
    found: list[str] = []
    if calculator.is_refused(values):
        return found
    given = values.given if isinstance(values, Values) else frozenset(calculator.inputs)
    for name in calculator.explored:
        declared = calculator.inputs[name]
        present = values[name]
        behind = name in calculator.behind(result) or name in calculator.steps[result].needs
        if not isinstance(declared, Quantity) or not behind or not present or ends_of(declared, values):
            continue
        if name not in given and declared.fallback(given) is not None:
            continue
        there = present * _A_TENTH_MORE
        if declared.whole:
            there = float(max(present + 1, round(there)))
        if there > declared.hard[1]:
            there = present / _A_TENTH_MORE
        after = yield from Trials(calculator, values, {name}, {result}).each_after({name: there})
        yield
        there_is = None if after is None else after[result]
        if there_is is None or not math.isclose(there_is, values[result], rel_tol=_SAME):
            found.append(name)
    return found


def percentile(ascending: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies, interpolated linearly."""
    place = share * (len(ascending) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ascending) - 1)
    return ascending[below] + (ascending[above] - ascending[below]) * (place - below)


def triangular(share: float, low: float, likely: float, high: float) -> float:
    """The value below which this share of a triangular distribution lies: `low` to `high`, mode at `likely`.

    >>> triangular(0.5, 0, 1, 2), triangular(0.0, 0, 1, 2), triangular(1.0, 0, 1, 2)
    (1.0, 0.0, 2.0)
    """
    width = high - low
    if share * width < likely - low:
        return low + math.sqrt(share * width * (likely - low))
    return high - math.sqrt((1 - share) * width * (high - likely))


@search
def difference_range(calculator: Calculator, one: Drawn, other: Drawn) -> Pauses[tuple[float, float, float] | None]:
    """Quantiles (p10, p50, p90) of what the second of two results is more than the first.

    In every case both draw an input from the same place in its range: what they have in common cancels out. None where
    no input of either has a range.
    """
    both = []
    for each in (one, other):
        moving = yield from swings(calculator, *each)
        both.append((each, sorted(swing.name for swing in moving)))
    names = sorted({name for _, moving in both for name in moving})
    trials = [Trials(calculator, values, names_of_one, {result}) for (values, result), names_of_one in both]
    found = []
    for shares in _shares(names) if names else ():
        results: list[float] = []
        for ((values, result), names_of_one), trial in zip(both, trials, strict=True):
            case = {name: _drawn(calculator, values, name, shares[name]) for name in names_of_one}
            after = yield from trial.each_after(case)
            if after is not None and after[result] is not None:
                results.append(float(after[result]))
        if len(results) == len(both):
            found.append(results[1] - results[0])
        yield
    if not found:
        return None
    found.sort()
    low, middle, high = (percentile(found, share) for share in (_TENTH, _HALF, _NINE_TENTHS))
    return low, middle, high


def _cases(calculator: Calculator, values: Mapping[str, Any], names: Sequence[str]) -> Iterator[dict[str, float]]:
    """The cases: each input takes every stratum once, in an order of its own."""
    for shares in _shares(names):
        yield {name: _drawn(calculator, values, name, share) for name, share in shares.items()}


def _shares(names: Sequence[str]) -> Iterator[dict[str, float]]:
    """Where in its range each input is, from 0 to 1, case by case."""
    chance = _chances()
    columns = []
    for _ in names:
        order = sorted(range(CASES), key=[next(chance) for _ in range(CASES)].__getitem__)
        columns.append([(stratum + next(chance)) / CASES for stratum in order])
    for shares in zip(*columns, strict=True):
        yield dict(zip(names, shares, strict=True))


def _chances() -> Iterator[float]:
    """Random numbers from 0 to 1, the same in every Python: the minimal standard generator (Park and Miller, 1988)."""
    state = _SEED
    while True:
        state = state * _MULTIPLIER % _MODULUS
        yield state / _MODULUS


def _drawn(calculator: Calculator, values: Mapping[str, Any], name: str, share: float) -> float:
    declared = calculator.inputs[name]
    ends = ends_of(declared, values) if isinstance(declared, Quantity) else None
    if not isinstance(declared, Quantity) or ends is None:
        message = f"{name} has no range to draw from"
        raise TypeError(message)
    low, high = ends
    likely = min(max(values[name], low), high)
    if declared.scale == "log" and low > 0:
        drawn = math.exp(triangular(share, math.log(low), math.log(likely), math.log(high)))
    else:
        drawn = triangular(share, low, likely, high)
    return float(round(drawn)) if declared.whole else min(max(drawn, low), high)

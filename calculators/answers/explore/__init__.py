"""Exploration of a state: sensitivity of a result, its widest range, and recommended changes that help."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.trials import BROKEN, refused
from calculators.declare import Calculator, Choice, Quantity, Verdict

_CLOSE_ENOUGH = 1e-9
_MOST_RECOMMENDATIONS = 3


@dataclass(frozen=True, kw_only=True)
class Swing:
    """The ends of one input's range, and the result at each of them."""

    name: str
    low: float
    high: float
    at_low: float
    at_high: float

    @property
    def size(self) -> float:
        """Size of the result's move."""
        return abs(self.at_high - self.at_low)


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change of inputs and all values after it."""

    label: str
    changes: Mapping[str, Any]
    values: Mapping[str, Any]


def sweep(
    calculator: Calculator, values: Mapping[str, Any], name: str, result: str, points: Sequence[float]
) -> list[float | None]:
    """The result at each of these values of an input, all others as in `values`; None where it does not apply."""
    return [calculator.after(values, {name: point}, result)[result] for point in points]


def published_range(declared: Quantity, value: float | None) -> tuple[float, float] | None:
    """Ends of an input's published range, in proportion to the present value; None where none is published."""
    if declared.spread is None or declared.default == 0 or value is None:
        return None
    scale = value / declared.default if declared.default else 1
    low, high = (scale * end for end in declared.spread)
    least, most = declared.hard
    return max(low, least), min(high, most)


def ends_of(declared: Quantity, values: Mapping[str, Any]) -> tuple[float, float] | None:
    """Ends of an input's range: the reader's, else the published one; None where there is neither."""
    own: tuple[float, float] | None = getattr(values, "ranges", {}).get(declared.name)
    return own or published_range(declared, values[declared.name])


@search
def swings(calculator: Calculator, values: Mapping[str, Any], result: str) -> Pauses[list[Swing]]:
    """The swing of the result for every input with a range that moves it, the largest first; none if refused."""
    found: list[Swing] = []
    if calculator.is_refused(values):
        return found
    for name, declared in calculator.inputs.items():
        ends = ends_of(declared, values) if isinstance(declared, Quantity) else None
        if ends is None:
            continue
        for end in ends:
            yield from calculator.prepare(values, {name: end}, result)
        at_low, at_high = sweep(calculator, values, name, result, ends)
        yield
        if at_low is None or at_high is None:  # the result does not apply at an end
            continue
        if not math.isclose(at_low, at_high, rel_tol=_CLOSE_ENOUGH):
            found.append(Swing(name=name, low=ends[0], high=ends[1], at_low=at_low, at_high=at_high))
    return sorted(found, key=lambda swing: -swing.size)


def band(
    calculator: Calculator, values: Mapping[str, Any], result: str, moving: Sequence[Swing] | None = None
) -> tuple[float, float] | None:
    """Widest range of a result: all inputs with a range at their worst together, and at their best together.

    Where inputs compensate each other, as a larger batch does a faster step, one alone may move the result further;
    then that end counts. `moving` are the result's swings, if they are known already.
    """
    moving = swings(calculator, values, result).run() if moving is None else moving
    if not moving:
        return None
    lowest = {s.name: s.low if s.at_low < s.at_high else s.high for s in moving}
    highest = {s.name: s.high if s.at_low < s.at_high else s.low for s in moving}
    corners = [calculator.after(values, each, result)[result] for each in (lowest, highest)]
    if None in corners:
        return None
    reached = [*corners, *(end for swing in moving for end in (swing.at_low, swing.at_high))]
    return min(reached), max(reached)


@search
def recommendations(calculator: Calculator, values: Mapping[str, Any]) -> Pauses[list[Change]]:
    """The first few changes after which every verdict is good or tight, the cheapest first, and one of each kind."""
    found: list[Change] = []
    for label, changes in calculator.recommendations(values) if calculator.recommendations else ():
        if label in {one.label for one in found}:
            continue
        change = _trial(calculator, values, label, changes)
        found += [change] if change else []
        yield
        if len(found) == _MOST_RECOMMENDATIONS:
            break
    return found


def _trial(calculator: Calculator, values: Mapping[str, Any], label: str, changes: Mapping[str, Any]) -> Change | None:
    if not all(_possible(calculator, name, value) for name, value in changes.items()):
        return None
    try:
        after = calculator.after(values, changes)
    except BROKEN:
        return None
    if refused(calculator.of_role("constraint"), after) or calculator.is_refused(after):
        return None
    if any(value.level == "bad" for value in after.values() if isinstance(value, Verdict)):
        return None
    return Change(label=label, changes=changes, values=after)


def _possible(calculator: Calculator, name: str, value: Any) -> bool:
    """Whether the input accepts this value."""
    declared = calculator.inputs[name]
    return isinstance(declared, Choice) or value is None or declared.hard[0] <= value <= declared.hard[1]

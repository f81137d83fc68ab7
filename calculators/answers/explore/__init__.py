"""Exploring a calculator: what moves an answer, how far it may be wrong, and what would have to change."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers.explore.search import Pauses, search
from calculators.declare import Calculator, Choice, Quantity, Verdict

_CLOSE_ENOUGH = 1e-9
_MOST_RECOMMENDATIONS = 3


@dataclass(frozen=True, kw_only=True)
class Swing:
    """How a result moves when one input goes through its hedge: the input's ends, and the result at each."""

    name: str
    low: float
    high: float
    at_low: float
    at_high: float

    @property
    def size(self) -> float:
        """How much of the result the input moves."""
        return abs(self.at_high - self.at_low)


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change of inputs and every value after it."""

    label: str
    changes: Mapping[str, Any]
    values: Mapping[str, Any]


def sweep(
    calculator: Calculator, values: Mapping[str, Any], name: str, result: str, points: Sequence[float]
) -> list[float | None]:
    """The result at each of the input's points, everything else as in `values`; None where there is none of it."""
    return [calculator.after(values, {name: point}, result)[result] for point in points]


def hedge(declared: Quantity, value: float | None) -> tuple[float, float] | None:
    """The spread of an input around the present value: in proportion, as it was published around the default."""
    if declared.spread is None or declared.default == 0 or value is None:
        return None
    scale = value / declared.default if declared.default else 1
    low, high = (scale * end for end in declared.spread)
    least, most = declared.hard
    return max(low, least), min(high, most)


def ends_of(declared: Quantity, values: Mapping[str, Any]) -> tuple[float, float] | None:
    """Between which values an input may lie: as the reader said, else as published."""
    said: tuple[float, float] | None = getattr(values, "ranges", {}).get(declared.name)
    return said or hedge(declared, values[declared.name])


@search
def swings(calculator: Calculator, values: Mapping[str, Any], result: str) -> Pauses[list[Swing]]:
    """How each input with a range moves the result, the strongest first; inputs that do not move it are left out."""
    found = []
    for name, declared in calculator.inputs.items():
        ends = ends_of(declared, values) if isinstance(declared, Quantity) else None
        if ends is None:
            continue
        at_low, at_high = sweep(calculator, values, name, result, ends)
        yield
        if at_low is None or at_high is None:  # at an end there is none of it, which is no distance to rank
            continue
        if not math.isclose(at_low, at_high, rel_tol=_CLOSE_ENOUGH):
            found.append(Swing(name=name, low=ends[0], high=ends[1], at_low=at_low, at_high=at_high))
    return sorted(found, key=lambda swing: -swing.size)


def band(
    calculator: Calculator, values: Mapping[str, Any], result: str, moving: Sequence[Swing] | None = None
) -> tuple[float, float] | None:
    """The result with every hedged input at its worst and at its best: the widest it can honestly be.

    Where one makes up for another, as a larger batch for a faster step, any of them alone may move it further; then
    that counts. `moving` are the result's swings, if they are known already.
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
    """The first few changes the calculator proposes after which every verdict is good or tight, cheapest first."""
    found: list[Change] = []
    for label, changes in calculator.recommendations(values) if calculator.recommendations else ():
        change = _tried(calculator, values, label, changes)
        found += [change] if change else []
        yield
        if len(found) == _MOST_RECOMMENDATIONS:
            break
    return found


def _tried(calculator: Calculator, values: Mapping[str, Any], label: str, changes: Mapping[str, Any]) -> Change | None:
    inputs = {**values, **changes}
    if not all(_possible(calculator, name, value) for name, value in changes.items()):
        return None
    if any(check.function(*[inputs[need] for need in check.needs]) for check in calculator.of_role("constraint")):
        return None
    after = calculator.after(values, changes)
    if any(value.level == "bad" for value in after.values() if isinstance(value, Verdict)):
        return None
    return Change(label=label, changes=changes, values=after)


def _possible(calculator: Calculator, name: str, value: Any) -> bool:
    """Whether the input would take this value from a reader."""
    declared = calculator.inputs[name]
    return isinstance(declared, Choice) or value is None or declared.hard[0] <= value <= declared.hard[1]

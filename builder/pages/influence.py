"""Influence: how much each input moves the main results, so that pages show the most important first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from calculators.declare import Calculator, Choice, InputError, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from calculators.declare import Input

_STEP = 1.25  # within what most inputs are in doubt by
_RESULTS = 3  # of the headline: those that a reader takes along


def influence(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, float]:
    """By input: how far the first results move when it does, as powers of its own step; 0 where nothing moves.

    A verdict that changes counts as much as a result that follows its input one to one.
    """
    watched = [*calculator.headline[:_RESULTS], *(n for n, value in values.items() if isinstance(value, Verdict))]
    return {
        name: max(
            (_moved(calculator, values, watched, {name: other}) for other in _other_values(declared, values[name])),
            default=0.0,
        )
        for name, declared in calculator.inputs.items()
    }


def _other_values(declared: Input, value: Any) -> Iterator[Any]:
    """Other values that the input might as well have."""
    if isinstance(declared, Choice):
        yield from (option.value for option in declared.options.values() if option.value != value)
    elif isinstance(value, int | float) and math.isfinite(value) and value:
        low, high = declared.hard
        step = 2 if declared.doubling else _STEP
        for other in (value * step, value / step):
            kept = min(max(other, low), high)
            yield float(round(kept)) if declared.whole else kept


def _moved(calculator: Calculator, before: Mapping[str, Any], watched: list[str], change: Mapping[str, Any]) -> float:
    try:
        after = calculator.after(before, change)
    except (
        ArithmeticError,
        ValueError,
        TypeError,
        InputError,
    ):  # an input that the others rule out
        return 0.0
    return max(_distance(before[name], after[name]) for name in watched)


def _distance(one: Any, other: Any) -> float:
    if isinstance(one, Verdict):
        return float(one.level != other.level)
    if one == other:
        return 0.0
    if one * other <= 0:
        return 1.0
    return abs(math.log(other / one)) / math.log(_STEP)

"""Results of solving: targets and limits, solutions along one input, and the texts that lead there."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.answers.explore.search import Pauses
from calculators.answers.explore.trials import Trials
from calculators.answers.input_state import InputState
from calculators.declare import AnyFormula, Calculator, Quantity, Values, Verdict

DIGITS = 4
MOST_DIGITS = 7
BOUNDS = {"most": "at most", "least": "at least"}


@dataclass(frozen=True)
class Limit:
    """A target that a result may not exceed ("most") or must reach ("least"); `value` in base units."""

    bound: str
    value: float

    def allows(self, result: Any) -> bool:
        """Whether a result is within it."""
        if not isinstance(result, int | float):
            return False
        return result <= self.value if self.bound == "most" else result >= self.value


Wanted = float | str | Limit  # a result's value, the level of a verdict, a limit


def goal(formula: AnyFormula, wanted: Wanted) -> str:
    """The target as text: "1 MW", "at most 1 MW", "good"."""
    if isinstance(wanted, Limit):
        return f"{BOUNDS[wanted.bound]} {formula.text(wanted.value)}"
    return wanted if isinstance(wanted, str) else formula.text(wanted)


def plain(wanted: Wanted) -> Any:
    """The target as plain data: a number, a level, or `{"at_most": number}`."""
    return {BOUNDS[wanted.bound].replace(" ", "_"): wanted.value} if isinstance(wanted, Limit) else wanted


@dataclass(frozen=True, kw_only=True)
class Offer:
    """One way to the target: an input's value and the result, as text, and the texts of inputs that lead there."""

    value: str
    result: str
    note: str
    changes: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Found:
    """Solutions along one input or menu: a sentence, plain data, and offers."""

    name: str
    sentence: str
    data: Mapping[str, Any]
    reached: bool
    offers: tuple[Offer, ...] = ()


@dataclass(frozen=True)
class State:
    """Calculator, its inputs and values."""

    calculator: Calculator
    resolved: InputState
    values: Values


def typed(state: State, declared: Quantity, result: str, value: float) -> Pauses[str]:
    """The shortest text to type that gives the result as readers see it, and at its level; else the value exactly."""
    trials = Trials(state.calculator, state.values, {declared.name}, {result})

    def there(value: float) -> Pauses[tuple[str, str]]:
        found = ((yield from trials.each_after({declared.name: value})) or {}).get(result)
        level = found.level if isinstance(found, Verdict) else ""
        return level, "" if found is None else state.calculator.steps[result].text(found)

    wanted = yield from there(value)
    for digits in range(DIGITS, MOST_DIGITS) if not declared.whole else ():
        text = units.text(value, declared.unit, binary=declared.binary, label=False, digits=digits)
        try:
            if (yield from there(units.parse(text, declared.unit))) == wanted:
                return text
        except units.UnitError:
            break
    return declared.box(value)


def inner_text(declared: Quantity, value: float, toward: float) -> str:
    """An end of a stretch, rounded into it."""
    return (
        declared.text(value)
        if declared.whole
        else units.text_toward(value, toward, declared.unit, binary=declared.binary)
    )


def range_text(declared: Quantity, low: float | None, high: float | None) -> str:
    """A stretch of values, its ends rounded into it; None for an end of the range."""
    if low is None and high is None:
        return "anywhere in its slider range"
    if low is None:
        return f"{inner_text(declared, high or 0.0, -math.inf)} and below"
    if high is None:
        return f"from {inner_text(declared, low, math.inf)} on"
    return f"{inner_text(declared, low, math.inf)} to {inner_text(declared, high, -math.inf)}"

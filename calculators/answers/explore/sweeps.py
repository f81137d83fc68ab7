"""Sweeps: a result along one input, for one or several values of a second, with the thresholds of verdicts."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers import sliders
from calculators.answers.explore import margins
from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.thresholds import InputTrials, Threshold, by_word
from calculators.answers.explore.trials import Trials
from calculators.declare import Calculator, Choice, Quantity

_MOST_POINTS = 61
_OUTLINE_EVERY = 8
_A_BIT = 1.1  # the increase whose effect is reported


@dataclass(frozen=True, kw_only=True)
class Line:
    """Results along the input, with the second one at `value`; None where a constraint refuses the inputs.

    `thresholds`: values at which a verdict changes its level or word, each with the verdict's name.
    """

    value: Any
    results: tuple[float | None, ...]
    thresholds: tuple[tuple[str, Threshold], ...]


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """A result along an input's `points`; `family` names the second input, if there is one.

    `more`: the factor by which the result changes at 10% more than the present input; None where that is unknown.
    """

    name: str
    result: str
    points: tuple[float, ...]
    family: str
    lines: tuple[Line, ...]
    more: float | None

    @property
    def is_constant(self) -> bool:
        """Whether all known results are the same."""
        known = {result for line in self.lines for result in line.results if result is not None}
        return len(known) == 1


def points(declared: Quantity, low: float, high: float, present: float | None = None) -> tuple[float, ...]:
    """Round values from `low` to `high`, both among them, and the present one where it lies between them."""
    known = sliders.stops(sliders.spanning(declared, low, high))
    every = math.ceil(len(known) / _MOST_POINTS)
    chosen = {low, high, *known[::every]}
    if present is not None and low < present < high:
        chosen.add(present)
    return tuple(sorted(chosen))


@search
def sweep(
    calculator: Calculator,
    values: Mapping[str, Any],
    name: str,
    result: str,
    ends: tuple[float, float],
    family: tuple[str, Sequence[Any]] = ("", ()),
) -> Pauses[Sweep]:
    """The result from one end to the other of an input; `family`: a second input and its values, a line for each."""
    declared = _quantity(calculator, name)
    stops = points(declared, *ends, values[name])
    lines = []
    for value in _of_family(family):
        start = yield from _start(calculator, values, family[0], value)
        results = yield from _results(Trials(calculator, start, {name}, {result}), name, result, stops)
        thresholds = []
        verdicts = [formula.name for formula in calculator.of_role("verdict")]
        trials = InputTrials(calculator, start, sliders.spanning(declared, *ends), verdicts, accepted=True)
        for formula in calculator.of_role("verdict"):
            there = yield from margins.thresholds(calculator, start, name, formula.name, ends, by_word, trials)
            thresholds += [(formula.name, one) for one in there]
        lines.append(Line(value=value, results=results, thresholds=tuple(thresholds)))
    return Sweep(
        name=name,
        result=result,
        points=stops,
        family=family[0],
        lines=tuple(lines),
        more=(yield from _more(calculator, values, declared, result)),
    )


@search
def outline(
    calculator: Calculator,
    values: Mapping[str, Any],
    name: str,
    result: str,
    ends: tuple[float, float],
    family: tuple[str, Sequence[Any]] = ("", ()),
) -> Pauses[Sweep]:
    """What of a sweep is known soon where layouts are searched for: a few points, all where the result needs no search.

    No thresholds of verdicts.
    """
    searching = result in calculator.searched_values
    all_stops = points(_quantity(calculator, name), *ends, values[name])
    few = {*all_stops[::_OUTLINE_EVERY], all_stops[-1], values[name]} if searching else all_stops
    stops = tuple(stop for stop in all_stops if stop in few)
    lines = []
    for value in _of_family(family):
        start = yield from _start(calculator, values, family[0], value)
        trials = Trials(calculator, start, {name}, {result}, searching=searching)
        results = yield from _results(trials, name, result, stops)
        lines.append(Line(value=value, results=results, thresholds=()))
    return Sweep(name=name, result=result, points=stops, family=family[0], lines=tuple(lines), more=None)


def _of_family(family: tuple[str, Sequence[Any]]) -> Sequence[Any]:
    """The values of the second input; None alone without one."""
    return family[1] if family[0] else (None,)


def _start(calculator: Calculator, values: Mapping[str, Any], second: str, value: Any) -> Pauses[Mapping[str, Any]]:
    """The state from which the line of a value of the second input starts; without one, the state itself."""
    if not second:
        return values
    yield from calculator.prepare(values, {second: value})
    return calculator.after(values, {second: value})


def _quantity(calculator: Calculator, name: str) -> Quantity:
    declared = calculator.inputs[name]
    if isinstance(declared, Choice):
        message = f"{name} is a choice: it has options, no values between two ends"
        raise TypeError(message)
    return declared


def _results(trials: Trials, name: str, result: str, stops: Sequence[float]) -> Pauses[tuple[float | None, ...]]:
    found = []
    for stop in stops:
        after = yield from trials.each_after({name: stop})
        found.append(None if after is None else _number(after[result]))
        yield
    return tuple(found)


def _more(calculator: Calculator, values: Mapping[str, Any], declared: Quantity, result: str) -> Pauses[float | None]:
    """The factor by which 10% more of the input changes the result."""
    present, now = values[declared.name], _number(values[result])
    if not present or not now or declared.whole:
        return None
    trials = Trials(calculator, values, {declared.name}, {result})
    after = yield from trials.each_after({declared.name: present * _A_BIT})
    there = _number(after[result]) if after else None
    return there / now if there is not None and present * _A_BIT <= declared.hard[1] else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None

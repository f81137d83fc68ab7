"""How sure a result is, in words and as data: what moves it, its assumed range, and the widest it can be."""

from collections.abc import Mapping, Sequence
from typing import Any

from calculators import units
from calculators.answers import explore
from calculators.answers.explore import Swing, sampling
from calculators.answers.explore.sampling import Range
from calculators.declare import Calculator, Choice, InputError, Values

METHOD = (
    f"Likely range: 10th to 90th percentile of {sampling.CASES} cases, all hedged inputs drawn at once, each from a "
    "triangle over its hedge and independently of the others. It is assumed, and no confidence interval. Widest: all "
    "of them at their worst together."
)
_BAR = 24
_LEVELS = ("good", "tight", "bad")


def result_named(calculator: Calculator, values: Values, asked: str, flag: str = "tornado") -> str:
    """The declared name of a result that is a number. Raises InputError."""
    name = calculator.also_called.get(asked.replace("-", "_"), asked.replace("-", "_"))
    if name not in calculator.steps or not isinstance(values[name], int | float):
        numbers = ", ".join(name for name in calculator.steps if isinstance(values[name], int | float))
        raise InputError({flag: f"“{asked}” is no result that is a number; there are {numbers}"})
    return name


def sentence(calculator: Calculator, values: Mapping[str, Any], result: str) -> str:
    """Likely value, assumed range and the widest."""
    moving = explore.swings(calculator, values, result)
    return _sentence(calculator, values, result, moving, sampling.assumed_range(calculator, values, result, moving))


def lines(calculator: Calculator, values: Values, result: str) -> list[str]:
    """The sentence, the ranking with a bar for each input, what has no hedge, and how it was done."""
    formula = calculator.steps[result]
    moving = explore.swings(calculator, values, result)
    found = sampling.assumed_range(calculator, values, result, moving)
    told = [_sentence(calculator, values, result, moving, found), ""]
    told += _ranking(calculator, values, result, moving)
    told += _chances(calculator, found)
    still = [calculator.inputs[name].label for name in sampling.without_hedge(calculator, values, result)]
    if still:
        told += [
            f"Held as they stand, without a published hedge: {', '.join(still)}. Type a range to give one: 30–45 %."
        ]
    return [*told, METHOD] if moving else [*told, f"Nothing that moves {formula.label} has a hedge."]


def described(calculator: Calculator, values: Values, result: str) -> dict[str, Any]:
    """The same as plain data, values in base units."""
    formula = calculator.steps[result]
    moving = explore.swings(calculator, values, result)
    found = sampling.assumed_range(calculator, values, result, moving)
    return {
        "result": {"name": result, "unit": units.base_symbol(formula.unit), "likely": values[result]},
        "range": None
        if found is None
        else {
            "kind": "assumed",
            "p10": found.low,
            "p50": found.middle,
            "p90": found.high,
            "cases": found.cases,
            "refused": found.refused,
        },
        "widest": explore.band(calculator, values, result, moving),
        "verdicts": {} if found is None else {name: dict(levels) for name, levels in found.levels.items()},
        "swings": [
            {
                "input": swing.name,
                "unit": _unit(calculator, swing.name),
                "low": swing.low,
                "high": swing.high,
                "at_low": swing.at_low,
                "at_high": swing.at_high,
                "hedge": "yours" if swing.name in values.ranges else "published",
            }
            for swing in moving
        ],
        "without_hedge": sampling.without_hedge(calculator, values, result),
        "sentence": _sentence(calculator, values, result, moving, found),
        "method": METHOD,
    }


def _unit(calculator: Calculator, name: str) -> str:
    declared = calculator.inputs[name]
    return "" if isinstance(declared, Choice) else units.base_symbol(declared.unit)


def _sentence(
    calculator: Calculator, values: Mapping[str, Any], result: str, moving: Sequence[Swing], found: Range | None
) -> str:
    formula = calculator.steps[result]
    widest = explore.band(calculator, values, result, moving)
    told = f"{formula.label}: {formula.text(values[result])}"
    if found is not None:
        told += f", likely {formula.text(found.low)} to {formula.text(found.high)}"
    if widest is not None:
        told += f", at the widest {formula.text(min(widest))} to {formula.text(max(widest))}"
    return f"{told}."


def _ranking(calculator: Calculator, values: Values, result: str, moving: Sequence[Swing]) -> list[str]:
    if not moving:
        return []
    formula = calculator.steps[result]
    least = min(min(swing.at_low, swing.at_high) for swing in moving)
    most = max(max(swing.at_low, swing.at_high) for swing in moving)
    rows = []
    for swing in moving:
        ends = f"{calculator.text(swing.name, swing.low)} to {calculator.text(swing.name, swing.high)}"
        whose = " (yours)" if swing.name in values.ranges else ""
        effect = f"{formula.text(swing.at_low)} to {formula.text(swing.at_high)}"
        rows.append((calculator.inputs[swing.name].label, ends + whose, effect, _bar(swing, least, most)))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)), row[3]]).rstrip()
        for row in rows
    ] + [""]


def _bar(swing: Swing, least: float, most: float) -> str:
    low, high = sorted((swing.at_low, swing.at_high))
    start, end = (round((place - least) / ((most - least) or 1.0) * _BAR) for place in (low, high))
    return " " * min(start, _BAR - 1) + "█" * max(1, end - start)


def _chances(calculator: Calculator, found: Range | None) -> list[str]:
    """Of each verdict that is not the same in all cases, in how many it is at which level."""
    told = []
    for name, levels in found.levels.items() if found else ():
        if len(levels) > 1:
            shares = [
                f"{level} in {units.text(levels[level], 'share', digits=2)}" for level in _LEVELS if level in levels
            ]
            told.append(f"{calculator.steps[name].label} {', '.join(shares)} of the cases.")
    return told

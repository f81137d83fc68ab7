"""Uncertainty of a result as text and data: inputs that move it, estimated range, widest range."""

from collections.abc import Mapping, Sequence
from typing import Any

from calculators import units
from calculators.answers import explore
from calculators.answers.explore import Swing, sampling
from calculators.answers.explore.bands import bands, bracketed
from calculators.answers.explore.sampling import Range
from calculators.answers.explore.search import Pauses, Run, Search, search
from calculators.answers.suggestions import suggestion
from calculators.declare import Calculator, Choice, InputError, Values

METHOD = (
    f"Estimated range: p10 to p90 of {sampling.CASES} cases. Every input with a range is drawn independently, from a "
    "triangular distribution over that range (by ratio on a logarithmic slider). This is an assumption, not a "
    "confidence interval. Widest range: all inputs at their worst together, or a single input or case that goes "
    "further."
)
_BAR = 24
_LEVELS = ("good", "tight", "bad")


def result_named(calculator: Calculator, values: Values, query: str, flag: str = "tornado") -> str:
    """The declared name of a result that is a number. Raises InputError."""
    name = calculator.result_aliases.get(query.replace("-", "_"), query.replace("-", "_"))
    if name not in calculator.steps or not isinstance(values[name], int | float):
        numbers = [name for name in calculator.steps if isinstance(values[name], int | float)]
        message = f"“{query}” is not a numeric result; {suggestion(calculator, name, numbers)}"
        raise InputError({flag: message})
    return name


def sentence(calculator: Calculator, values: Mapping[str, Any], result: str) -> str:
    """Present value, estimated range and widest range."""
    moving = explore.swings(calculator, values, result).run()
    return range_sentence(
        calculator, values, result, moving, sampling.assumed_range(calculator, values, result, moving).run()
    )


def lines(calculator: Calculator, values: Values, result: str, run: Run = Search.run) -> list[str]:
    """The sentence, the ranking with a bar for each input, the inputs without a range, and the method."""
    moving = run(explore.swings(calculator, values, result))
    found = run(sampling.assumed_range(calculator, values, result, moving))
    text_lines = [range_sentence(calculator, values, result, moving, found), ""]
    text_lines += _ranking(calculator, values, result, moving)
    text_lines += chances(calculator, found)
    still = [calculator.inputs[name].label for name in run(sampling.without_range(calculator, values, result))]
    if still:
        text_lines += [
            f"Fixed at their present values, because no range is published: {', '.join(still)}.",
            "Type a range to vary one: 30–45%.",
        ]
    return [*text_lines, method(calculator, values, result, moving)]


def method(calculator: Calculator, values: Mapping[str, Any], result: str, moving: Sequence[Swing]) -> str:
    """How the range of a result was estimated, or why there is none."""
    if calculator.is_refused(values):
        return "Frameworks refuse this layout: change it before you look at ranges."
    return METHOD if moving else f"No input that moves {calculator.steps[result].label} has a range."


@search
def described(calculator: Calculator, values: Values, result: str) -> Pauses[dict[str, Any]]:
    """Uncertainty as plain data, values in base units."""
    moving = yield from explore.swings(calculator, values, result)
    found = yield from sampling.assumed_range(calculator, values, result, moving)
    return (yield from as_data(calculator, values, result, moving, found))


@search
def as_data(
    calculator: Calculator, values: Values, result: str, moving: Sequence[Swing], found: Range | None
) -> Pauses[dict[str, Any]]:
    """The same, from a ranking and a range that are known."""
    formula = calculator.steps[result]
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
        "widest": sampling.widest(calculator, values, result, moving, found),
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
        "without_hedge": (yield from sampling.without_range(calculator, values, result)),
        "sentence": range_sentence(calculator, values, result, moving, found),
        "method": METHOD,
    }


def _unit(calculator: Calculator, name: str) -> str:
    declared = calculator.inputs[name]
    return "" if isinstance(declared, Choice) else units.base_symbol(declared.unit)


def range_sentence(
    calculator: Calculator, values: Mapping[str, Any], result: str, moving: Sequence[Swing], found: Range | None
) -> str:
    """The sentence, from a ranking and a range that are known."""
    formula = calculator.steps[result]
    widest = sampling.widest(calculator, values, result, moving, found)
    text = f"{formula.label}: {formula.text(values[result])}"
    if found is not None:
        text += f", estimated {found.text(values[result], formula.text)}"
    if widest is not None:
        text += f", at the widest {formula.text(widest[0])} to {formula.text(widest[1])}"
    return f"{text}.{_band(calculator, values, result)}"


def _band(calculator: Calculator, values: Mapping[str, Any], result: str) -> str:
    """Sentence on the range in the answer, which is another one: how far published runs were off."""
    if result not in calculator.bands or not (shown := bracketed(bands(calculator, values), result)):
        return ""
    return (
        f" In the answer it is{shown.replace(' (', ' ').removesuffix(')')}: how far published runs were from "
        "predictions, which the ranges of inputs leave out."
    )


def ends(calculator: Calculator, values: Mapping[str, Any], swing: Swing) -> str:
    """The range that an input was moved through, marked where it is the reader's own."""
    ends = f"{calculator.text(swing.name, swing.low)} to {calculator.text(swing.name, swing.high)}"
    return f"{ends} (your range)" if swing.name in getattr(values, "ranges", {}) else ends


def _ranking(calculator: Calculator, values: Values, result: str, moving: Sequence[Swing]) -> list[str]:
    if not moving:
        return []
    formula = calculator.steps[result]
    least = min(min(swing.at_low, swing.at_high) for swing in moving)
    most = max(max(swing.at_low, swing.at_high) for swing in moving)
    rows = []
    for swing in moving:
        span = ends(calculator, values, swing)
        effect = f"{formula.text(swing.at_low)} to {formula.text(swing.at_high)}"
        rows.append((calculator.inputs[swing.name].label, span, effect, _bar(swing, least, most)))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)), row[3]]).rstrip()
        for row in rows
    ] + [""]


def _bar(swing: Swing, least: float, most: float) -> str:
    low, high = sorted((swing.at_low, swing.at_high))
    start, end = (round((place - least) / ((most - least) or 1.0) * _BAR) for place in (low, high))
    return " " * min(start, _BAR - 1) + "█" * max(1, end - start)


def chances(calculator: Calculator, found: Range | None) -> list[str]:
    """Share of the cases by level, for each verdict that differs among them."""
    texts = []
    for name, levels in found.levels.items() if found else ():
        if len(levels) > 1:
            shares = [
                f"{level} in {units.text(levels[level], 'share', digits=2)}" for level in _LEVELS if level in levels
            ]
            texts.append(f"{calculator.steps[name].label} {', '.join(shares)} of the cases.")
    return texts

"""Exploration of a state as finished text: sensitivity, thresholds, recommendations, range, inputs without effect.

It comes in parts, because it may take long.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators.answers import answer, explore
from calculators.answers.explore import influence, margins, sampling
from calculators.answers.explore.search import Pauses, search
from calculators.answers.messages import Advice, Answer, Swing
from calculators.answers.review import margins as margin_text
from calculators.answers.review import sweep
from calculators.declare import AnyFormula, Calculator, Values

_WORSE = ("good", "tight", "bad")
_NO_EFFECT = {"nothing": "no effect now", "other results": "not in the answer now"}
_WHOLE = 100.0
_LEAST_WIDTH = 0.5


def responses(calculator: Calculator, values: Values) -> Iterator[Answer]:
    """The exploration in parts: after each piece of work what it found, possibly nothing."""
    first = calculator.steps[sweep.first_number(calculator, values)]
    found = yield from explore.swings(calculator, values, first.name).slices()
    rows = swings(calculator, values, first, found)
    band = _band(calculator, values, first, found, None)
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    exact = yield from margins.nearest(calculator, values, verdicts).slices()
    # Together, so that a page is drawn once for both: drawing takes the processor from what is still to come.
    yield {"about": first.name, "swings": rows, "band": band, "edges": edges(calculator, values, exact)}
    yield {"advice": (yield from advice(calculator, values).slices())}
    likely = yield from sampling.assumed_range(calculator, values, first.name, found).slices()
    yield {
        "likely": "" if likely is None else _between(first, (likely.low, likely.high)),
        "band": _band(calculator, values, first, found, likely),
    }
    yield {"idle": (yield from idle(calculator, values).slices())}


@search
def advice(calculator: Calculator, values: Values) -> Pauses[list[Advice]]:
    """Recommended changes and their effects."""
    helpful = yield from explore.recommendations(calculator, values)
    return [_advice(calculator, values, change) for change in helpful]


@search
def idle(calculator: Calculator, values: Values) -> Pauses[dict[str, str]]:
    """Inputs that do not change the answer at present, and in what words."""
    words: dict[str, str] = {}
    for name in calculator.inputs:
        word = _NO_EFFECT.get((yield from influence.reach(calculator, values, name)))
        words.update({name: word} if word else {})
        yield
    return words


def edges(calculator: Calculator, values: Values, found: Mapping[str, margins.Margin | None]) -> dict[str, str]:
    """The closest threshold of each verdict as a sentence; empty where there is none."""
    return {name: margin_text.closest_sentence(calculator, values, one) if one else "" for name, one in found.items()}


def swings(calculator: Calculator, values: Values, result: AnyFormula, found: list[explore.Swing]) -> list[Swing]:
    """Each input's effect on the result within its range, as texts and places of its bar."""
    if not found:
        return []
    least = min(min(s.at_low, s.at_high) for s in found)
    most = max(max(s.at_low, s.at_high) for s in found)
    width = most - least  # each of them moves the result
    rows: list[Swing] = []
    for swing in found:
        start, end = sorted((swing.at_low, swing.at_high))
        rows.append(
            {
                "name": swing.name,
                "label": calculator.inputs[swing.name].label,
                "hedge": f"{calculator.text(swing.name, swing.low)} to {calculator.text(swing.name, swing.high)}",
                "result": f"{result.text(start)} to {result.text(end)}",
                "x": f"{(start - least) / width * _WHOLE:.2f}%",
                "width": f"{max((end - start) / width * _WHOLE, _LEAST_WIDTH):.2f}%",
                "now": f"{(values[result.name] - least) / width * _WHOLE:.2f}%",
            }
        )
    return rows


def _band(
    calculator: Calculator,
    values: Values,
    result: AnyFormula,
    found: list[explore.Swing],
    likely: sampling.Range | None,
) -> str:
    ends = sampling.widest(calculator, values, result.name, found, likely)
    return "" if ends is None else _between(result, ends)


def _between(result: AnyFormula, ends: tuple[float, float]) -> str:
    low, high = (result.text(end) for end in ends)
    return low if low == high else f"{low} to {high}"


def _advice(calculator: Calculator, values: Values, change: explore.Change) -> Advice:
    """A recommended change and its effect on the worst verdict, and on others that get worse."""
    after: dict[str, Any] = dict(change.values)
    before, then = answer.verdicts(calculator, values), answer.verdicts(calculator, after)
    worst = max(before, key=lambda name: _WORSE.index(before[name]["level"]))
    others = [
        f"{calculator.steps[name].label.rstrip('?')}: {then[name]['word']}"
        for name in before
        if name != worst and _WORSE.index(then[name]["level"]) > _WORSE.index(before[name]["level"])
    ]
    return {
        "label": answer.filled(calculator, change.label, after),
        "outcome": f"{then[worst]['word']}: {then[worst]['reason']}"
        + (f" Trade-off: {'; '.join(others)}." if others else ""),
        "changes": {name: calculator.inputs[name].box(value) for name, value in change.changes.items()},
    }

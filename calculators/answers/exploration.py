"""The exploration of a state as finished text: what moves the first headline, how near verdicts are to their edges.

Also how far it may be off, and what would help.

It may take long, so it is told part by part: whoever asks for the next part decides when.
"""

from collections.abc import Generator, Iterator
from typing import Any

from calculators.answers import answer, explore
from calculators.answers.explore import effect, sampling, sweeps
from calculators.answers.explore.nearest import seek_nearest
from calculators.answers.explore.trials import Found
from calculators.answers.messages import Advice, Answer, Swing
from calculators.answers.review import chart, lines
from calculators.answers.review import margins as told
from calculators.answers.review.tradeoff import tradeoff
from calculators.declare import AnyFormula, Calculator, Quantity, Values

_WORSE = ("good", "tight", "bad")
_NO_EFFECT = {"nothing": "no effect now", "other results": "not in the answer now"}
_WHOLE = 100.0
_LEAST_WIDTH = 0.5


def exploration(calculator: Calculator, values: Values) -> Answer:
    """All of it at once."""
    whole: Answer = {}
    for part in parts(calculator, values):
        whole.update(part)
    return whole


def parts(calculator: Calculator, values: Values) -> Iterator[Answer]:
    """It bit by bit: after each bit of work what has become known by it, which may be nothing."""
    first = calculator.steps[lines.first_number(calculator, values)]
    found: list[explore.Swing] = []
    for swing in explore.each_swing(calculator, values, first.name):
        found += [swing] if swing else []
        yield {}
    found.sort(key=lambda swing: -swing.size)
    swings = _swings(calculator, values, first, found)
    band = _band(calculator, values, first, found, None)
    edges = yield from _edges(calculator, values)
    # Together, so that a page is drawn once for both: drawing takes the processor from what is still to come.
    yield {"about": first.name, "swings": swings, "band": band, "edges": edges}
    if calculator.tradeoff:
        curve, said = tradeoff(calculator, values)
        yield {"tradeoff": curve, "tradeoff_shows": said}
    helpful: list[explore.Change] = []
    for change in explore.each_advice(calculator, values):
        helpful += [change] if change else []
        yield {}
    yield {"advice": [_advice(calculator, values, change) for change in helpful]}
    likely = yield from _likely(calculator, values, first, found)
    yield {
        "likely": "" if likely is None else _between(first, (likely.low, likely.high)),
        "band": _band(calculator, values, first, found, likely),
    }
    drawn, shows = yield from _sweep(calculator, values)
    yield {"chart": drawn, "chart_shows": shows}
    idle: dict[str, str] = {}
    for name in calculator.inputs:
        word = _NO_EFFECT.get(effect.reach(calculator, values, name))
        idle.update({name: word} if word else {})
        yield {}
    yield {"idle": idle}


def pausing(search: Generator[None, None, Found]) -> Generator[Answer, None, Found]:
    """A search with pauses in which nothing is told: a trial may take a whole search itself."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: Found = end.value
            return found
        yield {}


def _edges(calculator: Calculator, values: Values) -> Generator[Answer, None, dict[str, str]]:
    """The nearest edge of each verdict; none where no factor leads to one."""
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    found = yield from pausing(seek_nearest(calculator, values, verdicts))
    return {name: told.nearest_sentence(calculator, values, one) if one else "" for name, one in found.items()}


def _sweep(calculator: Calculator, values: Values) -> Generator[Answer, None, tuple[str, str]]:
    """The chart of the first headline along the input that matters most and moves it, and what it shows."""
    sliders = [calculator.inputs[name] for name in (*calculator.first_sliders, *calculator.inputs)]
    declared = next(one for one in sliders if isinstance(one, Quantity) and values[one.name] is not None)
    result = lines.first_number(calculator, values, declared.name)
    search = sweeps.each_sweep(calculator, values, declared.name, result, declared.slider)
    swept = yield from pausing(search)
    said = lines.sentence(calculator, values, swept)
    yield {}
    return chart.chart(calculator, values, swept, said), said


def _likely(
    calculator: Calculator, values: Values, result: AnyFormula, found: list[explore.Swing]
) -> Generator[Answer, None, sampling.Range | None]:
    """The assumed range of a result, with a pause after every few cases; none where nothing hedged moves it."""
    for told_range in sampling.each_range(calculator, values, result.name, found):
        if told_range is not None:
            return told_range
        yield {}
    return None


def _swings(calculator: Calculator, values: Values, result: AnyFormula, found: list[explore.Swing]) -> list[Swing]:
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
    """A change, and what becomes of the verdict that was worst."""
    after: dict[str, Any] = dict(change.values)
    before = answer.verdicts(calculator, values)
    worst = max(before, key=lambda name: _WORSE.index(before[name]["level"]))
    word = answer.verdicts(calculator, after)[worst]
    return {
        "label": answer.filled(calculator, change.label, after),
        "outcome": f"{word['word']}: {word['reason']}",
        "changes": {name: calculator.inputs[name].box(value) for name, value in change.changes.items()},
    }

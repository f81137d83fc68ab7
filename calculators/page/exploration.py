"""The exploration of a page: what every exploration finds, then its drawings."""

from collections.abc import Generator, Iterator

from calculators.answers import exploration as explored
from calculators.answers.explore import sweeps
from calculators.answers.messages import Answer
from calculators.answers.review import sweep
from calculators.declare import Calculator, Quantity, Values
from calculators.page import chart
from calculators.page.tradeoff import tradeoff

_TRIED = 4  # inputs, until one moves the result


def exploration(calculator: Calculator, values: Values) -> Answer:
    """The whole exploration at once."""
    whole: Answer = {}
    for response in responses(calculator, values):
        whole.update(response)
    return whole


def responses(calculator: Calculator, values: Values) -> Iterator[Answer]:
    """The exploration bit by bit: after each bit of work what has become known by it, which may be nothing."""
    yield from explored.responses(calculator, values)
    if calculator.tradeoff:
        curve, sentence = tradeoff(calculator, values)
        yield {"tradeoff": curve, "tradeoff_shows": sentence}
    drawn, shows = yield from _chart(calculator, values)
    yield {"chart": drawn, "chart_shows": shows}


def _chart(calculator: Calculator, values: Values) -> Generator[Answer, None, tuple[str, str]]:
    """The chart of the first headline along the input that matters most and moves it, and what it shows."""
    names = dict.fromkeys((*calculator.first_sliders, *calculator.inputs))
    sliders = [
        one for name in names if values[name] is not None and isinstance(one := calculator.inputs[name], Quantity)
    ]
    first, *others = sliders[:_TRIED]
    found = yield from _sweep(calculator, values, first)
    for declared in others:
        if not found.is_constant:
            break
        found = yield from _sweep(calculator, values, declared)
    sentence = sweep.sentence(calculator, values, found)
    yield {}
    return chart.chart(calculator, values, found, sentence), sentence


def _sweep(calculator: Calculator, values: Values, declared: Quantity) -> Generator[Answer, None, sweeps.Sweep]:
    """The first headline that an input moves, along its slider."""
    result = sweep.first_number(calculator, values, declared.name)
    return (yield from sweeps.sweep(calculator, values, declared.name, result, declared.slider).slices())

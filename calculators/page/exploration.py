"""The exploration of a page: what every exploration finds, then its drawings."""

from collections.abc import Generator, Iterator

from calculators.answers import exploration as explored
from calculators.answers.explore import sweeps
from calculators.answers.messages import Answer
from calculators.answers.review import sweep
from calculators.declare import Calculator, Quantity, Values
from calculators.page import chart
from calculators.page.tradeoff import tradeoff


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
    sliders = [calculator.inputs[name] for name in (*calculator.first_sliders, *calculator.inputs)]
    declared = next(one for one in sliders if isinstance(one, Quantity) and values[one.name] is not None)
    result = sweep.first_number(calculator, values, declared.name)
    found = yield from sweeps.sweep(calculator, values, declared.name, result, declared.slider).slices()
    sentence = sweep.sentence(calculator, values, found)
    yield {}
    return chart.chart(calculator, values, found, sentence), sentence

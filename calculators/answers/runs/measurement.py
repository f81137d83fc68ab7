"""Measurement compared with the model, as finished text and lengths: curves, a table, a sentence and causes."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from calculators import units
from calculators.answers import messages
from calculators.answers.answer import evaluated
from calculators.answers.input_state import InputState, valid_inputs
from calculators.declare import Calculator, Compared, Measurement, Quantity, Values
from calculators.pauses import finished

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 16, 44
_STEPS = (1, 2, 2.5, 5, 10)
_TICKS = 4
_EVERY = 6  # doublings between the ticks along the input
MOST_CROSSINGS = 6
_HALVINGS = 12  # of a doubling: to the three digits in which a crossing is printed
_MARK = 6


def modelled(calculator: Calculator, measurement: Measurement, values: Values) -> Callable[[float], Mapping[str, Any]]:
    """The calculator's values at a place of the input along which is measured."""
    return lambda place: calculator.after(values, {measurement.along: place}, measurement.result)


def state(calculator: Calculator, measurement: Measurement, given: Mapping[str, Any], run: Any) -> InputState:
    """State to compare a run with: the reader's inputs, else those that the run states."""
    return valid_inputs(
        calculator, {**measurement.given(run), **{name: each for name, each in given.items() if each != ""}}
    )


def run_of(calculator: Calculator, text: str) -> Any:
    """The run in a text. Raises ValueError for a text without one."""
    return finished(_reader_of(calculator).read(text))


def compared(calculator: Calculator, given: Mapping[str, Any], run: Any) -> tuple[Values, Compared]:
    """Values of that state and the run compared with them. Raises InputError."""
    measurement = _reader_of(calculator)
    values = evaluated(calculator, state(calculator, measurement, given, run))
    return values, measurement.compare(run, modelled(calculator, measurement, values))


def _reader_of(calculator: Calculator) -> Measurement:
    if calculator.measurement is None:
        message = f"{calculator.name} takes no measurement"
        raise TypeError(message)
    return calculator.measurement


def sentence(calculator: Calculator, values: Values, found: Compared, read: Mapping[str, str] | None = None) -> str:
    """Sentence on the share of the model's best that was reached, and one on inputs `read` from the run."""
    measurement = _reader_of(calculator)
    best = max(point.result for point in found.points)
    text = calculator.steps[measurement.result].text
    share = units.text(found.share, "share")
    reached = f"The best measured is {text(best)}, {share} of the {text(values[found.best])} that the model gives."
    shown = [_shown(calculator, values, name, stated) for name, stated in (read or {}).items()]
    return f"{reached} Read from it: {', '.join(shown)}." if shown else reached


def _shown(calculator: Calculator, values: Values, name: str, stated: str) -> str:
    """An input or a menu, with its value."""
    for menu in calculator.presets:
        if menu.name == name:
            return f"{menu.label} {menu.by_key[stated].name}"
    return f"{calculator.inputs[name].label} {calculator.inputs[name].text(values[name])}"


def read_from(calculator: Calculator, given: Mapping[str, Any], run: Any) -> dict[str, str]:
    """The inputs that the reader left to what was measured."""
    return left_open(calculator, _reader_of(calculator).given(run), given)


def left_open(calculator: Calculator, stated: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, str]:
    """Inputs that a run states and the reader left open."""
    names = calculator.canonical_names
    theirs = {names.get(name.replace("-", "_")) for name in given}
    return {name: value for name, value in stated.items() if name not in theirs}


def rows(calculator: Calculator, values: Values, found: Compared) -> list[dict[str, str]]:
    """Each measured place: it, what was measured there, what the model gives there, and the share, as texts."""
    measurement = _reader_of(calculator)
    at, text = modelled(calculator, measurement, values), calculator.steps[measurement.result].text
    declared = calculator.inputs[measurement.along]
    found_rows = []
    for point in found.points:
        model = at(point.along)[measurement.result]
        share = units.text(point.result / model, "share")
        along, measured = declared.text(point.along), text(point.result)
        found_rows.append({"along": along, "measured": measured, "modelled": text(model), "share": share})
    return found_rows


def reasons(found: Compared) -> list[dict[str, str]]:
    """The likely reasons, likeliest first."""
    return [{"name": one.name, "looks": one.looks, "look_at": one.look_at} for one in found.reasons]


def nothing(calculator: Calculator, values: Values, problem: str = "") -> messages.Compared:
    """Response without a run: curves alone, with the problem if there is one."""
    return {"curves": curves(calculator, values), "problem": problem, "sentence": "", "rows": [], "causes": []}


def response(calculator: Calculator, given: Mapping[str, Any], values: Values, run: Any) -> messages.Compared:
    """Response to a run, with the problem where it cannot be compared."""
    try:
        values, found = compared(calculator, given, run)
    except ValueError as error:
        return nothing(calculator, values, str(error))
    return {
        "curves": curves(calculator, values, found),
        "problem": "",
        "sentence": sentence(calculator, values, found, read_from(calculator, given, run)),
        "rows": rows(calculator, values, found),
        "causes": [{**one, "name": f"{one['name'][:1].upper()}{one['name'][1:]}."} for one in reasons(found)],
    }


def described(calculator: Calculator, values: Values, found: Compared) -> dict[str, Any]:
    """The comparison as plain data; numbers in base units."""
    measurement = _reader_of(calculator)
    at = modelled(calculator, measurement, values)
    return {
        "calculator": calculator.name,
        "share": found.share,
        found.best: values[found.best],
        "points": [
            {
                measurement.along: point.along,
                "measured": point.result,
                "modelled": (model := at(point.along)[measurement.result]),
                "share": point.result / model,
            }
            for point in found.points
        ],
        "reasons": reasons(found),
    }


def report(calculator: Calculator, values: Values, found: Compared) -> str:
    """The comparison for people: the sentence, reasons, every place."""
    lines = [sentence(calculator, values, found), ""]
    if found.reasons:
        lines += ["Likely reasons, likeliest first"]
        for number, one in enumerate(found.reasons, 1):
            lines += [f"  {number}. {one.name[:1].upper()}{one.name[1:]}. {one.looks}", f"     Look at: {one.look_at}"]
        lines.append("")
    heads = [calculator.inputs[_reader_of(calculator).along].label, "Measured", "Modelled", "Share"]
    table = [heads, *([*row.values()] for row in rows(calculator, values, found))]
    lines += ["".join(f"{text:>16}" for text in row) for row in table]
    return "\n".join(lines) + "\n"


def curves(calculator: Calculator, values: Values, found: Compared | None = None) -> dict[str, dict[str, str]]:
    """Positions of curves, ticks and the best point: element -> attribute -> value, or its text as "text"."""
    measurement = _reader_of(calculator)
    declared = calculator.inputs[measurement.along]
    assert isinstance(declared, Quantity)  # noqa: S101  a measurement runs along a number
    low, high = declared.slider
    at = modelled(calculator, measurement, values)
    places = [low * 2.0**power for power in range(round(math.log2(high / low)) + 1)]
    answers = [at(place) for place in places]
    measured = [point for point in found.points if low <= point.along <= high] if found else []
    highest = max(
        [values[measurement.result], *(a[measurement.result] for a in answers), *(p.result for p in measured)]
    )
    top, unit = _top(highest), calculator.steps[measurement.result].unit

    def x(place: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(place / low) / math.log(high / low)

    def y(result: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * result / top

    def line(of: list[float | None]) -> dict[str, str]:
        known = ((x(place), y(result)) for place, result in zip(places, of, strict=True) if result is not None)
        return {"points": " ".join(f"{one:.1f},{other:.1f}" for one, other in known)}

    elements = {"modelled": line([one[measurement.result] for one in answers])}
    for label, draw in measurement.lines.items():
        elements[label] = line([draw(one) for one in answers])
    leaders = [measurement.leader(one) for one in answers]
    changes = _crossings(places, leaders, lambda place: measurement.leader(at(place)))
    elements |= _marks(changes, lambda place: (x(place), y(at(place)[measurement.result])))
    elements["crossings"] = {"text": _crossed(leaders[0], changes, declared.text)}
    elements["measured"] = {"points": " ".join(f"{x(p.along):.1f},{y(p.result):.1f}" for p in measured)}
    marks = units.texts_in_one_unit([top * number / _TICKS for number in range(_TICKS + 1)], unit)
    elements |= {f"y{number}": {"text": mark} for number, mark in enumerate(marks)}
    return elements


def _crossings(
    places: Sequence[float], leaders: Sequence[str], leader: Callable[[float], str]
) -> list[tuple[float, str]]:
    """Where another line takes the lead, and which: found between two places by halving."""
    found = []
    for (low, before), (high, after) in itertools.pairwise(zip(places, leaders, strict=True)):
        ends = [low, high]
        for _ in range(_HALVINGS if before != after else 0):
            middle = math.sqrt(ends[0] * ends[1])
            ends[leader(middle) != before] = middle
        found += [(ends[1], after)] if before != after else []
    return found


def _marks(
    changes: Sequence[tuple[float, str]], position: Callable[[float], tuple[float, float]]
) -> dict[str, dict[str, str]]:
    """A diamond on the curve for each crossing; places for more than there are hold nothing."""
    marks = {f"crossing{number}": {"points": ""} for number in range(MOST_CROSSINGS)}
    for number, (place, _) in enumerate(changes[:MOST_CROSSINGS]):
        x, y = position(place)
        corners = ((x - _MARK, y), (x, y - _MARK), (x + _MARK, y), (x, y + _MARK), (x - _MARK, y))
        marks[f"crossing{number}"] = {"points": " ".join(f"{one:.1f},{other:.1f}" for one, other in corners)}
    return marks


def _crossed(first: str, changes: Sequence[tuple[float, str]], text: Callable[[float], str]) -> str:
    """The crossings in a sentence."""
    if not changes:
        return f"Fastest at every size: {first}."
    then = "; ".join(f"from {text(place)} {name}" for place, name in changes)
    return f"Fastest: {first}; {then}. Diamonds mark where they cross."


def ticks(calculator: Calculator) -> list[tuple[str, str]]:
    """Places along the input with their texts, which no state moves."""
    declared = calculator.inputs[_reader_of(calculator).along]
    assert isinstance(declared, Quantity)  # noqa: S101  a measurement runs along a number
    low, high = declared.slider
    doublings = round(math.log2(high / low))
    return [
        (f"{LEFT + (WIDTH - LEFT - RIGHT) * power / doublings:.1f}", declared.text(low * 2.0**power))
        for power in range(0, doublings + 1, _EVERY)
    ]


def levels() -> list[str]:
    """The heights at which results are marked."""
    return [f"{HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * number / _TICKS:.1f}" for number in range(_TICKS + 1)]


def _top(highest: float) -> float:
    """A round number above the highest."""
    scale = 10.0 ** math.floor(math.log10(highest or 1.0))
    return next(step * scale for step in _STEPS if step * scale >= highest * (1 - 1e-9))

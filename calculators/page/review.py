"""The Explore panel: solve, sweep, sensitivity, thresholds and comparison as finished text, tables and drawings.

Each response comes in parts, as that of an exploration does, and every part holds all that is known by then. What the
reader chose comes as texts by these names:

- "solve": `result` should be `wanted` (a value, or the level of a verdict); `input` may move, or whichever does it.
- "sweep": `result` along `input`, `from` one value `to` another (the slider's ends by default), a line for each of
  some values of `second`, where that is given.
- "map": `result` for pairs of values of `across` and `down`, each from its `_from` to its
  `_to`, with the level of one `verdict` or the worst.
- "tornado": `result`.
- "margins": of every verdict what each input may become before it changes.
- "compare": `result` of the `states`, its difference from the state `one` to the state `other`, by their letters.
"""

import math
import string
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any

from calculators.answers import explore
from calculators.answers.explore import sampling, sweeps
from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.trials import Trials
from calculators.answers.input_state import InputState
from calculators.answers.messages import Answer, Choosable, Question, Row, Table
from calculators.answers.review import comparison, solve, sweep, uncertainty
from calculators.answers.review.solution import Found
from calculators.declare import Calculator, Choice, InputError, Quantity, Values, Verdict
from calculators.page import chart, heat_map, review_drawings
from calculators.page.drawing import is_log, round_values
from calculators.page.review_answer import LOOKING, MORE_VALUES, Parts, review
from calculators.page.thresholds import thresholds

_MOST_WAYS = 5
_MOST_UNFOLDED = 20
_MOST_OPTIONS = 6
_FACTORS = (1 / 4, 1 / 2, 1, 2, 4)
_LINES = 4
_MORE = 1.1
_SAME = 1e-9


@search
def choices(calculator: Calculator, resolved: InputState, values: Values, result: str = "") -> Pauses[Answer]:
    """Options of the explore panel, and the inputs that move the chosen result."""
    numbers = [name for name in calculator.steps if isinstance(values[name], int | float)]
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    main = [name for name in calculator.headline if name in numbers]
    rest = sorted((name for name in numbers if name not in main), key=lambda name: calculator.steps[name].label.lower())
    results = {"Main results": main, "Verdicts": verdicts, "Intermediate values": rest}
    chosen = result if result in numbers else (yield from _first_moved(calculator, values, main)) or numbers[0]
    return {
        "about": chosen,
        "results": [_result(calculator, values, name, group) for group, names in results.items() for name in names],
        "movable": [
            *(
                Choosable(
                    name=menu.name, label=menu.label, kind="menu", text=resolved.presets[menu.name], group="Menus"
                )
                for menu in calculator.presets
            ),
            *(
                _input(declared, values[declared.name], group)
                for group, members in _by_group(calculator).items()
                for declared in members
            ),
        ],
        "deciding": (yield from movers(calculator, values, chosen)),
    }


def _first_moved(calculator: Calculator, values: Values, results: Sequence[str]) -> Pauses[str | None]:
    """The first of these results that an input moves."""
    for name in results:
        if (yield from movers(calculator, values, name)):
            return name
    return None


@search
def movers(calculator: Calculator, values: Values, result: str) -> Pauses[list[str]]:
    """The quantities that move a result, the one of which 10% more moves it most first."""
    moved = {}
    for name in calculator.explored:
        declared = calculator.inputs[name]
        if name in calculator.behind(result) and isinstance(declared, Quantity) and values[name] is not None:
            moved[name] = yield from _moved(calculator, values, declared, result)
            yield
    ranked = sorted(moved, key=lambda name: -round(moved[name], 6))
    return [name for name in ranked if moved[name] > _SAME]


def responses(
    calculator: Calculator, resolved: InputState, values: Values, question: Question, ask: str
) -> Iterator[Answer]:
    """The response to one of ASKS, part by part; what is wrong with the question is its problem."""
    try:
        yield from _RESPONSES[ask](calculator, resolved, values, question)
    except InputError as error:
        yield {"review": review(problem=" ".join(error.problems.values()))}


def _by_group(calculator: Calculator) -> dict[str, list[Quantity | Choice]]:
    """Inputs by the titles of their groups."""
    found: dict[str, list[Quantity | Choice]] = {title: [] for title in calculator.groups.values()}
    for declared in calculator.inputs.values():
        title = calculator.groups.get(declared.group, declared.group.capitalize() or "Other")
        found.setdefault(title, []).append(declared)
    return found


def _result(calculator: Calculator, values: Values, name: str, group: str) -> Choosable:
    formula, value = calculator.steps[name], values[name]
    if isinstance(value, Verdict):
        return Choosable(name=name, label=formula.label, kind="verdict", text=value.level, group=group)
    return Choosable(name=name, label=formula.label, kind="number", text=formula.text(value), group=group)


def _input(declared: Quantity | Choice, value: Any, group: str) -> Choosable:
    kind = Choosable(name=declared.name, label=declared.label, kind="choice", text=declared.text(value), group=group)
    if isinstance(declared, Choice):
        return kind
    return {**kind, "kind": "quantity", "ends": [declared.text(end) for end in declared.slider]}


def _moved(calculator: Calculator, values: Values, declared: Quantity, result: str) -> Pauses[float]:
    """The relative change of a result with 10% more of an input, or one more of a count."""
    present, now = values[declared.name], values[result]
    there = present * _MORE if present else declared.slider[1]
    if declared.whole:
        there = float(max(present + 1, round(there)))
    if there > declared.hard[1]:
        there = max(present / _MORE, declared.hard[0])
    trials = Trials(calculator, values, {declared.name}, {result}, if_it_ran=True)
    found = yield from trials.each_after({declared.name: there})
    if found is None or None in (found[result], now):
        return 0.0  # what does not apply has no size
    if math.isclose(found[result], now, rel_tol=_SAME):
        return 0.0
    return float(abs(found[result] - now) / (abs(now) or abs(found[result])))


def _solved(calculator: Calculator, resolved: InputState, values: Values, question: Question) -> Parts:
    settings = question.get("review", {})
    sign, text = settings.get("sign", "="), settings.get("wanted", "").strip()
    typed = "" if text.startswith(("<", ">", "≤", "≥", "=")) else sign
    result, wanted = solve.target(calculator, f"{settings.get('result', '')}{typed}{text}")
    formula = calculator.steps[result]
    if solve.is_so(calculator, values, result, wanted):
        (sentence,) = solve.lines(calculator, values, result, wanted, [])[:1]
        yield {"review": review(sentences=[sentence], notes=["This is the present value; enter another target."])}
        return
    sentences = solve.lines(calculator, values, result, wanted, [])[:1]
    found: list[Found] = []
    shown = review(sentences=sentences)
    yield {"review": {**shown, "notes": [LOOKING]}}
    is_one = bool(settings.get("input"))
    for name in [settings["input"]] if is_one else solve.movable(calculator, result):
        solutions = yield from solve.solutions(calculator, resolved, values, result, wanted, [name]).slices()
        found += [one for one in solutions if is_one or one.reached]
        ways = [_ways(calculator, values, formula.label, found)] if any(one.offers for one in found) else []
        notes = [one.sentence for one in found if not one.offers]
        shown = review(sentences=sentences, tables=ways, notes=notes)
        if ways:
            yield {"review": {**shown, "notes": [*notes, LOOKING]}}
    nothing = solve.nothing_reaches(formula, values[result], wanted)
    yield {"review": shown if found else {**shown, "notes": [nothing]}}


def _ways(calculator: Calculator, values: Values, label: str, found: Sequence[Found]) -> Table:
    rows: list[Row] = []
    menus = {menu.name: menu for menu in calculator.presets}
    for one in found:
        declared = menus.get(one.name) or calculator.inputs[one.name]
        now = "" if one.name in menus else calculator.text(one.name, values[one.name])
        for offer in one.offers[:_MOST_WAYS]:
            cells = [declared.label, offer.value, now, offer.result, offer.note]
            rows.append({"cells": cells, "marked": [1], "changes": offer.changes})
        more = len(one.offers) - _MOST_WAYS
        if more > 0:
            rows.append({"cells": [declared.label, f"and {more} more in the menu", "", "", ""], "marked": []})
    heads = ["Change", "To", "Now", label, "Note"]
    if not any(row["cells"][-1] for row in rows):
        heads.pop()
        rows = [{**row, "cells": row["cells"][:-1]} for row in rows]
    return Table(title="Inputs that reach the target", folded=False, heads=heads, rows=rows)


def _first_swept(calculator: Calculator, values: Values, result: str) -> Generator[Answer, None, Quantity]:
    """The quantity along which a result is swept where the reader names none."""
    moving = yield from movers(calculator, values, result).slices()
    known = (calculator.inputs[name] for name in (*moving, *calculator.first_sliders, *calculator.inputs))
    return next(one for one in known if isinstance(one, Quantity) and values[one.name] is not None)


def _swept(calculator: Calculator, _resolved: InputState, values: Values, question: Question) -> Parts:
    settings = question.get("review", {})
    result = uncertainty.result_named(
        calculator, values, settings.get("result") or sweep.first_number(calculator, values)
    )
    declared = calculator.inputs.get(settings.get("input", "")) or (yield from _first_swept(calculator, values, result))
    if isinstance(declared, Choice):
        raise InputError({"input": f"{declared.label} is a choice; only a quantity can be swept."})
    second = calculator.inputs.get(settings.get("second", ""))
    family = (second.name, _values(second, values[second.name])) if second and second is not declared else ("", [])
    ends = sweep.ends_of(declared, settings.get("from", "").strip(), settings.get("to", "").strip())
    if calculator.searched_values:
        outline = yield from sweeps.outline(calculator, values, declared.name, result, ends, family).slices()
        sentence = sweep.sentence(calculator, values, outline)
        drawing = chart.chart(calculator, values, outline, sentence, "review")
        yield {"review": review(sentences=[sentence], drawing=drawing, notes=[MORE_VALUES])}
    found = yield from sweeps.sweep(calculator, values, declared.name, result, ends, family).slices()
    sentence = sweep.sentence(calculator, values, found)
    yield {}
    heads, *rows = sweep.table(calculator, values, found)
    yield {
        "review": review(
            sentences=[sentence],
            drawing="" if found.is_constant else chart.chart(calculator, values, found, sentence, "review"),
            tables=[
                Table(
                    title="Values",
                    folded=True,
                    heads=heads,
                    rows=[
                        {"cells": row, "marked": [0] if at == values[declared.name] else []}
                        for row, at in zip(rows, sweep.shown_points(found, values), strict=True)
                    ],
                )
            ],
        )
    }


def _mapped(calculator: Calculator, _resolved: InputState, values: Values, question: Question) -> Parts:
    settings = question.get("review", {})
    result = uncertainty.result_named(
        calculator, values, settings.get("result") or sweep.first_number(calculator, values)
    )
    moving = yield from movers(calculator, values, result).slices()
    yield from heat_map.responses(calculator, values, settings, result, moving)


def _values(second: Quantity | Choice, present: Any) -> list[Any]:
    """A few values of the second input, the present one among them where there is one."""
    if isinstance(second, Choice):
        return [option.value for option in second.options.values()][:_MOST_OPTIONS]
    least, most = second.hard
    if present and is_log(second):
        candidates = [present * factor for factor in _FACTORS]
    else:
        stops = round_values(second)
        candidates = [*stops[:: math.ceil(len(stops) / _LINES)], *([] if present is None else [present])]
    rounded = (float(round(value)) if second.whole else value for value in candidates)
    return sorted({value for value in rounded if least <= value <= most})


def _ranked(calculator: Calculator, _resolved: InputState, values: Values, question: Question) -> Parts:
    settings = question.get("review", {})
    result = uncertainty.result_named(
        calculator, values, settings.get("result") or sweep.first_number(calculator, values)
    )
    moving = yield from explore.swings(calculator, values, result).slices()
    still = yield from sampling.without_range(calculator, values, result).slices()
    shown = review(
        sentences=[uncertainty.range_sentence(calculator, values, result, moving, None)],
        drawing=review_drawings.tornado(calculator, values, result, moving) if moving else "",
        tables=[_without_range(calculator, values, still)] if still else [],
        notes=[uncertainty.method(calculator, values, result, moving)],
    )
    yield {"review": shown}
    found = yield from sampling.assumed_range(calculator, values, result, moving).slices()
    if found is not None:
        sentences = [
            uncertainty.range_sentence(calculator, values, result, moving, found),
            *uncertainty.chances(calculator, found),
        ]
        yield {"review": {**shown, "sentences": sentences}}


def _without_range(calculator: Calculator, values: Values, names: Sequence[str]) -> Table:
    return Table(
        title="Inputs without a published range: enter one, such as 30–45%",
        folded=len(names) > _MOST_UNFOLDED,
        heads=["Input", "Fixed at", "Your range"],
        rows=[
            {"cells": [calculator.inputs[name].label, calculator.text(name, values[name])], "marked": [], "hedge": name}
            for name in names
        ],
    )


def _compared(calculator: Calculator, resolved: InputState, values: Values, question: Question) -> Parts:
    settings = question.get("review", {})
    result = uncertainty.result_named(
        calculator, values, settings.get("result") or sweep.first_number(calculator, values)
    )
    links = list(question.get("states", ()))[: comparison.MOST_STATES]
    found = []
    for link, letter in zip(links, string.ascii_uppercase, strict=False):
        found.append((yield from comparison.opened(calculator, link, letter).slices()))
    found.append(comparison.State(letter="Now", resolved=resolved, values=values))
    by_letter = {state.letter: state for state in found}
    if not settings.get("result"):
        result = comparison.first_difference(calculator, found) or result
    heads = ["", *by_letter]
    inputs = _side_by_side("Inputs that differ", heads, comparison.differing(calculator, found))
    results = _side_by_side("Results", heads, comparison.outcomes(calculator, found))
    shown = review(
        sentences=[] if inputs["rows"] else ["These states have the same inputs: change one of them."],
        tables=[inputs, results] if inputs["rows"] else [results],
        notes=[f"{state.letter}: {notice}" for state in found for notice in state.notices],
    )
    yield {"review": shown, "about": result}
    one, other = (
        by_letter.get(settings.get(key, ""), default) for key, default in (("one", found[0]), ("other", found[-1]))
    )
    if one is other:
        return
    parts_of_it = yield from comparison.attributed(calculator, one, other, result).slices()
    explanation = comparison.explained(calculator, one, other, result, parts_of_it)
    drawing = ""
    if parts_of_it and parts_of_it.parts:
        drawing = review_drawings.waterfall(calculator, one, other, result, parts_of_it)
    sentences = [*shown["sentences"], explanation]
    yield {"review": {**shown, "sentences": sentences, "drawing": drawing}}
    likely = yield from comparison.difference(calculator, one, other, result).slices()
    if likely is not None:
        message = comparison.difference_sentence(calculator, one, other, result, likely)
        yield {"review": {**shown, "sentences": [*sentences, message], "drawing": drawing}}


def _side_by_side(title: str, heads: Sequence[str], found: Sequence[Sequence[str]]) -> Table:
    rows: list[Row] = [
        {"cells": row, "marked": [place for place, text in enumerate(row[2:], start=2) if text != row[1]]}
        for row in found
    ]
    return Table(title=title, folded=False, heads=heads, rows=rows)


_Respond = Callable[[Calculator, InputState, Values, Question], Parts]
_RESPONSES: Mapping[str, _Respond] = {
    "solve": _solved,
    "sweep": _swept,
    "map": _mapped,
    "tornado": _ranked,
    "margins": thresholds,
    "compare": _compared,
}
ASKS = tuple(_RESPONSES)

"""Solve as text and data: values, options and menu entries that reach a target."""

import math
import re
from collections.abc import Iterable
from typing import Any

from calculators import units
from calculators.answers import answer
from calculators.answers.explore import margins
from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.solve import Answer, Solution, solve
from calculators.answers.input_state import InputState, parse_inputs
from calculators.answers.review import limits
from calculators.answers.review.solution import (
    DIGITS,
    MOST_DIGITS,
    Found,
    Limit,
    Offer,
    State,
    Wanted,
    goal,
    range_text,
    typed,
)
from calculators.answers.suggestions import not_an_input, suggestion
from calculators.declare import AnyFormula, Calculator, Choice, InputError, Preset, Quantity, Values, Verdict

_MOST_SHOWN = 4
_LEVELS = ("good", "tight", "bad")
_SIGN = re.compile("<=|>=|=<|=>|[=≤≥<>]")
_BOUNDS = {**dict.fromkeys(("<=", "=<", "<", "≤"), "most"), **dict.fromkeys((">=", "=>", ">", "≥"), "least")}


def target(calculator: Calculator, query: str) -> tuple[str, Wanted]:
    """The result and the target of "RESULT=VALUE", "RESULT<=VALUE" or "RESULT>=VALUE", a verdict's as its level.

    Raises InputError, saying what is wrong.
    """
    found = _SIGN.search(query)
    name, sign, text = (query[: found.start()], found[0], query[found.end() :]) if found else (query, "", "")
    name, text = name.strip().replace("-", "_"), text.strip()
    name = calculator.result_aliases.get(name, name)
    formula = calculator.steps.get(name)
    if formula is None:
        raise InputError({"solve": f"“{name}” is not a result; {suggestion(calculator, name, list(calculator.steps))}"})
    if not found:
        raise InputError({"solve": f"“{query}” has no target value; write {name}=VALUE (or <=, >=)"})
    bound = _BOUNDS.get(sign, "")
    if formula.role == "verdict":
        if bound:
            raise InputError({"solve": f"{formula.label} has levels; write {name}={text or 'good'}"})
        if text not in _LEVELS:
            raise InputError({"solve": f"{formula.label} “{text}” is not a level; use {', '.join(_LEVELS)}"})
        return name, text
    try:
        value = units.parse(text, formula.unit)
    except units.UnitError as error:
        raise InputError({"solve": f"{formula.label}: {error}"}) from None
    return name, Limit(bound, value) if bound else value


@search
def solutions(
    calculator: Calculator,
    resolved: InputState,
    values: Values,
    result: str,
    wanted: Wanted,
    names: Iterable[str] = (),
) -> Pauses[list[Found]]:
    """Solutions along each input, all others unchanged; without `names`, along every input that reaches the target.

    Raises InputError for a name that is neither an input nor a menu.
    """
    state = State(calculator, resolved, values)
    menus = {preset.name: preset for preset in calculator.presets}
    inputs = [_canonical(calculator, name) for name in names] if names else movable(calculator, result)
    found: list[Found] = []
    for name in inputs:
        one = _of_menu(state, menus[name], result, wanted) if name in menus else _of_input(state, name, result, wanted)
        found.append((yield from one))
    return found if names else [one for one in found if one.reached]


def movable(calculator: Calculator, result: str) -> list[str]:
    """Menus, and inputs on which a result may depend, that are tried by default."""
    behind = {*calculator.behind(result), *calculator.steps[result].needs}
    inputs = (name for name in calculator.inputs if name in behind and name in calculator.explored)
    return [*calculator.explored_menus, *inputs]


def lines(calculator: Calculator, values: Values, result: str, wanted: Wanted, found: list[Found]) -> list[str]:
    """The target and the present value, and a sentence for each input."""
    formula = calculator.steps[result]
    aim = goal(formula, wanted)
    now = values[result]
    shown = f"{now.word} ({now.level})" if isinstance(now, Verdict) else formula.text(now)
    if aim == shown and now != wanted and isinstance(wanted, float | int):  # three digits do not tell them apart
        aim, shown = (units.text(one, formula.unit, binary=formula.binary, digits=MOST_DIGITS) for one in (wanted, now))
    label = formula.label.rstrip("?")
    found_lines = [f"{label}: target {aim}, now {shown}."]
    found_lines += [f"  {one.sentence}" for one in found]
    return found_lines if found else [*found_lines, f"  {nothing_reaches(formula, values[result], wanted)}"]


def nothing_reaches(formula: AnyFormula, now: Any, wanted: Wanted) -> str:
    """Sentence: no single input leads to the target, or out of a limit that is kept."""
    if isinstance(wanted, Limit) and wanted.allows(now):
        return "No single input exceeds the limit." if wanted.bound == "most" else "No single input misses it."
    return f"No single input reaches {goal(formula, wanted)}."


def is_so(calculator: Calculator, values: Values, result: str, wanted: Wanted) -> bool:
    """Whether a result already equals the target as printed."""
    now = values[result]
    if isinstance(now, Verdict):
        return bool(now.level == wanted)
    text = calculator.steps[result].text
    return now is not None and isinstance(wanted, int | float) and text(now) == text(wanted)


def _canonical(calculator: Calculator, name: str) -> str:
    known = calculator.canonical_names.get(name.replace("-", "_"))
    if known is None:
        raise InputError({"for": f"{not_an_input(calculator, name)}; --help lists them"})
    return known


def _of_input(state: State, name: str, result: str, wanted: Wanted) -> Pauses[Found]:
    declared = state.calculator.inputs[name]
    if isinstance(wanted, str):
        return (yield from _for_verdict(state, declared, result, wanted))
    if isinstance(wanted, Limit):
        return (yield from limits.of_input(state, declared, result, wanted))
    solution = yield from solve(state.calculator, state.values, name, result, wanted)
    if isinstance(declared, Choice):
        return _options(state, declared, result, solution)
    sentence = _sentence(state, declared, result, wanted, solution)
    answers = [_answer(declared, one) for one in solution.answers]
    reach = None if math.isnan(solution.least) else [solution.least, solution.most]
    data = {"input": name, "answers": answers, "reach": reach, "text": sentence}
    offers: list[Offer] = []
    for one in solution.answers[:_MOST_SHOWN]:
        offers += [(yield from _offer(state, declared, result, wanted, one))]
    return Found(name=name, sentence=sentence, data=data, reached=bool(offers), offers=tuple(offers))


def _offer(state: State, declared: Quantity, result: str, wanted: float, one: Answer) -> Pauses[Offer]:
    formula = state.calculator.steps[result]
    note = "; ".join(_notes(state, declared, result, wanted, one))
    text = yield from typed(state, declared, result, one.value)
    return Offer(
        value=_text(declared, one.value), result=formula.text(one.result), note=note, changes={declared.name: text}
    )


def _answer(declared: Quantity, one: Answer) -> dict[str, Any]:
    return {"value": one.value, "text": _text(declared, one.value), "result": one.result} | {
        "met": one.met,
        "usual": one.usual,
    }


def _text(declared: Quantity, value: float) -> str:
    if declared.whole:
        return declared.text(value)
    return units.text(value, declared.unit, binary=declared.binary, digits=DIGITS)


def _sentence(state: State, declared: Quantity, result: str, wanted: float, solution: Solution) -> str:
    formula = state.calculator.steps[result]
    low, high = (declared.text(end) for end in declared.hard)
    if math.isnan(solution.least):
        return f"{declared.label}: no value from {low} to {high} can be calculated."
    if solution.answers:
        return f"{declared.label}: {_listed(state, declared, result, wanted, solution)}."
    if math.isclose(solution.least, solution.most, rel_tol=1e-9):
        return f"{declared.label} has no effect: {formula.text(solution.least)} at every value from {low} to {high}."
    side = "at most" if wanted > solution.most else "at least" if wanted < solution.least else "between"
    ends = {
        "at most": formula.text(solution.most),
        "at least": formula.text(solution.least),
        "between": f"{formula.text(solution.least)} and {formula.text(solution.most)}",
    }
    return f"{declared.label}: no value from {low} to {high} reaches it; the result is {side} {ends[side]}."


def _listed(state: State, declared: Quantity, result: str, wanted: float, solution: Solution) -> str:
    shown = solution.answers[:_MOST_SHOWN]
    texts = []
    for one in shown:
        notes = _notes(state, declared, result, wanted, one)
        texts.append(_text(declared, one.value) + (f" ({'; '.join(notes)})" if notes else ""))
    more = len(solution.answers) - len(shown)
    several = f"{len(solution.answers)} values reach it: " if len(solution.answers) > 1 else ""
    now = declared.text(state.values[declared.name])
    return f"{several}{', '.join(texts)}{f' and {more} more' if more else ''}; now {now}"


def _notes(state: State, declared: Quantity, result: str, wanted: float, one: Answer) -> list[str]:
    """Remarks on a value before it is used."""
    formula = state.calculator.steps[result]
    notes = []
    if not one.met and formula.text(one.result) != formula.text(wanted):
        notes.append(f"the result jumps to {formula.text(one.result)}")
    if not one.usual:
        typical = " to ".join(declared.text(end) for end in declared.slider)
        notes.append(f"outside the typical range, {typical}")
    return notes


def _options(state: State, declared: Choice, result: str, solution: Solution) -> Found:
    formula = state.calculator.steps[result]
    present = state.values[declared.name]
    reaching = [one for one in solution.answers if one.value != present]
    stays = any(one.value == present for one in solution.answers)
    if reaching or stays:
        texts = [f"“{declared.text(one.value)}” gives {formula.text(one.result)}" for one in reaching]
        texts += ["the present option reaches it"] if stays else []
        sentence = f"{declared.label}: {', '.join(texts)}."
    elif math.isnan(solution.least):
        sentence = f"{declared.label}: no option can be calculated."
    else:
        least, most = formula.text(solution.least), formula.text(solution.most)
        sentence = (
            f"{declared.label}: no option reaches it; they give {least if least == most else f'{least} to {most}'}."
        )
    answers = [{"option": declared.key(one.value), "result": one.result, "met": one.met} for one in solution.answers]
    data = {"input": declared.name, "answers": answers, "reach": [solution.least, solution.most], "text": sentence}
    offers = tuple(
        Offer(
            value=declared.text(one.value),
            result=formula.text(one.result),
            note="",
            changes={declared.name: declared.key(one.value)},
        )
        for one in reaching
    )
    return Found(name=declared.name, sentence=sentence, data=data, reached=bool(solution.answers), offers=offers)


def _for_verdict(state: State, declared: Quantity | Choice, result: str, wanted: str) -> Pauses[Found]:
    """For a verdict the values at which it comes to a level, and the options with which it does."""
    calculator, values = state.calculator, state.values
    label = declared.label
    if isinstance(declared, Choice):
        becoming = {
            declared.key(one.value): one.becomes
            for one in (yield from margins.other_options(calculator, values, result))
            if one.name == declared.name and one.becomes.level == wanted
        }
        options = list(becoming)
        yield
        sentence = (
            f"{label}: {', '.join(f'“{declared.options[key].label}”' for key in options)}."
            if options
            else f"{label}: no other option makes it {wanted}."
        )
        data = {"input": declared.name, "answers": [{"option": key} for key in options], "text": sentence}
        offers = tuple(
            Offer(value=declared.options[key].label, result=there.word, note="", changes={declared.name: key})
            for key, there in becoming.items()
        )
        return Found(name=declared.name, sentence=sentence, data=data, reached=bool(options), offers=offers)
    ranges = yield from _ranges(calculator, values, declared, result, wanted)
    texts = [range_text(declared, *ends) for ends in ranges]
    span = " to ".join(declared.text(end) for end in declared.slider)
    sentence = (
        f"{label}: {', or '.join(texts)}; now {declared.text(values[declared.name])}."
        if texts
        else f"{label}: no value from {span} makes it {wanted}."
    )
    answers = [{"from": low, "to": high} for low, high in ranges]
    data = {"input": declared.name, "answers": answers, "text": sentence}
    into: list[Offer] = []
    for ends in ranges:
        if values[result].level != wanted and any(end is not None for end in ends):
            into += [(yield from _into(state, declared, result, wanted, ends))]
    return Found(name=declared.name, sentence=sentence, data=data, reached=bool(ranges), offers=tuple(into))


def _into(
    state: State, declared: Quantity, result: str, wanted: str, ends: tuple[float | None, float | None]
) -> Pauses[Offer]:
    """The way to the nearer end of a stretch on which the verdict is at the level wanted."""
    low, high = ends
    present = state.values[declared.name]
    nearest = high if low is None or (high is not None and present is not None and present > high) else low
    text = yield from typed(state, declared, result, nearest or 0.0)
    return Offer(value=range_text(declared, low, high), result=wanted, note="", changes={declared.name: text})


def _ranges(
    calculator: Calculator, values: Values, declared: Quantity, result: str, wanted: str
) -> Pauses[list[tuple[float | None, float | None]]]:
    """The stretches of the slider on which the verdict is at a level; None for an end of the slider."""
    found = yield from margins.thresholds(calculator, values, declared.name, result)
    if not found:
        return [(None, None)] if values[result].level == wanted else []
    stretches: list[tuple[float | None, float | None]] = []
    start: float | None = None
    for threshold in found:
        if threshold.below.level == wanted:
            stretches.append((start, threshold.last))
        start = threshold.first
    if found[-1].above.level == wanted:
        stretches.append((start, None))
    return stretches


def _of_menu(state: State, preset: Preset, result: str, wanted: Wanted) -> Pauses[Found]:
    """The records of a menu with which the result reaches or passes the target, the nearest to it first."""
    calculator, now = state.calculator, state.values[result]
    reaching = []
    for record in preset.records:
        if record.key == state.resolved.presets[preset.name]:
            continue
        given = {**state.resolved.given, preset.name: record.key}
        yield
        try:
            after = yield from answer.each_evaluated(calculator, parse_inputs(calculator, given))
        except InputError:
            continue
        if calculator.is_refused(after):
            continue
        there = after[result]
        if there.level == wanted if isinstance(there, Verdict) else _passes(now, there, wanted):
            reaching.append((record, there))
    if not isinstance(wanted, str):
        limit = wanted.value if isinstance(wanted, Limit) else wanted
        reaching.sort(key=lambda found: abs(found[1] - limit))
    formula = calculator.steps[result]
    texts = [f"{record.name} ({formula.text(there)})" for record, there in reaching]
    none = f"no entry of the menu reaches {goal(formula, wanted)}"
    sentence = f"{preset.label}: {', '.join(texts) or none}."
    data = {
        "menu": preset.name,
        "answers": [
            {"record": record.key, "result": there.level if isinstance(there, Verdict) else there}
            for record, there in reaching
        ],
        "text": sentence,
    }
    kept = {name: str(state.resolved.given[name]) for name in preset.fills if name in state.resolved.given}
    offers = tuple(
        Offer(value=record.name, result=formula.text(there), note="", changes={preset.name: record.key, **kept})
        for record, there in reaching
    )
    return Found(name=preset.name, sentence=sentence, data=data, reached=bool(reaching), offers=offers)


def _passes(now: Any, there: Any, wanted: Wanted) -> bool:
    """Whether a result is the target, or lies beyond it as seen from the present one."""
    if isinstance(wanted, Limit):
        return wanted.allows(there)
    if isinstance(wanted, str) or not isinstance(there, int | float) or not isinstance(now, int | float):
        return False
    return math.isclose(there, wanted, rel_tol=1e-6) or (wanted > now and there > wanted) or (there < wanted < now)

"""The answer for one state as finished text, for pages and terminals; numbers are formatted here only."""

import contextlib
import math
import re
from collections.abc import Collection, Mapping
from typing import Any

from calculators import units
from calculators.answers import explain, prices, sliders
from calculators.answers.explore.bands import bands, bracketed
from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.trials import BROKEN
from calculators.answers.input_state import CANNOT_CALCULATE, InputState, Origin, parsing_notes, typed_text
from calculators.answers.messages import Control
from calculators.answers.pictures import drawn
from calculators.declare import REFUSED, Calculator, Choice, Input, InputError, Quantity, Values, Verdict

_NAME = re.compile(r"\{(\w+)\}")
_DIGITS_IN_A_BOX = 4
_IF_IT_RAN = "Layout refused. If it ran: "
_WORST_FIRST = ("bad", "tight", "good")


class CannotCalculateError(InputError):
    """The inputs are each valid, yet the formulas give no finite number for them."""

    def __init__(self) -> None:
        """The sentence about no input in particular."""
        super().__init__({"": CANNOT_CALCULATE})


@search
def each_evaluated(calculator: Calculator, resolved: InputState) -> Pauses[Values]:
    """`evaluated`, with the pauses of a search where one is needed."""
    if not resolved.problems:
        with contextlib.suppress(*BROKEN):  # raised again below
            yield from calculator.prepare_state(resolved.explicit)
    return evaluated(calculator, resolved)


def evaluated(calculator: Calculator, resolved: InputState) -> Values:
    """Every value of the graph. Raises InputError when inputs are wrong or give no finite number."""
    if resolved.problems:
        raise InputError(resolved.problems)
    try:
        values = calculator.evaluate(resolved.explicit)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise CannotCalculateError from error
    if not all(map(math.isfinite, [value for value in values.values() if type(value) is float])):
        raise CannotCalculateError
    for check in calculator.of_role("constraint"):
        if sentence := check.function(*[values[need] for need in check.needs]):
            raise InputError({check.about: filled(calculator, sentence, values)})
    return values


def filled(calculator: Calculator, template: str, values: Mapping[str, Any]) -> str:
    """A sentence with every {name} replaced by its present value; what is counted once is in the singular."""
    return units.agreeing(_NAME.sub(lambda match: calculator.text(match[1], values[match[1]]), template))


def sentence(calculator: Calculator, values: Mapping[str, Any], resolved: InputState | None = None) -> str:
    """The answer in a sentence, without emphasis; in brackets after a result its band, and the age of old prices.

    In a state that has no answer, the sentence that says why.
    Without `resolved` the origin of prices is unknown, and no sentence mentions their age.
    """
    return _sentence(calculator, values, {} if resolved is None else prices.notes(calculator, resolved, values))


def _sentence(calculator: Calculator, values: Mapping[str, Any], aged: Mapping[str, str]) -> str:
    if instead := unanswered(calculator, values):
        return instead
    banded, left = bands(calculator, values), dict(aged)

    def shown(match: re.Match[str]) -> str:
        name = match[1]
        return calculator.text(name, values[name]) + bracketed(banded, name) + left.pop(name, "")

    return if_it_ran(calculator, values) + _NAME.sub(shown, calculator.answer.replace("**", ""))


def if_it_ran(calculator: Calculator, values: Mapping[str, Any]) -> str:
    """Start of an answer's sentence that does not say itself that frameworks refuse the layout; else empty."""
    said = any(values[name].word == REFUSED for name in _NAME.findall(calculator.answer) if name in calculator.refusals)
    return "" if said or not calculator.is_refused(values) else _IF_IT_RAN


def unanswered(calculator: Calculator, values: Mapping[str, Any]) -> str:
    """Why there is no answer in this state; empty where there is one."""
    return filled(calculator, calculator.unanswered(values), values) if calculator.unanswered else ""


def supposed(calculator: Calculator, values: Mapping[str, Any]) -> str:
    """End of the head of results, which in a state that has no answer are those of what does not run."""
    return ", for orientation only" if unanswered(calculator, values) or calculator.is_refused(values) else ""


def warnings(calculator: Calculator, values: Mapping[str, Any]) -> list[str]:
    """Warnings that hold at present: why results may lie outside the range in which the formulas hold."""
    found = (c.function(*[values[need] for need in c.needs]) for c in calculator.of_role("warning"))
    return [filled(calculator, text, values) for text in found if text]


def texts(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, str]:
    """Text of every input and result in tables and formulas; of a choice the key of its option."""
    return {name: _shown(calculator, name, value) for name, value in values.items()}


def _shown(calculator: Calculator, name: str, value: Any) -> str:
    declared = calculator.declared(name)
    return declared.key(value) if isinstance(declared, Choice) else declared.text(value)


def also(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, str]:
    """Texts next to values: a band, or data in the other system of prefixes (GB for GiB and the other way)."""
    return _other_prefixes(calculator, values) | bands(calculator, values)


def _other_prefixes(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, str]:
    texts = ((name, _in_other_system(calculator, name, values[name])) for name in calculator.amounts_of_data)
    return {name: text for name, text in texts if text}


def _in_other_system(calculator: Calculator, name: str, value: Any) -> str:
    declared = calculator.declared(name)
    if value is None or isinstance(declared, Choice):
        return ""
    return units.other_system(value, declared.unit, binary=declared.binary) or ""


def cells(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, str]:
    """Texts of table cells and of places in the answer's sentence.

    "tender.0.1" is the second cell in the first row of the tender. "answer.mode" is the label of a choice in the
    sentence, "band.tpot" the band in brackets after a result, "unanswered" why there is no answer, "refused" how a
    sentence starts on a layout that frameworks refuse, "supposed" how the head of results then ends.
    """
    banded = bands(calculator, values)
    chosen = (name for name in _NAME.findall(calculator.answer) if isinstance(calculator.declared(name), Choice))
    shown = {f"answer.{name}": calculator.text(name, values[name]) for name in chosen}
    if calculator.unanswered:
        shown["unanswered"] = unanswered(calculator, values)
    if calculator.unanswered or calculator.refusals:
        shown["refused"], shown["supposed"] = if_it_ran(calculator, values), supposed(calculator, values)
    shown |= {f"band.{name}": bracketed(banded, name) for name in calculator.bands}
    return shown | {
        f"{table.name}.{row}.{place}": filled(calculator, text, values)
        for table in calculator.tables
        for row, texts in enumerate(table.rows(values))
        for place, text in enumerate(texts)
    }


def verdicts(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Level, state word and reason of every verdict, in the declared order."""
    found: dict[str, Verdict] = {one.name: values[one.name] for one in calculator.of_role("verdict")}
    return {
        name: {"level": one.level, "word": one.word, "reason": filled(calculator, one.reason, values)}
        for name, one in found.items()
    }


def verdict_lines(calculator: Calculator, values: Mapping[str, Any], *, strong: str = "") -> list[str]:
    """Every verdict as a line: its label, state word and reason, the worst first; label and word within `strong`."""
    found = sorted(verdicts(calculator, values).items(), key=lambda one: _WORST_FIRST.index(one[1]["level"]))
    return [f"{strong}{calculator.steps[name].label}: {one['word']}.{strong} {one['reason']}" for name, one in found]


def controls(calculator: Calculator, resolved: InputState) -> dict[str, Control]:
    """Every control by name: the text of its box, the stop of its slider, the origin of its value."""
    unknown = _unknown(calculator, resolved)
    return {
        name: _control(
            calculator,
            name,
            resolved.values[name],
            origin := resolved.origins[name],
            resolved.words.get(name, "" if origin == "default" else origin),
            unknown.get(name),
            typed_text(declared, resolved) if origin == "yours" else None,
        )
        for name, declared in calculator.inputs.items()
    }


def _control(
    calculator: Calculator, name: str, value: Any, origin: Origin, word: str, record: str | None, typed: str | None
) -> Control:
    """State of one control; `record` is the menu's record that does not publish the value."""
    declared = calculator.inputs[name]
    state: Control = {
        "box": _box(declared, value) if typed is None else typed,
        "origin": origin,
        "word": word,
        "note": f"Not published for {record}: this is a general default." if record and origin == "default" else "",
        "text": declared.text(value),
    }
    if isinstance(declared, Quantity):
        state["stop"] = 0 if value is None else sliders.nearest_stop(declared, value)
    return state


def _unknown(calculator: Calculator, resolved: InputState) -> dict[str, str]:
    """Inputs that a menu fills but its chosen record does not publish: by name, with that record's name.

    Only inputs whose default is a fact (of another product); most other fields that a record lacks do not apply to it.
    """
    found = {}
    for preset in calculator.presets:
        if record := preset.by_key.get(resolved.presets[preset.name]):
            lacking = [calculator.inputs[name] for name in preset.fills.keys() - preset.filled(record.key).keys()]
            found.update({one.name: record.name for one in lacking if isinstance(one, Quantity) and one.fact})
    return found


def _box(declared: Input, value: Any) -> str:
    """Text of a box that the reader did not fill in: no link or request repeats it, so a few digits are enough."""
    if not isinstance(declared, Quantity) or value is None:
        return declared.box(value)
    return units.text(value, declared.unit, binary=declared.binary, label=False, digits=_DIGITS_IN_A_BOX)


def answer(
    calculator: Calculator, resolved: InputState, values: Values, python: Collection[str] | None = None
) -> dict[str, Any]:
    """Response of a page for one state; `python` names the formulas to write as Python (None: all)."""
    shown, aged = texts(calculator, values), prices.notes(calculator, resolved, values)
    return {
        "texts": shown,
        "also": also(calculator, values),
        "verdicts": verdicts(calculator, values),
        "controls": controls(calculator, resolved),
        "presets": dict(resolved.presets),
        **drawn(calculator, values),
        "python": {
            name: explain.substituted(calculator, formula, shown)
            for name, formula in calculator.steps.items()
            if python is None or name in python
        },
        "warnings": warnings(calculator, values),
        "cells": cells(calculator, values) | {f"aged.{name}": text for name, text in aged.items()},
        "remarks": parsing_notes(calculator, resolved),
        "sentence": _sentence(calculator, values, aged),
    }

"""Answers: everything a page or a terminal shows for one state, as finished text; numbers are formatted here only."""

import math
import re
from collections.abc import Collection, Mapping
from typing import Any

from calculators import units
from calculators.answers import explain, sliders
from calculators.answers.input_state import CANNOT_CALCULATE, InputState, Origin, parsing_notes, typed_text
from calculators.answers.messages import Control
from calculators.answers.pictures import drawn
from calculators.declare import Calculator, Choice, Input, InputError, Quantity, Values

_NAME = re.compile(r"\{(\w+)\}")
_DIGITS_IN_A_BOX = 4
_NO_WIDER = " at both ends of the range"
_WORST_FIRST = ("bad", "tight", "good")


class CannotCalculateError(InputError):
    """The inputs are each valid, yet the formulas give no finite number for them."""

    def __init__(self) -> None:
        """One sentence, blaming no input."""
        super().__init__({"": CANNOT_CALCULATE})


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
    """A sentence with the present values in the places of {names}."""
    return _NAME.sub(lambda match: calculator.text(match[1], values[match[1]]), template)


def sentence(calculator: Calculator, values: Mapping[str, Any]) -> str:
    """The answer in a sentence, without emphasis, bands in brackets behind what has one."""
    banded = bands(calculator, values)
    template = calculator.answer.replace("**", "")
    return _NAME.sub(lambda match: calculator.text(match[1], values[match[1]]) + _bracketed(banded, match[1]), template)


def bands(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, str]:
    """Between which ends published runs lay, where the model says that: "16 to 24 GPUs". Nothing where no end is."""
    found = {}
    for name, ends in calculator.bands.items():
        if None not in (values[name], *(values[end] for end in ends)):
            low, high = (calculator.text(name, values[end]) for end in ends)
            found[name] = _between(low, high)
    return found


def _between(low: str, high: str) -> str:
    """Two texts as a range, their unit once: "16 to 24 GPUs"."""
    if low == high:
        return f"{low}{_NO_WIDER}"
    number, _, unit = low.partition(" ")
    return f"{number} to {high}" if unit and high.endswith(f" {unit}") else f"{low} to {high}"


def _bracketed(banded: Mapping[str, str], name: str) -> str:
    """A band as the sentence has it behind its result; nothing where it is no wider than that."""
    band = banded.get(name, "")
    return "" if not band or band.endswith(_NO_WIDER) else f" ({band})"


def warnings(calculator: Calculator, values: Mapping[str, Any]) -> list[str]:
    """Why results may lie outside the range in which the formulas hold."""
    found = (c.function(*[values[need] for need in c.needs]) for c in calculator.of_role("warning"))
    return [filled(calculator, text, values) for text in found if text]


def texts(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, str]:
    """Every input and result as readers see it in tables and formulas; choices by the key of their option."""
    return {name: _shown(calculator, name, value) for name, value in values.items()}


def _shown(calculator: Calculator, name: str, value: Any) -> str:
    declared = calculator.declared(name)
    return declared.key(value) if isinstance(declared, Choice) else declared.text(value)


def also(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, str]:
    """Texts next to values: a band, or data in the other system of prefixes (GB for GiB and the other way)."""
    return _other_prefixes(calculator, values) | bands(calculator, values)


def _other_prefixes(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, str]:
    told = ((name, _in_other_system(calculator, name, values[name])) for name in calculator.amounts_of_data)
    return {name: text for name, text in told if text}


def _in_other_system(calculator: Calculator, name: str, value: Any) -> str:
    declared = calculator.declared(name)
    if value is None or isinstance(declared, Choice):
        return ""
    return units.other_system(value, declared.unit, binary=declared.binary) or ""


def cells(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, str]:
    """Texts by their places: "tender.0.1" is the second cell of the tender's first row.

    "answer.mode" is a choice as the answer's sentence says it; tables name it by the key of its option. "band.tpot" is
    what stands in the sentence behind a result that has a band.
    """
    banded = bands(calculator, values)
    chosen = (name for name in _NAME.findall(calculator.answer) if isinstance(calculator.declared(name), Choice))
    said = {f"answer.{name}": calculator.text(name, values[name]) for name in chosen}
    said |= {f"band.{name}": _bracketed(banded, name) for name in calculator.bands}
    return said | {
        f"{sheet.name}.{row}.{place}": filled(calculator, text, values)
        for sheet in calculator.tables
        for row, texts in enumerate(sheet.rows(values))
        for place, text in enumerate(texts)
    }


def verdicts(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Every verdict, as declared: its level, its word, and its reason with the numbers in it."""
    judged = ((formula.name, values[formula.name]) for formula in calculator.of_role("verdict"))
    return {
        name: {"level": value.level, "word": value.word, "reason": filled(calculator, value.reason, values)}
        for name, value in judged
    }


def worst_first(judged: Mapping[str, dict[str, str]]) -> list[dict[str, str]]:
    """Verdicts as `verdicts` gives them, the worst at the front, else as declared."""
    return sorted(judged.values(), key=lambda one: _WORST_FIRST.index(one["level"]))


def began(words: str) -> str:
    """Words as they begin a sentence, every other letter as it is: "The GPU itself"."""
    return words[:1].upper() + words[1:]


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
    """How one control must stand, its value coming from there; `record` is the menu's that does not know it."""
    declared = calculator.inputs[name]
    standing: Control = {
        "box": _box(declared, value) if typed is None else typed,
        "origin": origin,
        "word": word,
        "note": f"Not published for {record}: this is a general default." if record and origin == "default" else "",
        "text": declared.text(value),
    }
    if isinstance(declared, Quantity):
        standing["stop"] = 0 if value is None else sliders.nearest_stop(declared, value)
    return standing


def _unknown(calculator: Calculator, resolved: InputState) -> dict[str, str]:
    """The inputs that a menu fills, but not from the record it stands on: by name, with that record's name.

    Only where the default is a fact, which then is one of something else; most other fields that a record lacks do not
    apply to it.
    """
    found = {}
    for preset in calculator.presets:
        if record := preset.by_key.get(resolved.presets[preset.name]):
            lacking = [calculator.inputs[name] for name in preset.fills.keys() - preset.filled(record.key).keys()]
            found.update({one.name: record.name for one in lacking if isinstance(one, Quantity) and one.fact})
    return found


def _box(declared: Input, value: Any) -> str:
    """The text of a box that is not the reader's own: no link or request repeats it, so a few digits are enough."""
    if not isinstance(declared, Quantity) or value is None:
        return declared.box(value)
    return units.text(value, declared.unit, binary=declared.binary, label=False, digits=_DIGITS_IN_A_BOX)


def answer(
    calculator: Calculator, resolved: InputState, values: Values, python: Collection[str] | None = None
) -> dict[str, Any]:
    """What a page needs, for the inputs as they stand; of the formulas as Python, those it shows (or all)."""
    shown = texts(calculator, values)
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
        "cells": cells(calculator, values),
        "remarks": parsing_notes(calculator, resolved),
        "sentence": sentence(calculator, values),
    }

"""The machine told: as text for a terminal, as Markdown for a review document, as plain data for programs."""

from typing import Any

from calculators import units
from calculators.answers import answer, plain
from calculators.declare import Choice
from calculators.machine import breakdown, form, runner_up
from calculators.machine.standing import Standing

_LONGEST_LABEL = 44
_DIGITS = 4


def described(found: Standing) -> dict[str, Any]:
    """Everything as plain data, inputs and results under the names of the single calculators."""
    return {
        **plain.described(found.calculator, found.resolved, found.values),
        "sentence": sentence(found),
        "breakdown": run_taken_apart(found),
        "layout": runner_up.described(found),
    }


def sentence(found: Standing) -> str:
    """The answer."""
    return answer.sentence(found.calculator, found.values)


def run_taken_apart(found: Standing) -> list[dict[str, Any]]:
    """Each part of the run: its time, its share of wall clock, and the calculator it comes from."""
    whole = found.values["training_duration"]
    return [
        {
            "name": part.result,
            "label": found.calculator.steps[part.result].label,
            "value": found.values[part.result],
            "unit": "s",
            "text": found.calculator.text(part.result, found.values[part.result]),
            "share": found.values[part.result] / whole,
            "share_text": units.text(found.values[part.result] / whole, "share"),
            "calculator": part.calculator,
        }
        for part in breakdown.PARTS
    ]


def readable(found: Standing) -> str:
    """For a terminal."""
    lines = [sentence(found), "", *runner_up.sentences(found), ""]
    lines += [f"Warning: {text}" for text in answer.warnings(found.calculator, found.values)]
    lines += ["", "The whole run, from the ideal"]
    lines += [
        f"  {part['label']:<{_LONGEST_LABEL}} {part['text']:>14} {part['share_text']:>8}  {part['calculator']}"
        for part in run_taken_apart(found)
    ]
    lines += ["", "The short form"]
    for field in form.FORM:
        lines += [f"  {field.title}"]
        lines += [
            f"    {label:<{_LONGEST_LABEL}} {text:>24}  {origin}" for label, text, origin in _answers(found, field)
        ]
    return "\n".join(lines) + "\n"


def _answers(found: Standing, field: form.Field) -> list[tuple[str, str, str]]:
    """Label, value and origin of what answers a question of the form."""
    rows = []
    for name in field.names:
        menu = next((preset for preset in found.calculator.presets if preset.name == name), None)
        if menu is not None:
            chosen = found.resolved.presets[name]
            rows.append((menu.label, menu.by_key[chosen].name if chosen else "none", "menu"))
            continue
        declared = found.calculator.inputs[name]
        value = found.values[name]
        shown = declared.box(value) if isinstance(declared, Choice) else declared.text(value)
        rows.append((declared.label, shown, found.resolved.words.get(name) or found.resolved.origins[name]))
    return rows


def markdown(found: Standing) -> str:
    """For a review document: the sentence, the run, the layout, every input with its origin, what it assumes."""
    calculator = found.calculator
    lines = [f"## {calculator.title}", "", sentence(found), "", *runner_up.sentences(found), ""]
    lines += ["| The run | Time | Of wall clock | From |", "|---|--:|--:|---|"]
    lines += [
        f"| {part['label']} | {part['text']} | {part['share_text']} | {part['calculator']} |"
        for part in run_taken_apart(found)
    ]
    lines += ["", "| Asked | Value | From |", "|---|--:|---|"]
    lines += [
        f"| {label} | {text} | {origin} |" for field in form.FORM for label, text, origin in _answers(found, field)
    ]
    asked = {name for field in form.FORM for name in field.names}
    lines += ["", "| Otherwise | Value | From |", "|---|--:|---|"]
    shown = answer.texts(calculator, found.values)
    lines += [
        f"| {declared.label} | {shown[name]} | {found.resolved.words.get(name) or found.resolved.origins[name]} |"
        for name, declared in calculator.inputs.items()
        if name not in asked
    ]
    lines += ["", *(f"- Warning: {text}" for text in answer.warnings(calculator, found.values))]
    lines += [f"- Assumes: {text}" for text in calculator.assumptions]
    lines += [f"- Leaves out: {text}" for text in calculator.omits]
    return "\n".join(lines) + "\n"

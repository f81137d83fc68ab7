"""The machine told: as text for a terminal, as Markdown for a review document, as plain data for programs."""

from collections.abc import Mapping, Sequence
from typing import Any

from calculators import units
from calculators.answers import answer, data
from calculators.declare import Choice
from calculators.machine import bill, breakdown, changes, pillars, runner_up
from calculators.machine.form import Field
from calculators.machine.kinds import Machine
from calculators.machine.pillars import Pillar
from calculators.machine.service import Service
from calculators.machine.standing import Standing

_LONGEST_LABEL = 44


def described(found: Standing | Service) -> dict[str, Any]:
    """Everything as plain data, inputs and results under the names of the single calculators."""
    known = pillars.pillars(found)
    return {
        **data.described(found.calculator, found.resolved, found.values),
        "kind": found.kind.name,
        "sentence": sentence(found),
        "limiting_pillar": limiting(found, known),
        "pillars": list(pillars.described(known)),
        "changes": changes.described(found),
        "bill": list(bill.bill(found)),
        **_of_the_run(found),
    }


def _of_the_run(found: Standing | Service) -> dict[str, Any]:
    """What only a machine that trains has."""
    if isinstance(found, Service):
        return {}
    return {"breakdown": run_taken_apart(found), "layout": runner_up.described(found)}


def limiting(of: Machine, known: Sequence[Pillar]) -> dict[str, Any]:
    """The limiting pillar, those balanced with it, and what makes it that."""
    found = pillars.limit(known)
    return {
        "name": found.pillar.key,
        "title": found.pillar.title,
        "kind": found.pillar.kind,
        "balanced_with": [one.key for one in found.balanced],
        "said": found.said,
        "definition": pillars.definition(of.kind),
    }


def sentence(found: Machine) -> str:
    """The answer."""
    return answer.sentence(found.calculator, found.values)


def run_taken_apart(found: Standing) -> list[dict[str, Any]]:
    """Each part of the run: its time, all in one unit, its share of wall clock, and the calculator it comes from."""
    whole = found.values["training_duration"]
    texts = units.alike([found.values[part.result] for part in breakdown.PARTS], "s")
    return [
        {
            "name": part.result,
            "label": found.calculator.steps[part.result].label,
            "value": found.values[part.result],
            "unit": "s",
            "text": text,
            "share": found.values[part.result] / whole,
            "share_text": units.text(found.values[part.result] / whole, "share"),
            "calculator": part.calculator,
        }
        for part, text in zip(breakdown.PARTS, texts, strict=True)
    ]


def readable(found: Standing | Service) -> str:
    """For a terminal."""
    known = pillars.pillars(found)
    lines = [sentence(found), pillars.limit(known).said, ""]
    if isinstance(found, Standing):
        lines += [*runner_up.sentences(found), ""]
    lines += [f"Warning: {text}" for text in answer.warnings(found.calculator, found.values)]
    if isinstance(found, Standing):
        lines += ["", "Run time by cause"]
        lines += [
            f"  {part['label']:<{_LONGEST_LABEL}} {part['text']:>14} {part['share_text']:>8}  {part['calculator']}"
            for part in run_taken_apart(found)
        ]
    lines += ["", "Resources: gain from 10% more or margin, headroom; required; available"]
    lines += [
        f"  {one.title:<30} {gain_or_margin(one):>8} {spare(one):>8}  {one.verdict.word:<20} {one.asked}; {one.there}"
        for one in known
    ]
    lines += ["", "Recommendations"]
    for place, one in enumerate(changes.described(found), start=1):
        lines += [f"  {place:2}. {one['title']}", f"      {_effects(one)}"]
    lines += ["", "Summary"]
    for field in found.kind.form:
        lines += [f"  {field.title}"]
        lines += [
            f"    {label:<{_LONGEST_LABEL}} {text:>24}  {origin}" for label, text, origin in _answers(found, field)
        ]
    return "\n".join(lines) + "\n"


def _effects(one: Mapping[str, Any]) -> str:
    """What a change does, in a line."""
    said = f"{one['first_text']}, {one['price_text']}, {one['power_text']}"
    return "; ".join(filter(None, (said, changes.effects(one))))


def gain_or_margin(one: Pillar) -> str:
    """What a tenth more of a rate gains, or what is left of a capacity."""
    return one.margin_text if one.gain is None else f"+{units.text(one.gain, 'share')}"


def spare(one: Pillar) -> str:
    """How much of a rate is headroom."""
    return "" if one.slack is None else units.text(one.slack, "share")


def _answers(found: Machine, field: Field) -> list[tuple[str, str, str]]:
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


def markdown(found: Standing | Service) -> str:
    """For a review document: the sentence, the run, pillars, changes, every input with its origin, what it assumes."""
    calculator = found.calculator
    known = pillars.pillars(found)
    lines = [f"## {calculator.title}", "", f"{sentence(found)} {pillars.limit(known).said}", ""]
    if isinstance(found, Standing):
        lines += [
            *runner_up.sentences(found),
            "",
            "| Run time by cause | Time | Share of wall clock | Calculator |",
            "|---|--:|--:|---|",
        ]
        lines += [
            f"| {part['label']} | {part['text']} | {part['share_text']} | {part['calculator']} |"
            for part in run_taken_apart(found)
        ]
        lines.append("")
    lines += [
        "| Resource | Required | Available | Margin | Gain from 10% more | Headroom | Cost of the gain | Verdict |",
        f"|---|{'--:|' * 3}{'---|' * 4}",
    ]
    lines += [
        f"| {one.title} | {one.asked} | {one.there} | {one.margin_text} | {one.gain_text} | {one.slack_text} "
        f"| {one.gain_per_dollar_text} | {one.verdict.word} |"
        for one in known
    ]
    lines += ["", pillars.definition(found.kind)]
    lines += ["", "| Recommendation | Gain | Cost | Power | Fixes | Breaks |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {one['title']} | {one['first_text']} | {one['price_text']} | {one['power_text']} "
        f"| {', '.join(one['mends'])} | {', '.join(one['breaks'])} |"
        for one in changes.described(found)
    ]
    lines += ["", "| Bill of materials | Count | |", "|---|--:|---|"]
    lines += [
        f"| {line['title']} | {count['text']} | {count['label']} |"
        for line in bill.bill(found)
        for count in line["counts"]
    ]
    lines += ["", "| Main input | Value | Source |", "|---|--:|---|"]
    lines += [
        f"| {label} | {text} | {origin} |"
        for field in found.kind.form
        for label, text, origin in _answers(found, field)
    ]
    asked = {name for field in found.kind.form for name in field.names}
    lines += ["", "| Other input | Value | Source |", "|---|--:|---|"]
    shown = answer.texts(calculator, found.values)
    lines += [
        f"| {declared.label} | {shown[name]} | {found.resolved.words.get(name) or found.resolved.origins[name]} |"
        for name, declared in calculator.inputs.items()
        if name not in asked
    ]
    lines += ["", *(f"- Warning: {text}" for text in answer.warnings(calculator, found.values))]
    lines += [f"- Assumes: {text}" for text in calculator.assumptions]
    lines += [f"- Does not cover: {text}" for text in calculator.omits]
    return "\n".join(lines) + "\n"

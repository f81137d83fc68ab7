"""A system as text for a terminal, as Markdown for a review document, as plain data for programs."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from calculators import units
from calculators.answers import answer, data
from calculators.declare import NOT_CHECKED, REFUSED, Choice, Level
from calculators.machine import breakdown, changes
from calculators.machine.form import Field
from calculators.machine.kinds import Machine
from calculators.machine.layout import runner_up
from calculators.machine.report import bill, change_texts
from calculators.machine.resources import bottlenecks
from calculators.machine.resources.bottlenecks import Resource
from calculators.machine.resources.capacities import margins
from calculators.machine.state import State
from calculators.machine.step import accuracy, parts
from calculators.machine.training_state import TrainingState

_LONGEST_LABEL = 44


def described(
    found: State, known: Sequence[Resource] = (), best: Iterable[changes.Change] | None = None
) -> dict[str, Any]:
    """System as plain data, inputs and results under the names of the single calculators.

    `known` are its pillars and `best` its changes, where these were found before.
    """
    known = known or bottlenecks.resources(found)
    return {
        **data.described(found.calculator, found.resolved, found.values),
        "kind": found.kind.name,
        "state": state_line(found)[1],
        "sentence": sentence(found),
        "limiting_pillar": limiting(found, known),
        "pillars": list(bottlenecks.described(known)),
        "changes": change_texts.described(found, best),
        "bill": list(bill.bill(found)),
        "bill_prices": list(bill.priced(found)),
        **_of_the_run(found),
    }


def _of_the_run(found: State) -> dict[str, Any]:
    """Data of training alone."""
    if not isinstance(found, TrainingState):
        return {}
    return {
        "breakdown": run_taken_apart(found) if found.layout.fits else [],
        "step": step_taken_apart(found) if found.layout.fits else [],
        "accuracy": [dataclasses.asdict(one) for one in accuracy.FAMILIES],
        "layout": runner_up.described(found),
    }


def limiting(of: Machine, known: Sequence[Resource]) -> dict[str, Any]:
    """The bottleneck, resources balanced with it, and what makes it that."""
    found = bottlenecks.limit(known)
    return {
        "name": found.resource.key,
        "title": found.resource.title,
        "kind": found.resource.kind,
        "balanced_with": [one.key for one in found.balanced],
        "said": found.message,
        "definition": bottlenecks.definition(of.kind),
    }


def sentence(found: Machine) -> str:
    """The answer."""
    return answer.sentence(found.calculator, found.values, found.resolved)


def state_line(found: Machine) -> tuple[Level, str]:
    """The state in a line, good or bad, and the worst level in it: "Fits · Checkpoints finish · Goodput OK".

    First the verdicts that decide a job of this kind, then every other that is bad, then limits that are exceeded and
    have no verdict: a deadline, a budget. Where there is no answer, as of a run that does not fit, nothing is good.
    """
    judged = answer.verdicts(found.calculator, found.values)
    deciding = found.kind.states
    answered = not answer.unanswered(found.calculator, found.values)
    decided = [
        name
        for name in deciding
        if answered or (judged[name]["level"] != "good" and judged[name]["word"] != NOT_CHECKED)
    ]
    words = {name: {} if judged[name]["word"] == REFUSED else deciding[name] for name in decided}
    messages = [words[name].get(judged[name]["level"], judged[name]["word"]) for name in decided]
    levels = [judged[name]["level"] for name in decided]
    for name, one in judged.items():
        if name not in deciding and one["level"] == "bad":
            messages.append(f"{found.calculator.steps[name].label}: {one['word']}")
            levels.append("bad")
    exceeded = [one.capacity.exceeded for one in margins(found) if one.margin is not None and one.margin < 0]
    exceeded += [one.exceeded for one in found.kind.rates if one.is_short(found.values)]
    messages += filter(None, exceeded)
    levels += ["bad" for words in exceeded if words]
    worst: Level = "bad" if "bad" in levels else "tight" if "tight" in levels else "good"
    return worst, " · ".join(dict.fromkeys(text[:1].upper() + text[1:] for text in messages))


def run_taken_apart(found: TrainingState) -> list[dict[str, Any]]:
    """Each part of the run: its time, all in one unit, its share of wall clock, and the calculator it comes from."""
    whole = found.values["training_duration"]
    texts = units.texts_in_one_unit([found.values[part.result] for part in breakdown.PARTS], "s")
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


def step_taken_apart(found: TrainingState) -> list[dict[str, Any]]:
    """Each part of a step that takes time: its label, its time and its share of the step."""
    return [part for part in parts.taken_apart(found.calculator, found.values) if part["value"] > 0]


def readable(found: State) -> str:
    """For a terminal."""
    known = bottlenecks.resources(found)
    lines = [state_line(found)[1], "", sentence(found), bottlenecks.limit(known).message]
    if isinstance(found, TrainingState):
        lines += ["", *runner_up.sentences(found)]
    if warnings := answer.warnings(found.calculator, found.values):
        lines += ["", *(f"Warning: {text}" for text in warnings)]
    if isinstance(found, TrainingState) and found.layout.fits:
        lines += ["", "Run time by cause"]
        lines += [
            f"  {part['label']:<{_LONGEST_LABEL}} {part['text']:>14} {part['share_text']:>8}  {part['calculator']}"
            for part in run_taken_apart(found)
        ]
        lines += ["", "Step time by part"]
        lines += [
            f"  {part['label']:<{_LONGEST_LABEL}} {part['text']:>14} {part['share_text']:>8}"
            for part in step_taken_apart(found)
        ]
        lines += ["", "Calculated speed of a step against published runs: runs, median error, within 20%"]
        lines += [
            f"  {one.name:<{_LONGEST_LABEL}} {one.runs:>14} {one.median_text:>8} {one.within_text:>8}  {one.used_text}"
            for one in accuracy.FAMILIES
        ]
    lines += ["", "Resources: gain from 10% more or margin, headroom; required; available"]
    lines += [
        f"  {one.title:<30} {gain_or_margin(one):>8} {spare(one):>8}  {one.verdict.word:<20} {one.asked}; {one.there}"
        for one in known
    ]
    if advised := change_texts.described(found):
        lines += ["", "Recommendations"]
    for place, one in enumerate(advised, start=1):
        lines += [f"  {place:2}. {one['title']}", f"      {_effects(one)}"]
    lines += ["", "Summary"]
    for field in found.kind.form:
        lines += [f"  {field.title}"]
        lines += [
            f"    {label:<{_LONGEST_LABEL}} {text:>24}  {origin}" for label, text, origin in _answers(found, field)
        ]
    return "\n".join(lines) + "\n"


def _effects(one: Mapping[str, Any]) -> str:
    """Effects of a change, in a line."""
    message = f"{one['first_text']}, {one['price_text']}, {one['power_text']}"
    return "; ".join(filter(None, (message, change_texts.effects(one))))


def gain_or_margin(one: Resource) -> str:
    """Gain from 10% more of a rate, or the margin of a capacity."""
    return one.margin_text if one.gain is None else f"+{units.text(one.gain, 'share')}"


def spare(one: Resource) -> str:
    """Headroom of a rate [share]."""
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


def markdown(found: State, known: Sequence[Resource] = (), best: Iterable[changes.Change] | None = None) -> str:
    """For a review document: the sentence, the run, pillars, changes, every input with its origin, what it assumes.

    `known` are its pillars and `best` its changes, where these were found before.
    """
    calculator = found.calculator
    known = known or bottlenecks.resources(found)
    lines = [f"## {calculator.title}", "", f"**{state_line(found)[1]}**", ""]
    lines += [f"{sentence(found)} {bottlenecks.limit(known).message}", ""]
    if isinstance(found, TrainingState):
        lines += [*runner_up.sentences(found), ""]
    if isinstance(found, TrainingState) and found.layout.fits:
        lines += [
            "| Run time by cause | Time | Share of wall clock | Calculator |",
            "|---|--:|--:|---|",
        ]
        lines += [
            f"| {part['label']} | {part['text']} | {part['share_text']} | {part['calculator']} |"
            for part in run_taken_apart(found)
        ]
        lines += ["", "| Step time by part | Time | Share of the step |", "|---|--:|--:|"]
        lines += [f"| {part['label']} | {part['text']} | {part['share_text']} |" for part in step_taken_apart(found)]
        lines += ["", "| Calculated speed against published runs | Runs | Median error | Within 20% | From | To | |"]
        lines.append(f"|---|{'--:|' * 5}---|")
        lines += [
            f"| {one.name} | {one.runs} | {one.median_text} | {one.within_text} | {one.least_text} | {one.most_text} "
            f"| {one.used_text} |"
            for one in accuracy.FAMILIES
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
    lines += ["", bottlenecks.definition(found.kind)]
    lines += ["", "| Recommendation | Gain | Cost | Power | Fixes | Breaks |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {one['title']} | {one['first_text']} | {one['price_text']} | {one['power_text']} "
        f"| {', '.join(one['fixes'])} | {', '.join(one['breaks'])} |"
        for one in change_texts.described(found, best)
    ]
    lines += ["", "| Bill of materials | Count | |", "|---|--:|---|"]
    for line in bill.bill(found):
        aged = f" ({line['note']})" if line["note"] else ""
        lines += [f"| {line['title']} | {count['text']} | {count['label']}{aged} |" for count in line["counts"]]
    lines += ["", "| Price | Quantity | Unit price | Amount |", "|---|--:|--:|--:|"]
    lines += [
        f"| {one['part']}: {one['title']} | {one['quantity']} | {one['unit_price']} | {one['amount_text']} |"
        for one in bill.priced(found)
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

"""A state as Markdown, to be pasted into a review document."""

from collections.abc import Sequence

from calculators.answers import answer, differences, links
from calculators.answers.input_state import InputState
from calculators.answers.links import stamped
from calculators.declare import Calculator, Table, Values, Verdict

_ORIGINS = {"yours": "entered", "preset": "preset", "default": "default", "computed": "computed"}


def table(calculator: Calculator, resolved: InputState, values: Values, *, address: str = "") -> str:
    """Question, answer, inputs with their origin, results, warnings and assumptions."""
    shown, other = answer.texts(calculator, values), answer.also(calculator, values)
    lines = [
        f"## {calculator.title}",
        "",
        f"*{calculator.question}*",
        "",
        answer.sentence(calculator, values, resolved),
        "",
    ]
    for line in answer.verdict_lines(calculator, values, strong="**"):
        lines += [line, ""]
    lines += ["| Input | Value | From |", "|---|--:|---|"]
    for preset in calculator.presets:
        chosen = next((r.name for r in preset.records if r.key == resolved.presets[preset.name]), "none")
        lines.append(f"| {preset.label} | {chosen} | preset |")
    lines += [
        f"| {d.label} | {shown[n]} | {resolved.words.get(n) or _ORIGINS[resolved.origins[n]]} |"
        for n, d in calculator.inputs.items()
    ]
    lines += ["", "| Result | Value | |", "|---|--:|---|"]
    for name, formula in calculator.steps.items():
        if not isinstance(values[name], Verdict):
            lines.append(f"| {formula.label} | {shown[name]} | {other.get(name, '')} |")
    for one in calculator.tables:
        lines += ["", *table_lines(calculator, one, values)]
    lines += ["", *(f"- Warning: {text}" for text in answer.warnings(calculator, values))]
    lines += [f"- Assumes: {text}" for text in calculator.assumptions]
    lines += ["", f"State: {address}#{stamped(calculator, resolved, values)}"]
    return "\n".join(lines) + "\n"


def summary(
    calculator: Calculator, resolved: InputState, values: Values, parts: list[links.Part], above: Sequence[str] = ()
) -> str:
    """The answer in about 1 kB: sentence, verdicts that are not good, main results, changed inputs, link of `parts`."""
    shown = answer.texts(calculator, values)
    wrong = sum(one["level"] != "good" for one in answer.verdicts(calculator, values).values())
    changed = "; ".join(one["text"] for one in differences.differences(calculator, resolved, parts))
    lines = [f"## {calculator.title}", "", *above, answer.sentence(calculator, values, resolved), ""]
    lines += [f"- {line}" for line in answer.verdict_lines(calculator, values, strong="**")[:wrong]]
    lines += ["", "| Result | Value |", "|---|--:|"]
    lines += [f"| {calculator.steps[name].label} | {shown[name]} |" for name in calculator.headline]
    lines += ["", f"Changed from the defaults: {changed}." if changed else "Every input is at its default."]
    lines += ["", f"State: #{links.stamp(calculator, values, parts)}"]
    return "\n".join(lines) + "\n"


def table_lines(calculator: Calculator, declared: Table, values: Values) -> list[str]:
    """A table as Markdown, followed by the terminal commands of its rows, if it has any."""
    filled = [[answer.filled(calculator, text, values) for text in row] for row in declared.rows(values)]
    shown = len(declared.columns) - declared.commands
    lines = [f"### {declared.title}", "", declared.about, ""]
    lines += [f"| {' | '.join(declared.columns[:shown])} |", f"|{'---|' * shown}"]
    lines += [f"| {' | '.join(row[:shown])} |" for row in filled]
    if declared.commands:
        lines += ["", f"#### {declared.columns[-1]}"]
        for row in filled:
            lines += ["", f"{row[0]}:", "", "```text", row[-1], "```"]
    return lines

"""A state as Markdown, to be pasted into a review document."""

from calculators.answers import answer
from calculators.answers.links import stamped
from calculators.answers.resolve import Resolved
from calculators.declare import Calculator, Values, Verdict

_ORIGINS = {"yours": "given", "preset": "preset", "default": "default", "computed": "computed"}


def table(calculator: Calculator, resolved: Resolved, values: Values, *, address: str = "") -> str:
    """Question, answer, inputs with their origin, results, warnings and assumptions."""
    shown, other = answer.texts(calculator, values), answer.also(calculator, values)
    lines = [f"## {calculator.title}", "", f"*{calculator.question}*", "", answer.sentence(calculator, values), ""]
    for verdict in answer.verdicts(calculator, values).values():
        lines += [f"**{verdict['word'].capitalize()}.** {verdict['reason']}", ""]
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
    lines += ["", *(f"- Warning: {text}" for text in answer.warnings(calculator, values))]
    lines += [f"- Assumes: {text}" for text in calculator.assumptions]
    lines += ["", f"State: {address}#{stamped(calculator, resolved, values)}"]
    return "\n".join(lines) + "\n"

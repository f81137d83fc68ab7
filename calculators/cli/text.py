"""An answer as text for a terminal: the sentence, verdicts, inputs, results and the working."""

from collections.abc import Sequence

from calculators.answers import answer, explain
from calculators.answers.input_state import InputState, parsing_notes
from calculators.declare import AnyFormula, Calculator, Choice, Values, Verdict

_LABEL_WIDTH = 34


def readable(calculator: Calculator, resolved: InputState, values: Values) -> str:
    """Text of one state of a calculator: answer, results, inputs, warnings."""
    lines = [calculator.question, "", answer.sentence(calculator, values, resolved)]
    lines += answer.verdict_lines(calculator, values)
    lines += [f"Warning: {text}" for text in answer.warnings(calculator, values)]
    lines += [f"Note: {text}" for text in parsing_notes(calculator, resolved)]
    lines += ["", "Inputs"]
    for preset in calculator.presets:
        lines.append(f"  {preset.label:<{_LABEL_WIDTH}} {resolved.presets[preset.name] or 'none':>24}")
    for name, declared in calculator.inputs.items():
        shown = declared.box(values[name]) if isinstance(declared, Choice) else declared.text(values[name])
        lines.append(
            f"  {declared.label:<{_LABEL_WIDTH}} {shown:>24}  {resolved.words.get(name) or resolved.origins[name]}"
        )
    other = answer.also(calculator, values)
    ranges = ", and ranges as published runs would have them" if calculator.bands else ""
    lines += ["", f"Results{answer.supposed(calculator, values)}{ranges}"]
    for name in [*calculator.headline, *(n for n in calculator.steps if n not in calculator.headline)]:
        formula = calculator.steps[name]
        lines.append(
            f"  {formula.label:<{_LABEL_WIDTH}} {formula.text(values[name]):>24}  {other.get(name, '')}".rstrip()
        )
    lines += ["", "Working", ""]
    return "\n".join(lines) + working(calculator, list(calculator.steps.values()), values)


def working(calculator: Calculator, formulas: Sequence[AnyFormula], values: Values) -> str:
    """These formulas, each with its numbers and sources."""
    blocks = []
    texts = answer.texts(calculator, values)
    for formula in formulas:
        cited = "; ".join(source.title for source in formula.sources)
        value = values[formula.name]
        if isinstance(value, Verdict):
            steps = [f"    {value.word}: {answer.filled(calculator, value.reason, values)}"]
        else:
            steps = [
                *_indented("= ", explain.symbolic(formula)),
                *_indented("= ", explain.substituted(calculator, formula, texts)),
                f"    = {formula.text(value)}",
            ]
        lines = [
            f"  {formula.name} ({formula.label})",
            *steps,
            *([f"    source: {cited}"] if cited else []),
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _indented(sign: str, text: str) -> list[str]:
    first, *rest = text.splitlines()
    return [f"    {sign}{first}", *(f"      {line}" for line in rest)]

"""Drawings of the Explore panel: a tornado of inputs, and a waterfall from one state to another."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from calculators.answers import explore
from calculators.answers.explore.attribution import Attribution
from calculators.answers.review import comparison, uncertainty
from calculators.declare import Calculator
from calculators.page import bars

_SEEN = 0.2  # of the largest value: a smaller difference is drawn alone, since bars from 0 would hide it


def tornado(calculator: Calculator, values: Mapping[str, Any], result: str, moving: Sequence[explore.Swing]) -> str:
    """The ranking as a picture: of each input the result from one end of its range to the other."""
    formula, now = calculator.steps[result], values[result]
    drawn = []
    for swing in moving:
        least, most = sorted((swing.at_low, swing.at_high))
        drawn.append(
            bars.Bar(
                label=calculator.inputs[swing.name].label,
                note=uncertainty.ends(calculator, values, swing),
                pieces=[(now, swing.at_low, "f-fill-2"), (now, swing.at_high, "f-fill-1")],
                before=formula.text(least),
                after=formula.text(most),
            )
        )
    about = f"Now {formula.text(now)}; pale where the input is at its lower end, dark where it is at its upper end."
    title = f"{formula.label}, each input alone; now {formula.text(now)}"
    return bars.bars("tornado", (title, about), drawn, now=now)


def waterfall(
    calculator: Calculator, one: comparison.State, other: comparison.State, result: str, found: Attribution
) -> str:
    """The attribution as a picture."""
    about = comparison.explained(calculator, one, other, result, found)
    return drawn_waterfall(calculator, (one.letter, other.letter), result, found, about)


def drawn_waterfall(
    calculator: Calculator, letters: tuple[str, str], result: str, found: Attribution, about: str
) -> str:
    """A waterfall between two states of these letters; `about` is the sentence that says what it shows."""
    formula = calculator.steps[result]
    reached = list(itertools.accumulate((part for _, part in found.parts), initial=found.before))
    is_seen = max(reached) - min(reached) > _SEEN * max(map(abs, reached))
    ends = (
        bars.Bar(label=letter, pieces=[(0.0 if is_seen else value, value, "f-fill-5")], after=formula.text(value))
        for letter, value in zip(letters, (found.before, found.after), strict=True)
    )
    steps = [
        bars.Bar(
            label=comparison.label(calculator, change),
            pieces=[(left, right, "f-fill-1" if right >= left else "f-fill-3")],
            after=comparison.signed(calculator, result, part),
        )
        for (change, part), (left, right) in zip(found.parts, itertools.pairwise(reached), strict=True)
    ]
    first, last = ends
    title = f"{formula.label}, {' to '.join(letters)}{'' if is_seen else '; the difference only'}"
    return bars.bars(f"compared-{'-'.join(letters)}", (title, about), [first, *steps, last], linked=True)

"""Thresholds of every verdict in the Explore panel: the closest so far at once, then each input's."""

from collections.abc import Mapping

from calculators.answers.explore import margins
from calculators.answers.input_state import InputState
from calculators.answers.messages import Question, Row, Table
from calculators.answers.review import margins as margin_text
from calculators.declare import Calculator, Values
from calculators.page.review_answer import LOOKING, Parts, review

_WITHIN = "; within the stated range"
_TESTED = "Tested at every stop of each slider, and counts at every whole number within 64 of the present value."
_NO_THRESHOLD = "No single input changes any verdict within its slider range."


def thresholds(calculator: Calculator, _resolved: InputState, values: Values, _question: Question) -> Parts:
    """Response in parts as they are found: the closest threshold so far, then a table for each verdict."""
    tables: list[Table] = []
    still = []
    sentences: list[str] = []
    verdicts = calculator.of_role("verdict")
    names = [formula.name for formula in verdicts]
    yield {"review": review(notes=[LOOKING])}
    closest: dict[str, margins.Margin | None] = {}
    first = None
    for pause in margins.nearest(calculator, values, names, closest).slices():
        before, first = first, _closest(closest)
        if first is before or first is None:
            yield pause
        else:
            head, *rest = _nearest(calculator, values, first)
            yield {"review": review(sentences=[head.replace(":", " so far:", 1), *rest], notes=[LOOKING])}
    nearest = first = _closest(closest)
    if first is not None:  # of all verdicts, before the search of everything
        yield {"review": review(sentences=_nearest(calculator, values, first), tables=[], notes=[LOOKING])}
    margins_of = yield from margins.margins(calculator, values, names).slices()
    for formula in verdicts:
        found = margins_of[formula.name]
        options = yield from margins.other_options(calculator, values, formula.name).slices()
        rows = [_margin(calculator, values, one) for one in found]
        rows += [_option(calculator, values, one) for one in options]
        title = f"{formula.label}: {values[formula.name].word}."
        still += [] if rows else [title]
        tables += [Table(title=title, folded=False, heads=["Input", "Now", "Thresholds"], rows=rows)] if rows else []
        nearest = min((one for one in (nearest, *found[:1]) if one is not None), key=_far, default=None)
        sentences = [] if nearest is None else _nearest(calculator, values, nearest)
        yield {"review": review(sentences=sentences, tables=tables, notes=[LOOKING])}
    unreachable = [f"No single input changes these within its slider range: {' '.join(still)}"] if still else []
    if nearest is None:
        judged = any(True for _ in calculator.of_role("verdict"))
        sentences = [_NO_THRESHOLD if judged else margin_text.NO_VERDICTS]
    yield {"review": review(sentences=sentences, tables=tables, notes=[*unreachable, _TESTED])}


def _closest(found: Mapping[str, margins.Margin | None]) -> margins.Margin | None:
    return min((one for one in found.values() if one is not None), key=_far, default=None)


def _far(one: margins.Margin) -> float:
    return one.distance


def _nearest(calculator: Calculator, values: Values, one: margins.Margin) -> list[str]:
    """The closest threshold of all, in words."""
    verdict = calculator.steps[one.verdict].label
    return [f"Closest to a threshold: {verdict}.", margin_text.closest_sentence(calculator, values, one)]


def _margin(calculator: Calculator, values: Values, one: margins.Margin) -> Row:
    """Row of an input's thresholds; marked where its range reaches one."""
    text = margin_text.phrase(calculator, values, one) + (_WITHIN if one.in_range else "")
    label, now = calculator.inputs[one.name].label, calculator.text(one.name, values[one.name])
    return {"cells": [label, now, text], "marked": [2] if one.in_range else []}


def _option(calculator: Calculator, values: Values, one: margins.OtherOption) -> Row:
    declared = calculator.inputs[one.name]
    text = f"“{declared.text(one.value)}”: {one.becomes.word}"
    return {"cells": [declared.label, declared.text(values[one.name]), text], "marked": []}

"""Which inputs do nothing at present: whatever they were, the answer would stay."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from calculators.declare import Calculator, Choice, Input, Verdict

_NAME = re.compile(r"\{(\w+)\}")
_SAME = 1e-9


def without_effect(calculator: Calculator, values: Mapping[str, Any], results: Iterable[str] = ()) -> tuple[str, ...]:
    """The inputs that move none of the results now: those on which none depends, and those that try in vain.

    Without `results`, those that the answer names, the verdicts, and what the picture draws. An input is tried at both
    ends of its slider and in the middle, or in every option; one that gives no number there does have an effect.
    """
    watched = tuple(results) or _answers(calculator)
    return tuple(name for name in calculator.inputs if not _has_effect(calculator, values, name, watched))


def reach(
    calculator: Calculator, values: Mapping[str, Any], name: str
) -> Literal["answer", "other results", "nothing"]:
    """How far an input's effect reaches at present."""
    if name in calculator.searched or _has_effect(calculator, values, name, _answers(calculator)):
        return "answer"
    return "other results" if _has_effect(calculator, values, name, tuple(calculator.steps)) else "nothing"


def _has_effect(calculator: Calculator, values: Mapping[str, Any], name: str, watched: Iterable[str]) -> bool:
    declared = calculator.inputs[name]
    return any(_moves(calculator, values, {name: point}, watched) for point in _points(declared, values[name]))


def _answers(calculator: Calculator) -> tuple[str, ...]:
    computed = {*calculator.steps, *calculator.computed_inputs}
    named = [name for name in _NAME.findall(calculator.answer) if name in computed]
    verdicts = [name for name, formula in calculator.steps.items() if formula.role == "verdict"]
    pictures = filter(None, (calculator.picture, calculator.second_picture))
    drawn = [name for picture in pictures for name in picture.shown]
    return tuple(dict.fromkeys((*named, *verdicts, *drawn)))


def _points(declared: Input, value: object) -> Iterator[Any]:
    if isinstance(declared, Choice):
        yield from (option.value for option in declared.options.values() if option.value != value)
        return
    low, high = declared.slider
    middle = math.sqrt(low * high) if declared.scale == "log" else (low + high) / 2
    for point in (high, low, middle):
        tried = max(1.0, float(round(point))) if declared.whole else point
        if tried != value:
            yield tried


def _moves(
    calculator: Calculator, values: Mapping[str, Any], changes: Mapping[str, Any], watched: Iterable[str]
) -> bool:
    try:
        after = calculator.after(values, changes)
    except (ArithmeticError, ValueError, TypeError):
        return True
    return any(not _same(values[name], after[name]) for name in watched)


def _same(before: object, after: object) -> bool:
    if isinstance(before, Verdict) and isinstance(after, Verdict):
        return (before.level, before.word) == (after.level, after.word)
    if isinstance(before, int | float) and isinstance(after, int | float):
        return math.isclose(before, after, rel_tol=_SAME)
    return before == after

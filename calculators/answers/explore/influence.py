"""Influence: whether an input changes the answer, other results or nothing at present."""

import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal

from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.trials import BROKEN
from calculators.declare import Calculator, Choice, Input, Verdict

_NAME = re.compile(r"\{(\w+)\}")
_SAME = 1e-9


@search
def reach(
    calculator: Calculator, values: Mapping[str, Any], name: str
) -> Pauses[Literal["answer", "other results", "nothing"]]:
    """Results that an input changes at present.

    The answer is the results in its sentence, the verdicts and the results in the pictures.
    """
    if name in calculator.searched or (yield from moves(calculator, values, name, _in_answer(calculator))):
        return "answer"
    moved = yield from moves(calculator, values, name, calculator.steps.keys())
    return "other results" if moved else "nothing"


@search
def moves(calculator: Calculator, values: Mapping[str, Any], name: str, results: Collection[str]) -> Pauses[bool]:
    """Whether an input changes one of these results at an end of its slider, in its middle or with another option.

    A result that cannot be calculated there counts as changed.
    """
    evaluator = calculator.evaluator(values, {name}, results)
    yield
    try:
        for point in _points(calculator.inputs[name], values):
            yield from evaluator.prepare({name: point})
            if _differ(values, evaluator.evaluate({name: point}), results):
                return True
    except BROKEN:
        return True
    return False


def _in_answer(calculator: Calculator) -> tuple[str, ...]:
    computed = {*calculator.steps, *calculator.computed_inputs}
    named = [name for name in _NAME.findall(calculator.answer) if name in computed]
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    pictures = filter(None, (calculator.picture, calculator.second_picture))
    drawn = [name for picture in pictures for name in picture.shown]
    return tuple(dict.fromkeys((*named, *verdicts, *drawn)))


def _points(declared: Input, values: Mapping[str, Any]) -> Iterator[Any]:
    value = values[declared.name]
    if isinstance(declared, Choice):
        yield from (option.value for option in declared.options.values() if option.value != value)
        return
    low, high = declared.slider
    middle = math.sqrt(low * high) if declared.scale == "log" else (low + high) / 2
    for point in (high, low, middle):
        candidate = max(1.0, float(round(point))) if declared.whole else point
        if candidate != value:
            yield candidate


def _differ(before: Mapping[str, Any], after: Mapping[str, Any], results: Collection[str]) -> bool:
    return any(not _same(before[name], after[name]) for name in results)


def _same(before: object, after: object) -> bool:
    if isinstance(before, Verdict) and isinstance(after, Verdict):
        return (before.level, before.word) == (after.level, after.word)
    if isinstance(before, int | float) and isinstance(after, int | float):
        return math.isclose(before, after, rel_tol=_SAME)
    return before == after

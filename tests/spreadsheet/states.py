"""States in which workbooks are compared with the engine: some inputs of the default state typed over by chance."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, Choice, Quantity, Values, Verdict
from calculators.spreadsheet.workbook import Workbook, workbook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST_MOVED = 5
_TRIES = 40  # for a state in which the calculator has an answer
_SAME = 1e-9
_NEAR_NOTHING = 1e-12  # a spreadsheet rounds differences that are nearly nothing to 0


@dataclass(frozen=True)
class State:
    """Values of inputs that were typed over, and every value of the engine then."""

    changes: dict[str, Any]
    values: Values


@cache
def exported(name: str) -> Workbook:
    """Workbook of a calculator's default state."""
    calculator = CALCULATORS[name]
    resolved = valid_inputs(calculator, {})
    return workbook(calculator, resolved, answer.evaluated(calculator, resolved))


def states(name: str, count: int, seed: int = 7) -> list[State]:
    """The default state, and others in which the calculator has an answer; the same ones each time."""
    calculator, start = CALCULATORS[name], exported(name).exported
    chance = random.Random(f"{seed} {name}")  # noqa: S311  nothing is kept secret
    found = [State({}, start.values)]
    for _ in range(count * _TRIES):
        if len(found) > count:
            break
        changes = _drawn(chance, calculator, start.resolved.explicit, start.values)
        try:
            values = calculator.after(start.values, changes)
        except (ArithmeticError, ValueError, TypeError):
            continue
        if _is_answer(calculator, values):
            found.append(State(changes, values))
    return found


def _is_answer(calculator: Calculator, values: Values) -> bool:
    if not all(math.isfinite(value) for value in values.values() if type(value) is float):
        return False
    return not any(one.function(*[values[need] for need in one.needs]) for one in calculator.of_role("constraint"))


def _drawn(chance: random.Random, calculator: Calculator, given: Values, values: Values) -> dict[str, Any]:
    """New values of a few inputs; not of those by whose being given the engine would wire other defaults."""
    names = [
        name
        for name in calculator.inputs
        if name in given or not (calculator.decides(name) or name in calculator.computed_inputs)
    ]
    drawn: dict[str, Any] = {}
    for name in chance.sample(names, k=min(len(names), chance.randint(1, _MOST_MOVED))):
        declared = calculator.inputs[name]
        if isinstance(declared, Choice):
            drawn[name] = declared.options[chance.choice(list(declared.options))].value
        elif values[name] is not None:
            drawn[name] = _number(chance, declared)
    return drawn


def _number(chance: random.Random, declared: Quantity) -> float:
    low, high = declared.slider
    is_log = declared.scale == "log" and low > 0
    found = math.exp(chance.uniform(math.log(low), math.log(high))) if is_log else chance.uniform(low, high)
    if declared.doubling and low > 0:
        found = 2.0 ** round(math.log2(found))
    elif declared.whole:
        found = float(round(found))
    return min(max(found, declared.hard[0]), declared.hard[1])


def typed_cells(name: str, state: State) -> dict[str, Any]:
    """What is typed into which cells for a state; of a menu its option."""
    book, calculator = exported(name).exported, CALCULATORS[name]
    return {
        book.made.cells[one].name: declared.key(value) if isinstance(declared, Choice) else value
        for one, value in state.changes.items()
        for declared in [calculator.inputs[one]]
    }


def differences(name: str, state: State, found: Callable[[str], Any]) -> Iterator[str]:
    """Results that are formulas and in which the spreadsheet differs from the engine; `found` gives a cell's value."""
    for result, cell in live(name, state).items():
        wanted = state.values[result]
        wanted = wanted.word if isinstance(wanted, Verdict) else wanted
        got = found(cell)
        if not _same(got, wanted):
            yield f"{name}, {state.changes}: {result} is {got!r}, not {wanted!r}"


def live(name: str, state: State) -> dict[str, str]:
    """Cells by result that must follow the changes: formulas, with no value behind them that the changes move."""
    book, calculator = exported(name).exported, CALCULATORS[name]
    found = {}
    for result, cell in book.made.cells.items():
        if not cell.formula or result in calculator.choices:
            continue
        behind = book.values_behind(cell)
        if not any(_moves(calculator, one, state) for one in behind):
            found[result] = cell.name
    return found


def _moves(calculator: Calculator, value: str, state: State) -> bool:
    """Whether a value that the product computes may be out of date; of a record's parts always, once anything moved."""
    return bool(state.changes) and (
        value not in calculator.computed or not calculator.behind(value).isdisjoint(state.changes)
    )


def _same(got: Any, wanted: Any) -> bool:
    if wanted is None:
        return isinstance(got, str)
    if isinstance(wanted, bool | str):
        return bool(got == wanted)
    return isinstance(got, int | float) and math.isclose(got, wanted, rel_tol=_SAME, abs_tol=_NEAR_NOTHING)

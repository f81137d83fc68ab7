"""Explanations: a formula with the present numbers in it, and the chain of formulas that leads to a result."""

import ast
import re
from collections.abc import Mapping
from functools import cache

from calculators import units
from calculators.declare import AnyFormula, Calculator, Choice

_UNIT_CONSTANTS = {"MINUTE": "1 min", "HOUR": "1 h", "DAY": "1 day", "MONTH": "1 month", "YEAR": "1 year"}
_UNIT_CONSTANTS |= {"GIB": "1 GiB", "MILLION": "1M"}
# A table of numbers by option, of which a formula takes one: LIMITS[cooling].
_TABLE = re.compile(r"\b(_?[A-Z][A-Z0-9_]*)\[$")


def formulas_behind(calculator: Calculator, result: str) -> list[AnyFormula]:
    """The formulas that lead to a result, in the order in which they are computed, its own last."""
    wanted: set[str] = {result}
    for name, formula in reversed(list(calculator.computed.items())):
        if name in wanted:
            wanted.update(formula.needs)
    return [formula for name, formula in calculator.steps.items() if name in wanted]


def constants(formula: AnyFormula) -> dict[str, str]:
    """Module constants that a formula uses, as readers see them: DAY as 1 day, other numbers unchanged."""
    known = formula.function.__globals__
    names = {node.id for node in ast.walk(ast.parse(formula.body)) if isinstance(node, ast.Name)}
    return {
        name: _constant(name, known[name]) for name in sorted(names - {*formula.needs}) if _is_number(known.get(name))
    }


def lists(formula: AnyFormula) -> dict[str, tuple[str, ...]]:
    """Module lists of options in which a formula looks up a choice: ADAPTERS as lora and qlora."""
    known = formula.function.__globals__
    names = {node.id for node in ast.walk(ast.parse(formula.body)) if isinstance(node, ast.Name)}
    return {name: known[name] for name in sorted(names - {*formula.needs}) if _is_list(known.get(name))}


def _is_list(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(one, str) for one in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _constant(name: str, value: float) -> str:
    if name in _UNIT_CONSTANTS and value == getattr(units, name):
        return _UNIT_CONSTANTS[name]
    return number(value)


def number(value: float) -> str:
    """Text of a number without a unit, with all its digits."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.10g}"


@cache
def pieces_of(formula: AnyFormula) -> tuple[str, ...]:
    """Pieces of a formula's Python with its constants as readers see them; cached, because every answer needs them."""
    pieces = list(formula.pieces)
    options = {name: repr(keys) for name, keys in lists(formula).items()}
    for name, value in {**constants(formula), **options}.items():
        pieces[::2] = [re.sub(rf"\b{name}\b", value, piece) for piece in pieces[::2]]
    return tuple(pieces)


def substituted(calculator: Calculator, formula: AnyFormula, texts: Mapping[str, str]) -> str:
    """The formula's Python with every argument replaced by its present value as readers see it (`texts`)."""
    pieces = list(pieces_of(formula))
    for place in range(1, len(pieces), 2):
        name = pieces[place]
        if name not in calculator.choices:
            pieces[place] = texts[name]
            continue
        pieces[place] = repr(texts[name])
        table = _TABLE.search(pieces[place - 1])
        entry = _entry(calculator, formula, table[1], name, texts[name]) if table else None
        if table and entry is not None and pieces[place + 1].startswith("]"):
            pieces[place - 1] = pieces[place - 1][: table.start()]
            pieces[place], pieces[place + 1] = number(entry), pieces[place + 1][1:]
    return "".join(pieces)


def _entry(calculator: Calculator, formula: AnyFormula, table: str, name: str, key: str) -> float | None:
    """The number for an option in a table of the formula's module; None where there is none."""
    declared, entries = calculator.inputs[name], formula.function.__globals__.get(table)
    if not isinstance(declared, Choice) or not isinstance(entries, Mapping):
        return None
    found = entries.get(declared.options[key].value)
    return found if _is_number(found) else None


def symbolic(formula: AnyFormula) -> str:
    """The formula's Python as written in its source."""
    return "".join(formula.pieces)

"""Explanations: a formula with the present numbers in it, and the chain of formulas that leads to a result."""

from collections.abc import Mapping
from typing import Any

from calculators.declare import Calculator, Choice, Formula


def chain(calculator: Calculator, result: str) -> list[Formula]:
    """The formulas a result needs, in the order in which they are computed, itself last."""
    wanted: set[str] = {result}
    for name, formula in reversed(list(calculator.steps.items())):
        if name in wanted:
            wanted.update(formula.needs)
    return [formula for name, formula in calculator.steps.items() if name in wanted]


def substituted(calculator: Calculator, formula: Formula, values: Mapping[str, Any]) -> str:
    """The formula's own Python with the present values, as readers see them, in the places of its arguments."""

    def shown(name: str) -> str:
        declared = calculator.declared(name)
        return repr(declared.box(values[name])) if isinstance(declared, Choice) else declared.text(values[name])

    return "".join(shown(piece) if place % 2 else piece for place, piece in enumerate(formula.pieces))


def symbolic(formula: Formula) -> str:
    """The formula's own Python as it stands in its source."""
    return "".join(formula.pieces)

"""Explanations: a formula with the present numbers in it, and the chain of formulas that leads to a result."""

from collections.abc import Mapping

from calculators.declare import Calculator, Formula


def chain(calculator: Calculator, result: str) -> list[Formula]:
    """The formulas a result needs, in the order in which they are computed, itself last."""
    wanted: set[str] = {result}
    for name, formula in reversed(list(calculator.steps.items())):
        if name in wanted:
            wanted.update(formula.needs)
    return [formula for name, formula in calculator.steps.items() if name in wanted]


def substituted(calculator: Calculator, formula: Formula, texts: Mapping[str, str]) -> str:
    """The formula's own Python with the present values, as readers see them (`texts`), in its arguments' places."""
    pieces = list(formula.pieces)
    for place in range(1, len(pieces), 2):
        name = pieces[place]
        pieces[place] = repr(texts[name]) if name in calculator.choices else texts[name]
    return "".join(pieces)


def symbolic(formula: Formula) -> str:
    """The formula's own Python as it stands in its source."""
    return "".join(formula.pieces)

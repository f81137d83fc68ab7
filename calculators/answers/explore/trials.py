"""Trials: a few results after changes of inputs, evaluated many times and quickly."""

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from calculators.declare import AnyFormula, Calculator

BROKEN = (ArithmeticError, ValueError, TypeError)  # what formulas raise where they have no answer


class Trials:
    """Results after changes of these inputs, all others as in `values`; only what they need is computed."""

    def __init__(
        self, calculator: Calculator, values: Mapping[str, Any], names: Collection[str], results: Collection[str]
    ) -> None:
        self._results = tuple(results)
        self._constraints = calculator.constraints_on(frozenset(names))
        needed = {*results, *(need for one in self._constraints for need in one.needs)}
        self._tried = calculator.trials(values, names, needed)

    def after(self, changes: Mapping[str, Any]) -> dict[str, Any] | None:
        """The results by name; None where a constraint refuses the inputs or a number is not finite."""
        try:
            known = self.at_all(changes)
        except BROKEN:
            return None
        if known is None:
            return None
        found = {name: known[name] for name in self._results}
        return found if finite(found.values()) else None

    def at_all(self, changes: Mapping[str, Any]) -> dict[str, Any] | None:
        """The results and what they need; None where a constraint refuses the inputs. Raises one of BROKEN."""
        known = self._tried(changes)
        return None if refused(self._constraints, known) else known


def refused(constraints: Iterable[AnyFormula], known: Mapping[str, Any]) -> bool:
    """Whether one of these constraints refuses the values."""
    for one in constraints:  # noqa: SIM110  faster than any(), and called thousands of times
        if one.function(*[known[need] for need in one.needs]):
            return True
    return False


def finite(values: Iterable[Any]) -> bool:
    """Whether all numbers among these values are finite."""
    for value in values:  # noqa: SIM110  the same
        if isinstance(value, float) and not math.isfinite(value):
            return False
    return True

"""Trials: what a few results become when inputs move, tried many times and quickly."""

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from calculators.declare import AnyFormula, Calculator

BROKEN = (ArithmeticError, ValueError, TypeError)  # what formulas raise where they have no answer


class Trials:
    """The results after changes of these inputs, everything else as in `values`; only what they need is computed."""

    def __init__(
        self, calculator: Calculator, values: Mapping[str, Any], names: Collection[str], results: Collection[str]
    ) -> None:
        self._results = tuple(results)
        self._checks = calculator.constraints_on(frozenset(names))
        wanted = {*results, *(need for check in self._checks for need in check.needs)}
        self._tried = calculator.trials(values, names, wanted)

    def after(self, changes: Mapping[str, Any]) -> dict[str, Any] | None:
        """The results by name; None where a check refuses the inputs or they give no finite number."""
        try:
            known = self.at_all(changes)
        except BROKEN:
            return None
        if known is None:
            return None
        found = {name: known[name] for name in self._results}
        return found if finite(found.values()) else None

    def at_all(self, changes: Mapping[str, Any]) -> dict[str, Any] | None:
        """The results and what they need; None where a check refuses the inputs. Raises one of BROKEN."""
        known = self._tried(changes)
        return None if refused(self._checks, known) else known


def refused(checks: Iterable[AnyFormula], known: Mapping[str, Any]) -> bool:
    """Whether one of these checks refuses what is known."""
    for check in checks:  # noqa: SIM110  thousands of trials ask
        if check.function(*[known[need] for need in check.needs]):
            return True
    return False


def finite(values: Iterable[Any]) -> bool:
    """Whether none of these is a number without end, or none at all."""
    for value in values:  # noqa: SIM110  as often
        if isinstance(value, float) and not math.isfinite(value):
            return False
    return True

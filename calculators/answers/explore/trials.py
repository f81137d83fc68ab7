"""Trials: a few results after changes of inputs, evaluated many times and quickly."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from calculators.answers.explore.search import Found, Pauses, search
from calculators.declare import AnyFormula, Calculator

BROKEN = (ArithmeticError, ValueError, TypeError)  # what formulas raise where they have no answer


class Trials:
    """Results after changes of these inputs, all others as in `values`; only what they need is computed.

    Unless `searching`, constraints on what a search finds are left out: results that do not depend on it need none.
    `if_it_ran`: results are those of a layout that frameworks refuse as well.
    """

    def __init__(
        self,
        calculator: Calculator,
        values: Mapping[str, Any],
        names: Collection[str],
        results: Collection[str],
        *,
        searching: bool = True,
        if_it_ran: bool = False,
    ) -> None:
        self._results = tuple(results)
        left_out = frozenset() if searching else calculator.searched_values
        checks = calculator.checks_on(frozenset(names), values)
        self._constraints = tuple(
            one for one in checks if left_out.isdisjoint(one.needs) and not (if_it_ran and one.role == "warning")
        )
        needed = {*results, *(need for one in self._constraints for need in one.needs)}
        self._evaluator = calculator.evaluator(values, names, needed)

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

    def each_after(self, changes: Mapping[str, Any]) -> Pauses[dict[str, Any] | None]:
        """`after`, with the pauses of the search that it needs."""
        yield from self._evaluator.prepare(changes)
        return self.after(changes)

    def at_all(self, changes: Mapping[str, Any]) -> dict[str, Any] | None:
        """The results and what they need; None where a constraint refuses the inputs. Raises one of BROKEN."""
        known = self._evaluator.evaluate(changes)
        return None if refused(self._constraints, known) else known


@search
def checked(
    calculator: Calculator,
    values: Mapping[str, Any],
    name: str,
    result: str,
    find: Callable[[Trials], Pauses[Found]],
    ends: Callable[[Found], Iterable[Any]],
) -> Pauses[Found]:
    """What `find` finds along one input, without a search in each trial where the result does not depend on it.

    Only the `ends` of what is found are then searched for; where one is refused, all is found again with a search each.
    """
    whole = Trials(calculator, values, {name}, {result})
    if calculator.searched_values and result not in calculator.searched_values:
        found = yield from find(Trials(calculator, values, {name}, {result}, searching=False))
        for end in ends(found):
            if (yield from whole.each_after({name: end})) is None:
                break
        else:
            return found
    return (yield from find(whole))


class ResultCurve:
    """A result along one input; every value is tried once."""

    def __init__(self, trials: Trials, name: str, result: str) -> None:
        self._trials, self._name, self._result = trials, name, result
        self.known: dict[Any, float] = {}

    def at(self, value: Any) -> Pauses[float]:
        """The result there; NaN where it is refused or no number."""
        if value not in self.known:
            found = yield from self._trials.each_after({self._name: value})
            self.known[value] = number(found[self._result]) if found else math.nan
        return self.known[value]


def number(value: Any) -> float:
    """A result as a number; NaN where it is none."""
    return float(value) if isinstance(value, int | float) else math.nan


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

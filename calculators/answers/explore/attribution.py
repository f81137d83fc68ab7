"""Attribution: how much each changed input contributes to the difference between two states.

By Shapley value: the contribution of a change is averaged over every order in which the changes may be made, so that
contributions add up and depend on no order. It needs a result for every set of changes, so beyond eight changes they
are made once, in the order in which the chain of formulas meets the inputs.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.trials import BROKEN
from calculators.declare import Calculator

MOST_EXACT = 8


@dataclass(frozen=True, kw_only=True)
class Changed:
    """One change: of an input, or of a menu with all that it fills. `names` are the inputs."""

    name: str
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Attribution:
    """The result before and after, and the part of each change; `exact`: Shapley values, else in order of the chain."""

    before: float
    after: float
    parts: tuple[tuple[Changed, float], ...]
    exact: bool


@search
def attribution(
    calculator: Calculator,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    changes: Sequence[Changed],
    result: str,
) -> Pauses[Attribution | None]:
    """Parts of the changes from the inputs `before` to those `after`, the largest first.

    None where a state in between has no numeric result. With more than eight changes, in the order of `changes`.
    """

    def at(made: frozenset[str]) -> Pauses[float]:
        moved = {name for one in changes if one.name in made for name in one.names}
        given = {name: value for name, value in before.items() if name not in moved}
        given |= {name: value for name, value in after.items() if name in moved}
        return (yield from _result(calculator, given, result))

    exact = len(changes) <= MOST_EXACT
    parts = (yield from _shapley(changes, at)) if exact else None
    if parts is None:
        exact, parts = False, (yield from _in_order(changes, at))
    start = yield from at(frozenset())
    end = yield from at(frozenset(one.name for one in changes))
    if any(not math.isfinite(part) for part in (*parts, start, end)):
        return None
    ranked = sorted(zip(changes, parts, strict=True), key=lambda one: -abs(one[1]))
    return Attribution(
        before=start, after=end, parts=tuple(ranked if exact else zip(changes, parts, strict=True)), exact=exact
    )


def _shapley(changes: Sequence[Changed], at: Callable[[frozenset[str]], Pauses[float]]) -> Pauses[list[float] | None]:
    """Contribution of each change, averaged over all orders; None where a set of changes has no numeric result."""
    names = [one.name for one in changes]
    sets = [frozenset(some) for size in range(len(names) + 1) for some in itertools.combinations(names, size)]
    worth: dict[frozenset[str], float] = {}
    for some in sets:
        worth[some] = yield from at(some)
        yield
    if not all(map(math.isfinite, worth.values())):
        return None
    orders = math.factorial(len(names))
    shares = [math.factorial(size) * math.factorial(len(names) - size - 1) / orders for size in range(len(names))]
    return [
        math.fsum(
            shares[len(some)] * (worth[some | {name}] - value) for some, value in worth.items() if name not in some
        )
        for name in names
    ]


def _in_order(changes: Sequence[Changed], at: Callable[[frozenset[str]], Pauses[float]]) -> Pauses[list[float]]:
    """Contribution of each change when they are made one after the other."""
    worth: list[float] = []
    for count in range(len(changes) + 1):
        worth += [(yield from at(frozenset(one.name for one in changes[:count])))]
    return [other - one for one, other in itertools.pairwise(worth)]


def _result(calculator: Calculator, given: Mapping[str, Any], result: str) -> Pauses[float]:
    try:
        yield from calculator.prepare_state(given)
        found = calculator.evaluate(given)[result]
    except BROKEN:
        return math.nan
    return float(found) if isinstance(found, int | float) else math.nan

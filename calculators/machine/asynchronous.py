"""Asynchronous checkpoints and their interval, tried together: the shortest that drives and write windows bear.

Alone, asynchronous checkpoints follow their best interval, which may be a minute: drives wear out and writes overlap.
"""

import math
from collections.abc import Callable, Generator, Mapping
from typing import Any

from calculators.machine.kinds import Machine
from calculators.units import MINUTE

_MODE, _INTERVAL = "checkpoint_mode", "checkpoint_interval"
_ASYNCHRONOUS = "asynchronous"
_GROWN = math.sqrt(2)  # from one interval to the next
_MOST = 24  # of them: beyond, an interval of a minute has become days
_HALVINGS = 5

Together = tuple[str, Mapping[str, str], Mapping[str, Any]]
Red = Callable[[Mapping[str, Any]], frozenset[str]]


def each_together(found: Machine, before: frozenset[str], red: Red) -> Generator[None, None, Together | None]:
    """Title, inputs and values of the change, where one turns nothing red that was not; with pauses.

    Nothing where the best interval turns nothing red, which asynchronous checkpoints alone follow.
    """
    calculator, values = found.calculator, found.values
    if _MODE not in calculator.inputs or values[_MODE] == _ASYNCHRONOUS:
        return None
    alone = _asynchronous_values(found, None)
    if alone[_INTERVAL] == alone["best_interval"] and red(alone) <= before:
        return None

    def bears(interval: float) -> bool:
        return red(_asynchronous_values(found, interval)) <= before

    shortest = alone["best_interval"]
    interval, last = shortest, shortest
    for _ in range(_MOST):
        yield
        if bears(interval):
            break
        last, interval = interval, interval * _GROWN
    else:
        return None
    for _ in range(_HALVINGS if interval > shortest else 0):
        yield
        middle = math.sqrt(last * interval)
        last, interval = (last, middle) if bears(middle) else (middle, interval)
    interval = math.ceil(interval / MINUTE) * MINUTE
    declared = calculator.inputs[_INTERVAL]
    now = declared.text(values[_INTERVAL])
    title = f"Asynchronous checkpoints every {declared.text(interval)} instead of synchronous ones every {now}"
    return title, {_MODE: _ASYNCHRONOUS, _INTERVAL: declared.box(interval)}, _asynchronous_values(found, interval)


def _asynchronous_values(found: Machine, interval: float | None) -> Mapping[str, Any]:
    """Every value with asynchronous checkpoints, at this interval or the best."""
    changes = {_MODE: _ASYNCHRONOUS} if interval is None else {_MODE: _ASYNCHRONOUS, _INTERVAL: interval}
    return found.calculator.after(found.values, changes)

"""A machine as it stands: what was given, the GPUs and the layout that were found for it, and every value."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators.answers import answer
from calculators.answers.resolve import Origin, Resolved, settled
from calculators.declare import Calculator, InputError, Values
from calculators.machine import layouts
from calculators.machine.description import completed, machine
from calculators.machine.layouts import Found
from calculators.machine.machines import beneath
from calculators.machine.sizes import Size, sized

_FOUND = "found"
_NO_LAYOUT = (
    "No layout takes all these GPUs with the degrees and the batch that are given: each replica needs a whole number "
    "of them, and a micro-batch of its own"
)


@dataclass(frozen=True, kw_only=True)
class Standing:
    """`resolved` and `values` hold the layout found, as inputs; `pinned` names what of it the reader decided.

    `size` says how the number of GPUs was found, where a deadline or a budget was given in its place.
    """

    calculator: Calculator
    resolved: Resolved
    values: Values
    pinned: frozenset[str]
    layout: Found
    size: Size | None

    @property
    def free(self) -> Values:
        """The same machine with the interval between saves at its best, for what is to be compared by itself."""
        given = {name: value for name, value in self.resolved.settled.items() if name != "checkpoint_interval"}
        return self.calculator.evaluate(given)


def standing(given: Mapping[str, Any]) -> Standing:
    """The machine in this state. Raises InputError with every problem."""
    calculator = machine()
    resolved = settled(calculator, completed(beneath(given)))
    pinned = frozenset(name for name in (*layouts.NAMES, "data_parallel") if resolved.origins[name] == "yours")
    size = sized(calculator, resolved.settled, pinned) if resolved.origins["gpus"] != "yours" else None
    if size is not None:
        resolved = _with(calculator, resolved, {"gpus": size.gpus}, size.word)
    before = calculator.evaluate(resolved.settled)
    found = layouts.search(calculator, before, pinned)
    if not found.best:
        raise InputError({"gpus": _NO_LAYOUT})
    degrees = {name: value for name, value in found.best[0].inputs.items() if name not in pinned}
    resolved = _with(calculator, resolved, degrees, _FOUND)
    return Standing(
        calculator=calculator,
        resolved=resolved,
        values=answer.evaluated(calculator, resolved),
        pinned=pinned,
        layout=found,
        size=size,
    )


def _with(calculator: Calculator, resolved: Resolved, found: Mapping[str, Any], word: str) -> Resolved:
    """The state with inputs that were found, which it says of them."""
    given = Values({**resolved.settled, **found}, {*resolved.settled.given, *found}, resolved.settled.ranges)
    values = calculator.evaluate(given, inputs_alone=True)
    origins: dict[str, Origin] = {**resolved.origins, **dict.fromkeys(found, "computed")}
    return dataclasses.replace(
        resolved,
        settled=given,
        values={name: values[name] for name in calculator.inputs},
        origins=origins,
        words={**resolved.words, **dict.fromkeys(found, word)},
    )

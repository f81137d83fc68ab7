"""Nearest edges of a page's verdicts: sought again only where something that a search hangs on has changed."""

from collections import defaultdict
from collections.abc import Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers.explore import margins
from calculators.answers.explore.edges import Tried
from calculators.declare import Calculator, Values


@dataclass
class _Nearest:
    """The nearest edge of a verdict in one state, once that was sought; None where no factor leads to one."""

    margin: margins.Margin | None = None
    was_sought: bool = False


def seek_nearest(
    calculator: Calculator, values: Mapping[str, Any], verdicts: Sequence[str]
) -> Generator[None, None, dict[str, margins.Margin | None]]:
    """What `margins.seek` finds, trial by trial, but for verdicts whose search would be the last one again."""
    nearest = calculator.memory(_not_sought)
    found = {verdict: nearest(verdict, _state(calculator, values, verdict)) for verdict in verdicts}
    waiting = [verdict for verdict, one in found.items() if not one.was_sought]
    sought, _ = yield from margins.seek(calculator, values, waiting, calculator.memory(_nothing_tried)("", None))
    for verdict, margin in sought.items():
        found[verdict].margin, found[verdict].was_sought = margin, True
    return {verdict: one.margin for verdict, one in found.items()}


def _nothing_tried(_calculator: Calculator, _name: str, _: None) -> defaultdict[str, Tried]:
    return defaultdict(dict)


def _not_sought(_calculator: Calculator, _verdict: str, _state: Hashable) -> _Nearest:
    return _Nearest()


def _state(calculator: Calculator, values: Mapping[str, Any], verdict: str) -> tuple[Any, ...]:
    """All that the search for a verdict's edge hangs on: its inputs, how wrong they may be, and what was given."""
    names = calculator.memory(_deciding)(verdict, None)
    guards = calculator.memory(_guards)(verdict, names)
    given, ranges = (values.given, values.ranges) if isinstance(values, Values) else (frozenset(calculator.inputs), {})
    return given & guards, tuple(ranges.get(name) for name in names), tuple(values[name] for name in names)


def _deciding(calculator: Calculator, verdict: str, _: None) -> tuple[str, ...]:
    """The inputs that may decide where a verdict changes: those behind it, and behind what may refuse their values.

    Where a search hangs on inputs, and with it what they come to, every one of them.
    """
    if calculator.searched:
        return tuple(calculator.inputs)
    reached = frozenset(one.name for one in margins.reaching(calculator, verdict))
    checked = {need for check in calculator.constraints_on(reached) for need in check.needs}
    found = reached.union(checked, *(calculator.behind(need) for need in checked))
    return tuple(name for name in calculator.inputs if name in found)


def _guards(calculator: Calculator, _verdict: str, names: tuple[str, ...]) -> frozenset[str]:
    """The inputs of which it matters whether they are given: these, and those that decide what these are otherwise."""
    computed = (calculator.computed_inputs[name] for name in names if name in calculator.computed_inputs)
    return frozenset(names).union(*(one.when for declared in computed for one in declared.fallbacks))

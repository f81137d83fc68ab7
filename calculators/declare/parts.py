"""Parts of a graph that are computed many times over, where the same inputs move: only as far as is asked.

A page waits for thousands of trials: nothing is looked up in them that can be beforehand.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

# Each the name, the function, whether it takes one value alone, and what takes all it needs from what is known.
Steps = tuple[tuple[str, Callable[..., Any], bool, Callable[[Any], Any]], ...]
Tried = Callable[[Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Node:
    """One value to be computed: by a function of other values, or as the copy of one."""

    name: str
    needs: tuple[str, ...]
    function: Callable[..., Any] | None

    def value(self, known: Mapping[str, Any]) -> Any:
        """What it is, all it needs being known."""
        return known[self.needs[0]] if self.function is None else self.function(*[known[need] for need in self.needs])


@dataclass(frozen=True)
class Part:
    """What hangs on inputs that move and leads to results, in order; `names` are all that it needs and gives."""

    nodes: tuple[Node, ...]
    names: tuple[str, ...]

    @cached_property
    def constant(self) -> tuple[Node, ...]:
        """What needs nothing."""
        return tuple(node for node in self.nodes if not node.needs)

    @cached_property
    def steps(self) -> Steps:
        """All others."""
        return _steps(self.nodes)

    def stage(self, results: tuple[str, ...], computed: tuple[str, ...]) -> Steps:
        """Those that lead to these results, but for those that lead to other ones, which are computed already."""
        found = self._stages.get((results, computed))
        if found is None:
            there = {node.name for node in self._leading_to(computed)}
            found = _steps(node for node in self._leading_to(results) if node.name not in there)
            self._stages[results, computed] = found
        return found

    def _leading_to(self, results: Iterable[str]) -> list[Node]:
        wanted = set(results)
        for node in reversed(self.nodes):
            if node.name in wanted:
                wanted.update(node.needs)
        return [node for node in self.nodes if node.name in wanted]

    @cached_property
    def _stages(self) -> dict[tuple[tuple[str, ...], tuple[str, ...]], Steps]:
        return {}


class Stages:
    """A part of a graph where its inputs move, everything else as in `values`.

    What is known of one change is begun, and then computed further for some results after others. `brought` says what
    else changes with a change, where something does.
    """

    def __init__(
        self,
        part: Part,
        values: Mapping[str, Any],
        brought: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None,
    ) -> None:
        # What each change begins with holds every name that it will hold: then nothing grows while it is computed.
        self._basis = {name: values[name] for name in part.names if name in values}
        for node in part.constant:
            self._basis[node.name] = node.value(self._basis)
        self._brought = brought
        self._steps = part.steps
        self.stage = part.stage

    def begun(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """What is known of a change before anything is computed: nothing that depends on it is right yet."""
        if self._brought is None:
            return {**self._basis, **changes}
        return {**self._basis, **self._brought(changes), **changes}

    def tried(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """All of the results after a change, and what they need."""
        known = self.begun(changes)
        compute(known, self._steps)
        return known


def compute(known: dict[str, Any], steps: Steps) -> None:
    """Add to what is known what these steps compute. Raises what formulas raise."""
    for name, function, alone, taken in steps:
        known[name] = function(taken(known)) if alone else function(*taken(known))


def _steps(nodes: Iterable[Node]) -> Steps:
    return tuple(
        (node.name, node.function or _the_same, len(node.needs) == 1, itemgetter(*node.needs))
        for node in nodes
        if node.needs
    )


def _the_same(value: Any) -> Any:
    return value

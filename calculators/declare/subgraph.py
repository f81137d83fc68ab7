"""Subgraph: nodes between changing inputs and results, prepared for many evaluations.

A page waits for thousands of trials, so they look up nothing that can be looked up beforehand. Measured per trial,
a prepared subgraph takes a half to a seventh of the time of the whole graph (`python -m tooling.timing`).
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

# The name, the function, whether it takes one value alone, and what takes all it needs from what is known.
Step = tuple[str, Callable[..., Any], bool, Callable[[Any], Any]]
Steps = tuple[Step, ...]
Trial = Callable[[Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Finder:
    """Finder of values that change with a change of inputs: `find` returns them.

    Where that takes long, `search` finds them with pauses, and `find` then has them at once.
    """

    find: Trial
    search: Callable[[Mapping[str, Any]], Iterable[None]] = lambda _changes: ()


@dataclass(frozen=True)
class Node:
    """Computed value: a function of other values, or a copy of one."""

    name: str
    needs: tuple[str, ...]
    function: Callable[..., Any] | None

    @cached_property
    def step(self) -> Step:
        """Node prepared for any subgraph."""
        return self.name, self.function or _copied, len(self.needs) == 1, itemgetter(*self.needs)

    def value(self, known: Mapping[str, Any]) -> Any:
        """Value of the node, given everything it needs."""
        return known[self.needs[0]] if self.function is None else self.function(*[known[need] for need in self.needs])


@dataclass(frozen=True)
class Subgraph:
    """Nodes in order of computation; `names` are all their inputs and outputs."""

    nodes: tuple[Node, ...]
    names: tuple[str, ...]

    @cached_property
    def constant(self) -> tuple[Node, ...]:
        """Nodes without dependencies."""
        return tuple(node for node in self.nodes if not node.needs)

    @cached_property
    def steps(self) -> Steps:
        """All other nodes, prepared."""
        return _steps(self.nodes)

    def steps_of(self, places: int) -> Steps:
        """The prepared nodes at these places, a bit each."""
        found = self._steps_of.get(places)
        if found is None:
            found = self._steps_of[places] = _steps(node for at, node in enumerate(self.nodes) if places >> at & 1)
        return found

    def leading_to(self, results: tuple[str, ...]) -> int:
        """The places of the nodes that these results need, a bit each."""
        found = self._leading_to.get(results)
        if found is None:
            found, needed = 0, set(results)
            for place, node in reversed(list(enumerate(self.nodes))):
                if node.name in needed:
                    needed.update(node.needs)
                    found |= 1 << place
            self._leading_to[results] = found
        return found

    @cached_property
    def _leading_to(self) -> dict[tuple[str, ...], int]:
        return {}

    @cached_property
    def _steps_of(self) -> dict[int, Steps]:
        return {}


class Evaluator:
    """Subgraph in one state: values after changes of the changing inputs, everything else as in `values`.

    `implied` gives what else changes with a change, where something does.
    """

    def __init__(
        self,
        subgraph: Subgraph,
        values: Mapping[str, Any],
        implied: Finder | None = None,
    ) -> None:
        self.subgraph = subgraph
        self._implied = implied
        # Every name that a trial will hold, so that no dictionary grows while it is filled.
        self._start = {name: values[name] for name in subgraph.names if name in values}
        for node in subgraph.constant:
            self._start[node.name] = node.value(self._start)

    def evaluate(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Every value of the subgraph after a change. Raises what formulas raise."""
        known = self.start(changes)
        compute(known, self.subgraph.steps)
        return known

    def prepare(self, changes: Mapping[str, Any]) -> Generator[None, None, None]:
        """Search for what else changes, with pauses: the evaluation after this change then searches for nothing."""
        if self._implied is not None:
            yield from self._implied.search(changes)

    def start(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Known values after a change, before anything is computed."""
        return (
            {**self._start, **changes}
            if self._implied is None
            else {**self._start, **self._implied.find(changes), **changes}
        )


class PartialEvaluation:
    """Values after one change, computed lazily."""

    __slots__ = ("_computed", "_known", "_subgraph")

    def __init__(self, evaluator: Evaluator, changes: Mapping[str, Any]) -> None:
        self._subgraph = evaluator.subgraph
        self._known = evaluator.start(changes)
        self._computed = 0

    def up_to(self, places: int) -> dict[str, Any]:
        """Known values after computing the nodes at these places. Raises what formulas raise."""
        missing = places & ~self._computed
        if missing:
            compute(self._known, self._subgraph.steps_of(missing))
            self._computed |= missing
        return self._known


def compute(known: dict[str, Any], steps: Steps) -> None:
    """Compute these steps into the known values. Raises what formulas raise."""
    for name, function, alone, taken in steps:
        known[name] = function(taken(known)) if alone else function(*taken(known))


def _steps(nodes: Iterable[Node]) -> Steps:
    return tuple(node.step for node in nodes if node.needs)


def _copied(value: Any) -> Any:
    return value

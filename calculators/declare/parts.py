"""Parts of a graph that are computed many times over, where the same inputs move: only as far as is asked.

A page waits for thousands of trials: nothing is looked up in them that can be beforehand.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

from calculators.declare.memory import alike, remember

# Of one part: which of its results are asked after which, in states that differ so or so.
_MOST_STAGES = 256

# The name, the function, whether it takes one value alone, and what takes all it needs from what is known.
Step = tuple[str, Callable[..., Any], bool, Callable[[Any], Any]]
Steps = tuple[Step, ...]
Tried = Callable[[Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Node:
    """One value to be computed: by a function of other values, or as the copy of one."""

    name: str
    needs: tuple[str, ...]
    function: Callable[..., Any] | None

    @cached_property
    def step(self) -> Step:
        """How it is computed in the many parts that it may be of."""
        return self.name, self.function or _the_same, len(self.needs) == 1, itemgetter(*self.needs)

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
    def taken(self) -> frozenset[str]:
        """The names of all that is not computed."""
        return frozenset(self.names) - {node.name for node in self.nodes}

    @cached_property
    def steps(self) -> Steps:
        """All others."""
        return _steps(self.nodes)

    def stage(self, places: int) -> Steps:
        """Those at these places, each a bit."""
        found = self._stages.get(places)
        if found is None:
            found = _steps(node for place, node in enumerate(self.nodes) if places >> place & 1)
            remember(self._stages, places, found, _MOST_STAGES)
        return found

    def leading_to(self, results: tuple[str, ...]) -> int:
        """The places of what leads to these results."""
        found = self._leading.get(results)
        if found is None:
            found, wanted = 0, set(results)
            for place, node in reversed(list(enumerate(self.nodes))):
                if node.name in wanted:
                    wanted.update(node.needs)
                    found |= 1 << place
            remember(self._leading, results, found, _MOST_STAGES)
        return found

    def hanging_on(self, names: frozenset[str]) -> int:
        """The places of what hangs on these names."""
        found = self._hanging.get(names)
        if found is None:
            found, moved = 0, set(names)
            for place, node in enumerate(self.nodes):
                if not moved.isdisjoint(node.needs):
                    moved.add(node.name)
                    found |= 1 << place
            remember(self._hanging, names, found, _MOST_STAGES)
        return found

    def reaches(self, other: "Other", results: tuple[str, ...]) -> bool:
        """Whether what is otherwise may make one of these results another."""
        return bool(self.leading_to(results) & other[1]) or not other[0].keys().isdisjoint(results)

    @cached_property
    def _leading(self) -> dict[tuple[str, ...], int]:
        return {}

    @cached_property
    def _hanging(self) -> dict[frozenset[str], int]:
        return {}

    @cached_property
    def _stages(self) -> dict[int, Steps]:
        return {}


Other = tuple[dict[str, Any], int]  # what is otherwise than it was, and the places of what hangs on it


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
        self.part = part
        self.values = values
        self._brought = brought

    @cached_property
    def basis(self) -> dict[str, Any]:
        """What each change begins with: every name that it will hold, so that nothing grows while it is computed."""
        found = {name: self.values[name] for name in self.part.names if name in self.values}
        for node in self.part.constant:
            found[node.name] = node.value(found)
        return found

    @property
    def brings(self) -> bool:
        """Whether something else may change with a change."""
        return self._brought is not None

    def whole(self, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        """A change, and what it brings."""
        return changes if self._brought is None else {**self._brought(changes), **changes}

    def since(self, before: "Stages", names: frozenset[str]) -> Other | None:
        """What this part takes of the names that are otherwise than before and not moved; None if it was another."""
        if before.part is not self.part:
            return None
        other = {name: self.values[name] for name in self.part.taken & names}
        return other, self.part.hanging_on(frozenset(other))

    def tried(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """All of the results after a change, and what they need."""
        known = {**self.basis, **self.whole(changes)}
        compute(known, self.part.steps)
        return known


class Begun:
    """A whole change in a state, computed as far as it was asked: right is what stands at the places that are there.

    It may be taken along into another state: then only what hangs on what is otherwise there is computed again.
    """

    def __init__(self, stages: Stages, changes: Mapping[str, Any]) -> None:
        self.stages = stages
        self._begin(changes)

    def _begin(self, changes: Mapping[str, Any]) -> None:
        self._changes = changes
        self._there = 0
        self.known = {**self.stages.basis, **changes}

    def take_along(self, stages: Stages, other: Other | None, changes: Mapping[str, Any]) -> bool:
        """Into the state of these stages, where this is otherwise; all begins anew if nothing can be said of that.

        Return whether anything could.
        """
        brings = stages.brings or self.stages.brings
        self.stages = stages
        if other is None or (brings and not self._is_same(changes)):
            self._begin(changes)
            return False
        self.known.update(other[0])
        if brings:
            self.known.update(changes)
        self._there &= ~other[1]
        return True

    def _is_same(self, changes: Mapping[str, Any]) -> bool:
        before = self._changes
        return before.keys() == changes.keys() and all(alike(before[name], one) for name, one in changes.items())

    def further(self, places: int) -> dict[str, Any]:
        """What is known once what stands at these places is, too. Raises what formulas raise."""
        wanted = places & ~self._there
        if wanted:
            compute(self.known, self.stages.part.stage(wanted))
            self._there |= wanted
        return self.known


def compute(known: dict[str, Any], steps: Steps) -> None:
    """Add to what is known what these steps compute. Raises what formulas raise."""
    for name, function, alone, taken in steps:
        known[name] = function(taken(known)) if alone else function(*taken(known))


def _steps(nodes: Iterable[Node]) -> Steps:
    return tuple(node.step for node in nodes if node.needs)


def _the_same(value: Any) -> Any:
    return value

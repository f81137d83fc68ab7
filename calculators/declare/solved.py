"""Solved inputs: where not given, a search over the graph finds them together.

A calculator with solved inputs is asked like any other: after every change it gives the values with what the search
finds for that change.
"""

import dataclasses
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from calculators.declare.calculator import Calculator
from calculators.declare.graph import Graph
from calculators.declare.inputs import Input
from calculators.declare.subgraph import Evaluator, Finder, Trial
from calculators.declare.values import Values

# From the graph without a search, a state of it, the inputs that will change, and what is given that binds the search.
By = Callable[[Calculator, Mapping[str, Any], frozenset[str], frozenset[str]], Finder]


def _nothing(_graph: Calculator, _values: Mapping[str, Any], _moved: frozenset[str], _given: frozenset[str]) -> Finder:
    return Finder(lambda _changes: {})


@dataclass(frozen=True, kw_only=True)
class Solved:
    """Inputs found together, and their search.

    `outputs` are found where they are not given; `bounds` are computed inputs that bind the search where they are
    given; `needs` are the values that the search reads. `by` prepares a search for changes of inputs. `completed` finds
    what goes with what is given before it, such as a number of GPUs for a deadline. Without anything, nothing is
    found.
    """

    outputs: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    by: By = _nothing
    completed: Finder = Finder(lambda _given: {})


@dataclass(frozen=True, kw_only=True)
class SolvedCalculator(Calculator):
    """A calculator with solved inputs. `unsolved` is its graph alone, where outputs are inputs like any other.

    `moved_inputs` and `moved_menus` are what explorations move unasked: each trial is a search.
    """

    unsolved: Calculator
    solved: Solved
    moved_inputs: tuple[str, ...]
    moved_menus: tuple[str, ...]

    def __post_init__(self) -> None:
        """Skip checks: the graph was checked without the search."""

    @cached_property
    def inputs(self) -> Mapping[str, Input]:
        """The declared inputs by name."""
        return self.unsolved.inputs

    @cached_property
    def explored(self) -> tuple[str, ...]:
        """Inputs that explorations vary by default."""
        return self.moved_inputs

    @cached_property
    def explored_menus(self) -> tuple[str, ...]:
        """Menus that explorations try by default."""
        return self.moved_menus

    @cached_property
    def searched(self) -> frozenset[str]:
        """Inputs of the search."""
        names = self.solved.needs
        behind = frozenset[str]().union(*(self.unsolved.behind(name) for name in names), names)
        return (behind & self.inputs.keys()).difference(self.solved.outputs, self.solved.bounds)

    def behind(self, name: str) -> frozenset[str]:
        """Inputs that a value depends on, including the search's where solved inputs move it."""
        behind = self.unsolved.behind(name)
        return behind | self.searched if name in self._moved_by_outputs else behind

    @cached_property
    def searched_values(self) -> frozenset[str]:
        """Values that a search finds, or that depend on what it finds."""
        return self._moved_by_outputs.union(self.solved.outputs)

    def evaluate(self, given: Mapping[str, Any], *, inputs_alone: bool = False) -> Values:
        """Every value from the given inputs, with solved inputs found. Raises what formulas and searches raise.

        With `inputs_alone`, nothing is searched for: outputs that are not given are their defaults.
        """
        if inputs_alone:
            return self.unsolved.evaluate(given, inputs_alone=True)
        ranges = getattr(given, "ranges", None)
        given = {**given, **self.solved.completed.find(given)}
        found = self._of_state(given).find({})
        return Values(self.unsolved.evaluate({**found, **given}), given, ranges)

    def prepare_state(self, given: Mapping[str, Any]) -> Generator[None, None, None]:
        """Search with pauses for what `evaluate` would search for. Raises what its formulas raise."""
        yield from self.solved.completed.search(given)
        yield from self._of_state({**given, **self.solved.completed.find(given)}).search({})

    def _of_state(self, given: Mapping[str, Any]) -> Finder:
        """Finder of the solved inputs of a state."""
        return self.solved.by(self.unsolved, self.unsolved.evaluate(given), frozenset(), self._pinned(given))

    def after(self, values: Mapping[str, Any], changes: Mapping[str, Any], result: str = "") -> Values:
        """Every value after changes of inputs, solved inputs solved again; with `result`, only what it needs."""
        found = self._implied(values, frozenset(changes), (result,) if result else ())
        after = self.unsolved.after(values, {**(found.find(changes) if found else {}), **changes}, result)
        given = values.given if isinstance(values, Values) else frozenset()
        return Values(after, given | changes.keys(), after.ranges)

    def prepare(
        self, values: Mapping[str, Any], changes: Mapping[str, Any], result: str = ""
    ) -> Generator[None, None, None]:
        """Search with pauses for what `after` would search for."""
        found = self._implied(values, frozenset(changes), (result,) if result else ())
        if found is not None:
            yield from found.search(changes)

    def trials(self, values: Mapping[str, Any], names: Iterable[str], results: Iterable[str]) -> Trial:
        """Function like `after` for many changes of the same inputs: these results by name, and what they need."""
        return self.evaluator(values, names, results).evaluate

    def evaluator(
        self,
        values: Mapping[str, Any],
        names: Iterable[str],
        results: Iterable[str],
        implied: Finder | None = None,
    ) -> Evaluator:
        """Evaluator of these results after changes of these inputs and of the inputs solved for them."""
        moved, wanted = frozenset(names), tuple(results)
        found = implied or self._implied(values, moved, wanted)
        return self.unsolved.evaluator(values, moved.union(self.solved.outputs) if found else moved, wanted, found)

    def _implied(self, values: Mapping[str, Any], moved: frozenset[str], results: tuple[str, ...]) -> Finder | None:
        """Function that finds the solved inputs after changes of these; None where they stay or do not matter."""
        if moved.isdisjoint({*self.searched, *self.solved.outputs, *self.solved.bounds}):
            return None
        if results and self._moved_by_outputs.isdisjoint(results):
            return None
        given = values.given if isinstance(values, Values) else frozenset()
        return self.solved.by(self.unsolved, values, moved, self._pinned(given | moved))

    def _pinned(self, given: Collection[str]) -> frozenset[str]:
        """Inputs among these that constrain the search."""
        return frozenset(given).intersection((*self.solved.outputs, *self.solved.bounds))

    @cached_property
    def _moved_by_outputs(self) -> frozenset[str]:
        """The results and computed inputs that depend on solved inputs."""
        outputs, graph = self.solved.outputs, self.unsolved
        names = (*graph.computed, *graph.computed_inputs)
        return frozenset(
            name for name in names if not {*graph.behind(name), *graph.wiring.get(name, ())}.isdisjoint(outputs)
        )

    @property
    def _graph(self) -> Graph:
        return self.unsolved._graph  # noqa: SLF001  the same graph


def solved(calculator: Calculator, by: Solved, inputs: tuple[str, ...], menus: tuple[str, ...]) -> SolvedCalculator:
    """Calculator with solved inputs; explorations vary these inputs and menus by default."""
    declared = {one.name: getattr(calculator, one.name) for one in dataclasses.fields(calculator)}
    return SolvedCalculator(**declared, unsolved=calculator, solved=by, moved_inputs=inputs, moved_menus=menus)

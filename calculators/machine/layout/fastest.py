"""The fastest layout for many changes of inputs: the same that a whole search finds.

A search asks of each layout whether it fits and how long it takes. Most of what a reader changes leaves the space of
layouts, their least times or their memory as they were: those are kept from one change to the next.
"""

import math
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calculators.answers.explore.search import Search
from calculators.declare import Calculator, Values
from calculators.declare.memo import store
from calculators.machine.layout import search as layouts
from calculators.machine.layout.found import BestLayouts, Layout, kept_shares, most_lost
from calculators.machine.layout.least_time import AT_LEAST_OF
from calculators.machine.layout.search import Way, each_in_order, keys
from calculators.machine.layout.space import MADE_OF, NAMES, Group

# Spaces and their bounds kept; a change that moves them makes one each.
_MOST = 32
_Key = tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class SearchCache:
    """Cache shared by searches: spaces, their layouts in order, and what each needs of memory as it is."""

    spaces: dict[_Key, tuple[Group, ...]] = field(default_factory=dict)
    ordered: dict[_Key, list[Way]] = field(default_factory=dict)
    weights: dict[_Key, dict[_Key, float]] = field(default_factory=dict)


class NoLayoutError(ArithmeticError):
    """No layout exists for these GPUs with the parallel degrees and the batch that are given."""


class FastestLayout:
    """The fastest layout that fits, after changes of the inputs `names`, everything else as in `values`."""

    def __init__(
        self,
        calculator: Calculator,
        values: Mapping[str, Any],
        names: Iterable[str],
        pinned: frozenset[str],
        kept: SearchCache | None = None,
    ) -> None:
        moved = frozenset(names)
        given = values.given if isinstance(values, Values) else frozenset(calculator.inputs)
        self._calculator, self._pinned, self._given = calculator, pinned, given | moved
        self._values = values
        self._asked = calculator.trials(values, moved, (*MADE_OF, *AT_LEAST_OF, "gpu_memory", "memory_limit"))
        self._timed = calculator.trials(values, (*NAMES, *moved), ("step_time", "tokens_per_step"))
        self._weighed = calculator.trials(values, (*NAMES, *moved), ("training_memory",))
        self._lasting = calculator.trials(values, (*NAMES, *moved), ("goodput",))
        self._kept = kept or SearchCache()
        self._deciding = (pinned, self._given & {"micro_batches", "expert_tensor_parallel"})
        behind = calculator.behind("training_memory").difference(NAMES)
        laid_out = calculator.evaluator(Values(values, given.union(NAMES)), moved, ("training_memory",))
        self._weight_moves = bool(laid_out.subgraph.nodes) or not moved.isdisjoint(NAMES)
        known = (*sorted(self._given & behind), *(values[name] for name in sorted(behind)))
        self._weights = self._kept.weights.setdefault(known, {})

    def fastest(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Its degrees, as inputs; of those that need least memory where none fits. Raises NoLayoutError."""
        return Search(self.each_fastest(changes)).run()

    def each_fastest(self, changes: Mapping[str, Any]) -> Generator[None, None, dict[str, Any]]:
        """Fastest layout, with pauses: before each micro-batch's least times, and after every layout calculated."""
        known = Values(self._asked(changes), self._given)
        space_key = (*self._deciding, *(known[name] for name in MADE_OF))
        space = self._kept.spaces.get(space_key)
        if space is None:
            among = yield from layouts.each_group(known, self._pinned)
            space = store(self._kept.spaces, space_key, tuple(among), _MOST)
        order_key = (space_key, *(known[name] for name in AT_LEAST_OF))
        ordered = self._kept.ordered.get(order_key)
        if ordered is None:
            bounds = yield from each_in_order(known, space)
            ordered = store(self._kept.ordered, order_key, bounds, _MOST)
        weights = {} if self._weight_moves else self._weights
        lost = most_lost(self._lasting, known["gpus"], changes)
        for limit in (known["memory_limit"], known["gpu_memory"]):  # with the margin of memory free, and without
            best = yield from self._each_within(limit, lost, ordered, space, weights, changes)
            if best.layouts:
                return self._first(best, changes)
        return (yield from self._each_lightest(changes))

    def _each_within(
        self,
        memory: float,
        lost: float,
        ordered: Iterable[Way],
        space: Sequence[Group],
        weights: dict[_Key, float],
        changes: Mapping[str, Any],
    ) -> Generator[None, None, BestLayouts]:
        """The fastest layout in so much memory [B], and those on fewer GPUs that are hardly slower."""
        fit: dict[int, bool] = {}
        heavy: dict[_Key, float] = {}  # the smallest micro-batch that is too large
        best = BestLayouts(1, lost)
        for bound, place, key in keys(ordered, space):
            if best.beats_all_from(bound):
                break
            *_, micro_batch, recompute, shared = key
            alike = (place, recompute, shared)
            if best.beats(bound, key) or micro_batch >= heavy.get(alike, math.inf):
                continue
            if place not in fit:
                yield
                fit[place] = any(self._weight(weights, one, changes) <= memory for one in space[place].lightest)
            if not fit[place]:
                continue
            yield
            if self._weight(weights, key, changes) > memory:
                heavy[alike] = micro_batch
                continue
            best.add(self._layout(weights, key, changes))
        return best

    def _first(self, best: BestLayouts, changes: Mapping[str, Any]) -> dict[str, Any]:
        """The one that ends the run earliest."""
        among = (*best.layouts, *best.fewer)
        if len(among) == 1:
            return among[0].inputs
        goodput = kept_shares(self._lasting, among, changes)
        return min(among, key=lambda one: (one.time / goodput[one.gpus], one)).inputs

    def _weight(self, weights: dict[_Key, float], key: _Key, changes: Mapping[str, Any]) -> float:
        found = weights.get(key)
        if found is None:
            after = self._weighed({**dict(zip(NAMES, key, strict=True)), **changes})
            found = weights[key] = float(after["training_memory"])
        return found

    def _layout(self, weights: dict[_Key, float], key: _Key, changes: Mapping[str, Any]) -> Layout:
        inputs = dict(zip(NAMES, key, strict=True))
        after = self._timed({**inputs, **changes})
        return Layout(time=after["step_time"] / after["tokens_per_step"], memory=weights[key], **inputs)

    def _each_lightest(self, changes: Mapping[str, Any]) -> Generator[None, None, dict[str, Any]]:
        """Layouts of a whole search where nothing fits, with its pauses."""
        changed = self._calculator.after(self._values, changes)
        found = yield from layouts.each_search(self._calculator, changed, self._pinned, most=1)
        if not found.best:
            raise NoLayoutError(NoLayoutError.__doc__)
        return found.best[0].inputs

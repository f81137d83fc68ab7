"""The layout found anew, many times over: the same that a whole search finds, for what explorations change.

A search asks of each layout whether it fits and how long it takes. Most of what a reader changes leaves the space of
layouts, their least times or their memory as they were: those are kept from one change to the next.
"""

import math
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from calculators.answers.explore.search import Search
from calculators.declare import Calculator, Values
from calculators.machine import layouts
from calculators.machine.layouts import AT_LEAST_OF, MADE_OF, NAMES, Group, Layout, at_least, groups

# Spaces and their bounds kept; a change that moves them makes one each.
_MOST = 32
_Key = tuple[Any, ...]
_LIGHTER = {name: place for place, name in enumerate(layouts.RECOMPUTED)}  # each needs less memory than those before


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What searches know from each other: spaces, their layouts in order, and what each needs of memory as it is."""

    spaces: dict[_Key, tuple[Group, ...]] = field(default_factory=dict)
    ordered: dict[_Key, list[tuple[float, _Key, int]]] = field(default_factory=dict)
    weights: dict[_Key, dict[_Key, float]] = field(default_factory=dict)


class NoLayoutError(ArithmeticError):
    """No layout takes these GPUs with the degrees and the batch that are given."""


class Anew:
    """The fastest layout that fits, after changes of the inputs `names`, everything else as in `values`."""

    def __init__(
        self,
        calculator: Calculator,
        values: Mapping[str, Any],
        names: Iterable[str],
        pinned: frozenset[str],
        kept: Kept | None = None,
    ) -> None:
        moved = frozenset(names)
        given = values.given if isinstance(values, Values) else frozenset(calculator.inputs)
        self._calculator, self._pinned, self._given = calculator, pinned, given | moved
        self._values = values
        self._asked = calculator.trials(values, moved, (*MADE_OF, *AT_LEAST_OF, "gpu_memory"))
        self._timed = calculator.trials(values, (*NAMES, *moved), ("step_time", "tokens_per_step"))
        self._weighed = calculator.trials(values, (*NAMES, *moved), ("training_memory",))
        self._kept = kept or Kept()
        self._deciding = (pinned, self._given & {"micro_batches", "expert_tensor_parallel"})
        behind = calculator.behind("training_memory").difference(NAMES)
        self._weight_moves = not moved.isdisjoint({*behind, *NAMES})
        standing = (*sorted(self._given & behind), *(values[name] for name in sorted(behind)))
        self._weights = self._kept.weights.setdefault(standing, {})

    def fastest(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Its degrees, as inputs; of those that need least memory where none fits. Raises NoLayoutError."""
        return Search(self.each_fastest(changes)).run()

    def each_fastest(self, changes: Mapping[str, Any]) -> Generator[None, None, dict[str, Any]]:
        """The same with pauses: after the least times of a group, and after every layout that was calculated."""
        known = Values(self._asked(changes), self._given)
        memory = known["gpu_memory"]
        space_key = (*self._deciding, *(known[name] for name in MADE_OF))
        space = _kept(self._kept.spaces, space_key, lambda: tuple(groups(known, self._pinned)))
        order_key = (space_key, *(known[name] for name in AT_LEAST_OF))
        ordered = self._kept.ordered.get(order_key)
        if ordered is None:
            bounds = yield from _each_in_order(known, space)
            ordered = _kept(self._kept.ordered, order_key, lambda: bounds)
        weights = {} if self._weight_moves else self._weights
        fit: dict[int, bool] = {}
        heavy: dict[_Key, tuple[float, int]] = {}
        best: Layout | None = None
        for bound, key, place in ordered:
            if best is not None and bound > best.time:
                break
            *_, micro_batch, recompute, shared = key
            size, alike = (micro_batch, -_LIGHTER[recompute]), (place, shared)
            if alike in heavy and all(one >= least for one, least in zip(size, heavy[alike], strict=True)):
                continue
            if place not in fit:
                yield
                fit[place] = any(self._weight(weights, one, changes) <= memory for one in space[place].lightest)
            if not fit[place]:
                continue
            if self._weight(weights, key, changes) > memory:
                heavy[alike] = min(heavy.get(alike, size), size)
                continue
            yield
            layout = self._layout(weights, key, changes)
            best = layout if best is None else min(best, layout)
        return self._lightest(changes) if best is None else best.inputs

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

    def _lightest(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """What a whole search finds where nothing fits."""
        changed = self._calculator.after(self._values, changes)
        found = Search(layouts.each_search(self._calculator, changed, self._pinned, most=1)).run()
        if not found.best:
            raise NoLayoutError(NoLayoutError.__doc__)
        return found.best[0].inputs


def _each_in_order(values: Values, space: tuple[Group, ...]) -> Generator[None, None, list[tuple[float, _Key, int]]]:
    """Every layout with the time that it cannot undercut and the place of its group, the least time first."""
    bounds: dict[_Key, float] = {}
    found = []
    for place, group in enumerate(space):
        yield
        for key in group.members:
            tensor, stages, context, _, interleave, micro_batch, recompute, _ = key
            deciding = (tensor, stages, context, interleave, micro_batch, recompute)
            bound = bounds.get(deciding, math.nan)
            if math.isnan(bound):
                bound = bounds[deciding] = at_least(values, key)
            found.append((bound, key, place))
    return sorted(found)


def _kept(known: dict[_Key, Any], key: _Key, made: Callable[[], Any]) -> Any:
    """What is known by this key, made where nothing is; what was made first goes when there is too much."""
    if key not in known:
        known[key] = made()
        for old in list(known)[:-_MOST]:
            del known[old]
    return known[key]

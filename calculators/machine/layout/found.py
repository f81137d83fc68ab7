"""Layouts that a search found: the fastest, those on fewer GPUs, and their time with what failures cost."""

import bisect
import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from calculators.declare import Calculator, Values
from calculators.machine.layout.space import NAMES

KEPT = 32
_STEP = 0.5  # of what is lost to failures
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_One = TypeVar("_One")
Tried = Callable[[Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True, kw_only=True, order=True)
class Layout:
    """A layout, ordered by what counts: time for a token [s], then how little replicas share, then memory [B].

    The time is that of steps alone, or with what is lost to failures and checkpoints; see `by_wall_clock`.
    """

    time: float
    zero_stage: int
    memory: float
    tensor_parallel: float
    pipeline_parallel: float
    context_parallel: float
    expert_parallel: float
    interleave: float
    data_parallel: float
    micro_batch: float
    recompute: str

    @property
    def inputs(self) -> dict[str, Any]:
        """Its degrees, as inputs."""
        return {name: getattr(self, name) for name in NAMES}

    @property
    def gpus(self) -> float:
        """GPUs that it takes."""
        return self.tensor_parallel * self.pipeline_parallel * self.context_parallel * self.data_parallel


@dataclass(frozen=True, kw_only=True)
class Found:
    """The best layouts, the fastest first; how many there are in all, and how many were calculated in full.

    Where none fits, `best` holds the one that needs least memory and `fits` is no. `fewer` are the fastest on other
    numbers of GPUs, hardly slower; `tight` is one that is faster and fits, but leaves less than the margin free.
    """

    best: tuple[Layout, ...]
    fits: bool
    space: int
    tried: int
    fewer: tuple[Layout, ...] = ()
    tight: Layout | None = None


class BestLayouts:
    """The fastest layouts so far, so many at most, and the fastest on each number of GPUs that is worth knowing.

    Fewer GPUs fail less often. Where their goodput is a convex function of their number, as losses that grow with it
    or with its root are, a layout on a share u of the GPUs of the fastest may take 1 + `lost` (1 - u) times as long.
    """

    def __init__(self, most: int, lost: float) -> None:
        self._most, self._lost = most, lost
        self._by_gpus: dict[float, Layout] = {}
        self.layouts: list[Layout] = []
        self.slowest = math.inf  # of as many as there may be

    @property
    def fewer(self) -> tuple[Layout, ...]:
        """The fastest on fewer GPUs than the fastest takes, where they may end the run earlier."""
        if not self.layouts:
            return ()
        first = self.layouts[0]
        return tuple(
            one
            for one in self._by_gpus.values()
            if one.gpus < first.gpus and one.time <= self._longest(one.gpus / first.gpus)
        )

    def _longest(self, share: float) -> float:
        """Time beyond which no layout on this share of the GPUs of the fastest need be known [s]."""
        return self.layouts[0].time * (1 + self._lost * (1 - share)) if self.layouts else math.inf

    def beats_all_from(self, bound: float) -> bool:
        """Whether no layout that takes so long at least [s] need be known."""
        return bound > self.slowest and bound > self._longest(0.0)

    def beats(self, bound: float, key: tuple[Any, ...]) -> bool:
        """Whether this layout, which takes so long at least [s], need not be known."""
        if bound <= self.slowest:
            return False
        tensor, stages, context, _, _, replicas, *_ = key
        share = tensor * stages * context * replicas / self.layouts[0].gpus
        return share >= 1 or bound > self._longest(share)

    def add(self, layout: Layout) -> None:
        """Keep a layout if it is one of them."""
        known = self._by_gpus.setdefault(layout.gpus, layout)
        self._by_gpus[layout.gpus] = min(known, layout)
        if layout.time <= self.slowest:
            bisect.insort(self.layouts, layout)
            del self.layouts[self._most :]
            self.slowest = self.layouts[-1].time if len(self.layouts) == self._most else math.inf


def within(layouts: Iterable[_One], limits: Mapping[str, Any], memory: Callable[[_One], float]) -> list[_One]:
    """Layouts that leave the margin of memory free; where none does, those that fit at all."""
    known = list(layouts)
    roomy = [one for one in known if memory(one) <= limits["memory_limit"]]
    return roomy or [one for one in known if memory(one) <= limits["gpu_memory"]]


def by_wall_clock(calculator: Calculator, values: Values, found: Found, most: int = KEPT) -> Found:
    """Layouts ordered by wall clock: step time with the losses to failures and checkpoints.

    More GPUs fail more often: where they hardly shorten steps, fewer end the run earlier.
    """
    known = dict.fromkeys((*found.best, *found.fewer))
    goodput = kept_shares(calculator.trials(values, NAMES, ("goodput",)), known)
    best = sorted(dataclasses.replace(one, time=one.time / goodput[one.gpus]) for one in known)
    tight = found.tight and dataclasses.replace(found.tight, time=found.tight.time / goodput[best[0].gpus])
    return dataclasses.replace(found, best=tuple(best[:most]), fewer=(), tight=tight)


def most_lost(tried: Tried, gpus: float, changes: Mapping[str, Any] = _NOTHING) -> float:
    """Goodput of a single GPU minus that of all [share], in steps of a half: a bound for any fewer.

    `tried` gives the goodput of a layout. The steps keep what a search finds from hanging on every store and price.
    """
    alone, whole = (tried({**_on_replicas(number), **changes})["goodput"] for number in (1.0, gpus))
    return float(math.ceil((alone / whole - 1) / _STEP) * _STEP)


def _on_replicas(number: float) -> dict[str, Any]:
    """A layout that takes so many GPUs."""
    return {**dict.fromkeys(NAMES, 1.0), "data_parallel": number, "recompute": "none", "zero_stage": 1}


def kept_shares(tried: Tried, layouts: Iterable[Layout], changes: Mapping[str, Any] = _NOTHING) -> dict[float, float]:
    """Goodput on each number of GPUs that the layouts take."""
    known: dict[float, float] = {}
    for one in layouts:
        if one.gpus not in known:
            known[one.gpus] = float(tried({**one.inputs, **changes})["goodput"])
    return known

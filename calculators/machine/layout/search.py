"""The layout is found: of every way of splitting the job over its GPUs that frameworks accept, the fastest that fits.

The search leaves out only what cannot be among the best: what does not fit with the smallest micro-batch, full
recomputation and either way of sharing most, and what arithmetic, bubble and tensor parallelism alone already make
slower.
"""

import dataclasses
import heapq
import math
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

from calculators.answers.explore.search import Search
from calculators.declare import Calculator, Values
from calculators.machine.layout.found import KEPT, BestLayouts, Found, Layout, Tried, most_lost, within
from calculators.machine.layout.least_time import least_times
from calculators.machine.layout.space import DEGREES, NAMES, Group, groups

_NEAR_GROUPS, _NEAR = 4, 4  # how many layouts replace one that cannot be: more would be a search
RESULTS = ("step_time", "tokens_per_step", "training_memory")
Way = tuple[float, int, float, str]  # time for a token [s] that it cannot undercut, its group's place, and what it adds


def search(calculator: Calculator, values: Values, pinned: frozenset[str], most: int = KEPT) -> Found:
    """The `most` fastest layouts that fit, for a job in this state; `pinned` names what the reader decided."""
    return Search(each_search(calculator, values, pinned, most)).run()


def each_search(
    calculator: Calculator, values: Values, pinned: frozenset[str], most: int = KEPT, longest: float = math.inf
) -> Generator[None, None, Found]:
    """Best layouts, with a pause after every layout that was calculated.

    Those that leave the margin of memory free come first; where none does, those that fit at all. Layouts that take
    longer than `longest` for a token [s] need not be found.
    """
    tried: Tried = calculator.trials(values, NAMES, RESULTS)
    weighed: Tried = calculator.trials(values, NAMES, ("training_memory",))
    among = yield from each_group(values, pinned)
    space = sum(group.size for group in among)
    ordered = yield from each_in_order(values, among)
    lightest: dict[int, tuple[float, tuple[Any, ...]]] = {}
    calculated: set[tuple[Any, ...]] = set()
    lost = most_lost(calculator.trials(values, NAMES, ("goodput",)), values["gpus"])
    roomy, tight = BestLayouts(most, lost), BestLayouts(most, lost)
    for bound, place, key in keys(ordered, among):
        if roomy.beats_all_from(bound):
            break
        if bound > longest:  # roomier layouts may follow: the tight ones need not be the best
            tight = BestLayouts(most, lost)
            break
        if roomy.beats(bound, key):
            continue
        if place not in lightest:
            lightest[place] = min((weighed(_inputs(one))["training_memory"], one) for one in among[place].lightest)
            calculated.update(among[place].lightest)
            yield
        if lightest[place][0] > values["gpu_memory"]:
            continue
        memory = weighed(_inputs(key))["training_memory"]
        calculated.add(key)
        if memory <= values["gpu_memory"]:  # most do not, and memory alone is computed soon
            (roomy if memory <= values["memory_limit"] else tight).add(_layout(tried, key))
        yield
    best = roomy.layouts or tight.layouts
    if not best and lightest:
        return Found(best=(_layout(tried, min(lightest.values())[1]),), fits=False, space=space, tried=len(calculated))
    return Found(
        best=tuple(best),
        fits=bool(best),
        space=space,
        tried=len(calculated),
        fewer=(roomy if roomy.layouts else tight).fewer,
        tight=next((one for one in tight.layouts[:1] if roomy.layouts and one.time < best[0].time), None),
    )


def each_group(values: Values, pinned: frozenset[str]) -> Generator[None, None, list[Group]]:
    """Every group of layouts, with a pause after each."""
    among = []
    for group in groups(values, pinned):
        among.append(group)
        yield
    return among


def each_in_order(values: Values, space: Sequence[Group]) -> Generator[None, None, list[Way]]:
    """Every micro-batch and recomputation of every group, the least time first that they cannot undercut.

    A pause before the times of each micro-batch.
    """
    least_time, found = least_times(values), list[Way]()
    for place, group in enumerate(space):
        degrees, shared = group.degrees, group.stages_shared[0]
        for micro_batch in group.micro_batches:
            yield
            for recompute in group.recomputed:
                bound = least_time((*degrees, micro_batch, recompute, shared))
                found.append((bound, place, micro_batch, recompute))
    return sorted(found)


def keys(ordered: Iterable[Way], space: Sequence[Group]) -> Iterator[tuple[float, int, tuple[Any, ...]]]:
    """Every layout in this order, with its least time and the place of its group; made as it is asked for."""
    for bound, place, *way in ordered:
        group = space[place]
        for shared in group.stages_shared:
            yield bound, place, (*group.degrees, *way, shared)


def fastest_of(calculator: Calculator, values: Values, pinned: frozenset[str], known: Found) -> Found | None:
    """Known layouts that this job can have too and that fit, the fastest first; else those most like them.

    Nothing where none of these fits.
    """
    tried: Tried = calculator.trials(values, NAMES, RESULTS)
    there = {group.degrees: group for group in groups(values, pinned)}
    wanted = [tuple(one.inputs.values()) for one in known.best]
    possible = [key for key in wanted if (group := there.get(key[: len(DEGREES)])) and group.holds(key)]
    for keys in (possible, _most_like(wanted[0], there.values())):
        best = sorted(within([_layout(tried, key) for key in keys], values, lambda one: one.memory))
        if best:
            return dataclasses.replace(known, best=tuple(best), tried=len(keys))
    return None


def _most_like(wanted: tuple[Any, ...], among: Iterable[Group]) -> list[tuple[Any, ...]]:
    """Of the groups nearest by their degrees, the layouts nearest to this one and those that need least memory."""

    def far(key: tuple[Any, ...]) -> float:
        return sum(abs(math.log2(a / b)) if isinstance(a, float) else a != b for a, b in zip(key, wanted, strict=True))

    near = heapq.nsmallest(_NEAR_GROUPS, among, key=lambda group: far((*group.degrees, *wanted[len(DEGREES) :])))
    return [key for group in near for key in (*heapq.nsmallest(_NEAR, group.members, key=far), *group.lightest)]


def _layout(tried: Tried, key: tuple[Any, ...]) -> Layout:
    found = tried(_inputs(key))
    time = found["step_time"] / found["tokens_per_step"]
    return Layout(time=time, memory=found["training_memory"], **_inputs(key))


def _inputs(key: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(NAMES, key, strict=True))

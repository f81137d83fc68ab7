"""How many GPUs: the fewest that make a deadline, or the quickest within a budget, where no number was given.

Counted on a ladder of whole nodes, a power of two times four to seven eighths, so that layouts divide them evenly.
"""

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.declare import Calculator
from calculators.machine.layout import search as layouts
from calculators.machine.layout.found import by_wall_clock
from calculators.subjects.network.fabric.verdicts import three_tiers_reach

_PARTS = (4, 5, 6, 7)
_AGAIN = 2  # octaves: how well layouts divide the GPUs differs from rung to rung
_OWN_SPEED = frozenset(("mfu", "measured_rate", "utilization_counts"))  # with these, steps do not say how long a run is
_OCTAVES = 17  # the last rung is seven eighths of 131,072 nodes


@dataclass(frozen=True, kw_only=True)
class Size:
    """GPUs that were found, the word for how, and whether the limit is kept with them."""

    gpus: float
    word: str
    kept: bool


def each_sized(
    calculator: Calculator, given: Mapping[str, Any], pinned: frozenset[str]
) -> Generator[None, None, Size | None]:
    """GPUs for the deadline or budget that is given, nothing where neither is; a pause after every layout.

    Time falls with GPUs and rises again where failures and small batches outweigh them; money too, for few GPUs
    must compute twice what they cannot keep. So octaves are walked, and the one that decides is walked by its rungs.
    """
    deadline, budget = given.get("deadline"), given.get("budget")
    if deadline is None and budget is None:
        return None
    ladder = rungs(int(calculator.evaluate(given)["gpus_per_node"]))
    tried = _Tried(calculator, given, pinned)
    octaves = ladder[:: len(_PARTS)]
    if deadline is not None:
        found = yield from tried.nearest(ladder, "training_duration", deadline)
        if found is not None:
            return Size(gpus=found, word="fewest that meet the deadline", kept=True)
        place = ladder.index((yield from tried.least(octaves, "training_duration")))
        around = ladder[max(0, place - len(_PARTS)) : place + len(_PARTS)]
        quickest = yield from tried.least(around, "training_duration")
        return Size(gpus=quickest, word="fastest: misses the deadline", kept=False)
    budget = float(budget or 0)
    found = yield from tried.nearest(ladder[::-1], "run_price", budget)
    if found is not None:
        place = ladder.index(found) + 1
        near = ladder[max(0, place - _AGAIN * len(_PARTS)) : place]
        prices = yield from tried.all(near, "run_price")
        within = [gpus for gpus, price in zip(near, prices, strict=True) if price <= budget]
        quickest = yield from tried.least(within, "training_duration")
        return Size(gpus=quickest, word="fastest within the budget", kept=True)
    cheapest = yield from tried.least(octaves, "run_price")
    return Size(gpus=cheapest, word="cheapest: exceeds the budget", kept=False)


class _Tried:
    """Numbers of GPUs, each in its fastest layout, tried once."""

    def __init__(self, calculator: Calculator, given: Mapping[str, Any], pinned: frozenset[str]) -> None:
        self._calculator, self._given, self._pinned = calculator, given, pinned
        self._known: dict[float, dict[str, Any]] = {}

    def at(self, gpus: float, result: str, most: float = math.inf) -> Generator[None, None, float]:
        """A result on so many GPUs; infinite where no layout fits, or where it is more than `most`."""
        if gpus in self._known:
            return float(self._known[gpus].get(result, math.inf))
        longest = most if result == "training_duration" and _OWN_SPEED.isdisjoint(self._given) else math.inf
        found = yield from each_fastest(self._calculator, self._given, self._pinned, gpus, longest)
        if found or longest == math.inf:
            self._known[gpus] = found
        return float(found.get(result, math.inf))

    def least(self, walked: Sequence[float], result: str) -> Generator[None, None, float]:
        """Of these, the first with the least of a result; the last are quickest, which bounds the search for others."""
        best, least = walked[0], math.inf
        for gpus in reversed(walked):
            value = yield from self.at(gpus, result, least)
            if value <= least:
                best, least = gpus, value
        return best

    def all(self, walked: Sequence[float], result: str) -> Generator[None, None, list[float]]:
        """A result on each of these."""
        values = []
        for gpus in walked:
            value = yield from self.at(gpus, result)
            values.append(value)
        return values

    def nearest(self, walked: Sequence[float], result: str, limit: float) -> Generator[None, None, float | None]:
        """The first on the way that keeps the limit; of the octaves before it, two are walked by every rung."""
        for place, octave in enumerate(walked[:: len(_PARTS)]):
            if (yield from self.at(octave, result, limit)) > limit:
                continue
            for gpus in walked[max(0, place - _AGAIN) * len(_PARTS) :]:
                if (yield from self.at(gpus, result, limit)) <= limit:
                    return gpus
        return None


def each_fastest(
    calculator: Calculator, given: Mapping[str, Any], pinned: frozenset[str], gpus: float, longest: float = math.inf
) -> Generator[None, None, dict[str, Any]]:
    """Every value on so many GPUs in their fastest layout; nothing where none fits or the fabric ends before them.

    Nothing too where every layout that fits takes longer than `longest` for the whole run [s].
    """
    values = calculator.evaluate({**given, "gpus": gpus})
    if three_tiers_reach(*[values[need] for need in three_tiers_reach.needs]):
        return {}
    found = yield from layouts.each_search(calculator, values, pinned, most=1, longest=longest / values["tokens"])
    if found.fits:
        found = by_wall_clock(calculator, values, found, most=1)
    return dict(calculator.after(values, found.best[0].inputs)) if found.best and found.fits else {}


def rungs(gpus_per_node: int) -> list[float]:
    """Numbers of GPUs in whole nodes, each at most a quarter more than the one before, from the second octave on.

    >>> rungs(8)[:8]
    [8.0, 16.0, 24.0, 32.0, 40.0, 48.0, 56.0, 64.0]
    """
    parts = [part * 2**power for power in range(_OCTAVES) for part in _PARTS]
    return [float(part // _PARTS[0] * gpus_per_node) for part in sorted(parts) if not part % _PARTS[0]]

"""How many GPUs: the fewest that make a deadline, or the quickest within a budget, where nobody gave a number.

Counted on a ladder of whole nodes, a power of two times four to seven eighths, so that layouts divide them evenly.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators.declare import Calculator
from calculators.machine import layouts
from calculators.network.fabric_verdicts import three_tiers_reach

_PARTS = (4, 5, 6, 7)
_AGAIN = 2  # octaves: how well layouts divide the GPUs differs from rung to rung
_MOST_NODES = 2**17


@dataclass(frozen=True, kw_only=True)
class Size:
    """GPUs that were found, the word for how, and whether the limit is kept with them."""

    gpus: float
    word: str
    kept: bool


def sized(calculator: Calculator, given: Mapping[str, Any], pinned: frozenset[str]) -> Size | None:
    """GPUs for the deadline or budget that is given; nothing where neither is.

    Time falls with GPUs and rises again where failures and small batches eat what they add; money too, for few GPUs
    must compute twice what they cannot keep. So octaves are walked, and the one that decides is walked by its rungs.
    """
    deadline, budget = given.get("deadline"), given.get("budget")
    if deadline is None and budget is None:
        return None
    ladder = rungs(int(calculator.evaluate(given)["gpus_per_node"]))
    known: dict[float, dict[str, Any]] = {}

    def at(gpus: float, result: str) -> float:
        if gpus not in known:
            known[gpus] = fastest(calculator, given, pinned, gpus)
        return float(known[gpus].get(result, math.inf))

    def nearest(result: str, limit: float, walked: list[float]) -> float | None:
        """The first on the way that keeps the limit; of the octaves before it, two are walked by every rung."""
        octaves = walked[:: len(_PARTS)]
        for place, gpus in enumerate(octaves):
            if at(gpus, result) <= limit:
                start = max(0, place - _AGAIN) * len(_PARTS)
                return next(one for one in walked[start:] if at(one, result) <= limit)
        return None

    if deadline is not None:
        found = nearest("training_duration", deadline, ladder)
        if found is not None:
            return Size(gpus=found, word="the fewest that make the deadline", kept=True)
        place = ladder.index(min(ladder[:: len(_PARTS)], key=lambda gpus: at(gpus, "training_duration")))
        around = ladder[max(0, place - len(_PARTS)) : place + len(_PARTS)]
        quickest = min(around, key=lambda gpus: at(gpus, "training_duration"))
        return Size(gpus=quickest, word="as fast as it gets: the deadline is missed", kept=False)
    budget = float(budget or 0)
    found = nearest("run_price", budget, ladder[::-1])
    if found is not None:
        place = ladder.index(found) + 1
        within = [one for one in ladder[max(0, place - _AGAIN * len(_PARTS)) : place] if at(one, "run_price") <= budget]
        quickest = min(within, key=lambda gpus: at(gpus, "training_duration"))
        return Size(gpus=quickest, word="the quickest within the budget", kept=True)
    cheapest = min(ladder[:: len(_PARTS)], key=lambda gpus: at(gpus, "run_price"))
    return Size(gpus=cheapest, word="as cheap as it gets: the budget is exceeded", kept=False)


def fastest(calculator: Calculator, given: Mapping[str, Any], pinned: frozenset[str], gpus: float) -> dict[str, Any]:
    """Every value on so many GPUs in their fastest layout; nothing where none fits or the fabric ends before them."""
    values = calculator.evaluate({**given, "gpus": gpus})
    if three_tiers_reach(*[values[need] for need in three_tiers_reach.needs]):
        return {}
    found = layouts.search(calculator, values, pinned, most=1)
    return dict(calculator.after(values, found.best[0].inputs)) if found.best and found.fits else {}


def rungs(gpus_per_node: int) -> list[float]:
    """Numbers of GPUs in whole nodes, each at most a quarter more than the one before, from the second octave on.

    >>> rungs(8)[:8]
    [8.0, 16.0, 24.0, 32.0, 40.0, 48.0, 56.0, 64.0]
    """
    nodes = {part * 2**power // _PARTS[0] for power in range(17) for part in _PARTS if not part * 2**power % _PARTS[0]}
    return [float(count * gpus_per_node) for count in sorted(nodes) if count <= _MOST_NODES]

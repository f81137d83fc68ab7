"""Rates of a machine: what 10% more of each gains, and how far it may fall."""

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from calculators.machine.kinds import Machine, Rate, Timed

MORE = 0.1  # what a purchase can change
GROWN = 0.01  # how much longer a run may take while a rate falls
_LEAST = 1e-6  # a rate that may fall to less does nothing for this run
_HALVINGS = 16


@dataclass(frozen=True, kw_only=True)
class MarginalGain:
    """Gain and headroom of a rate.

    `gain`: how much faster the run would be, or how much more as many GPUs would serve, with 10% more [share].
    `slack`: how far it may fall before that grows by 1% [share]. `saved` [USD] is what 10% more saves.
    """

    rate: Rate
    gain: float
    slack: float
    saved: float


def gains(found: Machine) -> Iterator[MarginalGain | None]:
    """Every rate, as declared; nothing where there may be a pause."""
    price = found.kind.measures[1].result
    for rate in found.kind.rates:
        timed = found.timed(rate)
        yield None
        now = yield from timed(1.0, 0.0)
        yield None
        better = yield from timed(1 + MORE, 0.0)
        yield None
        factor = yield from _lowest(timed, now * (1 + GROWN))
        yield MarginalGain(
            rate=rate,
            gain=now / better - 1,
            slack=1 - factor,
            saved=found.values[price] * (1 - better / now),
        )


def _lowest(timed: Timed, longest: float) -> Generator[None, None, float]:
    """The lowest factor with which the run still takes no longer than this [s], by halving; a pause after each."""
    low, high = math.log(_LEAST), 0.0
    if (yield from timed(_LEAST, longest)) <= longest:
        return 0.0
    for _ in range(_HALVINGS):
        yield
        middle = (low + high) / 2
        if (yield from timed(math.exp(middle), longest)) <= longest:
            high = middle
        else:
            low = middle
    return math.exp(high)

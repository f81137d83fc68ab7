"""One published rate of failure: what it counts, and how it becomes hours of one GPU per failure."""

from dataclasses import dataclass
from math import sqrt

from calculators import facts
from calculators.declare import step
from calculators.facts import Fact

# What is counted, from what hurts a job most to what need not hurt it at all. One rate is comparable with another
# only where both count the same.
COUNTED = {
    "stops": "the job stops",
    "nodes": "a node leaves service",
    "gpus": "a GPU fails",
    "messages": "the driver reports an error",
    "claims": "claimed, no data",
}
# How the machine is used, which matters as much as what it is made of.
USES = {"dedicated": "one job or one team", "shared": "many users", "rented": "rented by many"}


@dataclass(frozen=True, kw_only=True)
class Rate:
    """One published rate: of what machine, what it counts and how; `per_gpu` is the time of one GPU per failure [s].

    `low` and `high` are what its sources leave open. `keys` are the facts it uses, first the one whose source and
    reading mark the rate.
    """

    machine: str
    device: str
    use: str
    counted: str
    how: str
    gpus: float
    per_gpu: float
    low: float | None = None
    high: float | None = None
    keys: tuple[str, ...]

    @property
    def fact(self) -> Fact:
        """The fact that says where this was read, and how."""
        return facts.fact(self.keys[0])

    @property
    def second_hand(self) -> bool:
        """Whether it is known only from a text that cites its source."""
        source = self.fact.source
        return source is not None and source.read == "secondary"

    @property
    def year(self) -> int | None:
        """The year in which it was published."""
        return self.fact.source.year if self.fact.source else None


@step("h", "Time of one GPU per failure", rises_with=("gpus", "window"), falls_with=("failures",))
def gpu_time_per_failure(gpus: float, window: float, failures: float) -> float:
    """The time of one GPU per failure [s] where `gpus` saw so many `failures` in a `window` [s].

    >>> round(gpu_time_per_failure(16384, 54 * 86400, 419) / 3600, -2)  # Llama 3: 50,700 hours
    50700.0
    """
    return gpus * window / failures


def time_between_stalls(stall: float, effective: float) -> float:
    """Time between failures [s] that each cost a `stall` [s] and leave an `effective` share of the time.

    Holds where nothing else is lost: 1 - stall / time is left.

    >>> round(time_between_stalls(10, 0.44), 1)  # minutes; FT-HSDP prints 44% with stalls of ten minutes
    17.9
    """
    return stall / (1 - effective)


@step("share", "Uncertainty of a count")
def counting_error(failures: float) -> float:
    """The share by which a count of independent `failures` may well be off: one standard deviation of Poisson's law.

    >>> counting_error(100)
    0.1
    """
    return 1 / sqrt(failures)

"""Failures: what one GPU's rate means for a job of many."""

from math import exp, expm1, log1p

from calculators.declare import step
from calculators.units import DAY


@step("s", "Mean time between failures", source="kokolis", falls_with=("gpus",))
def mtbf(gpu_mtbf: float, gpus: float) -> float:
    """How long a job of `gpus` runs between failures [s] when each GPU alone would run `gpu_mtbf` [s].

    Failures that strike each GPU independently; any one stops the job.

    >>> mtbf(1024, 8)
    128.0
    """
    return gpu_mtbf / gpus


@step("failure", "Failures per day", rises_with=("gpus",))
def failures_per_day(mtbf: float) -> float:
    """How often a day a job fails that runs `mtbf` [s] between failures.

    >>> failures_per_day(86400 / 8)
    8.0
    """
    return DAY / mtbf


@step("h", "Time between failures that a job implies per GPU", source="kokolis", rises_with=("gpus",))
def implied_gpu_mtbf(job_mtbf: float, gpus: float) -> float:
    """The time between failures per GPU [shown in h] that a measured `job_mtbf` [s] of a job of `gpus` stands for."""
    return job_mtbf * gpus


@step("share", "Chance of no failure", rises_with=("job_mtbf",), falls_with=("duration",))
def survival(duration: float, job_mtbf: float) -> float:
    """The chance that a job of this `duration` [s] sees no failure, at `job_mtbf` [s] between them: e^(-T/M).

    >>> round(survival(1, 1), 4)
    0.3679
    """
    return exp(-duration / job_mtbf)


@step("share", "Steps that meet a slow GPU", rises_with=("gpus", "slow_share"))
def slowed_steps(slow_share: float, gpus: float) -> float:
    """The share of steps in which at least one of `gpus` is slow, when each is slow in a `slow_share` of its steps.

    >>> round(slowed_steps(0.5, 2), 9)
    0.75
    """
    return -expm1(gpus * log1p(-slow_share))

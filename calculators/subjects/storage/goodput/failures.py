"""Failures: the rate of a job from the rate per GPU."""

from math import exp, expm1, log1p

from calculators.declare import step
from calculators.units import DAY


@step("s", "Mean time between failures", source="kokolis", falls_with=("gpus",))
def mtbf(gpu_mtbf: float, gpus: float) -> float:
    """Mean time between failures of a job of `gpus` [s], each GPU failing every `gpu_mtbf` [s].

    GPUs fail independently; any failure stops the job.

    >>> mtbf(1024, 8)
    128.0
    """
    return gpu_mtbf / gpus


@step("failure", "Failures per day", rises_with=("gpus",))
def failures_per_day(mtbf: float) -> float:
    """Failures per day of a job with `mtbf` [s].

    >>> failures_per_day(86400 / 8)
    8.0
    """
    return DAY / mtbf


@step("h", "MTBF per GPU implied by a job", source="kokolis", rises_with=("gpus",))
def implied_gpu_mtbf(job_mtbf: float, gpus: float) -> float:
    """MTBF per GPU [shown in h] that a measured `job_mtbf` [s] of a job of `gpus` implies."""
    return job_mtbf * gpus


@step("share", "Chance of no failure", rises_with=("job_mtbf",), falls_with=("duration",))
def survival(duration: float, job_mtbf: float) -> float:
    """Chance that a job of `duration` [s] sees no failure at `job_mtbf` [s]: e^(-T/M).

    >>> round(survival(1, 1), 4)
    0.3679
    """
    return exp(-duration / job_mtbf)


@step("share", "Steps with a slow GPU", rises_with=("gpus", "slow_share"))
def slowed_steps(slow_share: float, gpus: float) -> float:
    """Share of steps in which at least one of `gpus` is slow, each being slow in `slow_share` of its steps.

    >>> round(slowed_steps(0.5, 2), 9)
    0.75
    """
    return -expm1(gpus * log1p(-slow_share))

"""Renewal: share of time left by random failures, exactly, and the checkpoint interval with the highest goodput.

Failures are memoryless and also hit checkpoints, restarts and loads. A checkpoint stalls training and is restorable
some time after it began; a failure before that falls back one checkpoint more. Without that delay it is Daly's exact
form of 2006.
"""

from math import exp, expm1, sqrt

from calculators.declare import formulas_of, step
from calculators.units import MINUTE

_ROUNDS = 8  # Newton's method has converged by then
_LONGEST = 700  # times between failures: e^709 is the largest number there is, and nothing is kept long before


def gap(stall: float) -> float:
    """Root x of 1 - x = exp(-(x + s)), in units of the time between failures: 1 + W0(-exp(-1 - s)), by Newton.

    >>> round(gap(5 / 360) * 360, 2)  # Daly 2006, figure 4, prints 57 min of work for saves of 5 and failures after 360
    56.71
    """
    found = sqrt(2 * stall) / (1 + sqrt(stall / 2))
    for _ in range(_ROUNDS):
        # 1 - x - exp(-(x + s)), written so that nothing cancels where x is small.
        found += (-expm1(-(found + stall)) - found) / -expm1(-(found + stall))
    return found


@step("s", "Recovery time after detection", rises_with=("restart_time", "restore_time"))
def recovery_time(restart_time: float, restore_time: float) -> float:
    """Time from detection until training continues [s]: `restart_time` [s] and `restore_time` [s]."""
    return restart_time + restore_time


@step("s", "Best training time between checkpoints", source="daly-2006", rises_with=("checkpoint_stall", "gpu_mtbf"))
def best_work(
    checkpoint_stall: float,
    mtbf: float,
    rare_failure_share: float | None,
    persist_every: float,
    durable_stall: float,
) -> float:
    """Training time between checkpoints with the highest goodput [s]; exact with one tier, where two arguments set it.

    gap(s) is the x that solves 1 - x = exp(-(x + s)), with work and stall in units of the time between failures.
    With two tiers a rare failure loses `persist_every` times as much, as if failures were more frequent, and each
    checkpoint has its part of the `durable_stall` [s]: exact if no failure is rare and if all are. Between them it
    misses the best of all intervals by at most 0.2 points at a goodput of 50%, 0.5 at 33%, 1.5 near 0; mostly by less
    than 0.01.

    >>> round(best_work(5 * 60, 15 * 60, None, 1, 0) / 60, 1)  # Daly's series gives 9.1 min
    9.2
    >>> round(best_work(5 * 60, 15 * 60, None, 2, 5 * 60) / 60, 1)
    10.5
    """
    if rare_failure_share is None and persist_every == 1:
        return mtbf * gap(checkpoint_stall / mtbf)
    as_if = mtbf / (1 + (rare_failure_share or 0) * (persist_every - 1))
    return as_if * gap((checkpoint_stall + durable_stall / persist_every) / as_if)


@step("s", "Best checkpoint interval", source="daly-2006", rises_with=("checkpoint_stall", "time_to_safe", "gpu_mtbf"))
def best_interval(best_work: float, checkpoint_stall: float, time_to_safe: float) -> float:
    """Best interval from start to start [s]: `best_work` and the stall, at least until the last is restorable."""
    return max(best_work + checkpoint_stall, time_to_safe)


@step("s", "Effective checkpoint interval", rises_with=("checkpoint_interval",))
def interval(checkpoint_interval: float, time_to_safe: float) -> float:
    """Time from the start of one checkpoint to the next [s]: the next waits until the last is restorable.

    >>> interval(60, 90)
    90
    """
    return max(checkpoint_interval, time_to_safe)


@step("s", "Training time between checkpoints")
def work(interval: float, checkpoint_stall: float) -> float:
    """Training time in an `interval` [s], without the `checkpoint_stall` [s]."""
    return interval - checkpoint_stall


@step("share", "Time running", source="daly-2006", falls_with=("detection_time", "restart_time", "restore_time"))
def running_share(mtbf: float, detection_time: float, recovery_time: float) -> float:
    """Share of wall clock in which the job runs, checkpoints and recomputed work included.

    After each `mtbf` [s] of running a failure is detected within `detection_time` [s]; a failure during the
    `recovery_time` [s] restarts it.

    >>> round(running_share(18, 0, 10), 2)  # failures every 18 min, 10 min to recover
    0.57
    """
    return mtbf / (mtbf + detection_time) * exp(-recovery_time / mtbf)


@step(
    "share", "Goodput with one tier", source="daly-2006", falls_with=("detection_time", "restart_time", "restore_time")
)
def one_tier_share(
    running_share: float, mtbf: float, work: float, checkpoint_stall: float, time_to_safe: float
) -> float:
    """Share of wall clock that becomes lasting progress, if every failure restores the newest checkpoint.

    `work` [s] is between checkpoints that stall for `checkpoint_stall` [s] and are restorable after `time_to_safe` [s]:
    the work lasts if no failure hits that time. With the two equal, checkpoints block, and this is Daly's form.
    """
    unhurt = exp(-(work + time_to_safe) / mtbf)
    return running_share * work / mtbf * unhurt / -expm1(-(work + checkpoint_stall) / mtbf)


@step("share", "Goodput gained by 1 min less recovery", source="daly-2006")
def minute_worth(goodput: float, recovery_time: float, mtbf: float) -> float:
    """Gain in goodput by one minute less of recovery, or of time until restorable; at most all of `recovery_time`.

    The share falls as e^(-recovery_time / mtbf), so each second saved [s] gains the same fraction.
    """
    return goodput * expm1(min(MINUTE, recovery_time, _LONGEST * mtbf) / mtbf)


FORMULAS = formulas_of(globals())

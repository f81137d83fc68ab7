"""Renewal: what failures at random moments leave of the time, exactly, and the interval between saves that keeps most.

Failures have no memory and strike saves, restarts and loads too. A save stalls training for a while and is safe some
time after it began; a failure before that falls back one save more. Without that delay it is Daly's exact form of 2006.
"""

from math import exp, expm1, sqrt

from calculators.declare import formulas_of, step
from calculators.units import MINUTE

_ROUNDS = 8  # Newton's method has converged by then
_LONGEST = 700  # times between failures: e^709 is the largest number there is, and nothing is kept long before


def gap(stall: float) -> float:
    """The x in 1 - x = exp(-(x + s)), both in units of the time between failures: 1 + W0(-exp(-1 - s)), by Newton.

    >>> round(gap(5 / 360) * 360, 2)  # Daly 2006, figure 4, prints 57 min of work for saves of 5 and failures after 360
    56.71
    """
    found = sqrt(2 * stall) / (1 + sqrt(stall / 2))
    for _ in range(_ROUNDS):
        # 1 - x - exp(-(x + s)), written so that nothing cancels where x is small.
        found += (-expm1(-(found + stall)) - found) / -expm1(-(found + stall))
    return found


@step("s", "Recovery after detection", rises_with=("restart_time", "restore_time"))
def recovery_time(restart_time: float, restore_time: float) -> float:
    """From the moment a failure is noticed until training moves [s]: `restart_time` [s], then `restore_time` [s]."""
    return restart_time + restore_time


@step("s", "Best work between saves", source="daly-2006", rises_with=("checkpoint_stall", "gpu_mtbf"))
def best_work(
    checkpoint_stall: float,
    mtbf: float,
    rare_failure_share: float | None,
    persist_every: float,
    durable_stall: float,
) -> float:
    """The work between saves [s] that keeps most of the time; with one tier exact, and moved by two arguments [s] only.

    gap(s) is the x that solves 1 - x = exp(-(x + s)), with work and stall in units of the time between failures.
    With two tiers a rare failure undoes `persist_every` times as much, as if failures came more often, and each save
    bears its part of the `durable_stall` [s]: exact where no failure is rare and where all are. Between them it misses
    the best that trying every interval finds by 0.2 points of goodput at most where half of the time is kept, by 0.5
    where a third is, by 1.5 where hardly any is; mostly by less than 0.01.

    >>> round(best_work(5 * 60, 15 * 60, None, 1, 0) / 60, 1)  # Daly's series gives 9.1 min
    9.2
    >>> round(best_work(5 * 60, 15 * 60, None, 2, 5 * 60) / 60, 1)
    10.5
    """
    if rare_failure_share is None and persist_every == 1:
        return mtbf * gap(checkpoint_stall / mtbf)
    as_if = mtbf / (1 + (rare_failure_share or 0) * (persist_every - 1))
    return as_if * gap((checkpoint_stall + durable_stall / persist_every) / as_if)


@step("s", "Best interval", source="daly-2006", rises_with=("checkpoint_stall", "time_to_safe", "gpu_mtbf"))
def best_interval(best_work: float, checkpoint_stall: float, time_to_safe: float) -> float:
    """The best from start to start of saves [s]: `best_work` and the stall, but never before the last one is safe."""
    return max(best_work + checkpoint_stall, time_to_safe)


@step("s", "Interval as it comes about", rises_with=("checkpoint_interval",))
def interval(checkpoint_interval: float, time_to_safe: float) -> float:
    """From the start of one save to the start of the next [s]: one save is in flight, the next waits until it is safe.

    >>> interval(60, 90)
    90
    """
    return max(checkpoint_interval, time_to_safe)


@step("s", "Work between saves")
def work(interval: float, checkpoint_stall: float) -> float:
    """What an `interval` [s] has left for training after the `checkpoint_stall` [s]."""
    return interval - checkpoint_stall


@step("share", "Up and running", source="daly-2006", falls_with=("detection_time", "restart_time", "restore_time"))
def running_share(mtbf: float, detection_time: float, recovery_time: float) -> float:
    """The share of wall clock in which the job runs at all, saves and work done twice included.

    After each `mtbf` [s] of running a failure is noticed within `detection_time` [s]; the `recovery_time` [s] may be
    struck itself and then begins again.

    >>> round(running_share(18, 0, 10), 2)  # failures every 18 min, 10 min to recover
    0.57
    """
    return mtbf / (mtbf + detection_time) * exp(-recovery_time / mtbf)


@step("share", "Kept with one tier", source="daly-2006", falls_with=("detection_time", "restart_time", "restore_time"))
def one_tier_share(
    running_share: float, mtbf: float, work: float, checkpoint_stall: float, time_to_safe: float
) -> float:
    """The share of wall clock that becomes progress which stays, where every failure finds the newest safe save.

    `work` [s] lies between saves that stall for `checkpoint_stall` [s] and are safe `time_to_safe` [s] after they
    began: all of that must pass unhurt for the work to stay. With the two equal, saves block, and this is Daly's form.
    """
    unhurt = exp(-(work + time_to_safe) / mtbf)
    return running_share * work / mtbf * unhurt / -expm1(-(work + checkpoint_stall) / mtbf)


@step("share", "Stalled by saves")
def stalled_share(
    running_share: float, mtbf: float, work: float, checkpoint_stall: float, time_to_safe: float
) -> float:
    """The share of wall clock in which training waits for saves whose work stays."""
    unhurt = exp(-(work + time_to_safe) / mtbf)
    return running_share * checkpoint_stall / mtbf * unhurt / -expm1(-(work + checkpoint_stall) / mtbf)


@step("share", "Done twice")
def lost_share(running_share: float, one_tier_share: float, stalled_share: float) -> float:
    """The share of wall clock whose work a failure undoes, so that it is done again: what is left of running."""
    return max(0, running_share - one_tier_share - stalled_share)


@step("share", "Down", rises_with=("detection_time", "restart_time", "restore_time"))
def down_share(running_share: float) -> float:
    """The share of wall clock for noticing, restarting and loading, and for failing while at it."""
    return 1 - running_share


@step("share", "A minute less of recovery", source="daly-2006")
def minute_worth(kept_share: float, recovery_time: float, mtbf: float) -> float:
    """What one minute less of recovery, or until a save is safe, adds to `kept_share`; at most all of `recovery_time`.

    The share falls as e^(-recovery_time / mtbf), so that each second [s] saved brings the same part of it.
    """
    return kept_share * expm1(min(MINUTE, recovery_time, _LONGEST * mtbf) / mtbf)


FORMULAS = formulas_of(globals())

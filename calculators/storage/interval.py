"""The interval between saves: what a stall, a failure rate and a restart leave of the time (Young 1974, Daly 2006)."""

from math import exp, expm1, sqrt

from calculators.declare import step


@step("s", "Best work between saves", source="daly-2006", rises_with=("checkpoint_stall", "mtbf"))
def young_work(checkpoint_stall: float, mtbf: float) -> float:
    """Young's best work between two saves [s] for a `checkpoint_stall` [s] and an `mtbf` [s], the save not counted.

    A first order: it holds where the stall is short beside the time between failures.

    >>> young_work(2, 100)
    20.0
    """
    return sqrt(2 * checkpoint_stall * mtbf)


@step("share", "Share of time lost", source="daly-2006", rises_with=("checkpoint_stall", "restart_time"))
def share_lost(work: float, checkpoint_stall: float, restart_time: float, mtbf: float) -> float:
    """What failures, restarts and saves take of the time, by Daly's model of failures at random moments.

    `work` [s] between two saves, a `checkpoint_stall` [s] for each, `restart_time` [s] after each failure and `mtbf`
    [s] between them. Saves are blocking, and one still being written is lost.

    >>> round(1 - share_lost(17.8 * 60, 51.06, 10 * 60, 3.09 * 3600), 3)
    0.86
    """
    return 1 - work / (mtbf * exp(restart_time / mtbf) * expm1((work + checkpoint_stall) / mtbf))


@step("share", "Share the restart takes", source="daly-2006", rises_with=("restart_time",), falls_with=("mtbf",))
def restart_share(restart_time: float, mtbf: float) -> float:
    """What is lost even if saves cost nothing and happen all the time: `restart_time` [s] at each failure, `mtbf` [s].

    >>> round(restart_share(10 * 60, 3.09 * 3600), 4)
    0.0525
    """
    return 1 - exp(-restart_time / mtbf)

"""The checkpoint interval as a figure draws it: what is lost in all, by the exact form, over every interval."""

from calculators.declare import step
from calculators.subjects.storage.goodput.renewal import (
    best_interval,
    best_work,
    interval,
    one_tier_share,
    recovery_time,
    running_share,
    work,
)

__all__ = [
    "best_interval",
    "best_work",
    "down_share",
    "interval",
    "one_tier_share",
    "recovery_time",
    "running_share",
    "share_lost",
    "work",
]


@step("share", "Share of time lost", source="daly-2006", rises_with=("detection_time", "restart_time"))
def share_lost(one_tier_share: float) -> float:
    """Share of time lost to failures, restarts and checkpoints of one tier.

    >>> share_lost(0.25)
    0.75
    """
    return 1 - one_tier_share


@step("share", "Time in detection and restart", rises_with=("detection_time", "restart_time"))
def down_share(running_share: float) -> float:
    """Share of time for detection, restart and load, of a job that does not wait for nodes.

    >>> down_share(0.75)
    0.25
    """
    return 1 - running_share

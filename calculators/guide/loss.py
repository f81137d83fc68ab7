"""Loss: what a run lost in all, and what one loss is of it."""

from calculators.declare import step


@step("s", "Lost in all", rises_with=("elapsed",), falls_with=("ideal",))
def lost_time(elapsed: float, ideal: float) -> float:
    """What a run took [s] beyond what it would have taken at full speed without a stop.

    >>> lost_time(118, 48)
    70
    """
    return elapsed - ideal


@step("share", "Of the run", rises_with=("lost",), falls_with=("elapsed",))
def share_of_run(lost: float, elapsed: float) -> float:
    """What a time `lost` [s] is of a run that took `elapsed` [s].

    >>> share_of_run(6, 24)
    0.25
    """
    return lost / elapsed

"""Loss: what a run lost in all, what one loss is of it, and what becomes of an hour that is paid."""

from calculators.declare import step


@step("s", "Lost in all", rises_with=("elapsed",), falls_with=("ideal",))
def lost_time(elapsed: float, ideal: float) -> float:
    """Time that a run took [s] beyond that at full speed without a stop.

    >>> lost_time(118, 48)
    70
    """
    return elapsed - ideal


@step("share", "Of the run", rises_with=("lost",), falls_with=("elapsed",))
def share_of_run(lost: float, elapsed: float) -> float:
    """Share of a time `lost` [s] in a run of `elapsed` [s].

    >>> share_of_run(6, 24)
    0.25
    """
    return lost / elapsed


@step("share", "Useful work", rises_with=("allocated", "goodput"))
def kept_share(allocated: float, goodput: float) -> float:
    """Useful share of all time paid: the share allocated, times its goodput."""
    return allocated * goodput


@step("share", "Arithmetic of the model", rises_with=("kept_share", "mfu"))
def useful_share(kept_share: float, mfu: float) -> float:
    """The model's own arithmetic, of what the GPUs could do in all time paid.

    >>> useful_share(0.5, 0.4)
    0.2
    """
    return kept_share * mfu

"""Kept: what becomes of an hour that is paid."""

from calculators.declare import step


@step("share", "Work that was kept", rises_with=("allocated", "goodput"))
def kept_share(allocated: float, goodput: float) -> float:
    """What moves a run forward for good, of all time paid: the share allocated, times its goodput."""
    return allocated * goodput


@step("share", "Arithmetic of the model", rises_with=("kept_share", "mfu"))
def useful_share(kept_share: float, mfu: float) -> float:
    """The model's own arithmetic, of what the GPUs could do in all time paid.

    >>> useful_share(0.5, 0.4)
    0.2
    """
    return kept_share * mfu

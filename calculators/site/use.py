"""Use: what an hour costs that is used, and what becomes of an hour that is paid."""

from calculators.declare import step


@step("USD/GPU-hour", "Owning, per used hour", rises_with=("own_per_gpu_hour",), falls_with=("use",))
def used_hour_cost(own_per_gpu_hour: float, use: float) -> float:
    """What a used GPU-hour costs an owner who pays for every hour and uses a share of them.

    >>> used_hour_cost(2, 0.5)
    4.0
    """
    return own_per_gpu_hour / use


@step("share", "Use at which owning costs as much", falls_with=("price_per_gpu_hour",))
def break_even_use(own_per_gpu_hour: float, price_per_gpu_hour: float) -> float:
    """The share of hours that must be used for owning to cost what renting does."""
    return own_per_gpu_hour / price_per_gpu_hour


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

"""Warnings about checkpoint writes that the verdict does not cover."""

from calculators.declare import formulas_of, warning
from calculators.subjects.storage.checkpoint.formulas import Mode


@warning(
    speaks="checkpoint_mode=asynchronous&write_bandwidth=1GB/s",
    silent="checkpoint_mode=synchronous&write_bandwidth=1GB/s",
)
def may_wait(checkpoint_mode: Mode, durable_time_to_safe: float, durable_interval: float) -> str:
    """Asynchronous checkpoints that are not done when the next one is due."""
    if checkpoint_mode == "synchronous" or durable_time_to_safe <= durable_interval:
        return ""
    return (
        "Training is assumed to continue until the last checkpoint is on storage. "
        "A framework that waits for it when the next one is due stalls for the rest of every {effective_interval}."
    )


@warning(speaks="persist_every=30", silent="persist_every=30&checkpoint_mode=asynchronous")
def stalls_for_durable_saves(durable_stall: float) -> str:
    """Fast local checkpoints, and a synchronous write to storage on top of some of them."""
    if not durable_stall:
        return ""
    return (
        "One checkpoint in {persist_every} also stalls {durable_stall} for storage: "
        "write it asynchronously from the local copy, and training does not stall."
    )


@warning(speaks="write_window=2h", silent="write_window=10min")
def window_beyond_interval(write_window: float, durable_interval: float) -> str:
    """A time limit for the write that is longer than the interval."""
    if write_window <= durable_interval:
        return ""
    return (
        "The {write_window} limit for a write is longer than the {durable_interval} until the next checkpoint: "
        "writes that use all of it would queue."
    )


WARNINGS = formulas_of(globals())

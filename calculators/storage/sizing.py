"""Sizing: a store's rate shared among GPUs, and the drives that a write needs."""

from math import ceil

from calculators.declare import step


@step("B/s", "Rate per GPU", falls_with=("gpus",))
def rate_per_gpu(aggregate_rate: float, gpus: float) -> float:
    """What each of `gpus` gets [B/s] of an `aggregate_rate` [B/s] that all share evenly."""
    return aggregate_rate / gpus


@step("1", "Drives for the write", rises_with=("required_write_bandwidth",), falls_with=("drive_write",))
def drives_for_write(required_write_bandwidth: float, drive_write: float) -> float:
    """How many drives of `drive_write` [B/s] take `required_write_bandwidth` [B/s], before any redundancy; whole ones.

    >>> drives_for_write(94.7e9, 3.2e9)
    30
    """
    return ceil(required_write_bandwidth / drive_write)

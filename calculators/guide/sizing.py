"""Sizing: a store's rate by GPU, what a step writes and reads, drives for a write, what raw drives leave for data."""

from math import ceil

from calculators.declare import step


@step("B/s", "Rate per GPU", falls_with=("gpus",))
def rate_per_gpu(aggregate_rate: float, gpus: float) -> float:
    """Bandwidth of each of `gpus` [B/s], of an `aggregate_rate` [B/s] that all share evenly."""
    return aggregate_rate / gpus


@step("1", "Drives for the write", rises_with=("required_write_bandwidth",), falls_with=("drive_write",))
def drives_for_write(required_write_bandwidth: float, drive_write: float) -> float:
    """Drives of `drive_write` [B/s] for `required_write_bandwidth` [B/s], before any redundancy, rounded up.

    >>> drives_for_write(94.7e9, 3.2e9)
    30
    """
    return ceil(required_write_bandwidth / drive_write)


@step("B", "Left for data", rises_with=("drives", "drive_capacity", "fill_share"), falls_with=("parity_fragments",))
def usable_capacity(
    drives: float,
    drive_capacity: float,
    data_fragments: float,
    parity_fragments: float,
    spare_drives: float,
    fill_share: float,
) -> float:
    """Capacity for data [B] of `drives` of `drive_capacity` [B]: without spare drives and parity, as far as is filled.

    >>> usable_capacity(144, 4e12, 8, 2, 6, 1) / 1e12
    441.6
    """
    coded = data_fragments / (data_fragments + parity_fragments)
    return (drives - spare_drives) * drive_capacity * coded * fill_share


@step("B", "Shard of a checkpoint")
def checkpoint_shard(parameters: float, checkpoint_bytes_per_parameter: float, gpus: float) -> float:
    """Bytes of a checkpoint that each GPU writes [B]."""
    return parameters * checkpoint_bytes_per_parameter / gpus


@step("B", "Samples read")
def samples_read(
    sequence_length: float, micro_batches: float, data_parallel: float, bytes_per_token: float, gpus: float
) -> float:
    """Bytes of each GPU's samples of a step [B]."""
    return sequence_length * micro_batches * data_parallel * bytes_per_token / gpus

"""Packed data: what a change of some samples rewrites, and what unpacking costs the processors."""

from calculators.declare import step


@step("share", "Shards that change", rises_with=("changed_share", "shard_samples"))
def changed_shards(changed_share: float, shard_samples: float) -> float:
    """The share of shards that hold at least one changed sample, where changes fall anywhere.

    A shard of `shard_samples` stays as it was only if all of them do.

    >>> changed_shards(0.5, 1), changed_shards(0.5, 2)
    (0.5, 0.75)
    """
    unchanged: float = (1 - changed_share) ** shard_samples
    return 1 - unchanged


@step("1", "Cores that unpack", rises_with=("unpacked_rate",), falls_with=("core_rate",))
def unpacking_cores(unpacked_rate: float, core_rate: float) -> float:
    """Cores that decompress `unpacked_rate` [B/s], each delivering `core_rate` [B/s] of decompressed bytes.

    >>> unpacking_cores(6e9, 1.5e9)
    4.0
    """
    return unpacked_rate / core_rate


@step("B/s", "Read, packed", falls_with=("packed_ratio",))
def packed_rate(unpacked_rate: float, packed_ratio: float) -> float:
    """Bandwidth that must be read [B/s] for an `unpacked_rate` [B/s] where packing makes data so many times smaller.

    >>> packed_rate(6e9, 2)
    3000000000.0
    """
    return unpacked_rate / packed_ratio

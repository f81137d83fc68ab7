"""Traffic of a step with storage, worked out by hand for a small job."""

from __future__ import annotations

from calculators.guide import sizing


def test_checkpoints_and_samples_are_shared_by_all() -> None:
    assert sizing.checkpoint_shard(parameters=100, checkpoint_bytes_per_parameter=14, gpus=7) == 200
    read = sizing.samples_read(sequence_length=10, micro_batches=2, data_parallel=3, bytes_per_token=4, gpus=12)
    assert read == 20
    assert sizing.checkpoint_shard(parameters=100, checkpoint_bytes_per_parameter=14, gpus=8) == 175
    assert sizing.checkpoint_shard(parameters=101, checkpoint_bytes_per_parameter=2, gpus=8) == 25.25
    shared = sizing.samples_read(sequence_length=10, micro_batches=2, data_parallel=3, bytes_per_token=4, gpus=32)
    assert shared == 7.5

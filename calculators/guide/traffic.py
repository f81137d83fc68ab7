"""Traffic with storage: what one GPU of a training job writes and reads of it in one step."""

from calculators.declare import step


@step("B", "Shard of a checkpoint")
def checkpoint_shard(parameters: float, checkpoint_bytes_per_parameter: float, gpus: float) -> float:
    """What each GPU writes of a checkpoint [B]."""
    return parameters * checkpoint_bytes_per_parameter / gpus


@step("B", "Samples read")
def samples_read(
    sequence_length: float, micro_batches: float, data_parallel: float, bytes_per_token: float, gpus: float
) -> float:
    """What each GPU's share of a step's samples weighs [B]."""
    return sequence_length * micro_batches * data_parallel * bytes_per_token / gpus

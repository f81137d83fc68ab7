"""Fine-tuning in a machine: its batch, gradients of what is trained alone, frozen weights that every node reads."""

from calculators import facts
from calculators.declare import formulas_of, step, warning
from calculators.llm.adapters import ADAPTERS, Job
from calculators.subjects.network.collectives.bytes import WEIGHT_BYTES, WHOLE_SHARDS
from calculators.subjects.storage.checkpoint import formulas as checkpoint

_BATCH = float(facts.fact("llama3-layout.tokens_per_step").value)
_FINE_TUNING_BATCH = float(facts.fact("fine-tuning-batch").value)
_FILE_BYTES = float(facts.fact("frozen-bytes-16-bit").value)
_LONG = 0.05  # of the run


@step("token", "Typical batch of this job")
def usual_batch_tokens(job: Job) -> float:
    """Tokens of an optimizer step [token]: Llama 3 405B's in pre-training, Llama 2's in fine-tuning.

    >>> usual_batch_tokens("pre-training"), usual_batch_tokens("lora")
    (16777216.0, 262144.0)
    """
    return _BATCH if job == "pre-training" else _FINE_TUNING_BATCH


@step("B", "Weights as a file", rises_with=("parameters",))
def model_weights(parameters: float) -> float:
    """The model's weights in 16 bits, as they are published [B]; QLoRA makes them narrow while it loads them.

    >>> model_weights(70.6e9)
    141200000000.0
    """
    return parameters * _FILE_BYTES


@step("B", "Weights read at start")
def weights_read(job: Job, model_weights: float, gpu_nodes: float) -> float:
    """Bytes that all nodes read before the first step of fine-tuning [B]: each the whole model; nothing from scratch.

    >>> weights_read("lora", 141.2e9, 8), weights_read("pre-training", 141.2e9, 8)
    (1129600000000.0, 0.0)
    """
    return 0.0 if job == "pre-training" else model_weights * gpu_nodes


@step("s", "Time to read weights at start", falls_with=("read_bandwidth",))
def start_read_time(weights_read: float, read_bandwidth: float) -> float:
    """Time for storage to deliver the weights to all nodes before the first step [s]."""
    return weights_read / read_bandwidth


@step("B", "Frozen weights read at a restart")
def frozen_read(job: Job, weights_read: float) -> float:
    """Bytes that all nodes read besides the checkpoint after a failure [B]: that of adapters has no frozen weights."""
    return weights_read if job in ADAPTERS else 0.0


@step("s", "Restore time from storage", falls_with=("read_bandwidth",))
def durable_restore_time(checkpoint_size: float, frozen_read: float, read_bandwidth: float) -> float:
    """Time to read one checkpoint back [s], and frozen weights to every node."""
    return checkpoint.durable_restore_time(checkpoint_size + frozen_read, read_bandwidth)


@step("s", "Restore time", falls_with=("read_bandwidth",))
def restore_time(
    persist_every: float,
    local_write_time: float,
    copies_per_shard: float,
    durable_restore_time: float,
    frozen_read: float,
    read_bandwidth: float,
) -> float:
    """Time to read the newest checkpoint back [s]; frozen weights come from storage also where that is a local one."""
    found = checkpoint.restore_time(persist_every, local_write_time, copies_per_shard, durable_restore_time)
    return found + frozen_read / read_bandwidth if persist_every > 1 else found


@step("B/s", "Read demand of a restore", rises_with=("restore_copies",), falls_with=("restore_window",))
def restore_read(checkpoint_size: float, restore_copies: float, frozen_read: float, restore_window: float) -> float:
    """Read demand of a restore [B/s]: the checkpoint as often as it is read, and frozen weights for every node."""
    return (checkpoint_size * restore_copies + frozen_read) / restore_window


@step("s", "Compute time per step", source="megatron-2021", falls_with=("arithmetic_flops", "matmul_utilization"))
def compute_time(
    kernel_flops_per_token: float,
    tokens_per_step: float,
    layout_gpus: float,
    arithmetic_flops: float,
    matmul_utilization: float,
) -> float:
    """Compute time of a step [s]: FLOPs of matrix products at the share of peak that kernels reach.

    >>> compute_time(6e9, 1e6, 10, 1e15, 0.5), compute_time(4e9, 1e6, 10, 1e15, 0.5)
    (1.2, 0.8)
    """
    return kernel_flops_per_token * tokens_per_step / (layout_gpus * arithmetic_flops * matmul_utilization)


@step("B", "Data-parallel traffic per GPU and step", source=("zero", "lora"))
def data_bytes(
    zero_stage: int,
    gradient_slab: float,
    weight_slab: float,
    data_parallel: float,
    micro_batches: float,
    trainable_share: float,
    kept_weight_bytes: float,
) -> float:
    """Bytes that each GPU sends in a step for data parallelism [B]: gradients and new weights of what is trained.

    ZeRO stage 3 gathers every weight twice for each micro-batch, frozen ones as they are kept.

    >>> data_bytes(1, 40e9, 20e9, 4, 2, 1, 2), data_bytes(1, 40e9, 20e9, 4, 2, 0.01, 2)
    (45000000000.0, 450000000.0)
    >>> data_bytes(3, 40e9, 20e9, 4, 2, 0.01, 0.5)  # 20e9 in 16 bits are 5e9 in 4
    15600000000.0
    """
    once = (data_parallel - 1) / data_parallel
    gradients = gradient_slab * trainable_share
    if zero_stage == WHOLE_SHARDS:
        return once * micro_batches * (gradients + 2 * weight_slab * min(1, kept_weight_bytes / WEIGHT_BYTES))
    return once * (gradients + weight_slab * trainable_share if zero_stage else 2 * gradients)


@warning
def weights_take_long(start_read_time: float, training_duration: float, frozen_read: float) -> str:
    """Weights that every node reads from storage for a good part of a short run."""
    if start_read_time < _LONG * training_duration:
        return ""
    again = " and after every failure" if frozen_read else ""
    return (
        f"Before the first step{again} all nodes read the model's weights, {{weights_read}} in {{start_read_time}}, "
        "which is not in the training time: read them once and broadcast them, or keep them on the nodes' drives."
    )


FORMULAS = formulas_of(globals())

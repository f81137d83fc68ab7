"""Weights, gradients and optimizer state on one GPU: how parallelism splits the model, and what ZeRO shards further."""

import math

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.llm.adapters import ADAPTERS, Job

_WIDE_TABLES = float(facts.fact("frozen-bytes-16-bit").value)


@step("layer", "Layers of the fullest stage")
def stage_layers(layers: float, pipeline_parallel: float) -> float:
    """Layers that one pipeline stage holds, the fullest where they do not divide evenly."""
    return math.ceil(layers / pipeline_parallel)


@step("1", "Replication of each key-value head")
def kv_replication(tensor_parallel: float, kv_heads: float) -> float:
    """How often a key-value head is kept when there are fewer of them than tensor-parallel ranks (ours)."""
    return max(1, tensor_parallel / kv_heads)


@step("parameter", "Embedding parameters of the fullest stage")
def stage_embedding_parameters(
    pipeline_parallel: float, input_table_parameters: float, output_parameters: float
) -> float:
    """The embedding tables of one stage: both where there is one stage, otherwise one of them.

    The first stage holds the input's, the last one the output's, or a copy of the input's where they are tied.
    """
    return input_table_parameters + output_parameters if pipeline_parallel == 1 else input_table_parameters


@step("parameter", "Parameters per GPU besides routed experts", falls_with=("tensor_parallel",))
def stage_parameters(
    stage_layers: float,
    layers: float,
    shared_layer_parameters: float,
    kv_parameters: float,
    kv_replication: float,
    stage_embedding_parameters: float,
    mtp_parameters: float,
    tensor_parallel: float,
    count_correction: float,
) -> float:
    """Parameters on one GPU of the fullest stage, routed experts apart: its layers and its table, over tensor ranks.

    Modules that predict further tokens stand whole on one stage, which is taken for the fullest, as Megatron-LM does.
    A stage of a mixture holds the average of dense and expert layers. Norms and routers, which every tensor rank holds
    whole, are counted as split, as in Megatron-LM's own estimate.
    """
    replicated = stage_layers * kv_parameters * (kv_replication - 1)
    stage = shared_layer_parameters * stage_layers / layers + replicated + stage_embedding_parameters + mtp_parameters
    return count_correction * stage / tensor_parallel


@step(
    "parameter",
    "Routed-expert parameters per GPU",
    source="megatron-core",
    falls_with=("expert_parallel", "expert_tensor_parallel"),
)
def stage_expert_parameters(
    routed_parameters: float,
    mtp_routed_parameters: float,
    stage_layers: float,
    layers: float,
    expert_tensor_parallel: float,
    expert_parallel: float,
    count_correction: float,
) -> float:
    """Parameters of routed experts on one GPU: split over expert-parallel ranks, each expert over its tensor ranks."""
    routed = routed_parameters * stage_layers / layers + mtp_routed_parameters
    return count_correction * routed / (expert_tensor_parallel * expert_parallel)


@step("parameter", "Parameters per GPU")
def parameters_per_gpu(stage_parameters: float, stage_expert_parameters: float) -> float:
    """What one GPU of the fullest stage holds of the model before ZeRO shards it."""
    return stage_parameters + stage_expert_parameters


@step("rank", "Ranks that shard the states")
def data_shards(data_parallel: float, context_parallel: float) -> float:
    """Ranks that hold the same weights, over which ZeRO shards: data-parallel times context-parallel."""
    return data_parallel * context_parallel


@step("rank", "Ranks that shard an expert's states", source="megatron-core")
def expert_shards(
    tensor_parallel: float, data_shards: float, expert_tensor_parallel: float, expert_parallel: float
) -> float:
    """Ranks that hold the same part of the same experts: what tensor and data ranks together leave over [rank].

    >>> expert_shards(8, 16, 8, 4), expert_shards(8, 16, 1, 32)
    (4.0, 4.0)
    """
    return max(1, tensor_parallel * data_shards / (expert_tensor_parallel * expert_parallel))


@step("B/parameter", "Bytes per parameter, unsharded")
def training_bytes_per_parameter(
    weight_bytes_trained: float, gradient_bytes: float, master_bytes: float, optimizer_bytes: float
) -> float:
    """What the recipe needs for one parameter: weight, gradient, master copy, optimizer moments [B/parameter].

    >>> training_bytes_per_parameter(2, 2, 4, 8), training_bytes_per_parameter(2, 4, 4, 8)
    (16, 18)
    """
    return weight_bytes_trained + gradient_bytes + master_bytes + optimizer_bytes


@step("B/parameter", "Stored bytes per weight", source=("qlora", "lora"))
def kept_weight_bytes(job: Job, weight_bytes_trained: float, frozen_bytes: float, trainable_share: float) -> float:
    """What each weight of the model takes where it is kept [B/parameter], with its share of the adapters beside it."""
    if job in ADAPTERS:
        return frozen_bytes + trainable_share * weight_bytes_trained
    return weight_bytes_trained


@step("B", "Embedding memory beyond 4-bit weights", binary=True, source="transformers-bitsandbytes")
def wide_table_memory(
    job: Job,
    frozen_bytes: float,
    zero_stage: int,
    stage_embedding_parameters: float,
    tensor_parallel: float,
    data_shards: float,
    count_correction: float,
) -> float:
    """What embeddings and the output layer take beyond other frozen weights [B]: those alone are made narrow.

    Llama 3 8B, both tables of 525,336,576 in 16 bits beside weights in 8:

    >>> wide_table_memory("qlora", 1, 0, 2 * 525336576, 1, 1, 1)
    1050673152.0
    """
    if job not in ADAPTERS:
        return 0
    beyond = max(0, _WIDE_TABLES - frozen_bytes) * count_correction * stage_embedding_parameters / tensor_parallel
    return beyond / data_shards if zero_stage >= 3 else beyond  # noqa: PLR2004  the stage's number


@step("B", "Weights per GPU", binary=True, source="zero")
def weight_memory(
    kept_weight_bytes: float,
    wide_table_memory: float,
    zero_stage: int,
    stage_parameters: float,
    stage_expert_parameters: float,
    data_shards: float,
    expert_shards: float,
) -> float:
    """The weights one GPU keeps [B]: its part of the model, sharded over its data-parallel group by ZeRO stage 3."""
    kept = (
        stage_parameters / data_shards + stage_expert_parameters / expert_shards
        if zero_stage >= 3  # noqa: PLR2004  the stage's number
        else stage_parameters + stage_expert_parameters
    )
    return kept_weight_bytes * kept + wide_table_memory


@step("B", "Gradients per GPU", binary=True, source="zero")
def gradient_memory(
    gradient_bytes: float,
    trainable_share: float,
    zero_stage: int,
    stage_parameters: float,
    stage_expert_parameters: float,
    data_shards: float,
    expert_shards: float,
) -> float:
    """The gradients one GPU keeps [B], sharded over its data-parallel group from ZeRO stage 2 on."""
    return (
        gradient_bytes * trainable_share * (stage_parameters / data_shards + stage_expert_parameters / expert_shards)
        if zero_stage >= 2  # noqa: PLR2004  the stage's number
        else gradient_bytes * trainable_share * (stage_parameters + stage_expert_parameters)
    )


@step("B", "Optimizer state per GPU", binary=True, source="zero")
def optimizer_memory(
    master_bytes: float,
    optimizer_bytes: float,
    trainable_share: float,
    zero_stage: int,
    stage_parameters: float,
    stage_expert_parameters: float,
    data_shards: float,
    expert_shards: float,
) -> float:
    """Master copy and moments on one GPU [B], sharded over its data-parallel group from ZeRO stage 1 on.

    >>> round(optimizer_memory(4, 8, 1, 1, 7.5e9, 0, 64, 64) / 1e9 + 7.5 * 4, 1)
    31.4
    """
    kept = trainable_share * (master_bytes + optimizer_bytes)
    if zero_stage >= 1:
        return kept * (stage_parameters / data_shards + stage_expert_parameters / expert_shards)
    return kept * (stage_parameters + stage_expert_parameters)


@step("B", "Model states per GPU", binary=True, source="zero")
def model_state_memory(weight_memory: float, gradient_memory: float, optimizer_memory: float) -> float:
    """What the model itself takes on one GPU [B], the batch apart: ZeRO's model states."""
    return weight_memory + gradient_memory + optimizer_memory


@step("B", "ZeRO stage 3 gather buffer", binary=True)
def gathered_memory(
    job: Job,
    zero_stage: int,
    kept_weight_bytes: float,
    frozen_bytes: float,
    weight_bytes_trained: float,
    trainable_share: float,
    shared_layer_parameters: float,
    layers: float,
    stage_expert_parameters: float,
    stage_layers: float,
    mtp_layers: float,
    input_table_parameters: float,
    tensor_parallel: float,
    count_correction: float,
) -> float:
    """What stage 3 makes whole for the moment of use [B]: weights and gradients of the largest layer (ours).

    The largest of an average layer and the embedding table, once for its weights and once for its gradients.
    DeepSpeed's estimator counts 4 B per parameter of the largest module in the same way. Frozen weights are gathered as
    they are kept, tables in 16 bits, and have no gradients: only those of the adapters beside them.

    >>> gathered_memory("full", 3, 2, 0, 2, 0, 8, 4, 12, 2, 1, 1, 1, 1)  # 2 B for each of 8 / 4 + 12 / 3
    12.0
    """
    if zero_stage < 3:  # noqa: PLR2004  the stage's number
        return 0
    layer = count_correction * shared_layer_parameters / layers / tensor_parallel + stage_expert_parameters / (
        stage_layers + mtp_layers
    )
    table = count_correction * input_table_parameters / tensor_parallel
    each = kept_weight_bytes + trainable_share * weight_bytes_trained
    wider = max(0, _WIDE_TABLES - frozen_bytes) if job in ADAPTERS else 0
    return max(each * layer, (each + wider) * table)


MODEL_STATES = formulas_of(globals())

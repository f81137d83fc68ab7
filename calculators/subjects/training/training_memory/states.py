"""Weights, gradients and optimizer state on one GPU: how parallelism splits the model, and what ZeRO shards further."""

import math
from typing import Literal, NamedTuple

from calculators import facts
from calculators.declare import formulas_of, record, step
from calculators.llm.adapters import ADAPTERS, Job

Resharding = Literal["default", "always", "never"]
_WIDE_TABLES = float(facts.fact("frozen-bytes-16-bit").value)


class ModelPieces(NamedTuple):
    """Parameters of the whole model by piece, as counted; `scale` leads from these to the size given."""

    shared: float
    routed: float
    mtp: float
    mtp_routed: float
    table: float
    layers: float
    scale: float


class StageParameters(NamedTuple):
    """Parameters on one GPU of the fullest stage, and those that remain where data-parallel ranks shard them."""

    whole: float
    sharded: float


class WeightFormats(NamedTuple):
    """Bytes per weight: where it is kept, while it is gathered, and what one of a table takes beyond others."""

    kept: float
    gathered: float
    table_excess: float


@step("layer", "Layers of the fullest stage")
def stage_layers(layers: float, pipeline_parallel: float) -> float:
    """Layers that one pipeline stage holds, the fullest where they do not divide evenly."""
    return math.ceil(layers / pipeline_parallel)


@step("1", "Replication of each key-value head")
def kv_replication(tensor_parallel: float, kv_heads: float) -> float:
    """Copies of a key-value head when there are fewer of them than tensor-parallel ranks (ours)."""
    return max(1, tensor_parallel / kv_heads)


@step("parameter", "Embedding parameters of the fullest stage")
def stage_embedding_parameters(
    pipeline_parallel: float, input_table_parameters: float, output_parameters: float
) -> float:
    """The embedding tables of one stage: both where there is one stage, otherwise one of them.

    The first stage holds the input's, the last one the output's, or a copy of the input's where they are tied.
    """
    return input_table_parameters + output_parameters if pipeline_parallel == 1 else input_table_parameters


@record("Pieces of the model")
def model_pieces(
    shared_layer_parameters: float,
    routed_parameters: float,
    mtp_parameters: float,
    mtp_routed_parameters: float,
    input_table_parameters: float,
    layers: float,
    count_correction: float,
) -> ModelPieces:
    """Parameters of the whole model by piece."""
    return ModelPieces(
        shared=shared_layer_parameters,
        routed=routed_parameters,
        mtp=mtp_parameters,
        mtp_routed=mtp_routed_parameters,
        table=input_table_parameters,
        layers=layers,
        scale=count_correction,
    )


@step("parameter", "Parameters per GPU besides routed experts", falls_with=("tensor_parallel",))
def stage_parameters(
    model_pieces: ModelPieces,
    stage_layers: float,
    kv_parameters: float,
    kv_replication: float,
    stage_embedding_parameters: float,
    tensor_parallel: float,
) -> float:
    """Parameters on one GPU of the fullest stage, routed experts apart: its layers and its table, over tensor ranks.

    Modules that predict further tokens are whole on one stage, which is taken for the fullest, as Megatron-LM does.
    A stage of a mixture holds the average of dense and expert layers. Norms and routers, which every tensor rank holds
    whole, are counted as split, as in Megatron-LM's own estimate.
    """
    shared = model_pieces.shared * stage_layers / model_pieces.layers
    replicated = stage_layers * kv_parameters * (kv_replication - 1)
    stage = shared + replicated + stage_embedding_parameters + model_pieces.mtp
    return model_pieces.scale * stage / tensor_parallel


@step(
    "parameter",
    "Routed-expert parameters per GPU",
    source="megatron-core",
    falls_with=("expert_parallel", "expert_tensor_parallel"),
)
def stage_expert_parameters(
    model_pieces: ModelPieces, stage_layers: float, expert_tensor_parallel: float, expert_parallel: float
) -> float:
    """Parameters of routed experts on one GPU: split over expert-parallel ranks, each expert over its tensor ranks."""
    routed = model_pieces.routed * stage_layers / model_pieces.layers + model_pieces.mtp_routed
    return model_pieces.scale * routed / (expert_tensor_parallel * expert_parallel)


@step("parameter", "Parameters per GPU")
def parameters_per_gpu(stage_parameters: float, stage_expert_parameters: float) -> float:
    """Parameters on one GPU of the fullest stage before ZeRO shards them."""
    return stage_parameters + stage_expert_parameters


@step("rank", "Ranks that hold the same weights")
def data_ranks(data_parallel: float, context_parallel: float) -> float:
    """Ranks that hold the same weights: data-parallel times context-parallel."""
    return data_parallel * context_parallel


@step("rank", "Ranks that shard the states")
def data_shards(data_ranks: float, shard_group: float) -> float:
    """Ranks over which ZeRO shards: those of one shard group, which are all of them unless groups are smaller."""
    return min(data_ranks, shard_group)


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
    """Bytes per parameter of the recipe: weight, gradient, master copy, optimizer moments [B/parameter].

    >>> training_bytes_per_parameter(2, 2, 4, 8), training_bytes_per_parameter(2, 4, 4, 8)
    (16, 18)
    """
    return weight_bytes_trained + gradient_bytes + master_bytes + optimizer_bytes


@record("Parameters per GPU, whole and sharded")
def held_parameters(
    stage_parameters: float, stage_expert_parameters: float, data_shards: float, expert_shards: float
) -> StageParameters:
    """Parameters on one GPU of the fullest stage, whole and sharded over the ranks that hold the same."""
    return StageParameters(
        whole=stage_parameters + stage_expert_parameters,
        sharded=stage_parameters / data_shards + stage_expert_parameters / expert_shards,
    )


@step("B/parameter", "Stored bytes per weight", source=("qlora", "lora"))
def kept_weight_bytes(job: Job, weight_bytes_trained: float, frozen_bytes: float, trainable_share: float) -> float:
    """Bytes that each weight of the model takes where it is kept [B/parameter], its share of the adapters included."""
    if job in ADAPTERS:
        return frozen_bytes + trainable_share * weight_bytes_trained
    return weight_bytes_trained


@record("Bytes per weight")
def weight_formats(
    job: Job, kept_weight_bytes: float, frozen_bytes: float, weight_bytes_trained: float, trainable_share: float
) -> WeightFormats:
    """Bytes per weight kept and gathered; of frozen weights all but the tables are made narrow."""
    return WeightFormats(
        kept=kept_weight_bytes,
        gathered=kept_weight_bytes + trainable_share * weight_bytes_trained,
        table_excess=max(0, _WIDE_TABLES - frozen_bytes) if job in ADAPTERS else 0,
    )


@step("B", "Embedding memory beyond 4-bit weights", binary=True, source="transformers-bitsandbytes")
def wide_table_memory(
    weight_formats: WeightFormats,
    zero_stage: int,
    stage_embedding_parameters: float,
    tensor_parallel: float,
    data_shards: float,
    count_correction: float,
) -> float:
    """Memory of embeddings and the output layer beyond other frozen weights [B]: those alone are made narrow.

    Llama 3 8B, both tables of 525,336,576 in 16 bits next to weights in 8:

    >>> wide_table_memory(WeightFormats(1, 1, 1), 0, 2 * 525336576, 1, 1, 1)
    1050673152.0
    """
    beyond = weight_formats.table_excess * count_correction * stage_embedding_parameters / tensor_parallel
    return beyond / data_shards if zero_stage >= 3 else beyond  # noqa: PLR2004  the stage's number


@step("B", "Weights per GPU", binary=True, source="zero")
def weight_memory(
    kept_weight_bytes: float,
    wide_table_memory: float,
    zero_stage: int,
    held_parameters: StageParameters,
    parameter_offload: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Weights that one GPU keeps [B]: its part of the model, sharded over its data-parallel group by ZeRO stage 3.

    None where they wait in host memory.
    """
    if parameter_offload:
        return 0
    kept = held_parameters.sharded if zero_stage >= 3 else held_parameters.whole  # noqa: PLR2004  the stage's number
    return kept_weight_bytes * kept + wide_table_memory


@step("1", "Weights that stay gathered", source="torchtitan-fsdp")
def kept_gathered(zero_stage: int, pipeline_parallel: float, reshard_after_forward: Resharding) -> float:
    """1 where ZeRO stage 3 keeps gathered weights between passes, else 0: by default within a pipeline.

    >>> kept_gathered(3, 8, "default"), kept_gathered(3, 1, "default"), kept_gathered(3, 8, "always")
    (1, 0, 0)
    """
    if zero_stage < 3 or reshard_after_forward == "always":  # noqa: PLR2004  the stage's number
        return 0
    return 1 if reshard_after_forward == "never" or pipeline_parallel > 1 else 0


@step("B", "Gradients per GPU", binary=True, source=("zero", "torchtitan-benchmarks"))
def gradient_memory(
    gradient_bytes: float,
    trainable_share: float,
    zero_stage: int,
    pipeline_parallel: float,
    kept_gathered: float,
    held_parameters: StageParameters,
    offloaded_gradients: float,
) -> float:
    """Gradients that one GPU keeps [B], sharded over its data-parallel group from ZeRO stage 2 on.

    Whole until the last micro-batch in a pipeline whose stage 3 keeps gathered weights, as in torchtitan.
    """
    sharded = zero_stage >= 2 and not (kept_gathered and pipeline_parallel > 1)  # noqa: PLR2004  the stage's number
    kept = held_parameters.sharded if sharded else held_parameters.whole
    return gradient_bytes * trainable_share * kept * (1 - offloaded_gradients)


@step("B", "Optimizer state per GPU", binary=True, source="zero")
def optimizer_memory(
    master_bytes: float,
    optimizer_bytes: float,
    trainable_share: float,
    zero_stage: int,
    held_parameters: StageParameters,
    optimizer_offload: float,
) -> float:
    """Master copy and moments on one GPU [B], sharded over its data-parallel group from ZeRO stage 1 on.

    >>> round(optimizer_memory(4, 8, 1, 1, StageParameters(7.5e9, 7.5e9 / 64), 0) / 1e9 + 7.5 * 4, 1)
    31.4
    """
    kept = held_parameters.sharded if zero_stage >= 1 else held_parameters.whole
    return trainable_share * (master_bytes + optimizer_bytes) * kept * (1 - optimizer_offload)


@step("B", "Model states per GPU", binary=True, source="zero")
def model_state_memory(weight_memory: float, gradient_memory: float, optimizer_memory: float) -> float:
    """Bytes of the model on one GPU [B], without the batch: ZeRO's model states."""
    return weight_memory + gradient_memory + optimizer_memory


MODEL_STATES = formulas_of(globals())

"""Temporary buffers: gathered weights and sequences, tokens sent to experts, dequantized weights."""

from typing import Any

from calculators import facts
from calculators.declare import choice, formulas_of, step
from calculators.llm.adapters import Job
from calculators.llm.parts import FeedForward
from calculators.subjects.training.training_memory.activations import Routing, block_widths, sent_values
from calculators.subjects.training.training_memory.states import (
    ModelPieces,
    StageParameters,
    WeightFormats,
)
from calculators.vocabulary.groups import SHARD
from calculators.vocabulary.precision import Precision

_SEQUENCES: float = facts.fact("gathered-sequences").value
_DISPATCH: float = facts.fact("dispatch-buffers").value
_QUANTIZED: float = facts.fact("fp8-weight-copies").value
_WEIGHTS_SHARDED = 3  # ZeRO's stage


def reshard_after_forward() -> Any:
    """Whether ZeRO stage 3 frees gathered weights after each forward pass."""
    options = {
        "default": "default: not within a pipeline",
        "always": "always: gather again for the backward pass",
        "never": "never: keep gathered weights",
    }
    return choice(
        "default",
        "Reshard after forward",
        options,
        help="torchtitan's `fsdp_reshard_after_forward`, used with ZeRO stage 3. Within a pipeline the default keeps "
        "gathered weights and whole gradients until the last micro-batch.",
        group=SHARD,
    )


@step("B", "Gathered weights", binary=True)
def gathered_memory(
    zero_stage: int,
    kept_gathered: float,
    weight_formats: WeightFormats,
    held_parameters: StageParameters,
    activation_bytes: float,
    largest_gather: float,
) -> float:
    """Weights that stage 3 gathers [B]: those of the largest layer, or of the whole stage where they are kept.

    Kept ones are in the precision of the matrix products, or in that of frozen weights where this is narrower.

    >>> gathered_memory(3, 1, WeightFormats(4, 8, 0), StageParameters(6e9, 0.75e9), 2, 3e9)
    12000000000.0
    """
    if zero_stage < _WEIGHTS_SHARDED:
        return 0
    whole = min(weight_formats.kept, activation_bytes) * held_parameters.whole
    return max(whole, largest_gather) if kept_gathered else largest_gather


@step("B", "Gather buffer of the largest layer", binary=True)
def largest_gather(
    weight_formats: WeightFormats,
    model_pieces: ModelPieces,
    stage_expert_parameters: float,
    stage_layers: float,
    mtp_layers: float,
    tensor_parallel: float,
) -> float:
    """Weights and gradients of the largest layer [B], as stage 3 gathers them (ours).

    The largest of an average layer and the embedding table, once for its weights and once for its gradients.
    DeepSpeed's estimator counts 4 B per parameter of the largest module in the same way. Frozen weights are gathered as
    they are kept, tables in 16 bits, and have no gradients: only those of their adapters.

    >>> pieces = ModelPieces(shared=8, routed=0, mtp=0, mtp_routed=0, table=1, layers=4, scale=1)
    >>> largest_gather(WeightFormats(2, 2, 0), pieces, 12, 2, 1, 1)  # 2 B for each of 8 / 4 + 12 / 3
    12.0
    """
    experts = stage_expert_parameters / (stage_layers + mtp_layers)
    layer = model_pieces.scale * model_pieces.shared / model_pieces.layers / tensor_parallel + experts
    table = model_pieces.scale * model_pieces.table / tensor_parallel
    each = weight_formats.gathered
    return max(each * layer, (each + weight_formats.table_excess) * table)


@step("B", "Gathered sequences", binary=True, source="torchtitan-benchmarks")
def sequence_memory(
    micro_batch_tokens: float,
    hidden: float,
    activation_bytes: float,
    tensor_parallel: float,
    sequence_parallel: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Inputs of matrix products that tensor ranks gather whole [B]: sequence parallelism splits them before and after.

    >>> sequence_memory(8192, 8192, 2, 8, True), sequence_memory(8192, 8192, 2, 1, True)
    (268435456.0, 0)
    """
    if tensor_parallel == 1 or not sequence_parallel:
        return 0
    return _SEQUENCES * micro_batch_tokens * hidden * activation_bytes


@step("B", "Expert dispatch buffers", binary=True, source="ms-swift-examples")
def dispatch_memory(
    micro_batch_tokens: float,
    activation_bytes: float,
    feed_forward: FeedForward,
    routing: Routing,
    sequence_ranks: float,
    tensor_parallel: float,
) -> float:
    """Buffers of one mixture-of-experts layer [B]: tokens sent and received, unevenly, with their gradients.

    A multiple of what its routed experts keep for a micro-batch with even routing; nothing in a dense model.

    >>> dispatch_memory(100, 2, FeedForward(10, 30, 30, 3, 4, 0), Routing(1, 1, 1), 1, 1)
    0.0
    """
    if feed_forward.expert_layers == 0:
        return 0.0
    one = feed_forward.layers / feed_forward.expert_layers  # undo the average over all layers
    sent = sent_values(feed_forward, routing, sequence_ranks) / sequence_ranks
    _, routed, _ = block_widths(feed_forward, routing)
    kept = sent + feed_forward.matrices * routed / tensor_parallel
    return _DISPATCH * one * micro_batch_tokens * activation_bytes * kept


@step("B", "Dequantized weights", binary=True, source="transformers-bitsandbytes")
def dequantized_memory(job: Job, feed_forward: FeedForward, activation_bytes: float, tensor_parallel: float) -> float:
    """Working copy of one quantized matrix while it is multiplied [B]: the largest, in 16 bits (QLoRA).

    >>> dequantized_memory("qlora", FeedForward(4096, 11008, 11008, 3, 32, 0), 2, 1)
    90177536.0
    """
    if job != "qlora":
        return 0.0
    width = max(feed_forward.ffn_hidden, feed_forward.dense_ffn_hidden)
    return activation_bytes * feed_forward.hidden * width / tensor_parallel


@step("B", "Quantized copies of weights", binary=True, source="ms-swift-examples")
def quantized_memory(training_precision: Precision, zero_stage: int, parameters_per_gpu: float) -> float:
    """Copies of weights in 8 or 4 bits, for both directions of a matrix product [B]; none where layers are gathered.

    FP8 saves no memory in training: the bf16 run next to the one measured takes 10% less.

    >>> quantized_memory("fp8", 1, 3.7e9), quantized_memory("fp8", 3, 3.7e9), quantized_memory("bf16", 1, 3.7e9)
    (3700000000.0, 0, 0)
    """
    if training_precision == "bf16" or zero_stage >= _WEIGHTS_SHARDED:
        return 0
    return _QUANTIZED * parameters_per_gpu


@step("B", "Working buffers", binary=True)
def working_memory(
    recomputed_memory: float,
    gathered_memory: float,
    sequence_memory: float,
    dispatch_memory: float,
    dequantized_memory: float,
    quantized_memory: float,
) -> float:
    """Buffers of a step on one GPU [B]: recomputation, gathered weights and sequences, dispatch, copies of weights."""
    gathered = gathered_memory + sequence_memory
    return recomputed_memory + gathered + dispatch_memory + dequantized_memory + quantized_memory


BUFFERS = formulas_of(globals())

"""Warnings about a training layout: NVLink domains, replicated heads, uneven splits, idle ranks."""

from calculators import facts
from calculators.declare import formulas_of, warning
from calculators.llm.shape import MOSTLY_TABLES, is_small
from calculators.vocabulary.layout import ENDS, ON_THE_LAYOUT

GPUS_PER_NODE = facts.fact("gpus-per-node").value
NOTICEABLE = 0.05
_WHOLE_SHARDS = 3  # ZeRO's stage


@warning(speaks="tp=16", silent="tp=8")
def beyond_nvlink(tensor_parallel: float) -> str:
    """Tensor parallelism needs the fastest links."""
    if tensor_parallel <= GPUS_PER_NODE:
        return ""
    return (
        "Tensor parallelism over {tensor_parallel} leaves the NVLink domain of an eight-GPU server; "
        "every layer then waits for the network, unless the GPUs share a larger scale-up domain."
    )


@warning(speaks="tp=16", silent="tp=8")
def replicated_heads(tensor_parallel: float, kv_heads: float, kv_lora_rank: float) -> str:
    """Fewer key-value heads than ranks."""
    if tensor_parallel <= kv_heads or kv_lora_rank > 0:
        return ""
    return (
        "Fewer key-value heads, {kv_heads}, than tensor-parallel ranks, {tensor_parallel}: "
        "several ranks store the same keys and values."
    )


@warning(speaks="sequence_parallel=no", silent="sequence_parallel=no&tp=1")
def unsplit_activations(tensor_parallel: float, sequence_parallel: bool) -> str:  # noqa: FBT001
    """Tensor parallelism alone leaves a part of the activations whole."""
    if tensor_parallel == 1 or sequence_parallel:
        return ""
    return (
        "Without sequence parallelism every tensor rank stores all activations between the blocks, "
        "{residual_activation} per layer."
    )


@warning(speaks="context_parallel=2&flash_attention=no", silent="context_parallel=2", refuses=ON_THE_LAYOUT)
def scores_in_one_piece(flash_attention: bool, context_parallel: float) -> str:  # noqa: FBT001
    """Ranks that share a sequence without a kernel that takes it piece by piece."""
    if flash_attention or context_parallel == 1:
        return ""
    return (
        "Without FlashAttention no kernel splits a sequence over {context_parallel}: "
        "Transformer Engine, which Megatron Core calls, falls back to one rank or refuses."
    )


@warning(speaks="model=llama-3-8b&ffn_hidden=1001", silent="model=none&parameters=100M", refuses=ON_THE_LAYOUT)
def uneven_feed_forward(
    ffn_hidden: float,
    usual_ffn_hidden: float,
    fitting_ffn_hidden: float,
    experts: float,
    tensor_parallel: float,
    expert_tensor_parallel: float,
) -> str:
    """A feed-forward block or expert that ranks cannot split evenly; an estimated width does not count."""
    ranks, shown = (
        (tensor_parallel, "{tensor_parallel}") if experts == 1 else (expert_tensor_parallel, "{expert_tensor_parallel}")
    )
    if ffn_hidden % ranks == 0 or ffn_hidden in {usual_ffn_hidden, fitting_ffn_hidden}:
        return ""
    return f"A feed-forward width of {{ffn_hidden}} is not divisible by {shown}: Megatron Core refuses it."


@warning(speaks="sequence_length=8193", silent="sequence_length=8193&tp=1", refuses=ON_THE_LAYOUT)
def uneven_sequence(
    sequence_length: float,
    context_parallel: float,
    tensor_parallel: float,
    sequence_parallel: bool,  # noqa: FBT001
) -> str:
    """Pieces of a sequence of different length."""
    if context_parallel > 1 and sequence_length % (2 * context_parallel):
        return (
            "{sequence_length} is not divisible into two chunks per rank of {context_parallel}; "
            "Megatron Core and torchtitan refuse such a sequence unless it is padded."
        )
    if sequence_parallel and sequence_length % (context_parallel * tensor_parallel):
        return (
            "{sequence_length} is not divisible by the ranks of sequence parallelism; "
            "frameworks refuse such a sequence unless it is padded."
        )
    return ""


@warning(speaks="pp=3", silent="pp=5")
def uneven_stages(layers: float, pipeline_parallel: float, interleave: float) -> str:
    """Stages of different size; where they interleave, embedding and output may take the place of a layer each.

    >>> [uneven_stages(layers, 16, 8) == "" for layers in (128, 126, 125)]  # Llama 3 405B has 126
    [True, True, False]
    """
    if layers % pipeline_parallel == 0 and interleave == 1:
        return ""
    if interleave > 1 and -layers % (pipeline_parallel * interleave) <= ENDS:
        return ""
    return (
        "The stages do not divide {layers} evenly; the fullest holds {stage_layers}. "
        "Frameworks need an explicit pipeline layout for that."
    )


@warning(speaks="zero_stage=3", silent="zero_stage=2")
def sharding_in_a_pipeline(zero_stage: int, pipeline_parallel: float) -> str:
    """ZeRO stage 3 keeps gathered weights within a pipeline, or gathers for every micro-batch."""
    if zero_stage < _WHOLE_SHARDS or pipeline_parallel == 1:
        return ""
    return (
        "In a pipeline ZeRO stage 3 keeps weights gathered and gradients whole, as torchtitan does by default, or "
        "gathers in every micro-batch; Megatron Core shards the optimizer alone, stage 1."
    )


@warning(speaks="dp=1", silent="dp=1&context_parallel=2")
def nothing_to_share(zero_stage: int, data_shards: float) -> str:
    """ZeRO needs replicas."""
    return (
        "ZeRO shards over data-parallel ranks; with one rank it saves nothing."
        if zero_stage and data_shards == 1
        else ""
    )


@warning(speaks="model=llama-3-70b&parameters=65B", silent="model=llama-3-70b&parameters=68B")
def count_differs(parameters: float, count_correction: float) -> str:
    """Parameters and dimensions were both given, and disagree."""
    if parameters == 0 or abs(count_correction - 1) <= NOTICEABLE:
        return ""
    return (
        "The dimensions give {counted_parameters}, not {parameters}. "
        "The given parameters are used: weights, gradients and optimizer are scaled to them, activations are not."
    )


@warning(speaks="model=none&parameters=125M", silent="model=none&parameters=125M&layers=12&hidden=768&vocab=50257")
def small_model_of_tables(
    parameters: float,
    layers: float,
    fitting_layers: float,
    input_table_parameters: float,
    output_parameters: float,
    count_correction: float,
) -> str:
    """A small model of which only the size is known: embedding tables of a large vocabulary leave it hardly a layer."""
    tables = (input_table_parameters + output_parameters) * count_correction
    return MOSTLY_TABLES if layers == fitting_layers and is_small(parameters, tables) else ""


WARNINGS = formulas_of(globals())

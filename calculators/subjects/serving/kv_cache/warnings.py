"""Warnings where a KV cache, its inputs or the decoding speed need a second look."""

from calculators.declare import formulas_of, warning
from calculators.llm.serving.attention import Attention
from calculators.llm.serving.memory import LONGEST_CONTEXT

_FEW, _MOST = 0.2, 0.8


@warning(speaks="tp=16", silent="")
def heads_replicated(attention: Attention, cached_heads: float, serving_tensor_parallel: float) -> str:
    """More tensor-parallel ranks than cached heads: ranks hold copies."""
    if serving_tensor_parallel <= cached_heads:
        return ""
    why = (
        "Latent attention (MLA) has one KV cache for all heads"
        if attention == "mla"
        else "There are more tensor-parallel ranks than key-value heads"
    )
    return (
        why + ", so ranks hold copies, as in vLLM: more ranks do not shrink the {cache_share_per_gpu} of the KV cache "
        "on each GPU, and all GPUs together hold it {cache_replication} times."
    )


@warning(speaks="logged_cache_memory=75GB", silent="logged_cache_memory=50GB")
def log_contradicts_weights(
    logged_cache_memory: float | None, serving_weight_memory: float, serving_overhead: float, gpu_memory: float
) -> str:
    """The KV-cache memory that an engine logged does not fit next to the weights calculated here."""
    if logged_cache_memory is None or logged_cache_memory + serving_weight_memory + serving_overhead <= gpu_memory:
        return ""
    return (
        "The logged {logged_cache_memory} of KV-cache memory and {serving_weight_memory} of weights do not fit "
        "into {gpu_memory} together: the log is from another GPU, model or weight precision than set here."
    )


@warning(speaks="attention=hybrid&global_layer_share=0", silent="attention=hybrid")
def no_context_limit(max_context: float) -> str:
    """Memory sets no limit to the context."""
    if max_context < LONGEST_CONTEXT:
        return ""
    return "Memory sets no limit to the context here; the context that the model was trained for does."


@warning(speaks="model=deepseek-v3&sequences=16&gpu_memory=141GiB", silent="")
def expert_popularity(experts_touched: float, experts: float) -> str:
    """Between few experts and all of them, expert popularity decides how much a step reads."""
    if not _FEW < experts_touched / experts < _MOST:
        return ""
    return (
        "A step is assumed to touch {experts_touched} in each layer, of {experts} that are all equally popular: "
        "where sequences prefer the same experts, it reads fewer weights and decoding may be faster than the bound."
    )


@warning(speaks="", silent="gpu_memory=16GiB")
def speed_is_a_bound(decode_tokens_per_second: float) -> str:
    """The decoding speed is an upper bound wherever a sequence fits."""
    if decode_tokens_per_second <= 0:
        return ""
    return (
        "{decode_tokens_per_second} is an upper bound from memory bandwidth alone: measured engines are slower, "
        "most of all with small models, many GPUs, mixtures of experts and large batches."
    )


@warning(speaks="sequences=1000", silent="")
def sequences_wait(sequences: float, max_sequences: float) -> str:
    """More sequences than fit: the rest wait."""
    if sequences <= max_sequences or max_sequences <= 0:
        return ""
    return "Speeds are for the {max_sequences} with room at full context; the rest are queued or preempted."


WARNINGS = formulas_of(globals())

"""Capacity: KV-cache memory that stays free, and the most tokens and the longest context that fit."""

import math

from calculators.declare import formulas_of, step
from calculators.llm.serving.memory import LONGEST_CONTEXT

_TYPICAL_CONTEXT = 8192.0


@step("token", "Default context")
def default_context(positions: float | None) -> float:
    """Context of a sequence by default [token]: a typical one, or all that the model supports if that is less."""
    return _TYPICAL_CONTEXT if positions is None else min(_TYPICAL_CONTEXT, positions)


@step("B", "Memory the engine does not use, per GPU", binary=True)
def memory_reserve(gpu_memory: float, gpu_memory_utilization: float) -> float:
    """Memory of each GPU outside the engine's GPU memory utilization [B]."""
    return gpu_memory * (1 - gpu_memory_utilization)


@step("B", "KV-cache memory free, per GPU", binary=True)
def cache_free(cache_budget: float, cache_memory_per_gpu: float) -> float:
    """KV-cache memory that the sequences leave free on each GPU [B]."""
    return max(0, cache_budget - cache_memory_per_gpu)


@step("token", "Tokens that fit")
def max_tokens(
    cache_budget: float, cache_per_sequence_per_gpu: float, global_layer_tokens: float, kv_block_size: float
) -> float:
    """Tokens of all sequences together that fit [token], in whole KV blocks: the cache size that vLLM logs.

    With sliding windows it depends on the context, because a long sequence takes less per token.
    """
    return math.floor(cache_budget * (global_layer_tokens / kv_block_size) / cache_per_sequence_per_gpu) * kv_block_size


@step("token", "Longest context that fits")
def max_context(
    cache_budget: float,
    sequences: float,
    cache_entry: float,
    cache_share_per_gpu: float,
    attention_layers: float,
    global_layers: float,
    window_entry_ratio: float,
    compressed_values: float,
    cache_bytes: float,
    state_per_sequence: float,
    serving_tensor_parallel: float,
    window: float,
    tokens_in_flight: float,
    kv_block_size: float,
) -> float:
    """Longest context at which all sequences still fit [token], in whole KV blocks.

    Up to the window every layer with attention grows with the context; beyond it only full-attention layers and
    compressed entries do. A model with windows in every layer has no limit from memory once its windows fit, nor has
    one without attention once its states do; the longest context allowed here then means no limit.
    """
    room = cache_budget / sequences - state_per_sequence / serving_tensor_parallel
    if attention_layers == 0:
        return LONGEST_CONTEXT if room >= 0 else 0
    pages = max(0, room) / (cache_entry * cache_share_per_gpu * kv_block_size)
    windows = (attention_layers - global_layers) * window_entry_ratio
    always = global_layers + compressed_values * cache_bytes / cache_entry
    within = math.floor((pages - windows) / (always + windows))
    full_window = math.ceil((window - 1 + tokens_in_flight) / kv_block_size)
    if windows == 0 or within < full_window:
        return min(LONGEST_CONTEXT, max(0, within) * kv_block_size)
    if always == 0:
        return LONGEST_CONTEXT
    return min(LONGEST_CONTEXT, math.floor((pages - windows * (full_window + 1)) / always) * kv_block_size)


CAPACITY_FORMULAS = formulas_of(globals())

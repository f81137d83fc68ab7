"""Capacity of serving: what fits beside the weights."""

import math

from calculators.declare import Verdict, formulas_of, step, verdict

TIGHT_FROM = 0.9
LONGEST_CONTEXT = 1e9
USUAL_CONTEXT = 8192.0


@step("token", "Usual context")
def default_context(positions: float | None) -> float:
    """Context of a sequence [token] where nobody gives it: the usual one, or all the model is made for if less."""
    return USUAL_CONTEXT if positions is None else min(USUAL_CONTEXT, positions)


@step("share", "Share of the weights in routed experts")
def routed_share(parameters: float, active_parameters: float, experts: float, experts_per_token: float) -> float:
    """Which part of a mixture's weights the router chooses from [share]; nothing in a dense model.

    A token leaves E - k of E experts unused, and those are all that is not active.
    DeepSeek-V3, 671.0B with 37.6B active, 8 of 256 experts: 653.9B are routed.

    >>> round(routed_share(671.026404352e9, 37.552282624e9, 256, 8) * 671.026404352, 1)
    653.9
    """
    unused = experts - experts_per_token
    return (parameters - active_parameters) / parameters * experts / unused if unused > 0 else 0


@step("1", "Groups that share the experts")
def expert_groups(serving_tensor_parallel: float, serving_expert_parallel: float) -> float:
    """How many groups of tensor-parallel ranks one set of routed experts serves [1].

    >>> expert_groups(1, 144), expert_groups(8, 1)
    (144.0, 1)
    """
    return max(1, serving_expert_parallel / serving_tensor_parallel)


@step("B", "Weights per GPU", binary=True, rises_with=("parameters",), falls_with=("serving_tensor_parallel",))
def serving_weight_memory(
    parameters: float,
    weight_bytes: float,
    serving_tensor_parallel: float,
    routed_share: float,
    expert_groups: float,
) -> float:
    """What the weights occupy on each GPU [B], split evenly over the tensor-parallel ranks.

    Routed experts are split further where several groups of ranks share them.

    >>> serving_weight_memory(70e9, 2, 8, 0, 1)
    17500000000.0
    """
    return parameters * weight_bytes / serving_tensor_parallel * (1 - routed_share + routed_share / expert_groups)


@step("B", "Kept back per GPU", binary=True)
def memory_reserve(gpu_memory: float, gpu_memory_utilization: float) -> float:
    """Memory the engine leaves alone on each GPU [B]."""
    return gpu_memory * (1 - gpu_memory_utilization)


@step("B", "Room for cache per GPU", binary=True, rises_with=("gpu_memory", "gpu_memory_utilization"))
def cache_budget(
    gpu_memory: float,
    gpu_memory_utilization: float,
    serving_weight_memory: float,
    serving_overhead: float,
    logged_cache_memory: float | None,
) -> float:
    """What each GPU has left for the cache [B]: as the engine's log says, else what weights and overhead leave."""
    return (
        max(0, gpu_memory * gpu_memory_utilization - serving_weight_memory - serving_overhead)
        if logged_cache_memory is None
        else logged_cache_memory
    )


@step("B", "Room left per GPU", binary=True)
def cache_free(cache_budget: float, cache_memory_per_gpu: float) -> float:
    """What the wanted sequences leave of the room for cache [B]."""
    return max(0, cache_budget - cache_memory_per_gpu)


@step("1", "Sequences that fit, not rounded")
def concurrency(cache_budget: float, cache_per_sequence_per_gpu: float) -> float:
    """How many sequences of the full context fit [1]: the figure vLLM logs as maximum concurrency."""
    return cache_budget / cache_per_sequence_per_gpu


@step("sequence", "Sequences that fit")
def max_sequences(concurrency: float) -> float:
    """Whole sequences of the full context that fit at once [sequence]."""
    return math.floor(concurrency)


@step("token", "Tokens that fit")
def max_tokens(
    cache_budget: float, cache_per_sequence_per_gpu: float, global_layer_tokens: float, kv_block_size: float
) -> float:
    """Tokens of all sequences together that fit [token], in whole pages: the cache size vLLM logs.

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
    """Longest context [token] at which the wanted number of sequences still fits, in whole pages.

    Up to the window every layer with attention grows with the context; beyond it only the global layers and compressed
    entries do. A model with windows in every layer has no limit from memory once its windows fit, nor has one without
    attention once its states do; the longest context known here then stands for none.
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


@verdict("Does it fit?")
def serving_fits(
    cache_budget: float,
    cache_memory_per_gpu: float,
    max_sequences: float,
    max_context: float,
    context: float,
    positions: float | None,
) -> Verdict:
    """Whether the wanted sequences fit beside the weights at full context, naming what binds."""
    if cache_budget <= 0:
        return Verdict(
            level="bad",
            word="does not fit",
            reason="The weights bind: {serving_weight_memory} of them and {serving_overhead} of overhead "
            "fill what the engine may use of each GPU; no cache fits.",
        )
    if cache_memory_per_gpu > cache_budget:
        room = (
            "There is room for {max_sequences} of this length" if max_sequences > 0 else "Not one of this length fits"
        )
        shorter = "; at {max_context}, {sequences} would fit." if max_context > 0 else "."
        return Verdict(
            level="bad",
            word="does not fit",
            reason="The cache binds: {sequences} would take {cache_memory_per_gpu} per GPU, "
            "and {cache_budget} is left. " + room + shorter,
        )
    if cache_memory_per_gpu > cache_budget * TIGHT_FROM:
        return Verdict(
            level="tight",
            word="tight",
            reason="The cache takes {cache_memory_per_gpu} of the {cache_budget} per GPU; "
            "there is room for {max_sequences} at most.",
        )
    if positions is not None and context > positions:
        return Verdict(
            level="tight",
            word="fits, but too long",
            reason="The cache takes {cache_memory_per_gpu} of the {cache_budget} per GPU, "
            "but the model is made for {positions}, not {context}.",
        )
    return Verdict(
        level="good",
        word="fits",
        reason="The cache takes {cache_memory_per_gpu} of the {cache_budget} per GPU; {max_sequences} would fit.",
    )


CAPACITY_FORMULAS = formulas_of(globals())

"""Capacity and speed of serving: what fits beside the weights, and how fast memory bandwidth lets it decode."""

import math

from calculators.declare import Formula, Verdict, step, verdict

TIGHT_FROM = 0.9
LONGEST_CONTEXT = 1e9


@step("B", "Weights per GPU", binary=True, rises_with=("parameters",), falls_with=("tensor_parallel",))
def weight_memory(parameters: float, weight_bytes: float, tensor_parallel: float) -> float:
    """What the weights occupy on each GPU [B], split evenly over the tensor-parallel ranks.

    >>> weight_memory(70e9, 2, 8)
    17500000000.0
    """
    return parameters * weight_bytes / tensor_parallel


@step("B", "Kept back per GPU", binary=True)
def memory_reserve(gpu_memory: float, memory_share: float) -> float:
    """Memory the engine leaves alone on each GPU [B]."""
    return gpu_memory * (1 - memory_share)


@step("B", "Room for cache per GPU", binary=True, rises_with=("gpu_memory", "memory_share"))
def cache_budget(
    gpu_memory: float, memory_share: float, weight_memory: float, overhead: float, logged_cache_memory: float
) -> float:
    """What each GPU has left for the cache [B]: as the engine's log says, else what weights and overhead leave."""
    return (
        logged_cache_memory if logged_cache_memory > 0 else max(0, gpu_memory * memory_share - weight_memory - overhead)
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
    cache_budget: float, cache_per_sequence_per_gpu: float, global_layer_tokens: float, page_size: float
) -> float:
    """Tokens of all sequences together that fit [token], in whole pages: the cache size vLLM logs.

    With sliding windows it depends on the context, because a long sequence takes less per token.
    """
    return math.floor(cache_budget * (global_layer_tokens / page_size) / cache_per_sequence_per_gpu) * page_size


@step("token", "Longest context that fits")
def max_context(
    cache_budget: float,
    sequences: float,
    cache_entry: float,
    cache_share_per_gpu: float,
    layers: float,
    global_layers: float,
    window: float,
    tokens_in_flight: float,
    page_size: float,
) -> float:
    """Longest context [token] at which the wanted number of sequences still fits, in whole pages.

    Up to the window every layer grows with the context; beyond it only the global layers do. A model with windows in
    every layer has no limit from memory once its windows fit; the longest context known here then stands for none.
    """
    pages = cache_budget / (sequences * cache_entry * cache_share_per_gpu * page_size)
    window_layers = layers - global_layers
    within = math.floor((pages - window_layers) / layers)
    full_window = math.ceil((window - 1 + tokens_in_flight) / page_size)
    if window_layers == 0 or within < full_window:
        return min(LONGEST_CONTEXT, max(0, within) * page_size)
    if global_layers == 0:
        return LONGEST_CONTEXT
    return min(LONGEST_CONTEXT, math.floor((pages - window_layers * (full_window + 1)) / global_layers) * page_size)


@verdict("Does it fit?")
def fits(
    cache_budget: float, cache_memory_per_gpu: float, max_sequences: float, sequences: float, max_context: float
) -> Verdict:
    """Whether the wanted sequences fit beside the weights at full context, naming what binds."""
    if cache_budget <= 0:
        return Verdict(
            level="bad",
            word="does not fit",
            reason="The weights bind: {weight_memory} of them and {overhead} of overhead fill each GPU; no cache fits.",
        )
    if cache_memory_per_gpu > cache_budget:
        relief = "{max_sequences} of this length fit" if max_sequences > 0 else "not one of this length fits"
        shorter = ", or all of them with {max_context} each." if max_context > 0 else "."
        return Verdict(
            level="bad",
            word="does not fit",
            reason="The cache binds: {sequences} need {cache_memory_per_gpu} per GPU, and {cache_budget} is left; "
            + relief
            + shorter,
        )
    if cache_memory_per_gpu > cache_budget * TIGHT_FROM or max_sequences < sequences:
        return Verdict(
            level="tight",
            word="tight",
            reason="The cache takes {cache_memory_per_gpu} of the {cache_budget} per GPU; at most {max_sequences} fit.",
        )
    return Verdict(
        level="good",
        word="fits",
        reason="The cache takes {cache_memory_per_gpu} of the {cache_budget} per GPU; {max_sequences} would fit.",
    )


@step("sequence", "Sequences running at once")
def running_sequences(sequences: float, max_sequences: float) -> float:
    """The wanted sequences, or those of them that fit [sequence]; the others wait."""
    return min(sequences, max_sequences)


@step("B", "Weights read per step, per GPU", binary=True)
def weights_read(weight_memory: float, active_parameters: float, parameters: float, running_sequences: float) -> float:
    """Weights each GPU reads to make one token for every running sequence [B].

    All of a dense model. Of a mixture of experts one sequence reads the active parameters only; more sequences choose
    other experts, and many read nearly all. Choices are taken to be independent, which reads a little too much.
    """
    return weight_memory * (1 - (1 - active_parameters / parameters) ** running_sequences)  # type: ignore[no-any-return]


@step("s", "Time per decoding step", falls_with=("memory_bandwidth",))
def decode_step_time(
    weights_read: float, cache_per_sequence_per_gpu: float, running_sequences: float, memory_bandwidth: float
) -> float:
    """Least time to make one token for every running sequence [s]: weights and cache through each GPU's memory once."""
    return (weights_read + cache_per_sequence_per_gpu * running_sequences) / memory_bandwidth


@step("token/s", "Decoding speed, upper bound", source="gpt-fast", rises_with=("memory_bandwidth",))
def decode_tokens_per_second(running_sequences: float, decode_step_time: float) -> float:
    """Tokens per second of all running sequences together [token/s], by memory bandwidth alone; 0 if nothing fits."""
    return running_sequences / decode_step_time if running_sequences > 0 else 0


@step("token/s", "Decoding speed per sequence, upper bound", source="gpt-fast", rises_with=("memory_bandwidth",))
def decode_tokens_per_second_per_sequence(running_sequences: float, decode_step_time: float) -> float:
    """Tokens per second that each running sequence sees [token/s], by memory bandwidth alone; 0 if nothing fits."""
    return 1 / decode_step_time if running_sequences > 0 else 0


CAPACITY_FORMULAS: tuple[Formula, ...] = (
    weight_memory,
    memory_reserve,
    cache_budget,
    cache_free,
    concurrency,
    max_sequences,
    max_tokens,
    max_context,
    fits,
    running_sequences,
    weights_read,
    decode_step_time,
    decode_tokens_per_second,
    decode_tokens_per_second_per_sequence,
)

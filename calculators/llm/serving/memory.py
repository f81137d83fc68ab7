"""GPU memory of a served model: weights, what is left for the KV cache, and how many sequences fit."""

import math

from calculators.declare import formulas_of, step

LONGEST_CONTEXT = 1e9


@step("share", "Routed-expert share of weights")
def routed_share(parameters: float, active_parameters: float, experts: float, experts_per_token: float) -> float:
    """Share of the weights that are routed experts [share]; 0 in a dense model.

    A token leaves E - k of E experts unused, and their weights are all that is inactive.
    DeepSeek-V3, 671.0B with 37.6B active, 8 of 256 experts: 653.9B are routed.

    >>> round(routed_share(671.026404352e9, 37.552282624e9, 256, 8) * 671.026404352, 1)
    653.9
    """
    unused = experts - experts_per_token
    return (parameters - active_parameters) / parameters * experts / unused if unused > 0 else 0


@step("1", "Tensor-parallel groups that share the experts")
def expert_groups(serving_tensor_parallel: float, serving_expert_parallel: float) -> float:
    """Groups of tensor-parallel ranks that share one set of routed experts [1].

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
    """Bytes of weights on each GPU [B], split evenly over the tensor-parallel ranks.

    Routed experts are split further where several groups of ranks share them.

    >>> serving_weight_memory(70e9, 2, 8, 0, 1)
    17500000000.0
    """
    return parameters * weight_bytes / serving_tensor_parallel * (1 - routed_share + routed_share / expert_groups)


@step(
    "B", "KV-cache memory left after weights, per GPU", binary=True, rises_with=("gpu_memory", "gpu_memory_utilization")
)
def cache_budget(
    gpu_memory: float,
    gpu_memory_utilization: float,
    serving_weight_memory: float,
    serving_overhead: float,
    logged_cache_memory: float | None,
) -> float:
    """Memory of each GPU for the KV cache [B]: as the engine logged it, else what weights and overhead leave."""
    return (
        max(0, gpu_memory * gpu_memory_utilization - serving_weight_memory - serving_overhead)
        if logged_cache_memory is None
        else logged_cache_memory
    )


@step("1", "Max concurrency at full context, not rounded")
def concurrency(cache_budget: float, cache_per_sequence_per_gpu: float) -> float:
    """Sequences of the full context that fit [1]: the figure that vLLM logs as maximum concurrency."""
    return cache_budget / cache_per_sequence_per_gpu


@step("sequence", "Sequences that fit")
def max_sequences(concurrency: float) -> float:
    """Whole sequences of the full context that fit at once [sequence]."""
    return math.floor(concurrency)


MEMORY_FORMULAS = formulas_of(globals())

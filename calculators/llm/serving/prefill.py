"""Prefill: the time to first token, from prefill, the queue before it and, if disaggregated, KV transfer."""

import math

from calculators.declare import formulas_of, step


@step("s", "Prefill time of a prompt", source="pope-2022", rises_with=("input_tokens",))
def prefill_time(
    token_compute_time: float,
    prompt_attention_flops: float,
    serving_tensor_parallel: float,
    attention_flops_rate: float,
    fixed_latency: float,
    layers: float,
    token_allreduce_time: float,
    expert_layers: float,
    token_exchange_time: float,
    uncached_input_tokens: float,
) -> float:
    """Time that a replica takes to prefill one prompt alone [s]: compute, latency, and transfers of its tokens.

    Transfers are all-reduces, and all-to-alls where groups of GPUs share the experts.
    """
    attending = prompt_attention_flops / (serving_tensor_parallel * attention_flops_rate)
    of_token = token_compute_time + 2 * layers * token_allreduce_time + expert_layers * token_exchange_time
    return attending + fixed_latency + of_token * uncached_input_tokens


@step("token/s", "Prefill tokens/s per replica")
def prefill_rate(uncached_input_tokens: float, prefill_time: float) -> float:
    """Input tokens per second of a replica that only prefills [token/s]."""
    return uncached_input_tokens / prefill_time


@step("s", "KV transfer time from prefill to decode")
def cache_transfer_time(
    uncached_input_tokens: float,
    cache_per_token: float,
    transfer_bandwidth: float,
    serving_tensor_parallel: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Time to send the new KV cache of a prompt from prefill to decode GPUs [s]; each sends its part.

    >>> cache_transfer_time(4000, 327680, 45e9, 8, False)
    0
    """
    if not disaggregated:
        return 0
    return uncached_input_tokens * cache_per_token / (transfer_bandwidth * serving_tensor_parallel)


@step("B/s", "KV transfer rate from prefill to decode")
def transfer_rate(
    traffic_rate: float,
    input_tokens: float,
    cache_per_token: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """KV cache that all decode replicas receive [B/s]: that of every prompt, from the prefix cache or new.

    >>> transfer_rate(5, 4000, 327680, True) / 1e9, transfer_rate(5, 4000, 327680, False)
    (6.5536, 0)
    """
    return traffic_rate * input_tokens * cache_per_token if disaggregated else 0


@step("s", "TTFT without queueing")
def unqueued_ttft(
    prefill_time: float,
    serving_step_time: float,
    uncached_input_tokens: float,
    prefill_chunk: float,
    cache_transfer_time: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Time to first token when no other prompt waits [s].

    Mixed with decode: half a step until prefill may begin, then as many steps as the prompt has chunks, or its own
    prefill time where that is longer. Disaggregated: prefill, KV transfer, and one decode step.
    """
    if disaggregated:
        return prefill_time + cache_transfer_time + serving_step_time
    return serving_step_time / 2 + max(
        prefill_time, serving_step_time * math.ceil(uncached_input_tokens / prefill_chunk)
    )


@step("s", "End-to-end request time", not_applicable="unbounded")
def request_time(ttft: float | None, output_tokens: float, user_tpot: float) -> float | None:
    """Mean time from a request to its last output token at this load [s]."""
    return None if ttft is None else ttft + output_tokens * user_tpot


FORMULAS = formulas_of(globals())

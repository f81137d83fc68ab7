"""From a question to its first token: reading the prompt, waiting for it, and the cache sent on where that is apart."""

import math

from calculators.declare import formulas_of, step

USUAL_PROMPT = 4000.0


@step("token", "Usual prompt")
def default_input_tokens(positions: float | None, output_tokens: float) -> float:
    """Prompt of a request [token] where nobody gives it: the usual one, or what the answer leaves of the positions.

    >>> default_input_tokens(131072, 500), default_input_tokens(2048, 500), default_input_tokens(2048, 4096)
    (4000.0, 1548, 1)
    """
    return USUAL_PROMPT if positions is None else max(1, min(USUAL_PROMPT, positions - output_tokens))


@step("s", "Reading a prompt, alone", source="pope-2022", rises_with=("input_tokens",))
def prefill_time(
    prefill_flops: float,
    serving_tensor_parallel: float,
    serving_peak_flops: float,
    compute_efficiency: float,
    fixed_latency: float,
    layers: float,
    token_allreduce_time: float,
    expert_layers: float,
    token_exchange_time: float,
    uncached_input_tokens: float,
) -> float:
    """How long a copy reads one prompt with nothing beside it [s]: arithmetic, latency, its tokens on the links.

    And on their way to experts and back, where groups of GPUs share those.
    """
    computing = prefill_flops / (serving_tensor_parallel * serving_peak_flops * compute_efficiency)
    of_token = 2 * layers * token_allreduce_time + expert_layers * token_exchange_time
    return computing + fixed_latency + of_token * uncached_input_tokens


@step("token/s", "Prompt tokens a copy reads")
def prefill_rate(uncached_input_tokens: float, prefill_time: float) -> float:
    """Tokens of prompts that a copy reads when it does nothing else [token/s]."""
    return uncached_input_tokens / prefill_time


@step("s", "Sending a cache to those that write")
def cache_transfer_time(
    uncached_input_tokens: float,
    cache_per_token: float,
    transfer_bandwidth: float,
    serving_tensor_parallel: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """How long the new cache of a prompt takes from the GPUs that read it to those that write [s]; each sends its part.

    >>> cache_transfer_time(4000, 327680, 45e9, 8, False)
    0
    """
    return (
        uncached_input_tokens * cache_per_token / (transfer_bandwidth * serving_tensor_parallel) if disaggregated else 0
    )


@step("B/s", "Caches sent to those that write")
def transfer_rate(
    request_rate: float,
    input_tokens: float,
    cache_per_token: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """What the GPUs that write take in, all copies together [B/s]: the cache of every prompt, found again or new.

    >>> transfer_rate(5, 4000, 327680, True) / 1e9, transfer_rate(5, 4000, 327680, False)
    (6.5536, 0)
    """
    return request_rate * input_tokens * cache_per_token if disaggregated else 0


@step("s", "Time to first token, nobody before")
def unqueued_ttft(
    prefill_time: float,
    serving_step_time: float,
    uncached_input_tokens: float,
    prefill_chunk: float,
    cache_transfer_time: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """From a question to its first token when no other prompt waits [s].

    Together with decoding: half a step until it may begin, then as many steps as it has chunks, or its own arithmetic
    where that takes longer. Apart: its arithmetic, the cache on its way, and the step that writes.
    """
    if disaggregated:
        return prefill_time + cache_transfer_time + serving_step_time
    return serving_step_time / 2 + max(
        prefill_time, serving_step_time * math.ceil(uncached_input_tokens / prefill_chunk)
    )


@step("s", "Waiting behind other prompts", source="distserve", not_applicable="an endless wait")
def prefill_queue_time(prefill_time: float, prefill_utilization: float | None) -> float | None:
    """What a prompt waits for those before it in the mean [s]: one server, arrivals at random, equal prompts.

    >>> prefill_queue_time(0.2, 0.5), prefill_queue_time(0.2, 1)
    (0.1, None)
    """
    if prefill_utilization is None or prefill_utilization >= 1:
        return None
    return prefill_time * prefill_utilization / (2 * (1 - prefill_utilization))


@step("s", "Time to first token", not_applicable="an endless wait")
def ttft(unqueued_ttft: float, prefill_queue_time: float | None) -> float | None:
    """From a question to its first token in the mean [s], other prompts before it included."""
    return None if prefill_queue_time is None else unqueued_ttft + prefill_queue_time


@step("s", "Time to the last token", not_applicable="an endless wait")
def request_time(ttft: float | None, output_tokens: float, tpot: float) -> float | None:
    """From a question to the end of its answer [s]."""
    return None if ttft is None else ttft + output_tokens * tpot


@step("request/s", "Requests per second of these users")
def user_request_rate(
    concurrent_users: float | None, think_time: float, unqueued_ttft: float, output_tokens: float, tpot: float
) -> float:
    """What users ask who each wait for an answer, think, and ask again [request/s]: Little's law."""
    return 0 if concurrent_users is None else concurrent_users / (unqueued_ttft + output_tokens * tpot + think_time)


FORMULAS = formulas_of(globals())

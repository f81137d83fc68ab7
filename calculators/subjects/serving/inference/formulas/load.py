"""Load: running sequences, TTFT and TPOT at the present request rate or users, in the mean and at p50 to p99.

Little's law ties them: more running sequences make a step longer, which keeps each request running longer.
"""

import math

from calculators.declare import formulas_of, record, step
from calculators.llm.serving.batching import Drafting, SequenceCosts, StepReads
from calculators.llm.serving.engine import PrefillSchedule
from calculators.subjects.serving.inference.inputs.fleet import Sizing, Tier
from calculators.subjects.serving.inference.replica import Engine, Limits, Load, Requests, closed_load, open_load

_MEDIAN, _P95, _P99 = 0.5, 0.95, 0.99
_EMPTY = 1000.0  # times the replicas that the traffic would fill: a replica that is all but idle
_UNBOUNDED = "unbounded"


@step("s", "Reload time of a prompt's cached part")
def cache_reload_time(
    offload_tier: Tier,
    input_tokens: float,
    uncached_input_tokens: float,
    cache_per_token: float,
    offload_bandwidth: float,
    serving_tensor_parallel: float,
) -> float:
    """Time to read the cached part of a mean prompt back from the offload tier [s], each GPU its part.

    0 without a tier: hits are then found in GPU memory.

    >>> cache_reload_time("host", 4000, 1000, 327680, 1e9, 8), cache_reload_time("none", 4000, 1000, 327680, 1e9, 8)
    (0.12288, 0)
    """
    if offload_tier == "none":
        return 0
    return (input_tokens - uncached_input_tokens) * cache_per_token / (offload_bandwidth * serving_tensor_parallel)


@record("Lengths and arrivals of requests")
def request_mix(
    uncached_input_tokens: float,
    output_tokens: float,
    prefill_chunk: float,
    arrival_variation: float,
    input_variation: float,
    output_variation: float,
) -> Requests:
    """Mean lengths of requests, and the squared variation of their lengths and of the times between them."""
    return Requests(
        uncached_input_tokens,
        output_tokens,
        prefill_chunk,
        arrival_variation**2,
        input_variation**2,
        output_variation**2,
    )


@record("Limits of a replica")
def replica_limits(
    concurrent_sequences: float,
    replica_request_rate: float,
    prefill_time: float,
    cache_transfer_time: float,
    cache_reload_time: float,
    prefill_schedule: PrefillSchedule,
) -> Limits:
    """Slots and capacity of a replica, and the time to prefill, transfer and reload one prompt."""
    return Limits(
        concurrent_sequences,
        replica_request_rate,
        prefill_time,
        cache_transfer_time,
        cache_reload_time,
        prefill_schedule == "evenly",
    )


@record("Engine of a replica")
def serving_engine(
    step_reads: StepReads,
    sequence_costs: SequenceCosts,
    drafting: Drafting,
    fixed_latency: float,
    sequence_own_latency: float,
    request_mix: Requests,
    replica_limits: Limits,
    input_tokens: float,
) -> Engine:
    """Step of a replica by its parts, with decode and prefill apart.

    Long outputs run longest, so sequences found running hold more tokens than a mean one half done: with lognormal
    outputs half of the mean times one and the squared variation.
    """
    tokens, compute_time, decode_compute_time, expert_time, decode_expert_time, cache_time, latency = sequence_costs
    decoded = drafting.draft_tokens + 1
    output_tokens, accepted = request_mix.output_tokens, drafting.accepted_tokens_per_step
    held = input_tokens + output_tokens / 2
    of_prompts = output_tokens / accepted if tokens > decoded else 0
    return Engine(
        step_reads,
        drafting,
        request_mix,
        replica_limits,
        decode_compute_time,
        (compute_time - decode_compute_time) * of_prompts,
        decode_expert_time,
        (expert_time - decode_expert_time) * of_prompts,
        cache_time * (held + output_tokens / 2 * request_mix.outputs) / held,
        (latency - sequence_own_latency) / tokens,
        sequence_own_latency,
        fixed_latency,
    )


@record("Replica at its load")
def replica_load(
    serving_engine: Engine,
    request_rate: float,
    replicas: float | None,
    prefill_replicas: float,
    concurrent_users: float | None,
    think_time: float,
) -> Load | None:
    """One of the replicas at the present load; None where none fits, or more requests arrive than are served."""
    if replicas is None:
        return None
    if concurrent_users is not None:
        return closed_load(
            serving_engine,
            concurrent_users / replicas,
            think_time,
            replicas / prefill_replicas if prefill_replicas else 0,
        )
    return open_load(
        serving_engine, request_rate / replicas, request_rate / prefill_replicas if prefill_replicas else 0
    )


@step("request/s", "Requests/s served", not_applicable="none")
def served_request_rate(
    replica_load: Load | None, request_rate: float, replicas: float | None, replica_request_rate: float
) -> float | None:
    """Requests that all replicas serve [request/s]: those that arrive or users send, at most the capacity."""
    if replicas is None:
        return None
    if replica_load is None:
        return min(request_rate, replicas * replica_request_rate)
    return replica_load.rate * replicas


@step("sequence", "Running sequences per replica at this load")
def mean_running_sequences(replica_load: Load | None, concurrent_sequences: float) -> float:
    """Sequences that run at once in a replica in the mean [sequence]: all it may run, where it is overloaded."""
    return concurrent_sequences if replica_load is None else replica_load.running


@step("s", "TPOT at this load")
def user_tpot(replica_load: Load | None, tpot: float) -> float:
    """Time from one output token to the next at this load [s], mean over tokens; of a full batch where overloaded."""
    return tpot if replica_load is None else replica_load.tpot


@step("s", "TPOT at this load, median")
def user_tpot_p50(replica_load: Load | None, tpot: float) -> float:
    """TPOT that half of the requests stay within [s], each request's mean."""
    return tpot if replica_load is None else replica_load.tpot_within(_MEDIAN)


@step("s", "TPOT at this load, p95")
def user_tpot_p95(replica_load: Load | None, tpot: float) -> float:
    """TPOT that 95% of the requests stay within [s], each request's mean."""
    return tpot if replica_load is None else replica_load.tpot_within(_P95)


@step("s", "TPOT at this load, p99")
def user_tpot_p99(replica_load: Load | None, tpot: float) -> float:
    """TPOT that 99% of the requests stay within [s], each request's mean."""
    return tpot if replica_load is None else replica_load.tpot_within(_P99)


@step("s", "Queue time before the first token", source="distserve", not_applicable=_UNBOUNDED)
def prefill_queue_time(replica_load: Load | None) -> float | None:
    """Mean time a request waits [s]: for a slot, the offload tier, other prompts and the end of a step."""
    return None if replica_load is None else replica_load.queue


@step("s", "Time to first token (TTFT)", not_applicable=_UNBOUNDED)
def ttft(replica_load: Load | None) -> float | None:
    """Mean time from a request to its first output token at this load [s], queues and reloads included."""
    return None if replica_load is None else replica_load.ttft


@step("s", "TTFT, median", not_applicable=_UNBOUNDED)
def ttft_p50(replica_load: Load | None) -> float | None:
    """Time to first token that half of the requests stay within [s]."""
    return None if replica_load is None else replica_load.ttft_within(_MEDIAN)


@step("s", "TTFT, p95", not_applicable=_UNBOUNDED)
def ttft_p95(replica_load: Load | None) -> float | None:
    """Time to first token that 95% of the requests stay within [s]."""
    return None if replica_load is None else replica_load.ttft_within(_P95)


@step("s", "TTFT, p99", not_applicable=_UNBOUNDED)
def ttft_p99(replica_load: Load | None) -> float | None:
    """Time to first token that 99% of the requests stay within [s]."""
    return None if replica_load is None else replica_load.ttft_within(_P99)


@step("request/s", "Requests/s of users at full-batch speed", source="little-1961")
def user_request_rate(
    concurrent_users: float | None, think_time: float, unqueued_ttft: float, output_tokens: float, tpot: float
) -> float:
    """Request rate of users who each wait for an answer, think, and send the next request [request/s]: Little's law.

    With every replica full, which is what replicas are planned for: emptier ones answer faster, and users send more.
    """
    return 0 if concurrent_users is None else concurrent_users / (unqueued_ttft + output_tokens * tpot + think_time)


@record("Replicas for users at the target utilization")
def user_replicas(
    serving_engine: Engine,
    request_rate: float,
    prefill_replicas: float,
    concurrent_users: float | None,
    think_time: float,
    target_utilization: float,
    expert_groups: float,
) -> float | None:
    """Replicas of which users occupy at most the target share of the slots [replica], in whole expert groups.

    None where as many as their requests take at the speed of full replicas are enough. Emptier ones answer faster, and
    users send more.
    """
    if concurrent_users is None:
        return None
    limits = serving_engine.limits

    def used(groups: float) -> float:
        """Slots in use over the target."""
        replicas = groups * expert_groups
        prefill = replicas / prefill_replicas if prefill_replicas else 0
        load = closed_load(serving_engine, concurrent_users / replicas, think_time, prefill)
        return load.running / (limits.slots * target_utilization)

    few = max(1, math.ceil(request_rate / (limits.capacity * target_utilization * expert_groups)))
    if used(few) <= 1:
        return None
    enough = few + 1
    while (excess := used(enough)) > 1:
        few, enough = enough, max(enough + 1, math.ceil(enough * excess))
    while enough - few > 1:
        middle = (few + enough) // 2
        few, enough = (few, middle) if used(middle) <= 1 else (middle, enough)
    return float(enough * expert_groups)


@step("replica", "Replicas for the p95 targets", not_applicable="not sized so, or no number suffices")
def objective_replicas(
    sizing: Sizing,
    serving_engine: Engine,
    request_rate: float,
    prefill_replicas: float,
    concurrent_users: float | None,
    think_time: float,
    tpot_target: float,
    ttft_target: float,
    expert_groups: float,
) -> float | None:
    """Fewest replicas with which p95 of TTFT and of TPOT are within their targets [replica], in whole expert groups.

    None where replicas are sized for a utilization, or where even an idle replica misses a target.
    """
    if sizing == "load":
        return None
    prefill_rate = request_rate / prefill_replicas if prefill_replicas else 0

    def met(groups: float) -> bool:
        replicas = groups * expert_groups
        if concurrent_users is None:
            load = open_load(serving_engine, request_rate / replicas, prefill_rate)
        else:
            load = closed_load(serving_engine, concurrent_users / replicas, think_time, 1 if prefill_rate else 0)
        return load is not None and load.tpot_within(_P95) <= tpot_target and load.ttft_within(_P95) <= ttft_target

    least = request_rate / (serving_engine.limits.capacity * expert_groups) if concurrent_users is None else 0
    misses, most = math.floor(least), max(1, math.ceil(least))
    while not met(most):
        misses, most = most, 2 * most
        if most > _EMPTY * (1 + max(least, concurrent_users or 0)):
            return None
    while most - misses > 1:
        middle = (misses + most) // 2
        misses, most = (misses, middle) if met(middle) else (middle, most)
    return most * expert_groups


FORMULAS = formulas_of(globals())

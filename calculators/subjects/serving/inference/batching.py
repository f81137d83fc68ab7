"""How many sequences run at once, and how fast each of them and all of them are."""

import itertools

from calculators.declare import formulas_of, step
from calculators.subjects.serving.inference.step import (
    draft_time,
    exposed_compute_time,
    latency_time,
    serving_step_time,
)
from calculators.subjects.serving.weight_reads import experts_touched

# What to try next between one that meets a target and one that misses it: where a straight line between their times
# crosses it, twice, then what is beside the last, then the middle. Explorations search thousands of times, and halving
# alone takes 8 trials where this takes 5.
_WAYS = ("line", "line", "beside", "middle")
# As the plain functions they are: explorations call each of them tens of thousands of times.
_touched, _beyond, _latency = experts_touched.function, exposed_compute_time.function, latency_time.function
_drafting, _step_time = draft_time.function, serving_step_time.function


@step("sequence", "Sequences that may run in a copy")
def serving_max_sequences(max_sequences: float, max_concurrent_sequences: float) -> float:
    """Sequences for which there is memory, at most what the engine is set to [sequence]."""
    return min(max_sequences, max_concurrent_sequences)


@step("s", "Reading what every step reads")
def shared_read_time(
    shared_weights_read: float,
    extra_output_layer_read: float,
    serving_tensor_parallel: float,
    memory_bandwidth: float,
    bandwidth_efficiency: float,
) -> float:
    """How long a step reads weights whatever experts are chosen [s]."""
    read = shared_weights_read / serving_tensor_parallel + extra_output_layer_read
    return read / (memory_bandwidth * bandwidth_efficiency)


@step("s", "Reading all experts")
def all_experts_time(
    parameters: float,
    weight_bytes: float,
    routed_share: float,
    expert_groups: float,
    serving_tensor_parallel: float,
    memory_bandwidth: float,
    bandwidth_efficiency: float,
) -> float:
    """How long a step reads that touches every expert [s], beside what is shared; nothing in a dense model."""
    read = parameters * weight_bytes * routed_share / (serving_tensor_parallel * expert_groups)
    return read / (memory_bandwidth * bandwidth_efficiency)


def _tpot_at(
    concurrent_sequences: float,
    shared_read_time: float,
    all_experts_time: float,
    experts: float,
    experts_per_token: float,
    expert_groups: float,
    sequence_tokens: float,
    sequence_compute_time: float,
    sequence_decode_compute_time: float,
    prefill_step_share: float,
    sequence_cache_time: float,
    fixed_latency: float,
    added_latency_per_sequence: float,
    draft_tokens: float,
    draft_cost: float,
    accepted_tokens_per_step: float,
) -> float:
    """Time per output token with so many running [s], by the formulas of a step themselves."""
    touched = _touched(experts, experts_per_token, concurrent_sequences * sequence_tokens, expert_groups)
    reading = shared_read_time + all_experts_time * touched / experts
    computing = concurrent_sequences * sequence_compute_time
    beyond = _beyond(reading, computing, concurrent_sequences, sequence_decode_compute_time, prefill_step_share)
    latency = _latency(fixed_latency, concurrent_sequences, added_latency_per_sequence)
    drafting = _drafting(draft_tokens, draft_cost, reading, latency)
    return (
        _step_time(reading, beyond, concurrent_sequences * sequence_cache_time, latency, drafting)
        / accepted_tokens_per_step
    )


@step("s", "Time per output token of one sequence alone")
def fastest_tpot(
    shared_read_time: float,
    all_experts_time: float,
    experts: float,
    experts_per_token: float,
    expert_groups: float,
    sequence_tokens: float,
    sequence_compute_time: float,
    sequence_decode_compute_time: float,
    prefill_step_share: float,
    sequence_cache_time: float,
    fixed_latency: float,
    added_latency_per_sequence: float,
    draft_tokens: float,
    draft_cost: float,
    accepted_tokens_per_step: float,
) -> float:
    """The least time between two tokens that this layout reaches [s]: a batch of one, its prompts included."""
    return _tpot_at(
        1,
        shared_read_time,
        all_experts_time,
        experts,
        experts_per_token,
        expert_groups,
        sequence_tokens,
        sequence_compute_time,
        sequence_decode_compute_time,
        prefill_step_share,
        sequence_cache_time,
        fixed_latency,
        added_latency_per_sequence,
        draft_tokens,
        draft_cost,
        accepted_tokens_per_step,
    )


def _most_that_meet(most: float, tpot_target: float, *parts: float) -> float:
    """The most sequences, up to `most`, with which a step of these parts meets the target [sequence]; at least one."""
    fits, misses = 1.0, float(most // 1)
    if misses <= fits:
        return fits
    slow = _tpot_at(misses, *parts)
    if slow <= tpot_target:
        return misses
    fast = _tpot_at(fits, *parts)
    if fast > tpot_target:
        return fits
    tried, ways = fits, itertools.cycle(_WAYS)
    while misses - fits > 1:
        way = next(ways)
        if way == "line":
            tried = fits + (tpot_target - fast) / (slow - fast) * (misses - fits) // 1
        elif way == "beside":
            tried = fits if tried == fits else misses
        else:
            tried = (fits + misses) // 2
        tried = min(max(tried, fits + 1), misses - 1)
        time = _tpot_at(tried, *parts)
        if time <= tpot_target:
            fits, fast = tried, time
        else:
            misses, slow = tried, time
    return fits


@step("sequence", "Sequences for memory and target")
def sequences_within_target(
    serving_max_sequences: float,
    tpot_target: float,
    shared_read_time: float,
    all_experts_time: float,
    experts: float,
    experts_per_token: float,
    expert_groups: float,
    sequence_tokens: float,
    sequence_compute_time: float,
    sequence_decode_compute_time: float,
    prefill_step_share: float,
    sequence_cache_time: float,
    fixed_latency: float,
    added_latency_per_sequence: float,
    draft_tokens: float,
    draft_cost: float,
    accepted_tokens_per_step: float,
) -> float:
    """The most sequences that memory holds and that still meet the target [sequence].

    At least one: where memory holds none, or one alone misses the target, its speed is shown, and the verdict says so.
    """
    return _most_that_meet(
        serving_max_sequences,
        tpot_target,
        shared_read_time,
        all_experts_time,
        experts,
        experts_per_token,
        expert_groups,
        sequence_tokens,
        sequence_compute_time,
        sequence_decode_compute_time,
        prefill_step_share,
        sequence_cache_time,
        fixed_latency,
        added_latency_per_sequence,
        draft_tokens,
        draft_cost,
        accepted_tokens_per_step,
    )


@step("sequence", "Sequences, were prompts read the other way")
def other_schedule_sequences(
    serving_max_sequences: float,
    tpot_target: float,
    shared_read_time: float,
    all_experts_time: float,
    experts: float,
    experts_per_token: float,
    expert_groups: float,
    sequence_tokens: float,
    sequence_compute_time: float,
    sequence_decode_compute_time: float,
    other_schedule_step_share: float,
    sequence_cache_time: float,
    fixed_latency: float,
    added_latency_per_sequence: float,
    draft_tokens: float,
    draft_cost: float,
    accepted_tokens_per_step: float,
) -> float:
    """As many as memory and target allow [sequence], with prompts in chunks if they are read evenly, and the reverse.

    Evenly, arithmetic hides behind reading in every step: more sequences meet the target than published runs held.
    """
    return _most_that_meet(
        serving_max_sequences,
        tpot_target,
        shared_read_time,
        all_experts_time,
        experts,
        experts_per_token,
        expert_groups,
        sequence_tokens,
        sequence_compute_time,
        sequence_decode_compute_time,
        other_schedule_step_share,
        sequence_cache_time,
        fixed_latency,
        added_latency_per_sequence,
        draft_tokens,
        draft_cost,
        accepted_tokens_per_step,
    )


@step("token/s", "Tokens per second and GPU, were prompts read the other way")
def other_schedule_tokens_per_second_per_gpu(
    other_schedule_sequences: float,
    serving_tensor_parallel: float,
    shared_read_time: float,
    all_experts_time: float,
    experts: float,
    experts_per_token: float,
    expert_groups: float,
    sequence_tokens: float,
    sequence_compute_time: float,
    sequence_decode_compute_time: float,
    other_schedule_step_share: float,
    sequence_cache_time: float,
    fixed_latency: float,
    added_latency_per_sequence: float,
    draft_tokens: float,
    draft_cost: float,
    accepted_tokens_per_step: float,
) -> float:
    """What each GPU of a copy writes that way [token/s], with as many sequences as it allows."""
    tpot = _tpot_at(
        other_schedule_sequences,
        shared_read_time,
        all_experts_time,
        experts,
        experts_per_token,
        expert_groups,
        sequence_tokens,
        sequence_compute_time,
        sequence_decode_compute_time,
        other_schedule_step_share,
        sequence_cache_time,
        fixed_latency,
        added_latency_per_sequence,
        draft_tokens,
        draft_cost,
        accepted_tokens_per_step,
    )
    return other_schedule_sequences / tpot / serving_tensor_parallel


@step("s", "Time per output token", rises_with=("concurrent_sequences",))
def tpot(serving_step_time: float, accepted_tokens_per_step: float) -> float:
    """From one token of an answer to the next [s], the first left out."""
    return serving_step_time / accepted_tokens_per_step


@step("token/s", "Tokens per second each user reads")
def tokens_per_second_per_user(tpot: float) -> float:
    """How fast an answer grows [token/s]."""
    return 1 / tpot


@step("token/s", "Tokens written by a copy")
def output_rate(concurrent_sequences: float, tpot: float) -> float:
    """Tokens of all running sequences of a copy [token/s]."""
    return concurrent_sequences / tpot


@step("request/s", "Requests a copy can serve")
def replica_request_rate(output_rate: float, output_tokens: float) -> float:
    """Requests per second of one copy that is full all the time [request/s]."""
    return output_rate / output_tokens


@step("token/s", "Tokens written per second and GPU")
def serving_tokens_per_second_per_gpu(
    output_rate: float,
    serving_tensor_parallel: float,
    replica_request_rate: float,
    prefill_time: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Tokens written for each GPU while all are busy [token/s]; those that only read prompts are counted too.

    A copy of four requests a second, a quarter of a second each to read, keeps a second copy busy reading.

    >>> serving_tokens_per_second_per_gpu(400, 8, 4, 0.25, True)
    25.0
    """
    copies_that_read = replica_request_rate * prefill_time if disaggregated else 0
    return output_rate / (serving_tensor_parallel * (1 + copies_that_read))


FORMULAS = formulas_of(globals())

"""Batching: how many sequences run concurrently in a replica, within memory and the TPOT target."""

import itertools
from typing import NamedTuple

from calculators.declare import formulas_of, record, step, variant
from calculators.llm.serving.latency import latency_time
from calculators.llm.serving.step import draft_time, exposed_compute_time, serving_step_time
from calculators.llm.serving.tokens import share_touched

# What to try next between a batch that meets a target and one that misses it: where a straight line between their times
# crosses it, twice, then the neighbor of the last, then the middle. Explorations search thousands of times, and halving
# alone takes 8 trials where this takes 5.
_WAYS = ("line", "line", "neighbor", "middle")
# As the plain functions they are: explorations call each of them tens of thousands of times.
_exposed, _latency = exposed_compute_time.function, latency_time.function
_drafting, _step_time = draft_time.function, serving_step_time.function


class StepReads(NamedTuple):
    """Times to read weights in a step [s], and the routing that decides how many experts are read."""

    shared_read_time: float
    all_experts_time: float
    experts: float
    experts_per_token: float
    expert_groups: float


class SequenceCosts(NamedTuple):
    """Tokens that one sequence adds to a step, and its times for compute, KV-cache reads and latency [s].

    Times in experts are parts of both compute times, which nothing hides.
    """

    tokens: float
    compute_time: float
    decode_compute_time: float
    expert_time: float
    decode_expert_time: float
    cache_time: float
    latency: float


class Drafting(NamedTuple):
    """Speculative decoding: drafts in a step, the share of a step that each costs, and tokens gained per step."""

    draft_tokens: float
    draft_cost: float
    accepted_tokens_per_step: float


class DecodeStep(NamedTuple):
    """Decode step of a replica at any batch."""

    reads: StepReads
    costs: SequenceCosts
    drafting: Drafting
    prefill_step_share: float
    fixed_latency: float

    def tpot(self, batch: float) -> float:
        """Time per output token with so many concurrent sequences [s], by the formulas of a step themselves."""
        (shared, all_experts, experts, per_token, groups), costs, drafting, prefill_step_share, fixed_latency = self
        tokens, compute_time, decode_compute_time, expert_time, decode_expert_time, cache_time, added_latency = costs
        decoded = batch * (drafting.draft_tokens + 1)
        with_prefill = min(1, batch * prefill_step_share)
        touched = share_touched(batch * tokens, decoded, with_prefill, experts, per_token, groups)
        reading = shared + all_experts * touched
        exposed = _exposed(
            shared,
            batch * compute_time,
            batch,
            decode_compute_time,
            prefill_step_share,
            expert_time,
            decode_expert_time,
        )
        latency = _latency(fixed_latency, batch, added_latency)
        draft_tokens, draft_cost, accepted = drafting
        drafts = _drafting(draft_tokens, draft_cost, reading, latency)
        return _step_time(reading, exposed, batch * cache_time, latency, drafts) / accepted

    def largest_batch(self, most: float, tpot_target: float) -> float:
        """The most sequences, up to `most`, whose time per output token meets the target [sequence]; at least one."""
        fits, misses = 1.0, float(most // 1)
        if misses <= fits:
            return fits
        slow = self.tpot(misses)
        if slow <= tpot_target:
            return misses
        fast = self.tpot(fits)
        if fast > tpot_target:
            return fits
        tried, ways = fits, itertools.cycle(_WAYS)
        while misses - fits > 1:
            way = next(ways)
            if way == "line":
                tried = fits + (tpot_target - fast) / (slow - fast) * (misses - fits) // 1
            elif way == "neighbor":
                tried = fits if tried == fits else misses
            else:
                tried = (fits + misses) // 2
            tried = min(max(tried, fits + 1), misses - 1)
            time = self.tpot(tried)
            if time <= tpot_target:
                fits, fast = tried, time
            else:
                misses, slow = tried, time
        return fits


@step("sequence", "Concurrent sequences that memory and engine allow")
def serving_max_sequences(max_sequences: float, max_concurrent_sequences: float) -> float:
    """Sequences that memory holds, at most what the engine is set to [sequence]."""
    return min(max_sequences, max_concurrent_sequences)


@step("s", "Read time of shared weights")
def shared_read_time(
    shared_weights_read: float,
    extra_output_layer_read: float,
    serving_tensor_parallel: float,
    memory_bandwidth: float,
    bandwidth_efficiency: float,
) -> float:
    """Time to read the weights that every step reads, independent of the chosen experts [s]."""
    read = shared_weights_read / serving_tensor_parallel + extra_output_layer_read
    return read / (memory_bandwidth * bandwidth_efficiency)


@step("s", "Read time of all experts")
def all_experts_time(
    parameters: float,
    weight_bytes: float,
    routed_share: float,
    expert_groups: float,
    serving_tensor_parallel: float,
    memory_bandwidth: float,
    bandwidth_efficiency: float,
    expert_imbalance: float,
) -> float:
    """Time to read every routed expert once [s], on the fullest GPU; 0 in a dense model."""
    read = parameters * weight_bytes * routed_share * expert_imbalance / (serving_tensor_parallel * expert_groups)
    return read / (memory_bandwidth * bandwidth_efficiency)


@record("Weight reads of a step")
def step_reads(
    shared_read_time: float, all_experts_time: float, experts: float, experts_per_token: float, expert_groups: float
) -> StepReads:
    """Weight reads of a step, and the routing that decides how many experts are read."""
    return StepReads(shared_read_time, all_experts_time, experts, experts_per_token, expert_groups)


@record("Costs of a sequence in a step")
def sequence_costs(
    sequence_tokens: float,
    sequence_compute_time: float,
    sequence_decode_compute_time: float,
    sequence_expert_time: float,
    sequence_decode_expert_time: float,
    sequence_cache_time: float,
    added_latency_per_sequence: float,
) -> SequenceCosts:
    """Tokens and times that one sequence adds to a step."""
    return SequenceCosts(
        sequence_tokens,
        sequence_compute_time,
        sequence_decode_compute_time,
        sequence_expert_time,
        sequence_decode_expert_time,
        sequence_cache_time,
        added_latency_per_sequence,
    )


@record("Speculative decoding")
def drafting(draft_tokens: float, draft_cost: float, accepted_tokens_per_step: float) -> Drafting:
    """Drafts in a step, their cost, and the tokens gained."""
    return Drafting(draft_tokens, draft_cost, accepted_tokens_per_step)


@record("Decoding step")
def decode_step(
    step_reads: StepReads,
    sequence_costs: SequenceCosts,
    drafting: Drafting,
    prefill_step_share: float,
    fixed_latency: float,
) -> DecodeStep:
    """Decode step of a replica at any batch."""
    return DecodeStep(step_reads, sequence_costs, drafting, prefill_step_share, fixed_latency)


@step("s", "TPOT of a single sequence")
def fastest_tpot(decode_step: DecodeStep) -> float:
    """Least time per output token that this layout reaches [s]: a batch of one, its prefill included."""
    return decode_step.tpot(1)


@step("sequence", "Concurrent sequences within memory and TPOT target")
def sequences_within_target(serving_max_sequences: float, tpot_target: float, decode_step: DecodeStep) -> float:
    """The most concurrent sequences that memory holds and that meet the TPOT target [sequence].

    At least one: where memory holds none, or one alone misses the target, its speed is shown, and the verdict says so.
    """
    return decode_step.largest_batch(serving_max_sequences, tpot_target)


other_schedule_step = variant(
    decode_step,
    {"prefill_step_share": "other_schedule_step_share"},
    name="other_schedule_step",
    label="Decoding step, other prefill schedule",
)
other_schedule_sequences = variant(
    sequences_within_target,
    {"decode_step": "other_schedule_step"},
    name="other_schedule_sequences",
    label="Concurrent sequences, other prefill schedule",
)


@step("token/s", "Output tokens/s per GPU, other prefill schedule")
def other_schedule_tokens_per_second_per_gpu(
    other_schedule_sequences: float, other_schedule_step: DecodeStep, serving_tensor_parallel: float
) -> float:
    """Output tokens per second of each GPU of a replica under the other prefill schedule [token/s], at its own batch.

    Spread evenly, compute hides behind reads in every step: more sequences meet the target than published runs held.
    """
    return other_schedule_sequences / other_schedule_step.tpot(other_schedule_sequences) / serving_tensor_parallel


FORMULAS = formulas_of(globals())

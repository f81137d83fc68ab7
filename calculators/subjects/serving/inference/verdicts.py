"""Verdicts on the latency targets, the number of replicas, the loss of one replica, and KV-cache offload."""

from collections.abc import Mapping
from typing import Any

from calculators import facts
from calculators.declare import NOT_CHECKED, Verdict, formulas_of, record, verdict
from calculators.subjects.serving.inference.inputs.fleet import Sizing, Tier

CACHE_NVFP4 = float(facts.fact("cache-nvfp4.cache_bytes").value)
_AS_PRINTED = 1e-3  # of bytes that are printed alike: thresholds name others
_PLACES = 3  # of a utilization as it is printed: 70% is not above 70%
_HALF = 0.5
_SATURATED = 0.99  # users who wait for answers use no more than all
_ROUNDING = 1e-9
_NO_REPLICA = Verdict(
    level="bad",
    word="no replica fits",
    reason="No sequence fits next to the weights, so there is no replica that serves.",
)
_TOO_MANY = Verdict(
    level="bad",
    word="does not fit",
    reason="No replica runs {concurrent_sequences}: memory holds {max_sequences} of {context}.",
)
_UNCHECKED = Verdict(level="tight", word=NOT_CHECKED, reason=_TOO_MANY.reason)
_NO_SUCH_CACHE = (
    "A KV cache in NVFP4, {cache_bytes}, needs a GPU with 4-bit products, as Blackwell's, and this one has none: "
    "engines refuse it. Choose fp8, or give the bytes per value of another cache."
)
_NO_ENGINE = Verdict(level="tight", word=NOT_CHECKED, reason="Engines refuse the KV cache, so no replica starts.")
_LAST_REPLICA = Verdict(
    level="bad",
    word="N−1: no replica left",
    reason="There is only one replica: while it is down, no request is served.",
)


@record("Whether engines refuse the cache")
def cache_refused(cache_bytes: float, peak_flops_fp4: float | None) -> bool:
    """Whether the cache is in NVFP4 on a GPU without 4-bit products, which vLLM refuses (its issue 49011)."""
    return abs(cache_bytes / CACHE_NVFP4 - 1) < _AS_PRINTED and peak_flops_fp4 is None


def unserved(values: Mapping[str, Any]) -> str:
    """Sentence of replicas that do not start or cannot carry the traffic: these have no speed, latency and price."""
    if values["cache_refused"]:
        return _NO_SUCH_CACHE
    if values["replicas"] is not None and values["concurrent_sequences"] > values["serving_max_sequences"]:
        return _does_not_fit(values["max_sequences"], values["concurrent_sequences"]).reason
    if values["replicas"] is None or values["ttft"] is not None:
        return ""
    if values["replica_utilization"] >= 1:
        return (
            "{serving_gpus} cannot serve {traffic_rate} at {input_tokens} in and {output_tokens} out: traffic is "
            "{replica_utilization} of the capacity of {replicas}, and the queue grows without limit. The load needs "
            "{replicas_needed} of {serving_tensor_parallel}."
        )
    return (
        "{serving_gpus} cannot serve {traffic_rate} at {input_tokens} in and {output_tokens} out: requests arrive "
        "faster than they are prefilled or their cached part is read back, {cache_reload_time} each, and TTFT grows "
        "without limit."
    )


@verdict("Latency targets", good="batch=200&tpot_target=200ms", tight="", bad="tpot_target=1ms")
def targets_met(
    serving_max_sequences: float,
    max_sequences: float,
    concurrent_sequences: float,
    sequences_within_target: float,
    tpot: float,
    tpot_target: float,
    user_tpot_p95: float,
    ttft_p95: float | None,
    ttft_target: float,
    fastest_tpot: float,
    prefill_time: float,
    cache_reload_time: float,
    cache_refused: bool,  # noqa: FBT001
) -> Verdict:
    """Whether a full batch and 95% of the requests at this load are within both targets, and which limit decides."""
    if cache_refused:
        return Verdict(level="bad", word="KV cache refused", reason=_NO_SUCH_CACHE)
    if concurrent_sequences > serving_max_sequences:
        return _does_not_fit(max_sequences, concurrent_sequences)
    if tpot > tpot_target * (1 + _ROUNDING):
        return _tpot_too_slow(fastest_tpot, tpot_target)
    if ttft_p95 is None or ttft_p95 > ttft_target:
        return _ttft_too_slow(ttft_p95, prefill_time + cache_reload_time, cache_reload_time, ttft_target)
    if user_tpot_p95 > tpot_target * (1 + _ROUNDING):
        return Verdict(
            level="tight",
            word="targets met in the mean, TPOT not at p95",
            reason="TPOT is {user_tpot_p95} at p95, limit {tpot_target}; {user_tpot} in the mean. More replicas or a "
            "smaller batch keep more requests within it.",
        )
    return _within_limits(max_sequences, serving_max_sequences, concurrent_sequences, sequences_within_target)


def _within_limits(
    max_sequences: float, serving_max_sequences: float, concurrent_sequences: float, sequences_within_target: float
) -> Verdict:
    if concurrent_sequences == serving_max_sequences:
        limit = "memory" if max_sequences <= serving_max_sequences else "max_num_seqs"
        return Verdict(
            level="tight",
            word=f"targets met; {limit} is the limit",
            reason=f"{{concurrent_sequences}} run per replica and {limit} allows no more: further requests queue. "
            "The latency targets would allow more.",
        )
    if concurrent_sequences < _HALF * serving_max_sequences:
        return _below_memory(concurrent_sequences, sequences_within_target)
    return Verdict(
        level="good",
        word="targets met",
        reason="At p95 TPOT is {user_tpot_p95} and TTFT {ttft_p95}, with {concurrent_sequences} per replica at most.",
    )


def _below_memory(concurrent_sequences: float, sequences_within_target: float) -> Verdict:
    if concurrent_sequences < sequences_within_target:
        return Verdict(
            level="tight",
            word="targets met; batch set below the limit",
            reason="Memory holds {max_sequences}, the TPOT target allows {sequences_within_target}; "
            "the batch is set to {concurrent_sequences}.",
        )
    return Verdict(
        level="tight",
        word="targets met; TPOT target is the limit, not memory",
        reason="Memory holds {max_sequences}; the TPOT target allows {concurrent_sequences}.",
    )


def _does_not_fit(max_sequences: float, concurrent_sequences: float) -> Verdict:
    if max_sequences < 1:
        return Verdict(
            level="bad",
            word="does not fit",
            reason="Not one sequence of {context} fits next to {serving_weight_memory} of weights in {gpu_memory}: "
            "use more GPUs per replica or narrower weights.",
        )
    if concurrent_sequences <= max_sequences:
        return Verdict(
            level="bad",
            word="batch above max_num_seqs",
            reason="The batch is set to {concurrent_sequences}, the engine limit to {max_concurrent_sequences}.",
        )
    return Verdict(
        level="bad",
        word="does not fit",
        reason="The batch is set to {concurrent_sequences}; memory holds {max_sequences} of {context}.",
    )


def _tpot_too_slow(fastest_tpot: float, tpot_target: float) -> Verdict:
    if fastest_tpot > tpot_target:
        return Verdict(
            level="bad",
            word="TPOT too slow",
            reason="TPOT is {fastest_tpot} even with one sequence, limit {tpot_target}. {fixed_latency} of a step is "
            "fixed latency, which memory bandwidth does not shorten; speculative decoding, narrower weights or more "
            "GPUs per replica may help.",
        )
    return Verdict(
        level="bad",
        word="TPOT too slow",
        reason="TPOT is {tpot} with {concurrent_sequences} per replica, limit {tpot_target}.",
    )


def _ttft_too_slow(ttft_p95: float | None, alone: float, reload: float, ttft_target: float) -> Verdict:
    if alone > ttft_target:
        reloaded = "prefill takes {prefill_time} and reading the cached part back {cache_reload_time}"
        return Verdict(
            level="bad",
            word="TTFT too slow",
            reason="TTFT misses the limit of {ttft_target} even without a queue: "
            + (reloaded if reload > 0 else "prefill alone takes {prefill_time}")
            + ".",
        )
    if ttft_p95 is None:
        return Verdict(
            level="bad",
            word="TTFT too slow",
            reason="Requests arrive faster than they are served"
            + (" or their cached part is read back, {cache_reload_time} each" if reload > 0 else "")
            + ": the queue and TTFT grow without limit.",
        )
    return Verdict(
        level="bad",
        word="TTFT too slow",
        reason="TTFT is {ttft_p95} at p95, limit {ttft_target}; {ttft} in the mean, of which "
        "{prefill_queue_time} in queues.",
    )


@verdict("Replica capacity", good="", tight="replicas=2", bad="replicas=1")
def enough_replicas(
    replica_utilization: float | None,
    target_utilization: float,
    concurrent_users: float | None,
    sizing: Sizing,
    max_sequences: float,
    concurrent_sequences: float,
    cache_refused: bool,  # noqa: FBT001
) -> Verdict:
    """Whether the replicas serve the traffic, and at or below the target utilization where they are sized for one."""
    if replica_utilization is None:
        return Verdict(
            level="bad",
            word="no replica count is enough",
            reason="No sequence fits in a replica, so no number of replicas serves the traffic.",
        )
    if cache_refused or concurrent_sequences > max_sequences:
        return _NO_ENGINE if cache_refused else _NO_REPLICA if max_sequences < 1 else _TOO_MANY
    if concurrent_users is not None and replica_utilization > _SATURATED:
        return Verdict(
            level="bad",
            word="saturated",
            reason="{concurrent_users} users keep {replicas} full: each request queues {prefill_queue_time}.",
        )
    if replica_utilization >= 1:
        return Verdict(
            level="bad",
            word="overloaded",
            reason="Traffic is {replica_utilization} of the capacity of {replicas}: the queue grows without limit.",
        )
    if sizing == "load" and round(replica_utilization, _PLACES) > round(target_utilization, _PLACES):
        return Verdict(
            level="tight",
            word="tight: above target utilization",
            reason="Traffic is {replica_utilization} of the capacity of {replicas}, above the {target_utilization} "
            "target.",
        )
    return Verdict(
        level="good",
        word="enough replicas",
        reason="Traffic is {replica_utilization} of the capacity of {replicas}.",
    )


def _none_serves(replicas: float | None, max_sequences: float, concurrent_sequences: float) -> Verdict:
    if replicas is None or max_sequences < 1:
        return _NO_REPLICA
    return _TOO_MANY if concurrent_sequences > max_sequences else _LAST_REPLICA


@verdict("One replica down (N−1)", good="spare_replicas=1", tight="", bad="replicas=1")
def replica_failure(
    degraded_utilization: float | None,
    target_utilization: float,
    replicas: float | None,
    objective_replicas: float | None,
    expert_groups: float,
    max_sequences: float,
    concurrent_sequences: float,
    cache_refused: bool,  # noqa: FBT001
) -> Verdict:
    """Whether the remaining replicas serve the traffic when one has failed, and within the p95 targets if sized so."""
    if cache_refused or degraded_utilization is None or concurrent_sequences > max_sequences:
        return _NO_ENGINE if cache_refused else _none_serves(replicas, max_sequences, concurrent_sequences)
    if degraded_utilization >= 1:
        return Verdict(
            level="bad",
            word="N−1: overloaded",
            reason="With one replica down, traffic is {degraded_utilization} of capacity: "
            "the queue grows until the replica is back.",
        )
    if replicas is not None and objective_replicas is not None:
        if replicas - expert_groups >= objective_replicas:
            return Verdict(
                level="good",
                word="N−1: OK",
                reason="With one replica down, utilization is {degraded_utilization} and p95 targets are met.",
            )
        return Verdict(
            level="tight",
            word="N−1: p95 targets missed",
            reason="With one replica down, fewer are left than the {objective_replicas} that p95 targets need; "
            "utilization is {degraded_utilization}.",
        )
    if round(degraded_utilization, _PLACES) > round(target_utilization, _PLACES):
        return Verdict(
            level="tight",
            word="N−1: above target utilization",
            reason="With one replica down, utilization is {degraded_utilization}, above the {target_utilization} "
            "target.",
        )
    return Verdict(level="good", word="N−1: OK", reason="With one replica down, utilization is {degraded_utilization}.")


@verdict(
    "KV-cache offload",
    good="",
    tight="offload_tier=storage&ttft_target=1ms",
    bad="offload_tier=storage&offload_bandwidth=1MB/s",
)
def offload_pays_off(
    offload_tier: Tier,
    offload_speedup: float,
    offload_read_time: float,
    ttft_target: float,
    offload_read_rate: float,
    offload_supply: float | None,
    offload_size: float,
    offload_room: float | None,
    max_sequences: float,
    concurrent_sequences: float,
    cache_refused: bool,  # noqa: FBT001
) -> Verdict:
    """Whether reading a prompt's KV cache back from the offload tier is faster than prefilling it again.

    The tier must also hold the KV cache of all sessions and deliver what all hits read.
    """
    if cache_refused or concurrent_sequences > max_sequences:
        return _NO_ENGINE if cache_refused else _NO_REPLICA if max_sequences < 1 else _UNCHECKED
    is_set = offload_tier != "none"
    if offload_read_time == 0:
        return Verdict(
            level="tight" if is_set else "good",
            word="offload tier unused" if is_set else "nothing to offload",
            reason="No layer has attention, so {input_tokens} leave no KV cache to read back: a sequence leaves only "
            "its state, {state_per_sequence}.",
        )
    if offload_speedup <= 1:
        return Verdict(
            level="bad" if is_set else "tight",
            word="KV offload does not pay off" if is_set else "KV offload would not pay off",
            reason="Reading {input_tokens} back takes {offload_read_time}, and prefilling them again is faster: "
            "offload pays off above {break_even_bandwidth} per replica.",
        )
    lacks = _tier_lacks(offload_size, offload_room, offload_read_rate, offload_supply) if is_set else None
    if lacks is not None:
        return lacks
    if is_set and offload_read_time > ttft_target:
        return Verdict(
            level="tight",
            word="KV offload pays off, but misses the TTFT target",
            reason="Reading back is {offload_speedup} times faster than prefilling again, but takes "
            "{offload_read_time}, limit {ttft_target}.",
        )
    return Verdict(
        level="good",
        word="KV offload pays off" if is_set else "KV offload would pay off",
        reason="Reading {input_tokens} back takes {offload_read_time}, {offload_speedup} times faster than "
        "prefilling them again.",
    )


def _tier_lacks(size: float, room: float | None, read_rate: float, supply: float | None) -> Verdict | None:
    """Verdict on a tier that holds or delivers less than is asked of it; None on one that suffices."""
    if room is not None and size > room:
        return Verdict(
            level="bad",
            word="offload tier too small",
            reason="The KV cache of {sessions} is {offload_size}, and the tier holds {offload_room}, "
            "{offload_capacity} in each node: what does not fit is evicted and prefilled again. Keep fewer sessions, "
            "or use a larger tier.",
        )
    if supply is not None and read_rate > supply:
        return Verdict(
            level="bad",
            word="offload tier too slow",
            reason="Prefix-cache hits read {offload_read_rate}, and the tier delivers {offload_supply} to all GPUs: "
            "reads queue without limit. Use a faster tier, or count fewer hits.",
        )
    return None


FORMULAS = formulas_of(globals())

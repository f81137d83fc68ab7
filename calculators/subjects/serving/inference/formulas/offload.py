"""KV-cache offload: what a tier behind GPU memory must hold, read and write, and when reading back pays off."""

from math import ceil
from types import MappingProxyType

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.subjects.serving.inference.inputs.fleet import Tier

_TIERS = {"none": "host", "host": "host", "drives": "drives", "storage": "storage"}
_RATES = MappingProxyType({tier: float(facts.fact(f"kv-tier-{kept}").value) for tier, kept in _TIERS.items()})
_HOST = float(facts.fact("host-memory").value)
_DRIVES = float(facts.fact("dgx-local-nvme").value)
_NO_LIMIT = 1e15  # tokens: more than any fleet's memory holds


@step("B/s", "Typical read bandwidth of the offload tier, per GPU")
def typical_offload_bandwidth(offload_tier: Tier, nic_bandwidth: float) -> float:
    """Bandwidth at which one GPU reads KV cache back [B/s]; host memory's where no tier is set.

    Of shared storage at most what the network carries to a GPU.

    >>> typical_offload_bandwidth("storage", 50e9), typical_offload_bandwidth("storage", 1e9)
    (5000000000.0, 1000000000.0)
    """
    rate = _RATES[offload_tier]
    return min(rate, nic_bandwidth) if offload_tier == "storage" else rate


@step("token", "KV-cache capacity of a replica")
def cache_tokens(cache_budget: float, cache_per_token_per_gpu: float) -> float:
    """Tokens for which a replica has KV-cache memory [token], windows not counted; a large number where none is cached.

    >>> cache_tokens(64e9, 40_960), cache_tokens(64e9, 0)
    (1562500.0, 1000000000000000.0)
    """
    return min(_NO_LIMIT, cache_budget / cache_per_token_per_gpu) if cache_per_token_per_gpu > 0 else _NO_LIMIT


@step("session", "Sessions whose KV cache fits in a replica")
def resident_sessions(cache_tokens: float, session_context: float) -> float:
    """Sessions of full context whose KV cache a replica's memory holds [session], if it held nothing else."""
    return cache_tokens / session_context


@step("B/s", "KV-cache read rate of the offload tier", rises_with=("prefix_cache_hit_rate",))
def offload_read_rate(
    traffic_rate: float, input_tokens: float, prefix_cache_hit_rate: float, cache_per_token: float
) -> float:
    """KV cache that all replicas read back [B/s], if every hit comes from the tier and none from GPU memory.

    DeepSeek's node: 73,700 tokens a second, 56.3% of them cached, 70,272 bytes each.

    >>> round(offload_read_rate(73_700, 1, 0.563, 70_272) / 1e9, 2)
    2.92
    """
    return traffic_rate * input_tokens * prefix_cache_hit_rate * cache_per_token


@step("B/s", "Read bandwidth of the offload tier, all GPUs", not_applicable="not applicable")
def offload_supply(offload_bandwidth: float, serving_gpus: float | None) -> float | None:
    """KV cache that the tier delivers to all GPUs of the fleet [B/s]; None where no fleet serves the traffic.

    >>> offload_supply(50e9, 16), offload_supply(50e9, None)
    (800000000000.0, None)
    """
    return None if serving_gpus is None else offload_bandwidth * serving_gpus


@step("B/s", "KV-cache write rate of the offload tier")
def offload_write_rate(
    traffic_rate: float, uncached_input_tokens: float, output_tokens: float, cache_per_token: float
) -> float:
    """New KV cache of all replicas [B/s], if all of it is written to the tier."""
    return traffic_rate * (uncached_input_tokens + output_tokens) * cache_per_token


@step("B", "KV cache in the offload tier", rises_with=("sessions",))
def offload_size(sessions: float, session_context: float, cache_per_token: float) -> float:
    """KV cache of all sessions together [B]."""
    return sessions * session_context * cache_per_token


@step("B", "Typical offload capacity per node", not_applicable="of the storage system")
def typical_offload_capacity(offload_tier: Tier) -> float | None:
    """KV cache that the tier of one server holds [B]; host memory's where no tier is set, None for shared storage.

    >>> typical_offload_capacity("host"), typical_offload_capacity("drives"), typical_offload_capacity("storage")
    (2000000000000.0, 30700000000000.0, None)
    """
    return None if offload_tier == "storage" else _DRIVES if offload_tier == "drives" else _HOST


@step("B", "Capacity of the offload tier, all nodes", not_applicable="not applicable")
def offload_room(
    offload_tier: Tier, offload_capacity: float | None, serving_gpus: float | None, gpus_per_node: float
) -> float | None:
    """KV cache that the tier of all servers with these GPUs holds [B]; None of shared storage, or without a fleet.

    >>> offload_room("host", 2e12, 24, 8), offload_room("storage", 2e12, 24, 8), offload_room("host", 2e12, None, 8)
    (6000000000000.0, None, None)
    """
    if offload_tier == "storage" or offload_capacity is None or serving_gpus is None:
        return None
    return offload_capacity * ceil(serving_gpus / gpus_per_node)


@step("B/s", "Break-even read bandwidth per replica")
def break_even_bandwidth(cache_per_token: float, prefill_rate: float) -> float:
    """KV cache that a replica makes per second of prefill [B/s]: a tier that delivers more is faster than prefill."""
    return cache_per_token * prefill_rate


@step("s", "Read time of a prompt's KV cache")
def offload_read_time(
    input_tokens: float, cache_per_token: float, offload_bandwidth: float, serving_tensor_parallel: float
) -> float:
    """Time to read the KV cache of a whole prompt from the tier [s], each GPU reading its part.

    >>> round(offload_read_time(100_000, 131_072, 50e9, 1), 3)
    0.262
    """
    return input_tokens * cache_per_token / (offload_bandwidth * serving_tensor_parallel)


@step("1", "Speed-up of reading back over prefill")
def offload_speedup(
    prefill_time: float, uncached_input_tokens: float, input_tokens: float, offload_read_time: float
) -> float:
    """Prefill time ÷ time to read a prompt's KV cache back [1], at the present prefill rate.

    1 for a model that caches no tokens, which has nothing to read back.
    """
    return prefill_time * input_tokens / uncached_input_tokens / offload_read_time if offload_read_time > 0 else 1


@step("B/s", "KV-cache reads from shared storage")
def kv_read(offload_tier: Tier, offload_read_rate: float) -> float:
    """KV cache that shared storage must deliver [B/s]; 0 where the tier is another one."""
    return offload_read_rate if offload_tier == "storage" else 0


@step("B/s", "KV-cache writes to shared storage")
def kv_written(offload_tier: Tier, offload_write_rate: float) -> float:
    """New KV cache that shared storage must take [B/s]; 0 where the tier is another one."""
    return offload_write_rate if offload_tier == "storage" else 0


@step("B", "KV cache on shared storage")
def kv_kept(offload_tier: Tier, offload_size: float) -> float:
    """KV cache that shared storage holds [B]; 0 where the tier is another one."""
    return offload_size if offload_tier == "storage" else 0


FORMULAS = formulas_of(globals())

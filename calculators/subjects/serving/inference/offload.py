"""Keeping caches: what a tier behind the GPUs' memory must hold, read and write, and when reading back pays."""

from types import MappingProxyType

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.subjects.serving.inference.inputs import Tier

_TIERS = {"none": "host", "host": "host", "drives": "drives", "storage": "storage"}
_RATES = MappingProxyType(
    {offload_tier: float(facts.fact(f"kv-tier-{kept}").value) for offload_tier, kept in _TIERS.items()}
)
_NO_LIMIT = 1e15  # tokens: more than any fleet's memory holds


@step("B/s", "Usual rate of this tier")
def typical_offload_bandwidth(offload_tier: Tier) -> float:
    """At what rate one GPU reads caches back [B/s]; host memory's where there is no tier."""
    return _RATES[offload_tier]


@step("token", "Tokens that a copy's cache holds")
def cache_tokens(cache_budget: float, cache_per_token_per_gpu: float) -> float:
    """Tokens for which a copy has memory [token], windows not counted; as good as any number where none are cached.

    >>> cache_tokens(64e9, 40_960), cache_tokens(64e9, 0)
    (1562500.0, 1000000000000000.0)
    """
    return min(_NO_LIMIT, cache_budget / cache_per_token_per_gpu) if cache_per_token_per_gpu > 0 else _NO_LIMIT


@step("session", "Sessions whose cache stays in a copy")
def resident_sessions(cache_tokens: float, session_context: float) -> float:
    """Sessions of full context that a copy's memory keeps [session], if it kept nothing else."""
    return cache_tokens / session_context


@step("B/s", "Caches read back", rises_with=("prefix_cache_hit_rate",))
def offload_read_rate(
    request_rate: float, input_tokens: float, prefix_cache_hit_rate: float, cache_per_token: float
) -> float:
    """What all copies read of caches kept [B/s], if every hit comes from the tier and none from a GPU's own memory.

    DeepSeek's node: 73,700 tokens a second, 56.3 % of them cached, 70,272 bytes each.

    >>> round(offload_read_rate(73_700, 1, 0.563, 70_272) / 1e9, 2)
    2.92
    """
    return request_rate * input_tokens * prefix_cache_hit_rate * cache_per_token


@step("B/s", "Caches written")
def offload_write_rate(
    request_rate: float, uncached_input_tokens: float, output_tokens: float, cache_per_token: float
) -> float:
    """What all copies make of new cache [B/s], if all of it is kept."""
    return request_rate * (uncached_input_tokens + output_tokens) * cache_per_token


@step("B", "Caches kept", rises_with=("sessions",))
def offload_size(sessions: float, session_context: float, cache_per_token: float) -> float:
    """What the sessions' caches take together [B]."""
    return sessions * session_context * cache_per_token


@step("B/s", "Rate from which reading back beats reading again")
def break_even_bandwidth(cache_per_token: float, prefill_rate: float) -> float:
    """Cache that a copy makes a second when it reads prompts [B/s]: a tier that gives it more than that is faster."""
    return cache_per_token * prefill_rate


@step("s", "Reading the prompt's cache back")
def offload_read_time(
    input_tokens: float, cache_per_token: float, offload_bandwidth: float, serving_tensor_parallel: float
) -> float:
    """How long the cache of a whole prompt takes from the tier [s], each GPU reading its part.

    >>> round(offload_read_time(100_000, 131_072, 50e9, 1), 3)
    0.262
    """
    return input_tokens * cache_per_token / (offload_bandwidth * serving_tensor_parallel)


@step("1", "Times faster than reading again")
def offload_speedup(
    prefill_time: float, uncached_input_tokens: float, input_tokens: float, offload_read_time: float
) -> float:
    """How many times sooner a prompt's cache is there when it is read back [1], at the present rate of reading.

    A model that caches no tokens has nothing to read back.
    """
    return prefill_time * input_tokens / uncached_input_tokens / offload_read_time if offload_read_time > 0 else 1


@step("B/s", "Caches read from shared storage")
def kv_read(offload_tier: Tier, offload_read_rate: float) -> float:
    """What shared storage must give of kept caches [B/s]; nothing where they wait elsewhere."""
    return offload_read_rate if offload_tier == "storage" else 0


@step("B/s", "Caches written to shared storage")
def kv_written(offload_tier: Tier, offload_write_rate: float) -> float:
    """What shared storage must take of new caches [B/s]; nothing where they wait elsewhere."""
    return offload_write_rate if offload_tier == "storage" else 0


@step("B", "Caches kept on shared storage")
def kv_kept(offload_tier: Tier, offload_size: float) -> float:
    """What shared storage holds of caches [B]; nothing where they wait elsewhere."""
    return offload_size if offload_tier == "storage" else 0


FORMULAS = formulas_of(globals())

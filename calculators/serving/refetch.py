"""Refetch: compute the KV cache of a prompt again, or bring it back from where it was kept."""

from calculators.declare import step


@step("s", "Computed again", rises_with=("context",), falls_with=("prefill_rate",))
def recompute_time(context: float, prefill_rate: float) -> float:
    """How long a prompt of `context` tokens takes [s] at a `prefill_rate` [token/s]."""
    return context / prefill_rate


@step("s", "Fetched", rises_with=("cache_per_sequence",), falls_with=("fetch_rate",))
def fetch_time(cache_per_sequence: float, fetch_rate: float) -> float:
    """How long a kept cache [B] takes [s] over one way at `fetch_rate` [B/s]."""
    return cache_per_sequence / fetch_rate


@step("s", "Fetched by all GPUs at once", rises_with=("cache_per_sequence",), falls_with=("fetch_rate", "gpus"))
def shared_fetch_time(cache_per_sequence: float, fetch_rate: float, gpus: float) -> float:
    """How long a kept cache [B] takes [s] when each of `gpus` fetches its share over a way of its own [B/s].

    >>> shared_fetch_time(80, 5, 8)
    2.0
    """
    return cache_per_sequence / gpus / fetch_rate

"""Refetch: bring the KV cache of a prompt back from where it was kept."""

from calculators.declare import step


@step("s", "Fetched", rises_with=("cache_per_sequence",), falls_with=("fetch_rate",))
def fetch_time(cache_per_sequence: float, fetch_rate: float) -> float:
    """How long a kept cache [B] takes [s] over one way at `fetch_rate` [B/s].

    >>> fetch_time(5, 2)
    2.5
    """
    return cache_per_sequence / fetch_rate


@step("s", "Fetched by all GPUs at once", rises_with=("cache_per_sequence",), falls_with=("fetch_rate", "gpus"))
def shared_fetch_time(cache_per_sequence: float, fetch_rate: float, gpus: float) -> float:
    """How long a kept cache [B] takes [s] when each of `gpus` fetches its share over a way of its own [B/s].

    >>> shared_fetch_time(80, 5, 8)
    2.0
    """
    return cache_per_sequence / gpus / fetch_rate

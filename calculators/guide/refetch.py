"""Refetch: the time to read the KV cache of a prompt back from where it is stored."""

from calculators.declare import step


@step("s", "Fetch time over one path", rises_with=("cache_per_sequence",), falls_with=("fetch_rate",))
def fetch_time(cache_per_sequence: float, fetch_rate: float) -> float:
    """Time to fetch a stored KV cache [B] over one path at `fetch_rate` [B/s] [s].

    >>> fetch_time(5, 2)
    2.5
    """
    return cache_per_sequence / fetch_rate


@step("s", "Fetch time over one path per GPU", rises_with=("cache_per_sequence",), falls_with=("fetch_rate", "gpus"))
def shared_fetch_time(cache_per_sequence: float, fetch_rate: float, gpus: float) -> float:
    """Time to fetch a stored KV cache [B] when each of `gpus` fetches its share over its own path [B/s] [s].

    >>> shared_fetch_time(80, 5, 8)
    2.0
    """
    return cache_per_sequence / gpus / fetch_rate

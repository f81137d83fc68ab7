"""Erlang's loss formula: the chance that all of several servers are busy."""

from functools import lru_cache

_REMEMBERED = 256  # chances: a search moves one input, mostly another than those of servers


@lru_cache(maxsize=_REMEMBERED)
def erlang_b(servers: float, load: float) -> float:
    """Chance that all `servers` are busy at a `load`, by Erlang's loss formula, for any spread of service times.

    >>> erlang_b(1, 1), erlang_b(2, 1)
    (0.5, 0.2)
    """
    found = 1.0
    for count in range(1, round(servers) + 1):
        found = load * found / (count + load * found)
        if not found:
            break
    return found

"""Roots of rising functions, and the expected largest of normal draws."""

import math
from collections.abc import Callable

_TRIALS = 200
_CLOSE = 1e-12
_PATIENCE = 3


def phi(z: float) -> float:
    """Share of a standard normal below z.

    >>> phi(0.0)
    0.5
    """
    return 0.5 * math.erfc(-z / math.sqrt(2))


def rising_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function crosses 0 between `low`, where it is below, and `high`, where it is above.

    Regula falsi after Illinois: an end that stays counts half. Where that does not halve the bracket within three
    trials, as at a kink, the middle is tried.

    >>> round(rising_root(lambda x: x * x - 2, 0.0, 2.0), 9)
    1.414213562
    """
    below, above, stayed, slow, width = function(low), function(high), 0, 0, high - low
    if below >= 0:
        return low
    if above <= 0:
        return high
    for _ in range(_TRIALS):
        middle = high - above * (high - low) / (above - below)
        if slow >= _PATIENCE or not low < middle < high:
            middle = (low + high) / 2
        found = function(middle)
        if found == 0:
            return middle
        if found < 0:
            low, below = middle, found
            above, stayed = (above / 2 if stayed < 0 else above), -1
        else:
            high, above = middle, found
            below, stayed = (below / 2 if stayed > 0 else below), 1
        if high - low <= _CLOSE * high:
            return middle
        if high - low <= width / 2:
            slow, width = 0, high - low
        else:
            slow += 1
    return (low + high) / 2


def normal_quantile(share: float) -> float:
    """Standard normal deviate below which a share of draws lies.

    >>> round(normal_quantile(0.99), 6)
    2.326348
    """
    return rising_root(lambda z: phi(z) - share, -9.0, 9.0)


def expected_largest(count: float) -> float:
    """Expected largest of so many standard normal draws, after Blom; 0 for one.

    >>> expected_largest(1), round(expected_largest(16), 2)
    (0.0, 1.77)
    """
    return normal_quantile((count - 3 / 8) / (count + 1 / 4)) if count > 1 else 0.0

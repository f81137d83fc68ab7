"""Queueing: waits for many servers, and the slowest of several searches."""

from functools import cache
from math import erfc, exp, expm1, log, pi, sqrt

FULL = 0.999  # at which a queue is cut: beyond it there is no mean wait


def wait_share(load: float, servers: float, spread: float) -> float:
    """Mean wait, in units of the mean service, for `servers` at this `load`: Sakasegawa's approximation.

    `spread` is the coefficient of variation of the service. Loads are cut at 99.9%.

    >>> round(wait_share(0.5, 1, 1), 9), wait_share(0, 16, 0.3)
    (1.0, 0.0)
    """
    used = min(load, FULL)
    return float(used ** (sqrt(2 * (servers + 1)) - 1) / (servers * (1 - used)) * (1 + spread**2) / 2)


def slowest(share: float, searches: float, spread: float) -> float:
    """Time below which the slowest of `searches` stays with probability `share`, in means of one search.

    Times are log-normal; `spread` is the standard deviation of their logarithm.

    >>> round(slowest(0.95, 1, 0.3), 3), round(slowest(0.95, 6, 0.3), 3)
    (1.566, 1.956)
    """
    return exp(spread * quantile(-expm1(log(share) / searches)) - spread**2 / 2)


@cache
def quantile(above: float) -> float:
    """Standard normal value that is exceeded with probability `above`, from 1e-300 to 1/2, by Newton's method.

    >>> round(quantile(0.05), 6), round(quantile(0.5), 6), round(quantile(1e-12), 6)
    (1.644854, 0.0, 7.034484)
    """
    value = sqrt(-2 * log(2 * above))  # the tail is at most exp(-value²/2) / 2, so this is never too low
    for _ in range(100):
        density = exp(-(value**2) / 2) / sqrt(2 * pi)
        tail = erfc(value / sqrt(2)) / 2
        # Newton's method on the logarithm of the tail, which is concave: from above it never overshoots.
        change = log(tail / above) * tail / density
        value += change
        if abs(change) < 1e-14 * (1 + value):
            break
    return value

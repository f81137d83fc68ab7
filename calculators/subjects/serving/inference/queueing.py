"""Queueing: crossings of rising functions, birth-death chains, and quantiles of sums of waits and services.

Plain functions without units of their own, for times in seconds and rates per second.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

_STATES = 20  # that are computed of a chain: neighbors exactly where there are few, else every n-th
_DEVIATIONS = 5.0  # on each side of the mean
_NO_WAY = -40.0  # logarithm of a ratio that is zero
_TURNS = 40
_DEVIATES = {0.5: 0.0, 0.95: 1.6448536269514722, 0.99: 2.3263478740408408}  # of a normal variable, by quantile
_CLOSE = 1e-7


def crossing(excess: Callable[[float], float], low: float, high: float) -> float:
    """Place between `low` and `high` where a rising function is zero; the nearer end where it has one sign.

    Regula falsi, in its Illinois form.

    >>> round(crossing(lambda x: x * x - 2, 0, 5), 6)
    1.414214
    """
    below, above = excess(low), excess(high)
    if below >= 0:
        return low
    if above <= 0:
        return high
    tried, last = high, 0
    for _ in range(_TURNS):
        tried = (low * above - high * below) / (above - below)
        found = excess(tried)
        if abs(found) < _CLOSE * (1 + tried):
            break
        if found > 0:
            high, above = tried, found
            below, last = (below / 2 if last > 0 else below), 1
        else:
            low, below = tried, found
            above, last = (above / 2 if last < 0 else above), -1
    return tried


class Chain(NamedTuple):
    """Equilibrium of a birth-death chain: states that were computed, with weights that add up to `whole`."""

    states: Sequence[float]
    weights: Sequence[float]
    whole: float
    mean: float
    variance: float
    idle: float
    full: float

    def average(self, value: Callable[[float], float]) -> float:
        """Mean of a function of the state, the states beyond the last left out."""
        return sum(weight * value(state) for state, weight in zip(self.states, self.weights, strict=True)) / self.whole


def equilibrium(
    birth: Callable[[float], float],
    death: Callable[[float], float],
    about: float,
    slots: float,
    last: float,
    spread: float,
    tail: float,
) -> Chain:
    """Equilibrium of a birth-death chain with rates `birth` and `death` by its state, from 0 to `last`.

    `about` is where the rates meet; `spread` is how many times as wide the distribution is as with random arrivals and
    independent departures; mean and variance count at most `slots`. `tail` is the ratio of probabilities beyond `last`,
    0 where nothing is beyond. Where there are many states, each one computed represents those around it.

    Ten servers of rate 1 with one arrival per unit: as many as a Poisson variable of mean 1.

    >>> found = equilibrium(lambda n: 1.0, lambda n: n, 1.0, 10, 10, 1.0, 0.0)
    >>> round(found.mean, 3), round(found.variance, 3), round(found.idle, 3)
    (1.0, 1.0, 0.368)
    """
    away = 0.02 * about + 0.2
    down, up = death(about), birth(about)
    slope = max(0.0, death(about + away) - down) / away + max(0.0, up - birth(about + away)) / away
    width = math.sqrt(max(1.0, (down or up) / slope * spread if slope > 0 else last * last))
    low = max(0, math.floor(about - _DEVIATIONS * width - 2))
    high = min(last, math.ceil(about + _DEVIATIONS * width + 2))
    stride = max(1, math.ceil((high - low) / _STATES))
    states, logs = [float(low)], [0.0]
    while states[-1] < high:
        stride = min(stride, int(high - states[-1]))
        middle = states[-1] + (stride + 1) / 2
        rate = birth(middle - 1)
        ratio = math.log(rate / death(middle)) / spread if rate > 0 else _NO_WAY
        states.append(states[-1] + stride)
        logs.append(logs[-1] + stride * ratio)
    top = max(logs)
    weights = [math.exp(log - top) for log in logs]
    end = weights[-1] if states[-1] >= last else 0.0
    for one, state in enumerate(states[1:]):
        more = (state - states[one] - 1) / 2  # states between two computed ones belong half to each
        weights[one] += more * math.exp(logs[one] - top)
        weights[one + 1] += more * math.exp(logs[one + 1] - top)
    beyond = end * tail / (1 - tail) if tail else 0.0
    whole = sum(weights) + beyond
    most = min(states[-1], slots)
    counted = [min(state, slots) for state in states]
    mean = (sum(weight * n for n, weight in zip(counted, weights, strict=True)) + beyond * most) / whole
    variance = sum(weight * (n - mean) ** 2 for n, weight in zip(counted, weights, strict=True))
    variance = (variance + beyond * (most - mean) ** 2) / whole
    idle = weights[0] / whole if low == 0 else 0.0
    return Chain(states, weights, whole, mean, variance, idle, (end + beyond) / whole)


class Part(NamedTuple):
    """Share of requests whose time is `least` plus a lognormal time of this mean and variance."""

    share: float
    least: float
    mean: float
    variance: float

    def above(self, time: float) -> float:
        """Share of these requests that take longer."""
        if time <= self.least:
            return 1.0
        if self.mean <= 0:
            return 0.0
        squared = math.log(1 + max(1e-12, self.variance / (self.mean * self.mean)))
        return math.erfc((math.log((time - self.least) / self.mean) + squared / 2) / math.sqrt(2 * squared)) / 2

    def within(self, deviate: float) -> float:
        """Time within which these requests are done but for those beyond a normal deviate."""
        if self.mean <= 0 or self.variance <= 0:
            return self.least + max(0.0, self.mean)
        squared = math.log(1 + self.variance / (self.mean * self.mean))
        return self.least + self.mean * math.exp(math.sqrt(squared) * deviate - squared / 2)


def quantile(parts: Sequence[Part], share: float) -> float:
    """Time within which `share` of the requests are done.

    >>> round(quantile((Part(1.0, 1.0, 2.0, 0.0),), 0.95), 4), round(quantile((Part(1.0, 0.0, 1.0, 1.0),), 0.5), 4)
    (3.0, 0.7071)
    """
    if len(parts) == 1 and share in _DEVIATES:
        return parts[0].within(_DEVIATES[share])
    whole = sum(part.share for part in parts)
    left = (1 - share) * whole
    low, high = 0.0, max(part.least + part.mean for part in parts)
    while sum(part.share * part.above(high) for part in parts) > left:
        low, high = high, 2 * high
    scale = high  # so that the search is the same in any unit

    def done(of_scale: float) -> float:
        return left - sum(part.share * part.above(of_scale * scale) for part in parts)

    return scale * crossing(done, low / scale, 1.0)

"""Lengths of answers: log-normal, cut at the limit, and what a batch of them and the running ones look like."""

import math
from functools import cached_property, lru_cache
from typing import NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.subjects.post_training.post_training.formulas.roots import normal_quantile, phi, rising_root

_P99 = normal_quantile(0.99)
_CELLS = 160
_DRAIN = 64
_FARTHEST = 8.0  # standard deviations beyond which no answer of any batch is
_KEPT = 64
_ALL_ALIKE = 1e-9


class Shape(NamedTuple):
    """Distribution of lengths: mean after the cut, limit, centre and spread of the logarithm."""

    mean: float
    limit: float
    centre: float
    spread: float


class Lengths:
    """Answers of a mean length, cut at a limit [token]."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def __eq__(self, other: object) -> bool:
        """Whether both are the same distribution."""
        return isinstance(other, Lengths) and self.shape == other.shape

    def __hash__(self) -> int:
        """Hash of the distribution."""
        return hash(self.shape)

    def longer(self, tokens: float) -> float:
        """Share of answers longer than so many tokens."""
        mean, limit, centre, spread = self.shape
        if tokens <= 0:
            return 1.0
        if spread < _ALL_ALIKE:
            return 1.0 if tokens < mean else 0.0
        return 0.0 if tokens >= limit else phi((centre - math.log(tokens)) / spread)

    @cached_property
    def cut(self) -> float:
        """Share of answers that the limit cuts."""
        _, limit, centre, spread = self.shape
        return 0.0 if spread < _ALL_ALIKE else phi((centre - math.log(limit)) / spread)

    @cached_property
    def median(self) -> float:
        """Length that half of the answers exceed [token]."""
        mean, limit, centre, spread = self.shape
        return mean if spread < _ALL_ALIKE else min(limit, math.exp(centre))

    @cached_property
    def square(self) -> float:
        """Mean square of the length [token²]."""
        mean, limit, centre, spread = self.shape
        if spread < _ALL_ALIKE:
            return mean * mean
        at = (math.log(limit) - centre) / spread
        whole = math.exp(2 * centre + 2 * spread**2) * phi(at - 2 * spread)
        return whole + limit**2 * self.cut

    @property
    def variation(self) -> float:
        """Standard deviation of the length over its mean."""
        return math.sqrt(max(0.0, self.square / self.shape.mean**2 - 1))

    @property
    def age(self) -> float:
        """Tokens that a running answer has, in the mean over time [token]."""
        return self.square / (2 * self.shape.mean)

    def remaining(self, tokens: float) -> float:
        """Share of running answers with more than so many tokens to go, at any moment."""
        mean, limit, centre, spread = self.shape
        if tokens <= 0:
            return 1.0
        if spread < _ALL_ALIKE:
            return max(0.0, 1 - tokens / mean)
        if tokens >= limit:
            return 0.0
        at, here = (math.log(limit) - centre) / spread, (math.log(tokens) - centre) / spread
        whole = math.exp(centre + spread**2 / 2) * (phi(at - spread) - phi(here - spread))
        return min(1.0, max(0.0, (whole + limit * self.cut - tokens * phi(-here)) / mean))

    @cached_property
    def _end(self) -> float:
        mean, limit, centre, spread = self.shape
        return mean if spread < _ALL_ALIKE else min(limit, math.exp(centre + _FARTHEST * spread))

    @cached_property
    def _cells(self) -> tuple[tuple[float, float], ...]:
        """Lengths and widths of cells that are narrow where answers are short [token]."""
        places = ((cell + 0.5) / _CELLS for cell in range(_CELLS))
        return tuple((self._end * place * place, 2 * self._end * place / _CELLS) for place in places)

    @cached_property
    def _longer_by_cell(self) -> tuple[tuple[float, float], ...]:
        return tuple((self.longer(tokens), width) for tokens, width in self._cells)

    @cached_property
    def _remaining_by_cell(self) -> tuple[tuple[float, float], ...]:
        return tuple((self.remaining(tokens), width) for tokens, width in self._cells)

    def longest_of(self, count: float) -> float:
        """Expected longest of so many answers [token]: the area under 1 - (1 - S)^n."""
        return math.fsum((1 - (1 - share) ** count) * width for share, width in self._longer_by_cell)

    def longest_remainder_of(self, count: float) -> float:
        """Expected longest remaining length among so many running answers [token]."""
        return math.fsum((1 - (1 - share) ** count) * width for share, width in self._remaining_by_cell)


def drain_places(steps: float) -> tuple[tuple[float, float], ...]:
    """Tokens at which a drain is looked at, and the width of their cells [token]; narrow at its start."""
    places = ((cell + 0.5) / _DRAIN for cell in range(_DRAIN))
    return tuple((steps * place * place, 2 * steps * place / _DRAIN) for place in places)


def _cut_mean(centre: float, spread: float, limit: float) -> float:
    at = (math.log(limit) - centre) / spread
    return math.exp(centre + spread**2 / 2) * phi(at - spread) + limit * phi(-at)


@lru_cache(maxsize=_KEPT)
def lengths_of(mean: float, limit: float, spread: float) -> Lengths:
    """Distribution whose lengths have this mean after the limit has cut them [token].

    >>> found = lengths_of(8000.0, 32768.0, 0.98982)
    >>> round(found.median), round(100 * found.cut, 1)
    (5286, 3.3)
    """
    if spread < _ALL_ALIKE:
        return Lengths(Shape(mean, limit, math.log(mean), 0.0))
    low, high = math.log(mean) - 2 * spread**2 - 1, math.log(limit) + 8 * spread + 1
    centre = rising_root(lambda tried: _cut_mean(tried, spread, limit) / mean - 1, low, high)
    return Lengths(Shape(mean, limit, centre, spread))


@step("1", "Spread of answer lengths", rises_with=("answer_tail",))
def length_spread(answer_tail: float) -> float:
    """Standard deviation of the logarithm of the length, from p99 over median [1]; 0 where all are equally long.

    >>> round(length_spread(10), 4), length_spread(1)
    (0.9898, 0.0)
    """
    return math.log(answer_tail) / _P99


@record("Lengths of answers")
def answer_lengths(output_tokens: float, longest_answer: float, length_spread: float) -> Lengths:
    """Log-normal lengths, cut at the limit, with the mean that is given."""
    return lengths_of(float(output_tokens), max(float(longest_answer), float(output_tokens)), length_spread)


@step("token", "Median answer")
def median_answer(answer_lengths: Lengths) -> float:
    """Length that half of the answers exceed [token]."""
    return answer_lengths.median


@step("share", "Answers cut by the limit")
def truncated_share(answer_lengths: Lengths) -> float:
    """Share of answers that the limit cuts."""
    return answer_lengths.cut


@step("token", "Longest answer of a batch")
def longest_expected(answer_lengths: Lengths, generated_samples: float) -> float:
    """Longest answer of a batch, in the mean [token]."""
    return answer_lengths.longest_of(generated_samples)


FORMULAS = formulas_of(globals())

"""Lengths of answers against sums by hand, and the root by which a step time is found."""

from __future__ import annotations

import math

import pytest

from calculators.subjects.post_training.post_training.formulas.lengths import lengths_of
from calculators.subjects.post_training.post_training.formulas.roots import rising_root
from calculators.subjects.post_training.post_training.formulas.trainer import Passes, Trainer


def test_the_area_under_the_share_of_longer_answers_is_the_mean() -> None:
    lengths = lengths_of(8000.0, 32768.0, 0.98982)
    cells = 20_000
    width = 32768 / cells
    area = sum(lengths.longer((cell + 0.5) * width) for cell in range(cells)) * width
    assert area == pytest.approx(8000, rel=1e-4)
    left = sum(lengths.longer((cell + 0.5) * width) for cell in range(cells // 4, cells)) * width
    assert lengths.remaining(32768 / 4) == pytest.approx(left / 8000, rel=1e-3)
    square = sum(2 * (cell + 0.5) * width * lengths.longer((cell + 0.5) * width) for cell in range(cells)) * width
    assert lengths.square == pytest.approx(square, rel=1e-4)


@pytest.mark.parametrize("tail", [1.01, 1.5, 3, 10, 30, 100])
@pytest.mark.parametrize(("mean", "limit"), [(100, 32768), (8000, 8100), (8000, 1e6), (31_000, 32_768), (1, 2)])
def test_lengths_have_the_mean_that_is_given(tail: float, mean: float, limit: float) -> None:
    """The trapezoid of the share of longer answers, over the logarithm of the length."""
    lengths = lengths_of(float(mean), float(limit), math.log(tail) / 2.3263478740408408)
    points, low, high = 4000, math.log(mean) - 14, math.log(limit)
    step = (high - low) / points
    area = math.exp(low)
    for place in range(points):
        left, right = low + place * step, low + (place + 1) * step
        area += lengths.longer(math.exp((left + right) / 2)) * (math.exp(right) - math.exp(left))
    assert area == pytest.approx(mean, rel=2e-3)


def test_the_longest_of_many_equal_chances_is_their_maximum_in_the_mean() -> None:
    """Four uniform lengths have a longest of 4/5 of the limit: here by the area under 1 - (1 - S)^n."""
    lengths = lengths_of(8000.0, 32768.0, 0.98982)
    one = lengths.longest_of(1)
    assert one == pytest.approx(8000, rel=1e-3)
    assert one < lengths.longest_of(4) < lengths.longest_of(1024) <= 32768


def test_a_smooth_root_takes_few_trials() -> None:
    tried: list[float] = []

    def excess(x: float) -> float:
        tried.append(x)
        return x * x - 2

    assert rising_root(excess, 0.0, 2.0) == pytest.approx(math.sqrt(2), rel=1e-12)
    assert len(tried) <= 12


def test_a_trainer_works_on_passes_update_and_rewards() -> None:
    """On 8 GPUs at 50 TFLOP/s: 1, 2 and 3 PFLOP are 2.5, 5 and 7.5 s, with 1 s for the update and 4 s of transfer."""
    trainer = Trainer(Passes(1e15, 2e15, 3e15), 50e12, 1, 4)
    assert (trainer.logprobs(8), trainer.update(8)) == (2.5, 6)
    assert (trainer.work(8), trainer.cycle(8)) == (16, 20)


def test_the_root_of_a_line_and_of_a_kink_is_exact() -> None:
    assert rising_root(lambda x: 3 * x - 6, 0.0, 10.0) == pytest.approx(2, rel=1e-12)
    assert rising_root(lambda x: max(x - 4, (x - 4) / 1e6), 1e-9, 1e6) == pytest.approx(4, rel=1e-9)
    assert rising_root(lambda x: x + 1, 0.0, 5.0) == 0
    assert rising_root(lambda x: x - 9, 0.0, 5.0) == 5

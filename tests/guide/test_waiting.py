"""Waiting in a queue, by hand and against a published example."""

from __future__ import annotations

import pytest

from calculators.guide.waiting import queue_wait, wait_in_lengths


@pytest.mark.parametrize(("spread", "lengths"), [(1, 4), (3, 20), (5, 52)])
def test_four_fifths_used_wait_as_a_textbook_prints_it(spread: float, lengths: float) -> None:
    # MLSysBook, fleet orchestration: four and twenty mean lengths; 4 x (1 + 25) / 2 is the third.
    assert wait_in_lengths(0.8, spread) == pytest.approx(lengths)


def test_equal_lengths_wait_half_of_what_a_spread_of_one_waits() -> None:
    assert wait_in_lengths(0.7, 0) == pytest.approx(wait_in_lengths(0.7, 1) / 2)


def test_a_mean_job_of_four_hours_waits_eighty() -> None:
    assert queue_wait(wait_in_lengths(0.8, 3), 4 * 3600) == pytest.approx(80 * 3600)

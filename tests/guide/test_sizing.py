"""Drives are whole, and one too slow by a hair is one more."""

from __future__ import annotations

from calculators.guide.sizing import drives_for_write, rate_per_gpu


def test_drives_are_whole_and_enough() -> None:
    assert drives_for_write(10.0, 5.0) == 2
    assert drives_for_write(10.1, 5.0) == 3


def test_a_write_twelve_times_as_fast_needs_twelve_times_the_drives() -> None:
    # A 405B checkpoint of 5.68 TB within 5 s is 1.14 TB/s: 355 drives of 3.2 GB/s, where a minute asks for 30.
    assert drives_for_write(405.85e9 * 14 / 60, 3.2e9) == 30
    assert drives_for_write(405.85e9 * 14 / 5, 3.2e9) == 356


def test_what_all_share_is_an_eighth_for_each_of_eight() -> None:
    assert rate_per_gpu(40e9, 8) == 5e9

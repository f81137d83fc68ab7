"""Samples by hand: the exchange of embedding vectors, observations, and how far a calculated speed is off."""

from __future__ import annotations

import pytest

from calculators.guide.samples import embedding_exchange, exchange_time, observation_rate, speed_ratio


def test_a_gpu_alone_exchanges_nothing_and_many_send_nearly_all() -> None:
    # 8 samples x 2 tables x 4 values x 2 B = 128 B one way, 256 B both ways; of two GPUs each keeps half.
    assert embedding_exchange(8, 2, 4, 2, 1) == 0
    assert embedding_exchange(8, 2, 4, 2, 2) == 128
    assert embedding_exchange(8, 2, 4, 2, 64) == pytest.approx(252)


def test_the_exchange_takes_its_bytes_over_the_bandwidth() -> None:
    assert exchange_time(128, 64) == 2


def test_twice_the_measured_speed_is_a_ratio_of_two() -> None:
    assert speed_ratio(1000, 500) == 2


def test_a_million_observations_of_four_frames_are_28_gigabytes_a_second() -> None:
    # 84 x 84 x 4 B = 28,224 B
    assert observation_rate(1e6, 84 * 84 * 4) == 28_224_000_000

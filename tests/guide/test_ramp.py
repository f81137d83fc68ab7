"""A ramp of traffic while a replica starts, by hand."""

from __future__ import annotations

import pytest

from calculators.guide.waiting import headroom, waiting_requests


def test_spare_capacity_is_the_growth_of_traffic_during_the_start() -> None:
    # Six a second more in every minute, for two minutes: twelve.
    assert headroom(6 / 60, 120) == pytest.approx(12)


def test_queued_requests_are_the_triangle_under_the_ramp() -> None:
    # From nothing to twelve a second over two minutes: six a second on average, for 120 s.
    assert waiting_requests(6 / 60, 120) == pytest.approx(6 * 120)


def test_half_the_time_to_start_leaves_a_quarter_of_the_queue() -> None:
    assert waiting_requests(1, 30) == waiting_requests(1, 60) / 4

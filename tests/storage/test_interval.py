"""The interval between saves, against numbers that others print and against what must hold at its ends."""

from __future__ import annotations

import math

import pytest

from calculators.storage.interval import restart_share, share_lost, young_work

HOUR = 3600.0


def test_young_s_work_between_saves_is_the_root_of_twice_stall_and_mtbf() -> None:
    assert young_work(50, 10_000) == 1000


@pytest.mark.parametrize("stall", [1.0, 10.0])
def test_young_s_interval_loses_least_where_the_stall_is_short(stall: float) -> None:
    best = young_work(stall, 3 * HOUR)
    least = share_lost(best, stall, 0, 3 * HOUR)
    assert share_lost(best / 2, stall, 0, 3 * HOUR) > least < share_lost(best * 2, stall, 0, 3 * HOUR)


def test_with_short_stalls_the_loss_is_what_the_first_order_says() -> None:
    # C/t + t/2M + R/M = 0.01 + 0.005 + 0.002, each small enough for products of them not to show.
    assert share_lost(100, 1, 20, 10_000) == pytest.approx(0.017, rel=0.02)


def test_saves_that_cost_nothing_and_never_end_leave_the_restart() -> None:
    assert share_lost(1e-3, 0, 600, 3 * HOUR) == pytest.approx(restart_share(600, 3 * HOUR), rel=1e-4)
    assert restart_share(math.log(2) * 100, 100) == pytest.approx(0.5)

"""Exposure and clients: what more drives change, what they do not, and what one queue carries."""

from __future__ import annotations

import pytest

from calculators.guide import client, exposure
from calculators.guide.sizing import usable_capacity
from calculators.units import YEAR

DRIVE = {"drive_capacity": 100e12, "fill_share": 0.8, "data_fragments": 8, "drive_read": 7e9, "drive_write": 3e9}


def rebuild(drives: float) -> float:
    return exposure.rebuild_time(rebuild_share=0.25, drives=drives, **DRIVE)


def test_what_one_rebuild_risks_does_not_depend_on_how_many_drives_share_it() -> None:
    few, many = (exposure.failures_in_rebuild(drives, 0.01, rebuild(drives)) for drives in (81, 801))
    assert few == pytest.approx(many)


def test_ten_times_the_drives_lose_data_ten_times_as_often() -> None:
    def between(drives: float) -> float:
        lost = exposure.losing_rebuilds(exposure.failures_in_rebuild(drives, 0.01, rebuild(drives)), 2)
        return exposure.time_between_losses(exposure.rebuilds_per_year(drives, 0.01), lost)

    assert between(80) == pytest.approx(10 * between(800), rel=1e-9)


def test_a_second_parity_piece_multiplies_the_time_by_twice_the_inverse_of_the_risk() -> None:
    # Poisson with a small mean x: one or more is x, two or more is x squared over two.
    one, two = (exposure.losing_rebuilds(1e-4, parity) for parity in (1, 2))
    assert one == pytest.approx(1e-4, rel=1e-3)
    assert two == pytest.approx(5e-9, rel=1e-3)


def test_without_parity_every_lost_drive_loses_data() -> None:
    assert exposure.losing_rebuilds(0.001, 0) == pytest.approx(1)
    assert exposure.time_between_losses(8, 1) == YEAR / 8


def test_a_server_takes_as_long_as_its_drives_shared_by_the_others() -> None:
    # 24 of 120 drives: 24 times the bytes of one, over 96 sharers instead of the 119 that share for one drive.
    server = exposure.server_rebuild_time(rebuild_share=0.25, drives=120, drives_per_node=24, **DRIVE)
    assert server == pytest.approx(rebuild(120) * 24 * 119 / 96)


def test_a_slower_answer_needs_more_queues() -> None:
    quick, slow = (client.in_flight_rate(8, 4 * 2**20, seconds) for seconds in (0.004, 0.040))
    assert quick == pytest.approx(10 * slow)
    assert (client.queues_needed(50e9, quick), client.queues_needed(50e9, slow)) == (6, 60)


def test_parity_spares_and_filling_each_take_their_share() -> None:
    assert usable_capacity(100, 10e12, 8, 2, 0, 1) == pytest.approx(800e12)
    assert usable_capacity(100, 10e12, 8, 2, 10, 0.8) == pytest.approx(576e12)

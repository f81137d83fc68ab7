"""Writeback by hand: what a page cache takes, and how many checkpoints that is."""

from __future__ import annotations

import pytest

from calculators.guide.writeback import checkpoints_absorbed, dirty_limit, node_checkpoint


def test_a_fifth_of_two_terabytes_may_be_dirty() -> None:
    assert dirty_limit(2e12, 0.2) == pytest.approx(400e9)


def test_a_node_writes_what_its_gpus_hold() -> None:
    assert node_checkpoint(15e9, 8) == 120e9


def test_checkpoints_of_120_gb_fit_three_times_into_400_gb() -> None:
    assert checkpoints_absorbed(400e9, 120e9) == pytest.approx(3.333, abs=1e-3)

"""What making boards and drives emitted, by hand."""

from __future__ import annotations

import pytest

from calculators.guide.energy.embodied import boards_emissions, drives_emissions, share_of_a_year


def test_a_board_counts_for_as_many_gpus_as_it_carries() -> None:
    # 1,312 kg for eight: 164 kg for each.
    assert boards_emissions(1, 8, 1312) == 164
    assert boards_emissions(1024, 8, 1312) == 128 * 1312


def test_a_petabyte_is_a_thousand_terabytes() -> None:
    assert drives_emissions(1e15, 160 / 1e12) == pytest.approx(160_000)


def test_a_board_compared_with_its_first_year() -> None:
    assert share_of_a_year(1312, 13120) == pytest.approx(0.1)

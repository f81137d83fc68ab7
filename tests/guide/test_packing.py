"""Packed data by hand: what a change touches, and what unpacking takes."""

from __future__ import annotations

import pytest

from calculators.guide.packing import changed_shards, packed_rate, unpacking_cores


@pytest.mark.parametrize(("changed", "samples", "shards"), [(0, 1000, 0), (1, 1, 1), (0.5, 2, 0.75), (0.1, 3, 0.271)])
def test_a_shard_changes_unless_all_of_its_samples_stay(changed: float, samples: float, shards: float) -> None:
    # 1 - 0.9 ** 3 = 0.271
    assert changed_shards(changed, samples) == pytest.approx(shards)


def test_one_change_in_a_thousand_touches_nearly_two_thirds_of_shards_of_a_thousand() -> None:
    # 1 - 1/e, in the limit of large shards.
    assert changed_shards(0.001, 1000) == pytest.approx(0.632, abs=5e-4)


def test_what_is_read_and_what_is_unpacked_is_the_same_data() -> None:
    # 3 GB/s packed to a half is read at 1.5 GB/s and takes two cores of 1.5 GB/s each.
    assert packed_rate(3e9, 2) == 1.5e9
    assert unpacking_cores(3e9, 1.5e9) == 2

"""Names of a data set of single files: against a maker's own rule of thumb, and by hand."""

from __future__ import annotations

import pytest

from calculators.facts import fact
from calculators.guide.names import file_count, names_space, walk_time


def test_beegfs_rule_of_thumb_comes_out_again() -> None:
    # "500 GB for about 150 million files": its own rate, to half of the three digits that are kept.
    space = names_space(150e6, float(fact("beegfs-metadata-space.per_file").value))
    assert space == pytest.approx(500e9, rel=0.002)


def test_ten_times_larger_files_are_ten_times_fewer_names() -> None:
    # 2 PB of 100 kB: 2e15 / 1e5 = 2e10; of 1 MB: 2e9.
    assert file_count(2e15, 100e3) == pytest.approx(2e10)
    assert file_count(2e15, 1e6) == pytest.approx(2e9)


def test_a_walk_of_twenty_billion_names_takes_days() -> None:
    # 2e10 / 5e4 a second = 4e5 s = 4.63 days.
    assert walk_time(2e10, 50_000) / 86_400 == pytest.approx(4.63, abs=0.005)

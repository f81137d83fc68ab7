"""Alarms by chance, by hand."""

from __future__ import annotations

import pytest

from calculators.guide.alarms import chance_beyond, false_alarms


@pytest.mark.parametrize(("sigmas", "chance"), [(1, 0.3173), (2, 0.0455), (3, 0.0027)])
def test_the_tails_of_a_normal_distribution_are_those_of_every_table(sigmas: float, chance: float) -> None:
    assert chance_beyond(sigmas) == pytest.approx(chance, abs=5e-5)


def test_a_thousand_series_a_minute_are_looked_at_nearly_a_million_and_a_half_times_a_day() -> None:
    # 1000 x 1440 looks; one in a hundred of them is beyond.
    assert false_alarms(1000, 60, 0.01, 1) == pytest.approx(14_400)
    assert false_alarms(1000, 60, 0.01, 2) == pytest.approx(144)


def test_looking_half_as_often_halves_them() -> None:
    assert false_alarms(100, 120, 0.0027, 1) == pytest.approx(false_alarms(100, 60, 0.0027, 1) / 2)

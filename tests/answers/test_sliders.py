"""Where sliders stop, by hand: values that people would say, in the unit of the input, with the ends among them."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import sliders
from calculators.declare import Quantity

SECOND, MINUTE, HOUR, DAY = 1.0, 60.0, 3600.0, 86400.0


def stops(low: float, high: float, unit: str = "B", scale: Any = "log", **more: Any) -> list[float]:
    declared = Quantity(
        unit=unit, label="Size", default=None, hard=(low, high), slider=(low, high), scale=scale, **more
    )
    return list(sliders.stops(declared))


def test_a_decade_has_more_stops_where_digits_count_for_more() -> None:
    """No step is more than a fifth up to 6, and none is less than 2%; the same in every decade."""
    one, other = stops(1, 10), stops(1e6, 1e7)
    assert other == pytest.approx([stop * 1e6 for stop in one], rel=1e-15)
    assert one == [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9, 10]
    assert stops(3.2, 21) == [3.2, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21]


def test_stops_are_short_decimals_in_the_unit_that_is_read() -> None:
    """0.3 is one, and not a tenth of three that is 0.30000000000000004."""
    assert stops(0.1, 1)[12] == 0.3
    assert 1.1e9 in stops(1e9, 1e12)
    assert stops(2.0**30, 10 * 2.0**30, "GiB") == [stop * 2**30 for stop in stops(1, 10)]


def test_what_is_counted_in_twos_stops_at_quarters_or_at_powers() -> None:
    assert stops(2, 9, binary=True) == [2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9]
    assert stops(2.0**30, 2.0**31, binary=True) == [2**30, 1.25 * 2**30, 1.5 * 2**30, 1.75 * 2**30, 2**31]
    assert stops(3, 40, doubling=True) == [3, 4, 8, 16, 32, 40]
    assert (
        stops(2**38, 2**42, doubling=True)
        == stops(2**38, 2**42, doubling=True, whole=True)
        == [*(2**power for power in range(38, 43))]
    )
    assert stops(1, 8, scale="linear", doubling=True) == [1, 2, 4, 8]


def test_a_duration_stops_where_clocks_and_calendars_do() -> None:
    assert stops(SECOND, 2 * MINUTE, "s") == [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 60, 120]
    assert [stop / MINUTE for stop in stops(30 * MINUTE, 3 * HOUR, "s")] == [30, 40, 45, 60, 90, 120, 180]
    assert [stop / HOUR for stop in stops(4 * HOUR, 2 * DAY, "s")] == [4, 5, 6, 8, 10, 12, 18, 24, 36, 48]
    days = [stop / DAY for stop in stops(5 * DAY, 365 * DAY, "s")]
    assert days == [5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 365]
    assert [stop * 1e3 for stop in stops(1e-3, 12e-3, "s")] == pytest.approx([1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12])
    assert stops(1e-9, 3e-9, "s") == pytest.approx([1e-9, 1.5e-9, 2e-9, 3e-9])
    assert stops(0.1, 0.3, "s") == pytest.approx([0.1, 0.15, 0.2, 0.3])


def test_a_count_stops_at_whole_numbers_alone() -> None:
    assert stops(1, 10, whole=True) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert stops(0, 4, scale="linear", whole=True) == [0, 1, 2, 3, 4]
    assert stops(0, 1000, scale="linear", whole=True) == [10.0 * place for place in range(101)]


@pytest.mark.parametrize(
    ("low", "high", "step", "count"),
    [
        (0, 1.2, 0.01, 121),  # exactly a hundred and twenty steps
        (0, 1.3, 0.02, 66),
        (0, 2.5, 0.025, 101),
        (0, 4, 0.05, 81),
        (0, 7, 0.1, 71),
        (10, 70, 0.5, 121),
        (-60, 60, 1, 121),
    ],
)
def test_an_even_slider_has_up_to_a_hundred_and_twenty_steps_of_one_two_two_and_a_half_or_five(
    low: float, high: float, step: float, count: int
) -> None:
    found = stops(low, high, scale="linear")
    assert found == pytest.approx([low + step * place for place in range(count)])
    assert all(stop == float(f"{stop:.6g}") for stop in found)  # no 0.30000000000000004


def test_an_even_slider_has_its_ends_where_no_step_leads_to_them() -> None:
    assert stops(0, 1.205, scale="linear")[-2:] == [1.2, 1.205]
    assert stops(0.05, 120, scale="linear")[:2] == [0.05, 1.05]
    assert stops(0, 100 * 2.0**30, "GiB", scale="linear")[:2] == [0, 2.0**30]
    assert stops(0, 100, scale="linear", binary=True)[:3] == [0, 1, 2]
    assert stops(0, 200, scale="linear", binary=True)[:3] == [0, 2, 4]  # 1.7 and more is 2 in twos


def test_a_sweep_of_an_input_that_goes_by_ratios_is_even_from_nothing() -> None:
    declared = Quantity(unit="B", label="", default=1, hard=(0, 100), slider=(1, 100), scale="log", doubling=True)
    one, other = sliders.spanning(declared, 2, 8), sliders.spanning(declared, 0, 8)
    assert (one.slider, one.scale, one.doubling) == ((2, 8), "log", True)
    assert (other.slider, other.scale, other.doubling) == ((0, 8), "linear", False)


@pytest.mark.parametrize(
    ("value", "place"),
    [(-5, 0), (1, 0), (1.4, 0), (1.5, 0), (1.6, 1), (2, 1), (4.9, 4), (5, 4), (99, 4)],
)
def test_the_nearest_stop_represents_a_value_and_the_ends_for_what_lies_beyond(value: float, place: int) -> None:
    declared = Quantity(unit="B", label="", default=1, hard=(1, 5), slider=(1, 5), whole=True)
    assert sliders.stops(declared) == (1, 2, 3, 4, 5)
    assert sliders.nearest_stop(declared, value) == place

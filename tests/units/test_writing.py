"""Units: what readers see reads back as the number there is."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calculators import units
from calculators.units import writing
from tests.units.declared import DECLARED


@given(
    st.floats(min_value=1e-9, max_value=1e27, allow_nan=False),
    st.sampled_from(DECLARED),
    st.booleans(),
)
def test_the_text_of_a_box_reads_back_as_the_same_value(value: float, unit: str, binary: bool) -> None:  # noqa: FBT001
    binary = binary and unit.partition("/")[0] == "B"
    boxed = units.exact_text(value, unit, binary=binary)
    assert units.parse(boxed, unit) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("value", "unit", "boxed"),
    [
        (1.234567e9, "B", "1.234567 GB"),
        (1234567e6, "parameter", "1.234567T"),
        (1800, "s", "30 min"),
        (0.4, "share", "40%"),
        (1825 * 86400, "s", "1,825 days"),
        (5 * 31557600, "s", "5 years"),
        (1.2345678901234e9, "B", "1.2345678901234 GB"),
        (1.23456789012345e9, "B", "1234567890.12345 B"),
    ],
)
def test_a_box_says_what_a_reader_would_type(value: float, unit: str, boxed: str) -> None:
    assert units.exact_text(value, unit) == boxed


@pytest.mark.parametrize("unit", DECLARED)
def test_zero_and_small_whole_numbers_read_back_in_every_unit(unit: str) -> None:
    for value in (0.0, 1.0, 2.0, 1000.0, 1024.0):
        assert units.parse(units.exact_text(value, unit), unit) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("value", "unit", "binary", "shown"),
    [
        (980e9, "B", False, "980 GB"),
        (999.96e9, "B", False, "1 TB"),
        (80 * 2.0**30, "B", True, "80 GiB"),
        (0, "B", False, "0 B"),
        (-980e9, "B", False, "−980 GB"),
        (90, "s", False, "90 s"),
        (5400, "s", False, "1.5 h"),
        (129600, "s", False, "36 h"),
        (0.0324, "share", False, "3.24%"),
        (0.9994, "share", False, "99.9%"),
        (0.9996, "share", False, "99.96%"),
        (0.99999, "share", False, "99.999%"),
        (1.0004, "share", False, "100.04%"),
        (-0.9996, "share", False, "−99.96%"),
        (1 - 1e-12, "share", False, "100%"),
        (1, "share", False, "100%"),
        (1e-6, "share", False, "0.0001%"),
        (70e9, "parameter", False, "70B parameters"),
        (1, "GPU", False, "1 GPU"),
        (1.0001, "GPU", False, "1 GPU"),
        (16384, "GPU", False, "16,384 GPUs"),
        (4, "micro-batch", False, "4 micro-batches"),
        (3.8e25, "FLOP", False, "3.80 × 10²⁵ FLOP"),
        (9.996e25, "FLOP", False, "1.00 × 10²⁶ FLOP"),
        (989e12, "FLOP/s", False, "989 TFLOP/s"),
        (2.5, "USD/GPU-hour", False, "$2.50/GPU-hour"),
        (5.576e6, "USD", False, "$5.58M"),
        (14, "B/parameter", False, "14 B/parameter"),
        (400e9 / 8, "bit/s", False, "400 Gbit/s"),
        (5e6, "IOPS", False, "5M IOPS"),
        (1, "IOPS", False, "1 IOPS"),
        (43.2, "sample/s", False, "43.2 samples/s"),
        (3 / 86400, "1/day", False, "3/day"),
        (1e9, "1", False, "1 billion"),
        (2.5e6, "1", False, "2.5 million"),
        (900_000, "1", False, "900,000"),
        (0.08 / 31557600, "share/year", False, "8%/year"),
        (20 / (1e12 * 31557600 / 12), "USD/TB-month", False, "$20/TB-month"),
        (1 / 3.6, "m3/h", False, "1 m³/h"),
        (42, "rack unit", False, "42 rack units"),
        (30, "metre", False, "30 m"),
        (16.2, "K", False, "16.2 K"),
        (700 * 86400, "s", False, "700 days"),
        (1.23e6 * 86400, "s", False, "3,370 years"),
        (math.inf, "s", False, "without end"),
        (math.inf, "B", False, "unlimited"),
    ],
)  # fmt: skip
def test_values_are_shown_with_three_digits_and_a_fitting_unit(
    value: float,
    unit: str,
    binary: bool,  # noqa: FBT001
    shown: str,
) -> None:
    assert units.text(value, unit, binary=binary) == shown


@given(st.floats(min_value=1e-6, max_value=1e26), st.sampled_from([unit for unit in DECLARED if unit != "share"]))
def test_what_is_shown_is_within_half_of_its_third_digit(value: float, unit: str) -> None:
    factor = units.unit(unit).factor
    shown = units.text(value * factor, unit, label=False)
    if unit.startswith("USD") and value < 1:
        return  # cents are the smallest money
    assert units.parse(shown, unit) == pytest.approx(value * factor, rel=0.0051)


def test_decimal_and_binary_are_never_mixed_silently() -> None:
    assert units.parse("1 GiB", "B") - units.parse("1 GB", "B") == 2**30 - 1e9
    assert units.other_system(80 * 2.0**30, "B", binary=True) == "85.9 GB"
    assert units.other_system(980e9, "B", binary=False) == "913 GiB"
    assert units.other_system(70e9, "parameter", binary=False) is None


@pytest.mark.parametrize(
    ("values", "unit", "binary", "shown"),
    [
        ((14, 3586, 3600, 0), "s", False, ("0.233 min", "59.8 min", "60 min", "0 min")),
        ((131 * 2.0**30, -603 * 2.0**30, 0), "B", True, ("131 GiB", "\N{MINUS SIGN}603 GiB", "0 GiB")),
        ((2.5e9, 400e9), "B/s", False, ("2.5 GB/s", "400 GB/s")),
        ((27.1 * 86400, 7.5 * 86400), "s", False, ("27.1 days", "7.5 days")),
        ((0, 0), "W", False, ("0 W", "0 W")),
        ((1, 5e6), "B", False, ("0.001 kB", "5,000 kB")),
        ((500, 9.99e6), "B", False, ("0.5 kB", "9,990 kB")),
        ((100, 1e7), "B", False, ("0.0001 MB", "10 MB")),
        ((1e11, 5e12), "B", False, ("0.1 TB", "5 TB")),
        ((5, math.inf), "s", False, ("5 s", "without end")),
    ],
)
def test_values_side_by_side_share_a_unit_in_which_the_least_can_be_read(
    values: tuple[float, ...],
    unit: str,
    binary: bool,  # noqa: FBT001
    shown: tuple[str, ...],
) -> None:
    assert units.texts_in_one_unit(values, unit, binary=binary) == shown


@pytest.mark.parametrize(
    ("value", "unit", "message"),
    [
        (94.7e9, "B/s", "95 GB/s"),
        (95e9, "B/s", "95 GB/s"),
        (9.41e9, "B/s", "9.5 GB/s"),
        (142, "s", "2.5 min"),
        (12.4 * 60, "s", "13 min"),
        (21 * 60, "s", "25 min"),
        (2840, "s", "50 min"),
        (0.0234, "s", "25 ms"),
    ],
)
def test_the_next_value_that_people_would_say(value: float, unit: str, message: str) -> None:
    """Two digits of anything; half minutes to ten of them, then minutes, from twenty on fives; likewise other times."""
    assert units.text(writing.rounded_up(value, unit), unit) == message


@pytest.mark.parametrize(
    ("value", "toward", "unit", "shown"),
    [
        (1.2034e12, 3e12, "B/s", "1.21 TB/s"),
        (1.2034e12, 1e12, "B/s", "1.2 TB/s"),
        (1.2034e12, 1.2034e12, "B/s", "1.2 TB/s"),
        (1.2066e12, 1e12, "B/s", "1.2 TB/s"),
        (1.2e12, 3e12, "B/s", "1.2 TB/s"),
        (1.2e12, 1e12, "B/s", "1.2 TB/s"),
        (1.2066e12, 3e12, "B/s", "1.21 TB/s"),
        (-1.2034e12, 0, "B/s", "−1.2 TB/s"),
        (math.inf, 1, "s", "without end"),
    ],
)
def test_a_bound_is_rounded_to_the_side_that_keeps_it(value: float, toward: float, unit: str, shown: str) -> None:
    assert writing.text_toward(value, toward, unit) == shown


@given(st.floats(min_value=1e-9, max_value=2 - 1e-9, allow_nan=False))
def test_only_all_reads_as_all_and_only_nothing_as_nothing(share: float) -> None:
    assume(not 0.9e-9 < abs(share - 1) < 1.1e-9)
    shown = units.text(share, "share")
    assert shown != "0%"
    assert (shown == "100%") == (abs(share - 1) <= 1e-9)


@pytest.mark.parametrize(
    ("value", "symbol", "shown"),
    [
        (1e299, "share", "1.00 × 10³⁰¹%"),
        (1e40, "GPU", "1.00 × 10⁴⁰ GPUs"),
        (5e45, "B/s", "5.00 × 10²⁷ EB/s"),
        (9e18, "share", "900,000,000,000,000,000,000%"),
    ],
)
def test_digits_that_nobody_reads_are_a_power_of_ten(value: float, symbol: str, shown: str) -> None:
    """A share of 1e308 ended in OverflowError, one of 1e299 in 300 digits."""
    assert units.text(value, symbol) == shown

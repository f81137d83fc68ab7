"""Units: what readers type becomes the number they meant, and what they see reads back as the number there is."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators import units
from calculators.catalog import CALCULATORS
from calculators.declare import Quantity

DECLARED = sorted(
    {declared.unit for c in CALCULATORS.values() for declared in c.inputs.values() if isinstance(declared, Quantity)}
    | {step.unit for c in CALCULATORS.values() for step in c.steps.values() if step.unit}
)


@pytest.mark.parametrize(
    ("typed", "unit", "meant"),
    [
        ("70B", "parameter", 70e9),
        ("70 b", "parameter", 70e9),
        ("1.5 trillion", "parameter", 1.5e12),
        ("405,000,000,000", "parameter", 405e9),
        ("7e9", "parameter", 7e9),
        ("15.6T tokens", "token", 15.6e12),
        ("1 token", "token", 1),
        ("0.4", "share", 0.4),
        ("40%", "share", 0.4),
        ("2.5 TB/s", "B/s", 2.5e12),
        ("2.5TB/s", "B/s", 2.5e12),
        ("400 Gbit/s", "B/s", 50e9),
        ("400 Gbps", "B/s", 50e9),
        ("1 TB / s", "B/s", 1e12),
        ("3h", "s", 10800),
        ("90 min", "s", 5400),
        ("250 ms", "s", 0.25),
        ("2 days", "s", 172800),
        ("80 GiB", "B", 80 * 2.0**30),
        ("80 GB", "B", 80e9),
        ("989 TFLOPS", "FLOP/s", 989e12),
        ("989 TFLOP/s", "FLOP/s", 989e12),
        ("989T", "FLOP/s", 989e12),
        ("3.8 × 10²⁵", "FLOP", 3.8e25),
        ("3.8 x 10^25 FLOP", "FLOP", 3.8e25),
        ("700 W", "W", 700),
        ("0.7kW", "W", 700),
        ("1 kWh", "J", 3.6e6),
        ("$2.50", "USD/GPU-hour", 2.5),
        ("2 USD/GPU-hour", "USD/GPU-hour", 2),
        ("5.576M", "USD", 5.576e6),
        ("400 g/kWh", "g/kWh", 0.4 / 3.6e6),
        ("14", "B/parameter", 14),
        ("8 micro-batches", "micro-batch", 8),
        ("−5 s", "s", -5),
    ],
)  # fmt: skip
def test_what_readers_type_becomes_the_number_they_meant(typed: str, unit: str, meant: float) -> None:
    assert units.parse(typed, unit) == pytest.approx(meant, rel=1e-15)


@pytest.mark.parametrize(
    ("typed", "unit"),
    [
        ("", "s"),
        ("many", "parameter"),
        ("70 GB", "parameter"),
        ("3 h", "B"),
        ("40%", "B"),
        ("40%", "parameter"),
        ("1 TB", "B/s"),
        ("nan", "s"),
        ("inf", "s"),
        ("1e400", "s"),
        ("1e999 h", "s"),
        ("1e999999999", "s"),
        ("1 x 10^999", "B"),
        ("3 × 10⁹⁹⁹", "token"),
        ("0 x 10^999", "B/s"),
        ("--5", "s"),
        ("5 5", "s"),
        ("٥ s", "s"),
        ("5 fortnights", "s"),
        ("9" * 81, "B"),
    ],
)
def test_what_is_no_quantity_of_the_kind_is_refused_with_a_sentence(typed: str, unit: str) -> None:
    with pytest.raises(units.UnitError) as refused:
        units.parse(typed, unit)
    assert str(refused.value).startswith("“")
    assert len(str(refused.value)) < 250


@given(st.text(max_size=120), st.sampled_from(DECLARED))
def test_hostile_text_is_a_finite_number_or_a_unit_error(hostile: str, unit: str) -> None:
    with contextlib.suppress(units.UnitError):
        assert math.isfinite(units.parse(hostile, unit))


@given(
    st.from_regex(r"[+\-−]?[0-9.,_]{1,12}([eE][+-]?[0-9]{1,6})?\s?[×x*]?\s?[A-Za-zµ%$/·0-9^-]{0,14}", fullmatch=True),
    st.sampled_from(DECLARED),
)
def test_what_nearly_looks_like_a_quantity_never_raises_anything_else(hostile: str, unit: str) -> None:
    with contextlib.suppress(units.UnitError):
        assert math.isfinite(units.parse(hostile, unit))


@given(
    st.from_regex(r"[0-9]{1,4}\s?[×x*]\s?10(\^|\*\*)?[+-]?[0-9]{1,4}\s?(GB|h|%)?", fullmatch=True),
    st.sampled_from(DECLARED),
)
def test_powers_of_ten_of_any_size_are_finite_or_a_unit_error(hostile: str, unit: str) -> None:
    with contextlib.suppress(units.UnitError):
        assert math.isfinite(units.parse(hostile, unit))


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
        (70e9, "parameter", False, "70B parameters"),
        (1, "GPU", False, "1 GPU"),
        (16384, "GPU", False, "16,384 GPUs"),
        (4, "micro-batch", False, "4 micro-batches"),
        (3.8e25, "FLOP", False, "3.80 × 10²⁵ FLOP"),
        (9.996e25, "FLOP", False, "1.00 × 10²⁶ FLOP"),
        (989e12, "FLOP/s", False, "989 TFLOP/s"),
        (2.5, "USD/GPU-hour", False, "$2.50/GPU-hour"),
        (5.576e6, "USD", False, "$5.58M"),
        (14, "B/parameter", False, "14 B/parameter"),
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


def test_a_unit_nobody_knows_is_named() -> None:
    with pytest.raises(units.UnitError, match="furlong"):
        units.unit("furlong/s")

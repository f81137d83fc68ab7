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
    | {"K", "A", "V", "metre", "L/s", "L/min", "m3/h", "CFM", "rack unit", "USD/TB-month", "IOPS", "bit/s", "1/day"}
    | {"sample/s", "request/s", "share/year", "USD/B", "USD/GB", "J/L/K", "drive", "rack", "kW", "USD/kW-month"}
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
        ("70 billion", "parameter", 70e9),
        ("70 bn", "parameter", 70e9),
        ("15 Trillion tokens", "token", 15e12),
        ("$5 million", "USD", 5e6),
        ("5 million USD", "USD", 5e6),
        ("1,000,000", "token", 1e6),
        ("0 x 10^999", "B/s", 0),
        ("1,234.5 GB", "B", 1234.5e9),
        ("1h30m", "s", 5400),
        ("1 d 6 h", "s", 108000),
        ("1 hour and 30 minutes", "s", 5400),
        ("2 days, 3 h, 4 min", "s", 183840),
        ("90min", "s", 5400),
        ("10 GB per second", "B/s", 10e9),
        ("2 per GPU-hour", "USD/GPU-hour", 2),
        ("0.10 USD/kWh", "USD/kWh", 0.1 / 3.6e6),
        ("$0.10", "USD/kWh", 0.1 / 3.6e6),
        ("5M IOPS", "IOPS", 5e6),
        ("400G", "bit/s", 50e9),
        ("3 DWPD", "1/day", 3 / 86400),
        ("3/day", "1/day", 3 / 86400),
        ("8%", "share/year", 0.08 / 31557600),
        ("43.2 samples/s", "sample/s", 43.2),
        ("30 m", "metre", 30),
        ("1.2 km", "metre", 1200),
        ("60 L/min", "L/s", 1),
        ("3.6 m³/h", "L/s", 1),
        ("42U", "rack unit", 42),
        ("20 USD/TB-month", "USD/TB-month", 20 / (1e12 * 31557600 / 12)),
        ("10 K", "K", 10),
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
        ("--5", "s"),
        ("5 5", "s"),
        ("٥ s", "s"),
        ("5 fortnights", "s"),
        ("9" * 81, "B"),
        ("5 1", "1"),
        ("30m1h", "s"),
        ("1h1h", "s"),
        ("1h30GB", "s"),
        ("8%", "1/day"),
        ("30 m", "L/s"),
        ("5 -", "B"),
        ("5 -day", "s"),
        ("2 nodes", "GPU"),
        ("16 GPUs", "node"),
        ("8 tokens", "parameter"),
    ],
)
def test_what_is_no_quantity_of_the_kind_is_refused_with_a_sentence(typed: str, unit: str) -> None:
    with pytest.raises(units.UnitError) as refused:
        units.parse(typed, unit)
    assert str(refused.value).startswith("“")
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize(
    ("typed", "unit", "instead"),
    [
        ("2,50", "USD/GPU-hour", "2.50"),
        ("70,5B", "parameter", "70.5B"),
        ("2,5TB/s", "B/s", "2.5TB/s"),
        ("0,500", "share", "0.500"),
        ("70,", "s", "70"),
        ("1000,000", "token", "1000000"),
        ("1,00,000", "token", "100000"),
        ("1.234,5 GB", "B", "1234.5 GB"),
        ("1,234,5 GB", "B", "12345 GB"),
        ("1,234.5,6 GB", "B", "1234.56 GB"),
        ("-2,5 s", "s", "-2.5 s"),
    ],
)
def test_a_comma_that_groups_no_thousands_is_refused_with_what_to_write(typed: str, unit: str, instead: str) -> None:
    with pytest.raises(units.UnitError) as refused:
        units.parse(typed, unit)
    assert str(refused.value) == f"“{typed}”: commas only group thousands, as in 1,000,000; write {instead}"
    units.parse(instead, unit)


@pytest.mark.parametrize(
    ("typed", "meant", "why"),
    [
        ("128k", 131072, "128 × 1,024"),
        ("8K tokens", 8192, "8 × 1,024"),
        ("1M", 1048576, "1 × 1,048,576"),
        ("200k", 200000, "200 × 1,000"),
        ("10M", 10000000, "10 × 1,000,000"),
    ],
)
def test_a_length_in_thousands_of_tokens_is_read_as_the_field_writes_it_and_says_so(
    typed: str, meant: int, why: str
) -> None:
    read = units.reading(typed, "token", doubling=True)
    assert read.value == meant
    number = typed.removesuffix(" tokens")
    assert read.remark == f"“{typed}” was read as {meant:,} tokens: a length of {number} is {why}"


@pytest.mark.parametrize(("typed", "meant"), [("131072", 131072), ("15T", 15e12), ("0.5k", 500), ("128,000", 128000)])
def test_other_lengths_are_read_plainly_and_without_a_remark(typed: str, meant: float) -> None:
    assert units.reading(typed, "token", doubling=True) == units.Reading(value=meant)


def test_tokens_that_are_no_length_are_counted_in_thousands() -> None:
    assert units.reading("128k", "token") == units.Reading(value=128000.0)


@given(st.integers(min_value=1, max_value=10**9))
def test_a_length_in_a_box_reads_back_as_the_same_length(length: int) -> None:
    assert units.parse(units.exact_text(length, "token", doubling=True), "token", doubling=True) == length


@pytest.mark.parametrize(
    ("typed", "unit", "ends"),
    [
        ("30–45 %", "share", (0.3, 0.45)),
        ("30-45%", "share", (0.3, 0.45)),
        ("30% - 45%", "share", (0.3, 0.45)),
        ("30..45 %", "share", (0.3, 0.45)),
        ("0.3…0.45", "share", (0.3, 0.45)),
        ("1.5 to 2 TB/s", "B/s", (1.5e12, 2e12)),
        ("500 GB/s to 2 TB/s", "B/s", (5e11, 2e12)),
        ("$2-3/GPU-hour", "USD/GPU-hour", (2, 3)),
        ("$2 to $3", "USD/GPU-hour", (2, 3)),
        ("1-2 GPU-hours", "GPU-hour", (1, 2)),
        ("8–16 micro-batches", "micro-batch", (8, 16)),
        ("70–405B", "parameter", (70e9, 405e9)),
        ("1–2 × 10^9", "parameter", (1e9, 2e9)),
        ("1e-3-2e-3", "share", (0.001, 0.002)),
        ("1h30m to 2h", "s", (5400, 7200)),
        ("5–5 GB", "B", (5e9, 5e9)),
    ],
)
def test_a_range_is_read_as_its_ends(typed: str, unit: str, ends: tuple[float, float]) -> None:
    assert units.read_range(typed, unit) == pytest.approx(ends, rel=1e-15)


def test_a_range_of_lengths_counts_each_end_as_a_length() -> None:
    assert units.read_range("8–128k", "token", doubling=True) == (8192, 131072)


@pytest.mark.parametrize(
    ("typed", "unit"),
    [
        ("1e-3", "share"),
        ("1E-3", "FLOP/s"),
        ("-5", "s"),
        ("−5 s", "s"),
        ("3 × 10⁻³", "share"),
        ("3 x 10^-3", "share"),
        ("8 micro-batches", "micro-batch"),
        ("2.5 USD/GPU-hour", "USD/GPU-hour"),
        ("20 USD/TB-month", "USD/TB-month"),
        ("gpt-3", "1"),
        ("many", "share"),
        ("to 5", "share"),
        ("", "share"),
        ("1-2" * 60, "share"),
    ],
)
def test_what_is_no_range_is_none(typed: str, unit: str) -> None:
    assert units.read_range(typed, unit) is None


@pytest.mark.parametrize(
    ("typed", "unit", "said"),
    [
        ("45–30%", "share", "“45–30%”: a range begins at its lower end; write 30% to 45%"),
        ("30–45 GB", "share", "“45 GB” is not a plain number; write for example 40%"),
        ("1–2,5 TB/s", "B/s", "“2,5 TB/s”: commas only group thousands, as in 1,000,000; write 2.5 TB/s"),
    ],
)
def test_a_range_that_cannot_be_read_says_why(typed: str, unit: str, said: str) -> None:
    with pytest.raises(units.UnitError) as refused:
        units.read_range(typed, unit)
    assert str(refused.value) == said


@given(
    st.floats(min_value=1e-9, max_value=1e24),
    st.floats(min_value=1, max_value=1e3),
    st.sampled_from(DECLARED),
    st.booleans(),
)
def test_a_range_in_a_box_reads_back_as_itself(low: float, times: float, unit: str, doubling: bool) -> None:  # noqa: FBT001
    boxed = units.exact_range(low, low * times, unit, doubling=doubling)
    assert units.read_range(boxed, unit, doubling=doubling) == pytest.approx((low, low * times), rel=1e-15)


@given(st.text(max_size=120), st.sampled_from(DECLARED))
def test_hostile_text_is_a_range_or_none_or_a_unit_error(hostile: str, unit: str) -> None:
    with contextlib.suppress(units.UnitError):
        ends = units.read_range(hostile, unit)
        assert ends is None or ends[0] <= ends[1]


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
        (1825 * 86400, "s", "1,825 days"),
        (5 * 31557600, "s", "5 years"),
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
        ((5, math.inf), "s", False, ("5 s", "without end")),
    ],
)
def test_values_side_by_side_share_a_unit_in_which_the_least_can_be_read(
    values: tuple[float, ...],
    unit: str,
    binary: bool,  # noqa: FBT001
    shown: tuple[str, ...],
) -> None:
    assert units.alike(values, unit, binary=binary) == shown


def test_a_unit_nobody_knows_is_named() -> None:
    with pytest.raises(units.UnitError, match="furlong"):
        units.unit("furlong/s")

"""Units: what readers type becomes the number they meant, or a sentence."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators import units
from tests.units.declared import DECLARED


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
        ("$2.50/h", "USD/GPU-hour", 2.5),
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
        ("1 230 000", "token", 1.23e6),
        ("1\N{THIN SPACE}230\N{THIN SPACE}000", "token", 1.23e6),
        ("1'230'000", "token", 1.23e6),
        ("1’230’000.5", "B", 1230000.5),
        ("70 500 GB", "B", 70.5e12),
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
        ("14 B/parameter", "B/parameter", 14),
        ("2 B/parameter", "B/value", 2),
        ("2.50 USD/GPU-hour", "USD/GPU-hour", 2.5),
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
        ("1 23 000", "s"),
        ("1 230,000", "token"),
        ("1 2300", "token"),
        ("0 500", "token"),
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
        ("1 GB/s/GPU", "B/s"),
        ("1 GB/s per node", "B/s"),
        ("14 B/layer", "B/parameter"),
        ("80 GiB/GPUs", "B"),
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


@pytest.mark.parametrize("typed", ["1.234.567", "1.230.000B", "1.2.3 GB/s"])
def test_points_that_group_thousands_are_refused_and_named(typed: str) -> None:
    with pytest.raises(units.UnitError) as refused:
        units.parse(typed, "1")
    message = "a point begins the decimals, and there are several; commas group thousands"
    assert str(refused.value) == f"“{typed}”: {message}"


@pytest.mark.parametrize(
    ("typed", "meant", "why"),
    [
        ("128k", 131072, "128 × 1,024"),
        ("8K tokens", 8192, "8 × 1,024"),
        ("1M", 1048576, "1 × 1,048,576"),
        ("1m", 1048576, "1 × 1,048,576"),
        ("200k", 200000, "200 × 1,000"),
        ("10M", 10000000, "10 × 1,000,000"),
        ("0k", 0, "0 × 1,000"),
    ],
)
def test_a_length_in_thousands_of_tokens_is_read_as_the_field_writes_it_and_says_so(
    typed: str, meant: int, why: str
) -> None:
    read = units.reading(typed, "token", doubling=True)
    assert read.value == meant
    number = typed.removesuffix(" tokens")
    assert read.note == f"“{typed}” was read as {meant:,} tokens: a length of {number} is {why}"


@pytest.mark.parametrize(("typed", "meant"), [("131072", 131072), ("15T", 15e12), ("0.5k", 500), ("128,000", 128000)])
def test_other_lengths_are_read_plainly_and_without_a_remark(typed: str, meant: float) -> None:
    assert units.reading(typed, "token", doubling=True) == units.Reading(value=meant)


def test_tokens_that_are_no_length_are_counted_in_thousands_which_is_reported_where_both_could_be_meant() -> None:
    message = "“128k” was read as 128,000 tokens: 128 × 1,000, not × 1,024"
    assert units.reading("128k", "token") == units.Reading(value=128000.0, note=message)
    for typed, meant in (("100k", 1e5), ("128M", 128e6), ("128,000", 128e3), ("0k", 0), ("12.8k", 12800)):
        assert units.reading(typed, "token") == units.Reading(value=meant)


@pytest.mark.parametrize(("typed", "meant"), [("400G", 50e9), ("0.8T", 100e9), ("400", 50e9), ("100000M", 12.5e9)])
def test_rates_of_ports_are_read_as_the_field_writes_them(typed: str, meant: float) -> None:
    assert units.parse(typed, "Gbit/s") == pytest.approx(meant, rel=1e-15)


@given(st.integers(min_value=1, max_value=10**9))
def test_a_length_in_a_box_reads_back_as_the_same_length(length: int) -> None:
    assert units.parse(units.exact_text(length, "token", doubling=True), "token", doubling=True) == length


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


def test_a_unit_that_is_unknown_is_named() -> None:
    with pytest.raises(units.UnitError, match="furlong"):
        units.unit("furlong/s")

"""Units: a range that readers type becomes its two ends."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators import units
from tests.units.declared import DECLARED


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
    ("typed", "unit", "message"),
    [
        ("45–30%", "share", "“45–30%”: a range begins at its lower end; write 30% to 45%"),
        ("30–45 GB", "share", "“45 GB” is not a plain number; write for example 40%"),
        ("1–2,5 TB/s", "B/s", "“2,5 TB/s”: commas only group thousands, as in 1,000,000; write 2.5 TB/s"),
    ],
)
def test_a_range_that_cannot_be_read_says_why(typed: str, unit: str, message: str) -> None:
    with pytest.raises(units.UnitError) as refused:
        units.read_range(typed, unit)
    assert str(refused.value) == message


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

"""Symbols of units: what one is worth, in what, and which are counted."""

from __future__ import annotations

import pytest

from calculators.units.symbols import base_symbol, is_count, is_data, plural, unit


@pytest.mark.parametrize(
    ("symbol", "worth", "base"),
    [
        ("kbit", 125, "B"),
        ("KB", 1e3, "B"),
        ("Mbit/s", 125e3, "B/s"),
        ("Gbps", 125e6, "B/s"),
        ("GBps", 1e9, "B/s"),
        ("GiB/S", 2.0**30, "B/s"),
        ("KiB", 1024, "B"),
        ("MiB", 1048576, "B"),
        ("TiB", 2.0**40, "B"),
        ("PiB", 2.0**50, "B"),
        ("EiB", 2.0**60, "B"),
        ("PB", 1e15, "B"),
        ("EB", 1e18, "B"),
        ("ZB", 1e21, "B"),
        ("YB", 1e24, "B"),
        ("ms", 0.001, "s"),
        ("us", 1e-6, "s"),
        ("ns", 1e-9, "s"),
        ("week", 604800, "s"),
        ("month", 2629800, "s"),
        ("year", 31557600, "s"),
        ("kWh", 3.6e6, "J"),
        ("kVA", 1e3, "J/s"),
        ("t", 1e3, "kg"),
        ("tonne", 1e3, "kg"),
        ("g", 1e-3, "kg"),
        ("m3", 1e3, "L"),
        ("km", 1e3, "metre"),
        ("kA", 1e3, "A"),
        ("g/kWh", 1 / 3.6e9, "kg/J"),
        ("USD/TB-month", 1 / 2.6298e18, "USD/B/s"),
        ("DWPD", 1 / 86400, "1/s"),
        ("%", 0.01, "1"),
    ],
)
def test_a_unit_is_worth_what_its_name_says(symbol: str, worth: float, base: str) -> None:
    """A decimal prefix counts in thousands and a binary one in 1,024s; a year is of 365.25 days; a byte has 8 bits."""
    assert unit(symbol).factor == pytest.approx(worth, rel=1e-15)
    assert base_symbol(symbol) == base


def test_a_unit_kept_as_it_is_declared_keeps_its_symbol() -> None:
    for symbol in ("B", "s", "token", "V", "J/L/K"):
        assert base_symbol(symbol) == symbol


def test_a_cubic_foot_a_minute_is_a_flow_in_litres() -> None:
    """A foot is 30.48 cm, so a cubic foot 28.316846592 L; 1,000 CFM are 471.947 L/s."""
    assert unit("CFM").factor * 1000 == pytest.approx(471.947, abs=5e-4)
    assert unit("CFM").dimensions == unit("L/s").dimensions


def test_a_volt_times_an_ampere_is_a_watt() -> None:
    both = dict(unit("V").dimensions)
    for dimension, power in unit("A").dimensions:
        both[dimension] = both.get(dimension, 0) + power
    assert {dimension: power for dimension, power in both.items() if power} == dict(unit("W").dimensions)


def test_words_for_several() -> None:
    assert [plural(word) for word in ("GPU", "switch", "IOPS")] == ["GPUs", "switches", "IOPS"]


def test_what_is_counted_and_what_is_data() -> None:
    assert [is_count(symbol) for symbol in ("token/s", "1", "GPU-hour", "B", "share")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert [is_data(symbol) for symbol in ("B", "B/parameter", "B/s", "bit/s")] == [True, True, False, False]

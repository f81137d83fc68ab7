"""Kinds of quantity: the words with which a message names what a reader typed, or should have."""

from __future__ import annotations

import pytest

from calculators.units.kinds import example, kind


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ("TB", "an amount of data"),
        ("Gbit/s", "a bandwidth"),
        ("min", "a time"),
        ("1/s", "a rate"),
        ("FLOP", "an amount of computation"),
        ("TFLOP/s", "a rate of computation"),
        ("kWh", "an energy"),
        ("kW", "a power"),
        ("USD", "an amount of money"),
        ("g/kWh", "a carbon intensity"),
        ("m3", "a volume"),
        ("L/s", "a flow"),
        ("K", "a difference of temperature"),
        ("A", "a current"),
        ("V", "a voltage"),
        ("km", "a length"),
        ("1", "a plain number"),
        ("share", "a plain number"),
        ("USD/GPU-hour", "a price per GPU-hour"),
        ("USD/TB-month", "a quantity in USD/TB-month"),
        ("IOPS", "a number of operations per second"),
        ("switch", "a number of switches"),
        ("token/s", "a number of tokens per s"),
    ],
)
def test_a_kind_of_quantity_has_a_name(unit: str, words: str) -> None:
    """What a bandwidth is does not depend on the unit that it is written in."""
    assert kind(unit) == words


@pytest.mark.parametrize(
    ("unit", "typed"), [("parameter", "70B"), ("IOPS", "5M IOPS"), ("drive", "8"), ("kWh", "1 kWh")]
)
def test_an_example_is_something_a_reader_may_type(unit: str, typed: str) -> None:
    """One that fits the unit, where there is one; else a plain number of what is counted, or one of the unit."""
    assert example(unit) == typed

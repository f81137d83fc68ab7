"""Ranges of the inputs of all calculators: what a reader may type beyond the slider."""

from __future__ import annotations

from calculators.catalog import CALCULATORS
from calculators.declare import Quantity

MAY_FALL = {("cost", "rent_trend")}  # a change from year to year, which may be a fall


def test_nothing_but_a_trend_may_be_below_zero() -> None:
    """There are no negative sizes, rates, counts, times or shares."""
    below = {
        (calculator.name, name)
        for calculator in CALCULATORS.values()
        for name, declared in calculator.inputs.items()
        if isinstance(declared, Quantity) and declared.hard[0] < 0
    }
    assert below == MAY_FALL

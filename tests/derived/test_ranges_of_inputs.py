"""Ranges of the inputs of all calculators: where a slider ends, and what a reader may type beyond it."""

from __future__ import annotations

import math
import re

from calculators.catalog import CALCULATORS
from calculators.declare import Quantity
from calculators.units import HOUR, YEAR

MAY_FALL = {  # a change from year to year, which may be a fall
    ("cost", "rent_trend"),
    *(("storage_demand", f"{one}_growth") for one in ("checkpoint", "log")),
    *(("data_lifecycle", f"{one}_growth") for one in ("archive", "cache", "checkpoint", "index", "ingest", "log")),
    *(("data_lifecycle", one) for one in ("prepared_growth", "media_price_trend")),
}
NVL576 = 576  # GPUs of the largest scale-up domain that is announced
DAYS_OF_A_YEAR = 365


def quantities() -> list[tuple[str, Quantity]]:
    return [
        (calculator.name, declared)
        for calculator in CALCULATORS.values()
        for declared in calculator.inputs.values()
        if isinstance(declared, Quantity)
    ]


def test_nothing_but_a_trend_may_be_below_zero() -> None:
    """There are no negative sizes, rates, counts, times or shares."""
    assert {(calculator, one.name) for calculator, one in quantities() if one.hard[0] < 0} == MAY_FALL


def is_round(number: float) -> bool:
    """Whether it has two digits at most, or is a power of two or three times one."""
    digits = f"{number:.10g}".partition("e")[0].replace(".", "").replace("-", "").strip("0")
    return len(digits) <= 2 or any(math.log2(abs(number) / odd).is_integer() for odd in (1, 3))


def is_said_shortly(declared: Quantity, end: float) -> bool:
    found = re.search(r"[\d.,]+", declared.box(end))
    assert found is not None
    number = float(found[0].replace(",", ""))
    kinds = (number, number * 1e6, number * 1e3, end, end / HOUR)  # 1.048576M tokens, 16.384 kB; 976.5625 KiB; 100 h
    return any(map(is_round, kinds)) or end in {YEAR, DAYS_OF_A_YEAR * 24 * HOUR, NVL576}


def test_a_range_ends_at_a_figure_that_can_be_reported() -> None:
    """Ends are choices, so each is round, in some unit or as a power of two; one slip of a digit is not."""
    odd = [
        (calculator, one.name, one.box(end))
        for calculator, one in quantities()
        for end in (*one.hard, *one.slider)
        if not is_said_shortly(one, end)
    ]
    assert odd == []

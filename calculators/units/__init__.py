"""Units: the only place where text becomes a number and a number becomes text.

Inside the calculators every value is a plain number in base units: bytes, seconds, FLOP, joules, watts, dollars,
kilograms, shares from 0 to 1. A unit is written as atoms divided by atoms: "B/s", "B/parameter", "USD/GPU-hour".
This module is the one to import from; symbols, kinds, reading and writing do the work.
"""

from calculators.units.kinds import example
from calculators.units.reading import Reading, parse, read_range, reading
from calculators.units.symbols import (
    COUNTS,
    DAY,
    GIB,
    HOUR,
    MILLION,
    MINUTE,
    MONTH,
    YEAR,
    Unit,
    UnitError,
    base_symbol,
    is_count,
    is_data,
    is_time,
    unit,
)
from calculators.units.writing import (
    agreeing,
    counted,
    exact_range,
    exact_text,
    other_system,
    rounded_up,
    rungs,
    text,
    text_in,
    text_toward,
    texts_in_one_unit,
)

__all__ = [
    "COUNTS",
    "DAY",
    "GIB",
    "HOUR",
    "MILLION",
    "MINUTE",
    "MONTH",
    "YEAR",
    "Reading",
    "Unit",
    "UnitError",
    "agreeing",
    "base_symbol",
    "counted",
    "exact_range",
    "exact_text",
    "example",
    "is_count",
    "is_data",
    "is_time",
    "other_system",
    "parse",
    "read_range",
    "reading",
    "rounded_up",
    "rungs",
    "text",
    "text_in",
    "text_toward",
    "texts_in_one_unit",
    "unit",
]

"""Sliders: the round values at which a slider stops."""

import bisect
import dataclasses
import itertools
import math
from functools import cache
from typing import NamedTuple

from calculators import units
from calculators.declare import Quantity

_DECADE = (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9)
_OCTAVE = (1, 1.25, 1.5, 1.75)
_CLOCK = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45)
_HOURS = (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 18)
_DAYS = (1, 1.5, 2, 3, 4, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 365)
_BINARY_BASE = 2.0
_LINEAR_STEPS = 120
_NICE_STEPS = (1, 2, 2.5, 5)


class _Slider(NamedTuple):
    """The properties of an input that decide its stops, the key under which they are cached."""

    slider: tuple[float, float]
    unit: str
    scale: str
    doubling: bool
    binary: bool
    whole: bool


def spanning(declared: Quantity, low: float, high: float) -> Quantity:
    """The input with a slider from `low` to `high`; linear if it begins at 0, where a logarithmic scale cannot."""
    if low > 0:
        return dataclasses.replace(declared, slider=(low, high))
    return dataclasses.replace(declared, slider=(low, high), scale="linear", doubling=False)


def stops(declared: Quantity) -> tuple[float, ...]:
    """All stops of the input's slider, ascending, in base units; its ends are among them."""
    return _stops(
        _Slider(declared.slider, declared.unit, declared.scale, declared.doubling, declared.binary, declared.whole)
    )


@cache
def _stops(declared: _Slider) -> tuple[float, ...]:
    low, high = declared.slider
    if declared.doubling:
        candidates = _series((1.0,), _BINARY_BASE, low, high, 1.0)
    elif declared.scale == "linear":
        return _linear(declared)
    elif declared.unit == "s":
        candidates = [
            *(n * 10.0**power for power in range(-9, 0) for n in (1, 1.5, 2, 3, 4, 5, 6, 8)),
            *(float(n) for n in _CLOCK),
            *(n * units.MINUTE for n in _CLOCK),
            *(n * units.HOUR for n in _HOURS),
            *(n * units.DAY for n in _DAYS),
        ]
    elif declared.binary:
        candidates = _series(_OCTAVE, _BINARY_BASE, low, high, 1.0)
    else:
        candidates = _series(_DECADE, 10.0, low, high, units.unit(declared.unit).factor)
    inside = {low, high, *(value for value in candidates if low < value < high)}
    if declared.whole:
        inside = {value for value in inside if value == round(value)}
    return tuple(sorted(inside))


def _series(leads: tuple[float, ...], base: float, low: float, high: float, factor: float) -> list[float]:
    first = math.floor(math.log(low / factor, base))
    last = math.ceil(math.log(high / factor, base))
    powers = range(first, last + 1)
    values = (lead * base**power for power, lead in itertools.product(powers, leads))
    if base == _BINARY_BASE:
        return [value * factor for value in values]  # exact in a float
    # Ten to the power of 9, not 10.0**9 * 1.1: products of short decimals stay short.
    return [float(f"{value:.12g}") * factor for value in values]


def _linear(declared: _Slider) -> tuple[float, ...]:
    low, high = declared.slider
    factor = units.unit(declared.unit).factor
    rough = (high - low) / factor / _LINEAR_STEPS
    power = math.floor(math.log10(rough))
    step = next((nice * 10.0**power for nice in _NICE_STEPS if nice * 10.0**power >= rough), 10.0 ** (power + 1))
    if declared.binary:
        step = 2.0 ** math.ceil(math.log2(rough))
    if declared.whole:
        step = max(1.0, float(round(step)))
    count = math.floor((high - low) / factor / step + 1e-9)
    values = (low / factor + n * step for n in range(count + 1))
    if not declared.binary:
        values = (float(f"{value:.12g}") for value in values)
    inside = {low, high, *(value * factor for value in values)}
    return tuple(sorted(value for value in inside if low <= value <= high))


def nearest_stop(declared: Quantity, value: float) -> int:
    """Number of the stop nearest to a value; an end of the slider for values beyond it."""
    known = stops(declared)
    after = bisect.bisect_left(known, value)
    if after == 0 or after == len(known):
        return min(after, len(known) - 1)
    return after if known[after] - value < value - known[after - 1] else after - 1

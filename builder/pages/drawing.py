"""Drawing: positions of amounts in a figure. Templates get positions and lengths in the figure's own units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from builder.pages.amounts import Amount, AmountError, read
from calculators import units

if TYPE_CHECKING:
    from builder.pages.amounts import Computed

_CURVE = 48  # straight pieces that draw a curve


@dataclass(frozen=True, kw_only=True)
class Scale:
    """An axis: amounts from `low` to `high` map to `start` to `end`, linearly or logarithmically."""

    unit: str
    low: float
    high: float
    start: float
    end: float
    logarithmic: bool

    def at(self, amount: Amount | str) -> str:
        """Position of an amount. Raises AmountError when that is beyond the axis, or no amount of this kind."""
        base = self._base(amount)
        if not self.low <= base <= self.high:
            message = f"{amount} lies outside of an axis from {self._text(self.low)} to {self._text(self.high)}"
            raise AmountError(message)
        return _written(self.place(base))

    def length(self, amount: Amount | str) -> str:
        """Length of a bar from 0 to the amount. A logarithmic axis has no 0: draw a dot with `at`."""
        if self.logarithmic or self.low:
            message = "a bar needs an axis that starts at nothing: draw a dot"
            raise AmountError(message)
        return _written(abs(float(self.at(amount)) - self.start))

    def between(self, first: Amount | str, second: Amount | str) -> str:
        """Distance of two amounts, for a line that shows a range."""
        return _written(abs(float(self.at(first)) - float(self.at(second))))

    def middle(self, first: Amount | str, second: Amount | str) -> str:
        """Half way between two amounts, for a label."""
        return _written((float(self.at(first)) + float(self.at(second))) / 2)

    def place(self, base: float) -> float:
        """Position of a number in base units, on the axis or beyond it."""
        if self.logarithmic:
            share = math.log(base / self.low) / math.log(self.high / self.low)
        else:
            share = (base - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def stops(self) -> list[float]:
        """Numbers in base units, evenly spread over the axis as it is drawn."""
        steps = [index / _CURVE for index in range(_CURVE + 1)]
        if self.logarithmic:
            return [self.low * (self.high / self.low) ** step for step in steps]
        return [self.low + (self.high - self.low) * step for step in steps]

    def _base(self, amount: Amount | str) -> float:
        stated = read(amount, self.unit) if isinstance(amount, str) else amount
        if units.unit(stated.unit).dimensions != units.unit(self.unit).dimensions:
            message = f"{stated} has no place on an axis of {self.unit}"
            raise AmountError(message)
        return stated.base

    def _text(self, base: float) -> str:
        return units.text(base, self.unit)


def linear(low: str, high: str, *, unit: str, start: float, end: float) -> Scale:
    """An axis on which equal lengths are equal amounts."""
    return _scale(low, high, unit, start, end, logarithmic=False)


def logarithmic(low: str, high: str, *, unit: str, start: float, end: float) -> Scale:
    """An axis on which equal lengths are equal ratios."""
    return _scale(low, high, unit, start, end, logarithmic=True)


def _scale(low: str, high: str, unit: str, start: float, end: float, *, logarithmic: bool) -> Scale:
    ends = [read(each, unit).base for each in (low, high)]
    if not ends[0] < ends[1] or (logarithmic and ends[0] <= 0):
        message = f"no axis goes from {low} to {high}"
        raise AmountError(message)
    return Scale(unit=unit, low=ends[0], high=ends[1], start=start, end=end, logarithmic=logarithmic)


def curve(x: Scale, y: Scale, known: Computed, *, over: str, of: str) -> str:
    """The path of a formula `of` a module over one of its parameters, as far as the axis `x` goes."""
    return "M" + "L".join(f"{_written(across)} {_written(up)}" for across, up in _points(x, y, known, over, of))


def band(x: Scale, y: Scale, ends: tuple[Computed, Computed], *, over: str, of: str) -> str:
    """The path around all between two such curves."""
    lower, upper = (_points(x, y, known, over, of) for known in ends)
    around = [*lower, *reversed(upper)]
    return "M" + "L".join(f"{_written(across)} {_written(up)}" for across, up in around) + "Z"


def _points(x: Scale, y: Scale, known: Computed, over: str, of: str) -> list[tuple[float, float]]:
    return [(x.place(stop), y.place(known.but(**{over: stop})[of].base)) for stop in x.stops()]


def _written(place: float) -> str:
    return f"{place:.1f}".removesuffix(".0")

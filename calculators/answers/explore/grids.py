"""Grids: a result and the worst verdict for every pair of values of two inputs."""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers import sliders
from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.trials import Trials
from calculators.answers.messages import Level
from calculators.declare import Calculator, Input, Quantity, Verdict

LEVELS: tuple[Level, ...] = ("bad", "tight", "good")


@dataclass(frozen=True)
class Axis:
    """Values of one input, in the order of the grid."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Cell:
    """A result and its worst verdict with that verdict's formula; no result where a constraint refuses the inputs."""

    result: float | None
    verdict: Verdict | None = None
    judged_by: str = ""


@dataclass(frozen=True)
class Grid:
    """A result for each value of `across`, in a row for each value of `down`; rows may still be missing.

    `verdicts` are those of which the worst is shown.
    """

    result: str
    across: Axis
    down: Axis
    verdicts: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...] = ()

    def with_row(self, cells: tuple[Cell, ...]) -> "Grid":
        """The grid with one more row."""
        return dataclasses.replace(self, rows=(*self.rows, cells))


def values_of(declared: Input, present: Any, most: int, ends: tuple[float, float] | None = None) -> tuple[Any, ...]:
    """At most so many values of an input from end to end (default: its slider), the present one among them.

    A present value beyond the ends is left out.
    """
    if not isinstance(declared, Quantity):
        return _options([option.value for option in declared.options.values()], present, most)
    low, high = ends or declared.slider
    stops = sliders.stops(sliders.spanning(declared, low, high))
    steps = min(most, len(stops)) - 1
    chosen = [stops[round(place * (len(stops) - 1) / steps)] for place in range(steps + 1)]
    if present is not None and low < present < high and present not in chosen:
        nearest = min(range(1, len(chosen) - 1), key=lambda place: abs(chosen[place] - present), default=0)
        chosen[nearest : nearest + (len(chosen) == most)] = [present]
    return tuple(sorted(chosen))


def _options(options: Sequence[Any], present: Any, most: int) -> tuple[Any, ...]:
    shown = options[:most]
    return tuple(shown if present in shown else [*shown[:-1], present])


@search
def row(trials: Trials, grid: Grid, value: Any) -> Pauses[tuple[Cell, ...]]:
    """Cells of the row with this value of `down`."""
    cells = []
    for other in grid.across.values:
        found = yield from trials.each_after({grid.down.name: value, grid.across.name: other})
        cells.append(Cell(None) if found is None else _cell(found, grid))
        yield
    return tuple(cells)


def trials_of(calculator: Calculator, values: Mapping[str, Any], grid: Grid) -> Trials:
    """What computes the cells of a grid."""
    return Trials(calculator, values, {grid.across.name, grid.down.name}, {grid.result, *grid.verdicts})


@search
def filled(calculator: Calculator, values: Mapping[str, Any], grid: Grid) -> Pauses[Grid]:
    """The grid with all its rows."""
    trials = trials_of(calculator, values, grid)
    for value in grid.down.values:
        cells = yield from row(trials, grid, value)
        grid = grid.with_row(cells)
    return grid


def _cell(found: Mapping[str, Any], grid: Grid) -> Cell:
    number = found[grid.result]
    if not isinstance(number, int | float) or not math.isfinite(number):
        return Cell(None)
    worst = min(grid.verdicts, key=lambda name: LEVELS.index(found[name].level), default="")
    return Cell(float(number), found[worst] if worst else None, worst)

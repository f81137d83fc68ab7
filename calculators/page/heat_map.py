"""A heat map of two inputs: as a picture in SVG, and as the table from whose cells the explore panel takes values.

Cells say their value, and their verdict by a sign as well as by a color.
"""

from collections.abc import Generator, Mapping
from typing import Any

from calculators.answers.explore import grids
from calculators.answers.explore.grids import Axis, Cell, Grid
from calculators.answers.messages import Answer, Review, Row, Table
from calculators.answers.review import heat_map, sweep
from calculators.declare import Calculator, Choice, Input, InputError, Values
from calculators.page.drawing import WIDTH, picture, words

_LEFT, _TOP, _BOTTOM = 96, 66, 14
_HIGH = 38
_GAP = 1
_PALE = 0.22
_TITLE = "Select a cell to use its values; the framed one is the current state"


def drawn(calculator: Calculator, values: Mapping[str, Any], grid: Grid, place: str = "map") -> str:
    """The picture of a grid."""
    formula = calculator.steps[grid.result]
    across, down = (calculator.inputs[axis.name] for axis in (grid.across, grid.down))
    wide = (WIDTH - _LEFT) / len(grid.across.values)
    shown = [
        words(0, 16, formula.label, "f-label"),
        words(0, _TOP - 28, f"{down.label} ↓, {across.label} →", "f-small"),
    ]
    shown += [
        words(_LEFT + (number + 0.5) * wide, _TOP - 8, heat_map.short(across, value), "f-number f-mid", anchor="middle")
        for number, value in enumerate(grid.across.values)
    ]
    for number, (value, cells) in enumerate(zip(grid.down.values, grid.rows, strict=False)):
        top = _TOP + number * _HIGH
        shown.append(words(_LEFT - 8, top + _HIGH / 2 + 4, heat_map.short(down, value), "f-number f-end", anchor="end"))
        for place_across, (other, cell) in enumerate(zip(grid.across.values, cells, strict=True)):
            is_present = heat_map.is_present(values, grid, other, value)
            shown += _cell(calculator, grid, cell, (_LEFT + place_across * wide, top, wide), is_present=is_present)
    height = _TOP + len(grid.down.values) * _HIGH + _BOTTOM
    about = " ".join(heat_map.sentences(calculator, values, grid))
    title = f"{formula.label} for {across.label} and {down.label}"
    return picture(f"{place}-{grid.across.name}-{grid.down.name}-{grid.result}", height, title, about, shown)


def _cell(
    calculator: Calculator, grid: Grid, cell: Cell, box: tuple[float, float, float], *, is_present: bool
) -> list[str]:
    left, top, wide = box
    level = cell.verdict.level if cell.verdict else "none"
    size = f'x="{left + _GAP:.1f}" y="{top + _GAP:.1f}" width="{wide - 2 * _GAP:.1f}" height="{_HIGH - 2 * _GAP}"'
    value, _, sign = heat_map.cell_text(calculator, grid, cell).rpartition(" ") if cell.verdict else ("", "", "")
    middle = left + wide / 2
    shown = [f'<rect class="f-{level}" fill="currentColor" opacity="{_PALE if cell.verdict else 0.06}" {size}/>']
    if is_present:
        shown.append(f'<rect class="f-live" fill="none" stroke="currentColor" stroke-width="2.5" {size}/>')
    if not cell.verdict:
        text = heat_map.cell_text(calculator, grid, cell)
        return [*shown, words(middle, top + _HIGH / 2 + 4, text, "f-small f-strong f-mid", anchor="middle")]
    return [
        *shown,
        words(middle, top + _HIGH / 2 - 2, value, "f-small f-strong f-mid", anchor="middle"),
        words(middle, top + _HIGH / 2 + 13, f"{sign} now" if is_present else sign, "f-small f-mid", anchor="middle"),
    ]


def responses(
    calculator: Calculator, values: Values, settings: Mapping[str, str], result: str, movers: list[str]
) -> Generator[Answer, None, None]:
    """The map, row by row as it is computed; without chosen inputs that of the first two of `movers`."""
    usual = [name for name in (*movers, *calculator.first_sliders) if values[name] is not None]
    across = _axis(calculator, values, settings, "across", usual, heat_map.MOST_ACROSS)
    others = [name for name in usual if name != across.name]
    down = _axis(calculator, values, settings, "down", others, heat_map.MOST_DOWN)
    if across.name == down.name:
        raise InputError({"down": "Choose two different inputs."})
    grid = Grid(result, across, down, heat_map.verdicts_of(calculator, settings.get("verdict", "")))
    trials = grids.trials_of(calculator, values, grid)
    for value in down.values:
        row = yield from grids.row(trials, grid, value).slices()
        grid = grid.with_row(row)
        yield {"review": _review(calculator, values, grid)}


def _axis(
    calculator: Calculator, values: Values, settings: Mapping[str, str], key: str, usual: list[str], most: int
) -> Axis:
    chosen = calculator.inputs.get(settings.get(key, "")) or calculator.inputs.get(usual[0] if usual else "")
    if chosen is None:
        raise InputError({key: "Choose two inputs."})
    return Axis(chosen.name, grids.values_of(chosen, values[chosen.name], most, _ends(chosen, settings, key)))


def _ends(declared: Input, settings: Mapping[str, str], key: str) -> tuple[float, float] | None:
    if isinstance(declared, Choice):
        return None
    return sweep.ends_of(declared, *(settings.get(f"{key}_{end}", "").strip() for end in ("from", "to")))


def _review(calculator: Calculator, values: Values, grid: Grid) -> Review:
    missing = len(grid.down.values) - len(grid.rows)
    return Review(
        problem="",
        sentences=heat_map.sentences(calculator, values, grid),
        drawing="" if missing else drawn(calculator, values, grid, "review"),
        tables=[
            Table(
                title=_TITLE,
                folded=False,
                heads=heat_map.heads(calculator, grid),
                rows=[
                    _row(calculator, values, grid, value, cells)
                    for value, cells in zip(grid.down.values, grid.rows, strict=False)
                ],
            )
        ],
        notes=[f"Still computing {missing} of {len(grid.down.values)} rows."] if missing else [],
    )


def _row(calculator: Calculator, values: Values, grid: Grid, value: Any, cells: tuple[Cell, ...]) -> Row:
    across, down = (calculator.inputs[axis.name] for axis in (grid.across, grid.down))
    present = values[grid.across.name], values[grid.down.name]
    return {
        "cells": [
            heat_map.short(down, value),
            *(heat_map.cell_text(calculator, grid, cell) for cell in cells),
        ],
        "marked": [place for place, other in enumerate(grid.across.values, start=1) if present == (other, value)],
        "options": [
            {
                "level": cell.verdict.level if cell.verdict else "",
                "title": ", ".join(
                    [
                        f"{across.label} {across.text(other)}",
                        f"{down.label} {down.text(value)}",
                        *([f"{calculator.steps[cell.judged_by].label} {cell.verdict.word}"] if cell.verdict else []),
                    ]
                ),
                "changes": {} if cell.result is None else {across.name: across.box(other), down.name: down.box(value)},
            }
            for other, cell in zip(grid.across.values, cells, strict=True)
        ],
    }

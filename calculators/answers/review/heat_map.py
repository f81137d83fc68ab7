"""Heat map as text, table and data: a result for pairs of values of two inputs, with the worst verdict of each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from calculators import units
from calculators.answers.explore import grids
from calculators.answers.explore.grids import Axis, Cell, Grid
from calculators.answers.explore.search import Run, Search
from calculators.answers.input_state import parse_value
from calculators.answers.review import sweep, uncertainty
from calculators.answers.suggestions import not_an_input, suggestion
from calculators.declare import Calculator, Input, InputError, Quantity, Values

MOST_ACROSS, MOST_DOWN = 9, 7
SIGNS = MappingProxyType({"good": "✓", "tight": "!", "bad": "✕"})
_ENDS = ".."
REFUSED = "refused"


def parse(
    calculator: Calculator,
    values: Values,
    asked: Sequence[str],
    asked_result: str = "",
    asked_verdict: str = "",
    *,
    run: Run = Search.run,
) -> Grid:
    """The grid of two of "INPUT", "INPUT=FROM..TO", "INPUT=VALUE,VALUE": the first across. Raises InputError."""
    across, down = (
        _axis(calculator, values, text, most) for text, most in zip(asked, (MOST_ACROSS, MOST_DOWN), strict=True)
    )
    if across.name == down.name:
        raise InputError({"sweep": f"“{across.name}” is swept twice; name another input"})
    result = asked_result or sweep.first_number(calculator, values, across.name)
    result = uncertainty.result_named(calculator, values, result, "result")
    found: Grid = run(
        grids.filled(calculator, values, Grid(result, across, down, verdicts_of(calculator, asked_verdict)))
    )
    return found


def verdicts_of(calculator: Calculator, asked: str) -> tuple[str, ...]:
    """The verdicts of which the worst is shown: all, or the one asked for. Raises InputError."""
    names = tuple(formula.name for formula in calculator.of_role("verdict"))
    if not asked:
        return names
    name = calculator.result_aliases.get(asked.replace("-", "_"), asked.replace("-", "_"))
    if name not in names:
        raise InputError({"verdict": f"“{asked}” is not a verdict; {suggestion(calculator, name, names)}"})
    return (name,)


def sentences(calculator: Calculator, values: Mapping[str, Any], grid: Grid) -> list[str]:
    """What the grid shows, from its least to its largest result, and how many states have which verdict."""
    formula = calculator.steps[grid.result]
    shown = [cell for row in grid.rows for cell in row]
    known = [cell.result for cell in shown if cell.result is not None]
    across, down = (calculator.inputs[axis.name].label for axis in (grid.across, grid.down))
    ends = f", from {formula.text(min(known))} to {formula.text(max(known))}" if known else ""
    found = [f"{formula.label} for {len(shown)} pairs of {across} and {down}{ends}."]
    levels = Counter(cell.verdict.level for cell in shown if cell.verdict)
    if levels:
        counts = (f"{SIGNS[level]} {level} at {levels[level]}" for level in reversed(grids.LEVELS) if levels[level])
        judged = calculator.steps[grid.verdicts[0]].label if len(grid.verdicts) == 1 else "Worst verdict"
        found.append(f"{judged.rstrip('?')}: {', '.join(counts)}.")
    refused = len(shown) - len(known)
    if refused:
        found.append(
            f"{units.counted(refused, 'pair')} refused by a constraint or a framework, or without a finite number."
        )
    if not is_marked(values, grid):
        found.append("The current state is outside.")
    return found


def is_marked(values: Mapping[str, Any], grid: Grid) -> bool:
    """Whether the present state is one of the cells."""
    return all(values[axis.name] in axis.values for axis in (grid.across, grid.down))


def is_present(values: Mapping[str, Any], grid: Grid, across: Any, down: Any) -> bool:
    """Whether the cell at these values is the present state."""
    return bool(values[grid.across.name] == across and values[grid.down.name] == down)


def cell_text(calculator: Calculator, grid: Grid, cell: Cell) -> str:
    """Result and sign of a cell."""
    if cell.result is None:
        return REFUSED
    text = calculator.steps[grid.result].text(cell.result)
    return f"{text} {SIGNS[cell.verdict.level]}" if cell.verdict else text


def heads(calculator: Calculator, grid: Grid) -> list[str]:
    """The values across, behind the name of the input that goes down."""
    across, down = (calculator.inputs[axis.name] for axis in (grid.across, grid.down))
    return [f"{down.label} ↓, {across.label} →", *(short(across, value) for value in grid.across.values)]


def short(declared: Input, value: Any) -> str:
    """Text of a value at the edge of the grid."""
    if isinstance(declared, Quantity):
        return units.text(value, declared.unit, binary=declared.binary, label=False)
    return declared.text(value).partition(":")[0]


def lines(calculator: Calculator, values: Values, grid: Grid) -> list[str]:
    """The sentences and a table, for a terminal; the present state is in brackets."""
    down = calculator.inputs[grid.down.name]
    rows = [heads(calculator, grid)]
    for value, cells in zip(grid.down.values, grid.rows, strict=True):
        texts = [
            f"[{text}]" if is_present(values, grid, other, value) else text
            for other, text in zip(
                grid.across.values, (cell_text(calculator, grid, cell) for cell in cells), strict=True
            )
        ]
        rows.append([short(down, value), *texts])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return [" ".join(sentences(calculator, values, grid)), "", *table]


def described(calculator: Calculator, values: Values, grid: Grid) -> dict[str, Any]:
    """All cells as plain data, in base units; rows are those of `down`."""
    return {
        "result": {
            "name": grid.result,
            "unit": units.base_symbol(calculator.steps[grid.result].unit),
            "now": values[grid.result],
        },
        "across": _described_axis(calculator, values, grid.across),
        "down": _described_axis(calculator, values, grid.down),
        "cells": [
            [
                {
                    "result": cell.result,
                    **(
                        {"level": cell.verdict.level, "verdict": cell.judged_by, "word": cell.verdict.word}
                        if cell.verdict
                        else {}
                    ),
                }
                for cell in row
            ]
            for row in grid.rows
        ],
        "sentence": " ".join(sentences(calculator, values, grid)),
    }


def _described_axis(calculator: Calculator, values: Values, axis: Axis) -> dict[str, Any]:
    declared = calculator.inputs[axis.name]
    if isinstance(declared, Quantity):
        unit = units.base_symbol(declared.unit)
        return {"input": axis.name, "unit": unit, "now": values[axis.name], "values": list(axis.values)}
    return {
        "input": axis.name,
        "now": declared.key(values[axis.name]),
        "values": [declared.key(value) for value in axis.values],
    }


def _axis(calculator: Calculator, values: Values, asked: str, most: int) -> Axis:
    name, _, texts = (part.strip() for part in asked.partition("="))
    declared = calculator.inputs.get(calculator.canonical_names.get(name.replace("-", "_"), ""))
    if declared is None:
        raise InputError({"sweep": f"{not_an_input(calculator, name)}; --help lists them"})
    present = values[declared.name]
    if texts and (_ENDS not in texts or not isinstance(declared, Quantity)):
        return Axis(declared.name, tuple(_value(declared, text) for text in texts.split(",")))
    ends = None
    if isinstance(declared, Quantity) and texts:
        first, _, last = (part.strip() for part in texts.partition(_ENDS))
        ends = sweep.ends_of(declared, first, last)
    return Axis(declared.name, grids.values_of(declared, present, most, ends))


def _value(declared: Input, text: str) -> Any:
    try:
        return parse_value(declared, text.strip())
    except ValueError as error:
        raise InputError({"sweep": str(error)}) from None

"""A sweep as a picture in SVG.

Our own picture, drawn in Python, and no charting library: a page must be complete before any script runs, and the
engine is Python already, so one drawing serves the build, the live page, the command line and a notebook. A library
(Observable Plot with what it needs is over 200 kB) would be a second hand for the same lines, absent without script.
Lines differ by dashes and by their names at their ends, not by color, so that they do in print and in the dark; the
colors are those of the site's figures where its style sheets are there, else the text's own.
"""

import bisect
import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from calculators import units
from calculators.answers import sliders
from calculators.answers.explore.sweeps import Line, Sweep
from calculators.declare import Calculator, Choice, Quantity
from calculators.page.drawing import WIDTH, Axis, is_log, picture, round_values, rule, words

# Lengths in the picture.
_HEIGHT = 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 20, 34, 56
_NAMES = 120  # room for the names of several lines
_DASHES = ("", "7 4", "2 3", "9 3 2 3", "14 4", "4 6")
_MOST_WORDS = 6  # lines of them below the top
_LOG_FROM = 30.0  # results that spread over more than this factor have a logarithmic axis, along a logarithmic input
_LINE = 14
# Baselines of the words of verdicts: those above the axis where the line passes through all those below the top
_BELOW_TOP = tuple(_TOP + 12 + row * _LINE for row in range(_MOST_WORDS))
_ABOVE_AXIS = tuple(_HEIGHT - _BOTTOM - 6 - row * _LINE for row in range(_MOST_WORDS))
_LETTER = 6.3


def chart(calculator: Calculator, values: Mapping[str, Any], found: Sweep, about: str, place: str = "sweep") -> str:
    """The picture of a sweep; `about` is the sentence that says what it shows, `place` sets it apart on a page."""
    declared = calculator.inputs[found.name]
    if isinstance(declared, Choice):
        message = f"{found.name} is a choice"
        raise TypeError(message)
    formula = calculator.steps[found.result]
    known = [result for line in found.lines for result in line.results if result is not None]
    x = Axis(found.points[0], found.points[-1], _LEFT, WIDTH - (_NAMES if found.family else _RIGHT), is_log(declared))
    x = dataclasses.replace(x, log=x.log and x.low > 0)
    y = _of_results(known, along_log=x.log)
    drawn = [
        *_vertical_ticks(y, formula.unit, binary=formula.binary, end=x.end),
        *_horizontal_ticks(x, declared),
        *_boundaries(found, x, y),
        *itertools.chain.from_iterable(
            _line(line, found, x, y, _DASHES[number % len(_DASHES)]) for number, line in enumerate(found.lines)
        ),
        *(_line_names(calculator, found, x, y) if found.family else ()),
        *(() if found.family else _present(calculator, values, found, x, y)),
        words(_LEFT, _TOP - 16, formula.label, "f-label"),
        words((x.start + x.end) / 2, _HEIGHT - 8, declared.label, "f-label f-mid", anchor="middle"),
    ]
    title = f"{formula.label} along {declared.label}"
    return picture(f"{place}-{found.name}-{found.result}", _HEIGHT, title, about, drawn)


def _of_results(known: Sequence[float], *, along_log: bool) -> Axis:
    """The axis of the results: logarithmic where they spread far along a logarithmic input, else from 0."""
    low, high = min(known, default=0.0), max(known, default=1.0)
    if along_log and low > 0 and high / low > _LOG_FROM:
        return Axis(low / 1.1, high * 1.1, _HEIGHT - _BOTTOM, _TOP, log=True)
    low = min(0.0, low)
    return Axis(low, low + ((high - low) or 1.0) * 1.08, _HEIGHT - _BOTTOM, _TOP, log=False)


def _horizontal_ticks(x: Axis, declared: Quantity) -> list[str]:
    shown = dataclasses.replace(declared, slider=(x.low, x.high))
    if not x.log:
        shown = dataclasses.replace(shown, scale="linear", doubling=False)
    drawn = []
    for value in round_values(shown):
        at = x.at(value)
        label = units.text(value, declared.unit, binary=declared.binary, label=False)
        drawn += [
            rule("f-line", "0.25", "", (at, _TOP), (at, _HEIGHT - _BOTTOM)),
            words(at, _HEIGHT - _BOTTOM + 18, label, "f-small f-mid", anchor="middle"),
        ]
    return drawn


def _vertical_ticks(y: Axis, unit: str, *, binary: bool, end: float) -> list[str]:
    axis = Quantity(
        unit=unit,
        label="",
        default=None,
        hard=(y.low, y.high),
        slider=(y.low, y.high),
        scale="log" if y.log else "linear",
        binary=binary,
    )
    drawn = []
    ends = {y.low, y.high} if y.log else {y.high}
    for value in (one for one in round_values(axis) if one not in ends):
        at = y.at(value)
        drawn += [
            rule("f-line", "0.25", "", (_LEFT, at), (end, at)),
            words(
                _LEFT - 8, at + 4, units.text(value, unit, binary=binary, label=False), "f-small f-end", anchor="end"
            ),
        ]
    return drawn


def _boundaries(found: Sweep, x: Axis, y: Axis) -> list[str]:
    """Where verdicts change, of a single line: a rule with the words of both sides, clear of the line."""
    if found.family:
        return []
    drawn = []
    rows: dict[float, list[tuple[float, float]]] = {height: [] for height in (*_BELOW_TOP, *_ABOVE_AXIS)}
    for _, threshold in found.lines[0].thresholds:
        at = x.at(threshold.first)
        drawn.append(rule("f-live", "1", "3 3", (at, _TOP), (at, _HEIGHT - _BOTTOM)))
        fits = at + (len(threshold.above.word) + 2) * _LETTER < x.end
        text = f"{threshold.above.word} →" if fits else f"← {threshold.below.word}"
        wide = len(text) * _LETTER
        start, end = (at + 5, at + 5 + wide) if fits else (at - 5 - wide, at - 5)
        clear = [one for one in rows if not _is_on_line(found, x, y, (start, end), one)]
        clear = [one for one in clear if one in _BELOW_TOP] or clear
        height = next((one for one in clear if all(end < left or right < start for left, right in rows[one])), None)
        if height is None:
            continue  # more words than fit are in the table and the sentence
        rows[height].append((start, end))
        drawn.append(
            words(start, height, text, "f-small f-halo")
            if fits
            else words(end, height, text, "f-small f-halo f-end", anchor="end")
        )
    return drawn


def _is_on_line(found: Sweep, x: Axis, y: Axis, span: tuple[float, float], height: float) -> bool:
    """Whether the line passes through the words on this baseline, between these two places."""
    pairs = zip(found.points, found.lines[0].results, strict=True)
    places = [(x.at(point), y.at(result)) for point, result in pairs if result is not None]
    top, bottom = height - _LINE, height + _LINE / 3
    for (left, one), (right, other) in itertools.pairwise(places):
        if right < span[0] or left > span[1] or right == left:
            continue
        inside = [one + (other - one) * (min(max(at, left), right) - left) / (right - left) for at in span]
        if min(inside) < bottom and max(inside) > top:
            return True
    return False


def _line(line: Line, found: Sweep, x: Axis, y: Axis, dashes: str) -> list[str]:
    """A line, in pieces where values are refused."""
    pieces: list[list[str]] = [[]]
    for point, result in zip(found.points, line.results, strict=True):
        if result is None:
            pieces.append([])
        else:
            pieces[-1].append(f"{x.at(point):.1f},{y.at(result):.1f}")
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return [
        f'<polyline class="f-rule" fill="none" stroke="currentColor" stroke-width="1.5"{dashed} '
        f'points="{" ".join(piece)}"/>'
        for piece in pieces
        if piece
    ]


def _line_names(calculator: Calculator, found: Sweep, x: Axis, y: Axis) -> list[str]:
    """The second input's values at the ends of the lines, apart from each other, under its label."""
    family = calculator.inputs[found.family]
    ends = []
    for line in found.lines:
        last = next((result for result in reversed(line.results) if result is not None), None)
        if last is not None:
            ends.append((y.at(last), family.text(line.value).partition(":")[0]))
    drawn = [words(WIDTH, _TOP - 16, family.label, "f-small f-end", anchor="end")]
    lowest = -math.inf
    for at, text in sorted(ends):
        lowest = max(at + 4, lowest + _LINE)
        drawn.append(words(x.end + 8, lowest, text, "f-small f-number"))
    return drawn


def _present(calculator: Calculator, values: Mapping[str, Any], found: Sweep, x: Axis, y: Axis) -> list[str]:
    """The point of the present state, which pages let the reader drag; its words where the line is not."""
    present, result = values[found.name], values[found.result]
    if not isinstance(present, int | float) or not x.low <= present <= x.high:
        return []
    at, high = x.at(present), y.at(result)
    left = at > (x.start + x.end) / 2
    is_above = left == _rises_at(present, found)
    names = f'data-along="{found.name}" data-result="{found.result}"'
    return [
        f'<g class="chart-point" {names} data-places="{_places(calculator, found, x, y)}">',
        f'<circle class="f-fill-1" fill="currentColor" cx="{at:.1f}" cy="{high:.1f}" r="5"/>',
        words(
            at + (-9 if left else 9),
            max(high - 8, _TOP + 10) if is_above else min(high + 18, _HEIGHT - _BOTTOM - 6),
            calculator.steps[found.result].text(result),
            f"f-number f-halo{' f-end' if left else ''}",
            anchor="end" if left else "start",
        ),
        "</g>",
    ]


def _places(calculator: Calculator, found: Sweep, x: Axis, y: Axis) -> str:
    """Where the point is at the stops of the input's slider: "number,x,y" of each stop at which the line is drawn."""
    declared = calculator.inputs[found.name]
    if isinstance(declared, Choice):
        return ""
    drawn = [
        (x.at(point), None if result is None else y.at(result))
        for point, result in zip(found.points, found.lines[0].results, strict=True)
    ]
    at_stops = ((number, x.at(stop)) for number, stop in enumerate(sliders.stops(declared)) if x.low <= stop <= x.high)
    heights = ((number, at, _height(drawn, at)) for number, at in at_stops)
    return " ".join(f"{number},{at:.0f},{high:.0f}" for number, at, high in heights if high is not None)


def _height(drawn: Sequence[tuple[float, float | None]], at: float) -> float | None:
    """The height of a line at a place between its ends; None in a gap."""
    after = min(bisect.bisect_left([place for place, _ in drawn], at), len(drawn) - 1)
    (left, low), (right, high) = drawn[max(after - 1, 0)], drawn[after]
    if right in (at, left):
        return high
    return None if low is None or high is None else low + (high - low) * (at - left) / (right - left)


def _rises_at(present: float, found: Sweep) -> bool:
    """Whether the line goes up from the last point below the present one to the first above it."""
    pairs = zip(found.points, found.lines[0].results, strict=True)
    known = [(point, result) for point, result in pairs if result is not None]
    below = [result for point, result in known if point < present]
    above = [result for point, result in known if point > present]
    return bool(above and below and above[0] > below[-1])

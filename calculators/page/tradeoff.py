"""A tradeoff as a picture in SVG: the curve, the current state, the target, the end, published points."""

from collections.abc import Mapping
from typing import Any

from calculators import units
from calculators.declare import Calculator, Mark, Quantity, Tradeoff
from calculators.page.drawing import WIDTH, Axis, picture, round_values, rule, words

# Lengths in the picture.
_HEIGHT = 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 24, 34, 56
_ROOM = 1.08
_SIDE = 4.5


def tradeoff(calculator: Calculator, values: Mapping[str, Any]) -> tuple[str, str]:
    """The picture, and the sentence that says what it shows; both empty for a calculator without one."""
    tradeoff = calculator.tradeoff
    if tradeoff is None:
        return "", ""
    evaluate = calculator.trials(values, {tradeoff.along}, {tradeoff.across, tradeoff.up})
    places, present = tradeoff.places(values), values[tradeoff.along]
    here = {present} if places[0] <= present <= places[-1] else set()
    curve = [(place, evaluate({tradeoff.along: place})) for place in sorted({*places, *here})]
    points = [(place, found[tradeoff.across], found[tradeoff.up]) for place, found in curve]
    caption = _sentence(calculator, tradeoff, values, points)
    return _drawn(calculator, tradeoff, values, [point[1:] for point in points], caption), caption


def _sentence(
    calculator: Calculator, tradeoff: Tradeoff, values: Mapping[str, Any], points: list[tuple[float, float, float]]
) -> str:
    across, up = calculator.steps[tradeoff.across].text, calculator.steps[tradeoff.up].text
    along = calculator.inputs[tradeoff.along].text
    (first, x, y), (last, x_end, y_end) = points[0], points[-1]
    here = f"{along(values[tradeoff.along])}: {across(values[tradeoff.across])}, {up(values[tradeoff.up])}"
    marks = tradeoff.marks(values)
    published = f" {len(marks)} published points are marked: {marks[0].label}." if marks else ""
    operating = tradeoff.operating(values)
    of_load = (
        f" {operating.label.capitalize()}: {calculator.steps[tradeoff.across].text(operating.across)}, "
        f"{up(operating.up)}."
        if operating
        else ""
    )
    return (
        f"{_tradeoff_of(calculator, tradeoff.up)} over {_tradeoff_of(calculator, tradeoff.across).lower()}, "
        f"from {along(first)} ({across(x)}, {up(y)}) "
        f"to {along(last)} ({across(x_end)}, {up(y_end)}), where {tradeoff.end_label}. Current state: {here}."
        f"{of_load}{published}"
    )


def _tradeoff_of(calculator: Calculator, name: str) -> str:
    return calculator.steps[name].label


def _drawn(
    calculator: Calculator,
    tradeoff: Tradeoff,
    values: Mapping[str, Any],
    curve: list[tuple[float, float]],
    caption: str,
) -> str:
    marks, target, operating = tradeoff.marks(values), tradeoff.target(values), tradeoff.operating(values)
    shown = [*marks, operating] if operating else marks
    here = (values[tradeoff.across], values[tradeoff.up])
    far = max(x for x, _ in [*curve, here, *((mark.across, mark.up) for mark in shown)])
    high = max(y for _, y in [*curve, here, *((mark.across, mark.up) for mark in shown)])
    x = Axis(0.0, far * _ROOM, _LEFT, WIDTH - _RIGHT, log=False)
    y = Axis(0.0, high * _ROOM, _HEIGHT - _BOTTOM, _TOP, log=False)
    line = " ".join(f"{x.at(one):.1f},{y.at(other):.1f}" for one, other in curve)
    end = curve[-1]
    drawn = [
        *_ticks(calculator, tradeoff.up, y, upright=True),
        *_ticks(calculator, tradeoff.across, x, upright=False),
        *_target(x, target, tradeoff.target_label),
        f'<polyline class="f-rule" fill="none" stroke="currentColor" stroke-width="1.5" points="{line}"/>',
        *(_square(x.at(mark.across), y.at(mark.up)) for mark in marks),
        rule("f-rule", "1", "", (x.at(end[0]), y.at(end[1]) - 7), (x.at(end[0]), y.at(end[1]) + 7)),
        f'<circle class="f-fill-1" fill="currentColor" cx="{x.at(here[0]):.1f}" cy="{y.at(here[1]):.1f}" r="5"/>',
        words(x.at(here[0]) + 9, y.at(here[1]) - 7, "full batch" if operating else "you", "f-number f-halo"),
        *_operating(x, y, operating),
        words(_LEFT, _TOP - 16, calculator.steps[tradeoff.up].label, "f-label"),
        words(
            (x.start + x.end) / 2,
            _HEIGHT - 8,
            calculator.steps[tradeoff.across].label,
            "f-label f-mid",
            anchor="middle",
        ),
    ]
    return picture(f"tradeoff-{tradeoff.across}-{tradeoff.up}", _HEIGHT, tradeoff.title, caption, drawn)


def _target(x: Axis, target: float | None, label: str) -> list[str]:
    if target is None or not x.low <= target <= x.high:
        return []
    at = x.at(target)
    right = at > (x.start + x.end) / 2
    return [
        rule("f-live", "1", "3 3", (at, _TOP), (at, _HEIGHT - _BOTTOM)),
        words(
            at + (-5 if right else 5),
            _TOP + 12,
            label,
            f"f-small f-halo{' f-end' if right else ''}",
            anchor="end" if right else "start",
        ),
    ]


def _operating(x: Axis, y: Axis, mark: Mark | None) -> list[str]:
    if mark is None:
        return []
    at, high = x.at(mark.across), y.at(mark.up)
    ring = f'<circle class="f-live" fill="none" stroke="currentColor" stroke-width="2" cx="{at:.1f}" cy="{high:.1f}"'
    return [
        f'{ring} r="6"/>',
        words(at + 9, high + 16, mark.label, "f-number f-halo"),
    ]


def _square(at: float, high: float) -> str:
    side = 2 * _SIDE
    return (
        f'<rect class="f-live" fill="none" stroke="currentColor" stroke-width="1.5" '
        f'x="{at - _SIDE:.1f}" y="{high - _SIDE:.1f}" width="{side:g}" height="{side:g}"/>'
    )


def _ticks(calculator: Calculator, name: str, axis: Axis, *, upright: bool) -> list[str]:
    formula = calculator.steps[name]
    ends = (axis.low, axis.high)
    scale = Quantity(unit=formula.unit, label="", default=None, hard=ends, slider=ends)
    drawn = []
    for value in (one for one in round_values(scale) if one < axis.high):
        at = axis.at(value)
        label = units.text(value, formula.unit, label=False)
        if upright:
            drawn += [
                rule("f-line", "0.25", "", (_LEFT, at), (WIDTH - _RIGHT, at)),
                words(_LEFT - 8, at + 4, label, "f-small f-end", anchor="end"),
            ]
        else:
            drawn += [
                rule("f-line", "0.25", "", (at, _TOP), (at, _HEIGHT - _BOTTOM)),
                words(at, _HEIGHT - _BOTTOM + 18, label, "f-small f-mid", anchor="middle"),
            ]
    return drawn

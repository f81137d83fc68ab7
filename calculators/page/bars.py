"""Bars that begin where they must: a ranking of what moves a result, and a waterfall from one state to another.

Drawn in Python for the reasons that chart.py gives. Every bar has its numbers next to it, so that readers need not read
them off; tones only set the two directions of a bar apart, which its numbers say as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calculators.page.drawing import WIDTH, Axis, picture, rule, words

# Lengths in the picture.
_TOP, _ROW, _BAR = 30, 38, 18
_LABELS = 236
_NUMBERS = 84  # room for a number next to the longest bar, on each side
_LETTERS = 36


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar: what it is, a note below that, and its pieces from value to value, each with the style of its fill.

    `before` and `after` are the texts at its two ends, the lower end first.
    """

    label: str
    note: str = ""
    pieces: Sequence[tuple[float, float, str]]
    before: str = ""
    after: str = ""


def bars(
    name: str,
    about: tuple[str, str],
    drawn: Sequence[Bar],
    *,
    now: float | None = None,
    linked: bool = False,
) -> str:
    """The picture; `about` is its title and the sentence that says what it shows, `now` the value to mark.

    `linked`: each bar begins where the one before it ended, and a line says so.
    """
    ends = [value for bar in drawn for piece in bar.pieces for value in piece[:2]]
    marked = [] if now is None else [now]
    low, high = min([*ends, *marked]), max([*ends, *marked])
    room = (high - low) or abs(high) or 1.0
    x = Axis(low, low + room, _LABELS + _NUMBERS, WIDTH - _NUMBERS, log=False)
    bottom = _TOP + _ROW * len(drawn)
    parts = [
        *([] if now is None else [rule("f-live", "1", "3 3", (x.at(now), _TOP - 4), (x.at(now), bottom))]),
        *(part for place, bar in enumerate(drawn) for part in _bar(bar, x, _TOP + _ROW * place)),
        *(_links(drawn, x) if linked else ()),
        words(0, _TOP - 14, about[0], "f-label"),
    ]
    return picture(name, bottom, *about, parts)


def _bar(bar: Bar, x: Axis, top: float) -> Iterator[str]:
    label = bar.label if len(bar.label) <= _LETTERS else bar.label[: _LETTERS - 1] + "…"
    middle = top + _ROW / 2
    yield words(0, middle + (-1 if bar.note else 4), label, "f-label")
    if bar.note:
        yield words(0, middle + 13, bar.note, "f-small")
    places = [x.at(value) for piece in bar.pieces for value in piece[:2]]
    for start, end, style in bar.pieces:
        left, right = sorted((x.at(start), x.at(end)))
        yield (
            f'<rect class="{style}" fill="currentColor" fill-opacity="{"0.55" if style == "f-fill-2" else "1"}" '
            f'x="{left:.1f}" y="{middle - _BAR / 2:.1f}" width="{max(right - left, 1.5):.1f}" height="{_BAR}"/>'
        )
    if bar.before:
        yield words(min(places) - 6, middle + 4, bar.before, "f-small f-halo f-end", anchor="end")
    if bar.after:
        yield words(max(places) + 6, middle + 4, bar.after, "f-small f-halo")


def _links(drawn: Sequence[Bar], x: Axis) -> Iterator[str]:
    for place, bar in enumerate(drawn[:-1]):
        at = x.at(bar.pieces[-1][1])
        middle = _TOP + _ROW * place + _ROW / 2
        yield rule("f-line", "1", "", (at, middle + _BAR / 2), (at, middle + _ROW - _BAR / 2))

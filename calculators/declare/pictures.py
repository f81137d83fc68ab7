"""Pictures of answers: bars to scale, laid out in Python so that a page needs no script."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Tone = Literal[
    "weights", "gradients", "optimizer", "activations", "logits", "other", "free", "work", "stall", "write", "cache"
]
_WHOLE = 100.0
_BEYOND_THE_LIMIT = 1.2  # how much of the width, in limits, so that what is too much can be seen
_EXEMPT_TO = 2.0
_BREAK_AT, _BREAK = 97.0, 0.8  # the mark in a bar that goes on beyond the edge [percent of the width]
_THINNEST = 0.7  # percent: four or five pixels of a bar, enough for a color and a pattern
_NOTICEABLE = 1.001
_GAP = 0.25  # of a block: also where blocks are thin there is more of them than of the gaps
_FEWEST_BLOCKS = 8  # so that a lone block is no bar across the whole picture


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A piece of a bar: the input or result that gives its length, and the tone in which it is drawn."""

    value: str
    tone: Tone


@dataclass(frozen=True, kw_only=True)
class Row:
    """One bar: its label, and its segments from left to right. If `exempt`, the limit does not apply to it.

    In a picture of blocks, `below` names the links that lead down from it, and `narrow` the value above 1 which says
    that they take less than is sent into them.
    """

    label: str
    segments: tuple[Segment, ...]
    below: str = ""
    narrow: str = ""
    exempt: bool = False


def bar(label: str, *, below: str = "", narrow: str = "", exempt: bool = False, **tones: Tone) -> Row:
    """A bar whose segments are the values named, each in its tone.

    >>> [segment.value for segment in bar("Wall clock", ideal_duration="work", lost_to_goodput="stall").segments]
    ['ideal_duration', 'lost_to_goodput']
    """
    segments = tuple(Segment(value=value, tone=tone) for value, tone in tones.items())
    return Row(label=label, segments=segments, below=below, narrow=narrow, exempt=exempt)


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Bars on one scale, all values in one unit. `limit` names the value drawn as a line across them.

    What goes beyond the limit is too much, unless it is `reached`; then bars are cut at `at_most` limits. `listed`
    names what the legend lists where rows draw the same in the same tones; otherwise it lists all.
    With `blocks`, bars are counted: cut into blocks, one for each or for a group of so many that at most `blocks` fit,
    and set in the middle; their rows have one segment, and there is no limit.
    """

    title: str
    rows: tuple[Row, ...]
    limit: str = ""
    limit_label: str = ""
    reached: bool = False
    at_most: float = math.inf
    listed: tuple[str, ...] = ()
    blocks: int = 0

    @property
    def shown(self) -> tuple[str, ...]:
        """Names of the legend's values in order, without repetition; the limit last."""
        drawn = [segment.value for row in self.rows for segment in row.segments]
        return tuple(dict.fromkeys([*(self.listed or drawn), *filter(None, [self.limit])]))


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A picture laid out: positions in percent of its width, and what is not true to scale.

    `places`: "row.segment" -> {x, width}, "row.excess" -> {x, width} of what is beyond the limit, "limit" -> {x1, x2}.
    `widened` names the values drawn wider than they are, so that they can be seen; `cut` are the numbers of the rows
    that go on beyond the edge, "row.break" -> {x, width} is the mark in them, and `edge` is what would reach it.
    Of blocks: "row.block" -> {x, width} of the first and "row.gap" of what parts it from the next, "row.links" and,
    where they are too few, "row.narrow" -> {x, width} of the links below a row; `group`: how many a block represents.
    """

    places: Mapping[str, Mapping[str, str]]
    widened: tuple[str, ...]
    cut: tuple[int, ...]
    edge: float
    group: int = 0


def drawing(picture: Bars, values: Mapping[str, Any]) -> Drawing:
    """Layout of a picture for these values. With a limit the scale is the limit's, so that no bar ever shrinks.

    A bar that is exempt from the limit may widen the scale, to twice the limit.
    """
    if picture.blocks:
        return _blocks(picture, values)
    lengths = [[max(0.0, float(values[segment.value])) for segment in row.segments] for row in picture.rows]
    limit = max(0.0, float(values[picture.limit])) if picture.limit else 0.0
    longest = max(map(sum, lengths))
    exempt = [sum(there) for row, there in zip(picture.rows, lengths, strict=True) if row.exempt]
    edge = (
        max(limit, min(longest, picture.at_most * limit))
        if picture.reached
        else min(max([limit * _BEYOND_THE_LIMIT, *exempt]), limit * _EXEMPT_TO)
        or longest
        or 1.0  # any scale will do for nothing
    )
    places: dict[str, Mapping[str, str]] = {}
    widened: dict[str, None] = {}
    for number, (row, there) in enumerate(zip(picture.rows, lengths, strict=True)):
        start = 0.0
        widths = _seen(_cut([length / edge * _WHOLE for length in there]), there)
        for segment, length, width, place in zip(row.segments, there, widths, itertools.count()):
            places[f"{number}.{place}"] = {"x": _percent(start), "width": _percent(width)}
            start += width
            if width > length / edge * _WHOLE * _NOTICEABLE:
                widened[segment.value] = None
        if picture.limit:
            line = limit / edge * _WHOLE
            excess = 0.0 if picture.reached or row.exempt else max(0.0, min(start, _WHOLE) - line)
            places[f"{number}.excess"] = {"x": _percent(line), "width": _percent(excess)}
    if picture.limit:
        at = _percent(limit / edge * _WHOLE)
        places["limit"] = {"x1": at, "x2": at}
    cut = tuple(number for number, there in enumerate(lengths) if sum(there) > edge * _NOTICEABLE)
    for number in range(len(lengths)):
        places[f"{number}.break"] = {"x": _percent(_BREAK_AT), "width": _percent(_BREAK if number in cut else 0.0)}
    return Drawing(places=places, widened=tuple(widened), cut=cut, edge=edge)


def _blocks(picture: Bars, values: Mapping[str, Any]) -> Drawing:
    """Layout of blocks: each as wide as every other, rows in the middle, links as wide as the row above."""
    counts = [max(0.0, float(values[row.segments[0].value])) for row in picture.rows]
    group = 1
    while max(counts) > group * picture.blocks:
        group *= 2
    shown = [math.ceil(count / group) for count in counts]
    width = _WHOLE / max(_FEWEST_BLOCKS, *shown)
    places: dict[str, Mapping[str, str]] = {}
    for number, (row, blocks) in enumerate(zip(picture.rows, shown, strict=True)):
        start = (_WHOLE - blocks * width) / 2
        places[f"{number}.0"] = {"x": _percent(start), "width": _percent(blocks * width)}
        places[f"{number}.block"] = {"x": _percent(start), "width": _percent(width)}
        places[f"{number}.gap"] = {"x": _percent(0.0), "width": _percent(width * _GAP)}
        if row.below:
            there = float(values[row.below]) > 0 and blocks > 0
            narrow = bool(row.narrow) and float(values[row.narrow]) > 1
            links = blocks * width if there else 0.0
            places[f"{number}.links"] = {"x": _percent(start), "width": _percent(links)}
            places[f"{number}.narrow"] = {"x": _percent(start), "width": _percent(links if narrow else 0.0)}
    return Drawing(places=places, widened=(), cut=(), edge=_WHOLE / width, group=group)


def _cut(widths: Sequence[float]) -> list[float]:
    """Widths, cut where they exceed the room."""
    ends = [min(_WHOLE, end) for end in itertools.accumulate(widths)]
    return [end - start for start, end in itertools.pairwise([0.0, *ends])]


def _seen(widths: Sequence[float], lengths: Sequence[float]) -> list[float]:
    """Widths with a visible minimum for values above 0, taken from the widest."""
    room = min(_WHOLE, sum(widths))
    starts = itertools.accumulate([0.0, *widths])
    shown = [
        max(width, _THINNEST) if length and start < _WHOLE else width
        for width, length, start in zip(widths, lengths, starts, strict=False)
    ]
    widest = max(range(len(shown)), key=shown.__getitem__)
    shown[widest] = max(min(shown[widest], _THINNEST), shown[widest] - max(0.0, sum(shown) - room))
    return shown


def _percent(share: float) -> str:
    return f"{share:.3f}%"

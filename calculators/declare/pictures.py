"""Pictures of answers: bars as long as values of the graph, laid out in Python so that a page needs no script."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Tone = Literal[
    "weights", "gradients", "optimizer", "activations", "logits", "other", "free", "work", "stall", "write", "cache"
]
_WHOLE = 100.0


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A piece of a bar: the input or result that gives its length, and the tone in which it is drawn."""

    value: str
    tone: Tone


@dataclass(frozen=True, kw_only=True)
class Row:
    """One bar: what it stands for, and its segments from left to right."""

    label: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Bars on one scale, all values in one unit. `limit` names the value drawn as a line across them."""

    title: str
    rows: tuple[Row, ...]
    limit: str = ""
    limit_label: str = ""

    def names(self) -> tuple[str, ...]:
        """The names of all values drawn, each once, in the order of the legend."""
        drawn = dict.fromkeys(segment.value for row in self.rows for segment in row.segments)
        return tuple(drawn)


def lengths(picture: Bars, values: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Where everything stands, in percent of the picture's width: "row.segment" -> {x, width}, "limit" -> {x}."""

    def length(name: str) -> float:
        return max(0.0, float(values[name]))

    totals = [sum(length(segment.value) for segment in row.segments) for row in picture.rows]
    scale = max([*totals, length(picture.limit) if picture.limit else 0.0]) or 1.0
    placed: dict[str, dict[str, str]] = {}
    for row_number, row in enumerate(picture.rows):
        start = 0.0
        for segment_number, segment in enumerate(row.segments):
            width = length(segment.value) / scale * _WHOLE
            placed[f"{row_number}.{segment_number}"] = {"x": _percent(start), "width": _percent(width)}
            start += width
    if picture.limit:
        at = _percent(length(picture.limit) / scale * _WHOLE)
        placed["limit"] = {"x1": at, "x2": at}
    return placed


def _percent(share: float) -> str:
    return f"{share:.3f}%"

"""Tradeoffs: two results plotted against each other along one input, with published points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A published point near the curve: its label and its two results."""

    label: str
    across: float
    up: float


@dataclass(frozen=True, kw_only=True)
class Tradeoff:
    """A curve of the result `up` over the result `across`, one point for each place of the input `along`.

    `places` are the values of that input for which it is drawn, the last one where the curve must end, as
    `end_label` says; `target` is where a line is drawn on the axis across, if at all; `marks` are published points
    that belong to these values; `operating` is the point of these values next to the curve, where there is one.
    """

    title: str
    about: str
    along: str
    across: str
    up: str
    places: Callable[[Mapping[str, Any]], Sequence[float]]
    end_label: str
    target: Callable[[Mapping[str, Any]], float | None]
    target_label: str
    marks: Callable[[Mapping[str, Any]], Sequence[Mark]]
    operating: Callable[[Mapping[str, Any]], Mark | None] = lambda _: None

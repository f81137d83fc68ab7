"""Measurements: the reader's own run compared with the model, as a curve along one input."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Reason:
    """Reason why a run may be slow: its symptom, and what to check."""

    name: str
    looks: str
    look_at: str


@dataclass(frozen=True, kw_only=True)
class Point:
    """Measured point: the input's value and the measured result."""

    along: float
    result: float


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A run compared with the model: its points, its share of `best`, and the likely reasons, likeliest first.

    `best` names the result that an unlimited run would approach.
    """

    points: tuple[Point, ...]
    best: str
    share: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """Format of benchmark output that can be pasted, and its reader.

    `along` is the input and `result` the result that are drawn; `lines` are further curves, by their labels. `given`
    returns the inputs that a text contains; `compare` reads it and takes the model's values at a point. Both
    raise ValueError, in a sentence, for a text that holds nothing. `leader` names which line leads at a place: where it
    changes, the curve is marked.
    """

    title: str
    about: str
    pasted: str
    along: str
    result: str
    lines: Mapping[str, Callable[[Mapping[str, Any]], float | None]]
    leader: Callable[[Mapping[str, Any]], str]
    given: Callable[[str], Mapping[str, str]]
    compare: Callable[[str, Callable[[float], Mapping[str, Any]]], Compared]

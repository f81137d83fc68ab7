"""Records of an overlay: what the reader's own files state, next to the published facts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calculators.facts.stated import Stated

OWN = "own"
"""Kind and source of what an overlay states."""


@dataclass(frozen=True)
class Own(Stated):
    """A record or source that an overlay states; `what` is what a facts file would state."""

    what: Mapping[str, Any] = field(default_factory=dict)

    def parsed(self) -> Mapping[str, Any]:
        """The record as a facts file would state it."""
        return self.what


@dataclass
class Overlay:
    """Records and sources of the files by their keys, and sentences on what could not be read."""

    records: dict[str, Stated] = field(default_factory=dict)
    sources: dict[str, Stated] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    """What was read, in words: "drives: Our QLC (yours)"."""

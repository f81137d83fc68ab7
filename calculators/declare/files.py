"""Files that a reader pastes instead of choosing a menu's record."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Read:
    """Contents of a file: values in base units by the names of inputs, and a sentence for readers.

    `strip` are lines of equally wide letters; `parts` a label, a number and a share for each part.
    """

    values: Mapping[str, Any]
    sentence: str
    remarks: tuple[str, ...] = ()
    strip: tuple[str, ...] = ()
    parts: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class File:
    """File that may replace a menu's record: its name and its reader.

    `read` raises ValueError with a sentence for everything not understood.
    """

    name: str
    about: str
    read: Callable[[str], Read]

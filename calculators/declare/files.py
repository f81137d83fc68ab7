"""Files of the reader's own: what a text that they paste says in place of a menu's record."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Read:
    """What a text says: values in base units by the names of inputs, and what readers are told of it.

    `strip` are lines of equally wide letters; `parts` a label, a number and a share for each part.
    """

    values: Mapping[str, Any]
    sentence: str
    remarks: tuple[str, ...] = ()
    strip: tuple[str, ...] = ()
    parts: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class File:
    """A file that may stand in place of a menu's record: what it is called, and how it is read.

    `read` raises ValueError with a sentence for all that was not understood.
    """

    name: str
    about: str
    read: Callable[[str], Read]

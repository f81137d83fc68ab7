"""Sheets: tables beside the results, whose sentences hold present values, to be read, printed and handed on."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table under a title. `rows` gives as many rows for any values, each cell with {names} of the graph in it.

    `name` is its flag on the command line. With `commands`, the last column is to be typed into a terminal.
    """

    name: str
    title: str
    about: str
    columns: tuple[str, ...]
    rows: Callable[[Mapping[str, Any]], Iterable[tuple[str, ...]]]
    commands: bool = False

"""Tables below the results, with sentences that contain current values."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Table:
    """Table with a title. `rows` returns the same number of rows for any values; cells contain {names} of the graph.

    `name` is its flag on the command line. With `commands`, the last column is to be typed into a terminal.
    """

    name: str
    title: str
    about: str
    columns: tuple[str, ...]
    rows: Callable[[Mapping[str, Any]], Iterable[tuple[str, ...]]]
    commands: bool = False

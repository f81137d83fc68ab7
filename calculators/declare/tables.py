"""Tables below the results, with sentences that hold present values, to be read, printed and shared."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table under a title. `rows` gives as many rows for any values; cells hold {names} of the graph.

    `name` is its flag on the command line. With `commands`, the last column is to be typed into a terminal.
    """

    name: str
    title: str
    about: str
    columns: tuple[str, ...]
    rows: Callable[[Mapping[str, Any]], Iterable[tuple[str, ...]]]
    commands: bool = False

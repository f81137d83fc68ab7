"""Values: every input and result of a calculator in one state."""

from collections.abc import Iterable, Mapping
from typing import Any


class Values(dict[str, Any]):
    """Every input and result by name, in base units.

    `given` names the inputs that the reader or a menu gave, all others having their defaults; `ranges` holds
    the range of every input that the reader gave as one.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        given: Iterable[str],
        ranges: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        super().__init__(values)
        self.given = frozenset(given)
        self.ranges = dict(ranges or {})

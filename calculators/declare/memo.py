"""Memos: the value made last for each name, so that a page that moves one input waits only for what changed."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


def identical(one: object, other: object) -> bool:
    """Whether two values are the same in type and value: 1 and 1.0 are not."""
    return one is other or (type(one) is type(other) and one == other)


def store(known: dict[Any, Made], key: object, found: Made, most: int) -> None:
    """Store a value under its key, and drop the oldest if there are more than `most`."""
    known[key] = found
    if len(known) > most:
        del known[next(iter(known))]


class Memo(Generic[Made]):
    """Value made last for each name, by a function of the name, its value and further arguments."""

    def __init__(self, make: Callable[..., Made]) -> None:
        self._make = make
        self._last: dict[str, tuple[Any, tuple[Any, ...], Made]] = {}

    def __call__(self, name: str, value: Any, *rest: Any) -> Made:
        """Value for these arguments: the last one if they are the same, else made again."""
        last = self._last.get(name)
        if last is not None and identical(last[0], value) and last[1] == rest:
            return last[2]
        made = self._make(name, value, *rest)
        self._last[name] = (value, rest, made)
        return made

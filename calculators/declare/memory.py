"""What was made last: a page that asks in one state after another waits only for what became different."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


def alike(one: object, other: object) -> bool:
    """Whether nothing can be told apart of two values: 1 and 1.0 are not alike."""
    return one is other or (type(one) is type(other) and one == other)


def remember(known: dict[Any, Made], key: object, found: Made, most: int) -> None:
    """Keep what was found for later, and forget what was found first when there is too much."""
    known[key] = found
    if len(known) > most:
        del known[next(iter(known))]


class Memory(Generic[Made]):
    """For each name the last that was made for it, by a function of the name, its value and whatever else counts."""

    def __init__(self, make: Callable[..., Made]) -> None:
        self._make = make
        self._last: dict[str, tuple[Any, tuple[Any, ...], Made]] = {}

    def __call__(self, name: str, value: Any, *rest: Any) -> Made:
        """What is made from these: what was made last, if it was from the same."""
        last = self._last.get(name)
        if last is not None and alike(last[0], value) and last[1] == rest:
            return last[2]
        made = self._make(name, value, *rest)
        self._last[name] = (value, rest, made)
        return made

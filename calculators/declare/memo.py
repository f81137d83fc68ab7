"""Bounded caches of values that a page needs again."""

from typing import Any, TypeVar

Made = TypeVar("Made")


def identical(one: object, other: object) -> bool:
    """Whether two values have the same type and value: 1 and 1.0 do not."""
    return one is other or (type(one) is type(other) and one == other)


def store(known: dict[Any, Made], key: object, found: Made, most: int) -> None:
    """Store a value under its key, and drop the oldest if there are more than `most`."""
    known[key] = found
    if len(known) > most:
        del known[next(iter(known))]

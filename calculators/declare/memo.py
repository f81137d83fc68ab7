"""Bounded caches of values that a page needs again."""

from typing import Any, TypeVar

Made = TypeVar("Made")


def identical(one: object, other: object) -> bool:
    """Whether two values have the same type and value: 1 and 1.0 do not."""
    return one is other or (type(one) is type(other) and one == other)


def store(known: dict[Any, Made], key: object, found: Made, most: int) -> Made:
    """Store a value under its key, drop the oldest beyond `most`, and return it. Threads may do so at once."""
    known[key] = found
    if len(known) > most:
        for old in list(known)[:-most]:
            known.pop(old, None)  # another thread may have dropped it
    return found

"""Work in pauses, between which a page is answered, run without them."""

from collections.abc import Generator
from typing import Any, TypeVar

Found = TypeVar("Found")


def finished(work: Generator[Any, None, Found]) -> Found:
    """Run work to its end and return its result."""
    try:
        while True:
            next(work)
    except StopIteration as end:
        found: Found = end.value
        return found

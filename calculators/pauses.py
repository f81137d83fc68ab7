"""Work that pauses, so that something else can be done in between, run without its pauses."""

from collections.abc import Generator
from typing import Any, TypeVar

Found = TypeVar("Found")


def finished(work: Generator[Any, None, Found]) -> Found:
    """What the work returns, once it is at its end."""
    try:
        while True:
            next(work)
    except StopIteration as end:
        found: Found = end.value
        return found

"""A search: work that pauses after every trial, so that a page can answer something else in between.

It is run to its end with `run()`, told to a page with `slices()`, and made part of a longer search by `yield from`.
"""

import functools
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, ParamSpec, TypeVar

from calculators.answers.messages import Answer

Found = TypeVar("Found")
Given = ParamSpec("Given")
Pauses = Generator[None, None, Found]


@dataclass(frozen=True)
class Search(Generic[Found]):
    """A search that has not begun; it can be made once."""

    pauses: Pauses[Found]

    def __iter__(self) -> Pauses[Found]:
        """The pauses; what the search finds is what `yield from` gives."""
        return self.pauses

    def run(self) -> Found:
        """What the search finds, without pauses."""
        try:
            while True:
                next(self.pauses)
        except StopIteration as end:
            found: Found = end.value
            return found

    def slices(self) -> Generator[Answer, None, Found]:
        """An empty response at every pause; what the search finds is what `yield from` gives."""
        try:
            while True:
                next(self.pauses)
                yield {}
        except StopIteration as end:
            found: Found = end.value
            return found


def search(function: Callable[Given, Pauses[Found]]) -> Callable[Given, Search[Found]]:
    """A function that gives a Search, from the one that makes it trial by trial."""

    @functools.wraps(function)
    def begun(*args: Given.args, **kwargs: Given.kwargs) -> Search[Found]:
        return Search(function(*args, **kwargs))

    return begun

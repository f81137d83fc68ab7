"""A search: work that pauses after every trial, so that a page can answer other requests in between.

`run()` runs it to its end, `slices()` runs it for a page, and `yield from` makes it part of a longer search.
"""

import functools
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar

from calculators.answers.messages import Answer
from calculators.declare import InputError
from calculators.pauses import finished

Found = TypeVar("Found")
Given = ParamSpec("Given")
Pauses = Generator[None, None, Found]


@dataclass(frozen=True)
class Search(Generic[Found]):
    """A search that has not started; it runs once."""

    pauses: Pauses[Found]

    def __iter__(self) -> Pauses[Found]:
        """The pauses; `yield from` returns what the search finds."""
        return self.pauses

    def run(self) -> Found:
        """Result of the search, without pauses in between."""
        return finished(self.pauses)

    def slices(self) -> Generator[Answer, None, Found]:
        """An empty response at every pause; `yield from` returns what the search finds."""
        try:
            while True:
                next(self.pauses)
                yield {}
        except StopIteration as end:
            found: Found = end.value
            return found


class StoppedError(InputError):
    """A search that was ended before its end, with a sentence that says how far it came."""

    @property
    def sentence(self) -> str:
        """How far it came."""
        return " ".join(self.problems.values())


# What runs a search to its end: `Search.run`, or something that reports and ends it
Run = Callable[[Search[Any]], Any]


def search(function: Callable[Given, Pauses[Found]]) -> Callable[Given, Search[Found]]:
    """The function as one that returns a Search."""

    @functools.wraps(function)
    def started(*args: Given.args, **kwargs: Given.kwargs) -> Search[Found]:
        return Search(function(*args, **kwargs))

    return started

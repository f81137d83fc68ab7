"""Memory: what a build leaves to the next one in the same process, each result under all that it was made from.

A build from nothing starts with an empty memory and goes the same way, so that a rebuilt site cannot differ from it.
What a process reads only once (Python, facts, published cases, mkdocs.yml) is no part of these keys: when such a file
changes, `workshop` starts a new process.
"""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from pathlib import Path

_Result = TypeVar("_Result")


class Memory:
    """Results of steps that depend on nothing but their keys. Nobody may change a result."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] = {}
        self._used: dict[Hashable, Any] = {}

    def recall(self, made_from: Hashable, make: Callable[[], _Result]) -> _Result:
        """Return what was made from the same before, else make it. The key begins with the name of the step."""
        found = self.find(made_from)
        result: _Result = make() if found is None else found
        self.keep(made_from, result)
        return result

    def find(self, made_from: Hashable) -> Any:
        """Return what was made from the same before, or None."""
        found = self._used.get(made_from)
        return self._kept.get(made_from) if found is None else found

    def keep(self, made_from: Hashable, result: object) -> None:
        """Have a result ready for the next build, if this one succeeds."""
        self._used[made_from] = result

    @contextmanager
    def of_one_build(self) -> Iterator[None]:
        """Keep what the build in the `with` block used if it succeeds, else what the last good one did.

        So a page that was warned about is made, and warned about, again; and nothing piles up.
        """
        self._used = {}
        try:
            yield
            self._kept = self._used
        finally:
            self._used = {}


def digest(folder: Path) -> str:
    """One hash for all files of a folder, names included."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    each = [(path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()) for path in files]
    return hashlib.sha256(repr(each).encode()).hexdigest()

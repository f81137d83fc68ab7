"""Cache: results that one build leaves to the next in the same process, each under everything it was made from.

A build from scratch starts with an empty cache and takes the same path, so a rebuilt site cannot differ from it. What a
process reads only once (Python, facts, published cases, mkdocs.yml) is not part of the keys: when such a file changes,
`serving.build_process` starts a new process.
"""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from pathlib import Path

_Result = TypeVar("_Result")


class Cache:
    """Results of steps that depend on nothing but their keys. Results are shared: do not change one."""

    def __init__(self) -> None:
        self._previous: dict[Hashable, Any] = {}
        self._used: dict[Hashable, Any] = {}

    def get(self, key: Hashable, make: Callable[[], _Result]) -> _Result:
        """Return the result stored under the key, else make it. The key begins with the name of the step."""
        found = self.find(key)
        result: _Result = make() if found is None else found
        self.store(key, result)
        return result

    def find(self, key: Hashable) -> Any:
        """Return the result stored under the key, or None."""
        found = self._used.get(key)
        return self._previous.get(key) if found is None else found

    def store(self, key: Hashable, result: object) -> None:
        """Store a result for the next build, if this one succeeds."""
        self._used[key] = result

    @contextmanager
    def one_build(self) -> Iterator[None]:
        """Keep what the build in the `with` block used if it succeeds, else what the last good build used.

        So a page with a warning is made, and warned about, again; and nothing accumulates.
        """
        self._used = {}
        try:
            yield
            self._previous = self._used
        finally:
            self._used = {}


def digest(folder: Path) -> str:
    """One hash for all files of a folder, names included."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    each = [(path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()) for path in files]
    return hashlib.sha256(repr(each).encode()).hexdigest()

"""Artifact: the files that a build step wrote, in memory, for every build of one process that needs the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Generic, TypeVar

from builder.paths import CACHE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Artifact(Generic[_Result]):
    """The result of a step, and its files by their paths below the site's folder."""

    result: _Result
    files: Mapping[str, bytes]

    def write(self, site_dir: Path) -> None:
        """Write the files into the site."""
        for path, content in self.files.items():
            place = site_dir / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


def collect(step: Callable[[Path], _Result]) -> Artifact[_Result]:
    """Run a step that writes into the folder it is given, and collect its files."""
    with TemporaryDirectory(prefix="artifact-", dir=CACHE) as scratch:
        result = step(Path(scratch))
        return Artifact(result, _files(Path(scratch)))


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

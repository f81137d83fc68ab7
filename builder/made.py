"""Made: the files that a step wrote, held ready for every build of one process that needs the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Generic, TypeVar

from builder.paths import CACHE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Made(Generic[_Answer]):
    """What the step answered, and its files by their paths below the site's folder."""

    answer: _Answer
    files: Mapping[str, bytes]

    def put(self, site_dir: Path) -> None:
        """Write the files into the site."""
        for path, content in self.files.items():
            place = site_dir / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


def made(write: Callable[[Path], _Answer]) -> Made[_Answer]:
    """Run a step that writes into the folder it is given."""
    with TemporaryDirectory(prefix="made-", dir=CACHE) as scratch:
        answer = write(Path(scratch))
        return Made(answer, _files(Path(scratch)))


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

"""Records of the facts files; each is parsed on first use.

Parsing all of them takes longer than everything else of an import together, and most are only for the page of numbers.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

_FOLDER = Path(__file__).parent
_SOURCES = "sources.toml"
_HEADER = re.compile(r"^\[([^\].]+)", re.MULTILINE)
_OUTSIDE = re.compile(r"^(?!#|\s*$)", re.MULTILINE)
Read = TypeVar("Read")


class FactError(Exception):
    """A facts file says something impossible. Ours, raised when facts are read, naming the record."""


@dataclass(frozen=True)
class Stated:
    """A record as its file states it: the table is the file's name."""

    table: str
    key: str
    text: str

    def parsed(self) -> Mapping[str, Any]:
        """Parsed record. Raises FactError."""
        try:
            found = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            message = f"{self.key} in {self.table}.toml: {error}"
            raise FactError(message) from None
        if found.keys() != {self.key}:
            message = f"{self.table}.toml: {self.key} holds more than a record"
            raise FactError(message)
        what: Mapping[str, Any] = found[self.key]
        return what


@dataclass(frozen=True)
class Lazily(Mapping[str, Read], Generic[Read]):
    """A mapping whose keys are known and whose values are read when they are asked for; `read` remembers them."""

    stated: Mapping[str, object]
    read: Callable[[str], Read]

    def __getitem__(self, key: str) -> Read:
        """Read it. Raises KeyError where nothing of this key is stated."""
        if key not in self.stated:
            raise KeyError(key)
        return self.read(key)

    def __contains__(self, key: object) -> bool:
        """Whether it is stated, without a look at what it says."""
        return key in self.stated

    def __iter__(self) -> Iterator[str]:
        """Its keys, as they are stated."""
        return iter(self.stated)

    def __len__(self) -> int:
        """Number of stated values."""
        return len(self.stated)


def cut(table: str, text: str) -> Iterator[Stated]:
    """The records of a file, each from its header on. Raises FactError where something is outside of them."""
    headers = [*_HEADER.finditer(text)]
    if _OUTSIDE.search(text[: headers[0].start()] if headers else text):
        message = f"{table}.toml: there is something before the first record"
        raise FactError(message)
    starts: list[tuple[str, int]] = []
    for header in headers:
        if not starts or starts[-1][0] != header[1]:  # [record.field] goes on with the record
            starts.append((header[1], header.start()))
    ends = [*(start for _, start in starts[1:]), len(text)]
    for (key, start), end in zip(starts, ends, strict=True):
        yield Stated(table, key, text[start:end])


def merged(paths: Iterable[Path]) -> dict[str, Stated]:
    """The records of several files by their keys. Raises FactError for one that is stated twice."""
    found: dict[str, Stated] = {}
    for path in paths:
        for one in cut(path.stem, path.read_text("utf-8")):
            if one.key in found:
                message = f"{path.name}: {one.key} is stated twice"
                raise FactError(message)
            found[one.key] = one
    return found


def _files() -> list[Path]:
    """Every facts file, by name: the folder is its subject."""
    return sorted(_FOLDER.glob("*/*.toml"), key=lambda path: path.name)


@cache
def stated_records() -> Mapping[str, Stated]:
    """Every record of every facts file by its key, in the order in which the files state them."""
    return merged(path for path in _files() if path.name != _SOURCES)


@cache
def stated_sources() -> Mapping[str, Stated]:
    """Every source by its key."""
    return merged(path for path in _files() if path.name == _SOURCES)


def forget() -> None:
    """Let go of what the files state."""
    stated_records.cache_clear()
    stated_sources.cache_clear()

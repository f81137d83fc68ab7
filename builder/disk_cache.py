"""Disk cache: results that one build leaves in .cache/ for the next, each file named after a hash of its inputs."""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from builder.paths import CACHE

if TYPE_CHECKING:
    from collections.abc import Callable

_HASH_LETTERS = 16


def cached(name: str, inputs: tuple[bytes, ...], make: Callable[[], bytes]) -> bytes:
    """Return the result of these inputs, made if it is not there; of each `name` only the last result is stored."""
    content = find(name, inputs)
    if content is None:
        content = make()
        store(name, inputs, content)
    return content


def find(name: str, inputs: tuple[bytes, ...]) -> bytes | None:
    """Return the stored result of these inputs, if there is one."""
    try:
        return _place(name, inputs).read_bytes()
    except FileNotFoundError:  # or another build has cleared it just now
        return None


def store(name: str, inputs: tuple[bytes, ...], content: bytes) -> None:
    """Store the result of these inputs and delete older ones of this name."""
    path = _place(name, inputs)
    stem, _, ending = name.partition(".")
    CACHE.mkdir(parents=True, exist_ok=True)
    for old in CACHE.glob(f"{stem}-{'?' * _HASH_LETTERS}.{ending}"):
        old.unlink(missing_ok=True)
    with NamedTemporaryFile(dir=CACHE, delete=False) as whole:  # another build may read while this one writes
        whole.write(content)
    Path(whole.name).replace(path)


def _place(name: str, inputs: tuple[bytes, ...]) -> Path:
    stem, _, ending = name.partition(".")
    key = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in inputs)).hexdigest()[:_HASH_LETTERS]
    return CACHE / f"{stem}-{key}.{ending}"

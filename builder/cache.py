"""Cache: what one build keeps for the next, in files named after a hash of all they were made of."""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from builder.paths import CACHE

if TYPE_CHECKING:
    from collections.abc import Callable

_HASH_LETTERS = 16


def kept(name: str, of: tuple[bytes, ...], make: Callable[[], bytes]) -> bytes:
    """Return what was made of these parts before, or make it; `name` says what it is, and only the last of it stays."""
    content = found(name, of)
    if content is None:
        content = make()
        keep(name, of, content)
    return content


def found(name: str, of: tuple[bytes, ...]) -> bytes | None:
    """Return what was kept of these parts, if it is there."""
    try:
        return _place(name, of).read_bytes()
    except FileNotFoundError:  # or another build has cleared it just now
        return None


def keep(name: str, of: tuple[bytes, ...], content: bytes) -> None:
    """Keep what was made of these parts, and nothing else of this name."""
    path = _place(name, of)
    stem, _, ending = name.partition(".")
    CACHE.mkdir(parents=True, exist_ok=True)
    for old in CACHE.glob(f"{stem}-{'?' * _HASH_LETTERS}.{ending}"):
        old.unlink(missing_ok=True)
    with NamedTemporaryFile(dir=CACHE, delete=False) as whole:  # another build may read while this one writes
        whole.write(content)
    Path(whole.name).replace(path)


def _place(name: str, of: tuple[bytes, ...]) -> Path:
    stem, _, ending = name.partition(".")
    key = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in of)).hexdigest()[:_HASH_LETTERS]
    return CACHE / f"{stem}-{key}.{ending}"

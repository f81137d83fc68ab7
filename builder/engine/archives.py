"""Archives: files in a zip or packed by themselves, whose bytes follow from theirs alone."""

from __future__ import annotations

import hashlib
import io
import zipfile
from typing import TYPE_CHECKING

import deflate

from builder import disk_cache

if TYPE_CHECKING:
    from collections.abc import Callable

_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first moment a zip can name: archives of the same files are the same bytes

_SMALLEST = 12  # of libdeflate's levels: 3 to 4% less than zlib's smallest, in about the same time
_PACKER = f"libdeflate {_SMALLEST}".encode()  # another packs the same content otherwise


def gzipped(name: str, content: bytes, pack: Callable[[], bytes] | None = None) -> bytes:
    """Return a file packed as small as can be, which takes seconds: .cache/ keeps what came of it, under this name."""
    return disk_cache.cached(f"{name.replace('.', '_')}.gz", (content, _PACKER), pack or (lambda: smallest(content)))


def smallest(content: bytes) -> bytes:
    """Pack it as small as gzip can; other threads run meanwhile."""
    return bytes(deflate.gzip_compress(content, _SMALLEST))


def proof(*contents: bytes) -> bytes:
    """Return a digest of files in their order: what was seen of them need not be looked at again in the same ones."""
    each = b"".join(hashlib.sha256(content).digest() for content in contents)
    return hashlib.sha256(each).hexdigest().encode()


def zipped(members: dict[str, bytes], level: int = 9) -> bytes:
    """Return an archive; the same members give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in sorted(members):
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), members[name], zipfile.ZIP_DEFLATED, compresslevel=level)
    return packed.getvalue()


def unzipped(archive: bytes) -> dict[str, bytes]:
    """Return an archive's files by name."""
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        return {name: packed.read(name) for name in packed.namelist() if not name.endswith("/")}

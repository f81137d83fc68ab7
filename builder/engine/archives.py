"""Archives: files in a zip whose bytes follow from theirs alone."""

from __future__ import annotations

import io
import zipfile

_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first moment a zip can name: archives of the same files are the same bytes


def zipped(members: dict[str, bytes]) -> bytes:
    """Return an archive; the same members give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in sorted(members):
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), members[name], zipfile.ZIP_DEFLATED, compresslevel=9)
    return packed.getvalue()


def unzipped(archive: bytes) -> dict[str, bytes]:
    """Return an archive's files by name."""
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        return {name: packed.read(name) for name in packed.namelist() if not name.endswith("/")}

"""Archive: a built site as one zip that can be unpacked and served anywhere. The same site gives the same bytes.

Every file has the release's time, not a fixed one: servers tell browsers whether their copy is still good
by a file's time, and a copy from the release before must not seem to be.
"""

from __future__ import annotations

import stat
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime
    from pathlib import Path

_UNIX = 3  # what a zip calls the system whose permissions it states
_READABLE = (stat.S_IFREG | 0o644) << 16
_PACKED_ALREADY = {".gz", ".png", ".woff2", ".zip"}


class ArchiveError(Exception):
    """There is no site to pack."""


def write(site_dir: Path, target: Path, moment: datetime.datetime) -> Path:
    """Pack the site into the zip `target`, inside one folder named like it; return `target`."""
    names = sorted(path.relative_to(site_dir).as_posix() for path in site_dir.rglob("*") if path.is_file())
    if "index.html" not in names:
        raise ArchiveError(f"{site_dir} is no built site: `make build` first")
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w") as archive:
        for name in names:
            entry = zipfile.ZipInfo(f"{target.stem}/{name}", moment.timetuple()[:6])
            entry.create_system, entry.external_attr = _UNIX, _READABLE
            stored = any(name.endswith(suffix) for suffix in _PACKED_ALREADY)
            entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            archive.writestr(entry, (site_dir / name).read_bytes(), compresslevel=9)
    return unfinished.replace(target)

"""The pipeline: every stage of the build in order, and the checks of what it made."""

from __future__ import annotations

import datetime
import shutil
import sys
import tempfile
import time
from pathlib import Path

from builder import access, bundle, engine, fonts, offline, release, seal, stage, theme
from builder import archive as archives
from builder.paths import CACHE, ROOT
from calculators import facts

A_YEAR = datetime.timedelta(days=365)


def build(site_dir: Path, site_url: str | None, *, service_worker: bool = True) -> None:
    """Write the whole site into `site_dir`. `site_url` is the address it will have, path included, if known.

    Without a service worker the site is the same, but for readers who are offline.
    """
    started = time.monotonic()
    release.fix_clock()
    CACHE.mkdir(exist_ok=True)
    staged = Path(tempfile.mkdtemp(prefix="staged-", dir=CACHE))
    try:
        pages = stage.Stage(staged).render()
        fonts.cut()
        engine_files = engine.write(staged)
        bundles = bundle.write(staged, engine_files, offline=service_worker)
        assets = {
            "css": bundles.css,
            "script": bundles.script,
            "fonts": [font for font in bundles.fonts if "italic" not in font],
            "built": release.moment().date().isoformat(),
        }
        theme.write(staged, site_dir, site_url, assets)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    access.repair(site_dir)
    seal.seal(site_dir)
    if service_worker:
        offline.write(site_dir, engine_files)
    else:
        offline.write_none(site_dir)
    if old := facts.read_before(release.moment().date() - A_YEAR):
        sys.stdout.write(f"warning: read more than 12 months ago, read again: {', '.join(old)}\n")
    sys.stdout.write(f"{len(pages)} pages in {time.monotonic() - started:.1f} s\n")


def check(site_dir: Path) -> None:
    """See that a built site keeps its promises. Raises seal.SealError."""
    seal.check(site_dir)
    sys.stdout.write(f"{site_dir} keeps its promises: links resolve, nothing is asked of another origin\n")


def archive(site_dir: Path) -> None:
    """Pack a built site into dist/. Raises archive.ArchiveError where there is none."""
    name = f"infrastructure-for-ai-{release.version()}.zip"
    written = archives.write(site_dir, ROOT / "dist" / name, release.moment())
    sys.stdout.write(f"{written.relative_to(ROOT)}: {written.stat().st_size:,} bytes; unpack it and serve the folder\n")

"""The pipeline: every stage of the build in order, and the checks of what it made."""

from __future__ import annotations

import datetime
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from builder import release
from builder.artifact import Artifact, collect
from builder.cache import Cache, digest
from builder.engine import engine
from builder.pages.render import Renderer
from builder.paths import CACHE, ROOT
from builder.site import archive as archives
from builder.site import book, bundle, epub, finalize, fonts, integrity, minify, offline, promises, twins
from builder.theme import site as theme
from calculators import facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from builder.engine.engine import EngineFiles
    from builder.site.bundle import Looks

A_YEAR = datetime.timedelta(days=365)


def build(site_dir: Path, site_url: str | None, *, service_worker: bool = True, cache: Cache | None = None) -> None:
    """Write the whole site into `site_dir`. `site_url` is the address it will have, path included, if known.

    Without a service worker it is for authors, and its style sheet keeps rules that no page needs. A cache
    that earlier builds of this process have filled makes this one quicker and no different.
    """
    started = time.monotonic()
    CACHE.mkdir(exist_ok=True)
    cache = cache or Cache()
    with cache.one_build(), release.fixed_clock():
        pages = _write(site_dir, site_url, cache, service_worker=service_worker)
    if old := facts.read_before(release.moment().date() - A_YEAR):
        sys.stdout.write(f"warning: read more than 12 months ago, read again: {', '.join(old)}\n")
    sys.stdout.write(f"{len(pages)} pages in {time.monotonic() - started:.1f} s\n")


def _write(site_dir: Path, site_url: str | None, cache: Cache, *, service_worker: bool) -> list[str]:
    """Write the site stage by stage; return the names of its pages."""
    sources = digest(bundle.SOURCES)
    with TemporaryDirectory(prefix="rendered-", dir=CACHE) as folder:
        rendered = Path(folder)
        with _engine(cache) as engine_files:
            renderer = Renderer(rendered, cache)
            pages = renderer.render()
            search = cache.get(("search", sources), partial(collect, bundle.write_search))
            whole = looks = cache.get(("looks", sources), _looks)
            assets = {
                "css": whole.result.css,
                "script": bundle.SCRIPT,
                "search": search.result,
                "fonts": [font for font in whole.result.fonts if "italic" not in font],
                "built": release.moment().date().isoformat(),
            }
            theme.write(rendered, site_dir, site_url, assets, cache, renderer.html)
            twins.write(site_dir, rendered, site_url)
            if service_worker:
                looks = collect(partial(bundle.write_looks, pages=site_dir))
            runtime = engine_files()
    script = cache.get(
        ("script", sources, service_worker), lambda: _script(runtime.result, service_worker=service_worker)
    )
    for files in (runtime, looks, script, search):
        files.write(site_dir)
    bundle.rename(site_dir, {bundle.SCRIPT: script.result, whole.result.css: looks.result.css})
    minify.minify(site_dir)
    chapters = book.write(site_dir, cache)
    epub.write(site_dir, chapters, site_url, release.version(), release.moment(), cache)
    policy = finalize.finalize(site_dir, cache)
    integrity.write(site_dir, policy)
    if service_worker:
        offline.write(site_dir, runtime.result)
    else:
        cache.get(("no service worker", sources), partial(collect, offline.write_none)).write(site_dir)
    integrity.finalize(site_dir)
    return pages


@contextmanager
def _engine(cache: Cache) -> Iterator[Callable[[], Artifact[EngineFiles]]]:
    """Make the engine in a process of its own during the `with` block; yield a function that waits for it."""
    key = ("engine",)
    # The builder of `serve` is a daemon, which may have no processes of its own.
    if cache.find(key) or multiprocessing.current_process().daemon:
        yield lambda: cache.get(key, _engine_files)
        return
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        pending = pool.submit(_engine_files)
        yield lambda: cache.get(key, pending.result)


def _engine_files() -> Artifact[EngineFiles]:
    return collect(engine.write)


def _looks() -> Artifact[Looks]:
    fonts.write_subsets()
    return collect(bundle.write_looks)


def _script(runtime: EngineFiles, *, service_worker: bool) -> Artifact[str]:
    return collect(lambda folder: bundle.write_script(folder, runtime, offline=service_worker))


def check(site_dir: Path) -> None:
    """Check that a built site keeps its promises. Raises promises.PromiseError."""
    promises.check(site_dir)
    sys.stdout.write(f"{site_dir} keeps its promises: links resolve, nothing comes from another origin\n")


def archive(site_dir: Path) -> None:
    """Pack a built site into dist/. Raises archive.ArchiveError where there is none."""
    name = f"infrastructure-for-ai-{release.version()}.zip"
    written = archives.write(site_dir, ROOT / "dist" / name, release.moment())
    sys.stdout.write(f"{written.relative_to(ROOT)}: {written.stat().st_size:,} bytes; unpack it and serve the folder\n")

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

from builder.engine import engine
from builder.made import Made, made
from builder.memory import Memory, digest
from builder.pages import stage
from builder.paths import CACHE, ROOT
from builder.site import access, book, bundle, fonts, offline, release, seal, theme, white
from builder.site import archive as archives
from calculators import facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from builder.engine.engine import EngineFiles
    from builder.site.bundle import Looks

A_YEAR = datetime.timedelta(days=365)


def build(site_dir: Path, site_url: str | None, *, service_worker: bool = True, memory: Memory | None = None) -> None:
    """Write the whole site into `site_dir`. `site_url` is the address it will have, path included, if known.

    Without a service worker it is for whoever writes it, and its style sheet keeps rules that no page needs. A memory
    that earlier builds of this process have filled makes this one quicker and no different.
    """
    started = time.monotonic()
    CACHE.mkdir(exist_ok=True)
    memory = memory or Memory()
    with memory.of_one_build(), release.fixed_clock():
        pages = _written(site_dir, site_url, memory, service_worker=service_worker)
    if old := facts.read_before(release.moment().date() - A_YEAR):
        sys.stdout.write(f"warning: read more than 12 months ago, read again: {', '.join(old)}\n")
    sys.stdout.write(f"{len(pages)} pages in {time.monotonic() - started:.1f} s\n")


def _written(site_dir: Path, site_url: str | None, memory: Memory, *, service_worker: bool) -> list[str]:
    """Write the site stage by stage; return the names of its pages."""
    sources = digest(bundle.SOURCES)
    with TemporaryDirectory(prefix="staged-", dir=CACHE) as folder:
        staged = Path(folder)
        with _engine(memory) as engine_files:
            staging = stage.Stage(staged, memory)
            pages = staging.render()
            whole = looks = memory.recall(("looks", sources), _looks)
            assets = {
                "css": whole.answer.css,
                "script": bundle.SCRIPT,
                "fonts": [font for font in whole.answer.fonts if "italic" not in font],
                "built": release.moment().date().isoformat(),
            }
            theme.write(staged, site_dir, site_url, assets, memory, staging.held)
            if service_worker:
                looks = made(partial(bundle.write_looks, pages=site_dir))
            runtime = engine_files()
    script = memory.recall(
        ("script", sources, service_worker), lambda: _script(runtime.answer, service_worker=service_worker)
    )
    for files in (runtime, looks, script):
        files.put(site_dir)
    bundle.rename(site_dir, {bundle.SCRIPT: script.answer, whole.answer.css: looks.answer.css})
    access.repair(site_dir)
    white.collapse(site_dir)
    book.write(site_dir, site_url, release.version(), release.moment(), memory)
    seal.seal(site_dir, memory)
    if service_worker:
        offline.write(site_dir, runtime.answer)
    else:
        memory.recall(("no service worker", sources), partial(made, offline.write_none)).put(site_dir)
    return pages


@contextmanager
def _engine(memory: Memory) -> Iterator[Callable[[], Made[EngineFiles]]]:
    """Make the engine beside what is done in the `with` block, in a process of its own; yield what waits for it."""
    key = ("engine",)
    # The builder of `serve` is a daemon, which may have no processes of its own.
    if memory.find(key) or multiprocessing.current_process().daemon:
        yield lambda: memory.recall(key, _made_engine)
        return
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as beside:
        pending = beside.submit(_made_engine)
        yield lambda: memory.recall(key, pending.result)


def _made_engine() -> Made[EngineFiles]:
    return made(engine.write)


def _looks() -> Made[Looks]:
    fonts.cut()
    return made(bundle.write_looks)


def _script(runtime: EngineFiles, *, service_worker: bool) -> Made[str]:
    return made(lambda folder: bundle.write_script(folder, runtime, offline=service_worker))


def check(site_dir: Path) -> None:
    """See that a built site keeps its promises. Raises seal.SealError."""
    seal.check(site_dir)
    sys.stdout.write(f"{site_dir} keeps its promises: links resolve, nothing is asked of another origin\n")


def archive(site_dir: Path) -> None:
    """Pack a built site into dist/. Raises archive.ArchiveError where there is none."""
    name = f"infrastructure-for-ai-{release.version()}.zip"
    written = archives.write(site_dir, ROOT / "dist" / name, release.moment())
    sys.stdout.write(f"{written.relative_to(ROOT)}: {written.stat().st_size:,} bytes; unpack it and serve the folder\n")

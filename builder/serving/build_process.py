"""Build process: the process that builds while the site is served. It stays, warm, until what it has read once changes.

Nearly all of a build is work for pages that have not changed, so this process keeps its cache from one build to the
next. Changed Python, facts, published cases and mkdocs.yml count too: for those it makes way for a new process.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING

from builder.cache import Cache

if TYPE_CHECKING:
    from collections.abc import Collection
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from pathlib import Path

READ_ONCE = ("builder/", "calculators/", "tests/cases/", "mkdocs.yml")
_SPAWN = multiprocessing.get_context("spawn")  # a fork would inherit the server's threads and its Python


class BuildProcess:
    """Builds one site, one build at a time, and says how it went."""

    def __init__(self, site_dir: Path, site_url: str | None) -> None:
        self.site_dir = site_dir
        self.site_url = site_url
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def built(self, because: str, changed: Collection[str] = ()) -> bool:
        """Build the site after these files changed; return whether that succeeded."""
        print(f"{because}: building", flush=True)
        start = time.perf_counter()
        if any(name.startswith(READ_ONCE) for name in changed):
            self.close()
        try:
            connection = self._connected()
            connection.send("build")
            done: bool = connection.recv()
        except (EOFError, ConnectionError):  # it is no more; what killed it is on the terminal
            self.close()
            done = False
        seconds = time.perf_counter() - start
        print(f"built in {seconds:.1f} s" if done else "the build failed; the last good one stays", flush=True)
        return done

    def close(self) -> None:
        """End the process; the next build starts another."""
        if self._connection and self._process:
            self._connection.close()
            self._process.terminate()
            self._process.join()
        self._connection = self._process = None

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection, other_end = _SPAWN.Pipe()
            self._process = _SPAWN.Process(target=work, args=(other_end, self.site_dir, self.site_url), daemon=True)
            self._process.start()
            other_end.close()
        return self._connection


def work(connection: Connection, site_dir: Path, site_url: str | None) -> None:
    """Build on request until the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches this process too, which then ends without a word
    cache = Cache()
    with suppress(EOFError, ConnectionError):
        while connection.recv():
            connection.send(_try_build(site_dir, site_url, cache))


def _try_build(site_dir: Path, site_url: str | None, cache: Cache) -> bool:
    try:
        # Imported late, so that Python that cannot be imported is a failed build. A service worker would show what it
        # has kept, not what was just saved.
        from builder import pipeline  # noqa: PLC0415

        pipeline.build(site_dir, site_url, service_worker=False, cache=cache)
    except (Exception, SystemExit):  # noqa: BLE001  say why it failed and wait for the next save
        traceback.print_exc()
        return False
    finally:
        sys.stdout.flush()
    return True

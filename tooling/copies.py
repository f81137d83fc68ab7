"""Copies: the repository copied into another folder and served there, to save files in it and see what becomes of them.

For measuring and for tests: nothing is saved in the repository itself.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from builder.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PARTS = ("build.py", "builder", "calculators", "content", "mkdocs.yml", "pyproject.toml", "templates", "tests/cases")
INSTALLED = (".venv", "node_modules")
_PATIENCE_SECONDS = 600  # for one build, the first included, on a machine that has much else to do
_GLANCE_SECONDS = 0.05
_SERVING = "Serving on "
_ABOUT_THE_REPOSITORY = {"SITE_DIR", "SITE_URL"}


@dataclass(frozen=True)
class Copy:
    """A copy of the repository, with a cache of its own, and the site that is built from it."""

    folder: Path

    @property
    def site_dir(self) -> Path:
        """Where the served site is built."""
        return self.folder / "site"

    @property
    def log(self) -> str:
        """Output of the serving process."""
        return (self.folder / "serve.log").read_text("utf-8")

    @property
    def environment(self) -> dict[str, str]:
        """Environment of builds in the copy: the moment of all of them, and nothing about the repository."""
        kept = {key: value for key, value in os.environ.items() if key not in _ABOUT_THE_REPOSITORY}
        return {"SOURCE_DATE_EPOCH": "1700000000", **kept}

    def build(self, site_dir: Path, *options: str) -> Path:
        """Build from nothing, as far as the cache goes, in a process of its own; return the folder."""
        command = [sys.executable, "build.py", "build", "--site-dir", str(site_dir), *options]
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL, env=self.environment)
        return site_dir

    def save(self, name: str, change: Callable[[str], str]) -> None:
        """Save a file as careful editors do, whole at once."""
        saved = self.folder / "saved"
        saved.write_text(change((self.folder / name).read_text("utf-8")), "utf-8")
        saved.replace(self.folder / name)

    def page(self, path: str) -> str:
        """Return what the server answers."""
        with urllib.request.urlopen(self._url + path, timeout=_PATIENCE_SECONDS) as answer:  # noqa: S310  ours, http
            text: str = answer.read().decode()
        return text

    def seconds_until(self, path: str, text: str) -> float:
        """Return how long it takes from now until the server answers with that text in a page."""
        start = time.perf_counter()
        waited_for(lambda: text in self.page(path), f"{text!r} in /{path}")
        return time.perf_counter() - start

    @property
    def _url(self) -> str:
        return self.log.partition(_SERVING)[2].partition(" ")[0]


def waited_for(is_so: Callable[[], bool], what: str) -> None:
    """Return once something is so. Raises TimeoutError after some minutes."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(f"still not so: {what}")
        time.sleep(_GLANCE_SECONDS)


def copied(folder: Path, cache: Path | None = None) -> Copy:
    """Copy what a build needs, and the cache if one is named; what is installed is used where it is."""
    for part in PARTS:
        place = folder / part
        place.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, place, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / part, place)
    for installed in INSTALLED:
        if (ROOT / installed).exists():
            (folder / installed).symlink_to((ROOT / installed).resolve())
    if cache:
        shutil.copytree(cache, folder / ".cache", ignore=shutil.ignore_patterns("rendered-*", "artifact-*"))
    return Copy(folder)


@contextmanager
def served(copy: Copy) -> Iterator[Copy]:
    """Serve the copy on a free port, rebuilt on every save, while the `with` block runs."""
    command = [sys.executable, "build.py", "serve", "--port", "0", "--site-dir", str(copy.site_dir)]
    with (copy.folder / "serve.log").open("w") as log:
        process = subprocess.Popen(command, cwd=copy.folder, stdout=log, stderr=log, env=copy.environment)
    try:
        waited_for(lambda: _SERVING in copy.log or process.poll() is not None, "the copy is served")
        yield copy
    finally:
        process.terminate()
        process.wait()

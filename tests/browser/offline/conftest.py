"""A server of each test's own, and another release of the site."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from builder.engine.engine import EngineFiles
from builder.serving.serve import SiteServer, running
from builder.site import offline
from tests.browser.conftest import PREFIX, Shared, publish_here
from tests.browser.offline.visits import FIRST, SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def prefix() -> str:
    """Where the site lies on its server."""
    return PREFIX


@pytest.fixture
def site(site_dir: Path, prefix: str) -> Iterator[SiteServer]:
    """A server of the test's own, which it may stop or let serve another release."""
    with running(Shared(site_dir, prefix=prefix)) as server:
        publish_here(server)
        yield server


@pytest.fixture
def release(site_dir: Path, tmp_path: Path) -> Path:
    """The same site with another sentence at the foot of every page, as a release of its own."""
    folder = tmp_path / "release"
    shutil.copytree(site_dir, folder, copy_function=lambda source, target: Path(target).hardlink_to(source))
    for page in folder.rglob("*.html"):
        text = page.read_text("utf-8")
        page.unlink()
        page.write_text(text.replace(FIRST, SECOND), "utf-8")
    (folder / "service-worker.js").unlink()
    offline.write(folder, EngineFiles(json.loads((folder / "engine" / "manifest.json").read_text("utf-8")), ()))
    return folder

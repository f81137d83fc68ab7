"""A real browser before the built site, served under a path prefix as GitHub Pages does.

Fixtures: `site` (the running server, `site.url`), `browser`, `context`, `page`, `visit` (open a page of the site) and
`problems` (what went wrong so far). A test fails when a page logs an error, throws, or asks another origin for
anything, unless it says beforehand which problems it provokes:

    @pytest.mark.expects_problems(r"404.*pyodide")
    @pytest.mark.context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    def test_...(visit): ...

Service workers are blocked unless `context(service_workers="allow")` asks for them, because Playwright's `page.route`
sees the requests of pages and workers only while no service worker stands between.
"""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request, sync_playwright

from builder.serve import SiteServer, running
from tooling import browsers

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent.parent
PREFIX = "/some-repo/"
SITE_URL = f"https://example.org{PREFIX}"  # a page may name its published address, but never ask it for anything
TIMEOUT_SECONDS = 30  # for anything a page does; far beyond what it takes, for slow machines


class Visit(Protocol):
    """Open a page of the site by its path below the prefix, fragment included; return it once loaded."""

    def __call__(self, path: str = "") -> Page: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in this folder, so that `-m "not browser"` leaves it out."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def site_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the built site: SITE_DIR if given, else built once, for all of xdist's workers together."""
    if ready := os.environ.get("SITE_DIR"):
        return Path(ready).resolve()
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder, done, failed = shared / "site", shared / "site.done", shared / "site.failed"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists() and not failed.exists():
            command = [sys.executable, "build.py", "build", "--site-dir", str(folder), "--site-url", SITE_URL]
            build = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
            outcome = failed if build.returncode else done
            outcome.write_text(build.stdout + build.stderr, encoding="utf-8")
    if failed.exists():
        pytest.fail(f"the site does not build:\n{failed.read_text(encoding='utf-8')}", pytrace=False)
    return folder


@pytest.fixture(scope="session")
def site(site_dir: Path) -> Iterator[SiteServer]:
    """The built site, served from memory on a free port."""
    with running(SiteServer(site_dir, prefix=PREFIX)) as server:
        yield server


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright's driver."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The chosen browser (the variable BROWSER: chromium or firefox), kept for the whole run."""
    started = browsers.launched(playwright)
    yield started
    started.close()


@pytest.fixture
def problems() -> list[str]:
    """Console errors, uncaught errors and requests to other origins, as they happen."""
    return []


@pytest.fixture
def context(
    browser: Browser, site: SiteServer, problems: list[str], request: pytest.FixtureRequest
) -> Iterator[BrowserContext]:
    """A fresh profile: nothing cached, nothing stored."""
    options: dict[str, object] = {"service_workers": "block"} if browsers.chosen() == "chromium" else {}
    for marker in reversed(list(request.node.iter_markers("context"))):
        options |= marker.kwargs
    fresh = browser.new_context(**options)  # type: ignore[arg-type]  # whatever Playwright accepts
    fresh.set_default_timeout(TIMEOUT_SECONDS * 1000)

    def note_request(asked: Request) -> None:
        if urlsplit(asked.url).scheme in {"http", "https", "ws", "wss"} and not asked.url.startswith(site.origin + "/"):
            problems.append(f"request to another origin: {asked.url}")

    fresh.on("request", note_request)
    fresh.on("weberror", lambda raised: problems.append(f"uncaught: {raised.error}"))
    fresh.on(
        "console",
        lambda said: (
            problems.append(f"console: {said.text} ({said.location['url']})") if said.type == "error" else None
        ),
    )
    yield fresh
    fresh.close()
    expected = [pattern for marker in request.node.iter_markers("expects_problems") for pattern in marker.args]
    surprises = [problem for problem in problems if not any(re.search(pattern, problem) for pattern in expected)]
    if surprises:
        pytest.fail("the page had problems:\n" + "\n".join(surprises), pytrace=False)


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """One empty tab."""
    return context.new_page()


@pytest.fixture
def visit(page: Page, site: SiteServer) -> Visit:
    """Open a page of the site in `page`."""

    def opened(path: str = "") -> Page:
        page.goto(site.url + path.removeprefix("/"))
        return page

    return opened

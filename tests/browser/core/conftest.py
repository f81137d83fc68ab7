"""The core's fixtures: `server`, a site of the test's own, and `tab`, in whichever browser BROWSER names.

What Playwright can do to a page in Chromium alone, the server does in all of them: lack a file, send another one, hang
up. Every test has a server, thus an origin, of its own; so nothing that a browser stores passes from test to test.
"""

from __future__ import annotations

import fnmatch
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from selenium.common.exceptions import WebDriverException
from urllib3.exceptions import HTTPError

from builder.serving.serve import File, running
from builder.site import offline
from tests.browser.conftest import PREFIX, Shared, publish_here
from tests.browser.core.tab import Tab
from tooling import browsers, webkit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page
    from selenium.webdriver.remote.webdriver import WebDriver

# A test is about what happens, not how soon: on a busy machine, the page's own time limits would decide what does.
PATIENT = """{
  const usual = self.setTimeout;
  self.setTimeout = (act, wait, ...given) => usual(act, wait >= 5000 ? 10 * wait : wait, ...given);
}"""
SCRIPT = "assets/start-*.js"


class Core(Shared):
    """A server of the built site that can be made to misbehave."""

    def named(self, pattern: str) -> str:
        """Return the name of the one file that fits the pattern."""
        (name,) = fnmatch.filter(self.files, pattern)
        return name

    def lack(self, pattern: str) -> None:
        """Have this file no more."""
        del self.files[self.named(pattern)]

    def begin(self, pattern: str, script: str) -> None:
        """Let this script begin with something else."""
        name = self.named(pattern)
        self.files[name] = File(self.files[name].media_type, script.encode() + b"\n" + self.files[name].body)


@pytest.fixture(scope="session")
def no_service_worker(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Give the script of a site that is not kept offline."""
    folder: Path = tmp_path_factory.mktemp("without")
    offline.write_none(folder)
    return (folder / "service-worker.js").read_bytes()


@pytest.fixture
def server(site_dir: Path, no_service_worker: bytes, request: pytest.FixtureRequest) -> Iterator[Core]:
    """Serve a site of the test's own, not kept offline unless the test is marked `offline`."""
    with running(Core(site_dir, prefix=PREFIX)) as own:
        assert isinstance(own, Core)
        publish_here(own)
        if not request.node.get_closest_marker("offline"):
            worker = own.files["service-worker.js"]
            own.files["service-worker.js"] = File(worker.media_type, no_service_worker)
            own.begin(SCRIPT, PATIENT)
        yield own


@pytest.fixture(scope="session")
def webkit_tab() -> Iterator[Callable[[], Tab]]:
    """Give WebKitGTK's one tab, the same to all tests unless one broke it."""
    with ExitStack() as kept:
        drivers: list[WebDriver] = []

        def tab() -> Tab:
            try:
                drivers[-1].get("about:blank")
            except (IndexError, WebDriverException, HTTPError):
                kept.close()
                drivers.append(kept.enter_context(webkit.launched()))
            return Tab(drivers[-1])

        yield tab


@pytest.fixture
def site(server: Core) -> Core:
    """Let what watches for requests to other origins know which one is ours."""
    return server


@pytest.fixture
def tab(request: pytest.FixtureRequest) -> Page:
    """One tab. WebKitGTK's only looks like Playwright's page, as far as the core goes."""
    if browsers.chosen() == "webkit":
        return request.getfixturevalue("webkit_tab")()  # type: ignore[no-any-return]
    return request.getfixturevalue("page")  # type: ignore[no-any-return]

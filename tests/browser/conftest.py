"""A real browser before the built site, served under a path prefix as GitHub Pages does.

Fixtures: `site` (the running server, `site.url`), `browser`, `context`, `page`, `visit` (open a page of the site in a
fresh profile), `live` (open one in a tab whose engine runs already: much faster, since a start takes seconds) and
`problems` (what went wrong so far). A test fails when a page logs an error, throws, or asks another origin for
anything, unless it says beforehand which problems it provokes:

    @pytest.mark.expects_problems(r"404.*pyodide")
    @pytest.mark.context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    def test_...(visit): ...

Service workers are blocked unless `context(service_workers="allow")` asks for them, because Playwright's `page.route`
sees the requests of pages and workers only while no service worker is between.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, Request, expect, sync_playwright

from builder.serving.serve import File, SiteServer, running
from tests.browser.reading import await_links, await_live, await_truth
from tests.built import built_once
from tests.conftest import DAY
from tooling import browsers
from tooling.suite import SITE_URL

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = urlsplit(SITE_URL).path  # a page may name its published address, but never ask it for anything
TIMEOUT_SECONDS = 60  # for anything a page does; far beyond what it takes, for slow machines
DAYS = 5  # over which tests are dealt that take a browser
DESK = {"width": 1440, "height": 900}
expect.set_options(timeout=TIMEOUT_SECONDS * 1000)


class Visit(Protocol):
    """Open a page of the site by its path below the prefix, fragment included; return it once loaded."""

    def __call__(self, path: str = "") -> Page: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in this folder, so that `-m "not browser"` leaves it out, and what runs in every browser.

    All but the latter is dealt over some days, unless it says otherwise.
    """
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("browser")
            if item.path.parent.name == "core":
                item.add_marker("core")
            elif not item.get_closest_marker("daily"):
                item.add_marker(pytest.mark.daily(DAYS))


class Shared(SiteServer):
    """A server of a test's own that shares with the others what it has read and packed."""

    known: ClassVar[dict[File, File]] = {}

    def _read(self, name: str, path: Path) -> File:
        file = super()._read(name, path)
        return self.known.setdefault(file, file)


@pytest.fixture(scope="session")
def site_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the built site: SITE_DIR if given, else built once, for all of xdist's workers together."""
    if ready := os.environ.get("SITE_DIR"):
        return Path(ready).resolve()
    return built_once(tmp_path_factory, "site", SITE_URL)


@pytest.fixture(scope="session")
def site(site_dir: Path) -> Iterator[SiteServer]:
    """The built site, served from memory on a free port."""
    with running(Shared(site_dir, prefix=PREFIX)) as server:
        publish_here(server)
        yield server


def publish_here(server: SiteServer) -> None:
    """Let the sitemap name the server's own address, and the service worker, which checks it, that sitemap's digest.

    Instant navigation follows only links to pages of the sitemap. There Material puts the page's own host in the place
    of the published one, but not its port.
    """
    old = server.files["sitemap.xml"]
    new = File(old.media_type, old.body.replace(SITE_URL.encode(), server.url.encode()))
    worker = server.files["service-worker.js"]
    before, after = (base64.b64encode(hashlib.sha256(file.body).digest()) for file in (old, new))
    server.files["sitemap.xml"] = new
    server.files["service-worker.js"] = File(worker.media_type, worker.body.replace(before, after))


@pytest.fixture(scope="session")
def site_pages(site: SiteServer) -> tuple[str, ...]:
    """The path of every page of the site, below its address."""
    return tuple(sorted(name.removesuffix("index.html") for name in site.files if name.endswith("index.html")))


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright's driver."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The chosen browser (the variable BROWSER: chromium or firefox), kept for the whole run, for fresh profiles."""
    started = browsers.launched(playwright, light=True, brief=True)
    yield started
    started.close()


@pytest.fixture(scope="session")
def lasting_browser(playwright: Playwright) -> Iterator[Browser]:
    """The same for a page that stays, whose engine becomes as fast as a reader's."""
    started = browsers.launched(playwright, light=True)
    yield started
    started.close()


@pytest.fixture
def problems() -> list[str]:
    """Console errors, uncaught errors and requests to other origins, as they happen."""
    return []


@contextmanager
def watched(browser: Browser, site: SiteServer, problems: list[str], **options: object) -> Iterator[BrowserContext]:
    """A fresh profile, nothing cached, nothing stored, that notes what goes wrong in its pages."""
    fresh = browser.new_context(**options)  # type: ignore[arg-type]  # whatever Playwright accepts
    fresh.set_default_timeout(TIMEOUT_SECONDS * 1000)
    # Prices age from the same day as in this process and in the built page.
    fresh.add_init_script(f"Date.prototype.toLocaleDateString = () => '{DAY.isoformat()}'")

    def note_request(asked: Request) -> None:
        if urlsplit(asked.url).scheme in {"http", "https", "ws", "wss"} and not asked.url.startswith(site.origin + "/"):
            problems.append(f"request to another origin: {asked.url}")

    fresh.on("request", note_request)
    fresh.on("weberror", lambda raised: problems.append(f"uncaught: {raised.error}"))
    fresh.on(
        "console",
        lambda message: (
            problems.append(f"console: {message.text} ({message.location['url']})") if message.type == "error" else None
        ),
    )
    yield fresh
    fresh.close()


def usual_options() -> dict[str, object]:
    """What every context is opened with, unless a test says otherwise."""
    return {"viewport": DESK, **({"service_workers": "block"} if browsers.chosen() == "chromium" else {})}


def fail_at_surprises(problems: list[str], request: pytest.FixtureRequest) -> None:
    """Fail a test whose pages had problems that it did not announce."""
    expected = [pattern for marker in request.node.iter_markers("expects_problems") for pattern in marker.args]
    surprises = [problem for problem in problems if not any(re.search(pattern, problem) for pattern in expected)]
    if surprises:
        pytest.fail("the page had problems:\n" + "\n".join(surprises), pytrace=False)


@pytest.fixture
def context(
    browser: Browser, site: SiteServer, problems: list[str], request: pytest.FixtureRequest
) -> Iterator[BrowserContext]:
    """A fresh profile: nothing cached, nothing stored."""
    options = usual_options()
    for marker in reversed(list(request.node.iter_markers("context"))):
        options |= marker.kwargs
    with watched(browser, site, problems, **options) as fresh:
        yield fresh
    fail_at_surprises(problems, request)


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


_TO_THE_TOP = """() => new Promise((seen) => {
    scrollTo(0, 0);
    requestAnimationFrame(() => requestAnimationFrame(seen));
})"""


@dataclass
class Resident:
    """A tab that stays open from test to test, with a running engine; instant navigation brings it to any page."""

    context: BrowserContext
    site: SiteServer
    problems: list[str] = field(default_factory=list)
    tab: Page | None = None

    def opened(self, path: str = "") -> Page:
        """Show a page of the site with everything as its HTML has it, the engine live."""
        if self.tab is None or self.tab.is_closed():
            self.tab = self.context.new_page()
            self.tab.goto(self.site.url)
            await_live(self.tab)
            await_links(self.tab)
        tab, target = self.tab, self.site.url + path
        tab.bring_to_front()  # a tab behind another is drawn late and has no focus
        if tab.url.partition("#")[0] == target.partition("#")[0]:
            self.follow(tab, self.site.url + "about/")
        self.follow(tab, target)
        if tab.locator("ai-calculator").count():
            await_live(tab)
        return tab

    @staticmethod
    def follow(tab: Page, address: str) -> None:
        """Follow a link to another page, as a click on one does, and wait until the new page is there."""
        tab.evaluate(
            """address => {
                document.querySelector("article").dataset.left = "";
                const link = document.createElement("a");
                link.href = address;
                document.body.append(link);
                link.click();
                link.remove();
            }""",
            address,
        )
        # Playwright's `expect` would describe the whole page each time that it does not find the element yet.
        await_truth(
            tab,
            "to => location.href.startsWith(to) && document.querySelector('article:not([data-left])') !== null",
            address.partition("#")[0],
        )

    def put_right(self) -> None:
        """Undo what a test may have done to the tab itself; give up a tab that it broke."""
        if self.tab is None or self.tab.is_closed():
            return
        try:
            self.tab.set_viewport_size(DESK)  # type: ignore[arg-type]  # a dict of two numbers
            self.tab.emulate_media(media="null", color_scheme="null", reduced_motion="null")
            self.tab.evaluate("() => document.getElementById('__palette_0')?.click()")
            # A moment after a page scrolled, the theme writes into the history where it is: into the next page's if
            # that came first, which then opens there. So it shall have seen the top.
            self.tab.evaluate(_TO_THE_TOP)
        except Error:
            self.tab.close()


@pytest.fixture(scope="session")
def resident(lasting_browser: Browser, site: SiteServer) -> Iterator[Resident]:
    """One tab for all tests that use `live`."""
    problems: list[str] = []
    with watched(lasting_browser, site, problems, **usual_options()) as context:
        if browsers.chosen() == "chromium":
            context.grant_permissions(["clipboard-read", "clipboard-write"])
        yield Resident(context, site, problems)


@pytest.fixture
def live(resident: Resident, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open a page of the site in a tab whose engine is live, calculators as they are without anybody's touch."""
    resident.problems.clear()
    yield resident.opened
    resident.put_right()
    fail_at_surprises(resident.problems, request)

"""The same site wherever it is put: a domain's root, a path, a path in a path, and the unpacked release archive."""

from __future__ import annotations

import datetime
import http.server
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zipfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import expect

from builder.serving.serve import running
from builder.site import archive
from builder.site.scan import scan
from tests.browser import reading
from tests.browser.conftest import Shared, usual_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from builder.serving.serve import SiteServer

CHECKPOINT = "calculators/checkpoint/"
PATIENCE_SECONDS = 20


@pytest.fixture(scope="session")
def unpacked(homeless: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What someone has who unpacked the release archive."""
    place = tmp_path_factory.mktemp("archive")
    packed = archive.write(homeless, place / "guide.zip", datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC))
    with zipfile.ZipFile(packed) as files:
        files.extractall(place)
    return place / "guide"


@contextmanager
def plain_server(folder: Path) -> Iterator[str]:
    """`python -m http.server` over a folder; gives its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/"
    try:
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                urllib.request.urlopen(address, timeout=1).close()
                break
            except urllib.error.URLError:
                assert time.monotonic() < until, "http.server does not start"
                time.sleep(0.05)
        yield address
    finally:
        server.terminate()
        server.wait()


class Ignorant(http.server.SimpleHTTPRequestHandler):
    """A server that never heard of modules, WebAssembly or fonts."""

    def guess_type(self, path: object) -> str:
        known = {".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".svg": "image/svg+xml"}
        return known.get(Path(str(path)).suffix, "application/octet-stream")

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def ignorant_server(folder: Path) -> Iterator[str]:
    """An old server over a folder; gives its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Ignorant, directory=str(folder)))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def tab(browser: Browser, address: str, *expected: str) -> Iterator[Page]:
    """A tab of a fresh profile at this address; complains of errors and of requests beyond the site."""
    problems: list[str] = []
    fresh = browser.new_context(**usual_options())  # type: ignore[arg-type]  # whatever Playwright accepts
    fresh.set_default_timeout(30_000)
    origin = "{0.scheme}://{0.netloc}/".format(urlsplit(address))
    fresh.on(
        "request",
        lambda asked: (
            None if asked.url.startswith((origin, "blob:", "data:")) else problems.append(f"asked for {asked.url}")
        ),
    )
    fresh.on("weberror", lambda raised: problems.append(f"uncaught: {raised.error}"))
    fresh.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page = fresh.new_page()
    page.goto(address)
    yield page
    fresh.close()
    assert [problem for problem in problems if not any(part in problem for part in expected)] == []


def works_here(page: Page, root: str) -> None:
    """Walk through the site from its front page: numbers live, engine kept from page to page, search, a chapter."""
    reading.await_live(page)
    reading.await_links(page)
    page.evaluate("() => { window.sameVisit = true; }")
    page.locator('[data-calculator="checkpoint"] .card-question a').first.click()
    page.wait_for_url(root + CHECKPOINT)
    place = page.locator(".calculator[data-calculator=checkpoint]")
    expect(place).to_have_attribute("data-engine", "live")
    reading.slide(place, "write_bandwidth", 60)
    reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 60}))
    page.locator(".md-tabs a >> text=Numbers").click()
    page.wait_for_url(root + "numbers/")
    expect(page.locator("article summary").first).to_be_visible()
    assert page.evaluate("() => window.sameVisit"), "a page was loaded again"
    found_by_search(page, root)


def found_by_search(page: Page, root: str) -> None:
    """Search for a chapter and go there."""
    # Material closes its search a little after every navigation: its timer is older than this one, and shorter.
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    page.keyboard.press("/")
    page.locator(".md-search__input").press_sequentially("collectives")
    first = page.locator(".md-search-result__link").first
    expect(first).to_be_visible()
    assert first.evaluate("link => link.href").startswith(root)
    first.click()
    expect(page.locator(".md-search-result__link").first).to_be_hidden()
    page.wait_for_url(lambda address: address.startswith(root) and "/numbers/" not in address)
    expect(page.locator(".md-content h1")).to_be_visible()


@pytest.mark.parametrize("prefix", ["/", "/some-repo/", "/departments/storage/guide/"])
def test_a_build_that_knows_no_address_works_anywhere(browser: Browser, homeless: Path, prefix: str) -> None:
    with running(Shared(homeless, prefix=prefix)) as server, tab(browser, server.url) as page:
        works_here(page, server.url)


@pytest.mark.parametrize("prefix", ["/", "/a/b/"])
def test_a_build_for_one_address_works_at_another(browser: Browser, site_dir: Path, prefix: str) -> None:
    with running(Shared(site_dir, prefix=prefix)) as server, tab(browser, server.url) as page:
        works_here(page, server.url)


def test_the_unpacked_archive_works_from_the_standard_librarys_server(browser: Browser, unpacked: Path) -> None:
    with plain_server(unpacked) as address, tab(browser, address) as page:
        works_here(page, address)


def test_the_unpacked_archive_works_in_a_folder_of_such_a_server(browser: Browser, unpacked: Path) -> None:
    with plain_server(unpacked.parent) as address, tab(browser, f"{address}guide/") as page:
        works_here(page, f"{address}guide/")


def test_a_server_that_does_not_know_webassembly_will_do(browser: Browser, unpacked: Path) -> None:
    with ignorant_server(unpacked) as address, tab(browser, address) as page:
        works_here(page, address)


def test_whatever_a_page_requests_is_found_two_levels_deep(homeless: Path) -> None:
    root = "https://example.org/a/b/"
    lost = []
    for page in homeless.rglob("index.html"):
        address = urljoin(root, page.relative_to(homeless).as_posix())
        fetched = scan(page.read_text("utf-8")).fetched
        assert fetched
        asked = [urljoin(address, each) for each in fetched]
        lost += [each for each in asked if not each.startswith(root)]
        lost += [each for each in asked if not (homeless / each.removeprefix(root)).is_file()]
    assert lost == []


@pytest.mark.parametrize(
    ("build", "depth"),
    [
        ("for this address", "guide/no/such/page.html"),
        *(("for no address", depth) for depth in ("nothing", "guide/no/such/page.html", "calculators/checkpoint/x")),
    ],
)
def test_the_page_for_what_is_missing_works_at_any_depth(
    browser: Browser, site_dir: Path, homeless: Path, depth: str, build: str
) -> None:
    folder = site_dir if build == "for this address" else homeless
    with (
        running(Shared(folder, prefix="/some-repo/")) as server,
        tab(browser, server.url + depth, "Failed to load resource: the server responded with a status of 404") as page,
    ):
        expect(page.locator(".md-content h1")).to_have_text("Page not found")
        styled = "() => getComputedStyle(document.querySelector('article h1')).fontFamily.includes('Source Serif')"
        reading.await_truth(page, styled)
        links = page.locator("article li a").evaluate_all("links => links.map((link) => link.href)")
        assert links == [server.url + path for path in ("", "guide/", "calculators/", "numbers/", "about/")]
        found_by_search(page, server.url)
        page.goto(server.url + depth)
        page.locator("article li a").nth(2).click()
        page.wait_for_url(server.url + "calculators/")
        expect(page.locator(".md-content h1")).to_be_visible()


@pytest.mark.parametrize("build", ["for this address", "for no address"])
def test_a_step_within_the_page_keeps_what_was_set(
    browser: Browser, site_dir: Path, homeless: Path, build: str
) -> None:
    folder = site_dir if build == "for this address" else homeless
    with running(Shared(folder, prefix="/some-repo/")) as server, tab(browser, server.url + CHECKPOINT) as page:
        reading.await_live(page)
        place = reading.calculator(page, "checkpoint")
        reading.slide(place, "write_bandwidth", 60)
        changed = reading.ask("checkpoint", stops={"write_bandwidth": 60})
        reading.await_answer(place, changed)
        link = reading.ask("checkpoint", asks=["link"], stops={"write_bandwidth": 60})["link"]
        reading.await_truth(page, "link => location.hash === '#' + link", link)
        page.evaluate("() => { document.querySelector('article').dataset.mine = ''; }")
        page.locator('article a[href$="#assumptions"]').first.click()
        expect(page.locator("#assumptions")).to_be_in_viewport()
        expect(page.locator("#assumptions")).to_be_focused()
        expect(page.locator("article[data-mine]")).to_be_attached()
        page.wait_for_timeout(500)  # as long as fetching the page again might take
        expect(page.locator("article[data-mine]")).to_be_attached()
        reading.await_answer(place, changed)
        assert page.url.endswith(f"#{link}")  # the address holds the state, not the place
        page.reload()
        reading.await_answer(place, reading.ask("checkpoint", fragment=link))


def test_a_build_with_an_address_names_it_in_its_machine_readable_files(site: SiteServer) -> None:
    home = site.files["index.html"].body.decode()
    chapter = site.files["guide/networks/index.html"].body.decode()
    assert '<link rel="canonical" href="https://example.org/some-repo/">' in home
    assert '<link rel="canonical" href="https://example.org/some-repo/guide/networks/">' in chapter
    assert '<meta property="og:image" content="https://example.org/some-repo/social.png">' in chapter
    assert "Sitemap: https://example.org/some-repo/sitemap.xml" in site.files["robots.txt"].body.decode()
    assert site.files["social.png"].body[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")
    assert ".nojekyll" in site.files


def test_the_sitemap_lists_every_page_but_the_one_for_what_is_missing(site_dir: Path) -> None:
    sitemap = (site_dir / "sitemap.xml").read_text("utf-8")
    pages = [path.parent.relative_to(site_dir).as_posix() for path in site_dir.rglob("index.html")]
    for page in pages:
        address = "https://example.org/some-repo/" + (f"{page}/" if page != "." else "")
        assert f"<loc>{address}</loc>" in sitemap
    assert sitemap.count("<loc>") == len(pages)
    assert "404" not in sitemap


def test_a_build_without_an_address_names_none(homeless: Path) -> None:
    for path in homeless.rglob("*.html"):
        text = path.read_text("utf-8")
        assert 'rel="canonical"' not in text
        assert "og:image" not in text
        assert "og:url" not in text
    assert "<loc>" not in (homeless / "sitemap.xml").read_text("utf-8")
    assert "Sitemap" not in (homeless / "robots.txt").read_text("utf-8")


def test_the_engines_modules_have_names_that_every_server_knows(homeless: Path) -> None:
    manifest = json.loads((homeless / "engine" / "manifest.json").read_text("utf-8"))
    names = {file["path"] for file in manifest["files"].values()}
    assert not any(name.endswith(".mjs") for name in names)
    assert not list(homeless.rglob("*.mjs"))

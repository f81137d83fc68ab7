"""Hosts that do less, or other things, than the usual one: one page each, its calculator live, or a word why not."""

from __future__ import annotations

import re
from http import HTTPStatus
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from builder.serving.serve import Handler, running
from tests.browser import reading
from tests.browser.conftest import Shared
from tooling import browsers

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from builder.serving.serve import File, SiteServer

CHECKPOINT = "calculators/checkpoint"
INTERN = "http://guide.intern/"
in_chromium = pytest.mark.skipif(browsers.chosen() != "chromium", reason="only there Playwright answers a worker")
elsewhere = pytest.mark.expects_problems(r"request to another origin: http://(127|guide\.intern)")


class WithHeaders(Handler):
    """Sets the headers that the site's own file has for every page."""

    def answer(self, status: HTTPStatus, file: File) -> None:
        """Send a file."""
        of_all = self.server.files["_headers"].body.decode().partition("/*\n")[2].partition("\n/")[0]
        self.more = re.findall(r"^  (\S+): (.*)$", of_all, re.MULTILINE)
        super().answer(status, file)

    def end_headers(self) -> None:
        """Send what the file names too."""
        for name, value in self.more:
            self.send_header(name, value)
        super().end_headers()


class WithoutRedirects(Handler):
    """Sends a folder's page whether or not its address ends with a slash, and the front page for what is missing."""

    def do_GET(self) -> None:  # noqa: N802  http.server finds it by this name
        """Send something, always."""
        files = self.server.files
        name = urlsplit(self.path).path.removeprefix(self.server.prefix)
        page = str(PurePosixPath(name, "index.html"))
        self.answer(HTTPStatus.OK, files.get(name) or files.get(page) or files["index.html"])

    do_HEAD = do_GET  # noqa: N815


def moves(page: Page) -> None:
    """The calculator computes."""
    reading.await_live(page)
    place = reading.calculator(page, "checkpoint")
    reading.slide(place, "write_bandwidth", 60)
    reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 60}))


@elsewhere
@pytest.mark.parametrize("host", [WithHeaders, WithoutRedirects])
def test_the_site_works_on_this_host(page: Page, site_dir: Path, host: type[Handler]) -> None:
    with running(Shared(site_dir, prefix="/some-repo/")) as server:
        server.RequestHandlerClass = host
        page.goto(server.url + CHECKPOINT + ("/" if host is WithHeaders else ""))
        expect(page).to_have_url(re.compile(f"{CHECKPOINT}/$"))
        moves(page)


@in_chromium
@elsewhere
def test_the_site_works_without_what_only_safe_origins_have(page: Page, site: SiteServer) -> None:
    """Neither a service worker nor caches, locks or digests: plain http in a company's network."""

    def forwarded(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace(INTERN, site.origin + "/")))

    page.context.route(f"{INTERN}**", forwarded)
    page.goto(site.url.replace(site.origin + "/", INTERN) + CHECKPOINT + "/")
    assert page.evaluate("() => [isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    moves(page)


@pytest.mark.expects_problems(r"from origin 'null'|Failed to load resource|net::ERR|CORS|Cross-Origin")
def test_from_a_file_the_page_shows_its_results_and_says_why_no_more(page: Page, site_dir: Path) -> None:
    page.goto((site_dir / CHECKPOINT / "index.html").as_uri())
    expect(page.locator(".from-file")).to_contain_text("python -m http.server")
    found = reading.shown(reading.calculator(page, "checkpoint"))
    assert found["texts"]["checkpoint_size"][0] == reading.ask("checkpoint")["texts"]["checkpoint_size"]
    styled = "() => getComputedStyle(document.querySelector('article h1')).fontFamily.includes('Source Serif')"
    reading.await_truth(page, styled)

"""Visits to a site that works offline: what is waited for, and a server that stops or serves another release."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NoReturn

import pytest
from playwright.sync_api import expect

from builder.serving.serve import File
from calculators.catalog import CALCULATORS
from tests.browser import reading
from tests.browser.calculator.test_inputs import pins
from tests.browser.conftest import publish_here
from tooling import browsers

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from builder.serving.serve import SiteServer

in_chromium = pytest.mark.skipif(
    browsers.chosen() != "chromium", reason="only there Playwright reaches service workers"
)
FIRST, SECOND = "Your inputs stay in your browser", "This is the second release"
_IS_READY = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const {active, installing} = registration ?? {};
  return active?.state === "activated" && !installing && !!navigator.serviceWorker.controller;
}"""
KEPT = """async () => (await Promise.all((await caches.keys()).map(async (name) =>
  (await (await caches.open(name)).keys()).map(({url}) => url)))).flat()"""


class Gone(dict[str, File]):
    """The files of a server that is no more: who asks for one is hung up on."""

    def get(self, *_: object) -> NoReturn:
        raise ConnectionResetError

    __contains__ = get


def stop(server: SiteServer) -> None:
    """Answer no request any more."""
    server.files = Gone()


def publish(server: SiteServer, folder: Path) -> SiteServer:
    """Let the server serve this folder from now on."""
    server.folder = folder
    server.load()
    publish_here(server)
    return server


def await_worker(page: Page) -> None:
    """Wait until the service worker serves this page."""
    reading.await_truth(page, _IS_READY)


def await_engine_kept(page: Page, server: SiteServer) -> None:
    """Wait until the engine is kept, all of it."""
    files = json.loads(server.files["engine/manifest.json"].body)["files"]
    wanted = {f"{server.url}engine/{files[use]['unpacked']['path']}" for use in ("snapshot", "image")}
    reading.await_truth(
        page,
        f"async wanted => {{ const kept = await ({KEPT})(); return wanted.every(url => kept.includes(url)); }}",
        sorted(wanted),
    )


def await_change(page: Page, name: str) -> None:
    """Move a slider of the calculator and wait for Python's answer."""
    slider = CALCULATORS[name].first_sliders[0]
    place = reading.calculator(page, name)
    expect(place).to_have_attribute("data-engine", "live")
    reading.slide(place, slider, 1)
    reading.await_answer(place, reading.ask(name, pins(name, slider), stops={slider: 1}))


def foot(page: Page) -> str:
    """What is at the foot of the page; it tells the releases apart."""
    return page.locator(".site-foot").inner_text()


def visited(page: Page, server: SiteServer, path: str = "") -> Page:
    """One whole visit: the page is read, the engine is live, everything is kept."""
    page.goto(server.url + path)
    if page.locator("ai-calculator").count():
        reading.await_live(page)
    await_worker(page)
    await_engine_kept(page, server)
    return page

"""A new release replaces the old one whole, and says so."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from builder.site import offline
from tests.browser import reading
from tests.browser.conftest import PREFIX
from tests.browser.offline.visits import (
    FIRST,
    SECOND,
    foot,
    publish,
    stop,
    visited,
)
from tests.browser.page.test_accessibility import violations

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page

    from builder.serving.serve import File, SiteServer

_LET_IT_START_MS = 1000
pytestmark = pytest.mark.context(service_workers="allow")
_WAITS = "async () => (await navigator.serviceWorker.getRegistration()).waiting !== null"
_INSTALLED = """async () => document.querySelector(".update") !== null
    || (await navigator.serviceWorker.getRegistration()).waiting !== null"""

_LOSE = """async lost => {
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) if (request.url.includes(lost)) await cache.delete(request);
    }
    navigator.serviceWorker.controller.postMessage("keep the pages");
}"""


def end_old_worker(page: Page) -> None:
    """End the worker that is to go, as Chromium does after five minutes, until the new one waits no more.

    It lets that worker finish its work, and now and then sees some where there is none: also of a worker that was ended
    before and started again, for a message of the page.
    """
    reading.await_truth(page, _INSTALLED)
    workers = page.context.new_cdp_session(page)
    workers.send("ServiceWorker.enable")

    def is_over() -> bool:
        workers.send("ServiceWorker.stopAllWorkers")
        page.wait_for_timeout(_LET_IT_START_MS)
        return not reading.look(page, _WAITS)

    reading.await_here(page, is_over)
    workers.detach()


def test_a_new_release_replaces_the_old_one_and_says_so(
    context: BrowserContext, page: Page, site: SiteServer, release: Path
) -> None:
    visited(page, site, "about/")
    other = context.new_page()
    other.goto(site.url)
    reading.await_live(other)
    publish(site, release)
    site.sent.clear()
    page.reload()
    assert FIRST in foot(page)
    notice = page.locator(".update")
    end_old_worker(page)
    expect(notice).to_contain_text("A new version is ready. Reload to use it.")
    expect(notice).to_have_role("status")
    assert not [path for path in site.sent if "/assets/" in path or "/engine/" in path], "unchanged files came again"
    expect(other.locator(".update")).to_contain_text("A new version is ready.")
    assert violations(page) == ""

    page.locator("body").press("Tab")
    reload = notice.get_by_role("button", name="Reload")
    for _ in range(3):
        if reload.evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(reload).to_be_focused()
    reload.press("Enter")
    expect(page.locator(".site-foot")).to_contain_text(SECOND)
    expect(page.locator(".update")).to_have_count(0)

    # The tab that was not reloaded works on; its next page is reloaded, whole, from the new release.
    other.evaluate("() => { window.sameVisit = true; }")
    reading.slide(reading.calculator(other, "checkpoint"), "write_bandwidth", 60)
    other.locator('[data-calculator="checkpoint"] .card-question a').first.click()
    expect(other.locator(".site-foot")).to_contain_text(SECOND)
    assert not other.evaluate("() => window.sameVisit")
    stop(site)
    for path in ("", "about/", "numbers/"):
        page.goto(site.url + path)
        assert SECOND in foot(page)


def test_the_notice_goes_when_it_is_not_wanted(page: Page, site: SiteServer, release: Path) -> None:
    visited(page, site, "about/")
    publish(site, release)
    page.reload()
    end_old_worker(page)
    page.get_by_role("button", name="Later").click()
    expect(page.locator(".update")).to_have_count(0)


class _Slow(dict[str, "File"]):
    """The files of a server that starts to answer for one of them, and never does."""

    def __init__(self, files: dict[str, File], name: str) -> None:
        super().__init__(files)
        self.name = name
        self.was_asked = threading.Event()

    def get(self, name: str, *default: File) -> File | None:  # type: ignore[override]  # as the server calls it
        if name == self.name:
            self.was_asked.set()
            threading.Event().wait()
        return super().get(name, *default)


def test_a_release_whose_worker_was_ended_while_it_waited_says_so_too(
    page: Page, site: SiteServer, release: Path
) -> None:
    visited(page, site, "about/")
    lost = "numbers/index.html"
    slow = site.files = _Slow(site.files, lost)
    page.evaluate(_LOSE, lost)
    reading.await_here(page, slow.was_asked.is_set)  # the old worker has something to do
    site.files = dict(slow)
    publish(site, release)
    page.evaluate("async () => void (await navigator.serviceWorker.getRegistration()).update()")
    reading.await_truth(page, _WAITS)
    end_old_worker(page)  # and the new one
    expect(page.locator(".update")).to_contain_text("A new version is ready.")


@pytest.mark.expects_problems(r"integrity|digest|Failed to load resource")
def test_a_release_that_is_not_there_whole_changes_nothing(page: Page, site: SiteServer, release: Path) -> None:
    """As while a network of servers is being updated: the worker is new already, a page still old."""
    visited(page, site, "about/")
    old = site.files["numbers/index.html"]
    publish(site, release)
    new = site.files["numbers/index.html"]
    site.files["numbers/index.html"] = old
    site.sent.clear()
    page.reload()
    reading.await_here(page, lambda: f"{PREFIX}numbers/index.html" in site.sent)  # it tries
    reading.await_truth(page, "async () => !(await navigator.serviceWorker.getRegistration()).installing")
    page.goto(site.url)
    assert FIRST in foot(page)
    expect(page.locator(".update")).to_have_count(0)
    site.files["numbers/index.html"] = new
    page.reload()
    end_old_worker(page)
    expect(page.locator(".update")).to_contain_text("A new version is ready.")
    page.reload()
    assert SECOND in foot(page)


def test_a_release_without_service_worker_removes_the_one_before_it(
    page: Page, site: SiteServer, release: Path
) -> None:
    visited(page, site, "about/")
    (release / "service-worker.js").unlink()
    offline.write_none(release)
    publish(site, release)
    page.reload()
    reading.await_truth(
        page, "async () => !(await navigator.serviceWorker.getRegistration()) && !(await caches.keys()).length"
    )
    page.goto(site.url)
    assert SECOND in foot(page)
    reading.await_live(page)

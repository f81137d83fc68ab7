"""After one visit all works without a network; where that is refused or broken, the site works with one."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest
from playwright.sync_api import expect

from builder.site.scan import scan
from tests.browser import reading
from tests.browser.conftest import PREFIX
from tests.browser.offline.visits import (
    FIRST,
    KEPT,
    await_change,
    foot,
    in_chromium,
    stop,
    visited,
)

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from builder.serving.serve import SiteServer

pytestmark = pytest.mark.context(service_workers="allow")
_DIGESTS = """async addresses => Object.fromEntries(await Promise.all(addresses.map(async address => {
  const answer = await fetch(address, {cache: "no-store"});
  if (answer.status !== 200) return [address, String(answer.status)];
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.arrayBuffer()));
  return [address, Array.from(digest, byte => byte.toString(16).padStart(2, "0")).join("")];
})))"""


def test_after_one_visit_every_page_and_what_it_requests_is_there_offline(page: Page, site: SiteServer) -> None:
    """Byte for byte, from the worker that answers a reader's steps too; pages of every kind are stepped to below."""
    wanted = {}
    pages = {name for name in site.files if name.endswith("index.html")}
    for name in pages - {"print/index.html"}:  # the guide once more in one page, to be printed, is not kept
        address = site.url + name.removesuffix("index.html")
        asked = (urljoin(address, found) for found in scan(site.files[name].body.decode()).fetched)
        for each in (address, *asked):
            body = site.files[each.removeprefix(site.url) or "index.html"].body if each != address else None
            wanted[each] = hashlib.sha256(body or site.files[name].body).hexdigest()
    assert {site.url + reading.path_of(name) for name in reading.NAMES} <= wanted.keys()
    visited(page, site)
    stop(site)
    found = page.evaluate(_DIGESTS, list(wanted))
    assert found == wanted


def test_after_one_visit_pages_of_every_kind_and_calculators_work_offline(page: Page, site: SiteServer) -> None:
    visited(page, site)
    stop(site)
    for path in ("", "guide/", "guide/failure/", "calculators/", "machine/", "numbers/", "records/", "about/"):
        page.goto(site.url + path, wait_until="domcontentloaded")
        expect(page.locator("h1")).to_be_visible()
        assert FIRST in foot(page)
    for name in (reading.NAMES[0], "inference", reading.NAMES[-1]):
        page.goto(site.url + reading.path_of(name), wait_until="domcontentloaded")
        assert FIRST in foot(page)
        await_change(page, name)


@pytest.mark.parametrize("prefix", ["/"])
def test_it_works_offline_at_the_root_of_a_domain_too(page: Page, site: SiteServer, prefix: str) -> None:
    visited(page, site, "about/")
    stop(site)
    page.goto(site.url + reading.path_of("checkpoint"))
    await_change(page, "checkpoint")


def test_a_visit_that_began_online_goes_on_offline(page: Page, site: SiteServer) -> None:
    """Instant navigation, search, and a calculator whose page was never opened."""
    visited(page, site, "about/")
    reading.await_links(page)
    page.evaluate("() => { window.sameVisit = true; }")
    stop(site)
    page.locator(".md-tabs a >> text=Numbers").first.click()
    page.wait_for_url("**/numbers/")
    expect(page.locator('link[rel=canonical][href$="/numbers/"]')).to_be_attached()
    assert page.evaluate("() => window.sameVisit"), "a page was loaded again"
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")  # the theme closes its search 125 ms later
    page.keyboard.press("/")
    page.keyboard.type("checkpoint")
    page.locator('.md-search-result__link[href*="h=checkpoint"]').first.click()  # of the whole word
    page.wait_for_url("**/*checkpoint*/**")
    page.goto(site.url + "calculators/checkpoint/?h=checkpoint#parameters=405B")
    place = reading.calculator(page, "checkpoint")
    reading.await_answer(place, reading.ask("checkpoint", fragment="parameters=405B"))


@pytest.mark.expects_problems(r"404.*no/such/page")
def test_offline_an_address_without_its_slash_leads_to_the_page_and_a_wrong_one_says_so(
    page: Page, site: SiteServer
) -> None:
    visited(page, site, "about/")
    stop(site)
    page.goto(site.url + "numbers")
    assert page.url == site.url + "numbers/"
    answer = page.goto(site.url + "no/such/page")
    assert answer
    assert answer.status == 404
    expect(page.locator("h1")).to_be_visible()


def test_when_the_cache_is_empty_the_network_answers(page: Page, site: SiteServer) -> None:
    visited(page, site)
    page.evaluate("async () => { for (const name of await caches.keys()) await caches.delete(name); }")
    page.goto(site.url + reading.path_of("checkpoint"))
    reading.await_live(page)
    assert FIRST in foot(page)


_FORGET = "async () => { for (const name of await caches.keys()) await caches.delete(name); }"


@in_chromium
@pytest.mark.expects_problems("")
def test_after_the_browser_dropped_what_was_kept_there_is_a_page_of_ours_and_then_the_site_again(
    page: Page, site: SiteServer
) -> None:
    """With the worker left. The server is back later, and the pages are kept again by the next visit."""
    visited(page, site, "about/")
    page.evaluate(_FORGET)
    files = site.files
    stop(site)
    page.reload()
    expect(page.get_by_role("heading")).to_have_text("There is no network")
    expect(page.locator("main")).to_contain_text("reload the page when the network is back")
    site.files = files
    page.get_by_role("link", name="Reload").click()
    assert FIRST in foot(page)
    wanted = f"{site.url}numbers/index.html"
    reading.await_truth(page, f"async wanted => (await ({KEPT})()).some(url => url.split('?')[0] === wanted)", wanted)
    stop(site)
    page.goto(f"{site.url}numbers/")
    assert FIRST in foot(page)


@in_chromium
def test_when_the_cache_fails_the_network_answers(context: BrowserContext, page: Page, site: SiteServer) -> None:
    visited(page, site)
    worker = context.service_workers[0]
    worker.evaluate(
        """() => {
          CacheStorage.prototype.match = CacheStorage.prototype.open = () => Promise.reject(new Error("broken"));
        }"""
    )
    site.sent.clear()
    for path in ("about/", reading.path_of("checkpoint")):
        page.goto(site.url + path)
        assert FIRST in foot(page)
    reading.await_live(page)
    assert PREFIX + "about/" in site.sent


@pytest.mark.parametrize(
    "refusal",
    [
        "ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('no', 'SecurityError'));",
        "ServiceWorkerContainer.prototype.register = () => new Promise(() => {});",
        "delete Navigator.prototype.serviceWorker;",
    ],
    ids=["refused", "never answered", "absent"],
)
def test_where_the_browser_refuses_it_the_site_works(
    context: BrowserContext, page: Page, site: SiteServer, refusal: str
) -> None:
    """As in some private windows, on plain http, and where someone switched it off."""
    context.add_init_script(refusal)
    page.goto(site.url + reading.path_of("checkpoint"))
    reading.await_live(page)
    page.wait_for_timeout(500)
    expect(page.locator(".update")).to_have_count(0)


@pytest.mark.expects_problems(r"404|bad HTTP response|fetching the script|service-worker")
def test_where_the_worker_is_missing_the_site_works(page: Page, site: SiteServer) -> None:
    del site.files["service-worker.js"]
    page.goto(site.url + reading.path_of("checkpoint"))
    reading.await_live(page)
    page.wait_for_timeout(500)

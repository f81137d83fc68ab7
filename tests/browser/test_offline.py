"""After one visit all works without a network; a new release replaces the old one whole; what fails, fails open."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urljoin

import pytest
from playwright.sync_api import expect

from builder.engine.engine import EngineFiles
from builder.serving.serve import File, SiteServer, running
from builder.site import offline, seal
from calculators.catalog import CALCULATORS
from tests.browser import reading
from tests.browser.conftest import PREFIX, Shared, publish_here
from tests.browser.test_accessibility import violations
from tests.browser.test_inputs import pins
from tooling import browsers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.context(service_workers="allow")
in_chromium = pytest.mark.skipif(
    browsers.chosen() != "chromium", reason="only there Playwright reaches service workers"
)
FIRST, SECOND = "Nothing you type leaves this page", "This is the second release"
_IS_READY = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const {active, installing} = registration ?? {};
  return active?.state === "activated" && !installing && !!navigator.serviceWorker.controller;
}"""
_KEPT = """async () => (await Promise.all((await caches.keys()).map(async (name) =>
  (await (await caches.open(name)).keys()).map(({url}) => url)))).flat()"""
_DIGESTS = """async addresses => Object.fromEntries(await Promise.all(addresses.map(async address => {
  const answer = await fetch(address, {cache: "no-store"});
  if (answer.status !== 200) return [address, String(answer.status)];
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.arrayBuffer()));
  return [address, Array.from(digest, byte => byte.toString(16).padStart(2, "0")).join("")];
})))"""


class Gone(dict[str, File]):
    """The files of a server that is no more: who asks for one is hung up on."""

    def get(self, *_: object) -> NoReturn:
        raise ConnectionResetError

    __contains__ = get


def stop(server: SiteServer) -> None:
    """Answer nobody any more."""
    server.files = Gone()


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


def publish(server: SiteServer, folder: Path) -> SiteServer:
    """Let the server serve this folder from now on."""
    server.folder = folder
    server.load()
    publish_here(server)
    return server


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


def await_worker(page: Page) -> None:
    """Wait until the service worker serves this page."""
    reading.await_truth(page, _IS_READY)


def await_engine_kept(page: Page, server: SiteServer) -> None:
    """Wait until the engine is kept, all of it."""
    files = json.loads(server.files["engine/manifest.json"].body)["files"]
    wanted = {f"{server.url}engine/{files[use]['kept']['path']}" for use in ("machine", "image")}
    reading.await_truth(
        page,
        f"async wanted => {{ const kept = await ({_KEPT})(); return wanted.every(url => kept.includes(url)); }}",
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
    """What stands at the foot of the page; it tells the releases apart."""
    return page.locator(".site-foot").inner_text()


def visited(page: Page, server: SiteServer, path: str = "") -> Page:
    """One whole visit: the page is read, the engine is live, everything is kept."""
    page.goto(server.url + path)
    if page.locator("ai-calculator").count():
        reading.await_live(page)
    await_worker(page)
    await_engine_kept(page, server)
    return page


def test_after_one_visit_every_page_and_what_it_asks_for_is_there_offline(page: Page, site: SiteServer) -> None:
    """Byte for byte, from the worker that answers a reader's steps too; pages of every kind are stepped to below."""
    wanted = {}
    pages = {name for name in site.files if name.endswith("index.html")}
    for name in pages - {"print/index.html"}:  # the guide once more in one page, to be printed, is not kept
        address = site.url + name.removesuffix("index.html")
        asked = (urljoin(address, found) for found in seal._page(site.files[name].body.decode()).fetched)
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
    page.evaluate("() => { window.sameVisit = true; }")
    stop(site)
    page.locator(".md-tabs a >> text=Numbers").first.click()
    page.wait_for_url("**/numbers/")
    expect(page.locator('link[rel=canonical][href$="/numbers/"]')).to_be_attached()
    assert page.evaluate("() => window.sameVisit"), "a page was loaded anew"
    page.keyboard.press("/")
    page.keyboard.type("checkpoint")
    page.locator(".md-search-result__link").first.click()
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
    expect(notice).to_contain_text("Updated. Reload to use the new version.")
    expect(notice).to_have_role("status")
    assert not [path for path in site.sent if "/assets/" in path or "/engine/" in path], "unchanged files came again"
    expect(other.locator(".update")).to_contain_text("Updated.")
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

    # The tab that was not reloaded works on; its next page is loaded anew, whole, from the new release.
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
    page.get_by_role("button", name="Later").click()
    expect(page.locator(".update")).to_have_count(0)


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
    expect(page.locator(".update")).to_contain_text("Updated.")
    page.reload()
    assert SECOND in foot(page)


def test_when_nothing_is_kept_any_more_the_network_answers(page: Page, site: SiteServer) -> None:
    visited(page, site)
    page.evaluate("async () => { for (const name of await caches.keys()) await caches.delete(name); }")
    page.goto(site.url + reading.path_of("checkpoint"))
    reading.await_live(page)
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


@in_chromium
def test_a_metered_connection_keeps_the_engine_only_once_it_was_used(
    context: BrowserContext, page: Page, site: SiteServer
) -> None:
    context.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}});")
    page.goto(site.url + reading.path_of("checkpoint"))
    await_worker(page)
    page.wait_for_timeout(1500)
    assert not [url for url in page.evaluate(_KEPT) if "/engine/" in url]
    page.locator("[data-box]").first.focus()
    reading.await_live(page)
    await_engine_kept(page, site)


@in_chromium
@pytest.mark.parametrize("kept", ["machine.wasm", "machine.image"])
def test_a_kept_file_that_went_bad_is_dropped_and_fetched_again(page: Page, site: SiteServer, kept: str) -> None:
    visited(page, site, reading.path_of("checkpoint"))
    page.evaluate(
        """async kept => {
          const name = (await caches.keys()).find((name) => name.startsWith("engine"));
          const cache = await caches.open(name);
          const {url} = (await cache.keys()).find(({url}) => url.endsWith(kept));
          await cache.put(url, new Response("nonsense", {headers: {"content-type": "application/wasm"}}));
        }""",
        kept,
    )
    page.reload()
    place = reading.calculator(page, "checkpoint")
    expect(place).to_have_attribute("data-way", "plain")
    expect(place).to_have_attribute("data-engine", "live")
    use = {"machine.wasm": "machine", "machine.image": "image"}[kept]
    about = json.loads(site.files["engine/manifest.json"].body)["files"][use]["kept"]
    reading.await_truth(
        page,
        "async ([kept, size]) => (await (await caches.match(kept))?.blob())?.size === size",
        [f"{site.url}engine/{about['path']}", about["size"]],
    )
    page.reload()
    expect(place).to_have_attribute("data-engine", "live")
    expect(place).to_have_attribute("data-way", "machine")


@in_chromium
def test_what_is_kept_is_unpacked_and_its_digest_is_right(page: Page, site: SiteServer) -> None:
    """So that a repeat visit need not inflate it; and it is not kept twice."""
    visited(page, site, "about/")
    kept = [url for url in page.evaluate(_KEPT) if "/engine/" in url]
    files = json.loads(site.files["engine/manifest.json"].body)["files"]
    assert sorted(kept) == sorted(f"{site.url}engine/{files[use]['kept']['path']}" for use in ("machine", "image"))
    digest = """async url => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256",
        await (await caches.match(url)).arrayBuffer())), byte => byte.toString(16).padStart(2, "0")).join("")"""
    for use in ("machine", "image"):
        file = files[use]["kept"]
        assert page.evaluate(digest, f"{site.url}engine/{file['path']}") == file["sha256"]
    site.sent.clear()
    page.goto(site.url + reading.path_of("checkpoint"))
    reading.await_live(page)
    assert not [path for path in site.sent if "/engine/" in path]


@in_chromium
@pytest.mark.expects_problems(r"integrity|digest|Failed to load resource")
def test_what_is_not_what_it_should_be_is_not_kept(page: Page, site: SiteServer) -> None:
    (name,) = (name for name in site.files if name.endswith("/machine.image-gz"))
    good = site.files[name]
    site.files[name] = File(good.media_type, gzip.compress(gzip.decompress(good.body)[:-1]))
    page.goto(site.url + reading.path_of("checkpoint"))
    reading.await_live(page)
    await_worker(page)
    reading.await_truth(page, f"async () => (await ({_KEPT})()).some(url => url.endsWith('/machine.wasm'))")
    page.wait_for_timeout(1000)
    assert not [url for url in page.evaluate(_KEPT) if url.endswith("/machine.image")]

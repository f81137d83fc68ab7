"""What is kept of the engine is right, whole, unpacked, and wanted."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from builder.serving.serve import File
from tests.browser import reading
from tests.browser.offline.visits import (
    KEPT,
    await_engine_kept,
    await_worker,
    in_chromium,
    visited,
)

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from builder.serving.serve import SiteServer

pytestmark = pytest.mark.context(service_workers="allow")


@in_chromium
def test_a_metered_connection_keeps_the_engine_only_once_it_was_used(
    context: BrowserContext, page: Page, site: SiteServer
) -> None:
    context.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}});")
    page.goto(site.url + reading.path_of("checkpoint"))
    await_worker(page)
    page.wait_for_timeout(1500)
    assert not [url for url in page.evaluate(KEPT) if "/engine/" in url]
    page.locator("[data-box]").first.focus()
    reading.await_live(page)
    await_engine_kept(page, site)


@in_chromium
@pytest.mark.parametrize("kept", ["snapshot.wasm", "snapshot.image"])
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
    use = {"snapshot.wasm": "snapshot", "snapshot.image": "image"}[kept]
    about = json.loads(site.files["engine/manifest.json"].body)["files"][use]["unpacked"]
    reading.await_truth(
        page,
        "async ([kept, size]) => (await (await caches.match(kept))?.blob())?.size === size",
        [f"{site.url}engine/{about['path']}", about["size"]],
    )
    page.reload()
    expect(place).to_have_attribute("data-engine", "live")
    expect(place).to_have_attribute("data-way", "snapshot")


@in_chromium
def test_a_byte_that_changed_in_what_is_kept_takes_every_answer_off_the_page(page: Page, site: SiteServer) -> None:
    """At equal length Python starts, and may calculate with it: the last byte is memory that nothing uses yet."""
    visited(page, site, reading.path_of("checkpoint"))
    page.evaluate(
        """async () => {
          const name = (await caches.keys()).find((name) => name.startsWith("engine"));
          const cache = await caches.open(name);
          const {url} = (await cache.keys()).find(({url}) => url.endsWith("snapshot.image"));
          const found = await cache.match(url), bytes = new Uint8Array(await found.arrayBuffer());
          bytes[bytes.length - 1] ^= 1;
          await cache.put(url, new Response(bytes, {headers: found.headers}));
        }"""
    )
    page.goto(site.url + reading.path_of("checkpoint") + "#parameters=8B")
    page.reload()
    place = reading.calculator(page, "checkpoint")
    expect(place).to_have_attribute("data-engine", "failed")
    expect(place.locator("[data-pending-text]")).to_contain_text("was damaged")
    expect(place.locator(".answer")).to_be_hidden()
    place.get_by_role("button", name="Try again").click()
    reading.await_answer(place, reading.ask("checkpoint", {"parameters": "8B"}))
    await_engine_kept(page, site)


@in_chromium
def test_what_is_kept_is_unpacked_and_its_digest_is_right(page: Page, site: SiteServer) -> None:
    """So that a repeat visit need not inflate it; and it is not kept twice."""
    visited(page, site, "about/")
    kept = [url for url in page.evaluate(KEPT) if "/engine/" in url]
    files = json.loads(site.files["engine/manifest.json"].body)["files"]
    assert sorted(kept) == sorted(f"{site.url}engine/{files[use]['unpacked']['path']}" for use in ("snapshot", "image"))
    digest = """async url => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256",
        await (await caches.match(url)).arrayBuffer())), byte => byte.toString(16).padStart(2, "0")).join("")"""
    for use in ("snapshot", "image"):
        file = files[use]["unpacked"]
        assert page.evaluate(digest, f"{site.url}engine/{file['path']}") == file["sha256"]
    site.sent.clear()
    page.goto(site.url + reading.path_of("checkpoint"))
    reading.await_live(page)
    assert not [path for path in site.sent if "/engine/" in path]


@in_chromium
@pytest.mark.expects_problems(r"integrity|digest|Failed to load resource")
def test_what_is_not_what_it_should_be_is_not_kept(page: Page, site: SiteServer) -> None:
    (name,) = (name for name in site.files if name.endswith("/snapshot.image-gz"))
    good = site.files[name]
    site.files[name] = File(good.media_type, gzip.compress(gzip.decompress(good.body)[:-1]))
    page.goto(site.url + reading.path_of("checkpoint"))
    reading.await_live(page)
    await_worker(page)
    reading.await_truth(page, f"async () => (await ({KEPT})()).some(url => url.endsWith('/snapshot.wasm'))")
    page.wait_for_timeout(1000)
    assert not [url for url in page.evaluate(KEPT) if url.endswith("/snapshot.image")]

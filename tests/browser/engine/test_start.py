"""How the engine starts: as the snapshot if that can be used at all, else plainly; early, once the page is there."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from builder.engine.runtime import PYODIDE
from calculators.catalog import CALCULATORS
from calculators.page.machine import MACHINES
from tests.browser import reading
from tests.browser.engine.test_engine import in_worker, pass_time_until
from tooling import browsers

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Request, Route

    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit

pytestmark = pytest.mark.skipif(
    browsers.chosen() != "chromium", reason="only there Playwright sees a worker's requests"
)
PAGE = reading.path_of("checkpoint")
METERED = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}});"
LONGER_THAN_THE_SNAPSHOT_MAY_TAKE_MS = 16_000
MOST_BYTES_MORE = 80_000  # packed, for each calculator and system, beyond what a Pyodide without any takes


def requested(context: BrowserContext) -> list[str]:
    """The engine's files by name, as they are asked for."""
    names: list[str] = []

    def note(request: Request) -> None:
        if "/engine/" in request.url:
            names.append(request.url.rsplit("/", 1)[1])

    context.on("request", note)
    return names


def expect_live(page: Page, way: str) -> None:
    """The engine started this way, and computes."""
    place = reading.calculator(page, "checkpoint")
    expect(place).to_have_attribute("data-engine", "live")
    expect(place).to_have_attribute("data-way", way)
    reading.slide(place, "write_bandwidth", 60)
    reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 60}))


def test_it_starts_as_the_snapshot_without_anything_of_pyodide(context: BrowserContext, visit: Visit) -> None:
    names = requested(context)
    expect_live(visit(PAGE), "snapshot")
    assert sorted(names) == ["snapshot.image-gz", "snapshot.wasm-gz"]


def test_the_themes_script_does_not_have_the_whole_page_drawn_again(context: BrowserContext, visit: Visit) -> None:
    """Another class of the root, or another color scheme, would do that."""
    context.add_init_script(
        """
        window.rootClasses = [];
        new MutationObserver((changes) => {
            for (const {target, oldValue} of changes)
                if (target === document.documentElement && document.body && target.className !== oldValue)
                    window.rootClasses.push([oldValue, target.className]);
        }).observe(document, {attributeFilter: ["class"], attributeOldValue: true, subtree: true});
        """
    )
    page = visit(PAGE)
    reading.await_live(page)
    assert page.evaluate("() => document.documentElement.hasAttribute('data-js-focus-visible')"), "it did not run"
    assert page.evaluate("() => window.rootClasses") == []
    expect(page.locator("meta[name=color-scheme]")).to_have_count(1)


def test_a_memory_of_another_release_is_not_used(context: BrowserContext, visit: Visit, site: SiteServer) -> None:
    (path,) = (name for name in site.files if name.endswith("/snapshot.image-gz"))
    other = bytearray(gzip.decompress(site.files[path].body))
    other[-1] ^= 1
    stale = gzip.compress(bytes(other), mtime=0)
    length = len(site.files[path].body)
    context.route("**/snapshot.image-gz", lambda route: route.fulfill(body=stale[:length].ljust(length, b"\0")))
    expect_live(visit(PAGE), "plain")


def test_a_snapshot_that_never_comes_is_not_waited_for(context: BrowserContext, page: Page, visit: Visit) -> None:
    page.clock.install()
    held: list[Route] = []
    context.route("**/snapshot.image-gz", lambda route: held.append(route))  # noqa: PLW0108  Playwright wants a function
    visit(PAGE)
    place = reading.calculator(page, "checkpoint")
    expect(place).to_have_attribute("data-engine", "downloading")
    reading.await_here(page, lambda: held)
    pass_time_until(page, lambda: place.get_attribute("data-way") == "plain", LONGER_THAN_THE_SNAPSHOT_MAY_TAKE_MS)
    expect(place).to_have_attribute("data-way", "plain")
    expect(place).to_have_attribute("data-engine", "live")


def test_a_snapshot_that_hangs_is_replaced(context: BrowserContext, page: Page, visit: Visit) -> None:
    hanging = """self.addEventListener("message", ({data}) => {
        if (data.way === "snapshot") WebAssembly.instantiate = () => new Promise(() => {});
    });\n"""
    in_worker(context, hanging)
    page.clock.install()
    visit(PAGE)
    place = reading.calculator(page, "checkpoint")
    expect(place).to_have_attribute("data-engine", "starting")
    page.clock.run_for(LONGER_THAN_THE_SNAPSHOT_MAY_TAKE_MS)
    expect(place).to_have_attribute("data-way", "plain")
    expect(place).to_have_attribute("data-engine", "live")


def test_nothing_of_the_engine_is_fetched_before_the_page_was_painted(visit: Visit) -> None:
    page = visit(PAGE + "#parameters=405B")
    reading.await_live(page)
    painted, worker = page.evaluate(
        """() => [
            performance.getEntriesByName("first-contentful-paint")[0].startTime,
            performance.getEntriesByType("resource").find(({name}) => name.startsWith("blob:"))?.startTime,
        ]"""
    )
    assert worker is None or worker >= painted


@pytest.mark.parametrize("sign", ["pointer", "focus", "permalink"])
def test_on_a_metered_connection_it_starts_at_the_first_sign_of_use(
    context: BrowserContext, visit: Visit, sign: str
) -> None:
    context.add_init_script(METERED)
    page = visit(PAGE + ("#parameters=405B" if sign == "permalink" else ""))
    place = reading.calculator(page, "checkpoint")
    if sign == "pointer":
        place.dispatch_event("pointerdown")
    elif sign == "focus":
        place.locator("[data-box]").first.focus()
    expect(place).to_have_attribute("data-engine", "live")


def test_the_manifest_says_what_there_is(site: SiteServer) -> None:
    manifest = json.loads(site.files["engine/manifest.json"].body)
    for file in manifest["files"].values():
        body = site.files["engine/" + file["path"]].body
        assert len(body) == file["size"]
        if "end" in file:
            assert body[-8:].hex() == file["end"]
        if "unpacked" in file:
            content = gzip.decompress(body)
            assert file["unpacked"]["path"] + "-gz" == file["path"]
            assert file["unpacked"]["size"] == len(content)
            assert file["unpacked"]["sha256"] == hashlib.sha256(content).hexdigest()
    files = manifest["files"]
    assert set(files) == {"loader", "glue", "wasm", "library", "calculators", "snapshot", "image"}
    assert {use for use, file in files.items() if "unpacked" in file} == {"snapshot", "image"}
    fetched = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
    plain = sum(len(gzip.compress((PYODIDE / name).read_bytes())) for name in fetched)
    whole = files["snapshot"]["size"] + files["image"]["size"]
    assert whole < plain + MOST_BYTES_MORE * (len(CALCULATORS) + len(MACHINES))  # it holds all of them besides


def test_one_style_sheet_alone_is_between_the_reader_and_the_page(site: SiteServer) -> None:
    pages = {name: file.body.decode() for name, file in site.files.items() if name.endswith(".html")}
    assert {name for name, text in pages.items() if len(re.findall(r'<link rel="stylesheet"', text)) != 1} == set()
    awaited = re.compile(r"<script(?=[^>]*\ssrc=)(?![^>]*\stype=\"module\")")
    assert {name for name, text in pages.items() if awaited.search(text)} == set()


def test_the_scripts_of_the_theme_run_after_the_first_picture(visit: Visit) -> None:
    page = visit("guide/")
    asked = "performance.getEntriesByType('resource').find(({name}) => name.endsWith('/sitemap.xml'))?.startTime"
    reading.await_truth(page, f"() => {asked} > 0")  # the first thing that its script asks for
    first = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
    assert page.evaluate(first) < page.evaluate(f"() => {asked}")


@pytest.mark.parametrize("goes_on", ["answered", "kept waiting"])
def test_the_theme_waits_for_an_engine_that_was_touched_but_not_for_ever(
    context: BrowserContext, page: Page, visit: Visit, goes_on: str
) -> None:
    held: list[Route] = []
    context.route("**/snapshot.image-gz", lambda route: held.append(route))  # noqa: PLW0108  Playwright wants a function
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    visit(PAGE + "#parameters=405B")
    runs = "() => !!document.querySelector('script[src*=bundle]')"
    place = reading.calculator(page, "checkpoint")
    expect(place).to_have_attribute("data-engine", "downloading")
    reading.await_here(page, lambda: held)
    page.wait_for_timeout(500)
    assert not page.evaluate(runs)
    if goes_on == "answered":
        for route in held:
            route.continue_()
        expect(place).to_have_attribute("data-engine", "live")
    else:
        page.clock.run_for(2000)
        expect(place).to_have_attribute("data-engine", "downloading")
    reading.await_truth(page, runs)

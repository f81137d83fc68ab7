"""The engine's ups and downs as a reader meets them: slow, missing and broken downloads, and a worker that dies."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.calculator.test_inputs import pins
from tooling import browsers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playwright.sync_api import BrowserContext, Locator, Page, Route, Worker

    from tests.browser.conftest import Visit

pytestmark = pytest.mark.skipif(
    browsers.chosen() != "chromium", reason="only there Playwright sees a worker's requests"
)
PAGE = reading.path_of("checkpoint")
MOVED = {"write_bandwidth": 60}
SLOW = {"offline": False, "latency": 20, "downloadThroughput": 300_000, "uploadThroughput": 1_000_000}
FAST = {**SLOW, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}

# The worker is a blob of the page, which carries its source.
_BEFORE_THE_WORKER = """{
  self.beforeTheWorker = %s;
  self.Blob = class extends Blob {
    constructor(parts, options) {
      super(options?.type === "text/javascript" ? [self.beforeTheWorker, ...parts] : parts, options);
    }
  };
}"""


def calculator(page: Page) -> Locator:
    """The one calculator of the page."""
    return reading.calculator(page, "checkpoint")


def move(page: Page) -> None:
    """Move the slider that these tests move."""
    for slider, stop in MOVED.items():
        reading.slide(calculator(page), slider, stop)


def moved() -> dict[str, object]:
    """What Python says after that."""
    return reading.ask("checkpoint", stops=MOVED)


def beginning(code: str) -> str:
    """What a page runs before its script, so that every new engine begins with this code."""
    return _BEFORE_THE_WORKER % json.dumps(code + "\n")


def in_worker(context: BrowserContext, code: str) -> None:
    """Have every new engine begin with this code."""
    context.add_init_script(beginning(code))


def engine_of(page: Page) -> Worker:
    """The engine's worker, the newest if the end of another is not known yet; Material's search has one of its own."""
    return next(worker for worker in reversed(page.workers) if worker.url.startswith("blob:"))


def alive(page: Page, buried: Sequence[Worker]) -> list[Worker]:
    """The engine's workers that were not ended here."""
    return [worker for worker in page.workers if worker.url.startswith("blob:") and worker not in buried]


def pass_time_until(page: Page, is_so: Callable[[], bool], milliseconds: int) -> None:
    """Move the page's clock on, again and again: the files that do arrive meanwhile are signs of life."""
    until = time.monotonic() + reading.PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < until, "it never came"
        page.clock.run_for(milliseconds)


class Held:
    """Requests that wait until they are let go."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.waiting: list[Route] = []
        self.let_go = False
        self.came = threading.Event()
        context.route(address, self.hold)

    def hold(self, route: Route) -> None:
        """Keep a request waiting."""
        self.came.set()
        if self.let_go:
            route.continue_()
        else:
            self.waiting.append(route)

    def release(self) -> None:
        """Let all of them through, those to come as well."""
        self.let_go = True
        for route in self.waiting:
            route.continue_()


def test_results_appear_before_the_engine_is_live_and_changes_are_computed_once_it_is(
    context: BrowserContext, visit: Visit
) -> None:
    held = Held(context, "**/snapshot.wasm-gz")
    page = visit(PAGE)
    place = calculator(page)
    reading.await_answer(place, reading.ask("checkpoint"))
    expect(place).to_have_attribute("data-engine", "downloading")
    reading.await_truth(page, "() => document.querySelector('progress').value > 0")
    field = place.locator('[data-input="checkpoint_interval"] [data-box]')
    move(page)
    field.fill("30 min")
    expect(place).to_have_attribute("data-stale", "")
    assert reading.shown(place)["texts"]["checkpoint_size"][0] == reading.ask("checkpoint")["texts"]["checkpoint_size"]
    held.release()
    answer = reading.ask("checkpoint", {"checkpoint_interval": "30 min"}, stops=MOVED)
    reading.await_answer(place, answer, but=("controls",))
    expect(field).to_have_value("30 min")
    expect(place).to_have_attribute("data-engine", "live")


def test_a_slow_download_shows_how_much_of_it_is_here(context: BrowserContext, page: Page, visit: Visit) -> None:
    context.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}});")
    visit(PAGE)
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", SLOW)
    place = calculator(page)
    place.locator("[data-box]").first.focus()
    bar = place.locator("progress[data-engine-progress]")
    expect(bar).to_be_visible()
    seen: list[float] = []
    for _ in range(3):
        last = seen[-1] if seen else 0
        reading.await_truth(page, "last => document.querySelector('progress').value > last", last)
        seen.append(bar.evaluate("bar => bar.value"))
    assert 0 < seen[0] < seen[1] < seen[2]
    total = bar.evaluate("bar => bar.max")
    assert seen[2] < total
    assert total > 5e6
    expect(place.locator("[data-engine-text]")).to_contain_text("MB")
    reading.await_answer(place, reading.ask("checkpoint"))
    expect(place).to_have_attribute("data-engine", "downloading")
    wire.send("Network.emulateNetworkConditions", FAST)
    expect(place).to_have_attribute("data-engine", "live")
    expect(bar).to_be_hidden()


@pytest.mark.parametrize(
    ("file", "how", "sentence_text"),
    [
        ("*.wasm-gz", "missing", "pyodide.asm.wasm-gz could not be loaded (404)"),
        ("*.wasm-gz", "unreachable", "pyodide.asm.wasm-gz could not be loaded"),
        ("*.wasm-gz", "something else", "pyodide.asm.wasm-gz has unexpected content"),
        ("*.wasm-gz", "truncated", "pyodide.asm.wasm-gz arrived incomplete"),
    ],
)
@pytest.mark.expects_problems(
    r"Failed to load resource", r"Failed to fetch dynamically imported module", r"net::ERR", r"/pyodide[^/]*/"
)
def test_a_failed_download_is_reported_and_tried_again(
    context: BrowserContext, visit: Visit, file: str, how: str, sentence_text: str
) -> None:
    def break_it(route: Route) -> None:
        if how == "missing":
            route.fulfill(status=404, body="not here")
        elif how == "unreachable":
            route.abort()
        elif how == "something else":
            route.fulfill(body="<!doctype html><p>Sign in to this network first</p>", content_type="application/wasm")
        else:
            body = route.fetch().body()
            route.fulfill(body=body[: len(body) // 2], content_type="application/zip")

    context.route(f"**/{file}", break_it)
    page = visit(PAGE)
    place = calculator(page)
    expect(place).to_have_attribute("data-engine", "failed")
    status = place.locator("[data-engine-text]")
    expect(status).to_contain_text("cannot run")
    expect(status).to_contain_text(sentence_text)
    again = place.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    found = reading.shown(place)
    assert found["texts"]["checkpoint_size"][0] == reading.ask("checkpoint")["texts"]["checkpoint_size"]
    move(page)
    expect(place).to_have_attribute("data-stale", "")

    context.unroute(f"**/{file}")
    again.click()
    reading.await_answer(place, moved())
    expect(place).to_have_attribute("data-engine", "live")
    expect(again).to_be_hidden()


# Some hosts answer for what they lack with a page of theirs, as if it were there.
@pytest.mark.parametrize(
    "gone", [{"status": 404}, {"body": "<!doctype html><title>Home</title>", "content_type": "text/html"}]
)
@pytest.mark.expects_problems("404", "MIME", r"Failed to fetch dynamically imported module")
def test_an_old_tab_whose_engine_was_replaced_says_so_and_keeps_what_is_set(
    context: BrowserContext, page: Page, visit: Visit, gone: dict[str, Any]
) -> None:
    """A release took the place of the page and of the engine's files before this tab asked for them."""

    def replaced(route: Route) -> None:
        if route.request.resource_type == "document":
            return route.continue_()
        return route.fulfill(body=route.fetch().text().replace("/start-", "/start-OF-THE-NEXT-RELEASE-"))

    context.route("**/engine/**", lambda route: route.fulfill(**gone))
    context.route(f"**/{PAGE}", replaced)
    visit(PAGE)
    place = calculator(page)
    reading.box(place, "parameters").fill("8B")
    notice = page.locator(".update")
    expect(notice).to_contain_text("A new version is ready. Reload to use it.")
    expect(place.locator("[data-engine-text]")).to_contain_text("A newer version of this site has replaced its files")
    context.unroute("**/engine/**")
    context.unroute(f"**/{PAGE}")
    notice.get_by_role("button", name="Reload").click()
    given = {**pins("checkpoint", "parameters"), "parameters": "8B"}
    reading.await_answer(place, reading.ask("checkpoint", given))
    expect(page.locator(".update")).to_have_count(0)


def test_a_dead_worker_is_replaced_and_asked_again(visit: Visit) -> None:
    page = visit(PAGE)
    reading.await_live(page)
    first = engine_of(page)
    first.evaluate("() => self.close()")
    move(page)
    reading.await_answer(calculator(page), moved())
    expect(calculator(page)).to_have_attribute("data-engine", "live")
    assert engine_of(page) != first


def test_a_worker_that_hangs_is_replaced_and_asked_again(visit: Visit) -> None:
    page = visit(PAGE)
    reading.await_live(page)
    engine_of(page).evaluate("() => { setTimeout(() => { for (;;); }); }")
    page.wait_for_timeout(100)
    move(page)
    reading.await_answer(calculator(page), moved())


def test_after_three_deaths_the_reader_is_asked(visit: Visit) -> None:
    page = visit(PAGE)
    place = calculator(page)
    buried: list[Worker] = []
    while len(buried) < 3:
        reading.await_here(page, lambda: any(alive(page, buried)))  # the last one's death may not be known yet
        buried.append(alive(page, buried)[-1])
        expect(place).to_have_attribute("data-engine", "live")  # this one, since the page said otherwise before it
        buried[-1].evaluate("() => self.close()")
    expect(place).to_have_attribute("data-engine", "failed")
    expect(place.locator("[data-engine-text]")).to_contain_text("stopped 3 times")
    move(page)
    place.get_by_role("button", name="Try again").click()
    reading.await_answer(place, moved())


def test_a_metered_connection_loads_nothing_until_the_reader_touches_a_calculator(
    context: BrowserContext, visit: Visit
) -> None:
    context.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}});")
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url) if "/engine/" in request.url else None)
    page = visit(PAGE)
    place = calculator(page)
    page.wait_for_timeout(500)
    expect(place).to_have_attribute("data-engine", "idle")
    reading.await_answer(place, reading.ask("checkpoint"))
    assert asked == []
    place.locator("[data-box]").first.focus()
    expect(place).to_have_attribute("data-engine", "live")


def test_a_page_without_calculators_loads_no_engine(context: BrowserContext, visit: Visit) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url) if "/engine/" in request.url else None)
    page = visit("numbers/")
    page.wait_for_timeout(500)
    assert asked == []


# Counts the slices for which the page asks until the break-evens come; when the first has come, it is busy.
BUSY = """{
  self.further = -1;
  self.until = -1;
  self.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        if (data.kind === "answer" && data.text.includes('"edges"')) self.until = self.further;
        if (data.kind !== "answer" || self.further !== 0) return;
        for (const start = performance.now(); performance.now() - start < 2000; );
      });
    }
    postMessage(message, ...more) {
      const asked = message.kind === "ask" ? JSON.parse(message.text) : {};
      if (asked.asks?.includes("explore")) self.further = asked.cursor ? self.further + 1 : 0;
      super.postMessage(message, ...more);
    }
  };
}"""


def test_while_the_page_is_busy_the_next_slices_are_made(visit: Visit, context: BrowserContext) -> None:
    """Slice by slice the break-evens take a dozen or more; made meanwhile, they come with the second."""
    context.add_init_script(BUSY)
    page = visit(reading.path_of("storage_demand"))
    place = reading.calculator(page, "storage_demand")
    reading.slide(place, "gpus", 3)
    reading.await_truth(page, "() => self.further > 0")
    report = reading.ask("storage_demand", stops={"gpus": 3}, asks=["answer", "explore"])["edges"]
    for name, text in report.items():
        expect(place.locator(f'[data-threshold="{name}"] [data-threshold-text]')).to_have_text(text)
    expect(place.locator("[data-threshold][data-outdated]")).to_have_count(0)
    assert page.evaluate("() => self.until") == 1


# Notes what Python is asked without a request of the page: what is done after a while is practice.
PRACTICED = """{
  const { setTimeout } = self;
  const { encode } = TextEncoder.prototype;
  let isLater = false;
  self.practiced = [];
  self.setTimeout = (deed, wait) => setTimeout(() => {
    isLater = true;
    try { deed(); } finally { isLater = false; }
  }, wait);
  TextEncoder.prototype.encode = function (text) {
    if (isLater) self.practiced.push(JSON.parse(text).asks.join());
    return encode.call(this, text);
  };
}"""


def test_after_a_touch_the_engine_practices_the_answer_and_what_follows_it_for_a_moment(
    visit: Visit, context: BrowserContext
) -> None:
    in_worker(context, PRACTICED)
    page = visit(PAGE)
    reading.await_live(page)
    move(page)
    reading.await_answer(calculator(page), moved())
    counts: list[int] = []

    def is_over() -> bool:
        page.wait_for_timeout(200)
        counts.append(engine_of(page).evaluate("() => self.practiced.length"))
        return counts[-1] > 0 and counts[-1:] == counts[-2:-1]

    reading.await_here(page, is_over)
    assert set(engine_of(page).evaluate("() => self.practiced")) == {"answer", "explore"}

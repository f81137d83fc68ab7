"""Every way the engine can fail, caused in a real browser: a sentence, a way on, the built-in results stay."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.engine.test_engine import PAGE, calculator, engine_of, in_worker, move, moved, pass_time_until
from tooling import browsers

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

    from tests.browser.conftest import Visit

pytestmark = [
    pytest.mark.skipif(browsers.chosen() != "chromium", reason="only there Playwright sees a worker's requests"),
    # What the browser itself says about what these tests break.
    pytest.mark.expects_problems(
        r"Failed to load resource", r"net::ERR", r"Failed to fetch dynamically imported module", r"/pyodide[^/]*/"
    ),
]
WASM, SNAPSHOT, IMAGE = "**/*.wasm-gz", "**/snapshot.wasm-gz", "**/snapshot.image-gz"
GLUE, LOADER = "**/pyodide.asm.js", "**/pyodide.js"
LIBRARY = "**/python_stdlib.zip"
SIGN_IN = "<!doctype html><p>Sign in to this network first</p>"
# What a fatal failure of the runtime looks like from its worker: every call throws, for good.
BROKEN = """
  const say = self.postMessage.bind(self);
  self.postMessage = (message) => {
    if (message.kind === "answer") throw new WebAssembly.RuntimeError("memory access out of bounds");
    say(message);
  };"""
_LONGER_THAN_ANY_WAIT_MS = 61_000
_ANSWERED_OR_PLAIN = """sentence => { const root = document.querySelector("ai-calculator");
  const answer = root.querySelector(".answer").cloneNode(true);
  for (const follows of answer.querySelectorAll(".answer-likely, .against")) follows.remove();
  const said = answer.textContent.replace(/\\s+/g, " ").trim();
  return root.dataset.way === "plain" || said === sentence; }"""


def harm(route: Route, how: str) -> None:
    """Answer a request for one of the engine's files as no server should."""
    if how == "missing":
        route.fulfill(status=404, body="not here")
    elif how == "blocked":
        route.abort("blockedbyclient")
    elif how == "wrong":
        answer = route.fetch()
        route.fulfill(response=answer, body=SIGN_IN)
    elif how == "damaged":
        answer = route.fetch()
        damaged = bytearray(answer.body())
        middle = len(damaged) // 2
        damaged[middle : middle + 64] = bytes(64)
        route.fulfill(response=answer, body=bytes(damaged))
    elif how == "truncated":
        answer = route.fetch()
        body = answer.body()
        route.fulfill(response=answer, body=body[: len(body) // 2])


def kill(page: Page) -> None:
    """End the engine's worker behind the page's back, and wait until the page knows."""
    dying = engine_of(page)
    dying.evaluate("() => self.close()")
    until = time.monotonic() + reading.PATIENCE_SECONDS
    while not any(worker.url.startswith("blob:") and worker != dying for worker in page.workers):
        if calculator(page).get_attribute("data-engine") == "failed":
            return
        assert time.monotonic() < until
        page.wait_for_timeout(20)


def expect_failed(page: Page, sentence_text: str) -> None:
    """A sentence says what happened, the built-in answers stay, and there is a button to try again."""
    place = calculator(page)
    expect(place).to_have_attribute("data-engine", "failed")
    status = place.locator("[data-engine-text]")
    expect(status).to_contain_text("The calculator cannot run here.")
    expect(status).to_contain_text(sentence_text)
    text = status.inner_text()
    assert text.endswith("The last results stay on the page.")
    assert ".." not in text
    assert "undefined" not in text
    expect(place.get_by_role("button", name="Try again")).to_be_visible()
    found = reading.shown(place)
    assert found["texts"]["checkpoint_size"][0] == reading.ask("checkpoint")["texts"]["checkpoint_size"]


def expect_way_on(context: BrowserContext, page: Page) -> None:
    """Inputs stay usable, and once the cause is gone, trying again computes what was set meanwhile."""
    move(page)
    expect(calculator(page)).to_have_attribute("data-stale", "")
    context.unroute_all()
    page.evaluate("() => { self.beforeTheWorker = ''; }")
    calculator(page).get_by_role("button", name="Try again").click()
    reading.await_answer(calculator(page), moved())


@pytest.mark.parametrize(
    ("file", "how", "sentence_text"),
    [
        (WASM, "missing", "could not be loaded (404)"),
        (WASM, "blocked", "could not be loaded"),
        (WASM, "wrong", "has unexpected content"),
        (WASM, "truncated", "arrived incomplete"),
        (WASM, "damaged", "could not be started"),
        (GLUE, "wrong", "pyodide.asm.js"),
        (GLUE, "truncated", "pyodide.asm.js"),
        (LOADER, "blocked", "pyodide.js could not be loaded"),
    ],
)
def test_a_file_without_which_nothing_starts(
    context: BrowserContext, visit: Visit, file: str, how: str, sentence_text: str
) -> None:
    context.route(IMAGE, lambda route: harm(route, "missing"))  # the snapshot needs none of Pyodide's own programs
    context.route(file, lambda route: harm(route, how))
    page = visit(PAGE)
    expect_failed(page, sentence_text)
    expect_way_on(context, page)


@pytest.mark.parametrize(
    ("file", "how"),
    [
        *((SNAPSHOT, how) for how in ("missing", "wrong", "damaged")),
        *((IMAGE, how) for how in ("blocked", "truncated", "damaged")),
    ],
)
def test_without_its_snapshot_python_starts_plainly(context: BrowserContext, visit: Visit, file: str, how: str) -> None:
    context.route(file, lambda route: harm(route, how))
    page = visit(PAGE)
    expect(calculator(page)).to_have_attribute("data-way", "plain")
    if how != "damaged":  # from here on all go the same way
        return
    expect(calculator(page)).to_have_attribute("data-engine", "live")
    expect(calculator(page)).to_have_attribute("data-way", "plain")
    move(page)
    reading.await_answer(calculator(page), moved())


def test_without_snapshot_and_library_it_says_so(context: BrowserContext, visit: Visit) -> None:
    context.route(SNAPSHOT, lambda route: harm(route, "missing"))
    context.route(LIBRARY, lambda route: harm(route, "truncated"))
    page = visit(PAGE)
    expect_failed(page, "python_stdlib.zip")
    expect_way_on(context, page)


@pytest.mark.parametrize("file", [WASM, GLUE])
def test_a_file_that_never_answers(context: BrowserContext, page: Page, visit: Visit, file: str) -> None:
    page.clock.install()
    asked: list[Route] = []
    context.route(IMAGE, lambda route: route.abort())
    context.route(file, lambda route: asked.append(route))  # noqa: PLW0108  Playwright wants a plain function
    visit(PAGE)
    place = calculator(page)
    expect(place).to_have_attribute("data-engine", "downloading")
    reading.await_here(page, lambda: any("/pyodide.asm" in route.request.url for route in asked))  # the plain way
    pass_time_until(page, lambda: place.get_attribute("data-engine") == "failed", _LONGER_THAN_ANY_WAIT_MS)
    expect_failed(page, "The download stopped: check the network.")


def test_a_browser_without_web_assembly(context: BrowserContext, visit: Visit) -> None:
    in_worker(context, "delete self.WebAssembly;")
    page = visit(PAGE)
    expect_failed(page, "this browser has no WebAssembly, or it is switched off")
    expect_way_on(context, page)


@pytest.mark.expects_problems(r"could not allocate memory", r"_importhook")  # Pyodide itself, as it gives up
def test_too_little_memory_to_start(context: BrowserContext, visit: Visit) -> None:
    in_worker(
        context,
        """{
          const refuse = () => { throw new RangeError("WebAssembly.Memory(): could not allocate memory"); };
          WebAssembly.Memory = function () { refuse(); };
          WebAssembly.instantiate = WebAssembly.instantiateStreaming = async () => refuse();
        }""",
    )
    page = visit(PAGE)
    expect_failed(page, "memory")
    expect_way_on(context, page)


def test_python_that_runs_out_of_memory_while_it_computes(context: BrowserContext, visit: Visit) -> None:
    """The whole runtime is lost then: a fresh one takes its place, and is asked again."""
    page = visit(PAGE)
    reading.await_live(page)
    first = engine_of(page)
    first.evaluate(f"() => {{ {BROKEN} }}")
    move(page)
    reading.await_answer(calculator(page), moved())
    assert engine_of(page) != first


@pytest.mark.parametrize("when", ["asked", "practicing"])
def test_a_snapshot_that_wants_what_it_has_not_gives_way_to_plain_python(
    context: BrowserContext, visit: Visit, when: str
) -> None:
    """Where Python looks for a file, say, which it never did when the snapshot was tried."""
    in_worker(
        context,
        """{
          // What is done after a while, and not on request, is practice.
          const { setTimeout } = self;
          const wanting = (deed) => () => {
            self.wants = self.armed;
            try { deed(); } finally { self.wants = false; }
          };
          self.setTimeout = (deed, wait) => setTimeout(self.armed ? wanting(deed) : deed, wait);
          const { instantiate } = WebAssembly;
          const isSnapshot = (module) => module instanceof WebAssembly.Module
            && WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");
          WebAssembly.instantiate = (module, imports) => {
            if (!isSnapshot(module)) return instantiate(module, imports);
            const { env } = imports;
            const get = (name) => name === "_PyEM_TrampolineCall_JS" && self.wants ? env.fd_read : env[name];
            const late = new Proxy(env, { get: (_, name) =>
              typeof env[name] === "function" ? (...given) => get(name)(...given) : env[name] });
            return instantiate(module, { ...imports, env: late });
          };
        }""",
    )
    page = visit(PAGE)
    reading.await_live(page)
    expect(calculator(page)).to_have_attribute("data-way", "snapshot")
    engine_of(page).evaluate("name => { self[name] = true; }", "wants" if when == "asked" else "armed")
    for stop in range(20, 40 if when == "asked" else 21):  # which answer is the first to want it is Python's affair
        if calculator(page).get_attribute("data-way") == "plain":
            break
        reading.slide(calculator(page), "write_bandwidth", stop)
        sentence = reading.ask("checkpoint", stops={"write_bandwidth": stop})["sentence"]
        reading.await_truth(page, _ANSWERED_OR_PLAIN, sentence)
    expect(calculator(page)).to_have_attribute("data-way", "plain")
    move(page)
    reading.await_answer(calculator(page), moved())


def test_a_runtime_that_fails_for_good_three_times_stops(context: BrowserContext, visit: Visit) -> None:
    in_worker(context, BROKEN)
    page = visit(PAGE)
    expect_failed(page, "Python stopped 3 times; the last time memory access out of bounds.")
    expect_way_on(context, page)


def test_a_worker_that_was_killed_three_times_stops(visit: Visit) -> None:
    page = visit(PAGE)
    for _ in range(3):
        reading.await_live(page)
        kill(page)
    expect_failed(page, "Python stopped 3 times; the last time the browser ended it.")


def test_an_error_in_python_is_reported_and_the_engine_lives_on(visit: Visit) -> None:
    page = visit(PAGE)
    reading.await_live(page)
    place = calculator(page)
    place.evaluate("root => { root.dataset.calculator = 'nobody'; }")
    place = page.locator("ai-calculator")
    reading.slide(place, "write_bandwidth", 60)
    expect(place.locator("[data-notices]")).to_contain_text("This state could not be calculated (KeyError: 'nobody')")
    expect(place).to_have_attribute("data-stale", "")
    expect(place).to_have_attribute("data-engine", "live")
    assert set(reading.shown(place)["texts"]["checkpoint_size"]) == {""}  # nothing of another state stays
    place.evaluate("root => { root.dataset.calculator = 'checkpoint'; }")
    move(page)
    reading.await_answer(calculator(page), moved())
    expect(place.locator("[data-notices]")).to_be_hidden()


@pytest.mark.parametrize("lost", [False, True], ids=["worker kept", "worker lost"])
def test_a_tab_that_comes_back_after_a_day(page: Page, visit: Visit, lost: bool) -> None:  # noqa: FBT001
    """The browser may have frozen it, or ended its worker, and no event said so."""
    page.clock.install()
    visit(PAGE)
    reading.await_live(page)
    if lost:
        engine_of(page).evaluate("() => self.close()")
    page.clock.fast_forward("24:00:00")
    move(page)
    reading.await_answer(calculator(page), moved())
    expect(calculator(page)).to_have_attribute("data-engine", "live")


def test_a_discarded_tab_comes_back_with_what_was_set(visit: Visit) -> None:
    """A browser short of memory loads the page again; its address says what was set."""
    page = visit(PAGE)
    reading.await_live(page)
    move(page)
    reading.await_truth(page, "() => location.hash.includes('write_bandwidth')")
    page.reload()
    link = reading.ask("checkpoint", asks=["link"], stops={"write_bandwidth": 60})["link"]
    reading.await_answer(calculator(page), reading.ask("checkpoint", fragment=link))


def test_a_card_says_it_too_and_can_try_again(context: BrowserContext, visit: Visit) -> None:
    context.route(IMAGE, lambda route: harm(route, "missing"))
    context.route(GLUE, lambda route: harm(route, "missing"))
    page = visit()
    card = reading.calculator(page, "checkpoint")
    expect(card).to_have_attribute("data-engine", "failed")
    expect(card.locator("[data-engine-text]")).to_contain_text("pyodide.asm.js could not be loaded")
    context.unroute_all()
    card.get_by_role("button", name="Try again").click()
    reading.await_live(page)
    reading.await_answer(card, reading.ask("checkpoint"))


@pytest.mark.parametrize(
    ("path", "script"), [("offers/", "offers"), ("own-facts/", "own-facts"), ("records/", "records"), ("", "finder")]
)
def test_a_page_whose_own_script_does_not_load_says_so(
    context: BrowserContext, visit: Visit, path: str, script: str
) -> None:
    context.route(re.compile(rf"/assets/{script}-\w+\.js"), lambda route: route.abort())
    page = visit(path)
    if script == "finder":
        reading.await_live(page)
        page.keyboard.press("Control+k")
    expect(page.get_by_role("alert")).to_contain_text("did not load")
    if script == "finder":
        page.keyboard.press("Control+k")
        expect(page.get_by_role("alert")).to_have_count(1)

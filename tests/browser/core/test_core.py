"""What tells engines apart most, in each of them: Chromium, Firefox and WebKitGTK (`make test-firefox`, `test-webkit`).

The other tests go far deeper, and in Chromium only. These ask of the browser only what `tab.Tab` can do too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from builder.serving.serve import SiteServer, running
from calculators.catalog import CALCULATORS
from tests.browser import reading
from tests.browser.calculator.test_inputs import pins
from tests.browser.core.conftest import SCRIPT
from tests.browser.engine.test_engine import beginning
from tests.browser.offline.visits import await_engine_kept, await_worker, stop

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from tests.browser.core.conftest import Core

PAGE = reading.path_of("checkpoint")
MOVED = {"write_bandwidth": 60}
STEPS = CALCULATORS["checkpoint"].steps
IMAGE = "engine/*/snapshot.image-gz"
REFUSED = (
    r"(?i)requires 'trusted|content.security.policy|violates the following|refused to|failed to load resource"
    r"|blocked|other origin"
)
# In the engine's worker, where no driver reaches in every browser: does what the page says, and tells how it went.
EAR = """{
  const ear = new BroadcastChannel("ear");
  const deeds = {
    end: () => self.close(),
    eval: () => (0, eval)("'ran'"),
    function: () => new Function("return 'ran'")(),
    fetch: (url) => fetch(url).then(() => "came"),
    import: (url) => import(url).then(() => "came"),
  };
  ear.onmessage = async ({data: [deed, given]}) => {
    const done = (async () => deeds[deed](given))();
    ear.postMessage(await done.catch(() => "refused"));
  };
}"""
SAY = """([deed, given]) => new Promise((resolve) => {
  const mouth = new BroadcastChannel("ear");
  mouth.onmessage = ({data}) => resolve(data);
  mouth.postMessage([deed, given]);
  if (deed === "end") resolve("");
})"""
# Out of the driver's hands, since some of what a driver runs is exempt from the policy.
TRY = """(url) => new Promise((resolve) => setTimeout(async () => {
  const attempt = (deed) => { try { deed(); } catch {} }; // Trusted Types refuse by an error
  const add = (name, attributes) =>
    attempt(() => document.body.append(Object.assign(document.createElement(name), attributes)));
  add("script", {textContent: "window.ran = 'an inline script'"});
  add("script", {src: url + "a.js"});
  add("img", {src: url + "a.png"});
  add("iframe", {src: url});
  add("img", {src: "nothing", onerror: "window.ran = 'no function'"});
  const script = document.createElement("script");
  script.append("window.ran = 'a text in a script'");
  attempt(() => document.body.append(script));
  const handled = `<img src="nothing" onerror="window.ran = 'a handler'">`;
  attempt(() => document.body.insertAdjacentHTML("beforeend", handled));
  const image = document.createElement("img");
  attempt(() => image.setAttribute("onerror", "window.ran = 'a handler'"));
  image.src = "nothing";
  document.body.append(image);
  const tried = [
    async () => (0, eval)("window.ran = 'eval'"),
    async () => new Function("window.ran = 'a function'")(),
    () => fetch(url),
  ].map((attempt) => attempt().then(() => "came", () => "refused"));
  setTimeout(async () => resolve([window.ran ?? "nothing ran", ...await Promise.all(tried)]), 300);
}))"""


def calculator(tab: Page) -> Locator:
    """The page's one calculator."""
    return reading.calculator(tab, "checkpoint")


def await_state(tab: Page, **state: str) -> None:
    """Wait until all calculators of the page are in this state, by their attributes."""
    all_are = """(state) => { const all = [...document.querySelectorAll("ai-calculator")];
        const is = ({dataset}) => Object.entries(state).every(([key, value]) => dataset[key] === value);
        return all.length > 0 && all.every(is); }"""
    reading.await_truth(tab, all_are, state, reading.START_SECONDS)


def opened(tab: Page, server: Core, path: str = PAGE) -> Locator:
    """Open a page and wait until its engine is live."""
    tab.goto(server.url + path)
    await_state(tab, engine="live")
    return calculator(tab)


def expect_moves(place: Locator) -> None:
    """A slider is moved, and all that depends on it follows."""
    before = reading.shown(place)
    reading.slide(place, "write_bandwidth", MOVED["write_bandwidth"])
    after = reading.await_answer(place, reading.ask("checkpoint", stops=MOVED))
    assert after["sentence"] != before["sentence"]
    assert after["figure"] != before["figure"]


def problem_of(place: Locator, name: str) -> str:
    """What is next to an input's field."""
    text: str = reading.shown(place)["controls"][name]["problem"]
    return text


def leave(tab: Page, name: str) -> None:
    """Leave a box by the keyboard."""
    tab.keyboard.press("Tab")
    unfocused = "name => !document.activeElement.matches(`[data-input=${name}] [data-box]`)"
    reading.await_truth(tab, unfocused, name)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[SiteServer]:
    """Another origin, which counts what it is asked."""
    (tmp_path / "index.html").write_text("<!doctype html><title>Elsewhere</title>", encoding="utf-8")
    with running(SiteServer(tmp_path)) as other:
        yield other


@pytest.mark.expects_problems(r"start-|404|Failed to load|Loading failed")
def test_the_page_is_complete_before_its_script(tab: Page, server: Core) -> None:
    server.lack(SCRIPT)
    tab.goto(server.url + PAGE)
    found = reading.await_answer(calculator(tab), reading.ask("checkpoint"))
    assert found["engine"] == "idle"
    tall = (
        "root => [...root.querySelectorAll('.answer, table.results, math')].map(e => e.getBoundingClientRect().height)"
    )
    assert max(calculator(tab).evaluate(tall)) > 0
    reading.open_all(calculator(tab))  # what is folded comes without it
    assert min(calculator(tab).evaluate(tall)) > 0
    assert calculator(tab).evaluate("root => root.querySelectorAll('.step-body').length") == len(STEPS)


def test_what_is_folded_comes_when_it_is_opened_and_follows(tab: Page, server: Core) -> None:
    place = opened(tab, server)
    assert place.evaluate("root => root.querySelectorAll('.step-body').length") < len(STEPS)
    reading.open_all(place)
    assert place.evaluate("root => root.querySelectorAll('.step-body').length") == len(STEPS)
    expect_moves(place)


def test_it_starts_as_the_snapshot_and_a_slider_moves_the_answer(tab: Page, server: Core) -> None:
    place = opened(tab, server)
    await_state(tab, way="snapshot")
    assert not [path for path in server.sent if "/pyodide" in path or path.endswith(".zip")]
    expect_moves(place)


@pytest.mark.expects_problems(r"404|Failed to load resource")
def test_without_its_snapshot_it_starts_plainly(tab: Page, server: Core) -> None:
    server.lack(IMAGE)
    place = opened(tab, server)
    await_state(tab, way="plain")
    expect_moves(place)


def test_a_typed_quantity_may_have_any_unit(tab: Page, server: Core) -> None:
    place = opened(tab, server)
    reading.type_in(place, "checkpoint_interval", "90 min")
    answer = reading.ask("checkpoint", {**pins("checkpoint", "checkpoint_interval"), "checkpoint_interval": "90 min"})
    reading.await_answer(place, answer, but=("controls",))
    assert reading.shown(place)["controls"]["checkpoint_interval"]["box"] == "90 min"
    leave(tab, "checkpoint_interval")
    found = reading.await_answer(place, answer)
    assert found["controls"]["checkpoint_interval"]["box"] == "1.5 h"


def test_a_wrong_input_is_reported_next_to_its_field_and_no_result_of_another_state_stays(
    tab: Page, server: Core
) -> None:
    place = opened(tab, server)
    before = reading.shown(place)
    reading.type_in(place, "write_window", "soon")
    (text,) = reading.ask("checkpoint", {"write_window": "soon"})["problems"].values()
    reading.await_truth(
        tab, "said => [...document.querySelectorAll('[data-problem]')].some(one => one.textContent === said)", text
    )
    during = reading.shown(place)
    assert during["controls"]["write_window"] == {
        **before["controls"]["write_window"],
        "box": "soon",
        "problem": text,
        "invalid": "true",
        "origin": during["controls"]["write_window"]["origin"],
    }
    assert not [name for name, texts in during["texts"].items() if any(texts)]
    assert during["stale"]
    place.locator('[data-input="write_window"] [data-box]').fill("")
    reading.type_in(place, "write_window", "30 s")
    leave(tab, "write_window")
    reading.await_answer(place, reading.ask("checkpoint", {"write_window": "30 s"}))


def test_a_link_opens_its_state_and_the_address_follows_the_next(tab: Page, server: Core) -> None:
    given = {"model": "llama-3-1-405b", "parameters": "1T", "checkpoint_interval": "30min"}
    link = reading.ask("checkpoint", given, asks=["link"])["link"]
    opened(tab, server, PAGE + "#" + link)
    reading.await_answer(calculator(tab), reading.ask("checkpoint", given))
    reading.slide(calculator(tab), "write_bandwidth", 60)
    reading.await_answer(calculator(tab), reading.ask("checkpoint", given, stops=MOVED))
    after = reading.ask("checkpoint", given, asks=["link"], stops=MOVED)["link"]
    reading.await_truth(tab, "link => location.hash === '#' + link", after)


def test_a_worker_that_was_killed_is_replaced_and_asked_again(tab: Page, server: Core) -> None:
    server.begin(SCRIPT, beginning(EAR))
    place = opened(tab, server)
    tab.evaluate(SAY, ["end", None])
    expect_moves(place)
    await_state(tab, engine="live")


@pytest.mark.expects_problems(REFUSED)
def test_page_and_worker_run_no_text_and_reach_no_other_origin(tab: Page, server: Core, elsewhere: SiteServer) -> None:
    server.begin(SCRIPT, beginning(EAR))
    opened(tab, server)
    deeds: dict[str, Any] = {"eval": None, "function": None, "fetch": elsewhere.url, "import": elsewhere.url + "a.js"}
    assert {deed: tab.evaluate(SAY, [deed, given]) for deed, given in deeds.items()} == dict.fromkeys(deeds, "refused")
    assert tab.evaluate(TRY, elsewhere.url) == ["nothing ran", *["refused"] * 3]
    assert not elsewhere.sent


def test_the_engine_lives_on_from_page_to_page(tab: Page, server: Core) -> None:
    opened(tab, server, "")
    reading.await_links(tab)
    tab.evaluate("() => { window.sameVisit = true; }")
    first = [path for path in server.sent if "/engine/" in path]
    server.sent.clear()
    tab.locator('[data-calculator="checkpoint"] .card-question a').click()
    reading.await_truth(tab, "path => location.pathname.endsWith(path) && !document.querySelector('.card')", PAGE)
    await_state(tab, engine="live")
    expect_moves(calculator(tab))
    assert tab.evaluate("() => window.sameVisit"), "the page was loaded again"
    assert first
    assert not [path for path in server.sent if "/engine/" in path]


def test_the_keyboard_alone_reaches_a_slider_and_moves_the_answer(tab: Page, server: Core) -> None:
    place = opened(tab, server)
    slider = CALCULATORS["checkpoint"].first_sliders[0]
    before = reading.shown(place)
    filling = {p.name: before["presets"][p.name] for p in CALCULATORS["checkpoint"].presets if slider in p.fills}
    tab.evaluate("name => document.querySelector(`[data-input=${name}] [data-box]`).focus()", slider)
    leave(tab, slider)
    reached = """name => { const reached = document.activeElement;
        return reached.matches(`[data-input=${name}] [data-slider]`) && reached.matches(":focus-visible")
            && getComputedStyle(reached).outlineStyle !== "none"; }"""
    reading.await_truth(tab, reached, slider)
    here = [before["controls"][slider]["box"]]
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft"):
        tab.keyboard.press(key)
        here.append(reading.shown(place)["controls"][slider]["box"])
        reading.await_answer(place, reading.ask("checkpoint", {**filling, slider: here[-1]}))
    assert len(set(here)) == 4, "a step up, and two down over what it was"


@pytest.mark.offline
@pytest.mark.context(service_workers="allow")
def test_after_one_visit_it_works_offline_and_no_other_origin_was_asked(tab: Page, server: Core) -> None:
    tab.goto(server.url)
    await_state(tab, engine="live")
    await_worker(tab)
    await_engine_kept(tab, server)
    asked = tab.evaluate("() => performance.getEntriesByType('resource').map(({name}) => name)")
    assert asked
    assert [url for url in asked if not re.match(re.escape(server.url) + "|blob:|data:", url)] == []
    stop(server)
    expect_moves(opened(tab, server))

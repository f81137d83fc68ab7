"""Pages: how large one is, how soon it shows its first answer, and how long a move of a slider takes."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, Any

from calculators.catalog import CALCULATORS
from tooling.figure import ANSWER_AFTER_FIRST_MOVE, CPU_SLOWDOWN, ROUNDS, SETTLING_MS, Figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from builder.serving.serve import SiteServer

MOVES = 60
TEN_MEGABIT = {"offline": False, "latency": 20, "downloadThroughput": 1.25e6, "uploadThroughput": 1.25e6}
FIRST_PAINT = """() => new Promise((resolve) => {
  const seen = () => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    if (paint && document.querySelector("output")?.textContent.trim()) resolve(paint.startTime);
    else requestAnimationFrame(seen);
  };
  seen();
})"""
# The first ten moves do not count: by them, 0.2 s of a drag, the browser finds out what to compile well.
# When the first and the last of the numbers changed, and when the last was painted; edges, ranges, charts and advice
# have other places than numbers.
ANSWERS_AFTER_MOVES = """async ([input, moves]) => {
  const slider = document.querySelector(input ? `[data-input="${input}"] [data-slider]` : "input[type=range]");
  let first = 0;
  let last = 0;
  let painted = 0;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { painted = performance.now(); };
  new MutationObserver((changes) => {
    const isNumber = (node) => (node.parentElement ?? node).closest?.("[data-value], [data-also], [data-python]");
    if (!changes.some(({ target }) => isNumber(target))) return;
    last = performance.now();
    first ||= last;
    requestAnimationFrame(() => port2.postMessage("the frame is drawn"));
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  const times = [];
  for (let move = -10; move < moves; move++) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    slider.value = Number(slider.min) + (0.2 + 0.6 * (((move + 10) * 0.618) % 1)) * (slider.max - slider.min);
    const start = performance.now();
    first = 0;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 150));
    if (move >= 0 && last > start && painted > last) times.push([first - start, last - start, painted - start]);
  }
  return times;
}"""

EXPLORED_MOVES = 40  # fewer, and the 95th percentile would be the worst of all
TOO_LONG_MS = 5000
# Break-evens come after the ranking; while those of the state before are shown, they are marked as outdated. On a page
# without verdicts the ranking is the last to come. A state that is refused has neither, and does not count; one whose
# break-evens never come counts as too long.
EXPLORED_AFTER_MOVES = """async ([moves, tooLong]) => {
  const slider = document.querySelector("input[type=range]");
  const isRefused = () => document.querySelector("[aria-invalid=true]") !== null;
  const ranked = () => new Promise((resolve) => {
    let last;
    const watch = new MutationObserver(() => { last = performance.now(); });
    const seen = { subtree: true, childList: true, characterData: true, attributes: true };
    watch.observe(document.querySelector("[data-swings]"), seen);
    setTimeout(() => (watch.disconnect(), resolve(last)), 600);
  });
  const isOutdated = () => document.querySelector("[data-threshold][data-outdated]") !== null;
  const until = (wanted) => new Promise((resolve) => {
    const look = () => { if (isOutdated() === wanted) done(true); };
    const watch = new MutationObserver(look);
    const done = (came) => (watch.disconnect(), resolve(came));
    watch.observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-outdated"] });
    setTimeout(() => done(false), tooLong);
    look();
  });
  const times = [];
  const hasEdges = document.querySelector("[data-threshold]") !== null;
  for (let move = 0; move < moves; move++) {
    await new Promise((resolve) => setTimeout(resolve, 600));
    slider.value = Number(slider.min) + (0.2 + 0.6 * ((move * 0.618) % 1)) * (slider.max - slider.min);
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    if (!hasEdges) {
      const last = await ranked();
      if (last) times.push(last - start);
    } else if (await until(true) && await until(false)) times.push(performance.now() - start);
    else if (!isRefused()) times.push(tooLong);
  }
  return times;
}"""


def page_kinds(site: SiteServer) -> dict[str, str]:
    """Return one path of each kind of page: the front page, a calculator, a chapter."""
    kinds = {"front page": ""}
    for name, file in site.files.items():
        if name.endswith("/index.html"):
            kind = "calculator" if b'type="range"' in file.body else "chapter"
            kinds.setdefault(kind, name.removesuffix("index.html"))
    return kinds


def calculator_pages() -> list[str]:
    """Return the path of every calculator's page."""
    return [f"calculators/{name.replace('_', '-')}/" for name in CALCULATORS]


def cold(browser: Browser, *, network: dict[str, Any] | None = None) -> Iterator[Page]:
    """Yield new tabs, each of a fresh profile."""
    for _ in range(ROUNDS):
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        if network:
            context.new_cdp_session(page).send("Network.emulateNetworkConditions", network)
        yield page
        context.close()


def page_weight(browser: Browser, site: SiteServer, path: str) -> float:
    """Return what HTML, CSS and JavaScript of one page are on the wire, without what its worker requests [kB]."""
    weight = 0.0
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    session = context.new_cdp_session(page)
    counted: set[str] = set()

    def note(event: dict[str, Any]) -> None:
        if event["type"] in {"Document", "Stylesheet", "Script"}:
            counted.add(event["requestId"])

    def add(event: dict[str, Any]) -> None:
        nonlocal weight
        weight += event["encodedDataLength"] if event["requestId"] in counted else 0

    session.on("Network.responseReceived", note)
    session.on("Network.loadingFinished", add)
    session.send("Network.enable")
    page.goto(site.url + path)
    page.wait_for_timeout(1000)
    context.close()
    return weight / 1000


def first_answer(browser: Browser, site: SiteServer, path: str, network: dict[str, Any] | None = None) -> float:
    """Return the time from navigation to the first answer painted, cold [ms]."""
    times: list[float] = []
    for page in cold(browser, network=network):
        page.wait_for_timeout(SETTLING_MS)
        page.goto(site.url + path, wait_until="commit")
        times.append(page.evaluate(FIRST_PAINT))
    return statistics.median(times)


def answer_times(browser: Browser, site: SiteServer, paths: list[str]) -> Iterator[Figure]:
    """Yield the 95th percentiles from an input event to the last change it makes on the page, and to its painting."""
    for slowdown, budget in ((1, 12), (CPU_SLOWDOWN, 40)):
        worst: list[float] = []
        worst_painted: list[float] = []
        for path in paths:
            context = browser.new_context(service_workers="block")
            page = context.new_page()
            page.goto(site.url + path)
            page.evaluate(ANSWER_AFTER_FIRST_MOVE)
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
            times: list[tuple[float, float, float]] = page.evaluate(ANSWERS_AFTER_MOVES, ["", MOVES])
            context.close()
            worst.append(statistics.quantiles([written for _, written, _ in times], n=20)[-1])
            worst_painted.append(statistics.quantiles([painted for _, _, painted in times], n=20)[-1])
        slowly = f", page's CPU slowed {slowdown} times" if slowdown > 1 else ""
        yield Figure(f"input to the last new number, worst page's p95{slowly}", max(worst), "ms", budget)
        yield Figure(f"... median of the pages' p95{slowly}", statistics.median(worst), "ms")
        yield Figure(f"... to its painting, worst page's p95{slowly}", max(worst_painted), "ms")


def exploring_times(browser: Browser, site: SiteServer, paths: list[str]) -> Iterator[Figure]:
    """Yield the 95th percentiles from an input event until its ranking and break-evens are shown, by calculator."""
    found: list[float] = []
    for path in paths:
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        page.goto(site.url + path)
        page.evaluate(ANSWER_AFTER_FIRST_MOVE)
        times: list[float] = page.evaluate(EXPLORED_AFTER_MOVES, [EXPLORED_MOVES, TOO_LONG_MS])
        context.close()
        found.append(statistics.quantiles(times, n=20)[-1] if len(times) > 1 else math.inf)
    yield Figure("input to ranking and break-evens, worst page's p95", max(found), "ms", 50)
    yield Figure("... median of the pages' p95", statistics.median(found), "ms")

"""The figures that the budgets limit, measured here and now: `make bench` (`python -m tooling.bench --help`).

It drives the site as a reader would and knows only standard HTML of it: a calculator page has `input[type=range]` for
its inputs and `output` for its answers. Nothing here is a test: a busy machine makes figures worse, not wrong.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from builder.paths import ROOT
from builder.serving.serve import SiteServer, running
from tooling import browsers, copies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page, Playwright

    from tooling.copies import Copy

PREFIX = "/some-repo/"
SITE_URL = f"https://example.org{PREFIX}"
CHAPTERS = "content/guide"
ROUNDS = 5
SLOW_ROUNDS = 3
MOVES = 60
SETTLING_MS = 500  # the tab before has gone by then
FORMER_VISITS = 2
KEEPING_MS = 3000
LIGHTHOUSE_ROUNDS = 3
SLOWER = 4
TEN_MEGABIT = {"offline": False, "latency": 20, "downloadThroughput": 1.25e6, "uploadThroughput": 1.25e6}
NETWORKS: dict[str, dict[str, Any] | None] = {
    "LAN": None,
    "cable, 50 Mbit/s": {"offline": False, "latency": 20, "downloadThroughput": 6.25e6, "uploadThroughput": 1.25e6},
    "mobile, 9 Mbit/s": {"offline": False, "latency": 85, "downloadThroughput": 1.125e6, "uploadThroughput": 0.4e6},
}
# So that the engine starts with the first move, and not before the clock does.
AT_FIRST_MOVE = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"

FIRST_PAINT = """() => new Promise((resolve) => {
  const seen = () => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    if (paint && document.querySelector("output")?.textContent.trim()) resolve(paint.startTime);
    else requestAnimationFrame(seen);
  };
  seen();
})"""
ANSWER_AFTER_FIRST_MOVE = """() => new Promise((resolve) => {
  const answers = () => [...document.querySelectorAll("output")].map((output) => output.textContent).join("|");
  const before = answers();
  const slider = document.querySelector("input[type=range]");
  const start = performance.now();
  const observer = new MutationObserver(() => {
    if (answers() === before) return;
    observer.disconnect();
    resolve(performance.now() - start);
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  slider.value = Number(slider.min) + 0.8 * (slider.max - slider.min);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""
# A reader who touches as soon as the page takes touches, while its other scripts are still to come.
TOUCH_WHILE_LOADING = f"""window.answered = (async () => {{
  await customElements.whenDefined("ai-calculator");
  while (!performance.getEntriesByName("first-contentful-paint").length) await new Promise(requestAnimationFrame);
  return ({ANSWER_AFTER_FIRST_MOVE})();
}})();"""
ANSWERS_AFTER_MOVES = """async (moves) => {
  const slider = document.querySelector("input[type=range]");
  const calculator = slider.closest("form")?.parentElement ?? document.body;
  let last = 0;
  let painted = 0;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { painted = performance.now(); };
  new MutationObserver((changes) => {
    const announced = (node) => (node.parentElement ?? node).closest?.("[role=status]:not(output)");
    if (!changes.some(({ target }) => !announced(target))) return;
    last = performance.now();
    requestAnimationFrame(() => port2.postMessage("the frame is drawn"));
  }).observe(calculator, { subtree: true, childList: true, characterData: true });
  const times = [];
  for (let move = 0; move < moves; move++) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    slider.value = Number(slider.min) + (0.2 + 0.6 * ((move * 0.618) % 1)) * (slider.max - slider.min);
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 150));
    if (last > start && painted > last) times.push([last - start, painted - start]);
  }
  return times;
}"""
PLAIN_START = """() => new Promise((resolve, reject) => {
  const start = performance.now();
  const worker = new Worker("plain.mjs", { type: "module" });
  worker.onmessage = () => resolve(performance.now() - start);
  worker.onerror = reject;
})"""
PLAIN_WORKER = """import { loadPyodide } from "./pyodide.mjs";
await loadPyodide({ indexURL: new URL(".", import.meta.url).href });
postMessage("live");
"""


@dataclass(frozen=True)
class Figure:
    """One line of the report."""

    what: str
    value: float
    unit: str
    budget: float | None = None
    at_least: bool = False

    def __str__(self) -> str:
        """Return the line as printed."""
        if self.budget is None:
            return f"{self.what:<70} {self.value:>9.4g} {self.unit}"
        sign, kept = ("≥", self.value >= self.budget) if self.at_least else ("≤", self.value <= self.budget)
        return f"{self.what:<70} {self.value:>9.4g} {self.unit:<4} {sign} {self.budget:<6g} {'ok' if kept else 'OVER'}"


def builds(site_dir: Path, copy: Copy) -> Iterator[Figure]:
    """Build the whole site from nothing, then with what that left in .cache/, then serve it and save chapters."""
    for what, budget in (("full build, nothing cached", 60), ("full build, again", None)):
        start = time.perf_counter()
        copy.build(site_dir, "--site-url", SITE_URL)
        yield Figure(what, time.perf_counter() - start, "s", budget)
    with copies.served(copy):
        chapters = sorted((copy.folder / CHAPTERS).glob("*.md"), key=lambda path: path.stat().st_size)[-ROUNDS:]
        times = [until_served(copy, chapter) for chapter in chapters]
    what = f"chapter saved until the server answers with it (worst of {ROUNDS}: {max(times):.2f} s)"
    yield Figure(what, statistics.median(times), "s", 3)


def until_served(copy: Copy, chapter: Path) -> float:
    """Return the time from saving a changed chapter until the server answers with the change [s]."""
    time.sleep(1)  # a person pauses between saves
    copy.save(chapter.relative_to(copy.folder).as_posix(), lambda text: f"{text}\nSaved while serving.\n")
    return copy.seconds_until(f"guide/{chapter.stem}/", "Saved while serving.")


def page_kinds(site: SiteServer) -> dict[str, str]:
    """Return one path of each kind of page: the front page, a calculator, a chapter."""
    kinds = {"front page": ""}
    for name, file in site.files.items():
        if name.endswith("/index.html"):
            kind = "calculator" if b'type="range"' in file.body else "chapter"
            kinds.setdefault(kind, name.removesuffix("index.html"))
    return kinds


def calculator_pages(site: SiteServer) -> list[str]:
    """Return the path of every page that has one whole calculator."""
    pages = [
        name for name, file in site.files.items() if name.endswith("/index.html") and b'<aside class="dock' in file.body
    ]
    return [name.removesuffix("index.html") for name in pages]


def machine() -> dict[str, Any]:
    """Return when and where this runs, and how busy it is there."""
    about = Path("/proc/cpuinfo")
    models = [
        line for line in (about.read_text("utf-8") if about.exists() else "").splitlines() if "model name" in line
    ]
    load = [round(part, 1) for part in os.getloadavg()]
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    cpu = models[0].partition(":")[2].strip() if models else platform.processor()
    return {"date": date, "cpu": cpu, "cores": os.cpu_count(), "load": load}


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
    """Return what HTML, CSS and JavaScript of one page weigh on the wire, without what its worker asks for [kB]."""
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


def engine(browser: Browser, site: SiteServer, plain: SiteServer, path: str) -> Iterator[Figure]:
    """Yield time and bytes until the engine answers, against a plain start of the same Pyodide in turn."""
    both = {"ours": (site, path), "plain": (plain, "")}
    circumstances = {**dict.fromkeys(NETWORKS, 1), f"LAN, page's CPU slowed {SLOWER} times": SLOWER}
    for name, slowdown in circumstances.items():
        network = NETWORKS.get(name)
        times, sizes = _starts(browser, both, network, slowdown)
        budget = 0.2 if name == "LAN" else None
        against = f"{times['ours']:.2f} s against {times['plain']:.2f} s"
        yield Figure(f"engine live, cold, {name} ({against})", times["ours"] / times["plain"], "×", budget)
        if name == "LAN":
            against = f"{sizes['ours'] / 1e6:.2f} MB against {sizes['plain'] / 1e6:.2f} MB"
            yield Figure(f"engine's bytes, cold ({against})", sizes["ours"] / sizes["plain"], "×", 1)


def _starts(
    browser: Browser, both: dict[str, tuple[SiteServer, str]], network: dict[str, Any] | None, slowdown: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Return seconds and bytes of cold starts, the medians of several in turn."""
    measured: dict[str, list[tuple[float, int]]] = {name: [] for name in both}
    for name, (server, where) in list(both.items()) * (ROUNDS if network is None else SLOW_ROUNDS):
        context = browser.new_context(service_workers="block")
        context.add_init_script(AT_FIRST_MOVE)
        page = context.new_page()
        page.goto(server.url + where)
        page.wait_for_timeout(500)
        session = context.new_cdp_session(page)
        if network:
            session.send("Network.emulateNetworkConditions", network)
        session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
        loaded = server.sent.copy()
        seconds = page.evaluate(PLAIN_START if name == "plain" else ANSWER_AFTER_FIRST_MOVE) / 1000
        measured[name].append((seconds, (server.sent - loaded).total()))
        context.close()
    times = {name: statistics.median(seconds for seconds, _ in pairs) for name, pairs in measured.items()}
    sizes = {name: statistics.median(size for _, size in pairs) for name, pairs in measured.items()}
    return times, sizes


def repeat_visits(playwright: Playwright, site: SiteServer, plain: SiteServer, path: str) -> Iterator[Figure]:
    """Yield what a visit after others fetches until the engine answers, and how long that takes, in a profile on disk.

    There browsers keep the code they compiled, which they do not in the profiles that tests use. The same for a page
    that is touched while it loads, and for a plain start.
    """
    ways = {"ours": (site, path), "while loading": (site, path), "plain": (plain, "")}
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    fetched = 0
    with tempfile.TemporaryDirectory() as profile:
        options = browsers.launch_options(playwright, "chromium")
        context = playwright.chromium.launch_persistent_context(profile, **options)
        context.add_init_script(AT_FIRST_MOVE)
        for visit in range(FORMER_VISITS + ROUNDS):
            for name, (server, where) in ways.items():
                before = server.sent.copy()
                found = _visited(context, server.url + where, name)
                if visit < FORMER_VISITS:
                    continue
                seconds[name].append(found)
                fetched += 0 if name == "plain" else (server.sent - before).total()
        context.close()
    ours, loading, usual = (statistics.median(seconds[name]) for name in ways)
    yield Figure("repeat visits fetch, all of them", fetched / 1000, "kB", 0)
    spread = f"of {ROUNDS}: {min(seconds['ours']):.2f} to {max(seconds['ours']):.2f} s; plain {usual:.2f} s"
    yield Figure(f"touch to answer, repeat visit ({spread})", ours, "s", 0.25)
    yield Figure("... of a page that is touched while it loads", loading, "s")


def _visited(context: BrowserContext, address: str, how: str) -> float:
    """Return the time from a touch to the answer on a page that has come to rest, or is only loading [s]."""
    page = context.new_page()
    if how == "while loading":
        page.add_init_script(TOUCH_WHILE_LOADING)
        page.goto(address, wait_until="commit")
        milliseconds = page.evaluate("() => window.answered")
    else:
        page.goto(address)
        page.wait_for_timeout(SETTLING_MS)
        milliseconds = page.evaluate(PLAIN_START if how == "plain" else ANSWER_AFTER_FIRST_MOVE)
    page.wait_for_timeout(KEEPING_MS)  # the service worker stores the rest, and the browser its code
    page.close()
    return float(milliseconds) / 1000


def answer_times(browser: Browser, site: SiteServer, paths: list[str]) -> Iterator[Figure]:
    """Yield the 95th percentiles from an input event to the last change it makes on the page, and to its painting."""
    for slowdown, budget in ((1, 12), (SLOWER, 40)):
        worst: list[float] = []
        worst_painted: list[float] = []
        for path in paths:
            context = browser.new_context(service_workers="block")
            page = context.new_page()
            page.goto(site.url + path)
            page.evaluate(ANSWER_AFTER_FIRST_MOVE)
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
            times: list[tuple[float, float]] = page.evaluate(ANSWERS_AFTER_MOVES, MOVES)
            context.close()
            worst.append(statistics.quantiles([written for written, _ in times], n=20)[-1])
            worst_painted.append(statistics.quantiles([painted for _, painted in times], n=20)[-1])
        slowly = f", page's CPU slowed {slowdown} times" if slowdown > 1 else ""
        yield Figure(f"input to the last new number, worst page's p95{slowly}", max(worst), "ms", budget)
        yield Figure(f"... median of the pages' p95{slowly}", statistics.median(worst), "ms")
        yield Figure(f"... to its painting, worst page's p95{slowly}", max(worst_painted), "ms")


def lighthouse(url: str, chrome: str) -> dict[str, float]:
    """Return Lighthouse's four scores for a mobile visit, each the median of three runs [0 to 100]."""
    runs: list[dict[str, float]] = []
    for _ in range(2 * LIGHTHOUSE_ROUNDS):
        command = ["node_modules/.bin/lighthouse", url, "--quiet", "--output=json"]
        flags = "--chrome-flags=--headless=new --no-sandbox"
        done = subprocess.run(
            [*command, flags],
            cwd=ROOT / "tooling/bench",
            check=True,
            capture_output=True,
            env={**os.environ, "CHROME_PATH": chrome},
        )
        scores = {name: category["score"] for name, category in json.loads(done.stdout)["categories"].items()}
        if None not in scores.values():
            runs.append(scores)
        if len(runs) == LIGHTHOUSE_ROUNDS:
            break
    return {name: 100 * statistics.median(run[name] for run in runs) for name in runs[0]}


def plain_site(folder: Path) -> Path:
    """Return a folder that holds Pyodide as npm brings it, and a page that starts it."""
    shutil.copytree(ROOT / "node_modules/pyodide", folder, dirs_exist_ok=True)
    (folder / "plain.mjs").write_text(PLAIN_WORKER, encoding="utf-8")
    (folder / "index.html").write_text("<!doctype html><title>plain</title><output>12</output>", encoding="utf-8")
    return folder


def figures(site_dir: Path | None, *, with_lighthouse: bool) -> Iterator[Figure]:
    """Yield every figure, as soon as it is known."""
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if site_dir is None:
            site_dir = scratch / "site"
            yield from builds(site_dir, copies.copied(scratch / "copy"))
        site = stack.enter_context(running(SiteServer(site_dir, prefix=PREFIX)))
        plain = stack.enter_context(running(SiteServer(plain_site(scratch / "plain"))))
        for file in (*site.files.values(), *plain.files.values()):
            _ = file.gzipped  # so that the first visitor does not wait for it
        playwright = stack.enter_context(sync_playwright())
        browser = stack.enter_context(browsers.launched(playwright, "chromium"))
        kinds = page_kinds(site)
        for kind, path in kinds.items():
            yield Figure(f"{kind}: HTML, CSS and JS", page_weight(browser, site, path), "kB", 150)
        path = kinds["calculator"]
        yield Figure("first answer painted, cold", first_answer(browser, site, path), "ms", 115)
        yield Figure("... of a page that says 12 and nothing else", first_answer(browser, plain, ""), "ms")
        yield Figure("... at 10 Mbit/s", first_answer(browser, site, path, TEN_MEGABIT), "ms", 250)
        yield from engine(browser, site, plain, path)
        yield from repeat_visits(playwright, site, plain, path)
        yield from answer_times(browser, site, calculator_pages(site))
        if with_lighthouse:
            chrome = browsers.system_path("chromium") or playwright.chromium.executable_path
            for kind, path in kinds.items():
                for name, score in lighthouse(site.url + path, chrome).items():
                    least = 95 if name == "performance" else 100
                    yield Figure(f"Lighthouse, {kind}: {name}", score, "", least, at_least=True)


def main() -> None:
    """Print each figure beside its budget, and leave all of them in bench.json."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure what the budgets limit.")
    parser.add_argument("--site-dir", type=Path, help="a site that is built already (default: build one)")
    parser.add_argument("--no-lighthouse", action="store_true", help="leave out Lighthouse, which takes minutes")
    options = parser.parse_args()
    found: list[Figure] = []
    before = machine()
    for figure in figures(options.site_dir, with_lighthouse=not options.no_lighthouse):
        print(figure, flush=True)
        found.append(figure)
    after = machine()
    print(f"{before['date']}, {before['cores']} × {before['cpu']}, load {before['load'][0]} to {after['load'][0]}")
    report = {"before": before, "after": after, "figures": [asdict(figure) for figure in found]}
    (ROOT / "bench.json").write_text(json.dumps(report, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()

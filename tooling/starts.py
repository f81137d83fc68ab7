"""Starts: time and bytes until the engine answers, cold and on later visits, against a plain start of Pyodide."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from typing import TYPE_CHECKING, Any

from builder.paths import ROOT
from tooling import browsers
from tooling.figure import ANSWER_AFTER_FIRST_MOVE, CPU_SLOWDOWN, ROUNDS, SETTLING_MS, Figure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Playwright

    from builder.serving.serve import SiteServer

SLOW_ROUNDS = 3
FORMER_VISITS = 2
KEEPING_MS = 3000
NETWORKS: dict[str, dict[str, Any] | None] = {
    "LAN": None,
    "cable, 50 Mbit/s": {"offline": False, "latency": 20, "downloadThroughput": 6.25e6, "uploadThroughput": 1.25e6},
    "mobile, 9 Mbit/s": {"offline": False, "latency": 85, "downloadThroughput": 1.125e6, "uploadThroughput": 0.4e6},
}
# So that the engine starts with the first move, and not before the clock does.
AT_FIRST_MOVE = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
# A reader who touches as soon as the page takes touches, while its other scripts are still to come.
TOUCH_WHILE_LOADING = f"""window.answered = (async () => {{
  await customElements.whenDefined("ai-calculator");
  while (!performance.getEntriesByName("first-contentful-paint").length) await new Promise(requestAnimationFrame);
  return ({ANSWER_AFTER_FIRST_MOVE})();
}})();"""
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


def plain_site(folder: Path) -> Path:
    """Return a folder that holds Pyodide as npm installs it, and a page that starts it."""
    shutil.copytree(ROOT / "node_modules/pyodide", folder, dirs_exist_ok=True)
    (folder / "plain.mjs").write_text(PLAIN_WORKER, encoding="utf-8")
    (folder / "index.html").write_text("<!doctype html><title>plain</title><output>12</output>", encoding="utf-8")
    return folder


def engine(browser: Browser, site: SiteServer, plain: SiteServer, path: str) -> Iterator[Figure]:
    """Yield time and bytes until the engine answers, against a plain start of the same Pyodide in turn."""
    both = {"ours": (site, path), "plain": (plain, "")}
    circumstances = {**dict.fromkeys(NETWORKS, 1), f"LAN, page's CPU slowed {CPU_SLOWDOWN} times": CPU_SLOWDOWN}
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

"""`make soak-slider MINUTES=60`: one page's sliders moved without pause in Chromium, and what that leaves behind.

Every minute it prints, after the browser has collected its garbage, the page's heap, nodes and listeners, the memory of
Python in the worker, that of the browser's process, and the steps of the history. What is still growing after the first
quarter of the time is a leak, and the exit code. `--slowed 4` is a phone: its size, and a processor a quarter as fast.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from builder.serving.serve import SiteServer, running
from tests.browser import reading
from tests.browser.conftest import DESK
from tests.browser.engine.test_engine import engine_of, in_worker
from tooling import browsers

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

_PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_MB = 1e6
_GROWTH = 1.15  # more than that is no noise
_KEEP_MEMORY = """{
  const { Memory } = WebAssembly;
  WebAssembly.Memory = function (...given) { return (self.ofPython = new Memory(...given)); };
}"""
# A drag of a few steps on one slider, its release, then another; every tenth time Undo.
_MOVE = """(pause) => {
  const all = [...document.querySelectorAll("ai-calculator [data-slider]")];
  const sliders = all.filter(({ offsetParent }) => offsetParent);
  self.moves = 0;
  const move = () => {
    const slider = sliders[Math.floor(self.moves / 8) % sliders.length];
    const { min, max } = slider;
    slider.value = String(Math.round(Number(min) + Math.random() * (Number(max) - Number(min))));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    if (++self.moves % 8 === 0) slider.dispatchEvent(new Event("change", { bubbles: true }));
    if (self.moves % 80 === 0) document.querySelector("[data-action=undo]").click();
    setTimeout(move, pause);
  };
  move();
}"""


@dataclass(frozen=True)
class Sample:
    """What is there after some minutes."""

    moves: int
    heap: float
    nodes: int
    listeners: int
    python: float
    process: float
    history: int

    def __str__(self) -> str:
        """Return a row of the table."""
        return "".join(f"{getattr(self, each.name):>11,.{1 if each.type == 'float' else 0}f}" for each in fields(self))


def sample(browser: Browser, page: Page, metrics: CDPSession) -> Sample:
    """Collect garbage and measure."""
    metrics.send("HeapProfiler.collectGarbage")
    found = {one["name"]: one["value"] for one in metrics.send("Performance.getMetrics")["metrics"]}
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    resident = max(_resident(one["id"]) for one in processes if one["type"] == "renderer")
    python = engine_of(page).evaluate("() => self.ofPython?.buffer.byteLength ?? 0")
    moves, history = page.evaluate("() => [self.moves, history.length]")
    heap, nodes, listeners = (found[name] for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners"))
    return Sample(moves, heap / _MB, nodes, listeners, python / _MB, resident / _MB, history)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _resident(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> int:
    """Move sliders until the time is over; 1 where something grows without end."""
    parser = argparse.ArgumentParser(prog="make soak-slider", description=__doc__)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--page", default="calculators/inference/")
    parser.add_argument("--site", type=Path, default=Path("site"))
    parser.add_argument("--pause", type=int, default=50, help="milliseconds between two moves")
    parser.add_argument("--slowed", type=float, default=1.0, help="how many times slower the page's processor is")
    options = parser.parse_args()
    with running(SiteServer(options.site)) as server, sync_playwright() as playwright:
        browser = browsers.launched(playwright, "chromium", light=True)
        context = browser.new_context(**(_PHONE if options.slowed > 1 else {"viewport": DESK}))
        in_worker(context, _KEEP_MEMORY)
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.goto(server.url + options.page)
        reading.await_live(page)
        metrics = context.new_cdp_session(page)
        metrics.send("Performance.enable")
        metrics.send("Emulation.setCPUThrottlingRate", {"rate": options.slowed})
        page.evaluate(_MOVE, options.pause)
        say("minute" + "".join(f"{each.name:>11}" for each in fields(Sample)))
        samples = []
        for minute in range(1, options.minutes + 1):
            until = time.monotonic() + 60
            while time.monotonic() < until:
                page.wait_for_timeout(1000)
            samples.append(sample(browser, page, metrics))
            say(f"{minute:>6}{samples[-1]}")
        state = page.locator("ai-calculator").first.get_attribute("data-engine")
        browser.close()
    early = samples[max(0, len(samples) // 4 - 1)]
    growing = [
        name
        for name in ("heap", "nodes", "listeners", "python", "process", "history")
        if getattr(samples[-1], name) > _GROWTH * getattr(early, name)
    ]
    say("\n".join([*sorted(set(problems)), f"engine {state}; growing: {', '.join(growing) or 'nothing'}"]))
    return bool(growing or problems or state != "live")


if __name__ == "__main__":
    sys.exit(main())

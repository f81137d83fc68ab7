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
import statistics
import subprocess
import tempfile
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from builder.paths import ROOT
from builder.serving.serve import SiteServer, running
from tooling import browsers, copies, readings
from tooling.figure import ROUNDS, Figure
from tooling.machine import machine_times
from tooling.pages import (
    TEN_MEGABIT,
    answer_times,
    calculator_pages,
    exploring_times,
    first_answer,
    page_kinds,
    page_weight,
)
from tooling.starts import engine, plain_site, repeat_visits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tooling.copies import Copy

PREFIX = "/some-repo/"
SITE_URL = f"https://example.org{PREFIX}"
CHAPTERS = "content/guide"
LIGHTHOUSE_ROUNDS = 3


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


def figures(site_dir: Path | None, *, with_lighthouse: bool) -> Iterator[Figure]:
    """Yield every figure, as soon as it is known."""
    yield from readings.figures()
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
        yield from answer_times(browser, site, calculator_pages())
        yield from exploring_times(browser, site, calculator_pages())
        yield from machine_times(browser, site)
        if with_lighthouse:
            chrome = browsers.system_path("chromium") or playwright.chromium.executable_path
            for kind, path in kinds.items():
                for name, score in lighthouse(site.url + path, chrome).items():
                    least = 95 if name == "performance" else 100
                    yield Figure(f"Lighthouse, {kind}: {name}", score, "", least, at_least=True)


def main() -> None:
    """Print each figure next to its budget, and leave all of them in bench.json."""
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

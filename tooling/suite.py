"""The tests in every browser there is: `python -m tooling.suite [chromium] [firefox] [webkit] [-- pytest's options]`.

Today's share of them (tests/daily.py), with EVERY=1 all. Everything runs with Chromium but the core of the browser
tests (tests/browser/core): what that is about the others look at closely there. It runs in Firefox and WebKitGTK, one
by one parallel to Chromium, whose tests often wait. CI must have Chromium and Firefox; elsewhere a Firefox that cannot
be had is a notice, as a WebKitGTK always is. Each browser's run has a time limit, and each test in it, so that what
hangs is named and ended; one run's failure does not keep the next from running.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from builder.paths import ROOT
from tooling import browsers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CORE = "tests/browser/core"
# The day from which prices age in tests, and in the sites that they look at: noon of 27 November 2026.
MOMENT = {"SOURCE_DATE_EPOCH": "1795780800"}
SITE_URL = "https://example.org/some-repo/"
ORDER = {"PYTHONHASHSEED": "1", "TZ": "UTC+1"}  # of the sites that all tests share; test_archive.py has others
NOTHING_CHOSEN = 5  # pytest, when its options leave no test
KILLED = -signal.SIGKILL


@dataclass(frozen=True)
class Run:
    """Tests of one browser, with time limits for the whole and for each test."""

    browser: str
    only_core: bool
    seconds: int
    test_seconds: int

    def command(self, extra: list[str]) -> list[str]:
        """Return the command line; what hangs is shown, ended, and counted as a failure."""
        limits = ("-o", f"faulthandler_timeout={self.test_seconds}", "-o", "faulthandler_exit_on_timeout=true")
        names_files = any((ROOT / argument.partition("::")[0]).exists() for argument in extra)
        which = [] if names_files else [CORE] if self.only_core else [f"--ignore={CORE}"]
        core = ["-m", "core", "-q", "--maxprocesses=2"] if self.only_core else []
        return [sys.executable, "-m", "pytest", *limits, *core, *which, *extra]


RUNS = (
    Run("chromium", only_core=False, seconds=4200, test_seconds=1200),
    Run("firefox", only_core=True, seconds=1200, test_seconds=400),
    Run("webkit", only_core=True, seconds=1200, test_seconds=400),
)


def built(folder: Path, *, only_core: bool) -> dict[str, str]:
    """Return where the built sites are that all runs look at, by the variables that say so: SITE_DIR if given.

    The core looks at one alone, the site for an address.
    """
    if ready := os.environ.get("SITE_DIR"):
        return {"SITE_DIR": str(Path(ready).resolve())}
    addresses = {"SITE_DIR": SITE_URL} if only_core else {"SITE_DIR": SITE_URL, "HOMELESS_DIR": ""}
    here = {variable: str(folder / variable.lower()) for variable in addresses}
    wanted = [word for variable, address in addresses.items() for word in (here[variable], address)]
    command = [sys.executable, "-m", "tooling.sites", *wanted]
    # Meanwhile the tests are compiled: four processes would each do it for themselves, all at once.
    collecting = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
    with subprocess.Popen(collecting, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        if subprocess.run(command, cwd=ROOT, env={**os.environ, **MOMENT, **ORDER}, check=False).returncode:
            sys.exit("The site does not build.")
    return here


def outcome(command: list[str], seconds: int, environment: dict[str, str]) -> int:
    """Run a command, and end it with all that it started once its time is over."""
    process = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        print(f"\nended after {seconds} s", flush=True)
        return KILLED
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # whatever it left behind, browsers above all
        process.wait()


def run_browser(run: Run, looked_at: dict[str, str], extra: list[str]) -> tuple[bool, str]:
    """Run what is to run in one browser; return whether that is well, and the word for it."""
    if not browsers.found(run.browser, light=True):
        needed = run.browser == "chromium" or (run.browser == "firefox" and bool(os.environ.get("CI")))
        return not needed, f"NOT RUN. {browsers.missing(run.browser)}"
    start = time.monotonic()
    environment = {**os.environ, "BROWSER": run.browser, **looked_at}
    code = outcome(run.command(extra), run.seconds, environment)
    words = {0: "passed", NOTHING_CHOSEN: "no test chosen", KILLED: f"ended: it took longer than {run.seconds} s"}
    well = code in {0, NOTHING_CHOSEN}
    return well, f"{words.get(code, 'FAILED')} ({time.monotonic() - start:.0f} s)"


@contextmanager
def in_parallel(names: list[str], extra: list[str], looked_at: dict[str, str]) -> Iterator[Callable[[], bool]]:
    """Run these browsers' tests, one at a time, while the `with` block goes on; yield what waits, tells and judges."""
    command = [sys.executable, "-m", "tooling.suite", *names, "--", *extra, *(["--maxprocesses=1"] if extra else [])]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as report:
        environment = {**os.environ, **looked_at}
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=report, stderr=subprocess.STDOUT)

        def well() -> bool:
            code = process.wait()
            report.seek(0)
            print(report.read(), flush=True)
            return code == 0

        try:
            yield well
        finally:
            process.terminate()  # it ends what it started
            process.wait()


def main() -> None:
    """Run what the command line names, everything unless it does, and say at the end how each went."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # with all that it started
    given = [*sys.argv[1:], "--"]
    cut = given.index("--")
    own, extra = given[:cut], given[cut + 1 : -1]
    chosen = [run for run in RUNS if not own or run.browser in own]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as others:
        looked_at = built(Path(folder), only_core=all(run.only_core for run in chosen))
        others_well: Callable[[], bool] = lambda: True  # noqa: E731  replaced where there are others
        if len(chosen) > 1 and chosen[0].browser == "chromium":
            for run in chosen:  # what is not here is got now: two installations at once disturb each other
                browsers.found(run.browser, light=True)
            names = [run.browser for run in chosen[1:]]
            others_well, chosen = others.enter_context(in_parallel(names, extra, looked_at)), chosen[:1]
        words = {}
        for run in chosen:
            print(f"\n--- {run.browser} ---", flush=True)
            words[run.browser] = run_browser(run, looked_at, extra)
            print(f"{run.browser}: {words[run.browser][1]}", flush=True)
        went_well = all([*(well for well, _ in words.values()), others_well()])
    print("\n" + "\n".join(f"{name:9} {word}" for name, (_, word) in words.items()), flush=True)
    sys.exit(0 if went_well else 1)


if __name__ == "__main__":
    main()

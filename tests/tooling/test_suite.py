"""How the tests themselves are run, browser by browser: what may be missing, and what is ended."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from builder.paths import ROOT
from tooling import browsers, suite

RUNS = {run.browser: run for run in suite.RUNS}


def is_running(process: int) -> bool:
    """Whether a process still runs; one that only waits to be buried does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], check=False, capture_output=True, text=True)
    return state.stdout.strip()[:1] not in {"", "Z"}


@pytest.mark.parametrize(
    ("browser", "ci", "well"),
    [
        ("chromium", "", False),
        ("firefox", "", True),
        ("firefox", "true", False),
        ("webkit", "", True),
        ("webkit", "true", True),
    ],
)
def test_a_missing_browser_fails_where_it_must_be_there_and_is_reported_everywhere(
    monkeypatch: pytest.MonkeyPatch, browser: str, ci: str, *, well: bool
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(browsers, "found", lambda _, *, light: not light)
    went_well, word = suite.run_browser(RUNS[browser], {}, [])
    assert went_well == well
    assert "NOT RUN" in word
    assert browsers.DEBIAN[browser][0] in word


def test_what_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    left = tmp_path / "pid"
    start = time.monotonic()
    code = suite.outcome(["sh", "-c", f"sleep 300 & echo $! > {left}; wait"], 1, dict(os.environ))
    assert code == suite.KILLED
    assert time.monotonic() - start < 30
    while is_running(int(left.read_text())):
        assert time.monotonic() - start < 30
        time.sleep(0.05)


def test_the_core_is_added_unless_files_are_named() -> None:
    assert suite.CORE in RUNS["firefox"].command([])
    assert suite.CORE not in RUNS["firefox"].command(["tests/tooling/test_suite.py"])
    assert "core" in RUNS["webkit"].command(["-k", "link"])
    assert "core" not in RUNS["chromium"].command([])


def test_with_chromium_all_but_the_core_runs_unless_files_are_named() -> None:
    assert f"--ignore={suite.CORE}" in RUNS["chromium"].command(["-k", "link"])
    assert f"--ignore={suite.CORE}" not in RUNS["chromium"].command([suite.CORE])


@pytest.mark.parametrize("well", [True, False])
def test_what_runs_in_parallel_is_reported_and_judged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str], *, well: bool
) -> None:
    (tmp_path / "tooling").mkdir()
    program = f"import os, sys\nprint(sys.argv[1:], os.environ['SITE_DIR'])\nsys.exit({int(not well)})\n"
    (tmp_path / "tooling" / "suite.py").write_text(program, "utf-8")
    monkeypatch.setattr(suite, "ROOT", tmp_path)
    with suite.in_parallel(["firefox", "webkit"], ["-n", "auto"], {"SITE_DIR": str(tmp_path / "site")}) as others_well:
        assert others_well() == well
    report = capfd.readouterr().out
    assert f"['firefox', 'webkit', '--', '-n', 'auto', '--maxprocesses=1'] {tmp_path / 'site'}" in report


def test_what_runs_in_parallel_ends_with_the_main_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "tooling").mkdir()
    left = tmp_path / "pid"
    program = f"import os, pathlib, time\npathlib.Path({str(left)!r}).write_text(str(os.getpid()))\ntime.sleep(300)\n"
    (tmp_path / "tooling" / "suite.py").write_text(program, "utf-8")
    monkeypatch.setattr(suite, "ROOT", tmp_path)
    with suite.in_parallel(["firefox"], [], {}):
        until = time.monotonic() + 30
        while not (left.exists() and left.read_text()):
            assert time.monotonic() < until
            time.sleep(0.05)
    assert not is_running(int(left.read_text()))


def test_tests_also_run_without_xdist() -> None:
    """As `make mutants` runs them."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "--collect-only", "tests/units/test_symbols.py"]
    assert subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode == 0

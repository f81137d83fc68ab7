"""How the tests themselves are run, browser by browser: what may be missing, and what is ended."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

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
def test_a_missing_browser_fails_where_it_must_be_there_and_is_told_everywhere(
    monkeypatch: pytest.MonkeyPatch, browser: str, ci: str, *, well: bool
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(browsers, "found", lambda _: False)
    monkeypatch.setattr(browsers, "lighten", lambda: None)
    went_well, word = suite.said(RUNS[browser], Path(), [])
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

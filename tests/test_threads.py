"""The library as a service's kernel: threads, processes and every Python that is here answer as one does."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from builder.paths import ROOT
from calculators.catalog import CALCULATORS
from calculators.page.machine import MACHINES
from tests.kernel import THREADS, State, answered
from tests.soak.states import NAMES, drawn

EACH, PROCESSES = 12, 2
PYTHONS = ("3.12", "3.13", "3.14", "3.14t")  # with a t: without the lock that lets one thread run at a time


def states() -> list[State]:
    """Some states of every calculator and system, as texts, and of the one that searches for seconds its first."""
    chance = random.Random(11)  # noqa: S311  states, not secrets
    known = {**CALCULATORS, **{name: made() for name, made in MACHINES.items()}}
    return [(name, json.dumps(drawn(known[name], chance))) for name in NAMES for _ in range(EACH)] + [("machine", "{}")]


@pytest.fixture(scope="module")
def alone() -> dict[State, str]:
    """The answers, one after the other."""
    return {state: answered(state) for state in states()}


def test_threads_answer_as_one_does(alone: dict[State, str]) -> None:
    asked = list(alone) * 2
    random.Random(12).shuffle(asked)  # noqa: S311
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(answered, asked))
    assert [state for state, text in zip(asked, found, strict=True) if text != alone[state]] == []


def test_processes_answer_as_one_does(alone: dict[State, str]) -> None:
    asked = list(alone)[::3]
    with ProcessPoolExecutor(PROCESSES, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(answered, asked, chunksize=8))
    assert [state for state, text in zip(asked, found, strict=True) if text != alone[state]] == []


def interpreter(version: str) -> str | None:
    """Where this Python is: on the path, or among pyenv's; None where it is not, or does not start."""
    here = shutil.which(f"python{version}")
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for path in filter(None, (here, *map(str, sorted(root.glob(f"versions/{version}*/bin/python{version}"))))):
        if subprocess.run([path, "-c", ""], check=False, capture_output=True).returncode == 0:
            return path
    return None


def elsewhere(python: str, asked: list[State]) -> list[str]:
    """What threads that begin at once answer there, in a process of this Python."""
    command, given = [python, "-m", "tests.kernel"], json.dumps(asked)
    process = subprocess.run(command, cwd=ROOT, input=given, check=False, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr[-2000:]
    return list(json.loads(process.stdout))


def rounded(value: Any) -> Any:
    """The same without the last digits of numbers: Python sums more exactly from 3.12 on."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


@pytest.mark.daily(3)
@pytest.mark.parametrize("python", [pytest.param(sys.executable, id="this"), *PYTHONS])
def test_threads_that_begin_at_once_answer_as_one_does(python: str, alone: dict[State, str]) -> None:
    asked = list(alone)[::EACH]
    path = python if python == sys.executable else interpreter(python)
    if path is None:
        pytest.skip(f"there is no Python {python} on this machine")
    found = elsewhere(path, asked)
    expected = [alone[state] for state in asked]
    assert [
        (state, one, other)
        for state, one, other in zip(asked, found, expected, strict=True)
        if rounded(json.loads(one)) != rounded(json.loads(other))
    ] == []

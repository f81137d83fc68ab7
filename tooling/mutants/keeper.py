"""A process that has imported everything the tests need but what may change, and forks for each run of them.

Starting an interpreter and importing pytest and its like takes longer than most tests; thousands of changes are tried.
A client connects, the keeper forks, the child imports the repository's own modules afresh and runs pytest in them, and
the client ends with its exit code. The first run records which test executes which lines of the modules; a client's is
of those that execute a changed one.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Tests = dict[str, list[str]]
OURS = frozenset({"builder", "calculators", "tests", "tooling", "__main__", "conftest"})
GRACE = 60.0  # seconds that a client's tests may take beyond what they took while they were recorded
# What a mutant's run costs besides its tests: no site packages, one socket.
CLIENT = "import socket,sys;s=socket.socket(socket.AF_UNIX);s.connect(sys.argv[1]);sys.exit(int(s.recv(9)or 1))"


@contextmanager
def kept(folder: Path, tests: Tests, keyword: str = "") -> Iterator[str]:
    """Keep a process that runs each module's tests in `folder`; give the command line that asks it to, once all pass.

    With a keyword, only those of the tests that pytest's -k chooses by it.

    Raises:
        ValueError: the tests fail as they are

    """
    address, asked = folder / "keeper", folder / "keeper.json"
    asked.write_text(json.dumps(tests), "utf-8")
    arguments = [str(address), str(asked), keyword]
    environment = {**os.environ, "PYTHONPATH": str(folder), "CI": "true"}
    keeper = subprocess.Popen([sys.executable, __file__, *arguments], cwd=folder, env=environment)
    try:
        while not address.exists():
            if keeper.poll() is not None:
                raise ValueError(f"these tests fail before anything is changed: {tests}")
            time.sleep(0.1)
        yield f"{sys.executable} -I -S -c '{CLIENT}' {address}"
    finally:
        keeper.kill()
        keeper.wait()


def ran(tests: list[str], plugin: object) -> int:
    """Run pytest in this process, on tests that the keyword of the command line chooses; return its exit code."""
    import pytest  # noqa: PLC0415  # the parent imports it once it knows what else to import

    return int(
        pytest.main(
            ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", sys.argv[3], *tests], plugins=[plugin]
        )
    )


def learned(tests: Tests) -> tuple[int, dict[str, Any]]:
    """Run all tests in a child; return its exit code, what it imported that is not ours, and what it touched."""
    reading, writing = os.pipe()
    if child := os.fork():
        os.close(writing)
        with os.fdopen(reading) as stream:
            found = json.loads(stream.read() or "{}")
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), found
    os.close(reading)
    from tooling.mutants.touching import Recorder  # noqa: PLC0415  # it imports pytest

    recorder = Recorder(tests)
    code = ran(list(dict.fromkeys(chain(*tests.values()))), recorder)
    names = [name for name in sys.modules if name.partition(".")[0] not in OURS]
    with os.fdopen(writing, "w") as stream:
        json.dump({"names": names, "touched": asdict(recorder.touched())}, stream)
    os._exit(code)


def tried(tests: Tests, sources: dict[str, str], found: dict[str, Any]) -> int:
    """Run, of the tests of a module that is not what it was, those that touch what changed; return the exit code."""
    from tooling.mutants.touching import Chosen, Touched, changed  # noqa: PLC0415  # it imports pytest

    touched = Touched(**found)
    for module, source in sources.items():
        if (now := Path(module).read_text("utf-8")) == source:
            continue
        chosen = touched.of(module, changed(source, now))
        signal.setitimer(
            signal.ITIMER_REAL, GRACE + sum(touched.seconds[test] for test in chosen)
        )  # its end, unhandled
        some = [name for name in tests[module] if any(test.startswith(name) for test in chosen)]
        if some and (code := ran(some, Chosen(touched, chosen))):
            return code
    return 0


def run_for(client: socket.socket, run: Callable[[], int]) -> None:
    """Answer one client, in a child of its own."""
    if os.fork():
        return
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    if child := os.fork():
        status = os.waitpid(child, 0)[1]
        with suppress(OSError):
            client.sendall(b"0" if status == 0 else b"1")
        os._exit(0)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    os._exit(run())


def main() -> None:
    """Run the tests once, import what they imported, then run them for each client."""
    address, tests = sys.argv[1], json.loads(Path(sys.argv[2]).read_text("utf-8"))
    sys.path[0] = str(Path.cwd())
    sources = {module: Path(module).read_text("utf-8") for module in tests}
    code, found = learned(tests)
    if code:
        sys.exit(code)
    sys.dont_write_bytecode = True  # two changes within a second may be of one size
    for name in found["names"]:
        with suppress(Exception):
            importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        while True:
            client, _ = listening.accept()
            with client:
                run_for(client, lambda: tried(tests, sources, found["touched"]))


if __name__ == "__main__":
    main()

"""A process that has imported everything the tests need but what may change, and forks for each run of them.

Starting an interpreter and importing pytest and its like takes longer than most tests; thousands of changes are tried.
A client connects, the keeper forks, the child imports the repository's own modules afresh and runs pytest in them, and
the client ends with its exit code.
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
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS = frozenset({"builder", "calculators", "tests", "tooling", "__main__", "conftest"})
# What a mutant's run costs beside its tests: no site packages, one socket.
CLIENT = "import socket,sys;s=socket.socket(socket.AF_UNIX);s.connect(sys.argv[1]);sys.exit(int(s.recv(9)or 1))"


@contextmanager
def kept(folder: Path, tests: list[list[str]], seconds: float) -> Iterator[str]:
    """Keep a process that runs these tests in `folder`; give the command line that asks it to, once they pass.

    Each list of tests is run only where those before it passed.

    Raises:
        ValueError: the tests fail as they are

    """
    address = folder / "keeper"
    arguments = [str(address), str(seconds), json.dumps(tests)]
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


def ran(tests: list[list[str]]) -> int:
    """Run pytest in this process, list after list until one fails; return its exit code."""
    import pytest  # noqa: PLC0415  # the parent imports it once it knows what else to import

    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    codes = (int(pytest.main([*options, *those])) for those in tests)
    return next(filter(None, codes), 0)


def learned(tests: list[list[str]]) -> tuple[int, list[str]]:
    """Run the tests in a child; return its exit code and the modules it imported that are not ours."""
    reading, writing = os.pipe()
    if child := os.fork():
        os.close(writing)
        with os.fdopen(reading) as stream:
            names = json.loads(stream.read() or "[]")
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), names
    os.close(reading)
    code = ran(tests)
    with os.fdopen(writing, "w") as stream:
        json.dump([name for name in sys.modules if name.partition(".")[0] not in OURS], stream)
    os._exit(code)


def run_for(client: socket.socket, tests: list[list[str]], seconds: float) -> None:
    """Answer one client, in a child of its own that time ends."""
    if os.fork():
        return
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    if child := os.fork():
        signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        status = os.waitpid(child, 0)[1]
        with suppress(OSError):
            client.sendall(b"0" if status == 0 else b"1")
        os._exit(0)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    os._exit(ran(tests))


def main() -> None:
    """Run the tests once, import what they imported, then run them for whoever connects."""
    address, seconds, tests = sys.argv[1], float(sys.argv[2]), json.loads(sys.argv[3])
    sys.path[0] = str(Path.cwd())
    code, names = learned(tests)
    if code:
        sys.exit(code)
    sys.dont_write_bytecode = True  # two changes within a second may be of one size
    for name in names:
        with suppress(Exception):
            importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        while True:
            client, _ = listening.accept()
            with client:
                run_for(client, tests, seconds)


if __name__ == "__main__":
    main()

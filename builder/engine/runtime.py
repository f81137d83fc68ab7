"""Runtime: Pyodide in Node, for what only the browser's own Python can make or answer.

Its scripts (runtime.mjs and the other .mjs files) find a job as JSON in a temporary folder and leave their result
there.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from builder.paths import NODE_MODULES, ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

PYODIDE = NODE_MODULES / "pyodide"
SHARED = Path(__file__).with_suffix(".mjs")
_NODE_SECONDS = 900  # on a machine that has much else to do it takes some minutes


class Unusable(Exception):  # noqa: N818  a state, not a mistake: the site works without
    """The runtime did not do it, or what it made is no good. Says why."""


def run(script: Path, command: str, job: Mapping[str, Any], files: Mapping[str, bytes]) -> tuple[Any, dict[str, bytes]]:
    """Have Node do one job: return its result and the files it left. Raises Unusable."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        (folder / "job.json").write_text(json.dumps({"pyodide": str(PYODIDE), "info": info(), **job}), "utf-8")
        try:
            done = subprocess.run(
                ["node", str(script), command, str(folder)],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
                timeout=_NODE_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unusable(f"Node did not {command} it: {error}") from None
        if done.returncode:
            raise Unusable(f"Node did not {command} it: {done.stderr.strip()[-300:]}")
        result = json.loads((folder / "result.json").read_text("utf-8"))
        made = {path.name: path.read_bytes() for path in folder.glob("made.*")}
    return result, made


def info() -> dict[str, Any]:
    """Return what Pyodide says of its own build."""
    found: dict[str, Any] = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))["info"]
    return found


def parts() -> tuple[bytes, ...]:
    """Return what everything depends on that the runtime makes; another Node leaves another memory behind."""
    pyodide = ((PYODIDE / name).read_bytes() for name in ("pyodide.asm.wasm", "python_stdlib.zip"))
    return (SHARED.read_bytes(), *pyodide, _node_version())


@cache
def _node_version() -> bytes:
    try:
        return subprocess.run(["node", "--version"], capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return b"none"

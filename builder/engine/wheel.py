"""Wheel: the calculators as `pyodide-build` compiles them, where the Python that builds the site is the browser's.

It compiles a wheel and renews the wheel's entry in a lock file, with the Python it runs on; so it is for hosts with the
runtime's own version. Its bytecode is used without comparison with the source, which travels with it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.engine import runtime
from builder.engine.archives import unzipped, zipped
from builder.paths import ROOT

_BUILD = "pyodide-build"
_NAME, _TAG = "calculators-0", "py3-none-any"
_LOCK = "pyodide-lock.json"
_FLAGS, _HASH = slice(4, 8), slice(8, 16)
_CHECKED, _UNCHECKED = (flags.to_bytes(4, "little") for flags in (0b11, 0b01))


def python_here() -> str:
    """The version of Python that decides what its bytecode looks like."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def why_not() -> str:
    """Say why pyodide-build is not used on this host; nothing if it is."""
    there = runtime.info()["python"].rpartition(".")[0]
    if python_here() != there:
        return f"this is Python {python_here()}, and pyodide-build compiles for the Python it runs on"
    try:
        version(_BUILD)
    except PackageNotFoundError:
        return "pyodide-build is not installed"
    return ""


def maker() -> str:
    """Name pyodide-build with its version."""
    return f"{_BUILD} {version(_BUILD)}"


def compiled(sources: dict[str, bytes]) -> dict[str, bytes]:
    """Return the bytecode of these modules by the names under which Python looks for it. Raises runtime.Unusable."""
    modules = {name: content for name, content in sources.items() if name.endswith(".py")}
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        whole = f"{_NAME}-{_TAG}.whl"
        (folder / whole).write_bytes(zipped(modules))
        lock = {"packages": {"calculators": {"file_name": whole, "sha256": ""}}}
        (folder / _LOCK).write_text(json.dumps(lock), "utf-8")
        command = [str(Path(sys.executable).with_name("pyodide")), "py-compile", "--silent", str(folder)]
        # Hashes of the sources, because times would make every build another one.
        surroundings = {**os.environ, "SOURCE_DATE_EPOCH": "315532800"}
        try:
            done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
        except OSError as error:
            raise runtime.Unusable(f"pyodide-build did not run: {error}") from None
        if done.returncode:
            raise runtime.Unusable(f"pyodide-build did not compile them: {done.stderr.strip()[-300:]}")
        entry = json.loads((folder / _LOCK).read_text("utf-8"))["packages"]["calculators"]
        wheel = (folder / entry["file_name"]).read_bytes()
    if hashlib.sha256(wheel).hexdigest() != entry["sha256"]:
        raise runtime.Unusable("pyodide-build's lock entry is not that of its wheel")
    found = unzipped(wheel)
    if {name.removesuffix("c") for name in found} != modules.keys():
        raise runtime.Unusable("pyodide-build's wheel has not all modules")
    return {_beside(name): _unchecked(content, modules[name.removesuffix("c")]) for name, content in found.items()}


def _beside(name: str) -> str:
    return importlib.util.cache_from_source(name.removesuffix("c"))


def _unchecked(bytecode: bytes, source: bytes) -> bytes:
    """Let Python use it without looking at the source again, once it is seen to be made of it."""
    if bytecode[_FLAGS] != _CHECKED or bytecode[_HASH] != importlib.util.source_hash(source):
        raise runtime.Unusable("pyodide-build's bytecode is not that of the sources")
    return bytecode[: _FLAGS.start] + _UNCHECKED + bytecode[_FLAGS.stop :]

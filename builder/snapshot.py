"""Snapshot: Python's memory with the calculators imported and warm, which browsers restore instead of starting it.

Made and tried in Node (snapshot.mjs) with the very files that the site serves, and kept in .cache/ under a hash of all
it is made of. Pyodide's interface for it is private to that exact build, so a snapshot counts only after Python that
was restored from it has answered every question as Python here does; else the site does without, and says so.
"""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import TYPE_CHECKING, Any

from builder import cases
from builder.paths import CACHE, ROOT
from calculators.bridge import respond
from calculators.catalog import CALCULATORS

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT = Path(__file__).with_suffix(".mjs")
_ASKS = ("answer", "explore", "link", "markdown")
_WRONG = ("nonsense", "-1", "1e300", "3 km")
_NODE_SECONDS = 240


class SnapshotError(Exception):
    """There is no snapshot that works. Says why."""


@dataclass(frozen=True)
class Snapshot:
    """`packed` is the gzipped file; `memory` is what is needed to unpack it, for the manifest."""

    packed: bytes
    memory: dict[str, Any]


def snapshot(pyodide: Path, info: dict[str, Any], archive: bytes) -> Snapshot:
    """Make one for this Pyodide and this archive of the calculators, or take it from .cache/. Raises SnapshotError."""
    asked = list(questions())
    parts = (SCRIPT.read_bytes(), (pyodide / "pyodide.asm.wasm").read_bytes(), archive, json.dumps(asked).encode())
    key = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:16]
    kept, about = CACHE / f"snapshot-{key}.gz", CACHE / f"snapshot-{key}.json"
    try:
        return Snapshot(kept.read_bytes(), json.loads(about.read_text("utf-8")))
    except (FileNotFoundError, json.JSONDecodeError):  # another build may be writing or clearing just now
        made = _made(pyodide, info, archive, asked)
    for old in CACHE.glob("snapshot-*"):
        old.unlink(missing_ok=True)
    for path, content in ((kept, made.packed), (about, json.dumps(made.memory).encode())):
        with NamedTemporaryFile(dir=CACHE, delete=False) as whole:
            whole.write(content)
        Path(whole.name).replace(path)
    return made


def questions() -> Iterator[str]:
    """Yield what the calculators are asked before and after: everything once, wrong things too."""
    for name, calculator in CALCULATORS.items():
        records: list[dict[str, Any]] = [{preset.name: r.key} for preset in calculator.presets for r in preset.records]
        published = [dict(case.given) for case in cases.load(name)]
        asked = [("answer", given) for given in (*records, *published)]
        asked += [(ask, given) for ask in _ASKS for given in ({}, *records[:1], *published[:2])]
        asked += [
            ("answer", {name: wrong}) for name, wrong in zip(calculator.inputs, itertools.cycle(_WRONG), strict=False)
        ]
        yield from (json.dumps({"asks": [ask], "calculator": name, "given": given}) for ask, given in asked)
        for declared in calculator.inputs:
            yield json.dumps({"asks": ["answer"], "calculator": name, "stops": {declared: 3}})
        yield json.dumps(
            {"asks": ["answer"], "calculator": name, "fragment": "#parameters=405B&model=none&colour=r%C3%A9d"}
        )
    yield from ("{", "null", '{"calculator": "nobody"}', '{"calculator": "checkpoint", "given": 3}')


def _made(pyodide: Path, info: dict[str, Any], archive: bytes, asked: list[str]) -> Snapshot:
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        job = {
            "pyodide": str(pyodide),
            "info": info,
            "questions": asked,
            "archive": str(folder / "calculators.zip"),
            "empty": str(folder / "empty.zip"),
            "memory": str(folder / "memory"),
            "result": str(folder / "result.json"),
        }
        (folder / "calculators.zip").write_bytes(archive)
        zipfile.ZipFile(folder / "empty.zip", "w").close()
        memory = _run("make", folder, job)
        answers = _run("ask", folder, {**job, "of": memory})
        different = [question for question, there in zip(asked, answers, strict=True) if there != respond(question)]
        if different:
            raise SnapshotError(f"{len(different)} answers from it are not those of Python here, first {different[0]}")
        return Snapshot(gzip.compress((folder / "memory").read_bytes(), compresslevel=9, mtime=0), memory)


def _run(command: str, folder: Path, job: dict[str, Any]) -> Any:
    (folder / "job.json").write_text(json.dumps(job), "utf-8")
    try:
        done = subprocess.run(
            ["node", str(SCRIPT), command, str(folder / "job.json")],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=_NODE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SnapshotError(f"Node did not {command} it: {error}") from None
    if done.returncode:
        raise SnapshotError(f"Node did not {command} it: {done.stderr.strip()[-300:]}")
    return json.loads((folder / "result.json").read_text("utf-8"))

"""Snapshot: Python's memory with the calculators imported and warm, which browsers restore instead of starting it.

Made and tried in Node (snapshot.mjs) with the very files that the site serves, and kept in .cache/ under a hash of all
it is made of. Pyodide's interface for it is private to that exact build, so a snapshot counts only after Python that
was restored from it has answered every question as Python here does; else the site does without, and says so.

The same sources give the same snapshot, in any folder and at any time. That is more than neatness: browsers keep it
under a hash of its bytes, and a release that changed no calculator must not have them fetch it again.
"""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder import cache
from builder.engine import questions, runtime

SCRIPT = Path(__file__).with_suffix(".mjs")


@dataclass(frozen=True)
class Snapshot:
    """`packed` is the gzipped file; `memory` is what is needed to unpack it, for the manifest."""

    packed: bytes
    memory: dict[str, Any]


def snapshot(calculators: bytes, library: bytes) -> Snapshot:
    """Make one of these archives (packages.py), or take it from .cache/. Raises runtime.Unusable."""
    asked = list(questions.everything())
    of = (SCRIPT.read_bytes(), *runtime.parts(), calculators, library, json.dumps(asked).encode())
    found = json.loads(cache.kept("snapshot.json", of, lambda: _text(_made(calculators, library, asked))))
    return Snapshot(base64.b64decode(found["packed"]), found["memory"])


def _text(made: Snapshot) -> bytes:
    return json.dumps({"memory": made.memory, "packed": base64.b64encode(made.packed).decode()}).encode()


def _made(calculators: bytes, library: bytes, asked: list[str]) -> Snapshot:
    job = {"calculators": "calculators.zip", "library": "library.zip", "questions": asked}
    files = {"calculators.zip": calculators, "library.zip": library}
    memory, made = runtime.run(SCRIPT, "make", job, files)
    answers, _ = runtime.run(SCRIPT, "ask", {**job, "of": memory}, {"memory": made["made.memory"]})
    questions.compare(asked, answers)
    return Snapshot(gzip.compress(made["made.memory"], compresslevel=9, mtime=0), memory)

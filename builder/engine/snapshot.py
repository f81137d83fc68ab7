"""Snapshot: Python with the calculators imported and warm, as WebAssembly and those pages of its memory that have data.

Made and tried in Node (snapshot.mjs) from the very files that the site serves, and kept in .cache/ under a hash of all
it is made of. It is Pyodide's Python without what Pyodide does for JavaScript, so it starts in a fraction of the time;
and since no other site runs Python so, it is used only after it has answered every request as Python here does, in
the program that browsers run it with. Else the site does without, and says so. That it has answered is kept too. It
keeps only the functions and constants that answers reach, found with some of the questions; what it is proved with are
all questions, and other random ones.

The same sources give the same snapshot, in any folder and at any time. That is more than neatness: browsers keep it
under a hash of its bytes, and a release that changed no calculator must not have them fetch it again.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder import disk_cache
from builder.engine import questions, runtime
from builder.engine.archives import gzipped, proof, smallest, unzipped, zipped
from builder.paths import TEMPLATES

if TYPE_CHECKING:
    from builder.engine.packages import Packages

SCRIPT = Path(__file__).with_suffix(".mjs")
HOST = TEMPLATES / "browser/engine/snapshot.ts"
_MODULES = ("wasm.mjs", "instructions.mjs", "reached.mjs", "constants.mjs", "leftovers.mjs", "bare.mjs")
_EVERY, _RANDOM, _SEED = 8, 75, 319  # which questions show what answers reach
_ASKED_EVERY = 3  # of all questions: tests have a browser compute every value of every state
WASM, IMAGE = "snapshot.wasm", "snapshot.image"
_PROOF = "snapshot_proof.txt"  # the digest of what has answered, under all that it was made of
_FAST = 1  # how thoroughly to pack what .cache/ alone holds


@dataclass(frozen=True)
class Snapshot:
    """WebAssembly and the pages of memory; `info` is what is needed to run them, for the manifest."""

    wasm: bytes
    image: bytes
    info: dict[str, Any]


def snapshot(packed: Packages) -> Snapshot:
    """Make one of these archives (packages.py), or take it from .cache/. Raises runtime.Unusable."""
    everything = list(questions.everything())
    asked = [*everything[1::_ASKED_EVERY], *questions.as_pages_ask(), *questions.at_random()]
    some = everything[::_EVERY]
    first = list(questions.usual())
    warmup = [*questions.in_slices(), *questions.as_pages_ask(), *some, *questions.at_random(_RANDOM, _SEED)]
    warmup += first  # last, so that the layouts with which pages open are the newest that are known
    programs = (path.read_bytes() for path in (SCRIPT, HOST, *(SCRIPT.with_name(name) for name in _MODULES)))
    report = json.dumps([first, warmup, asked]).encode()
    of = (*programs, *runtime.parts(), packed.calculators, packed.library, report)
    found = unzipped(disk_cache.cached("snapshot.zip", of, lambda: _make(packed, first, warmup, asked, of)))
    return Snapshot(found["wasm"], found["image"], json.loads(found["info.json"]))


def _make(packed: Packages, first: list[str], warmup: list[str], asked: list[str], of: tuple[bytes, ...]) -> bytes:
    """Make it and see that it answers, unless the very same bytes, made of the same parts, have answered before.

    What waits for Node, packs or answers here runs in parallel.
    """
    job = {"calculators": "calculators.zip", "library": "library.zip", "questions": first, "warmup": warmup}
    files = {"calculators.zip": packed.calculators, "library.zip": packed.library}
    with ThreadPoolExecutor() as pool:
        making = pool.submit(runtime.run, SCRIPT, "make", job, files)
        proven = disk_cache.find(_PROOF, of)
        expected = questions.answers(asked) if proven is None else []
        info, made = making.result()
        files = {"wasm": made["made.wasm"], "image": made["made.image"]}
        packing = {use: pool.submit(smallest, content) for use, content in files.items()}
        report = {**job, "of": info, "host": str(HOST)}

        def answers(part: list[str]) -> list[str]:
            found, _ = runtime.run(SCRIPT, "ask", {**report, "questions": part}, files)
            return list(found)

        digest = proof(json.dumps(info).encode(), *files.values())
        if digest != proven:
            expected = expected or questions.answers(asked)
            for start, found in enumerate(pool.map(answers, (asked[::2], asked[1::2]))):
                questions.compare(asked[start::2], found, expected[start::2])
            disk_cache.store(_PROOF, of, digest)
    for name, use in ((WASM, "wasm"), (IMAGE, "image")):
        gzipped(name, files[use], packing[use].result)  # .cache/ has it when the engine's files are written
    return zipped({**files, "info.json": json.dumps(info).encode()}, _FAST)

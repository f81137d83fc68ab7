"""Packages: the calculators and Python's library as archives, for browsers that start Python plainly.

The runtime's own Python compiles them (bytecode.mjs), whatever Python builds the site: all calculators, unless that
Python is the runtime's and pyodide-build does it (wheel.py), and of the library what they import. Pyodide's library
comes as source, and compiling that again is most of a plain start. The calculators keep their source with the
bytecode: the formulas shown to readers are made from it. The library's other modules stay as they are. Archives that
do not answer as Python here does are not used; then both go as source. They are tested with the first requests of
pages and some random ones; the snapshot, which is made of these archives, with all others.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from builder import disk_cache
from builder.engine import questions, runtime, wheel
from builder.engine.archives import proof, unzipped, zipped
from builder.paths import ROOT
from calculators.facts import overlay

CALCULATORS = ROOT / "calculators"
_OVERLAY = overlay.DEFAULT_FILE  # a company's own facts
SCRIPT = Path(__file__).with_suffix(".mjs").with_stem("bytecode")
_OF_THE_LIBRARY = "library/"
_OF_TERMINALS = "published.toml"  # pages have it, and a new case must not make browsers fetch Python again
_RANDOM, _SEED = 30, 11
_PROOF = "bytecode_proof.txt"


@dataclass(frozen=True)
class Packages:
    """Two zips, and in words how they were made."""

    calculators: bytes
    library: bytes
    how: str


def packages() -> Packages:
    """Pack both, with bytecode where it can be made."""
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (*CALCULATORS.rglob("*.py"), *CALCULATORS.rglob("*.toml"), *_OVERLAY.parent.glob(_OVERLAY.name))
        if path.name != _OF_TERMINALS
    }
    library = (runtime.PYODIDE / "python_stdlib.zip").read_bytes()
    asked = [*questions.usual(), *questions.at_random(_RANDOM, seed=_SEED)]
    ours, by = _by_pyodide_build(sources)
    of = (SCRIPT.read_bytes(), *runtime.parts(), zipped(sources | ours), json.dumps(asked).encode())
    try:
        bytecode = disk_cache.cached("bytecode.zip", of, lambda: _proven(sources, library, asked, ours, of))
    except runtime.Unusable as error:
        return Packages(zipped(sources), library, f"calculators as source ({error})")
    return _archives(sources, library, unzipped(bytecode), by)


def _by_pyodide_build(sources: dict[str, bytes]) -> tuple[dict[str, bytes], str]:
    """Return the calculators' bytecode if pyodide-build can make it here, and who compiles them, in words."""
    if not (reason := wheel.why_not()):
        try:
            return wheel.compiled(sources), f"compiled by {wheel.maker()}"
        except runtime.Unusable as error:
            reason = str(error)
    return {}, f"compiled by the runtime itself ({reason})"


def _proven(
    sources: dict[str, bytes], library: bytes, asked: list[str], ours: dict[str, bytes], of: tuple[bytes, ...]
) -> bytes:
    """Return the bytecode as a zip, after a plain start with it has answered everything. Raises runtime.Unusable.

    The runtime compiles what it uses of the library, and the calculators unless `ours` is their bytecode already. The
    very same bytes, made `of` the same parts, need not answer twice.
    """
    job = {"calculators": "calculators.zip", "questions": asked}
    _, made = runtime.run(SCRIPT, "compile", job, {"calculators.zip": zipped(sources)})
    bytecode = unzipped(made["made.zip"]) | ours
    both = _archives(sources, library, bytecode, "")
    files = {"calculators.zip": both.calculators, "library.zip": both.library}
    digest = proof(both.calculators, both.library)
    if digest != disk_cache.find(_PROOF, of):
        answers, _ = runtime.run(SCRIPT, "ask", {**job, "library": "library.zip"}, files)
        questions.compare(asked, answers, questions.answers(asked))
        disk_cache.store(_PROOF, of, digest)
    return zipped(bytecode)


def _archives(sources: dict[str, bytes], library: bytes, bytecode: dict[str, bytes], by: str) -> Packages:
    ours = {name: content for name, content in bytecode.items() if not name.startswith(_OF_THE_LIBRARY)}
    used = {name.removeprefix(_OF_THE_LIBRARY): bytecode[name] for name in bytecode.keys() - ours.keys()}
    others = {name: content for name, content in unzipped(library).items() if f"{name}c" not in used}
    how = f"calculators with bytecode, {by}, and {len(used)} modules of the library, by the runtime"
    return Packages(zipped(sources | ours), zipped(others | used), how)

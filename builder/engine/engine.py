"""Engine: Pyodide's core and the calculators as files of the site, and a manifest that says what they are.

Pyodide comes from node_modules and keeps its names (but .mjs becomes .js), in a folder named after its version and
content; beside it travel its library and the calculators, as archives and in a snapshot of Python's memory. So a new
release of the calculators leaves Pyodide in browsers' caches alone. What is big is packed here, since many servers pack
nothing, under names that no server knows how to unpack.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from builder import cache
from builder.engine.packages import Packages, packages
from builder.engine.runtime import PYODIDE, Unusable, info
from builder.engine.snapshot import Snapshot, snapshot

if TYPE_CHECKING:
    from pathlib import Path

RUNTIME = {
    "loader": "pyodide.mjs",
    "glue": "pyodide.asm.mjs",
    "wasm": "pyodide.asm.wasm",
}
_HASH_LETTERS = 10
_GZIP_END = 8  # bytes


@dataclass(frozen=True)
class EngineFiles:
    """What was written: the manifest the browser code is built with, and all paths below the site's folder."""

    manifest: dict[str, Any]
    paths: tuple[str, ...]


def write(site_dir: Path) -> EngineFiles:
    """Write site/engine/ anew and say how the calculators travel."""
    target = site_dir / "engine"
    shutil.rmtree(target, ignore_errors=True)
    version = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]
    runtime = {use: (PYODIDE / name).read_bytes() for use, name in RUNTIME.items()}
    folder = f"pyodide-{version}-{_hash(*runtime.values())}"
    names = {use: name.replace(".mjs", ".js") for use, name in RUNTIME.items()}  # no server mistakes a .js
    files = {
        use: _put(target, f"{folder}/{names[use]}-gz", _gzipped(content), packed=True)
        if use == "wasm"
        else _put(target, f"{folder}/{names[use]}", content)
        for use, content in runtime.items()
    }

    packed = packages()
    files["library"] = _put(target, f"library-{_hash(packed.library)}/python_stdlib.zip", packed.library)
    files["calculators"] = _put(target, f"calculators-{_hash(packed.calculators)}.zip", packed.calculators)
    manifest: dict[str, Any] = {"version": version, "info": info(), "files": files}
    made = _snapshot(packed)
    if isinstance(made, Snapshot):
        files["snapshot"] = _put(target, f"snapshot-{_hash(made.packed)}.memory-gz", made.packed, packed=True)
        manifest["memory"] = made.memory
    (target / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")

    start = f"snapshot of {len(made.packed):,} bytes" if isinstance(made, Snapshot) else f"NO SNAPSHOT: {made}"
    sizes = f"{len(packed.calculators):,} and {len(packed.library):,} bytes"
    print(f"engine: Pyodide {version}, {packed.how}, {sizes}; {start}")
    paths = (*(f"engine/{file['path']}" for file in files.values()), "engine/manifest.json")
    return EngineFiles(manifest, paths)


def _put(target: Path, path: str, content: bytes, *, packed: bool = False) -> dict[str, Any]:
    """Write one file and describe it; what is packed, by the checksum and length at its end too."""
    (target / path).parent.mkdir(parents=True, exist_ok=True)
    (target / path).write_bytes(content)
    end = {"end": content[-_GZIP_END:].hex()} if packed else {}
    return {"path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest(), **end}


def _gzipped(content: bytes) -> bytes:
    """Return the content packed; that takes a second or two, so .cache/ keeps it."""
    return cache.kept("packed.gz", (content,), lambda: gzip.compress(content, compresslevel=9, mtime=0))


def _snapshot(packed: Packages) -> Snapshot | Unusable:
    try:
        return snapshot(packed.calculators, packed.library)
    except Unusable as error:
        return error  # the site works without, only slower


def _hash(*contents: bytes) -> str:
    return hashlib.sha256(b"".join(contents)).hexdigest()[:_HASH_LETTERS]

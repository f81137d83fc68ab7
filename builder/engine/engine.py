"""Engine: Pyodide's core and the calculators as files of the site, and a manifest that says what they are.

Pyodide comes from node_modules and keeps its names (but .mjs becomes .js), in a folder named after its version and
content; with it travel its library and the calculators as archives, and the snapshot (snapshot.py), which browsers
start instead where they can. What is big is packed here, since many servers pack nothing, under names that no server
knows how to unpack. Of what browsers keep unpacked, the manifest has that content's digest too.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from builder.engine.archives import gzipped
from builder.engine.packages import Packages, packages
from builder.engine.runtime import PYODIDE, Unusable, info
from builder.engine.snapshot import IMAGE, WASM, Snapshot, snapshot

if TYPE_CHECKING:
    from pathlib import Path

RUNTIME = {
    "loader": "pyodide.mjs",
    "glue": "pyodide.asm.mjs",
    "wasm": "pyodide.asm.wasm",
}
_HASH_LETTERS = 10
_GZIP_END = 8  # bytes
_PACKED = "-gz"


@dataclass(frozen=True)
class EngineFiles:
    """Files written: the manifest the browser code is built with, and all paths below the site's folder."""

    manifest: dict[str, Any]
    paths: tuple[str, ...]


def write(site_dir: Path) -> EngineFiles:
    """Write site/engine/ and return how the calculators travel."""
    target = site_dir / "engine"
    shutil.rmtree(target, ignore_errors=True)
    version = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]
    runtime = {use: (PYODIDE / name).read_bytes() for use, name in RUNTIME.items()}
    folder = f"pyodide-{version}-{_hash(*runtime.values())}"
    names = {use: name.replace(".mjs", ".js") for use, name in RUNTIME.items()}  # no server mistakes a .js
    files = {
        use: _packed(target, f"{folder}/{names[use]}", content)
        if use == "wasm"
        else _write(target, f"{folder}/{names[use]}", content)
        for use, content in runtime.items()
    }

    packed = packages()
    files["library"] = _write(target, f"library-{_hash(packed.library)}/python_stdlib.zip", packed.library)
    files["calculators"] = _write(target, f"calculators-{_hash(packed.calculators)}.zip", packed.calculators)
    manifest: dict[str, Any] = {"version": version, "info": info(), "files": files}
    made = _snapshot(packed)
    if isinstance(made, Snapshot):
        folder = f"snapshot-{_hash(made.wasm, made.image)}"
        files["snapshot"] = _packed(target, f"{folder}/{WASM}", made.wasm, unpacked=True)
        files["image"] = _packed(target, f"{folder}/{IMAGE}", made.image, unpacked=True)
        manifest["snapshot"] = made.info
    (target / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")

    start = f"NO SNAPSHOT: {made}"
    if isinstance(made, Snapshot):
        start = f"snapshot of {files['snapshot']['size']:,} and {files['image']['size']:,} bytes"
    sizes = f"{len(packed.calculators):,} and {len(packed.library):,} bytes"
    print(f"engine: Pyodide {version}, {packed.how}, {sizes}; {start}")
    paths = (*(f"engine/{file['path']}" for file in files.values()), "engine/manifest.json")
    return EngineFiles(manifest, paths)


def _write(target: Path, path: str, content: bytes) -> dict[str, Any]:
    """Write one file and describe it."""
    (target / path).parent.mkdir(parents=True, exist_ok=True)
    (target / path).write_bytes(content)
    return {"path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _packed(target: Path, path: str, content: bytes, *, unpacked: bool = False) -> dict[str, Any]:
    """Write one file packed and describe it, by the checksum and length at its end too.

    If `unpacked`, browsers keep it unpacked, under its name without the ending.
    """
    packed = gzipped(path.rpartition("/")[2], content)
    about = _write(target, f"{path}{_PACKED}", packed) | {"end": packed[-_GZIP_END:].hex()}
    if unpacked:
        about["unpacked"] = {"path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return about


def _snapshot(packed: Packages) -> Snapshot | Unusable:
    try:
        return snapshot(packed)
    except Unusable as error:
        return error  # the site works without, only slower


def _hash(*contents: bytes) -> str:
    return hashlib.sha256(b"".join(contents)).hexdigest()[:_HASH_LETTERS]

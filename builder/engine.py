"""Engine: Pyodide's core and the calculators as files of the site, and a manifest that says what they are.

Pyodide comes from node_modules and keeps its names (but .mjs becomes .js), in a folder named after its version and
content; beside it travel the calculators, as an archive and in a snapshot of Python's memory. So a new release of the
calculators leaves Pyodide in browsers' caches alone. What is big is packed here, since many servers pack nothing, under
names that no server knows how to unpack.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import io
import json
import marshal
import shutil
import sys
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from builder import cache
from builder.paths import ROOT
from builder.runtime import PYODIDE, Unusable
from builder.snapshot import Snapshot, snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CALCULATORS = ROOT / "calculators"
RUNTIME = {
    "loader": "pyodide.mjs",
    "glue": "pyodide.asm.mjs",
    "wasm": "pyodide.asm.wasm",
    "library": "python_stdlib.zip",
}
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first moment a zip can name: archives of the same files are the same bytes
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
    package = json.loads((PYODIDE / "package.json").read_text("utf-8"))
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    runtime = {use: (PYODIDE / name).read_bytes() for use, name in RUNTIME.items()}
    folder = f"pyodide-{package['version']}-{_hash(*runtime.values())}"
    names = {use: name.replace(".mjs", ".js") for use, name in RUNTIME.items()}  # no server mistakes a .js
    files = {
        use: _put(target, f"{folder}/{names[use]}-gz", _gzipped(content), packed=True)
        if use == "wasm"
        else _put(target, f"{folder}/{names[use]}", content)
        for use, content in runtime.items()
    }

    compiled = _runs(lock["info"]["python"])
    archive = _archive(compiled=compiled)
    files["calculators"] = _put(target, f"calculators-{_hash(archive)}.zip", archive)
    manifest: dict[str, Any] = {"version": package["version"], "info": lock["info"], "files": files}
    made = _snapshot(archive)
    if isinstance(made, Snapshot):
        files["snapshot"] = _put(target, f"snapshot-{_hash(made.packed)}.memory-gz", made.packed, packed=True)
        manifest["memory"] = made.memory
    (target / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")

    how = "with bytecode" if compiled else f"as source (this is not Python {lock['info']['python']})"
    start = f"snapshot of {len(made.packed):,} bytes" if isinstance(made, Snapshot) else f"NO SNAPSHOT: {made}"
    print(f"engine: Pyodide {package['version']}, calculators {how}, {len(archive):,} bytes; {start}")
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


def _snapshot(archive: bytes) -> Snapshot | Unusable:
    try:
        return snapshot(archive)
    except Unusable as error:
        return error  # the site works without, only slower


def _hash(*contents: bytes) -> str:
    return hashlib.sha256(b"".join(contents)).hexdigest()[:_HASH_LETTERS]


def _runs(version: str) -> bool:
    """Whether bytecode made here runs in a Python of that version."""
    return sys.implementation.name == "cpython" and version.split(".")[:2] == [
        str(part) for part in sys.version_info[:2]
    ]


def _archive(*, compiled: bool) -> bytes:
    """Return the package `calculators` as a zip, its facts included; the same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(_members(compiled=compiled)):
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), content, zipfile.ZIP_DEFLATED, compresslevel=9)
    return packed.getvalue()


def _members(*, compiled: bool) -> Iterator[tuple[str, bytes]]:
    # The source goes along with its bytecode: the working shown to the reader is made from it.
    for path in (*CALCULATORS.rglob("*.py"), *CALCULATORS.rglob("*.toml")):
        name = path.relative_to(ROOT).as_posix()
        source = path.read_bytes()
        yield name, source
        if compiled and path.suffix == ".py":
            yield importlib.util.cache_from_source(name), _bytecode(name, source)


def _bytecode(name: str, source: bytes) -> bytes:
    """Return a .pyc that is used without a look at its source (PEP 552, unchecked hash)."""
    code = compile(source, name, "exec", dont_inherit=True)
    flags = (0b01).to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(source) + marshal.dumps(code)

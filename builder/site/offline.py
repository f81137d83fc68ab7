"""Offline: the service worker, with a list of every file of the built site and its digest: a build's last stage."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from builder.site import bundle

if TYPE_CHECKING:
    from pathlib import Path

    from builder.engine.engine import EngineFiles

# What no page of ours requests: sources of scripts, Material's stemmers for other languages, files for machines.
# And the whole guide in one piece, whose chapters are kept one by one.
_NOT_KEPT = re.compile(
    r"engine/|service-worker\.js$|print/|.*\.(map|gz|zip|toml|txt|md|epub)$|\.|assets/javascripts/lunr/|social\.png$|sbom\.cdx\.json$|_headers$|apple-touch-icon\.png$"
)
_HASHED = re.compile(r"assets/.*(-[0-9A-Z]{8}|\.[0-9a-f]{8})\.[^/]*$")  # esbuild's names, and Material's
_LETTERS = 16


def write(site_dir: Path, engine: EngineFiles) -> None:
    """Write the service worker of a finished site."""
    files = {path.relative_to(site_dir).as_posix(): path for path in sorted(site_dir.rglob("*")) if path.is_file()}
    pages = [_entry(name, path.read_bytes()) for name, path in files.items() if not _NOT_KEPT.match(name)]
    engine_files = engine.manifest["files"]
    usual = {"snapshot", "image"} & set(engine_files) or set(engine_files)
    kept = [
        _checked(file)
        | {"spare": use not in usual}
        | ({"kept": _checked(file["unpacked"])} if "unpacked" in file else {})
        for use, file in engine_files.items()
    ]
    release = hashlib.sha256(json.dumps([pages, kept]).encode()).hexdigest()[:_LETTERS]
    bundle.write_service_worker(
        site_dir, "offline/service-worker.ts", {"RELEASE": release, "PAGES": pages, "ENGINE": kept}
    )


def write_none(site_dir: Path) -> None:
    """Write what removes the service worker of an earlier release from readers' browsers."""
    bundle.write_service_worker(site_dir, "offline/no-service-worker.ts", {})


def _checked(file: dict[str, Any]) -> dict[str, Any]:
    return {"url": f"engine/{file['path']}", "integrity": _integrity(bytes.fromhex(file["sha256"]))}


def _entry(name: str, content: bytes) -> dict[str, Any]:
    """Describe a file as Workbox needs it: without a revision where the name says it already."""
    digest = hashlib.sha256(content).digest()
    revision = None if _HASHED.match(name) else digest.hex()[:_LETTERS]
    return {"url": name, "revision": revision, "integrity": _integrity(digest)}


def _integrity(digest: bytes) -> str:
    return f"sha256-{base64.b64encode(digest).decode()}"

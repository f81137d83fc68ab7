"""Integrity: what a copy of the site is made of, and how to check it.

`licenses.txt` and `sbom.cdx.json` (CycloneDX 1.6) name every part of others with version and license;
`checksums.txt` has the digest of every file, as `sha256sum --check` reads it; `_headers` is for hosts that take headers
from a file (Netlify, Cloudflare Pages and others).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib import metadata
from textwrap import indent
from typing import TYPE_CHECKING, Any

from builder import release
from builder.engine import runtime
from builder.paths import NODE_MODULES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LICENSES, SBOM, CHECKSUMS, HEADERS = "licenses.txt", "sbom.cdx.json", "checksums.txt", "_headers"
_NODE = (
    *("pyodide", "@fontsource-variable/inter", "@fontsource-variable/source-serif-4"),
    *("workbox-core", "workbox-precaching", "workbox-routing", "workbox-strategies"),
)
_PYTHON = {"mkdocs-material": "MIT"}
# Frames of other sites are allowed: `?embed` is for them.
_HEADERS_OF = """# For hosts that take headers from this file. Every page has this content policy in itself as well.
/*
  Content-Security-Policy: {policy}
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Cross-Origin-Opener-Policy: same-origin
  Permissions-Policy: camera=(), geolocation=(), microphone=(), payment=(), usb=()
/assets/*
  Cache-Control: public, max-age=31536000, immutable
/engine/*
  Cache-Control: public, max-age=31536000, immutable
/engine/manifest.json
  Cache-Control: no-cache
/service-worker.js
  Cache-Control: no-cache
"""


@dataclass(frozen=True)
class Part:
    """A part that others made: name, version, license as SPDX names it, package address (purl), text of the license."""

    name: str
    version: str
    license: str
    purl: str
    text: str = ""


def parts() -> list[Part]:
    """Every part of others that is in a built site."""
    found = [
        Part("Python", runtime.info()["python"], "PSF-2.0", f"pkg:generic/cpython@{runtime.info()['python']}"),
    ]
    for name in _NODE:
        package = json.loads((NODE_MODULES / name / "package.json").read_text("utf-8"))
        purl = f"pkg:npm/{name.replace('@', '%40')}@{package['version']}"
        text = next((NODE_MODULES / name).glob("LICENSE*"), None)
        found.append(Part(name, package["version"], package["license"], purl, text.read_text("utf-8") if text else ""))
    for name, license_ in _PYTHON.items():
        version = metadata.version(name)
        texts = (file for file in metadata.files(name) or () if file.match("*.dist-info/licenses/LICENSE*"))
        found.append(Part(name, version, license_, f"pkg:pypi/{name}@{version}", "".join(map(_read, texts))))
    return found


def _read(file: metadata.PackagePath) -> str:
    return file.read_text("utf-8")


def write(site_dir: Path, policy: str) -> None:
    """Write what the site is made of, and the headers file: before the service worker, which lists all files."""
    texts = (
        f"{part.name} {part.version}\n  license: {part.license}\n  package: {part.purl}\n{indent(part.text, '    ')}"
        for part in parts()
    )
    own = f"Infrastructure for AI {release.version()}\n  license: Apache-2.0"
    (site_dir / LICENSES).write_text("\n\n".join(text.rstrip() for text in (own, *texts)) + "\n", "utf-8")
    (site_dir / SBOM).write_text(json.dumps(_sbom(), indent=1) + "\n", "utf-8")
    (site_dir / HEADERS).write_text(_HEADERS_OF.format(policy=policy), "utf-8")


def finalize(site_dir: Path) -> None:
    """Write the digest of every file of the finished site."""
    (site_dir / CHECKSUMS).write_text("".join(_lines(site_dir)), "utf-8")


def _lines(site_dir: Path) -> Iterator[str]:
    for path in sorted(site_dir.rglob("*")):
        name = path.relative_to(site_dir).as_posix()
        if path.is_file() and name != CHECKSUMS:
            yield f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n"


def _sbom() -> dict[str, Any]:
    own = {
        "type": "application",
        "name": "infrastructure-for-ai",
        "version": release.version(),
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    components = [
        {
            "type": "library",
            "bom-ref": part.purl,
            "name": part.name,
            "version": part.version,
            "licenses": [{"license": {"id": part.license}}],
            "purl": part.purl,
        }
        for part in parts()
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"timestamp": release.moment().isoformat(), "component": own},
        "components": components,
    }

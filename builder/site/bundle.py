"""Bundle: TypeScript and CSS become a few minified files under site/assets/, their names ending in a hash of them."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from builder.paths import NODE_MODULES, ROOT, TEMPLATES
from builder.theme.sheets import material_sheets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from builder.engine.engine import EngineFiles

SOURCES = TEMPLATES / "browser"
SCRIPT = "assets/start-as-yet-unnamed.js"  # in pages, until `rename`
_ESBUILD = NODE_MODULES / ".bin" / "esbuild"
_SHARED = (
    "--bundle",
    "--minify",
    "--charset=utf8",
    "--target=es2022,chrome110,firefox115,safari16.4",
    "--entry-names=[name]-[hash]",
    "--asset-names=[name]-[hash]",
    "--loader:.woff2=file",
    "--loader:.svg=dataurl",
    "--log-level=warning",
)


class BundleError(Exception):
    """The TypeScript or the CSS cannot be bundled; esbuild has printed why."""


@dataclass(frozen=True)
class Looks:
    """Paths below the site's folder of what a page looks like."""

    css: str
    fonts: tuple[str, ...]


def write_looks(site_dir: Path, pages: Path | None = None) -> Looks:
    """Write the style sheet and the fonts it uses under site/assets/.

    Of Material's rules those that the site in `pages` uses; all of them without one.
    """
    with material_sheets(pages) as sheets:
        css, *fonts = _bundled("styles/site.css", site_dir / "assets", *sheets)
    return Looks(css, tuple(fonts))


def write_script(site_dir: Path, engine: EngineFiles, *, offline: bool = True) -> str:
    """Write under site/assets/ the script of every page, which finds all others by itself; return its path.

    First what it names; it carries the engine's manifest. `offline`: whether there is a service worker to register.
    """
    target = site_dir / "assets"
    (review,) = _bundled("review/panel.ts", target, "--format=esm")
    (records,) = _bundled("records/records.ts", target, "--format=esm")
    (finder,) = _bundled("find/finder.ts", target, "--format=esm")
    (own_facts,) = _bundled("own/own-facts.ts", target, "--format=esm")
    (offers,) = _bundled("offers/offers.ts", target, "--format=esm")
    names = {
        "WORKER": worker(),
        "REVIEW": Path(review).name,
        "RECORDS": Path(records).name,
        "FINDER": Path(finder).name,
        "OWN_FACTS": Path(own_facts).name,
        "OFFERS": Path(offers).name,
        "ENGINE": _for_browsers(engine),
        "OFFLINE": offline,
    }
    (script,) = _bundled("start.ts", target, "--format=esm", *_defined(names))
    return script


def rename(site_dir: Path, names: Mapping[str, str]) -> None:
    """Let pages use what was finished after they were: the style sheet, the script with the manifest."""
    for page in site_dir.rglob("*.html"):
        text = page.read_text("utf-8")
        for old, new in names.items():
            text = text.replace(old, new)
        page.write_text(text, "utf-8")


def write_search(site_dir: Path) -> str:
    """Write the search's worker under site/assets/; return its path."""
    (search,) = _bundled("search/search.ts", site_dir / "assets", "--format=iife")
    return search


def worker() -> str:
    """Return the source of the engine's worker: as a blob of the page it begins without a request."""
    with TemporaryDirectory() as scratch:
        (path,) = _bundled("engine/worker.ts", Path(scratch), "--format=esm")
        return (Path(scratch) / Path(path).name).read_text("utf-8")


def write_service_worker(site_dir: Path, source: str, names: dict[str, object]) -> None:
    """Write site/service-worker.js: at the root, because it serves what lies below; its name never changes."""
    with TemporaryDirectory() as scratch:
        options = ("--format=iife", "--entry-names=service-worker", '--define:process.env.NODE_ENV="production"')
        _bundled(source, Path(scratch), *options, *_defined(names))
        (site_dir / "service-worker.js").write_bytes((Path(scratch) / "service-worker.js").read_bytes())


def _defined(names: dict[str, object]) -> list[str]:
    return [f"--define:{name}={json.dumps(value)}" for name, value in names.items()]


def _for_browsers(engine: EngineFiles) -> dict[str, object]:
    """Return the manifest without what only tools read."""
    files = {use: {key: file[key] for key in file if key != "sha256"} for use, file in engine.manifest["files"].items()}
    for file in files.values():
        if "unpacked" in file:
            file["unpacked"] = {key: file["unpacked"][key] for key in ("path", "size")}
    return {**engine.manifest, "files": files}


def _bundled(source: str, target: Path, *options: str) -> list[str]:
    """Bundle one file; return the paths of what came out, its own first, then those it refers to."""
    with TemporaryDirectory() as scratch:
        report = Path(scratch) / "meta.json"
        command = [
            str(_ESBUILD),
            str(SOURCES / source),
            f"--outdir={target}",
            f"--metafile={report}",
            *_SHARED,
            *options,
        ]
        if subprocess.run(command, check=False, cwd=ROOT).returncode:
            raise BundleError(f"templates/browser/{source} cannot be bundled")
        outputs = json.loads(report.read_text("utf-8"))["outputs"]
    ordered = sorted(outputs, key=lambda path: ("entryPoint" not in outputs[path], path))
    return [f"assets/{Path(path).name}" for path in ordered]

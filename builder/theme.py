"""Theme: MkDocs with Material turns the staged Markdown into pages. Nothing of ours depends on an MkDocs hook."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import yaml
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

if TYPE_CHECKING:
    from pathlib import Path

from builder.paths import ROOT

CONFIG = ROOT / "mkdocs.yml"


def write(docs: Path, site_dir: Path, site_url: str | None, assets: dict[str, Any]) -> None:
    """Build the staged pages in `docs` into `site_dir`; `assets` are the names the templates refer to."""
    log = logging.getLogger("mkdocs")
    log.setLevel(logging.WARNING)
    log.handlers = [logging.StreamHandler()]  # MkDocs stops at a warning; without a handler nobody would read which
    settings = yaml.safe_load(CONFIG.read_text("utf-8"))
    nav = [_existing(docs, entry) for entry in settings["nav"]]
    config = load_config(
        str(CONFIG),
        strict=all(nav),
        docs_dir=str(docs),
        site_dir=str(site_dir),
        site_url=site_url or "",
        extra={"assets": assets},
        nav=[entry for entry in nav if entry],
    )
    config.plugins.on_startup(command="build", dirty=False)
    try:
        mkdocs_build(config)
    finally:
        config.plugins.on_shutdown()
    (site_dir / ".nojekyll").touch()  # GitHub Pages, given a branch, would leave out what begins with an underscore
    (site_dir / "sitemap.xml.gz").unlink(missing_ok=True)  # nobody asks for it; servers compress by themselves


def _existing(docs: Path, entry: Any) -> Any:
    """TEMPORARY while chapters are being written."""
    if isinstance(entry, str):
        return entry if (docs / entry).exists() else None
    ((title, value),) = entry.items()
    if isinstance(value, list):
        kept = [e for e in (_existing(docs, v) for v in value) if e]
        return {title: kept} if kept else None
    return entry if (docs / value).exists() else None

"""Theme: MkDocs with Material turns the staged Markdown into pages. Nothing of ours depends on an MkDocs hook."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import yaml
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

if TYPE_CHECKING:
    from pathlib import Path

from builder.stage import ROOT, TEMPLATES

CONFIG = ROOT / "mkdocs.yml"


def write(docs: Path, site_dir: Path, site_url: str | None, assets: dict[str, Any]) -> None:
    """Build the staged pages in `docs` into `site_dir`; `assets` are the names the templates refer to."""
    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    extra = yaml.safe_load(CONFIG.read_text("utf-8")).get("extra", {}) | {"assets": assets}
    config = load_config(
        str(CONFIG),
        strict=True,
        docs_dir=str(docs),
        site_dir=str(site_dir),
        site_url=site_url or "",
        extra=extra,
    )
    config.theme.dirs.insert(0, str(TEMPLATES / "theme"))
    config.plugins.on_startup(command="build", dirty=False)
    try:
        mkdocs_build(config)
    finally:
        config.plugins.on_shutdown()

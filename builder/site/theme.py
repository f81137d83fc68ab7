"""Theme: MkDocs with Material turns the staged Markdown into pages. Nothing of ours depends on an MkDocs hook."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

if TYPE_CHECKING:
    from pathlib import Path

    from builder.memory import Memory

from builder.pages import menu, numbers, shortcuts
from builder.paths import ROOT
from calculators.catalog import CALCULATORS

CONFIG = ROOT / "mkdocs.yml"
_OVERVIEW = "calculators/index.md"


def write(docs: Path, site_dir: Path, site_url: str | None, assets: dict[str, Any], memory: Memory) -> None:
    """Build the staged pages in `docs` into `site_dir`; `assets` are the names the templates refer to."""
    log = logging.getLogger("mkdocs")
    log.setLevel(logging.WARNING)
    log.handlers = [logging.StreamHandler()]  # MkDocs stops at a warning; without a handler nobody would read which
    config = load_config(
        str(CONFIG),
        strict=True,
        docs_dir=str(docs),
        site_dir=str(site_dir),
        site_url=site_url or "",
        extra={"assets": assets, "calculators": [calculator.title for calculator in CALCULATORS.values()]},
    )
    # mkdocs.yml names the overviews; the catalog each calculator, and the facts each page of numbers.
    more: dict[str, list[Any]] = {_OVERVIEW: menu.pages(), numbers.INDEX: numbers.pages()}
    for entry in config.nav or ():
        for pages in entry.values():
            if isinstance(pages, list):
                pages.extend(more.get(pages[0], []))
    config.plugins.on_startup(command="build", dirty=False)
    try:
        with shortcuts.taken(memory):
            mkdocs_build(config)
    finally:
        config.plugins.on_shutdown()
    (site_dir / ".nojekyll").touch()  # GitHub Pages, given a branch, would leave out what begins with an underscore
    (site_dir / "sitemap.xml.gz").unlink(missing_ok=True)  # nobody asks for it; servers compress by themselves

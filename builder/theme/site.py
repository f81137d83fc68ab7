"""Site: MkDocs with Material turns rendered Markdown into pages."""

from __future__ import annotations

import logging
import shutil
from typing import TYPE_CHECKING, Any

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

from builder.pages import menu, numbers
from builder.paths import ROOT
from builder.theme import access, search
from builder.theme.plugin import SitePlugin
from calculators.catalog import CALCULATORS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from builder.cache import Cache

CONFIG = ROOT / "mkdocs.yml"
_OVERVIEW = "calculators/index.md"
# Material's search worker, replaced by ours, with its stemmers.
_UNUSED = ("assets/javascripts/workers", "assets/javascripts/lunr")


def write(
    docs: Path,
    site_dir: Path,
    site_url: str | None,
    assets: dict[str, Any],
    cache: Cache,
    html: Mapping[str, str],
) -> None:
    """Build the rendered pages in `docs` into `site_dir`; `assets` are the names the templates refer to.

    `html` is finished HTML by the placeholder that is in a page's Markdown instead.
    """
    log = logging.getLogger("mkdocs")
    log.setLevel(logging.WARNING)
    log.handlers = [logging.StreamHandler()]  # MkDocs stops at a warning; without a handler none would be printed
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
    plugin = config.plugins["site"] = SitePlugin(html, assets["search"], cache)
    config.plugins.on_startup(command="build", dirty=False)
    try:
        mkdocs_build(config)
    finally:
        config.plugins.on_shutdown()
    search.finish(site_dir, plugin.names)
    access.repair(site_dir)
    for folder in _UNUSED:
        shutil.rmtree(site_dir / folder)
    (site_dir / ".nojekyll").touch()  # GitHub Pages, given a branch, would leave out what begins with an underscore
    (site_dir / "sitemap.xml.gz").unlink(missing_ok=True)  # no crawler requests it; servers compress by themselves

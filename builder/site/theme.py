"""Theme: MkDocs with Material turns the staged Markdown into pages. Nothing of ours depends on an MkDocs hook."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from builder.memory import Memory

from builder.pages import menu, numbers, shortcuts
from builder.paths import ROOT
from calculators.catalog import CALCULATORS

CONFIG = ROOT / "mkdocs.yml"
# Material adds a second color-scheme to the page's own, which counts; each word of it makes browsers draw everything
# once more, half of the time that its script takes at the start.
_SECOND_SCHEME = '{name:"color-scheme"});document.head.appendChild(o)'
_MADE_ONLY = _SECOND_SCHEME.partition(";")[0].ljust(len(_SECOND_SCHEME))  # as long, so that the source map holds
# lunr tells nodes of its word tree apart by a text in which "2" before node 507 reads as "25" before 07: words with
# digits are mixed up, and whatever begins like one of them is found nowhere.
_MIXED_UP = "e=e+s+o.id}return e}"
_APART = 'e=e+s+o.id+"."}return e}'
# Material fetches what can be searched, half a megabyte packed, and takes it in, at every start. From a file, which its
# first words are for, no page of this site starts.
_AT_ONCE = (
    'return location.protocol==="file:"?_t(`${new URL("search/search_index.js",Or.base)}`).pipe(m(()=>__index),Z(1)):'
    'ze(new URL("search/search_index.json",Or.base))'
)
_ONCE_ASKED = (
    'return Je("search").pipe(Re(Boolean),b(()=>ze(new URL("search/search_index.json",Or.base))),Z(1))'
).ljust(len(_AT_ONCE))
_OVERVIEW = "calculators/index.md"


def write(
    docs: Path,
    site_dir: Path,
    site_url: str | None,
    assets: dict[str, Any],
    memory: Memory,
    held: Mapping[str, str],
) -> None:
    """Build the staged pages in `docs` into `site_dir`; `assets` are the names the templates refer to.

    `held` is the HTML that pages hold back from Markdown, by what stands for it.
    """
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
        with shortcuts.taken(memory, held):
            mkdocs_build(config)
    finally:
        config.plugins.on_shutdown()
    keep_one_color_scheme(site_dir)
    keep_words_apart(site_dir)
    await_search(site_dir)
    (site_dir / ".nojekyll").touch()  # GitHub Pages, given a branch, would leave out what begins with an underscore
    (site_dir / "sitemap.xml.gz").unlink(missing_ok=True)  # nobody asks for it; servers compress by themselves


def keep_one_color_scheme(site_dir: Path) -> None:
    """Leave Material's second color-scheme out of the page. Raises ValueError if its script adds it in another way."""
    _alter(site_dir, "bundle.*.min.js", _SECOND_SCHEME, _MADE_ONLY)


def keep_words_apart(site_dir: Path) -> None:
    """Let the search find every word of its index. Raises ValueError if lunr names its nodes in another way."""
    _alter(site_dir, "workers/search.*.min.js", _MIXED_UP, _APART)


def await_search(site_dir: Path) -> None:
    """Have what can be searched fetched once the search opens. Raises ValueError if it is fetched in another way."""
    _alter(site_dir, "bundle.*.min.js", _AT_ONCE, _ONCE_ASKED)


def _alter(site_dir: Path, pattern: str, before: str, after: str) -> None:
    """Change one place of a script of Material's."""
    (script,) = site_dir.glob(f"assets/javascripts/{pattern}")
    text = script.read_text("utf-8")
    if text.count(before) != 1:
        raise ValueError(f"{script.name} does not say {before!r} as it did: see builder/site/theme.py")
    script.write_text(text.replace(before, after), "utf-8")

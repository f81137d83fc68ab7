"""Search: the entries that Material's search plugin makes of pages, prepared before and finished after it.

Material's script fetches search/search_index.json on every page, so that file holds the settings alone; our own worker
(templates/browser/search/search.ts) reads the entries from search/entries.json once a reader searches.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

INDEX = "search/search_index.json"
ENTRIES = "search/entries.json"
MATERIALS_WORKER = re.compile(r"assets/javascripts/workers/search\.\w+\.min\.js")
PLACEHOLDER = re.compile(r'<div id="html-\w+"></div>')
# Not searched for: formulas, menus, buttons and rows of links, half of some pages' words.
_SKIPPED = re.compile(r"<(math|select|button|nav)\b.*?</\1>|<p class=\"pending\".*?</p>", re.DOTALL)
# The end of a cell separates two words.
_CELL = re.compile("</(?:td|th|dt|dd|li|text|summary)>|</span>(?=<span)")
# Searches show chapters first, then calculators. By the beginning of the address.
_WEIGHTS = {"guide/glossary/": 1.0, "guide/": 2.0, "calculators/": 1.0, "machine/": 0.5}


def words(content: str) -> str:
    """A page's HTML for the search: without what is not searched for, with space after each cell."""
    return _CELL.sub(r"\g<0> ", _SKIPPED.sub("", content))


def weight(url: str) -> float:
    """Weight of a page in search results.

    >>> weight("guide/inside-storage/"), weight("guide/glossary/"), weight("about/")
    (2.0, 1.0, 1.0)
    """
    return next((found for start, found in _WEIGHTS.items() if url.startswith(start)), 1.0)


def finish(site_dir: Path, names: Mapping[str, str]) -> None:
    """Part the index into settings and entries; `names` are those of pages by their addresses."""
    index = json.loads((site_dir / INDEX).read_text("utf-8"))
    for entry in index["docs"]:  # a page whose heading is a question is looked for by its name
        name = names.get(entry["location"], "")
        if name not in entry["title"]:
            entry["title"] = f"{name}: {entry['title']}"
    (site_dir / ENTRIES).write_text(json.dumps(index["docs"], separators=(",", ":")), "utf-8")
    (site_dir / INDEX).write_text(json.dumps({**index, "docs": []}, separators=(",", ":")), "utf-8")

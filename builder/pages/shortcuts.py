"""Shortcuts: MkDocs, Material and Jinja take their costly steps for a page only where it has changed.

Three functions of theirs are replaced while they build. Each replacement calls the original unless memory holds what
that made from the same input, so that what comes out is the same, and a version that lacks one of them fails at once.
"""

from __future__ import annotations

import copy
import re
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import jinja2
from material.plugins.search.plugin import SearchIndex
from mkdocs.structure.pages import Page
from mkdocs.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from jinja2.bccache import Bucket
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from builder.memory import Memory

_HELD = re.compile(r'<div id="held-\w+"></div>')
_NAMED = re.compile(r'\sid="([^"]*)"')
# Nobody looks for what stands in a formula, a menu, a button or a row of links: half of some pages' words.
_UNSOUGHT = re.compile(r"<(math|select|button|nav)\b.*?</\1>|<p class=\"pending\".*?</p>", re.DOTALL)
# Whoever searches wants to read first, then to compute. By the beginning of the address.
_SOUGHT = {"guide/glossary/": 1.0, "guide/": 2.0, "calculators/": 1.0, "machine/": 0.5}
# What ends there and begins behind are two words.
_CELL = re.compile("</(?:td|th|dt|dd|li|text|summary)>|</span>(?=<span)")
_WILDCARD = "*"  # in a word of the index, lunr takes it for any letters, and finds nothing that begins like that word
_RENDERED = ("content", "toc", "_title_from_render", "present_anchor_ids")  # what Page.render() sets, and the links


class Compiled(jinja2.BytecodeCache):
    """Templates compiled before, each under its source; `options` names the environment they were compiled for."""

    def __init__(self, memory: Memory, options: str) -> None:
        self._memory = memory
        self._options = options

    def load_bytecode(self, bucket: Bucket) -> None:
        """Put a template's code into the bucket if it is known."""
        bucket.code = self._memory.find(self._made_from(bucket))
        self.dump_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code that is in the bucket."""
        self._memory.keep(self._made_from(bucket), bucket.code)

    def _made_from(self, bucket: Bucket) -> tuple[str, ...]:
        return ("template", self._options, bucket.key, bucket.checksum)


def sought(url: str) -> float:
    """How much likelier than another page this one is what whoever searches means.

    >>> sought("guide/inside-storage/"), sought("guide/glossary/"), sought("about/")
    (2.0, 1.0, 1.0)
    """
    return next((weight for start, weight in _SOUGHT.items() if url.startswith(start)), 1.0)


@contextmanager
def taken(memory: Memory, held: Mapping[str, str]) -> Iterator[None]:
    """Have MkDocs recall what it can while the `with` block runs.

    What is `held` back from Markdown comes into its place in the finished page: the mark that stands for it, the HTML.
    """
    render, index, environment = Page.render, SearchIndex.add_entry_from_context, Theme.get_env

    def rendered(page: Page, config: MkDocsConfig, files: Files) -> None:
        """Markdown to HTML. Beside the text it depends on which files there are to link to."""

        def make() -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
            render(page, config, files)
            for mark in _HELD.findall(page.content or ""):
                page.content = (page.content or "").replace(mark, held[mark])
                page.present_anchor_ids = {*(page.present_anchor_ids or ()), *_NAMED.findall(held[mark])}
            links = {file.src_uri: anchors for file, anchors in (page.links_to_anchors or {}).items()}
            return {name: getattr(page, name) for name in _RENDERED}, links

        there = tuple(file.src_uri for file in files)
        found, links = memory.recall(("Markdown", page.file.src_uri, page.markdown, there), make)
        vars(page).update(found)
        page.links_to_anchors = {files.src_uris[name]: anchors for name, anchors in links.items()}

    def indexed(whole: Any, page: Page) -> None:
        """A page's entries in the search index."""
        words = copy.copy(page)
        words.content = _CELL.sub(r"\g<0> ", _UNSOUGHT.sub("", page.content or ""))
        words.meta = {"search": {"boost": sought(page.url)}, **page.meta}

        def make() -> list[dict[str, Any]]:
            alone = SearchIndex(**whole.config)
            index(alone, words)
            name = str(page.meta.get("title", ""))
            for entry in alone.entries:  # a page whose heading is a question is looked for by its name
                if entry["location"] == page.url and name not in entry["title"]:
                    entry["title"] = f"{name}: {entry['title']}"
                entry |= {part: entry[part].replace(_WILDCARD, " ") for part in ("title", "text")}
            return list(alone.entries)

        whole.entries += memory.recall(("search", page.url, page.title, repr(words.meta), words.content), make)

    def equipped(theme: Theme) -> jinja2.Environment:
        """The environment of the theme's templates."""
        made = environment(theme)
        made.bytecode_cache = Compiled(memory, "theme")
        return made

    with ExitStack() as replaced:
        replaced.enter_context(_replaced(Page, "render", rendered))
        replaced.enter_context(_replaced(SearchIndex, "add_entry_from_context", indexed))
        replaced.enter_context(_replaced(Theme, "get_env", equipped))
        yield


@contextmanager
def _replaced(owner: type, name: str, instead: Callable[..., Any]) -> Iterator[None]:
    original = getattr(owner, name)
    setattr(owner, name, instead)
    try:
        yield
    finally:
        setattr(owner, name, original)

"""Plugin: what MkDocs does for us on its events. It is added to MkDocs' plugins by `site.write`.

Finished HTML comes into its place after Markdown, so that Markdown does not read it. The search plugin, which listens
to the same event as this one, sees each page without what is not searched: this plugin removes that just before
it and puts the page back just after.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority

from builder.template_cache import TemplateCache
from builder.theme import search

if TYPE_CHECKING:
    from collections.abc import Mapping

    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

    from builder.cache import Cache

_BEFORE_SEARCH, _AFTER_SEARCH = 50, -50
# Where "Skip to content" leads on a page with inputs: its first menus, or its form.
_INPUTS = ("menus", "form")
_SKIP = re.compile(r'<a href="#[^"]*" class="md-skip">\s*Skip to content\s*</a>')
_ID = re.compile(r'\sid="([^"]*)"')
# Tags, and what keeps its spaces, apart from text: code, drawings, and answers, which a page compares with new ones.
_NO_TEXT = re.compile(
    r"(<(pre|code|svg|ai-calculator)\b.*?</\2>|<span class=\"way-answer\">.*?</span>|<[^>]*>)", re.DOTALL
)
_UNIT = re.compile(r"(?<=\d) (?=(?:[µm]?s|min|h|%|[kMGTPE]i?B(?:/s)?|[GT]bit/s|[kMG]?Wh?|k?V)(?![\w/]))")


def with_units_tied(html: str) -> str:
    r"""HTML in which no line break parts a number of the text from its unit.

    >>> with_units_tied('<p title="1 s">In 7.3 h, <code>sleep 5 s</code></p>')
    '<p title="1 s">In 7.3\xa0h, <code>sleep 5 s</code></p>'
    """
    parts = _NO_TEXT.split(html)  # text, what is none, its element if it has an end, and so on
    parts[::3] = [_UNIT.sub("\N{NO-BREAK SPACE}", text) for text in parts[::3]]
    del parts[2::3]
    return "".join(parts)


class SitePlugin(BasePlugin):  # type: ignore[no-untyped-call, type-arg]  # it has no settings
    """Fills placeholders, prepares pages for the search, and lends MkDocs the compiled templates of earlier builds."""

    def __init__(self, html: Mapping[str, str], worker: str, cache: Cache) -> None:
        """Take the finished HTML by its placeholders, and the address of the search's worker."""
        self._html = html
        self._worker = worker
        self._cache = cache
        self._content = ""
        self._entries: list[dict[str, Any]] = []  # of all pages for the search
        self._known = 0  # how many of them are of earlier pages
        self.names: dict[str, str] = {}  # of pages, by their addresses

    def on_env(self, env: jinja2.Environment, **_: Any) -> jinja2.Environment:
        """Lend MkDocs compiled templates, and a filter that names our search's worker where Material names its own."""
        env.bytecode_cache = TemplateCache(self._cache, "theme")
        env.filters["with_our_search"] = partial(search.MATERIALS_WORKER.sub, self._worker)
        return env

    def on_page_content(self, html: str, *, page: Page, **_: Any) -> str:
        """Replace placeholders by the finished HTML they are for, and register its anchors with MkDocs."""
        html = with_units_tied(html)
        for mark in search.PLACEHOLDER.findall(html):
            html = html.replace(mark, self._html[mark])
            page.present_anchor_ids = {*(page.present_anchor_ids or ()), *_ID.findall(self._html[mark])}
        return html

    def on_post_page(self, output: str, **_: Any) -> str:
        """On a page with inputs, lead its skip link to them."""
        place = next((name for name in _INPUTS if f' id="{name}"' in output), None)
        return output if place is None else _SKIP.sub(f'<a href="#{place}" class="md-skip">Skip to inputs</a>', output)

    @event_priority(_BEFORE_SEARCH)
    def _before_search(self, context: Any, *, page: Page, config: MkDocsConfig, **_: Any) -> Any:
        self._content = page.content or ""
        material: Any = config.plugins["material/search"]
        self._entries = material.search_index.entries
        self._known = len(self._entries)
        self.names[page.url] = str(page.meta.get("title", ""))
        page.content = search.words(self._content)
        kept = self._cache.find(self._search_key(page))
        page.meta = {"search": {"exclude": True} if kept else {"boost": search.weight(page.url)}, **page.meta}
        return context

    @event_priority(_AFTER_SEARCH)
    def _after_search(self, context: Any, *, page: Page, **_: Any) -> Any:
        """Put the page back; where an earlier build has made the page's entries for the search, take those."""
        new = self._entries[self._known :]
        self._entries[self._known :] = self._cache.get(self._search_key(page), lambda: new)
        page.content = self._content
        return context

    def _search_key(self, page: Page) -> tuple[str, ...]:
        return "entries for the search", page.url, str(page.title), self._content

    on_page_context = CombinedEvent(_before_search, _after_search)

"""Scan: the scripts, requests, links and anchors of one finished page."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_FETCHED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src")}
_FETCHING_LINKS = {
    "stylesheet",
    "preload",
    "modulepreload",
    "icon",
    "prefetch",
    "preconnect",
    "manifest",
    "dns-prefetch",
}
_SCRIPT_TYPES = {"", "module", "text/javascript"}


@dataclass
class Page:
    """One page: its scripts, what it fetches, where it links, its anchors and which of them it has twice."""

    inline_scripts: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    doubled: list[str] = field(default_factory=list)
    inline_styles: int = 0


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if "id" in known:
            self.page.doubled += [known["id"]] if known["id"] in self.page.anchors else []
            self.page.anchors.add(known["id"])
        if "style" in known or tag == "style":
            self.page.inline_styles += 1
        if tag == "a" and "name" in known:
            self.page.anchors.add(known["name"])
        if tag == "a" and "href" in known:
            self.page.links.append(known["href"])
        if tag == "link" and _FETCHING_LINKS & set(known.get("rel", "").split()):
            self.page.fetched.append(known.get("href", ""))
        self.page.fetched += [value for name, value in known.items() if (tag, name) in _FETCHED]
        self._in_script = tag == "script" and "src" not in known and known.get("type", "") in _SCRIPT_TYPES
        if self._in_script:
            self.page.inline_scripts.append("")

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.page.inline_scripts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._in_script = False


def scan(text: str) -> Page:
    """The page that a text of HTML is."""
    reader = _Reader()
    reader.feed(text)
    return reader.page

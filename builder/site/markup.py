"""Markup: HTML as a tree that can be changed, and written so that browsers and readers of XHTML both take it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_EMPTY = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
# What SVG spells with capitals, which parsers of HTML make small.
_CAPITALS = {
    name.lower(): name
    for name in (
        *("clipPath", "clipPathUnits", "gradientTransform", "gradientUnits", "linearGradient", "markerHeight"),
        *("markerUnits", "markerWidth", "maskUnits", "pathLength", "patternContentUnits", "patternTransform"),
        *("patternUnits", "preserveAspectRatio", "refX", "refY", "stdDeviation", "textLength", "textPath", "viewBox"),
    )
}


class MarkupError(Exception):
    """HTML whose elements do not nest. Names the element."""


@dataclass
class Element:
    """One element: its tag, its attributes, and its content."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    @property
    def classes(self) -> frozenset[str]:
        """The classes it has."""
        return frozenset(self.attributes.get("class", "").split())

    def walk(self) -> Iterator[Element]:
        """Yield this element and every one in it, in order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    @property
    def text(self) -> str:
        """All its words."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        added = self._add(tag, attrs)
        if tag not in _EMPTY:
            self.open.append(added)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _EMPTY:
            return
        name = _CAPITALS.get(tag, tag)
        if len(self.open) == 1 or self.open[-1].tag != name:
            message = f"</{tag}> closes no <{self.open[-1].tag}>, line {self.getpos()[0]}"
            raise MarkupError(message)
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def _add(self, tag: str, attrs: list[tuple[str, str | None]]) -> Element:
        named = {_CAPITALS.get(name, name): name if value is None else value for name, value in attrs}
        added = Element(_CAPITALS.get(tag, tag), named)
        self.open[-1].children.append(added)
        return added


def read(text: str) -> Element:
    """A nameless element with what the HTML `text` holds. Raises MarkupError where elements do not nest."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    if len(reader.open) > 1:
        message = f"<{reader.open[-1].tag}> is never closed"
        raise MarkupError(message)
    return reader.root


def written(node: Element | str) -> str:
    """The node as markup: every element closed, every attribute quoted, no entity but XML's own."""
    if isinstance(node, str):
        return escape(node, quote=False)
    inside = "".join(map(written, node.children))
    if not node.tag:
        return inside
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes.items())
    return f"<{node.tag}{attributes}/>" if node.tag in _EMPTY else f"<{node.tag}{attributes}>{inside}</{node.tag}>"


def linked(body: Element, place: Callable[[str], str | None]) -> None:
    """Give every link within the site the place that `place` has for it; one that has none becomes its words."""
    for element in body.walk():
        if element.tag != "a" or "href" not in element.attributes:
            continue
        link = element.attributes["href"]
        if urlsplit(link).scheme:
            continue
        found = place(link)
        if found is None:
            element.tag, element.attributes = "span", {}
        else:
            element.attributes["href"] = found

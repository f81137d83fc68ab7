"""Book: the guide on one page, to print, from its finished chapters.

What lives on a screen becomes what paper can hold: cards their answers, marks of facts numbered sources, folded answers
a section at the chapter's end.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from builder.pages import menu
from builder.site.chapter import Chapter
from builder.site.markup import Element, read, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from builder.cache import Cache

PRINT = "print/index.html"
PLACE = '<div id="book"></div>'
_ARTICLE = re.compile(r"<article[^>]*>(.*?)</article>", re.DOTALL)
_HERE = "http://this-site.invalid/"  # a scheme whose relative addresses are resolved
_DROPPED = frozenset({"button", "form", "input", "option", "script", "select", "template", "textarea"})
_DROPPED_CLASSES = frozenset({"headerlink", "actions"})
_NAMING = ("aria-labelledby", "aria-describedby", "for")
_IN_PLACE = re.compile(r"url\(#([^)]+)\)")


def write(site_dir: Path, cache: Cache) -> list[Chapter]:
    """Fill the page to print from the finished pages in `site_dir`; return the chapters."""
    keys = {menu.url(page): page.removesuffix(".md").rpartition("/")[2] for page in menu.guide()}
    chapters = gathered(site_dir, keys, cache)
    page = site_dir / PRINT
    page.write_text(page.read_text("utf-8").replace(PLACE, printed(chapters), 1), "utf-8")
    return chapters


def gathered(site_dir: Path, keys: Mapping[str, str], cache: Cache) -> list[Chapter]:
    """The chapters in order; `keys` name them by their addresses."""
    chapters = []
    for address in keys:
        place = site_dir / address / "index.html"
        if place.exists():
            page = place.read_text("utf-8")
            found = _ARTICLE.search(page)
            made_from = ("chapter of the book", address, found and found[0], *keys)
            chapters.append(cache.get(made_from, partial(chapter, page, address, keys)))
    return chapters


def chapter(page: str, address: str, keys: Mapping[str, str]) -> Chapter:
    """One finished page as a chapter of the book; `keys` name the chapters by their addresses."""
    found = _ARTICLE.search(page)
    body = read(found[1] if found else "")
    key = keys[address]
    _flatten(body)
    sources = _numbered_sources(body, key)
    answers = _taken_answers(body)
    for title, inside in (("Answers", answers), ("Sources", sources)):
        if inside:
            body.children += [Element("h2", {"id": f"book-{title.lower()}"}, [title]), *inside]
    _prefix_ids(body, key)
    _own_links(body, address, keys)
    heading = next(each for each in body.walk() if each.tag == "h1")
    return Chapter(key=key, title=heading.text.strip(), body=body)


def printed(chapters: Iterable[Chapter]) -> str:
    """All chapters as one piece of HTML, after a list of them."""
    contents = Element("ol")
    pieces = []
    for each in chapters:
        contents.children.append(Element("li", {}, [Element("a", {"href": f"#{each.key}"}, [each.title])]))
        pieces.append(f"{each.printed}\n")
    list_of_chapters = Element("nav", {"class": "book-contents", "aria-label": "Chapters of the book"}, [contents])
    return f'<div class="book">{written(list_of_chapters)}\n{"".join(pieces)}</div>'


def _flatten(body: Element) -> None:
    """Take away what only a screen can use, and put plain elements in the place of our own."""
    for element in body.walk():
        element.children = [
            _plain(child) if isinstance(child, Element) else child
            for child in element.children
            if isinstance(child, str)
            or not (child.tag in _DROPPED or child.classes & _DROPPED_CLASSES or "hidden" in child.attributes)
        ]


def _plain(element: Element) -> Element:
    if "card-frame" in element.classes:
        kept = [each for each in element.walk() if each.classes & {"card-question", "answer"}]
        for each in kept:
            each.tag, each.attributes = (
                "p",
                {"class": "book-question" if "card-question" in each.classes else "book-said"},
            )
        return Element("div", {"class": "book-card"}, list(kept))
    if element.tag == "output":
        element.tag = "span"
    if element.tag == "details" and "folded" not in element.classes:
        element.tag = "div"
        for child in element.children:
            if isinstance(child, Element) and child.tag == "summary":
                child.tag = "p"
    for name in [name for name in element.attributes if name.startswith("data-") or name == "aria-live"]:
        del element.attributes[name]
    return element


def _numbered_sources(body: Element, key: str) -> list[Element]:
    """Number the marks of facts; return the list of what they rest on."""
    numbers: dict[str, int] = {}
    places: dict[str, str] = {}
    for element in body.walk():
        if element.tag == "a" and "cite" in element.classes:
            message = element.attributes.get("title", "")
            number = numbers.setdefault(message, len(numbers) + 1)
            places.setdefault(message, element.attributes["href"])
            element.tag = "sup"
            inside = Element("a", {"href": f"#source-{number}"}, [str(number)])
            element.attributes, element.children = {"class": "book-source"}, [inside]
    if not numbers:
        return []
    items = [
        Element("li", {"id": f"source-{number}"}, [Element("a", {"href": places[message]}, [message])])
        for message, number in numbers.items()
    ]
    return [Element("ol", {"class": "book-sources", "id": f"sources-of-{key}"}, list(items))]


def _taken_answers(body: Element) -> list[Element]:
    """Take the folded answers out of their exercises; return them with their numbers."""
    answers: list[Element] = []
    for element in body.walk():
        for child in list(element.children):
            if isinstance(child, Element) and child.tag == "details" and "folded" in child.classes:
                element.children.remove(child)
                answer_parts = [
                    each for each in child.children if not (isinstance(each, Element) and each.tag == "summary")
                ]
                number = Element("p", {"class": "book-answer"}, [Element("strong", {}, [f"{len(answers) + 1}."])])
                answers.append(Element("div", {}, [number, *answer_parts]))
    return answers


def _prefix_ids(body: Element, key: str) -> None:
    """Prefix ids with the key of their chapter, and whatever refers to them."""
    for element in body.walk():
        for name, value in element.attributes.items():
            if name == "id":
                element.attributes[name] = f"{key}--{value}"
            elif name in _NAMING:
                element.attributes[name] = " ".join(f"{key}--{each}" for each in value.split())
            elif "url(#" in value:
                element.attributes[name] = _IN_PLACE.sub(rf"url(#{key}--\1)", value)
            elif name in {"href", "xlink:href"} and element.tag == "use":
                element.attributes[name] = f"#{key}--{value.removeprefix('#')}"


def _own_links(body: Element, address: str, keys: Mapping[str, str]) -> None:
    """Turn links into places of the book where it has them, else into addresses from the site's root."""
    for element in body.walk():
        if element.tag != "a" or "href" not in element.attributes:
            continue
        parts = urlsplit(urljoin(_HERE + address, element.attributes["href"]))
        if parts.netloc != urlsplit(_HERE).netloc:
            continue
        place = parts.path.lstrip("/")
        if place in keys:
            fragment = f"--{parts.fragment}" if parts.fragment else ""
            element.attributes["href"] = f"#{keys[place]}{fragment}"
        else:
            element.attributes["href"] = place + (f"#{parts.fragment}" if parts.fragment else "")

"""EPUB: the book as one file for readers without a browser, by EPUB 3.3: a zip of XHTML, a contents list, a style."""

from __future__ import annotations

import copy
import io
import re
import uuid
import zipfile
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from builder.paths import TEMPLATES
from builder.site.markup import linked, written

if TYPE_CHECKING:
    import datetime
    from collections.abc import Sequence
    from pathlib import Path

    from builder.cache import Cache
    from builder.site.chapter import Chapter
    from builder.site.markup import Element

FILE = "infrastructure-for-ai.epub"
TITLE = "Infrastructure for AI"
_STYLES = TEMPLATES / "browser" / "styles"
_VARIABLE = re.compile(r"(--[\w-]+):\s*([^;{}]+);")
_USED = re.compile(r"var\((--[\w-]+)\)")
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_CONTAINER = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
)


def write(
    site_dir: Path,
    chapters: Sequence[Chapter],
    site_url: str | None,
    version: str,
    moment: datetime.datetime,
    cache: Cache,
) -> None:
    """Write the EPUB into the site."""
    (site_dir / FILE).write_bytes(packed(chapters, site_url, version, moment, cache))


def packed(
    chapters: Sequence[Chapter], site_url: str | None, version: str, moment: datetime.datetime, cache: Cache
) -> bytes:
    """Return the file: the same chapters give the same bytes. Links into the site need its address, or are words."""

    def page(each: Chapter) -> str:
        return cache.get(("page of the EPUB", each, *homes, site_url), partial(_page, each, homes, site_url))

    homes = {each.key: f"{each.key}.xhtml" for each in chapters}
    files = {
        "META-INF/container.xml": _CONTAINER,
        "EPUB/package.opf": _package(chapters, version, moment),
        "EPUB/nav.xhtml": _contents(chapters),
        "EPUB/style.css": _style(),
        **{f"EPUB/{homes[each.key]}": page(each) for each in chapters},
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        # By the standard first and bare, so that the file is recognized by its first bytes.
        archive.writestr(_entry("mimetype", moment), "application/epub+zip", zipfile.ZIP_STORED)
        for name, content in files.items():
            archive.writestr(_entry(name, moment), content, zipfile.ZIP_DEFLATED, 9)
    return target.getvalue()


def _entry(name: str, moment: datetime.datetime) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name, moment.timetuple()[:6])


def _page(chapter: Chapter, homes: dict[str, str], site_url: str | None) -> str:
    body = copy.deepcopy(chapter.body)

    def place(link: str) -> str | None:
        if link.startswith("#"):
            key, _, fragment = link[1:].partition("--")
            return homes[key] + (f"#{key}--{fragment}" if fragment else "")
        return f"{site_url}{link}" if site_url else None

    linked(body, place)
    for element in body.walk():
        _for_xml(element)
    return _xhtml(chapter.title, written(body))


def _for_xml(element: Element) -> None:
    """Say what HTML takes for granted and XML does not."""
    element.attributes.pop("tabindex", None)
    if element.tag == "wide-figure":
        element.tag = "div"
    if element.tag == "svg":
        element.attributes |= {"xmlns": _SVG, "xmlns:xlink": _XLINK}


def _xhtml(title: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">'
        f'<head><meta charset="utf-8"/><title>{escape(title)}</title>'
        f'<link rel="stylesheet" type="text/css" href="style.css"/></head><body>{body}</body></html>\n'
    )


def _contents(chapters: Sequence[Chapter]) -> str:
    items = "".join(f'<li><a href="{each.key}.xhtml">{escape(each.title)}</a></li>' for each in chapters)
    return _xhtml(TITLE, f'<nav epub:type="toc" id="toc"><h1>{TITLE}</h1><ol>{items}</ol></nav>')


def _package(chapters: Sequence[Chapter], version: str, moment: datetime.datetime) -> str:
    name = uuid.uuid5(uuid.NAMESPACE_URL, f"{TITLE} {version}")
    drawn = {each.key for each in chapters if each.is_drawn}
    items = "".join(
        f'<item id="c-{each.key}" href="{each.key}.xhtml" media-type="application/xhtml+xml"'
        f"{' properties=' + chr(34) + 'svg' + chr(34) if each.key in drawn else ''}/>"
        for each in chapters
    )
    spine = "".join(f'<itemref idref="c-{each.key}"/>' for each in chapters)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">urn:uuid:{name}</dc:identifier><dc:title>{TITLE}</dc:title>'
        f"<dc:language>en</dc:language><dc:date>{moment.date().isoformat()}</dc:date>"
        f'<meta property="dcterms:modified">{moment.strftime("%Y-%m-%dT%H:%M:%SZ")}</meta></metadata>'
        '<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        f'<item id="style" href="style.css" media-type="text/css"/>{items}</manifest>'
        f'<spine><itemref idref="nav"/>{spine}</spine></package>\n'
    )


def _style() -> str:
    """The site's hand for figures, with the light scheme's colors written out: few readers know variables."""
    tokens = (_STYLES / "tokens.css").read_text("utf-8").partition('[data-md-color-scheme="slate"]')[0]
    values = dict(_VARIABLE.findall(tokens))
    style = "".join((_STYLES / name).read_text("utf-8").partition("@media")[0] for name in ("book.css", "figures.css"))
    while _USED.search(style):
        style = _USED.sub(lambda found: values[found[1]], style)
    return style

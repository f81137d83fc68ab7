"""Chapter: one chapter of the guide in the form that paper and EPUB can hold."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from functools import cached_property

from builder.site.markup import Element, linked, written


@dataclass(frozen=True, kw_only=True, eq=False)
class Chapter:
    """One chapter: its key, its title and its markup. Links lead to `#key--place` or to an address in the site."""

    key: str
    title: str
    body: Element

    @cached_property
    def printed(self) -> str:
        """Chapter as a section of a page one level below the site's root, headings one level down."""
        body = copy.deepcopy(self.body)
        for element in body.walk():
            if re.fullmatch("h[1-5]", element.tag):
                element.tag = f"h{int(element.tag[1]) + 1}"
        linked(body, lambda link: link if link.startswith("#") else f"../{link}")
        return written(Element("section", {"class": "book-chapter", "id": self.key}, body.children))

    @cached_property
    def is_drawn(self) -> bool:
        """Whether it has a figure of lines."""
        return any(element.tag == "svg" for element in self.body.walk())

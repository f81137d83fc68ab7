"""The glossary: terms, the links to them that chapters hold, and from each term back to the chapters that use it."""

from __future__ import annotations

import html
import re
import tomllib
from functools import cached_property

from builder.paths import CONTENT

PAGE = "guide/glossary.md"
_TITLE = re.compile(r"^title: *\"?(.+?)\"?$", re.MULTILINE)


class Glossary:
    """The terms of content/glossary.toml, and which pages used them so far."""

    def __init__(self) -> None:
        """Nothing is used yet."""
        self.used: dict[str, list[str]] = {}

    @cached_property
    def terms(self) -> dict[str, dict[str, str]]:
        """Every term by its key, in alphabetical order of their names."""
        stated = tomllib.loads((CONTENT / "glossary.toml").read_text("utf-8"))
        return dict(sorted(stated.items(), key=lambda item: item[1]["name"].lower()))

    def link(self, key: str, text: str, page: str, root: str) -> str:
        """A term in the prose of a page: it leads to the glossary and carries what that says."""
        stated = self.terms[key]
        self.note(key, page)
        name = stated["name"]
        proper = "proper" in stated or any(letter.isupper() for letter in name[1:])
        spoken = name if proper else name[0].lower() + name[1:]  # InfiniBand, but all-reduce
        message = html.escape(stated["short"])
        return f'<a class="term" href="{root}guide/glossary/#{key}" title="{message}">{text or spoken}</a>'

    def note(self, key: str, page: str) -> None:
        """Note that a page uses a term."""
        pages = self.used.setdefault(key, [])
        if page not in pages:
            pages.append(page)

    def chapters(self, key: str) -> list[tuple[str, str]]:
        """The chapters that use a term: where they are, seen from the glossary, and their titles."""
        pages = [page for page in self.used.get(key, ()) if page.startswith("guide/") and page != PAGE]
        return [(page.removeprefix("guide/"), _title(page)) for page in pages]


def _title(page: str) -> str:
    """The title that a page states at its top, else its name."""
    found = _TITLE.search((CONTENT / page).read_text("utf-8"))
    return found[1] if found else page

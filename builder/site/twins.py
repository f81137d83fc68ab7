"""Twins: every page as Markdown next to its HTML, and llms.txt, which lists them: for agents and scripts.

A page's Markdown is finished text already, with HTML in it: links become Markdown's, a figure its description, and what
only a screen uses is left out. A calculator's page has its default state as a table, as *Copy as Markdown* gives it.
"""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from mkdocs.utils import meta, yaml

from builder.pages import menu
from builder.paths import ROOT
from calculators.answers import answer, markdown
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "index.md"
LIST = "llms.txt"
_UNSEEN = frozenset(("svg", "select", "button", "input", "noscript", "script", "style", "template", "ai-calculator"))
_VOID = frozenset(("input", "br", "img", "wbr", "hr"))
_ATTRIBUTES = "{:"  # of Python-Markdown, at the end of a paragraph


class _Plain(HTMLParser):
    """Markdown without HTML."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0
        self.is_description = False
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enter an element."""
        if tag in _UNSEEN and tag not in _VOID:
            self.hidden += 1
        if tag == "desc":
            self.is_description = True
            self.parts.append("Figure: ")
        if self.hidden:
            return
        if tag == "a":
            self.addresses.append(dict(attrs).get("href") or "")
            self.parts.append("[")
        elif tag == "strong":
            self.parts.append("**")

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag in _UNSEEN and tag not in _VOID:
            self.hidden -= 1
        if tag == "desc":
            self.is_description = False
        if self.hidden:
            return
        if tag == "a" and self.addresses:
            self.parts.append(f"]({self.addresses.pop()})")
        elif tag == "strong":
            self.parts.append("**")

    def handle_data(self, data: str) -> None:
        """Text of a page, and the description of a drawing."""
        if not self.hidden or self.is_description:
            self.parts.append(data)


def plain(rendered: str) -> str:
    r"""Finished Markdown without HTML and without the attributes of paragraphs.

    >>> plain('A <a class="x" href="../#">**link**</a>.\n{: .lead }\n\n<svg><desc>Dots.</desc><path/></svg>\n')
    'A [**link**](../#).\n\nFigure: Dots.\n'
    """
    parser = _Plain()
    parser.feed(rendered)
    parser.close()
    lines = [line.rstrip() for line in "".join(parser.parts).splitlines() if not line.startswith(_ATTRIBUTES)]
    kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    return "\n".join(kept).strip() + "\n"


def write(site_dir: Path, rendered: Path, site_url: str | None) -> None:
    """Write the twin of every page that the navigation has, and the list of them."""
    states = {f"calculators/{menu.slug(one)}.md": _state(name) for name, one in CALCULATORS.items()}
    settings = _settings()
    listed = [f"# {settings['site_name']}", f"> {settings['site_description']}"]
    for heading, pages in _sections(settings["nav"]):
        listed.append(f"## {heading}")
        for page in pages:
            text, about = meta.get_data((rendered / page).read_text("utf-8"))
            twin = "\n".join(filter(None, (plain(text), states.get(page, ""))))
            (site_dir / menu.url(page) / NAME).write_text(twin, "utf-8")
            described = f": {about['description']}" if about.get("description") else ""
            listed.append(f"- [{about.get('title', heading)}]({site_url or ''}{menu.url(page)}{NAME}){described}")
    listed.append(
        "## Command line\n\n`python -m calculators NAME --json` answers in numbers; `mcp` serves each as a tool."
    )
    (site_dir / LIST).write_text("\n\n".join(_blocks(listed)) + "\n", "utf-8")


def _state(name: str) -> str:
    calculator = CALCULATORS[name]
    resolved = valid_inputs(calculator, {})
    return f"## Default state\n\n{markdown.table(calculator, resolved, answer.evaluated(calculator, resolved))}"


def _settings() -> dict[str, Any]:
    with (ROOT / "mkdocs.yml").open("rb") as file:
        found: dict[str, Any] = yaml.yaml_load(file)
    return found


def _sections(navigation: list[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """The parts of the navigation with their pages; calculators after their overview."""
    for entry in navigation:
        for heading, pages in entry.items():
            own = [pages] if isinstance(pages, str) else [page for page in pages if page != menu.WHOLE]
            yield heading, [*own, *(menu.pages() if heading == "Calculators" else [])]


def _blocks(lines: list[str]) -> Iterator[str]:
    """Lines with those of a list together."""
    items: list[str] = []
    for line in lines:
        if line.startswith("- "):
            items.append(line)
            continue
        if items:
            yield "\n".join(items)
            items = []
        yield line
    if items:
        yield "\n".join(items)

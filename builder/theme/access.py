"""Access: what Material leaves out for those who read by ear or by keyboard, put into its finished pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_SEARCH = 'data-md-component="search" role="dialog"'
# A section with a page of its own is labelled by an icon; its name is in the title below.
_SECTION = re.compile(
    r'aria-labelledby="__nav_\w+_label"(?P<between>[^>]*>\s*<label class="md-nav__title"[^>]*>\s*<span[^>]*></span>\s*)'
    r"(?P<name>[^<]+?)(?P<after>\s*</label>)"
)
_NO_HEADING = re.compile(r"<th(?P<attributes>[^>]*)></th>")
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)


def repair(site_dir: Path) -> None:
    """Name the search dialog and every section of the navigation; let what is wide scroll, also by keys."""
    for path in site_dir.rglob("*.html"):
        text = path.read_text("utf-8")
        text = text.replace(_SEARCH, f'{_SEARCH} aria-label="Search"')
        text = _SECTION.sub(r'aria-label="\g<name>"\g<between>\g<name>\g<after>', text)
        text = _NO_HEADING.sub(r"<td\g<attributes>></td>", text)
        text = text.replace('<figure class="drawn"', '<figure class="drawn" tabindex="0"')
        text = text.replace(' style="text-align: right;"', ' class="right"')  # the content policy refuses styles
        text = text.replace("<pre><code", '<pre><code tabindex="0"')  # it is the code that scrolls
        text = _TABLE.sub(_scrolling, text)
        path.write_text(text, "utf-8")


def _scrolling(table: re.Match[str]) -> str:
    inside = table[0].removeprefix("<table>")
    return f'<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table class="plain">{inside}</div>'

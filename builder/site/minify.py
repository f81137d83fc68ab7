"""Minify: pages without the white space that templates indent their markup with, 1% of a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_PREFORMATTED = re.compile(r"(<(pre|script|style|textarea)\b.*?</\2>)", re.DOTALL)
_BETWEEN_LINES = re.compile(r"[ \t]*\n\s*")


def minify(site_dir: Path) -> None:
    """Replace white space around a line break by the line break, in every page, except in preformatted elements."""
    for path in site_dir.rglob("*.html"):
        path.write_text(minified(path.read_text("utf-8")), "utf-8")


def minified(page: str) -> str:
    r"""Page with less white space between its lines.

    >>> minified("<p>  one\n\n    two</p>\n<pre>  three\n\n  four</pre>\n  <p>five")
    '<p>  one\ntwo</p>\n<pre>  three\n\n  four</pre>\n<p>five'
    """
    parts = _PREFORMATTED.split(page)  # what is between, what is preformatted, its tag, and so on
    parts[::3] = (_BETWEEN_LINES.sub("\n", part) for part in parts[::3])
    del parts[2::3]
    return "".join(parts)

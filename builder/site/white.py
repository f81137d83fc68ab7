"""White space: what templates indent their markup with reaches no reader, and is a hundredth of a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_KEPT = re.compile(r"(<(pre|script|style|textarea)\b.*?</\2>)", re.DOTALL)
_BETWEEN_LINES = re.compile(r"[ \t]*\n\s*")


def collapse(site_dir: Path) -> None:
    """Leave one line break where pages have more white space around one, but for what keeps all of its own."""
    for path in site_dir.rglob("*.html"):
        path.write_text(collapsed(path.read_text("utf-8")), "utf-8")


def collapsed(page: str) -> str:
    r"""The same page with less white space between its lines.

    >>> collapsed("<p>  one\n\n    two</p>\n<pre>  three\n\n  four</pre>\n  <p>five")
    '<p>  one\ntwo</p>\n<pre>  three\n\n  four</pre>\n<p>five'
    """
    parts = _KEPT.split(page)  # what is between, what is kept, its tag, and so on
    parts[::3] = (_BETWEEN_LINES.sub("\n", part) for part in parts[::3])
    del parts[2::3]
    return "".join(parts)

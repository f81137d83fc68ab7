"""Promises: every link and anchor of a built site is there, and nothing is fetched from another origin."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from builder.site.scan import scan

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from builder.site.scan import Page

POLICY = "Content-Security-Policy"
_ADDRESS_IN_CSS = re.compile(rb"url\(\s*['\"]?(https?:)?//|@import\s+['\"](https?:)?//")


class PromiseError(Exception):
    """The built site breaks a promise. Lists every breach."""


def check(site_dir: Path) -> None:
    """Check a built site: no request to another origin, every link and anchor there. Raises PromiseError."""
    found = texts(site_dir)
    enforce(site_dir, found, {path: scan(text) for path, text in found.items()})


def enforce(site_dir: Path, texts: Mapping[str, str], pages: Mapping[str, Page]) -> None:
    """Raise PromiseError, with every breach, if these pages of a site break a promise."""
    files = {path.relative_to(site_dir).as_posix() for path in site_dir.rglob("*") if path.is_file()}
    breaches = [breach for path, page in pages.items() for breach in _breaches(path, page, pages, files)]
    breaches += [
        f"{style.relative_to(site_dir)} fetches something from another origin"
        for style in site_dir.rglob("*.css")
        if _ADDRESS_IN_CSS.search(style.read_bytes())
    ]
    breaches += [f"{path} has no content policy" for path, text in texts.items() if POLICY not in text]
    if breaches:
        raise PromiseError("\n".join(sorted(breaches)))


def texts(site_dir: Path) -> dict[str, str]:
    """The HTML of every page by its path below the site's folder."""
    return {path.relative_to(site_dir).as_posix(): path.read_text("utf-8") for path in sorted(site_dir.rglob("*.html"))}


def _breaches(path: str, page: Page, pages: Mapping[str, Page], files: set[str]) -> list[str]:
    found = [f"{path} fetches {address} from another origin" for address in page.fetched if urlsplit(address).netloc]
    found += [f"{path} has two places called {name}" for name in page.doubled]
    found += [f"{path} has inline styles, which its policy refuses"] if page.inline_styles else []
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = _target(path, parts.path, files)
        if target is None:
            found.append(f"{path} links to {link}, which is not there")
        elif target in pages and _is_anchor(parts.fragment) and unquote(parts.fragment) not in pages[target].anchors:
            found.append(f"{path} links to {link}, which has no such anchor")
    return found


def _is_anchor(fragment: str) -> bool:
    """Whether a fragment names a place in the page, not a calculator's state or Material's own switches."""
    return bool(fragment) and "=" not in fragment and not fragment.startswith("__")


def _target(path: str, link: str, files: set[str]) -> str | None:
    """The file of the site that a link leads to, or None. Absolute paths are wrong: the site has no fixed place."""
    if link.startswith("/"):
        # 404.html is shown for any address, so its links are absolute.
        return link if path == "404.html" else None
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(link))) if link else path
    if place.startswith(".."):
        return None
    return next((file for file in (place, posixpath.normpath(f"{place}/index.html")) if file in files), None)

"""Seal: makes generated pages keep the site's promises: a content policy, links that resolve, no other origin."""

from __future__ import annotations

import base64
import hashlib
import posixpath
import re
from dataclasses import dataclass, field
from functools import partial
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from pathlib import Path

    from builder.memory import Memory

_CHARSET = '<meta charset="utf-8">'
_POLICY = "Content-Security-Policy"
_FETCHED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src")}
_FETCHING_LINKS = {
    "stylesheet",
    "preload",
    "modulepreload",
    "icon",
    "prefetch",
    "preconnect",
    "manifest",
    "dns-prefetch",
}
_ADDRESS_IN_CSS = re.compile(rb"url\(\s*['\"]?(https?:)?//|@import\s+['\"](https?:)?//")
_SCRIPT_TYPES = {"", "module", "text/javascript"}


class SealError(Exception):
    """The built site breaks a promise. Lists every breach."""


@dataclass
class _Page:
    """What matters of one page: its scripts, what it fetches, where it links, which anchors it has and which twice."""

    inline_scripts: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    doubled: list[str] = field(default_factory=list)
    inline_styles: int = 0


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = _Page()
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if "id" in known:
            self.page.doubled += [known["id"]] if known["id"] in self.page.anchors else []
            self.page.anchors.add(known["id"])
        if "style" in known or tag == "style":
            self.page.inline_styles += 1
        if tag == "a" and "name" in known:
            self.page.anchors.add(known["name"])
        if tag == "a" and "href" in known:
            self.page.links.append(known["href"])
        if tag == "link" and _FETCHING_LINKS & set(known.get("rel", "").split()):
            self.page.fetched.append(known.get("href", ""))
        self.page.fetched += [value for name, value in known.items() if (tag, name) in _FETCHED]
        self._in_script = tag == "script" and "src" not in known and known.get("type", "") in _SCRIPT_TYPES
        if self._in_script:
            self.page.inline_scripts.append("")

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.page.inline_scripts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._in_script = False


def seal(site_dir: Path, memory: Memory) -> None:
    """Give every page its content policy, then check the site. Raises SealError."""
    texts = _texts(site_dir)
    pages = {path: memory.recall(("page", text), partial(_page, text)) for path, text in texts.items()}
    # One policy for all pages: instant navigation shows a page under the policy of the page it came from.
    policy = _policy({script for page in pages.values() for script in page.inline_scripts})
    meta = f'{_CHARSET}<meta http-equiv="{_POLICY}" content="{policy}">'
    for path, text in texts.items():
        texts[path] = text.replace(_CHARSET, meta, 1)
        (site_dir / path).write_text(texts[path], "utf-8")
    _refuse(site_dir, texts, pages)


def check(site_dir: Path) -> None:
    """Check a built site: nothing asked of another origin, every link and anchor there, once. Raises SealError."""
    texts = _texts(site_dir)
    _refuse(site_dir, texts, {path: _page(text) for path, text in texts.items()})


def _refuse(site_dir: Path, texts: dict[str, str], pages: dict[str, _Page]) -> None:
    files = {path.relative_to(site_dir).as_posix() for path in site_dir.rglob("*") if path.is_file()}
    breaches = [breach for path, page in pages.items() for breach in _breaches(path, page, pages, files)]
    breaches += [
        f"{style.relative_to(site_dir)} asks another origin for something"
        for style in site_dir.rglob("*.css")
        if _ADDRESS_IN_CSS.search(style.read_bytes())
    ]
    breaches += [f"{path} has no content policy" for path, text in texts.items() if _POLICY not in text]
    if breaches:
        raise SealError("\n".join(sorted(breaches)))


def _texts(site_dir: Path) -> dict[str, str]:
    return {path.relative_to(site_dir).as_posix(): path.read_text("utf-8") for path in sorted(site_dir.rglob("*.html"))}


def _page(text: str) -> _Page:
    reader = _Reader()
    reader.feed(text)
    return reader.page


def _policy(inline_scripts: set[str]) -> str:
    # No `require-trusted-types-for 'script'`: Material 9.8 puts plain strings into innerHTML, script.src, DOMParser and
    # new Worker, so that instant navigation throws and search stays empty (tried in Chromium). A default policy that
    # lets all of that pass would protect nothing.
    digests = sorted(base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inline_scripts)
    scripts = " ".join(["'self'", "'wasm-unsafe-eval'", *(f"'sha256-{digest}'" for digest in digests)])
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'none'"
    )


def _breaches(path: str, page: _Page, pages: dict[str, _Page], files: set[str]) -> list[str]:
    found = [f"{path} fetches {address} from another origin" for address in page.fetched if urlsplit(address).netloc]
    found += [f"{path} has two places called {name}" for name in page.doubled]
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

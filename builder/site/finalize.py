"""Finalize: the last step on finished pages: a content security policy, then the check of the site's promises."""

from __future__ import annotations

import base64
import hashlib
from functools import partial
from typing import TYPE_CHECKING

from builder.site import promises
from builder.site.scan import scan

if TYPE_CHECKING:
    from pathlib import Path

    from builder.cache import Cache

_CHARSET = '<meta charset="utf-8">'


def finalize(site_dir: Path, cache: Cache) -> None:
    """Give every page its content policy, then check the site. Raises promises.PromiseError."""
    texts = promises.texts(site_dir)
    pages = {path: cache.get(("page", text), partial(scan, text)) for path, text in texts.items()}
    # One policy for all pages: instant navigation shows a page under the policy of the page it came from.
    policy = _policy({script for page in pages.values() for script in page.inline_scripts})
    meta = f'{_CHARSET}<meta http-equiv="{promises.POLICY}" content="{policy}">'
    for path, text in texts.items():
        texts[path] = text.replace(_CHARSET, meta, 1)
        (site_dir / path).write_text(texts[path], "utf-8")
    promises.enforce(site_dir, texts, pages)


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

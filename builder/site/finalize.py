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


def finalize(site_dir: Path, cache: Cache) -> str:
    """Give every page its content policy, check the site, and return the policy. Raises promises.PromiseError."""
    texts = promises.texts(site_dir)
    pages = {path: cache.get(("page", text), partial(scan, text)) for path, text in texts.items()}
    # One policy for all pages: instant navigation shows a page under the policy of the page it came from.
    policy = _policy({script for page in pages.values() for script in page.inline_scripts})
    meta = f'{_CHARSET}<meta http-equiv="{promises.POLICY}" content="{policy}">'
    for path, text in texts.items():
        texts[path] = text.replace(_CHARSET, meta, 1)
        (site_dir / path).write_text(texts[path], "utf-8")
    promises.enforce(site_dir, texts, pages)
    return policy


def _policy(inline_scripts: set[str]) -> str:
    digests = sorted(base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inline_scripts)
    scripts = " ".join(["'self'", "'wasm-unsafe-eval'", *(f"'sha256-{digest}'" for digest in digests)])
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'none'; "
        # The policies of templates/browser/page/trusted.ts, and of the inline script that unfolds a calculator's parts
        "require-trusted-types-for 'script'; trusted-types ai default folded"
    )

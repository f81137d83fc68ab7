"""What a copy of the site is made of: every part of others is named, with the text of its license."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from builder.paths import NODE_MODULES
from builder.site import integrity

if TYPE_CHECKING:
    from pathlib import Path

NO_FILE = {"Python", "pyodide"}  # their packages have no file of it; their licenses have addresses of their own


def test_what_a_bundled_package_needs_is_named_too() -> None:
    names = {part.name for part in integrity.parts()}
    bundled = [name for name in names if name.startswith("workbox-")]
    needed = {
        need
        for name in bundled
        for need in json.loads((NODE_MODULES / name / "package.json").read_text("utf-8")).get("dependencies", {})
    }
    assert needed
    assert needed <= names


def test_licenses_are_there_in_full(tmp_path: Path) -> None:
    integrity.write(tmp_path, "default-src 'self'")
    text = (tmp_path / integrity.LICENSES).read_text("utf-8")
    assert {part.name for part in integrity.parts() if not part.text} == NO_FILE
    assert text.count("Permission is hereby granted, free of charge") >= len(["Material", "Workbox"])
    assert "\n  Content-Security-Policy: default-src 'self'\n" in (tmp_path / integrity.HEADERS).read_text("utf-8")

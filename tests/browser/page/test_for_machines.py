"""What a built site has for scripts, agents and auditors: Markdown of every page, checksums, parts with licenses."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

from tooling.suite import SITE_URL

if TYPE_CHECKING:
    from pathlib import Path

ENTRY = re.compile(r"^- \[(?P<title>.+?)\]\((?P<address>\S+)\)", re.MULTILINE)


def test_every_page_of_the_list_is_there_as_markdown_without_html(site_dir: Path) -> None:
    listed = (site_dir / "llms.txt").read_text("utf-8")
    entries = list(ENTRY.finditer(listed))
    assert len(entries) > 50
    for entry in entries:
        assert entry["address"].startswith(SITE_URL)
        text = (site_dir / entry["address"].removeprefix(SITE_URL)).read_text("utf-8")
        assert text.lstrip().startswith("#"), entry["address"]
        assert not re.search(r"</?(svg|span|div|figure|button|select|a)\b", text), entry["address"]


def test_the_markdown_of_a_calculator_has_its_default_state_and_that_of_a_chapter_its_figures(site_dir: Path) -> None:
    twin = (site_dir / "calculators/checkpoint/index.md").read_text("utf-8")
    assert "Storage write bandwidth" in twin
    assert "40 GB/s" in twin
    chapter = (site_dir / "guide/storage/index.md").read_text("utf-8")
    assert "Figure: " in chapter
    assert "16.4 TB/s](" in chapter


def test_checksums_are_those_of_every_file(site_dir: Path) -> None:
    lines = (site_dir / "checksums.txt").read_text("utf-8").splitlines()
    stated = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    files = {path.relative_to(site_dir).as_posix(): path for path in site_dir.rglob("*") if path.is_file()}
    assert stated.keys() == files.keys() - {"checksums.txt"}
    for name, path in files.items():
        if name != "checksums.txt":
            assert hashlib.sha256(path.read_bytes()).hexdigest() == stated[name], name


def test_parts_of_others_have_version_and_license(site_dir: Path) -> None:
    found = json.loads((site_dir / "sbom.cdx.json").read_text("utf-8"))
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    parts = {one["name"]: one for one in found["components"]}
    assert {"Python", "pyodide", "mkdocs-material"} <= parts.keys()
    licenses = (site_dir / "licenses.txt").read_text("utf-8")
    for name, one in parts.items():
        assert one["version"]
        assert f"{name} {one['version']}\n  license: {one['licenses'][0]['license']['id']}" in licenses


def test_what_is_for_machines_is_not_kept_for_offline_use(site_dir: Path) -> None:
    worker = (site_dir / "service-worker.js").read_text("utf-8")
    for name in ("index.md", "llms.txt", "checksums.txt", "sbom.cdx.json", "_headers"):
        assert f'{name}"' not in worker

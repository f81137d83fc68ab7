"""What gets installed is decided here, not on the day of the installation, and by no address of anybody's mirror."""

from __future__ import annotations

import json
import re

import pytest

from builder.paths import ROOT

REQUIREMENTS = ["requirements.txt", "tooling/node.txt"]
PACKAGES = [".", "tooling/bench"]


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_python_package_has_one_version_and_its_hashes(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines
    assert [line for line in lines if not re.match(r"[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)] == []


@pytest.mark.parametrize("folder", PACKAGES)
def test_every_npm_package_has_one_version_and_its_hash(folder: str) -> None:
    wanted = json.loads((ROOT / folder / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    locked = json.loads((ROOT / folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert [name for name, record in locked.items() if name and "integrity" not in record] == []


@pytest.mark.parametrize("folder", PACKAGES)
def test_the_npm_lock_names_no_download_address(folder: str) -> None:
    locked = json.loads((ROOT / folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert [name for name, record in locked.items() if "resolved" in record] == []


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_the_python_pins_name_no_download_address(name: str) -> None:
    assert re.findall(r"\w+://", (ROOT / name).read_text(encoding="utf-8")) == []

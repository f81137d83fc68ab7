"""The archives for a plain start: compiled by the runtime itself, which then does without their source; else source."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from builder import disk_cache
from builder.engine import packages, runtime
from builder.engine.archives import unzipped, zipped
from builder.paths import ROOT
from calculators.bridge import respond

if TYPE_CHECKING:
    from pathlib import Path

QUESTION = '{"calculator": "checkpoint", "python": []}'


@pytest.fixture(scope="module")
def packed() -> packages.Packages:
    """What this build packs, from .cache/ if it is there."""
    return packages.packages()


def answers(calculators: bytes, library: bytes) -> list[str]:
    """Start the runtime plainly with these archives and ask."""
    job = {"calculators": "calculators.zip", "library": "library.zip", "questions": [QUESTION]}
    files = {"calculators.zip": calculators, "library.zip": library}
    found, _ = runtime.run(packages.SCRIPT, "ask", job, files)
    return list(found)


def test_every_calculator_travels_with_its_bytecode_and_its_source(packed: packages.Packages) -> None:
    assert packed.how.startswith("calculators with bytecode, compiled by ")
    names = set(unzipped(packed.calculators))
    sources = {path.relative_to(ROOT) for path in packages.CALCULATORS.rglob("*.py")}
    assert {path.as_posix() for path in sources} <= names
    bytecode = {path.parent / "__pycache__" / f"{path.stem}.cpython-314.pyc" for path in sources}
    assert {path.as_posix() for path in bytecode} <= names


def test_of_the_library_what_is_used_travels_as_bytecode_and_nothing_is_missing(packed: packages.Packages) -> None:
    whole = set(unzipped((runtime.PYODIDE / "python_stdlib.zip").read_bytes()))
    names = set(unzipped(packed.library))
    assert {name.replace(".pyc", ".py") for name in names} == whole
    assert {"json/__init__.pyc", "dataclasses.pyc", "tomllib/_parser.pyc", "colorsys.py"} <= names


def test_bytecode_knows_no_folder_of_the_machine_that_built_it(packed: packages.Packages) -> None:
    for archive in (packed.calculators, packed.library):
        for name, content in unzipped(archive).items():
            if name.endswith(".pyc"):
                assert str(ROOT).encode() not in content, name


@pytest.mark.daily(3)
def test_the_runtime_uses_the_bytecode_and_does_not_look_at_the_source(packed: packages.Packages) -> None:
    files = unzipped(packed.calculators)
    files["calculators/bridge.py"] = b"raise SystemExit('this is the source')\n"
    assert answers(zipped(files), packed.library) == [respond(QUESTION)]
    del files["calculators/__pycache__/bridge.cpython-314.pyc"]
    with pytest.raises(runtime.Unusable, match="this is the source"):
        answers(zipped(files), packed.library)


def test_without_node_both_go_as_source_and_the_build_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(disk_cache, "CACHE", tmp_path)
    packed = packages.packages()
    assert packed.how.startswith("calculators as source (Node did not compile it: ")
    assert packed.library == (runtime.PYODIDE / "python_stdlib.zip").read_bytes()
    assert not [name for name in unzipped(packed.calculators) if name.endswith(".pyc")]


@pytest.mark.daily(3)
def test_bytecode_that_answers_differently_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def run(_script: object, command: str, job: dict[str, list[str]], _files: object) -> tuple[object, object]:
        wrong = [json.dumps({"failure": "other arithmetic"})] * len(job["questions"])
        return (None, {"made.zip": zipped({})}) if command == "compile" else (wrong, {})

    monkeypatch.setattr(disk_cache, "CACHE", tmp_path)
    monkeypatch.setattr(runtime, "run", run)
    assert "answers from it are not those of Python here" in packages.packages().how
    assert not list(tmp_path.iterdir())

"""The calculators as pyodide-build compiles them: where the host's Python is the runtime's, and only there."""

from __future__ import annotations

import importlib.util
import json
import marshal
import py_compile
import sys
from typing import TYPE_CHECKING

import pytest

from builder.engine import packages, runtime, wheel
from builder.engine.archives import unzipped, zipped
from builder.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyodide_build") is None, reason="pyodide-build is not installed"
)
SOURCES = {
    path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sorted(packages.CALCULATORS.rglob("units/*.py"))
}
HEADER = 16  # of bytecode: its version, flags and the hash of its source
TOO_SOON = f"the runtime is Python 3.14, this is {wheel.python_here()}"


def directly(name: str, content: bytes, folder: Path) -> bytes:
    """Compile a module without pyodide-build."""
    (folder / "module.py").write_bytes(content)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    made = py_compile.compile(
        str(folder / "module.py"), cfile=str(folder / "made.pyc"), dfile=name, doraise=True, invalidation_mode=mode
    )
    assert made
    return (folder / "made.pyc").read_bytes()


def code_of(bytecode: bytes) -> object:
    """Read what is behind the header."""
    return marshal.loads(bytecode[HEADER:])  # noqa: S302  compiled here, a moment ago


def test_its_bytecode_is_what_python_here_makes_of_the_same_source(tmp_path: Path) -> None:
    found = wheel.compiled({**SOURCES, "calculators/facts/numbers.toml": b"one = 1\n"})
    wanted = {
        importlib.util.cache_from_source(name): directly(name, content, tmp_path) for name, content in SOURCES.items()
    }
    assert SOURCES
    assert found.keys() == wanted.keys()
    # How strings are shared out in the bytes depends on what else the process holds; what they are read as does not.
    for name, bytecode in found.items():
        assert bytecode[:HEADER] == wanted[name][:HEADER]
        assert code_of(bytecode) == code_of(wanted[name])


def test_two_runs_give_the_same_bytes() -> None:
    assert wheel.compiled(SOURCES) == wheel.compiled(SOURCES)


def test_a_source_that_is_no_python_is_reported() -> None:
    with pytest.raises(runtime.Unusable, match="pyodide-build did not compile them"):
        wheel.compiled({"calculators/broken.py": b"def ("})


def test_where_python_is_another_the_runtime_compiles_and_the_build_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheel, "python_here", lambda: "3.99")
    found, by = packages._by_pyodide_build(SOURCES)
    assert found == {}
    assert by.startswith("compiled by the runtime itself (this is Python 3.99, and pyodide-build")


def test_where_python_is_the_same_the_build_names_pyodide_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheel, "python_here", lambda: "3.14")
    found, by = packages._by_pyodide_build(SOURCES)
    assert found.keys() == {importlib.util.cache_from_source(name) for name in SOURCES}
    assert by == f"compiled by {wheel.maker()}"


def test_where_pyodide_build_fails_the_runtime_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheel, "python_here", lambda: "3.14")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    found, by = packages._by_pyodide_build(SOURCES)
    assert found == {}
    assert by.startswith("compiled by the runtime itself (pyodide-build did not run: ")


@pytest.mark.skipif(wheel.python_here() != "3.14", reason=TOO_SOON)
def test_the_runtime_makes_the_same_modules() -> None:
    sources = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in packages.CALCULATORS.rglob("*.py")}
    toml = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in packages.CALCULATORS.rglob("*.toml")}
    job = {"calculators": "calculators.zip", "questions": [json.dumps({"calculator": "checkpoint"})]}
    _, made = runtime.run(packages.SCRIPT, "compile", job, {"calculators.zip": zipped(sources | toml)})
    there = {name: content for name, content in unzipped(made["made.zip"]).items() if name.startswith("calculators/")}
    assert wheel.compiled(sources) == there

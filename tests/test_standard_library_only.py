"""The calculators run in the browser and on the command line from the same files: standard library, nothing else."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import calculators
from tests.each import each

FOLDER = Path(calculators.__file__).parent
MODULES = sorted(FOLDER.rglob("*.py"))


@each([pytest.param(path, id=path.relative_to(FOLDER).as_posix()) for path in MODULES])
def test_a_module_imports_the_standard_library_and_calculators_only(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name their module in full"
            names = [node.module or ""]
        for name in names:
            assert name.partition(".")[0] in {*sys.stdlib_module_names, "calculators"}, f"{path.name} imports {name}"


def test_formulas_never_ask_for_time_chance_files_or_the_network() -> None:
    forbidden = {"time", "random", "secrets", "uuid", "os", "socket", "urllib", "subprocess", "io", "asyncio"}
    forbidden |= {"tempfile", "threading"}
    # Links quote text for addresses; the bridge ends a slice in time; a record writes its CSV into memory, a
    # spreadsheet its archive, a tool its answer; prices age from the day that a build or a test sets; own facts are in
    # files that the environment names.
    report = {
        "links.py": {"urllib"},
        "bridge.py": {"time"},
        "patience.py": {"time"},
        "formats.py": {"io"},
        "mcp.py": {"io"},
        "archive.py": {"io"},
        "ages.py": {"os", "time"},
        "overlay.py": {"os"},
        "__main__.py": {"os"},
    }
    for path in MODULES:
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
        names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        imported = {name.partition(".")[0] for name in names}
        assert not imported & forbidden - report.get(path.name, set()), path.name

"""Survivors that no test can notice: equivalent.toml lists them by function, each with its reason."""

from __future__ import annotations

import ast
import re
import tomllib
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from builder.paths import ROOT

LIST = Path(__file__).with_suffix(".toml")
ANY = "*"
NUMBER = "number"
_TOKEN = re.compile(r"\d[\d_.]*(?:e-?\d+)?|\w+|[-+*/<>=!%&|^~]+|\S")


def reason(module: str, source: str, diff: str) -> str:
    """Why a survivor, a unified diff of a module's source, is equivalent to it; empty if the list has no reason."""
    line, before, after = _changed(diff)
    name = _enclosing(source, line)
    changes = {ANY, f"{before} {ANY}", f"{before} {after}", *([NUMBER] if before[:1].isdigit() else [])}
    reasons = (why for listed in _listed(module, name) for change, why in listed.items() if change in changes)
    return next(reasons, "")


def _listed(module: str, name: str) -> list[dict[str, str]]:
    """The entries of a function or constant: of its module, or of one that no longer exists."""
    dotted = ".".join(Path(module).with_suffix("").parts)
    found = []
    for key, entry in _entries().items():
        where, _, listed = key.partition(":")
        same = where == dotted or not ROOT.joinpath(*where.split(".")).with_suffix(".py").exists()
        if same and (listed == name or (listed == ANY and where.rpartition(".")[2] == Path(module).stem)):
            found.append(entry)
    return found


@cache
def _entries() -> dict[str, dict[str, str]]:
    return tomllib.loads(LIST.read_text("utf-8"))


def _changed(diff: str) -> tuple[int, str, str]:
    """Line of the original that a diff changes, from 1; the first differing token before and after."""
    lines = diff.split("\n")
    start = next(place for place, line in enumerate(lines) if line.startswith("@@"))
    first = int(lines[start].split()[1].split(",")[0].lstrip("-"))
    body = lines[start + 1 :]
    at = next(place for place, line in enumerate(body) if line[:1] in {"-", "+"})
    old, new = (_TOKEN.findall("\n".join(line[1:] for line in body if line[:1] == sign)) for sign in "-+")
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            return first + at, "".join(old[a:b]), "".join(new[c:d])
    return first + at, "", ""


def _enclosing(source: str, line: int) -> str:
    """The innermost function or class around a line, with those around it, or the constant assigned on it."""
    names: list[str] = []
    nodes: list[ast.stmt] = ast.parse(source).body
    while nodes:
        here = [node for node in nodes if node.lineno <= line <= (node.end_lineno or 0)]
        nodes = [inner for node in here for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.stmt)]
        for node in here:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names.append(node.name)
            elif not names and isinstance(node, ast.Assign | ast.AnnAssign):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                names.append(ast.unparse(target))
    return ".".join(names)

"""Which changes mean something: not those of declarations, nor those after which the program is the same.

A place is a line, from 1, and a column in characters, from 0, as cosmic-ray has it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

RANGES = frozenset({"hard", "slider", "spread"})
INPUTS = frozenset({"quantity", "choice", "switch"})
ORDERS = ("_Lt", "_LtE", "_Gt", "_GtE")
Place = tuple[int, int]


@dataclass
class Meaning:
    """Where a source has what: each stretch from a place up to another."""

    declared: list[tuple[Place, Place]] = field(default_factory=list)
    operators: list[tuple[Place, Place]] = field(default_factory=list)
    texts: list[tuple[Place, Place]] = field(default_factory=list)
    vast: list[tuple[Place, Place]] = field(default_factory=list)
    checking: list[tuple[Place, Place]] = field(default_factory=list)
    strict: list[tuple[Place, Place]] = field(default_factory=list)

    def why_not(self, operator: str, place: Place) -> str:
        """Why a change by this operator of cosmic-ray at this place is not tried; nothing where it is."""
        if "ReplaceBinaryOperator" in operator and not _lies(place, self.operators):
            return "no operator of an expression"
        orders = "ReplaceComparisonOperator" in operator and operator.endswith(ORDERS)
        reasons = (
            (True, self.declared, "declared"),
            (orders, self.texts, "texts have no order here, and that they are not compared at all is tried"),
            ("NumberReplacer" in operator, self.vast, "one more is the same number"),
            ("AddNot" in operator, self.checking, "never so in a run"),
            ("ReplaceTrueWithFalse" in operator, self.strict, "of unequal lengths it raises, of equal ones nothing"),
        )
        return next((why for may_be, places, why in reasons if may_be and _lies(place, places)), "")


def meaning(source: str) -> Meaning:
    """Read a source for what its changes would mean."""
    found, lines, tree = Meaning(), source.split("\n"), ast.parse(source)
    inputs = _declaring(tree)

    def place(line: int, offset: int) -> Place:
        return line, len(lines[line - 1].encode()[:offset].decode())

    def start(node: ast.expr | ast.stmt) -> Place:
        return place(node.lineno, node.col_offset)

    def end(node: ast.expr | ast.stmt) -> Place:
        return place(node.end_lineno or 0, node.end_col_offset or 0)

    for node in ast.walk(tree):
        for whole in _declarations(node, inputs):
            found.declared.append((start(whole), end(whole)))
        if isinstance(node, ast.BinOp):
            found.operators.append((end(node.left), start(node.right)))
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            between = [(one, other) for one, other in pairwise(sides) if _text(one) or _text(other)]
            found.texts += [(end(one), start(other)) for one, other in between]
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value + 1 == node.value:
            found.vast.append((start(node), end(node)))
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            found.checking.append((start(node), end(node.test)))
        found.strict += [(start(each), end(each)) for each in _strict(node)]
    # Tables of ranges are read where an input is declared: in a declaration, or in the function that returns it.
    declaring = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name in inputs]
    within = [*found.declared, *((start(each), end(each)) for each in declaring)]
    used = _used_within(tree, lambda node: _lies(start(node), within))
    found.declared += [(start(value), end(value)) for value in used]
    return found


def _used_within(tree: ast.Module, lies: Callable[[ast.expr], bool]) -> list[ast.expr]:
    """Names of a module's own that it uses in some places alone."""
    loads = [each for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    elsewhere = {each.id for each in loads if not lies(each)}
    alone = {each.id for each in loads if each.id.startswith("_")} - elsewhere
    assigned = [(each.targets[0], each.value) for each in tree.body if isinstance(each, ast.Assign)]
    assigned += [(each.target, each.value) for each in tree.body if isinstance(each, ast.AnnAssign) and each.value]
    return [value for to, value in assigned if isinstance(to, ast.Name) and to.id in alone]


def _declaring(tree: ast.Module) -> frozenset[str]:
    """Functions that declare an input: functions of ours that return a declaration, too."""
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    found = INPUTS
    while more := {each.name for each in functions if _declares(each, found)} - found:
        found |= more
    return found


def _declares(function: ast.FunctionDef, inputs: frozenset[str]) -> bool:
    """Whether a function returns an input's declaration."""
    returned = [each.value for each in ast.walk(function) if isinstance(each, ast.Return)]
    return any(_is_call_of(each, inputs) for each in returned)


def _is_call_of(node: ast.AST | None, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _declarations(node: ast.AST, inputs: frozenset[str]) -> list[ast.expr | ast.stmt]:
    """Decorators of classes, fields of classes, and inputs or their ranges wherever they are declared."""
    if isinstance(node, ast.FunctionDef) and node.name in inputs:
        return [each for each in (*node.args.defaults, *node.args.kw_defaults) if each]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *(each for each in node.body if isinstance(each, ast.AnnAssign))]
    if isinstance(node, ast.Call) and _is_call_of(node, inputs):
        return [node]
    if isinstance(node, ast.Call):
        return [keyword.value for keyword in node.keywords if keyword.arg in RANGES]
    return []


def _strict(node: ast.AST) -> list[ast.expr]:
    """Argument of a `zip` that demands as many of each."""
    if not isinstance(node, ast.Call) or not _is_call_of(node, frozenset({"zip"})):
        return []
    return [keyword.value for keyword in node.keywords if keyword.arg == "strict"]


def _text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _lies(place: Place, stretches: list[tuple[Place, Place]]) -> bool:
    return any(first <= place < last for first, last in stretches)

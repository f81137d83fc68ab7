"""Cells: text of a spreadsheet formula together with its value in the exported state."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

Kind = Literal["number", "truth", "text"]
# How tightly a formula's outermost operator binds; a spreadsheet evaluates all of them from left to right.
ATOM, POWER, PRODUCT, SUM, JOIN, COMPARISON = 9, 6, 5, 4, 3, 2
NONE: Final = "none"
_LARGEST = "9.99999999999999E+307"
_LONGEST_TEXT = 255  # characters of a text within a formula


class UntranslatableError(Exception):
    """No formula of a spreadsheet computes this."""


class _Failed:
    """Value of what cannot be computed in the exported state, such as a quotient that another branch guards."""

    def __repr__(self) -> str:
        return "FAILED"


FAILED: Final = _Failed()


@dataclass(frozen=True)
class Cell:
    """Formula text, its value in the exported state, and what its parts allow.

    `optional`: it may be text instead of a number where the calculator has None. `fails`: it may be an error in states
    that do not use it. `fixed`: it is a constant of the calculator, which may also count repetitions.
    """

    text: str
    value: Any
    rank: int = ATOM
    kind: Kind = "number"
    optional: bool = False
    fails: bool = False
    fixed: bool = False


def constant(value: Any) -> Cell:
    """Cell of a number, a truth value, a text or None."""
    if value is None:
        return Cell(_quoted(NONE), None, optional=True)
    if isinstance(value, bool):
        return Cell("TRUE" if value else "FALSE", value, kind="truth", fixed=True)
    if isinstance(value, str):
        return Cell(_quoted(value), value, kind="text", fixed=True)
    if isinstance(value, int | float) and math.isfinite(value):
        text = number_text(value)
        return Cell(text, value, ATOM if value >= 0 else SUM, fixed=True)
    raise UntranslatableError(f"a {type(value).__name__} is no cell")


def beyond(*, above: bool) -> Cell:
    """Number that no item of a list exceeds; a spreadsheet has no infinity, so it must never be a result."""
    return Cell(_LARGEST, math.inf) if above else Cell(f"-{_LARGEST}", -math.inf, SUM)


def number_text(value: float) -> str:
    """Number as a formula writes it, with all its digits."""
    text = repr(value).upper()
    return text.removesuffix(".0")


def _quoted(text: str) -> str:
    if len(text) > _LONGEST_TEXT:
        raise UntranslatableError("a text that is longer than a formula takes")
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def computed(function: Callable[..., Any], *cells: Cell) -> Any:
    """Value of a function of cells in the exported state."""
    if any(cell.value is FAILED for cell in cells):
        return FAILED
    try:
        return function(*(cell.value for cell in cells))
    except (ArithmeticError, ValueError, TypeError):
        return FAILED


def operation(sign: str, rank: int, function: Callable[..., Any], left: Cell, right: Cell) -> Cell:
    """Cell of a binary operator; what binds less tightly is put in parentheses."""
    first = f"({left.text})" if left.rank < rank or (rank == POWER and left.rank != ATOM) else left.text
    second = f"({right.text})" if right.rank <= rank else right.text
    kind: Kind = "truth" if rank == COMPARISON else "text" if rank == JOIN else "number"
    fails = left.fails or right.fails or left.optional or right.optional or sign in "/^"
    return Cell(f"{first}{sign}{second}", computed(function, left, right), rank, kind, fails=fails)


def call(name: str, function: Callable[..., Any], *cells: Cell, kind: Kind = "number", fails: bool = False) -> Cell:
    """Cell of a function of the spreadsheet."""
    fails = fails or any(cell.fails or cell.optional for cell in cells)
    return Cell(f"{name}({','.join(cell.text for cell in cells)})", computed(function, *cells), kind=kind, fails=fails)


def is_missing(cell: Cell) -> Cell:
    """Whether there is no number, as truth value."""
    return Cell(f"NOT(ISNUMBER({cell.text}))", computed(lambda value: value is None, cell), kind="truth")


def truth(cell: Cell) -> Cell:
    """Cell as Python's `if` takes it."""
    if cell.kind == "truth":
        return cell
    if cell.kind == "text":
        return operation("<>", COMPARISON, lambda one, _: bool(one), cell, constant(""))
    if cell.optional:
        there = f"IF(ISNUMBER({cell.text}),{cell.text}<>0,FALSE)"
        return Cell(there, computed(bool, cell), kind="truth", fails=cell.fails)
    return operation("<>", COMPARISON, lambda one, _: bool(one), cell, constant(0))


def negated(cell: Cell) -> Cell:
    """Cell of `not`."""
    inner = cell.text
    if inner.startswith("NOT(") and inner.endswith(")") and inner.count("(") == inner[:-1].count(")") + 1:
        bare = inner[4:-1]
        if _is_balanced(bare):
            return replace(cell, text=bare, value=computed(lambda value: not value, cell), rank=COMPARISON)
    return call("NOT", lambda value: not value, cell, kind="truth")


def _is_balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0


def both(left: Cell, right: Cell) -> Cell:
    """Cell of `and`; where the right may fail, it is only computed if the left is true."""
    if left.text == "TRUE":
        return right
    value = computed(lambda one: one, left)
    value = right.value if value is True else value
    if right.fails:
        return Cell(f"IF({left.text},{right.text},FALSE)", value, kind="truth", fails=left.fails or right.fails)
    return Cell(f"AND({_flat('AND', left)},{_flat('AND', right)})", value, kind="truth", fails=left.fails)


def either(left: Cell, right: Cell) -> Cell:
    """Cell of `or`; where the right may fail, it is only computed if the left is false."""
    value = right.value if left.value is False else left.value
    if right.fails:
        return Cell(f"IF({left.text},TRUE,{right.text})", value, kind="truth", fails=left.fails or right.fails)
    return Cell(f"OR({_flat('OR', left)},{_flat('OR', right)})", value, kind="truth", fails=left.fails)


def _flat(name: str, cell: Cell) -> str:
    """Arguments of a cell that is this function already."""
    inner = cell.text[len(name) + 1 : -1]
    return inner if cell.text.startswith(f"{name}(") and cell.rank == ATOM and _is_balanced(inner) else cell.text


def chosen(condition: Cell, then: Cell, other: Cell) -> Cell:
    """Cell of a conditional expression."""
    if then.text == other.text:
        return then
    if {then.text, other.text} == {"TRUE", "FALSE"}:
        return condition if then.text == "TRUE" else negated(condition)
    if condition.value is FAILED:
        value: Any = FAILED
    else:
        value = then.value if condition.value else other.value
    kind: Kind = then.kind if not _is_none(then) else other.kind
    if not (_is_none(then) or _is_none(other)) and then.kind != other.kind:
        raise UntranslatableError("a result that is a number or a text")
    optional = then.optional or other.optional
    fails = condition.fails or then.fails or other.fails
    text = f"IF({condition.text},{then.text},{other.text})"
    return Cell(text, value, kind=kind, optional=optional, fails=fails)


def _is_none(cell: Cell) -> bool:
    return cell.value is None and cell.text == _quoted(NONE)


def whole(cells: Sequence[Cell], name: str, function: Callable[..., Any]) -> Cell:
    """Cell of MIN, MAX or SUM of several cells."""
    if len(cells) == 1:
        return cells[0]
    texts = ",".join(_flat(name, cell) for cell in cells)
    return Cell(f"{name}({texts})", computed(function, *cells), fails=any(one.fails or one.optional for one in cells))

"""Operators of Python on cells, menus by option, and plain values."""

import ast
import math
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from calculators.spreadsheet.cells import (
    ATOM,
    COMPARISON,
    JOIN,
    POWER,
    PRODUCT,
    SUM,
    Cell,
    UntranslatableError,
    both,
    call,
    computed,
    constant,
    either,
    is_missing,
    negated,
    operation,
    truth,
)
from calculators.spreadsheet.values import Cases, Closure, Filtered, Opaque, Unknown, cell, lifted, number_of, symbolic

_MOST_TURNS = 60  # of a loop, each of which is written out
_Operator = tuple[str, int, Callable[[Any, Any], Any]]
_OPERATORS: Mapping[type[ast.AST], _Operator] = MappingProxyType(
    {
        ast.Add: ("+", SUM, lambda one, other: one + other),
        ast.Sub: ("-", SUM, lambda one, other: one - other),
        ast.Mult: ("*", PRODUCT, lambda one, other: one * other),
        ast.Div: ("/", PRODUCT, lambda one, other: one / other),
        ast.Pow: ("^", POWER, lambda one, other: one**other),
        ast.FloorDiv: ("//", PRODUCT, lambda one, other: one // other),
        ast.Mod: ("%", PRODUCT, lambda one, other: one % other),
        ast.Eq: ("=", COMPARISON, lambda one, other: one == other),
        ast.NotEq: ("<>", COMPARISON, lambda one, other: one != other),
        ast.Lt: ("<", COMPARISON, lambda one, other: one < other),
        ast.LtE: ("<=", COMPARISON, lambda one, other: one <= other),
        ast.Gt: (">", COMPARISON, lambda one, other: one > other),
        ast.GtE: (">=", COMPARISON, lambda one, other: one >= other),
    }
)


def items(value: Any) -> list[Any]:
    """Items of a container whose length no input changes."""
    if isinstance(value, Cell | Cases | Opaque | Closure | Unknown):
        raise UntranslatableError("a list whose length changes")
    found: Iterable[Any] = value
    listed = list(found)
    if len(listed) > _MOST_TURNS:
        raise UntranslatableError("a long list")
    return listed


def condition(value: Any) -> bool | Cell:
    """Value as a condition."""
    if isinstance(value, Cases):
        value = cell(lifted(lambda one: truth(one) if isinstance(one, Cell) else bool(one), value))
    if isinstance(value, Cell):
        return truth(value)
    if isinstance(value, Unknown):
        raise UntranslatableError(value.reason)
    if isinstance(value, list | tuple) and value and all(isinstance(one, Filtered) for one in value):
        return any_among(one.test for one in value)
    return bool(value)


def inverted(value: Any) -> bool | Cell:
    """`not` of a value."""
    found = condition(value)
    return negated(found) if isinstance(found, Cell) else not found


def all_of(left: Any, right: Any) -> bool | Cell:
    """`and` of two conditions."""
    one, other = condition(left), condition(right)
    if isinstance(one, bool):
        return other if one else False
    if isinstance(other, bool):
        return one if other else False
    return both(one, other)


def any_of(left: Any, right: Any) -> bool | Cell:
    """`or` of two conditions."""
    one, other = condition(left), condition(right)
    if isinstance(one, bool):
        return True if one else other
    if isinstance(other, bool):
        return True if other else one
    return either(one, other)


def any_among(values: Iterable[Any]) -> bool | Cell:
    """Whether any of these is true."""
    found: bool | Cell = False
    for one in values:
        found = any_of(found, one)
    return found


def all_among(values: Iterable[Any]) -> bool | Cell:
    """Whether all of these are true."""
    found: bool | Cell = True
    for one in values:
        found = all_of(found, one)
    return found


def compared(sign: ast.cmpop, left: Any, right: Any) -> Any:
    """Result of a comparison."""
    match sign:
        case ast.Is():
            return lifted(_same, left, right)
        case ast.IsNot():
            return inverted(lifted(_same, left, right))
        case ast.In():
            return lifted(_within, left, right)
        case ast.NotIn():
            return inverted(lifted(_within, left, right))
    return operated(sign, left, right)


def operated(sign: ast.AST, left: Any, right: Any) -> Any:
    """Result of an arithmetic operator or a comparison of size."""
    found = _OPERATORS.get(type(sign))
    if found is None:
        raise UntranslatableError(type(sign).__name__)
    return lifted(lambda one, other: _binary(found, one, other), left, right)


def minus(value: Any) -> Any:
    """Negative of a value."""
    return lifted(_minus, value)


def _minus(one: Any) -> Any:
    if not isinstance(one, Cell):
        return -one
    text = one.text if one.rank in (ATOM, PRODUCT) else f"({one.text})"  # a sign binds tighter than a power
    return Cell(f"-{text}", computed(lambda value: -value, one), SUM, fails=one.fails or one.optional)


def _same(one: Any, other: Any) -> Any:
    if other is None and isinstance(one, Cell):
        return is_missing(one) if one.optional else False
    if other is None and symbolic(one):
        return False
    if symbolic(one) or symbolic(other):
        raise UntranslatableError("is")
    return one is other


def _within(one: Any, others: Any) -> Any:
    if not symbolic(one) and not symbolic(others):
        return one in others
    found: bool | Cell = False
    for other in items(others):
        found = any_of(found, compared(ast.Eq(), one, other))
    return found


def _binary(found: _Operator, one: Any, other: Any) -> Any:
    sign, rank, function = found
    if not symbolic(one) and not symbolic(other):
        return function(one, other)
    if isinstance(one, list | tuple) or isinstance(other, list | tuple):
        return _of_lists(found, one, other)
    if rank == COMPARISON and math.inf in (one, other):
        return function(one if one == math.inf else 0, other if other == math.inf else 0)  # a cell is always less
    left, right = cell(one), cell(other)
    if rank == COMPARISON and None in (one, other):
        kept = left if other is None else right
        missing = is_missing(kept) if kept.optional else constant(value=False)
        return missing if sign == "=" else negated(missing)
    if rank != COMPARISON and "text" in (left.kind, right.kind):
        if sign == "+" and left.kind == right.kind:
            return operation("&", JOIN, function, left, right)
        raise UntranslatableError("arithmetic with a text")
    return _arithmetic(found, left, right)


def _arithmetic(found: _Operator, left: Cell, right: Cell) -> Cell:
    sign, rank, function = found
    if sign == "//":
        quotient = operation("/", PRODUCT, lambda one, other: one / other, left, right)
        return Cell(f"INT({quotient.text})", computed(function, left, right), fails=True)
    if sign == "%":
        return call("MOD", function, left, right, fails=True)
    return operation(sign, rank, function, left, right)


def _of_lists(found: _Operator, one: Any, other: Any) -> Any:
    """Two lists one after the other, or one repeated."""
    one, other = number_of(one), number_of(other)
    if any(isinstance(each, Cell | Cases | Opaque | Unknown) for each in (one, other)):
        raise UntranslatableError("a list whose length changes")
    return found[2](one, other)

"""A spreadsheet in a few lines: evaluates the formulas of a workbook, as far as the product writes them."""

from __future__ import annotations

import math
import operator
import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.spreadsheet.files import Book

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:E[+-]?\d+)?)|(?P<text>\"(?:[^\"]|\"\")*\")"
    r"|(?P<name>(?:\w+!)?\$?[A-Za-z_][\w.$]*(?::[\w$]+)?)|(?P<sign><=|>=|<>|[-+*/^&=<>(),]))"
)
_COLUMN = re.compile(r"(\w+)!\$([A-Z]+)\$(\d+):\$([A-Z]+)\$(\d+)")
_ADDRESS = re.compile(r"(?:(\w+)!)?\$?([A-Z]{1,3})\$?(\d+)")
# From the loosest to the tightest; a spreadsheet evaluates each level from left to right.
_LEVELS = (("=", "<>", "<", "<=", ">", ">="), ("&",), ("+", "-"), ("*", "/"), ("^",))


class CellError(Exception):
    """An error value, such as that of a division by zero."""


def _number(value: Any) -> float:
    if isinstance(value, bool):
        return float(value)
    if not isinstance(value, int | float):
        raise CellError(f"{value!r} is no number")
    return float(value)


def _power(one: float, other: float) -> float:
    found: float | complex = _number(one) ** _number(other)
    if isinstance(found, complex):
        raise CellError("a root of a negative number")
    return found


def _compared(sign: str, one: Any, other: Any) -> bool:
    if isinstance(one, str) != isinstance(other, str):  # texts come after numbers
        return sign == "<>" or sign[0] == (">" if isinstance(one, str) else "<")
    if isinstance(one, str):
        one, other = one.lower(), other.lower()
    signs = {
        "=": operator.eq,
        "<>": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }
    return bool(signs[sign](one, other))


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda one, other: _number(one) + _number(other),
    "-": lambda one, other: _number(one) - _number(other),
    "*": lambda one, other: _number(one) * _number(other),
    "/": lambda one, other: _number(one) / _number(other),
    "^": _power,
    "&": lambda one, other: f"{one}{other}",
}


def _half_away(value: float, digits: float) -> float:
    scale = 10 ** int(digits)
    return math.copysign(math.floor(abs(value) * scale + 0.5) / scale, value)


def _poisson(count: float, mean: float, cumulative: bool) -> float:  # noqa: FBT001
    """Chance of so many events, or of at most as many."""
    if cumulative:
        return math.fsum(_poisson(one, mean, False) for one in range(int(count) + 1))
    return math.exp(count * math.log(mean) - mean - math.lgamma(count + 1)) if mean else float(count == 0)


# Functions of values; IF, AND, OR, CHOOSE and ISNUMBER, which do not need all of theirs, are below.
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "MIN": min,
    "MAX": max,
    "SUM": lambda *values: sum(values),
    "INT": math.floor,
    "TRUNC": math.trunc,
    "ABS": abs,
    "ROUND": _half_away,
    "SQRT": math.sqrt,
    "EXP": math.exp,
    "LN": math.log,
    "LOG": math.log,
    "LOG10": math.log10,
    "SINH": math.sinh,
    "ATANH": math.atanh,
    "GAMMALN": math.lgamma,
    "POISSON": _poisson,
    "MOD": lambda one, other: one % other,
    "LCM": lambda one, other: math.lcm(int(one), int(other)),
    "GCD": lambda one, other: math.gcd(int(one), int(other)),
}


@cache
def _tokens(formula: str) -> tuple[tuple[str, str], ...]:
    found, place = [], 0
    while place < len(formula):
        match = _TOKEN.match(formula, place)
        assert match, f"{formula[place:]!r} in {formula}"
        kind = match.lastgroup or ""
        found.append((kind, match[kind]))
        place = match.end()
    return tuple(found)


Tree = tuple[Any, ...]


@cache
def parsed(formula: str) -> Tree:
    """Tree of a formula."""
    tokens = [*_tokens(formula), ("end", "")]
    tree, place = _parse(tokens, 0, 0)
    assert tokens[place][0] == "end", formula
    return tree


def _parse(tokens: list[tuple[str, str]], place: int, level: int) -> tuple[Tree, int]:
    if level == len(_LEVELS):
        return _parse_part(tokens, place)
    left, place = _parse(tokens, place, level + 1)
    while tokens[place][0] == "sign" and tokens[place][1] in _LEVELS[level]:
        sign = tokens[place][1]
        right, place = _parse(tokens, place + 1, level + 1)
        left = ("binary", sign, left, right)
    return left, place


def _parse_part(tokens: list[tuple[str, str]], place: int) -> tuple[Tree, int]:
    kind, text = tokens[place]
    if text == "-":  # tighter than a power, as in spreadsheets
        inner, place = _parse_part(tokens, place + 1)
        return ("minus", inner), place
    if text == "(":
        inner, place = _parse(tokens, place + 1, 0)
        assert tokens[place][1] == ")"
        return inner, place + 1
    if kind == "number":
        return ("value", float(text)), place + 1
    if kind == "text":
        return ("value", text[1:-1].replace('""', '"')), place + 1
    assert kind == "name", text
    if tokens[place + 1][1] != "(":
        return ("value", text == "TRUE") if text in {"TRUE", "FALSE"} else ("name", text), place + 1
    given: list[Tree] = []
    place += 2
    while tokens[place][1] != ")":
        inner, place = _parse(tokens, place, 0)
        given.append(inner)
        if tokens[place][1] == ",":
            place += 1
    return ("call", text, *given), place + 1


class Evaluation:
    """Values of a workbook's cells, computed from its formulas; cached results are ignored."""

    def __init__(self, book: Book | None, changes: dict[str, Any] | None = None) -> None:
        """Take the values typed into named cells; without a workbook, names alone."""
        self._cells, self._formulas = (book.values, book.formulas) if book else ({}, {})
        self._names = book.names if book else {name: ("", name) for name in changes or {}}
        self._typed = {self._names[name]: value for name, value in (changes or {}).items()}
        self._known: dict[tuple[str, str], Any] = {}

    def value(self, name: str) -> Any:
        """Value of a named cell. Raises CellError where it is an error."""
        return self._at(self._names[name])

    def value_at(self, place: tuple[str, str]) -> Any:
        """Value of the cell at an address of a sheet. Raises CellError where it is an error."""
        return self._at(place)

    def value_of(self, formula: str) -> Any:
        """Value of a formula that is in no cell."""
        return self._of(parsed(formula), "")

    def _at(self, place: tuple[str, str]) -> Any:
        if place in self._typed:
            return self._typed[place]
        if place not in self._known:
            formula = self._formulas.get(place)
            try:
                found = self._cells[place] if formula is None else self._of(parsed(formula), place[0])
            except (ArithmeticError, ValueError, TypeError) as error:
                found = CellError(str(error))
            except CellError as error:
                found = error
            self._known[place] = found
        if isinstance(self._known[place], CellError):
            raise self._known[place]
        return self._known[place]

    def _of(self, tree: Tree, sheet: str) -> Any:
        match tree:
            case ("value", value):
                return value
            case ("name", name):
                return self._named(name, sheet)
            case ("minus", inner):
                return -_number(self._of(inner, sheet))
            case ("binary", sign, left, right):
                one, other = self._of(left, sheet), self._of(right, sheet)
                return _BINARY[sign](one, other) if sign in _BINARY else _compared(sign, one, other)
            case ("call", name, *given):
                return self._called(name, given, sheet)
        raise AssertionError(tree)

    def _named(self, name: str, sheet: str) -> Any:
        if name in self._names:
            return self._at(self._names[name])
        address = _ADDRESS.fullmatch(name)
        assert address, f"no cell {name}"
        return self._at((address[1] or sheet, address[2] + address[3]))

    def _looked_up(self, name: str, given: list[Tree], sheet: str) -> Any:
        first, *others = given
        if name == "CHOOSE":
            return self._of(others[int(self._of(first, sheet)) - 1], sheet)
        if name == "INDEX":
            return self._at(_column(first)[int(self._of(others[0], sheet)) - 1])
        wanted = str(self._of(first, sheet)).lower()
        texts = [str(self._at(one)).lower() for one in _column(others[0])]
        if wanted not in texts:
            raise CellError(f"{wanted} is not among {texts}")
        return texts.index(wanted) + 1

    def _called(self, name: str, given: list[Tree], sheet: str) -> Any:
        if name == "IF":
            condition, then, other = given
            return self._of(then if self._of(condition, sheet) else other, sheet)
        if name in {"CHOOSE", "INDEX", "MATCH"}:
            return self._looked_up(name, given, sheet)
        if name == "ISNUMBER":
            found = self._of(given[0], sheet)
            return isinstance(found, int | float) and not isinstance(found, bool)
        values = [self._of(one, sheet) for one in given]
        if name in {"AND", "OR"}:
            return all(map(_number, values)) if name == "AND" else any(map(_number, values))
        if name == "NOT":
            return not values[0]
        return _FUNCTIONS[name](*map(_number, values))


def _column(tree: Tree) -> list[tuple[str, str]]:
    """Cells of a column, from a range such as Menus!$B$5:$B$56."""
    found = _COLUMN.fullmatch(tree[1])
    assert found, tree
    sheet, column, first, last, end = found.groups()
    assert column == last, tree
    return [(sheet, f"{column}{row}") for row in range(int(first), int(end) + 1)]


def evaluated(formula: str, **names: Any) -> Any:
    """Value of one formula, where names have these values."""
    return Evaluation(None, names).value_of(formula)

"""Functions of Python and its `math` as functions of a spreadsheet."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from calculators.spreadsheet.cells import (
    ATOM,
    POWER,
    PRODUCT,
    SUM,
    Cell,
    UntranslatableError,
    call,
    computed,
    constant,
    operation,
)
from calculators.spreadsheet.values import cell
from calculators.vocabulary.erlang import erlang_b

_Translation = Callable[..., Cell]


def _floor(one: Cell) -> Cell:
    return call("INT", math.floor, one)


def _ceil(one: Cell) -> Cell:
    text = f"-INT(-{one.text})" if one.rank == ATOM else f"-INT(-({one.text}))"
    return Cell(text, computed(math.ceil, one), SUM, fails=one.fails or one.optional)


def _log(one: Cell, base: Cell | None = None) -> Cell:
    if base is None:
        return call("LN", math.log, one, fails=True)
    return call("LOG", math.log, one, base, fails=True)


def _expm1(one: Cell) -> Cell:
    """exp(x) − 1 without loss of digits near 0, as 2 exp(x/2) sinh(x/2)."""
    text = one.text if one.rank == ATOM else f"({one.text})"
    return Cell(f"2*EXP({text}/2)*SINH({text}/2)", computed(math.expm1, one), PRODUCT, fails=True)


def _log1p(one: Cell) -> Cell:
    """ln(1 + x) without loss of digits near 0, as 2 artanh(x/(2 + x))."""
    text = one.text if one.rank == ATOM else f"({one.text})"
    return Cell(f"2*ATANH({text}/(2+{text}))", computed(math.log1p, one), PRODUCT, fails=True)


def _round(one: Cell, digits: Cell | None = None) -> Cell:
    """Python's `round`: halves to the even number."""
    if digits is not None:
        return call("ROUND", round, one, digits)
    text = one.text if one.rank == ATOM else f"({one.text})"
    half = f"IF({text}-INT({text})=0.5,2*ROUND({text}/2,0),ROUND({text},0))"
    return Cell(half, computed(round, one), fails=one.fails or one.optional)


def _power(one: Cell, other: Cell) -> Cell:
    return operation("^", POWER, lambda base, exponent: base**exponent, one, other)


def _erlang_b(servers: Cell, load: Cell) -> Cell:
    """Erlang's loss formula as the chance of so many events over that of at most as many, by Poisson's distribution.

    LibreOffice has no such distribution with a mean of 0.
    """
    count, mean = _round(servers).text, load.text
    busy = f"POISSON({count},{mean},FALSE)/POISSON({count},{mean},TRUE)"
    return Cell(f"IF({mean}>0,{busy},IF({count}=0,1,0))", computed(erlang_b, servers, load), fails=True)


def _number(one: Cell) -> Cell:
    if one.kind == "text":
        raise UntranslatableError("a text read as a number")
    if one.kind == "truth":
        return operation("*", PRODUCT, lambda left, right: left * right, one, constant(1))
    return one


TRANSLATIONS: Mapping[Any, _Translation] = MappingProxyType(
    {
        math.floor: _floor,
        math.ceil: _ceil,
        math.sqrt: lambda one: call("SQRT", math.sqrt, one, fails=True),
        math.exp: lambda one: call("EXP", math.exp, one),
        math.expm1: _expm1,
        math.log: _log,
        math.log1p: _log1p,
        math.log2: lambda one: call("LOG", lambda value, _: math.log2(value), one, constant(2), fails=True),
        math.log10: lambda one: call("LOG10", math.log10, one, fails=True),
        math.lgamma: lambda one: call("GAMMALN", math.lgamma, one, fails=True),
        math.lcm: lambda one, other: call("LCM", math.lcm, one, other),
        math.gcd: lambda one, other: call("GCD", math.gcd, one, other),
        math.pow: _power,
        pow: _power,
        abs: lambda one: call("ABS", abs, one),
        round: _round,
        int: lambda one: call("TRUNC", int, one),
        float: _number,
        erlang_b.__wrapped__: _erlang_b,
    }
)


def translated(function: Any, arguments: list[Any]) -> Cell | None:
    """Cell of a call of such a function; None for others."""
    try:
        translation = TRANSLATIONS.get(function)
    except TypeError:  # not hashable, so none of them
        return None
    return None if translation is None else translation(*map(cell, arguments))

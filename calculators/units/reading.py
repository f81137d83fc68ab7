"""Reading quantities: a reader's text becomes a number in base units, or a sentence that says why it cannot."""

import math
import re

from calculators.units.symbols import BINARY, DECIMAL, UnitError, is_count, plural, unit

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_NUMBER = re.compile(r"(?P<number>[+-]?(?:\d[\d,_]*\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?)\s*(?P<unit>.*)", re.DOTALL)
_POWER_OF_TEN = re.compile(r"\s*[×x*]\s*10\s*(?:\^|\*\*)?\s*(?P<power>[+-]?[0-9]{1,3})")
_COUNT_SUFFIXES = {
    **dict.fromkeys(("k", "K", "thousand"), 1e3),
    **dict.fromkeys(("m", "M", "mn", "million"), 1e6),
    **dict.fromkeys(("b", "B", "bn", "G", "billion"), 1e9),
    **dict.fromkeys(("t", "T", "tn", "trillion"), 1e12),
    **dict.fromkeys(("q", "Q", "P", "quadrillion"), 1e15),
    **{prefix: scale for prefix, scale in BINARY.items() if prefix in {"Ki", "Mi"}},
}
_LONGEST_TEXT = 80


def parse(text: str, symbol: str) -> float:
    """Return the value of `text` in base units, read as a quantity of the unit `symbol`.

    A bare number is in `symbol` itself. Raises UnitError with a sentence for the reader.

    >>> parse("70B", "parameter"), parse("2.5 TB/s", "B/s"), parse("3h", "s"), parse("40%", "share")
    (70000000000.0, 2500000000000.0, 10800.0, 0.4)
    """
    shown = text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"
    if len(text) > _LONGEST_TEXT:
        message = f"“{shown}” is too long to be a quantity"
        raise UnitError(message)
    cleaned = text.strip().replace("\N{MINUS SIGN}", "-").replace("\N{NO-BREAK SPACE}", " ")
    cleaned = cleaned.replace("\N{NARROW NO-BREAK SPACE}", " ").removeprefix("$").strip()
    if re.search("[⁰¹²³⁴⁵⁶⁷⁸⁹]", cleaned):
        cleaned = re.sub(r"10(?=[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹])", "10^", cleaned).translate(_SUPERSCRIPTS)
    match = _NUMBER.fullmatch(cleaned)
    if not match or (not cleaned.isascii() and not re.fullmatch(r"[\x00-\x7f×µμ·]*", cleaned)):
        message = f"“{shown}” is not a number with a unit; write for example {example(symbol)}"
        raise UnitError(message)
    number = float(match["number"].replace(",", "").replace("_", ""))
    rest = match["unit"]
    if power := _POWER_OF_TEN.match(rest):
        number *= float(f"1e{power['power']}")  # beyond what a float can hold this is inf
        rest = rest[power.end() :]
    value = number * _factor(rest.strip(), symbol, shown)
    if not math.isfinite(value):
        message = f"“{shown}” is too large to calculate with"
        raise UnitError(message)
    return value


def _factor(typed: str, symbol: str, shown: str) -> float:
    """What one of the unit the reader typed is in base units, checked to be of the wanted kind."""
    wanted = unit(symbol)
    if not typed:
        return wanted.factor
    if symbol.startswith("USD"):
        suffix, slash, per = typed.partition("/")
        if suffix in _COUNT_SUFFIXES or not suffix:
            return _COUNT_SUFFIXES.get(suffix, 1.0) * (_factor("USD/" + per, symbol, shown) if slash else 1.0)
    if is_count(symbol):
        word = typed.split(maxsplit=1)
        if word[0] in _COUNT_SUFFIXES:
            tail = word[1] if len(word) > 1 else ""
            return _COUNT_SUFFIXES[word[0]] * _factor(tail, symbol, shown)
    if wanted.dimensions == (("time", -1), ("flop", 1)) and typed in DECIMAL:
        return DECIMAL[typed]
    try:
        found = unit(typed.replace(" ", "") if "/" in typed else typed)
    except UnitError:
        message = f"“{shown}”: {typed!r} is not a unit of {_kind(symbol)}; write for example {example(symbol)}"
        raise UnitError(message) from None
    if dict(found.dimensions) != dict(wanted.dimensions) or (typed == "%" and symbol != "share"):
        message = f"“{shown}” is not {_kind(symbol)}; write for example {example(symbol)}"
        raise UnitError(message)
    return found.factor


_KINDS = {
    (("data", 1),): "an amount of data",
    (("data", 1), ("time", -1)): "a bandwidth",
    (("time", 1),): "a time",
    (("flop", 1),): "an amount of computation",
    (("time", -1), ("flop", 1)): "a rate of computation",
    (("energy", 1),): "an energy",
    (("time", -1), ("energy", 1)): "a power",
    (("money", 1),): "an amount of money",
    (("energy", -1), ("mass", 1)): "a carbon intensity",
    (): "a plain number",
}
_EXAMPLES = {
    "parameter": "70B",
    "token": "15T",
    "B": "980 GB",
    "B/s": "100 GB/s",
    "s": "30 min",
    "share": "40%",
    "FLOP/s": "989 TFLOP/s",
    "W": "700 W",
    "USD/GPU-hour": "2.50 USD/GPU-hour",
    "g/kWh": "400 g/kWh",
    "B/parameter": "14 B",
    "B/value": "2 B",
}


def _kind(symbol: str) -> str:
    if symbol == "USD/GPU-hour":
        return "a price per GPU-hour"
    if is_count(symbol) and symbol != "1":
        return f"a number of {plural(symbol.partition('/')[0])}"
    return _KINDS.get(unit(symbol).dimensions, f"a quantity in {symbol}")


def example(symbol: str) -> str:
    """A quantity of this unit as a reader might type it."""
    return _EXAMPLES.get(symbol, "8" if is_count(symbol) else f"1 {symbol}")

"""Units: the only place where text becomes a number and a number becomes text.

Inside the calculators every value is a plain number in base units: bytes, seconds, FLOP, joules, watts, dollars,
kilograms, shares from 0 to 1. A unit is written as atoms divided by atoms: "B/s", "B/parameter", "USD/GPU-hour".
"""

import math
import re
from dataclasses import dataclass
from functools import cache, lru_cache

MINUTE, HOUR, DAY, YEAR = 60.0, 3600.0, 86400.0, 31557600.0
GIB = 2.0**30
_SIGNIFICANT_DIGITS = 3
_READABLE_DIGITS = 14  # beyond them nobody reads a unit either: the number alone reads back to the last bit
_REMEMBERED = 4096  # texts; moving one input leaves most of them as they were
_ROUNDING = 4.5e-16  # two neighboring floats: 120 µs is 120 * 1e-6, which is not quite 0.00012


class UnitError(ValueError):
    """Text that is no quantity, or a quantity of another kind. The message is meant for the reader."""


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A resolved unit: `factor` takes one of it to base units, `dimensions` says of what it is a power."""

    symbol: str
    factor: float
    dimensions: tuple[tuple[str, int], ...]


# Atoms: symbol -> (factor to the base unit, dimension). Counts have no dimension.
_DIMENSIONS = ("data", "time", "energy", "money", "mass", "flop", "volume")
_DECIMAL = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18, "Z": 1e21, "Y": 1e24}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50, "Ei": 2.0**60}
COUNTS = (
    *("parameter", "token", "GPU", "layer", "head", "sequence", "checkpoint", "expert", "page", "rank", "value"),
    *("failure", "port", "switch", "node", "rack", "position", "chip", "micro-batch", "operation", "server", "link"),
)


def _plural(count: str) -> str:
    return count + ("es" if count.endswith("ch") else "s")


_PLAIN_ATOMS: dict[str, tuple[float, tuple[tuple[str, int], ...]]] = {
    "1": (1.0, ()),
    "share": (1.0, ()),
    "%": (0.01, ()),
    **dict.fromkeys(COUNTS, (1.0, ())),
    **{_plural(count): (1.0, ()) for count in COUNTS},
    "IOPS": (1.0, (("time", -1),)),
    "C": (1.0, ()),
    "V": (1.0, ()),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), (1.0, (("time", 1),))),
    **dict.fromkeys(("ms",), (1e-3, (("time", 1),))),
    **dict.fromkeys(("us", "µs", "μs"), (1e-6, (("time", 1),))),
    "ns": (1e-9, (("time", 1),)),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), (MINUTE, (("time", 1),))),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), (HOUR, (("time", 1),))),
    **dict.fromkeys(("d", "day", "days"), (DAY, (("time", 1),))),
    **dict.fromkeys(("week", "weeks"), (7 * DAY, (("time", 1),))),
    **dict.fromkeys(("year", "years", "yr"), (YEAR, (("time", 1),))),
    # A GPU-hour is quoted and billed as such: it is counted, and one of them is 1.
    **dict.fromkeys(("GPU-hour", "GPU-hours", "GPU·h", "GPUh"), (1.0, ())),
    **dict.fromkeys(("byte", "bytes"), (1.0, (("data", 1),))),
    **dict.fromkeys(("USD", "$"), (1.0, (("money", 1),))),
    **dict.fromkeys(("tonne", "tonnes"), (1e3, (("mass", 1),))),
}
_PREFIXED_ATOMS: dict[str, tuple[float, tuple[tuple[str, int], ...]]] = {
    "B": (1.0, (("data", 1),)),
    **dict.fromkeys(("b", "bit", "bits"), (0.125, (("data", 1),))),
    **dict.fromkeys(("FLOP", "FLOPs"), (1.0, (("flop", 1),))),
    "W": (1.0, (("energy", 1), ("time", -1))),
    "Wh": (3600.0, (("energy", 1),)),
    "J": (1.0, (("energy", 1),)),
    "t": (1e3, (("mass", 1),)),
    "g": (1e-3, (("mass", 1),)),
    "L": (1.0, (("volume", 1),)),
}
_SPELLINGS = {"FLOPS": "FLOP/s", "FLOP/S": "FLOP/s", "flops": "FLOP/s", "Bps": "B/s", "bps": "bit/s", "iB/S": "iB/s"}


def _atom(symbol: str) -> tuple[float, tuple[tuple[str, int], ...]]:
    if symbol in _PLAIN_ATOMS:
        return _PLAIN_ATOMS[symbol]
    if symbol in _PREFIXED_ATOMS:
        return _PREFIXED_ATOMS[symbol]
    for prefixes in (_BINARY, _DECIMAL, {"K": 1e3}):
        for prefix, scale in prefixes.items():
            rest = symbol.removeprefix(prefix)
            if rest != symbol and rest in _PREFIXED_ATOMS:
                factor, dimensions = _PREFIXED_ATOMS[rest]
                return scale * factor, dimensions
    message = f"{symbol!r} is not a unit known here"
    raise UnitError(message)


@cache
def unit(symbol: str) -> Unit:
    """Resolve a unit's symbol.

    >>> unit("TB/s").factor, unit("GiB").factor, unit("B/s").dimensions
    (1000000000000.0, 1073741824.0, (('data', 1), ('time', -1)))
    """
    spelled = symbol.strip()
    for spelling, meaning in _SPELLINGS.items():
        if spelled.endswith(spelling):
            spelled = spelled.removesuffix(spelling) + meaning
            break
    factor = 1.0
    powers = dict.fromkeys(_DIMENSIONS, 0)
    for place, atom in enumerate(spelled.split("/")):
        atom_factor, dimensions = _atom(atom.strip())
        sign = -1 if place else 1
        factor *= atom_factor**sign
        for dimension, power in dimensions:
            powers[dimension] += sign * power
    return Unit(symbol=symbol, factor=factor, dimensions=tuple((d, p) for d, p in powers.items() if p))


def is_count(symbol: str) -> bool:
    """Whether values of this unit are counted, so that "70B" means 70 billion of them."""
    head = symbol.partition("/")[0]
    return head in COUNTS or head in {"1", "GPU-hour"}


def is_time(symbol: str) -> bool:
    """Whether values of this unit are durations."""
    return unit(symbol).dimensions == (("time", 1),)


def base_symbol(symbol: str) -> str:
    """The unit in which the values of a unit are kept: "B" for "GiB", "kg/J" for "g/kWh"."""
    if unit(symbol).factor == 1:
        return symbol
    names = {"data": "B", "time": "s", "energy": "J", "money": "USD", "mass": "kg", "flop": "FLOP", "volume": "L"}
    above = [names[dimension] for dimension, power in unit(symbol).dimensions if power > 0]
    below = [names[dimension] for dimension, power in unit(symbol).dimensions if power < 0]
    return "/".join([*(above or ["1"]), *below])


_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_NUMBER = re.compile(r"(?P<number>[+-]?(?:\d[\d,_]*\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?)\s*(?P<unit>.*)", re.DOTALL)
_POWER_OF_TEN = re.compile(r"\s*[×x*]\s*10\s*(?:\^|\*\*)?\s*(?P<power>[+-]?[0-9]{1,3})")
_COUNT_SUFFIXES = {
    **dict.fromkeys(("k", "K", "thousand"), 1e3),
    **dict.fromkeys(("m", "M", "mn", "million"), 1e6),
    **dict.fromkeys(("b", "B", "bn", "G", "billion"), 1e9),
    **dict.fromkeys(("t", "T", "tn", "trillion"), 1e12),
    **dict.fromkeys(("q", "Q", "P", "quadrillion"), 1e15),
    **{prefix: scale for prefix, scale in _BINARY.items() if prefix in {"Ki", "Mi"}},
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
    if wanted.dimensions == (("time", -1), ("flop", 1)) and typed in _DECIMAL:
        return _DECIMAL[typed]
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
        return f"a number of {_plural(symbol.partition('/')[0])}"
    return _KINDS.get(unit(symbol).dimensions, f"a quantity in {symbol}")


def example(symbol: str) -> str:
    """A quantity of this unit as a reader might type it."""
    return _EXAMPLES.get(symbol, "8" if is_count(symbol) else f"1 {symbol}")


# Ladders: how a value is shown, largest unit that leaves a number of at least 1.
_LADDERS: dict[str, tuple[str, ...]] = {
    "decimal": ("B", "kB", "MB", "GB", "TB", "PB", "EB"),
    "binary": ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"),
    "time": ("ns", "µs", "ms", "s", "min", "h", "days"),
    "FLOP": ("FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP", "ZFLOP"),
    "W": ("W", "kW", "MW", "GW"),
    "J": ("J", "Wh", "kWh", "MWh", "GWh", "TWh"),
    "mass": ("g", "kg", "t", "kt", "Mt"),
}
# A shorter unit is kept until the next one says it better: 90 s rather than 1.5 min, 36 h rather than 1.5 days.
_NEXT_AT = {"min": 2 * MINUTE, "days": 2 * DAY}
_SCIENTIFIC_FROM = 1e18
_SHOWN = {"C": "°C"}
_COMMAS_TO = 1e6


def _rounded(value: float, digits: int) -> str:
    """`value` with so many significant digits, thousands separated, no trailing zeros after the point."""
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    kept = round(value, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{kept:,.{min(places, 30)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _ladder(symbol: str, *, binary: bool) -> tuple[str, ...]:
    if symbol == "B" and binary:
        return _LADDERS["binary"]
    by_head = {"B": "decimal", "s": "time", "FLOP": "FLOP", "W": "W", "J": "J", "kg": "mass", "g": "mass"}
    return _LADDERS.get(by_head.get(symbol, ""), (symbol,))


def rungs(symbol: str, *, binary: bool) -> tuple[str, ...]:
    """The units in which a quantity of `symbol` may be typed, small to large: what a bare number may have meant."""
    head, slash, denominator = symbol.partition("/")
    if head == "share":
        return ("%",)
    if is_count(symbol):
        return ("K", "M", "B", "T")
    return tuple(rung + slash + denominator for rung in _ladder(head, binary=binary))


def _magnitude(value: float, ladder: tuple[str, ...], digits: int) -> tuple[float, str]:
    chosen = ladder[0]
    for rung in ladder:
        least = _NEXT_AT.get(rung, unit(rung).factor)
        # Half the last digit less, so that 999.96 GB is shown as 1 TB and not as 1,000 GB.
        if abs(value) >= least * (1 - 0.5 * 10.0**-digits):
            chosen = rung
    return value / unit(chosen).factor, chosen


@lru_cache(maxsize=_REMEMBERED)
def text(  # noqa: PLR0911  one return for each kind of quantity
    value: float, symbol: str, *, binary: bool = False, label: bool = True, digits: int = _SIGNIFICANT_DIGITS
) -> str:
    """A value in base units as readers see it: three significant digits and a fitting unit.

    >>> text(980e9, "B"), text(980e9, "B", binary=True), text(70e9, "parameter"), text(0.4, "share")
    ('980 GB', '913 GiB', '70B parameters', '40%')
    """
    if math.isinf(value):
        return "without end" if unit(symbol).dimensions == (("time", 1),) else "unlimited"
    if value < 0:
        return "\N{MINUS SIGN}" + text(-value, symbol, binary=binary, label=label, digits=digits)
    head, slash, denominator = symbol.partition("/")
    if head == "share":
        return _rounded(value * 100, digits) + "%"
    if head == "USD":
        return _money(value / unit("1" + slash + denominator).factor, slash + denominator, digits)
    if head in COUNTS or head in {"1", "GPU-hour"}:
        return _count(value, head, slash + denominator, label=label, digits=digits)
    if symbol == "FLOP" and value >= _SCIENTIFIC_FROM:
        return _scientific(value, digits) + " FLOP"
    denominator_factor = unit("1" + slash + denominator).factor
    amount = value / denominator_factor
    number, rung = _magnitude(amount, _ladder(head, binary=binary), digits) if value else (0.0, head)
    if _ladder(head, binary=binary) == (head,):
        number = value / unit(symbol).factor
    # Only what is counted may be left to the label: "14 B" of an input in bytes per parameter, never "24 TB" a day.
    per = "" if not label and is_count(denominator) else slash + denominator
    return f"{_rounded(number, digits)} {_SHOWN.get(rung, rung)}{per}"


def _money(value: float, per: str, digits: int) -> str:
    if value >= _COMMAS_TO:
        return "$" + _suffixed(value, digits) + per
    if value != round(value) and float(f"{value:.2f}") == float(_rounded(value, digits).replace(",", "")):
        return f"${value:,.2f}{per}"  # $2.50, but $2.507
    return "$" + _rounded(value, digits) + per


def _suffixed(value: float, digits: int) -> str:
    for suffix, scale in (("T", 1e12), ("B", 1e9), ("M", 1e6)):
        if value >= scale * (1 - 0.5 * 10.0**-digits):
            return _rounded(value / scale, digits) + suffix
    return _rounded(value, digits)


def _count(value: float, head: str, per: str, *, label: bool, digits: int) -> str:
    if value >= _COMMAS_TO * (1 - 0.5 * 10.0**-digits) and (value < _SCIENTIFIC_FROM or head == "parameter"):
        number = _suffixed(value, digits)
    elif value >= _SCIENTIFIC_FROM:
        number = _scientific(value, digits)
    else:
        number = f"{value:,.0f}" if value == round(value) else _rounded(value, max(digits, _whole_digits(value)))
    if not label or head == "1":
        return number
    return f"{number} {head if value == 1 else _plural(head)}{per}"


def _whole_digits(value: float) -> int:
    return len(str(int(abs(value))))


def _scientific(value: float, digits: int) -> str:
    power = math.floor(math.log10(value))
    lead = f"{value / 10.0**power:.{digits - 1}f}"
    if float(lead) >= 10:  # noqa: PLR2004  9.996 rounds to 10.0
        power, lead = power + 1, f"{1:.{digits - 1}f}"
    return f"{lead} × 10" + str(power).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))


@lru_cache(maxsize=_REMEMBERED)
def exact_text(value: float, symbol: str, *, binary: bool = False) -> str:
    """The shortest text that `parse` reads back as this value, for text boxes and links.

    >>> exact_text(85899345920, "B", binary=True), exact_text(1.234567e9, "B"), exact_text(1000, "s")
    ('80 GiB', '1.234567 GB', '1000 s')
    """
    for digits in range(_SIGNIFICANT_DIGITS, _READABLE_DIGITS + 1):
        shown = text(value, symbol, binary=binary, label=False, digits=digits)
        if math.isclose(parse(shown, symbol), value, rel_tol=_ROUNDING):
            return shown
    number = f"{value / unit(symbol).factor!r}".removesuffix(".0").replace("e+", "e")  # + would be a space in a link
    return number if is_count(symbol) else f"{number} {symbol}"


@lru_cache(maxsize=_REMEMBERED)
def other_system(value: float, symbol: str, *, binary: bool) -> str | None:
    """Data in the other system, decimal for binary: '1.05 TB' beside '980 GiB'. None where there is none."""
    if symbol.partition("/")[0] != "B" or symbol == "B/s" or abs(value) < 1000 or math.isinf(value):  # noqa: PLR2004
        return None
    return text(value, symbol, binary=not binary)

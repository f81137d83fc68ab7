"""Unit symbols: factor to base units and dimensions of a unit such as "TB/s" or "B/parameter"."""

from dataclasses import dataclass
from functools import cache

MINUTE, HOUR, DAY, YEAR = 60.0, 3600.0, 86400.0, 31557600.0
MONTH = YEAR / 12
MILLION = 1e6
GIB = 2.0**30


class UnitError(ValueError):
    """Text that is not a quantity, or is one of another kind. The message is for the reader."""


@dataclass(frozen=True, kw_only=True)
class Unit:
    """Resolved unit: `factor` converts it to base units, `dimensions` maps base dimensions to powers."""

    symbol: str
    factor: float
    dimensions: tuple[tuple[str, int], ...]


# Atoms: symbol -> (factor to the base unit, dimension). Counts have no dimension.
_DIMENSIONS = ("data", "time", "energy", "money", "mass", "flop", "volume", "temperature", "current", "length")
DECIMAL = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18, "Z": 1e21, "Y": 1e24}
BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50, "Ei": 2.0**60}
COUNTS = (
    *("parameter", "token", "GPU", "layer", "head", "sequence", "checkpoint", "expert", "page", "rank", "value"),
    *("failure", "port", "switch", "node", "rack", "position", "chip", "micro-batch", "operation", "server", "link"),
    *("sample", "request", "drive", "replica", "session", "file", "cable", "module", "rack unit", "IOPS"),
    *("tier", "vector", "document", "chunk", "query", "core", "core-hour", "step"),
)
_PER_SECOND = ("IOPS",)
_CUBIC_FOOT = 28.316846592  # litres: the cube of 30.48 cm


def plural(count: str) -> str:
    """Plural of a counted noun."""
    if count in _PER_SECOND:
        return count
    if count.endswith("y") and not count.endswith(("ay", "ey", "oy", "uy")):
        return f"{count[:-1]}ies"
    return count + ("es" if count.endswith(("ch", "sh", "x")) else "s")


_PLAIN_ATOMS: dict[str, tuple[float, tuple[tuple[str, int], ...]]] = {
    "1": (1.0, ()),
    "share": (1.0, ()),
    "%": (0.01, ()),
    **dict.fromkeys(COUNTS, (1.0, ())),
    **{plural(count): (1.0, ()) for count in COUNTS},
    **dict.fromkeys(("gpu", "gpus", "U"), (1.0, ())),
    **dict.fromkeys(_PER_SECOND, (1.0, (("time", -1),))),
    "DWPD": (1 / DAY, (("time", -1),)),
    "C": (1.0, ()),
    "K": (1.0, (("temperature", 1),)),
    **dict.fromkeys(("metre", "metres", "meter", "meters"), (1.0, (("length", 1),))),
    "km": (1e3, (("length", 1),)),
    "m3": (1e3, (("volume", 1),)),
    "MMBtu": (1.05505585262e9, (("energy", 1),)),
    "CFM": (_CUBIC_FOOT / MINUTE, (("volume", 1), ("time", -1))),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), (1.0, (("time", 1),))),
    **dict.fromkeys(("ms",), (1e-3, (("time", 1),))),
    **dict.fromkeys(("us", "µs", "μs"), (1e-6, (("time", 1),))),
    "ns": (1e-9, (("time", 1),)),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), (MINUTE, (("time", 1),))),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), (HOUR, (("time", 1),))),
    **dict.fromkeys(("d", "day", "days"), (DAY, (("time", 1),))),
    **dict.fromkeys(("week", "weeks"), (7 * DAY, (("time", 1),))),
    **dict.fromkeys(("month", "months"), (MONTH, (("time", 1),))),
    **dict.fromkeys(("y", "yr", "yrs", "year", "years"), (YEAR, (("time", 1),))),
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
    **dict.fromkeys(("W", "VA"), (1.0, (("energy", 1), ("time", -1)))),
    "A": (1.0, (("current", 1),)),
    "V": (1.0, (("energy", 1), ("time", -1), ("current", -1))),
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
    for prefixes in (BINARY, DECIMAL, {"K": 1e3}):
        for prefix, scale in prefixes.items():
            rest = symbol.removeprefix(prefix)
            if rest != symbol and rest in _PREFIXED_ATOMS:
                factor, dimensions = _PREFIXED_ATOMS[rest]
                return scale * factor, dimensions
    if "-" in symbol.strip("-"):  # TB-month: a terabyte for a month
        return _product(symbol)
    message = f"{symbol!r} is not a unit known here"
    raise UnitError(message)


def _product(symbol: str) -> tuple[float, tuple[tuple[str, int], ...]]:
    first, second = (_atom(part) for part in symbol.split("-", 1))
    return first[0] * second[0], first[1] + second[1]


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


def is_data(symbol: str) -> bool:
    """Whether values of this unit are amounts of data, alone or for each of something; no rates."""
    return symbol.partition("/")[0] == "B" and symbol != "B/s"


def is_time(symbol: str) -> bool:
    """Whether values of this unit are durations."""
    return unit(symbol).dimensions == (("time", 1),)


def base_symbol(symbol: str) -> str:
    """Base unit of a unit: "B" for "GiB", "kg/J" for "g/kWh"."""
    if unit(symbol).factor == 1:
        return symbol
    names = {"data": "B", "time": "s", "energy": "J", "money": "USD", "mass": "kg", "flop": "FLOP", "volume": "L"}
    names |= {"temperature": "K", "current": "A", "length": "metre"}
    above = [names[dimension] for dimension, power in unit(symbol).dimensions if power > 0]
    below = [names[dimension] for dimension, power in unit(symbol).dimensions if power < 0]
    return "/".join([*(above or ["1"]), *below])

"""Number formats: a number in base units with the prefix that fits its present size, such as 5.68 TB."""

import math

from calculators import units

_PREFIXES = ("", "k", "M", "G", "T", "P", "E", "Z")
_PREFIXED = frozenset({"B", "FLOP", "bit", "W", "J", "Wh"})
_THOUSAND, _LARGE = 1e3, 1e5


def number_format(unit: str, value: object) -> str:
    """Format code of a number in base units; empty for the general one."""
    if unit in {"share", "%"}:
        return "0.00%"
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        return ""
    symbol = units.base_symbol(unit)
    first, _, rest = symbol.partition("/")
    if first in _PREFIXED:
        return _prefixed(first + (f"/{rest}" if rest else ""), value)
    if first == "USD":
        return "#,##0.00" if abs(value) >= 1 else ""
    if abs(value) < _THOUSAND:
        return ""  # as many digits as there are
    return "#,##0" if abs(value) >= _LARGE or value == round(value) else "#,##0.00"


def base_unit(unit: str) -> str:
    """Unit of a number in a cell; empty for plain numbers."""
    symbol = units.base_symbol(unit)
    return "" if symbol == "1" else symbol


def _prefixed(symbol: str, value: float) -> str:
    """Three prefixes around the present one: a format has two conditions."""
    step = 0 if value == 0 else max(0, min(len(_PREFIXES) - 2, int(math.log10(abs(value)) // 3)))
    rungs = [rung for rung in (step + 1, step, step - 1) if rung >= 0]
    parts = [f'0.00{"," * rung}" {_PREFIXES[rung]}{symbol}"' for rung in rungs]
    conditions = [f"[>={10 ** (3 * rung)}]" for rung in rungs[:-1]]
    return ";".join(f"{condition}{part}" for condition, part in zip([*conditions, ""], parts, strict=True))

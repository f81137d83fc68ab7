"""Writing quantities: a number in base units to text for readers, or to text that reads back exactly."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from calculators.units.reading import parse
from calculators.units.symbols import COUNTS, DAY, MINUTE, YEAR, is_count, is_data, is_time, plural, unit

_SIGNIFICANT_DIGITS = 3
_READABLE_DIGITS = 14  # beyond them a unit is unreadable, too: the number alone reads back to the last bit
_REMEMBERED = 4096  # texts; moving one input leaves most of them as they were
_ROUNDING = 4.5e-16  # two neighboring floats: 120 µs is 120 * 1e-6, which is not quite 0.00012

# Ladders: how a value is shown, largest unit that leaves a number of at least 1.
_LADDERS: dict[str, tuple[str, ...]] = {
    "decimal": ("B", "kB", "MB", "GB", "TB", "PB", "EB"),
    "binary": ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"),
    "time": ("ns", "µs", "ms", "s", "min", "h", "days", "years"),
    "bit": ("bit", "kbit", "Mbit", "Gbit", "Tbit", "Pbit"),
    "FLOP": ("FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP", "ZFLOP"),
    "W": ("W", "kW", "MW", "GW"),
    "J": ("J", "Wh", "kWh", "MWh", "GWh", "TWh"),
    "mass": ("g", "kg", "t", "kt", "Mt"),
}
# A shorter unit is kept until the next one says it better: 90 s rather than 1.5 min, 36 h rather than 1.5 days.
_NEXT_AT = {"min": 2 * MINUTE, "days": 2 * DAY, "years": 2 * YEAR}
_TIME_STEPS = ((100, 10), (20, 5), (10, 1), (0, 0.5))  # from so many of a unit on, in steps of so many
_SCIENTIFIC_FROM = 1e18
_WRITTEN_OUT = 1e21  # from there on digits are counted, not read
_PLURAL = ("month", "year")
_LEAST_OF_A_MONTH = 0.1  # of a month or a year: less is shown in days or hours
_SHOWN = {"C": "°C", "m3": "m³", "metre": "m"}
_COMMAS_TO = 1e6
_NUDGES = (0.0, 5e-5, 5e-4, 1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 6e-3, 1e-2)  # of a value: up to one of its third digit
_LEVEL = 1e-14  # a few last bits of a value
_ALL, _ALMOST_ALL = 100.0, 1e-7  # percent; what lies nearer is arithmetic that did not quite meet
_BARE = re.compile(r"[\d.,e]+")
# What sentences count besides COUNTS, in numbers that have no unit of their own.
_NOUNS = ("hour", "day", "month", "year", "copy", "round", "user", "sandbox", "engine", "epoch", "row", "change", "bit")
_SINGULAR = {plural(noun): noun for noun in (*COUNTS, *_NOUNS)}
_ONE_OF_MANY = re.compile(rf"(?<![\w.,/×–-])1 ({'|'.join(map(re.escape, _SINGULAR))})(?![\w-])")
_VERBS = {
    "are": "is",
    "cost": "costs",
    "have": "has",
    "hold": "holds",
    "idle": "idles",
    "last": "lasts",
    "run": "runs",
    "serve": "serves",
    "stay": "stays",
}
_SUBJECT = re.compile(
    rf"(?<!of )(?<![\w.,/×–-])(1 (?:{'|'.join(map(re.escape, _SINGULAR.values()))})) ({'|'.join(_VERBS)})\b"
)
_THERE_ARE = re.compile(rf"\bthere are (?=1 (?:{'|'.join(map(re.escape, _SINGULAR.values()))})(?![\w-]))")
_MOST_IN_A_COLUMN = 10_000  # from here on digits before the point are hard to compare
_LEAST_IN_A_COLUMN = 0.1


def counted(number: float, noun: str) -> str:
    """A whole number and what it counts, in the singular for one.

    >>> counted(1, "day"), counted(12_000, "request"), counted(0, "copy")
    ('1 day', '12,000 requests', '0 copies')
    """
    shown = f"{number:,.0f}"
    return f"{shown} {noun if shown == '1' else plural(noun)}"


def agreeing(sentence: str) -> str:
    """A sentence in which what is counted once is in the singular, and the verb behind it.

    >>> agreeing("in 1 months, over 11 months"), agreeing("1 of 2 steps, 0.1 steps, at most 1 steps")
    ('in 1 month, over 11 months', '1 of 2 steps, 0.1 steps, at most 1 step')
    >>> agreeing("1 GPU stay idle, 21 GPUs stay idle"), agreeing("drives of 1 node last 5 years")
    ('1 GPU stays idle, 21 GPUs stay idle', 'drives of 1 node last 5 years')
    >>> agreeing("there are 1 GPU; there are 1 GPUs"), agreeing("there are 11 GPUs")
    ('there is 1 GPU; there is 1 GPU', 'there are 11 GPUs')
    """
    singular = _ONE_OF_MANY.sub(lambda match: f"1 {_SINGULAR[match[1]]}", sentence)
    there = _THERE_ARE.sub("there is ", singular)
    return _SUBJECT.sub(lambda match: f"{match[1]} {_VERBS[match[2]]}", there)


def _rounded(value: float, digits: int) -> str:
    """`value` with so many significant digits, thousands separated, no trailing zeros after the point."""
    if value == 0:
        return "0"
    if value >= _WRITTEN_OUT:
        return _scientific(value, digits)
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    kept = round(value, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{kept:,.{min(places, 30)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _ladder(symbol: str, *, binary: bool) -> tuple[str, ...]:
    if symbol == "B" and binary:
        return _LADDERS["binary"]
    by_head = {"bit": "bit", "B": "decimal", "s": "time", "FLOP": "FLOP", "W": "W", "J": "J", "kg": "mass", "g": "mass"}
    return _LADDERS.get(by_head.get(symbol, ""), (symbol,))


def rungs(symbol: str, *, binary: bool) -> tuple[str, ...]:
    """Units in which a quantity of `symbol` may be typed, small to large: candidates for a bare number."""
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
    """Text of a value in base units: three significant digits and a fitting unit.

    A share below 100% has as many digits as it takes to show that; a plain count has no suffix that reads as bytes.

    >>> text(980e9, "B"), text(980e9, "B", binary=True), text(70e9, "parameter"), text(0.4, "share")
    ('980 GB', '913 GiB', '70B parameters', '40%')
    >>> text(1e9, "1"), text(3e6 / DAY, "1/day")
    ('1 billion', '3 million/day')
    >>> text(0.9994, "share"), text(0.9996, "share"), text(0.999996, "share"), text(1, "share")
    ('99.9%', '99.96%', '99.9996%', '100%')
    >>> text(107 * YEAR, "year"), text(YEAR, "year"), text(107 * YEAR, "s")
    ('107 years', '1 year', '107 years')
    >>> text(0.5 * YEAR, "year"), text(0.02 * YEAR, "year")
    ('0.5 years', '7.3 days')
    >>> text(2.5, "USD"), text(2.507, "USD"), text(2000 * (1 - 2**-52), "USD")
    ('$2.50', '$2.51', '$2,000')
    """
    if math.isinf(value):
        return "without end" if unit(symbol).dimensions == (("time", 1),) else "unlimited"
    if value < 0:
        return "\N{MINUS SIGN}" + text(-value, symbol, binary=binary, label=label, digits=digits)
    head, slash, denominator = symbol.partition("/")
    amount = value / unit("1" + slash + denominator).factor
    if head == "share":
        return _percent(amount * _ALL, digits) + "%" + slash + denominator
    if head == "USD":
        return _money(amount, slash + denominator, digits)
    if is_count(symbol):
        return _count(amount, head, slash + denominator, label=label, digits=digits)
    if symbol == "FLOP" and value >= _SCIENTIFIC_FROM:
        return _scientific(value, digits) + " FLOP"
    if symbol in _PLURAL and 0 < value < _LEAST_OF_A_MONTH * unit(symbol).factor:
        return text(value, "s", label=label, digits=digits)
    number, rung = _magnitude(amount, _ladder(head, binary=binary), digits) if value else (0.0, head)
    if _ladder(head, binary=binary) == (head,):
        number = value / unit(symbol).factor
    # Only what is counted may be left to the label: "14 B" of an input in bytes per parameter, never "24 TB" a day.
    per = "" if not label and is_count(denominator) else slash + denominator
    shown = _rounded(number, digits)
    return f"{shown} {plural(rung) if rung in _PLURAL and shown != '1' else _SHOWN.get(rung, rung)}{per}"


def text_toward(value: float, toward: float, symbol: str, *, binary: bool = False) -> str:
    """Text of a value rounded toward `toward`, never past it.

    >>> text_toward(1.2034e12, 3e12, "B/s"), text_toward(1.2034e12, 1e12, "B/s"), text_toward(64, 80, "GPU")
    ('1.21 TB/s', '1.2 TB/s', '64 GPUs')
    """
    shown = text(value, symbol, binary=binary)
    if not math.isfinite(value) or value == toward:
        return shown
    for share in _NUDGES:
        moved = value + abs(value) * share * (1 if toward > value else -1)
        tried = text(moved, symbol, binary=binary)
        read = parse(tried.replace("\N{MINUS SIGN}", "-"), symbol)
        if (read >= value * (1 - _LEVEL)) if toward > value else (read <= value * (1 + _LEVEL)):
            return tried
    return shown


def text_in(value: float, symbol: str, *, digits: int = _SIGNIFICANT_DIGITS) -> str:
    """Text of a value in exactly this unit, as a source prints it.

    >>> text_in(120e9, "GB"), text_in(10283.6 * 2**20, "MiB", digits=6)
    ('120 GB', '10,283.6 MiB')
    """
    sign = "\N{MINUS SIGN}" if value < 0 else ""
    return f"{sign}{_rounded(abs(value) / unit(symbol).factor, digits)} {symbol}"


def texts_in_one_unit(values: Sequence[float], symbol: str, *, binary: bool = False) -> tuple[str, ...]:
    """Texts of several values, all in the same unit for comparison.

    >>> texts_in_one_unit((14, 3586, 3600), "s"), texts_in_one_unit((0, 2**30, 80 * 2**30), "B", binary=True)
    (('0.233 min', '59.8 min', '60 min'), ('0 GiB', '1 GiB', '80 GiB'))
    """
    head, slash, denominator = symbol.partition("/")
    ladder = _ladder(head, binary=binary)
    sizes = [abs(value) / unit("1" + slash + denominator).factor for value in values if value and math.isfinite(value)]
    if len(ladder) == 1 or not sizes:
        return tuple(text(value, symbol, binary=binary) for value in values)
    readable = [rung for rung in ladder if max(sizes) / unit(rung).factor < _MOST_IN_A_COLUMN] or [ladder[-1]]
    fine = [rung for rung in readable if min(sizes) / unit(rung).factor >= _LEAST_IN_A_COLUMN] or readable[:1]
    rung = min(fine[-1], _magnitude(max(sizes), ladder, _SIGNIFICANT_DIGITS)[1], key=ladder.index)
    chosen = rung + slash + denominator
    return tuple(text_in(value, chosen) if math.isfinite(value) else text(value, symbol) for value in values)


def _percent(value: float, digits: int) -> str:
    """Share in percent, with more digits where rounding would make it 100%."""
    shown = _rounded(value, digits)
    while shown == "100" and abs(value - _ALL) > _ALMOST_ALL:
        digits += 1
        shown = _rounded(value, digits)
    return shown


def _money(value: float, per: str, digits: int) -> str:
    if value >= _COMMAS_TO:
        return "$" + _suffixed(value, digits) + per
    cents = float(f"{value:.2f}")
    if cents != round(cents) and cents == float(_rounded(value, digits).replace(",", "")):
        return f"${value:,.2f}{per}"  # $2.50, but $2.507
    return "$" + _rounded(value, digits) + per


def _suffixed(value: float, digits: int, *, in_words: bool = False) -> str:
    for suffix, word, scale in (("T", " trillion", 1e12), ("B", " billion", 1e9), ("M", " million", 1e6)):
        if value >= scale * (1 - 0.5 * 10.0**-digits):
            return _rounded(value / scale, digits) + (word if in_words else suffix)
    return _rounded(value, digits)


def _count(value: float, head: str, per: str, *, label: bool, digits: int) -> str:
    if value >= _COMMAS_TO * (1 - 0.5 * 10.0**-digits) and (value < _SCIENTIFIC_FROM or head == "parameter"):
        number = _suffixed(value, digits, in_words=label and head == "1")  # 1B of something would be a byte of it
    elif value >= _SCIENTIFIC_FROM:
        number = _scientific(value, digits)
    else:
        number = f"{value:,.0f}" if value == round(value) else _rounded(value, max(digits, _whole_digits(value)))
    if not label:
        return number
    if head == "1":
        return number + per
    return f"{number} {head if number == '1' else plural(head)}{per}"


def _whole_digits(value: float) -> int:
    return len(str(int(abs(value))))


def _scientific(value: float, digits: int) -> str:
    power = math.floor(math.log10(value))
    lead = f"{value / 10.0**power:.{digits - 1}f}"
    if float(lead) >= 10:  # noqa: PLR2004  9.996 rounds to 10.0
        power, lead = power + 1, f"{1:.{digits - 1}f}"
    return f"{lead} × 10" + str(power).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))


@lru_cache(maxsize=_REMEMBERED)
def exact_text(value: float, symbol: str, *, binary: bool = False, doubling: bool = False) -> str:
    """The shortest text that `parse` reads back as this value, for text boxes and links.

    >>> exact_text(85899345920, "B", binary=True), exact_text(1.234567e9, "B"), exact_text(1000, "s")
    ('80 GiB', '1.234567 GB', '1000 s')
    >>> exact_text(0.075 * YEAR / 12, "month"), exact_text(2 * DAY, "month")
    ('0.075 months', '2 days')
    """
    for digits in range(_SIGNIFICANT_DIGITS, _READABLE_DIGITS + 1):
        for shown in _spellings(value, symbol, binary=binary, digits=digits):
            if math.isclose(parse(shown, symbol, doubling=doubling), value, rel_tol=_ROUNDING):
                return shown
    number = _over(value, unit(symbol).factor).replace("e+", "e")  # + would be a space in a link
    return number if is_count(symbol) else f"{number} {symbol}"


def _over(value: float, factor: float) -> str:
    """The number that reads back as the value times a factor; powers of ten only move the point, as in reading."""
    power = round(math.log10(factor))
    if float(f"1e{power}") == factor:
        return f"{Decimal(repr(value)).scaleb(-power):g}".removesuffix(".0").lower()
    return f"{value / factor!r}".removesuffix(".0")


def _spellings(value: float, symbol: str, *, binary: bool, digits: int) -> tuple[str, ...]:
    usual = text(value, symbol, binary=binary, label=False, digits=digits)
    if is_time(symbol) and value >= _NEXT_AT["years"]:
        return usual, f"{_rounded(value / DAY, digits)} days"  # 1,825 days are not quite 5 years
    if symbol in _PLURAL and 0 < value < _LEAST_OF_A_MONTH * unit(symbol).factor:
        return (
            usual,
            f"{_rounded(value / unit(symbol).factor, digits)} {plural(symbol)}",
        )  # 0.075 months: 2.2828125 days
    return (usual,)


def exact_range(low: float, high: float, symbol: str, *, binary: bool = False, doubling: bool = False) -> str:
    """The text that `read_range` reads back as this range.

    >>> exact_range(0.3, 0.45, "share"), exact_range(1.5e12, 2e12, "B/s")
    ('30%–45%', '1.5 TB/s–2 TB/s')
    """
    first, last = (exact_text(end, symbol, binary=binary, doubling=doubling) for end in (low, high))
    if _BARE.fullmatch(first) and not _BARE.fullmatch(last):  # the M of 1,000–1M would be read as that of both
        last = f"{high / unit(symbol).factor!r}".removesuffix(".0")
    return f"{first}–{last}"


def rounded_up(value: float, symbol: str) -> float:
    """Next round value at or above this one: 95 GB/s, 2.5 min.

    >>> text(rounded_up(94.7e9, "B/s"), "B/s"), text(rounded_up(142, "s"), "s"), text(rounded_up(2840, "s"), "s")
    ('95 GB/s', '2.5 min', '50 min')
    """
    head, slash, denominator = symbol.partition("/")
    below = unit("1" + slash + denominator).factor
    number, rung = _magnitude(value / below, _ladder(head, binary=False), _SIGNIFICANT_DIGITS)
    step = 10.0 ** (math.floor(math.log10(number)) - 1)
    if is_time(symbol) and number >= 1:
        step = next(step for least, step in _TIME_STEPS if number >= least)
    return math.ceil(number / step * (1 - _ROUNDING)) * step * unit(rung).factor * below


@lru_cache(maxsize=_REMEMBERED)
def other_system(value: float, symbol: str, *, binary: bool) -> str | None:
    """Data in the other system, decimal for binary: '1.05 TB' for '980 GiB'. None where there is none."""
    if not is_data(symbol) or abs(value) < 1000 or math.isinf(value):  # noqa: PLR2004
        return None
    return text(value, symbol, binary=not binary)

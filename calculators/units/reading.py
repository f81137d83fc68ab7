"""Reading quantities: text to a number in base units, or an error sentence."""

import itertools
import math
import re
from dataclasses import dataclass

from calculators.units.currencies import CODES, RATES, code_last
from calculators.units.kinds import example, kind
from calculators.units.symbols import BINARY, COUNTS, DECIMAL, UnitError, is_count, is_time, plural, unit

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SPACES = str.maketrans(dict.fromkeys("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}", " "))
# Thousands are grouped by commas, by spaces (as SI does) or by apostrophes, by one of them in a number.
_GROUPED = r"[1-9]\d{0,2}(?:(?:,\d{3})+(?![\d,])|(?: \d{3})+(?! ?\d)|(?:['’]\d{3})+(?!['’\d]))"
_NUMBER = re.compile(
    rf"(?P<number>[+-]?(?:(?:{_GROUPED}|\d[\d_]*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{{1,4}})?)\s*(?P<unit>.*)", re.DOTALL
)
_POWER_OF_TEN = re.compile(r"\s*[×x*]\s*10\s*(?:\^|\*\*)?\s*(?P<power>[+-]?[0-9]{1,3})")
_COMMA = re.compile(r"[+-]?\d[\d,.]*,[\d,.]*")
_POINTS = re.compile(r"[+-]?\d+(?:\.\d+){2,}")
_TO_ONE = re.compile(r"\s*:\s*1\Z")  # as in an oversubscription of 3:1
_SIGNS_OF_GROUPS = str.maketrans(dict.fromkeys(",_ '’", ""))
_PART = re.compile(r"(\d[\d_]*(?:\.\d+)?)\s*([A-Za-zµμ]+)\s*(?:,\s*|and\s+)?")
_DOUBLING = re.compile(r"(\d+)\s*([kKmM])(?:\s*tokens?)?")
_LETTERS = re.compile(r"[\x00-\x7f×µμ·°’]*")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]")
_TEN_RAISED = re.compile(r"10(?=[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹])")
_PER = re.compile(r"(?<=\S)\s+per\s+(?=\S)")
_COUNT_SUFFIXES = {
    **dict.fromkeys(("k", "K", "thousand"), 1e3),
    **dict.fromkeys(("m", "M", "mn", "million"), 1e6),
    **dict.fromkeys(("b", "B", "bn", "G", "billion"), 1e9),
    **dict.fromkeys(("t", "T", "tn", "trillion"), 1e12),
    **dict.fromkeys(("q", "Q", "P", "quadrillion"), 1e15),
    **{prefix: scale for prefix, scale in BINARY.items() if prefix in {"Ki", "Mi"}},
}
# What needs no more than this in a field of its kind: 40%, 400G of bits per second; elsewhere m is a minute. A rise of
# ten degrees is one of 10 K.
_SHORT = {("share", "%"): 0.01, ("metre", "m"): 1.0, ("K", "C"): 1.0, ("K", "°C"): 1.0}
_SHORT |= {(head, prefix): scale for head in ("FLOP", "bit") for prefix, scale in DECIMAL.items()}
# A context of 128k is one of 131,072 tokens: such lengths are powers of two, and k and M then count in 1,024s.
_CONTEXT_SUFFIXES = {"k": 2.0**10, "K": 2.0**10, "m": 2.0**20, "M": 2.0**20}
_HOURS = ("h", "hr", "hour")  # of a GPU, where the price of one is asked for
_COUNTED = {word: count for count in COUNTS for word in (count, plural(count))}
_ALIKE = (
    *({"GPU", "chip", "rank"}, {"node", "server"}, {"request", "operation"}, {"sample", "sequence", "file"}),
    *({"value", "parameter"},),
)
# Between the ends of a range: to, two dots or a dash; the sign of a power of ten, 1e-3, is none.
_BETWEEN = re.compile(r"(?<=[\w%.])\s*(?:\bto\b|\.\.\.?|…|[–—]|(?<!\d[eE])-)\s*(?=[$+.\d])")
_BEGINS = re.compile(r"[+-]?\.?\d")
_BARE = re.compile(r"[+-]?[\d.,_]+(?:[eE][+-]?\d+)?")
_LONGEST_TEXT = 80
_LARGEST = 1e300


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Result of reading a text: the value in base units, and a note on how it was read."""

    value: float
    note: str = ""


def parse(text: str, symbol: str, *, doubling: bool = False) -> float:
    """Return the value of `text` in base units, read as a quantity of the unit `symbol`.

    A bare number is in `symbol` itself. Raises UnitError with a sentence for the reader.

    >>> parse("70B", "parameter"), parse("2.5 TB/s", "B/s"), parse("1h30m", "s"), parse("40%", "share")
    (70000000000.0, 2500000000000.0, 5400.0, 0.4)
    >>> parse("3:1", "1")
    3.0
    """
    return reading(text, symbol, doubling=doubling).value


def reading(text: str, symbol: str, *, doubling: bool = False) -> Reading:
    """`text` read as by `parse`, with a note where the input has its own convention.

    `doubling` says that the quantity usually is a power of two.

    >>> reading("128k", "token", doubling=True)
    Reading(value=131072.0, note='“128k” was read as 131,072 tokens: a length of 128k is 128 × 1,024')
    >>> reading("128k", "token").value
    128000.0
    """
    if len(text) > _LONGEST_TEXT:
        message = f"“{text[:_LONGEST_TEXT]}…” is too long to be a quantity"
        raise UnitError(message)
    shown, cleaned = text, _cleaned(text)
    if symbol == "token" and doubling and (found := _DOUBLING.fullmatch(cleaned)):
        return _length(shown, int(found[1]), found[2])
    if is_time(symbol) and (seconds := _duration(cleaned)) is not None:
        return Reading(value=seconds)
    match = _NUMBER.fullmatch(cleaned)
    comma = _COMMA.match(cleaned)
    if comma and not (match and "," in match["number"] and not match["unit"].startswith(",")):
        message = f"“{shown}”: commas only group thousands, as in 1,000,000; write {_without_comma(comma[0])}"
        raise UnitError(message + cleaned[comma.end() :])
    if _POINTS.match(cleaned):
        message = f"“{shown}”: a point begins the decimals, and there are several; commas group thousands"
        raise UnitError(message)
    if not match or (not cleaned.isascii() and not _LETTERS.fullmatch(cleaned)):
        message = f"“{shown}” is not a number with a unit; write for example {example(symbol)}"
        raise UnitError(message)
    number, rest = match["number"].translate(_SIGNS_OF_GROUPS), match["unit"]
    if power := _POWER_OF_TEN.match(rest):
        number = _shifted(number, int(power["power"]))
        rest = rest[power.end() :]
    if symbol == "1":
        rest = _TO_ONE.sub("", rest)
    value = _times(number, _factor(rest.strip(), symbol, shown))
    if not abs(value) < _LARGEST:
        message = f"“{shown}” is too large to calculate with; write a number below 1e300"
        raise UnitError(message)
    note = _thousands(shown, cleaned, value) if symbol == "token" else _converted(shown, rest) if RATES else ""
    return Reading(value=value, note=note)


def read_range(text: str, symbol: str, *, doubling: bool = False) -> tuple[float, float] | None:
    """The ends of a range in base units, low and high; None where `text` is one quantity or none at all.

    The unit may appear once, at the end. Raises UnitError where an end cannot be read or low exceeds high.

    >>> read_range("30–45%", "share"), read_range("1.5 to 2 TB/s", "B/s"), read_range("1e-3", "share")
    ((0.3, 0.45), (1500000000000.0, 2000000000000.0), None)
    """
    if len(text) > 2 * _LONGEST_TEXT:
        return None
    cleaned = _cleaned(text)
    between = _BETWEEN.search(cleaned)
    if between is None or not _BEGINS.match(cleaned) or _is_quantity(text, symbol, doubling=doubling):
        return None
    first, last = cleaned[: between.start()].strip(), cleaned[between.end() :].strip().removeprefix("$")
    number = _NUMBER.fullmatch(last)
    if number and _BARE.fullmatch(first):
        first += last[number.end("number") :]
    high, low = (parse(end, symbol, doubling=doubling) for end in (last, first))
    if low > high:
        message = f"“{text}”: a range begins at its lower end; write {last} to {first}"
        raise UnitError(message)
    return low, high


def _is_quantity(text: str, symbol: str, *, doubling: bool) -> bool:
    try:
        parse(text, symbol, doubling=doubling)
    except UnitError:
        return False
    return True


def _cleaned(text: str) -> str:
    """`text` with plain spaces, signs and digits, and without the dollar sign before it."""
    cleaned = text.translate(_SPACES).replace("\N{MINUS SIGN}", "-").strip().removeprefix("$").strip()
    cleaned = cleaned if cleaned.isascii() else code_last(cleaned)
    if _RAISED.search(cleaned):
        cleaned = _TEN_RAISED.sub("10^", cleaned).translate(_SUPERSCRIPTS)
    return _PER.sub("/", cleaned)


def _without_comma(number: str) -> str:
    """Number probably meant by a misplaced comma: 2.50 for 2,50."""
    whole, _, places = number.rpartition(",")
    thousands = len(places) == len("000") and whole.strip("+-0")
    if not places or "." in places or "," in whole or thousands:
        return number.replace(",", "")
    return f"{whole.replace('.', '')}.{places}"


def _shifted(number: str, power: int) -> str:
    """The number as written, times ten to this power."""
    digits, _, own = number.lower().partition("e")
    return f"{digits}e{int(own or 0) + power}"


def _times(number: str, factor: float) -> float:
    """The number as written, times a factor; powers of ten only move the point, so that 8.023687M is 8,023,687."""
    power = round(math.log10(factor))
    if float(f"1e{power}") == factor:
        return float(_shifted(number, power))  # beyond what a float can hold this is inf
    return float(number) * factor


def _length(shown: str, number: int, suffix: str) -> Reading:
    """Length in tokens as AI practice writes it: powers of two in units of 1,024, other numbers in thousands."""
    scale = _CONTEXT_SUFFIXES[suffix] if _power_of_two(number) else _COUNT_SUFFIXES[suffix]
    value = number * scale
    why = f"a length of {number}{suffix} is {number:,} × {scale:,.0f}"
    return Reading(value=value, note=f"“{shown}” was read as {value:,.0f} {plural('token')}: {why}")


def _thousands(shown: str, cleaned: str, value: float) -> str:
    """Note on a number of tokens that could be a length in units of 1,024 as well; else empty."""
    found = _DOUBLING.fullmatch(cleaned)
    if found is None or found[2] not in {"k", "K"} or not _power_of_two(int(found[1])):
        return ""
    return f"“{shown}” was read as {value:,.0f} {plural('token')}: {int(found[1])} × 1,000, not × 1,024"


def _converted(shown: str, rest: str) -> str:
    """Note on the rate with which an amount in another currency was read; else empty."""
    amount = rest.partition("/")[0]
    currency = (_suffixed(amount) or (1.0, amount.strip()))[1]
    rate = RATES.get(currency)
    day = f" on {rate.day.isoformat()}" if rate and rate.day else ""
    return f"“{shown}” was read at {rate.dollars:g} USD for one {currency}{day}" if rate else ""


def _power_of_two(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0


def _duration(cleaned: str) -> float | None:
    """The seconds of a duration in several units, long before short, such as 1h30m; None for anything else."""
    parts = _PART.findall(cleaned)
    if len(parts) < 2 or _PART.sub("", cleaned):  # noqa: PLR2004  one part is an ordinary quantity
        return None
    try:
        found = [(float(number.replace("_", "")), unit(symbol)) for number, symbol in parts]
    except UnitError:
        return None
    falling = all(before.factor > after.factor for (_, before), (_, after) in itertools.pairwise(found))
    if not falling or any(part.dimensions != (("time", 1),) for _, part in found):
        return None
    return sum(number * part.factor for number, part in found)


def _suffixed(typed: str) -> tuple[float, str] | None:
    """Factor of a word such as "billion", and the text after it."""
    word, _, tail = typed.partition(" ")
    scale = _COUNT_SUFFIXES.get(word)
    if scale is None and len(word) > 1:
        scale = _COUNT_SUFFIXES.get(word.lower())
    return None if scale is None else (scale, tail.strip())


def _factor(typed: str, symbol: str, shown: str) -> float:
    """Value of one of the typed unit in base units, checked to be of the expected kind."""
    wanted = unit(symbol)
    head = symbol.partition("/")[0]
    if not typed:
        return wanted.factor
    if head == "USD":
        amount, slash, per = typed.partition("/")
        scale, currency = _suffixed(amount) or (1.0, amount.strip())
        if currency in CODES and currency not in RATES:
            message = f"“{shown}”: no rate of {currency} is known; write USD, or state it in your own facts"
            raise UnitError(message)
        if currency in RATES:
            scale, currency = scale * RATES[currency].dollars, ""
        if currency in {"", "USD", "$"}:
            plain = not slash or (symbol == "USD/GPU-hour" and per.strip() in _HOURS)
            return scale * (wanted.factor if plain else _of_unit("USD/" + per, symbol, shown))
    if is_count(symbol) and (counted := _suffixed(typed)):
        return counted[0] * _factor(counted[1], symbol, shown)
    if (head, typed) in _SHORT:
        return _SHORT[head, typed] * wanted.factor
    prefix = head.removesuffix("bit")
    if prefix in DECIMAL and typed in DECIMAL and symbol.endswith("bit/s"):  # 400G for a port in Gbit/s
        return DECIMAL[typed] / DECIMAL[prefix] * wanted.factor
    return _of_unit(typed, symbol, shown)


def _of_unit(typed: str, symbol: str, shown: str) -> float:
    try:
        if typed[0].isdigit():
            raise UnitError  # noqa: TRY301  two numbers, as in 5 1
        found = unit("1" + typed if typed.startswith("/") else typed.replace(" ", "") if "/" in typed else typed)
    except UnitError:
        message = f"“{shown}”: {typed!r} is not a unit of {kind(symbol)}; write for example {example(symbol)}"
        raise UnitError(message) from None
    alike = dict(found.dimensions) == dict(unit(symbol).dimensions) and not _counts_another(typed, symbol)
    if not alike or (typed.startswith("%") and not symbol.startswith("share")):
        message = f"“{shown}” is not {kind(symbol)}; write for example {example(symbol)}"
        raise UnitError(message)
    if each := _per_another(typed, symbol):
        message = f"“{shown}” is per {each}; enter it in the unit of this input, for example {example(symbol)}"
        raise UnitError(message)
    return found.factor


def _per_another(typed: str, symbol: str) -> str:
    """Per-unit of an entry where the input is a total: "GPU" in a rate per GPU."""
    given, wanted = ([_COUNTED.get(part.strip()) for part in text.split("/")[1:]] for text in (typed, symbol))
    for each in filter(None, given):
        if each not in wanted and not any(each in both and both & set(wanted) for both in _ALIKE):
            return each
    return ""


def _counts_another(typed: str, symbol: str) -> bool:
    """Whether an entry counts something other than the input: nodes where the input is GPUs."""
    given, wanted = (_COUNTED.get(text.partition("/")[0].strip()) for text in (typed, symbol))
    return None not in {given, wanted} and given != wanted and not any({given, wanted} <= both for both in _ALIKE)

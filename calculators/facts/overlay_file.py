"""One file of the reader's own facts, read record by record: what cannot be read is a sentence that names its line."""

import difflib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Any

from calculators import units
from calculators.facts.overlay_parts import FACTS, HEAD, Part, parts
from calculators.facts.overlay_records import OWN, Overlay, Own
from calculators.facts.stated import Stated
from calculators.files import shown
from calculators.problems import MOST_LISTED
from calculators.toml_text import TomlError, parsed
from calculators.units.currencies import CODES, RATES, Rate

YOURS = " (yours)"
# What readers call the records of a menu: the facts file that has them, and how their keys begin.
MENUS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "accelerators": ("accelerators", ""),
        "models": ("models", ""),
        "servers": ("power-servers", "server-"),
        "switches": ("fabric", "fabric-switch-"),
        "drives": ("store", "drive-"),
        "storage-nodes": ("store", "store-"),
        "rents": ("prices", "rent-h100-"),
        "workloads": ("workloads", ""),
        "file-systems": ("stores", ""),
        "embedding-models": ("embedders", ""),
    }
)
# What comes to an accelerator by a relation, so that no record of a menu states it itself.
_RELATED: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "price_per_gpu_hour": {"unit": "USD/GPU-hour", "price_class": "rent"},
        "server_price_per_gpu": {"unit": "USD", "price_class": "server"},
        "host_power_per_gpu": {"unit": "W"},
    }
)
_LONGEST = 400  # letters of a sentence, which may repeat what the file states
_LONGEST_FILE, _MOST = 500_000, 1000  # characters; records and single facts, for which no page waits long
_LARGEST, _DIGITS = 1e300, 20
_KEY = re.compile(r"[a-z0-9][a-z0-9-]*")
_NOT_NUMBERS = frozenset(("name", "vendor", "form", "note", "like", "related", "released"))
_ENDS = ("value", "low", "high")
_REPLACED = (*_ENDS, "unit", "kind", "source", "where", "read_on", "priced_on", "note", "conflict", "unchecked")


@dataclass(frozen=True)
class _Shape:
    """Form of a field: its unit, empty for a word or for yes and no, and whether published values are above 0."""

    unit: str
    is_positive: bool

    @classmethod
    def of(cls, stated: Any) -> "_Shape":
        """Shape of a fact as a facts file states it."""
        value = stated.get("value") if isinstance(stated, Mapping) else stated
        if isinstance(value, bool | str):
            return cls("", is_positive=False)
        unit = str(stated.get("unit", "1")) if isinstance(stated, Mapping) else "1"
        return cls(unit, is_positive=value is not None and value > 0)


@dataclass(frozen=True, kw_only=True)
class _Menu:
    """Fields of a menu's records: the shape of each, and those that every record has."""

    shapes: Mapping[str, _Shape]
    needed: frozenset[str]


class OverlayError(Exception):
    """A part of an overlay that cannot be read: a sentence without its place."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class OverlayFile:
    """One file while it is read: its head, and where what it states goes."""

    def __init__(self, name: str, known: Mapping[str, Stated], into: Overlay) -> None:
        self.name, self.into = name, into
        self.known = dict(known) | into.records
        self.day: date | None = None
        self.source = f"{OWN}-{len(into.sources) + 1}"
        self._menus: dict[str, _Menu] = {}  # those that have been asked for, as published

    def read(self, text: str) -> None:
        """Read all of it; what cannot be read becomes a problem. Raises ValueError for more than a page can read."""
        if len(text) > _LONGEST_FILE:
            message = f"it has {len(text):,} characters: give what you use, in at most {_LONGEST_FILE:,}"
            raise ValueError(message)
        found = parts(text)
        _check_number(len(found))
        tables = [(part, table) for part in self._once(found) if (table := self._parsed(part)) is not None]
        _check_number(sum(len(one) for _, table in tables for one in table.values() if isinstance(one, dict)))
        heads = [(part, table) for part, table in tables if part.header == HEAD]
        self._head(heads[0] if heads else (Part(HEAD, 1, ""), {}))
        for part, table in tables:
            if part.header == HEAD:
                continue
            for kind, stated in table.items():
                self._table(part, kind, stated)

    def _once(self, found: Iterable[Part]) -> Iterator[Part]:
        """Parts of different headers; one that comes again is a problem."""
        lines: dict[str, int] = {}
        for part in found:
            first = lines.setdefault(part.header, part.line)
            if first == part.line:
                yield part
            else:
                again = f"[{part.header}] is there already, in line {first}: join the two; this one is left out"
                self._wrong(part.place(), again)

    def _parsed(self, part: Part) -> Mapping[str, Any] | None:
        try:
            return parsed(part.text)
        except TomlError as error:
            place, what = f"line {part.line + error.line - 1}", error.sentence
        except ValueError as error:
            place, what = part.place(), str(error)
        self._wrong(place, f"{what}; [{part.header[:_LONGEST]}] is left out")
        return None

    def _wrong(self, place: str, sentence: str) -> None:
        short = sentence if len(sentence) <= _LONGEST else f"{sentence[:_LONGEST]}…"
        self.into.problems.append(f"{self.name}, {place}: {short.rstrip('.')}.")

    def _close(self, typed: str, names: Iterable[str]) -> str:
        """The most similar name as " (did you mean X?)"; a search of milliseconds, so for the first problems alone."""
        if len(self.into.problems) >= MOST_LISTED:
            return ""
        found = difflib.get_close_matches(typed, list(names), n=1, cutoff=0.6)
        return f" (did you mean {found[0]}?)" if found else ""

    def _head(self, head: tuple[Part, Mapping[str, Any]]) -> None:
        part, table = head
        stated = table.get(HEAD, {})
        day = stated.get("date")
        if type(day) is date:  # a moment cannot be compared with a day
            self.day = day
        elif day is not None:
            self._wrong(part.place("date"), f"date must be a day such as 2026-11-28, not {day}")
        rate_day = stated.get("rate_date", self.day)
        rates = stated.get("rates", {})
        if not isinstance(rates, dict):
            self._wrong(part.place("rates"), "rates must be a table such as { EUR = 1.08 }")
            rates = {}
        for code, dollars in rates.items():
            if code not in CODES:
                self._wrong(part.place("rates"), f"{code} is not the code of a currency; write for example EUR")
            elif not isinstance(dollars, int | float) or not 0 < dollars < float("inf"):
                self._wrong(part.place("rates"), f"the rate of {code} must be the dollars for one {code}")
            else:
                RATES[code] = Rate(dollars=float(dollars), day=rate_day if type(rate_day) is date else None)
        title = str(stated.get("name", "Your own facts"))
        what = {"title": title + YOURS, "read": "opened", "how": f"stated in {self.name}"}
        dated = {"read_on": self.day} if self.day else {}
        self.into.sources[self.source] = Own("sources", self.source, "", what | dated)

    def _table(self, part: Part, kind: str, stated: Any) -> None:
        if kind == FACTS and isinstance(stated, dict):
            for key, value in _single(stated):
                self._attempt(part, key, partial(self._replaced, part, key, value))
        elif kind not in MENUS:
            self._wrong(
                part.place(), f"[{part.header}] is no menu{self._close(kind, MENUS)}; there are {', '.join(MENUS)}"
            )
        elif not isinstance(stated, dict) or not all(isinstance(one, dict) for one in stated.values()):
            self._wrong(part.place(), f"[{kind}] holds no records: write [{kind}.a-name]")
        else:
            for key, fields in stated.items():
                self._attempt(part, "", partial(self._record, part, kind, key, fields))

    def _attempt(self, part: Part, field: str, read: Callable[[], str]) -> None:
        try:
            self.into.named.append(read())
        except OverlayError as problem:
            left_out = field or f"[{part.header}]"
            self._wrong(part.place(problem.field or field), f"{problem}; {left_out} is left out")

    def _record(self, part: Part, kind: str, key: str, fields: Mapping[str, Any]) -> str:
        table, prefix = MENUS[kind]
        if not _KEY.fullmatch(key):
            raise OverlayError(f"“{key}” must consist of small letters, digits and hyphens")
        whole = key if key.startswith(prefix) else prefix + key
        menu = self._menu(kind)
        base = self._base(kind, str(fields.get("like", "")), whole)
        own = {name: one for name, one in fields.items() if name not in _NOT_NUMBERS}
        read = {
            name: self._value(part, name, one, base.get(name, _RELATED.get(name)), menu.shapes.get(name))
            for name, one in own.items()
        }
        related = {name: to for name, to in base.get("related", {}).items() if name not in own}
        if missing := sorted(menu.needed - read.keys() - base.keys()):
            raise OverlayError(f"{key} lacks {', '.join(missing)}; state them, or name a record that it is `like`")
        name = str(fields.get("name") or base.get("name") or key).removesuffix(YOURS) + YOURS
        report = {one: fields[one] for one in ("vendor", "form", "note", "released") if one in fields}
        provenance = {"kind": OWN, "source": self.source} if not base else {}
        what = {**base, **provenance, **report, **read, "name": name} | ({"related": related} if related else {})
        if not related:
            what.pop("related", None)
        self.into.records[whole] = self.known[whole] = Own(table, whole, "", what)
        return f"{kind}: {name}, {whole}"

    def _menu(self, kind: str) -> _Menu:
        """Shapes and needed fields of a menu's records, from those known when it is first asked for."""
        if kind not in self._menus:
            parsed = [one.parsed() for name, one in self.known.items() if self._is_of(kind, name)]
            needed = frozenset.intersection(*(frozenset(_fields(one)) for one in parsed))
            self._menus[kind] = _Menu(shapes=_shapes(parsed), needed=needed)
        return self._menus[kind]

    def _is_of(self, kind: str, name: str) -> bool:
        table, prefix = MENUS[kind]
        return name in self.known and self.known[name].table == table and name.startswith(prefix)

    def _base(self, kind: str, like: str, whole: str) -> Mapping[str, Any]:
        """Record that this one is like: the one it names, or that it replaces; empty for one on its own."""
        if not like:
            return self._known(whole) if self._is_of(kind, whole) else {}
        prefix = MENUS[kind][1]
        found = next((name for name in (like, prefix + like) if self._is_of(kind, name)), None)
        if found is None:
            names = (name.removeprefix(prefix) for name in self.known if self._is_of(kind, name))
            raise OverlayError(f"there is no {like} to be like{self._close(like, names)}", "like")
        return self._known(found)

    def _known(self, key: str) -> Mapping[str, Any]:
        """A known record, parsed once: a price list has many that are like it."""
        stated = self.known[key]
        if not isinstance(stated, Own):
            stated = self.known[key] = Own(stated.table, key, "", stated.parsed())
        return stated.what

    def _replaced(self, part: Part, key: str, value: Any) -> str:
        """A single fact instead of the published one."""
        record, name = (key, "") if key in self.known else key.rpartition(".")[::2]
        if record not in self.known:
            raise OverlayError(f"there is no fact {key}{self._close(key, self.known)}")
        base = self._known(record)
        if name and name not in _fields(base):
            raise OverlayError(f"{record} has no {name}{self._close(name, _fields(base))}")
        if not name and "value" not in base:
            raise OverlayError(f"{key} has several fields: write {key}.{next(iter(_fields(base)))}, for example")
        was = base.get(name) if name else base
        read = self._value(part, name or key, value, was, _Shape.of(was))
        what = {**base, name: read} if name else {one: base[one] for one in base if one not in _REPLACED} | read
        title = str(base.get("name", record)).removesuffix(YOURS)
        own = Own(self.known[record].table, record, "", {**what, "name": title + YOURS})
        self.into.records[record] = self.known[record] = own
        return f"{title}{': ' + name.replace('_', ' ') if name else ''}{YOURS}"

    def _value(self, part: Part, name: str, given: Any, was: Any, shape: _Shape | None) -> dict[str, Any]:
        """A field of an own record as facts files state it."""
        if shape is None:
            message = f"no record has {name}; check the spelling, or leave it out"
            raise OverlayError(message, name)
        stated = dict(given) if isinstance(given, dict) else {"value": given}
        if unknown := sorted(stated.keys() - {*_ENDS, "note"}):
            message = f"{name} has {', '.join(unknown)}; it may have value, low, high and note"
            raise OverlayError(message, name)
        found: dict[str, Any] = {"kind": OWN, "source": self.source, "where": part.place(name)}
        if "note" in stated:
            found["note"] = str(stated["note"])
        if not shape.unit:
            return found | _word(name, stated.get("value"), was)
        if shape.unit.startswith("USD") and self.day:
            found["priced_on"] = self.day
            found |= {one: was[one] for one in ("price_class",) if isinstance(was, Mapping) and one in was}
        return found | _amount(name, stated, shape)


def _check_number(entries: int) -> None:
    if entries > _MOST:
        message = f"it has {entries:,} records and facts: give those you use, at most {_MOST:,}"
        raise ValueError(message)


def _single(stated: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Keys and values of single facts; a key with a point in it (h100-sxm.gpu_memory) is a table to TOML."""
    for key, value in stated.items():
        if isinstance(value, dict) and value.keys().isdisjoint(_ENDS):
            yield from ((f"{key}.{name}", one) for name, one in value.items())
        else:
            yield key, value


def _word(name: str, value: Any, was: Any) -> dict[str, Any]:
    """A word, or yes and no, of the kind that other records have there."""
    like = was.get("value") if isinstance(was, Mapping) else was
    if like is not None and not isinstance(value, type(like)):
        message = f"{name} must be like {shown(like)}, not {shown(value)}"
        raise OverlayError(message, name)
    return {"value": value}


def _amount(name: str, stated: Mapping[str, Any], shape: _Shape) -> dict[str, Any]:
    """A value with its range, in the unit of this shape."""
    found: dict[str, Any] = {}
    for end in _ENDS:
        if end in stated:
            found |= _quantity(name, end, stated[end], shape.unit)
    if "value" not in found:
        message = f"{name} has no value"
        raise OverlayError(message, name)
    if not found.get("low", found["value"]) <= found["value"] <= found.get("high", found["value"]):
        message = f"{name}: the value must lie between low and high"
        raise OverlayError(message, name)
    if shape.is_positive and min(found[end] for end in found) <= 0:
        message = f"{name} must be more than 0"
        raise OverlayError(message, name)
    return {**found, "unit": shape.unit}


def _quantity(name: str, end: str, given: Any, unit: str) -> dict[str, float]:
    """A number in this unit, with the ends of a range where the text has them."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise OverlayError(f"{name} must be a number or a text with a unit, not {shown(given)}", name)
    if not isinstance(given, str):
        if not abs(given) < math.inf or abs(given) > _LARGEST:
            message = f"{name} must be a finite number up to {_LARGEST:g}, not {str(given)[:_DIGITS]}…"
            raise OverlayError(message, name)
        return {end: given}
    factor = units.unit(unit).factor
    try:
        between = units.read_range(given, unit) if end == "value" else None
        if between is None:
            return {end: _plain(given, unit) or units.parse(given, unit) / factor}
    except units.UnitError as error:
        raise OverlayError(f"{name}: {error}", name) from None
    low, high = (one / factor for one in between)
    return {"value": (low + high) / 2, "low": low, "high": high}


def _plain(given: str, unit: str) -> float | None:
    """The number of a text in this very unit, without a detour by base units."""
    number = given.removesuffix(unit).strip()
    return float(number) if re.fullmatch(r"\d+(\.\d+)?", number) else None


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a record that are facts."""
    reports = {*_REPLACED, *_NOT_NUMBERS, "price_class", "density", "direction"}
    return {name: one for name, one in record.items() if name not in reports}


def _shapes(records: Iterable[Mapping[str, Any]]) -> dict[str, _Shape]:
    """Shape of every field that any of these records has, those of related facts included."""
    found = {name: _Shape(str(one["unit"]), is_positive=True) for name, one in _RELATED.items()}
    for one in records:
        for name, stated in _fields(one).items():
            shape = _Shape.of(stated)
            was = found.get(name, shape)
            found[name] = _Shape(was.unit, is_positive=was.is_positive and shape.is_positive)
    return found

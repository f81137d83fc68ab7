"""Facts: every number with a source, read from facts/<subject>/*.toml as typed records.

A record is a table such as `h100-sxm` or `mfu`; its fields are facts. A stand-alone number is a record whose table
holds `value` itself. Values are in base units (units.py); `text` is what readers see.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from calculators import units
from calculators.facts import overlay as files
from calculators.facts import stated as published
from calculators.facts.overlay_records import OWN
from calculators.facts.stated import FactError, Lazily

__all__ = [
    "KINDS",
    "NEEDS_NO_SOURCE",
    "READ",
    "Fact",
    "FactError",
    "Record",
    "Source",
    "all_records",
    "fact",
    "forget",
    "priced",
    "read_before",
    "records",
    "sources",
    "usable",
]

KINDS = ("datasheet", "measured", "published", "derived", "convention", "estimate", OWN)
NEEDS_NO_SOURCE = ("convention", "estimate", OWN)
# How near we came to a source, nearest first, as printed before the day: "excerpt seen 2026-11-20".
READ = MappingProxyType(
    {
        "opened": "read",
        "excerpt": "excerpt seen",
        "quotation": "quotation seen",
        "abstract": "abstract read",
        "secondary": "report of it read",
    }
)
_PROVENANCE = (
    "kind",
    "source",
    "where",
    "read_on",
    "priced_on",
    "price_class",
    "note",
    "unchecked",
    "density",
    "direction",
)
_NOT_FIELDS = frozenset((*_PROVENANCE, "name", "vendor", "released", "form", "conflict", "related"))
_OF_A_FACT = frozenset((*_PROVENANCE, "value", "unit", "low", "high"))


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a number was read: title, who, year, address; how near we came to it, on which day and in which copy."""

    key: str
    title: str
    read: str
    by: str = ""
    year: int | None = None
    url: str = ""
    read_on: datetime.date | None = None
    how: str = ""

    @property
    def reading(self) -> str:
        """Reading of the source and its day, such as "excerpt seen 2026-11-20"."""
        return _reading(self.read, self.read_on)


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One number (or word) with its range and its source. `value`, `low`, `high` in base units of `unit`.

    Of a price, `priced_on` is the day on which it held, `price_class` which limit its age is compared with.
    """

    key: str
    name: str
    value: Any
    unit: str = "1"
    low: float | None = None
    high: float | None = None
    kind: str
    source: Source | None = None
    where: str = ""
    read_on: datetime.date | None = None
    priced_on: datetime.date | None = None
    price_class: str = ""
    note: str = ""
    unchecked: bool = False
    density: str = ""
    direction: str = ""

    @property
    def text(self) -> str:
        """The value as readers see it, with its unit."""
        return self.shown(self.value)

    @property
    def at_first_hand(self) -> bool:
        """Whether the source itself, or a stored copy of it, was open at the place cited."""
        return self.source is not None and self.source.read == "opened" and not self.unchecked

    @property
    def last_read(self) -> datetime.date | None:
        """The last day on which the fact or its source was read; None where neither has a day."""
        days = (self.read_on, self.source.read_on if self.source else None)
        return max((day for day in days if day), default=None)

    @property
    def reading(self) -> str:
        """Reading of the source and its day, empty without a source; of a price, its day too."""
        if self.source is None:
            return ""
        reading = _reading(self.source.read, self.last_read)
        return f"price of {self.priced_on.isoformat()}, {reading}" if self.priced_on else reading

    @property
    def spread(self) -> tuple[float, float] | None:
        """The range: between which values the truth may lie. None where none was published."""
        if self.low is None and self.high is None:
            return None
        return (self.value if self.low is None else self.low, self.value if self.high is None else self.high)

    @property
    def spread_text(self) -> str:
        """The range as readers see it, or nothing."""
        return " to ".join(self.shown(end) for end in self.spread) if self.spread else ""

    def shown(self, value: Any) -> str:
        """A value of this kind, such as an end of the range, as readers see it."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return value
        digits = 3 if units.is_time(self.unit) else 4
        return units.text(value, self.unit, binary="iB" in self.unit, digits=digits)


@dataclass(frozen=True, kw_only=True)
class Record:
    """A thing with several facts, such as an accelerator or a model; a stand-alone fact is a record with one.

    `related` names other records, or facts of theirs, that belong to it: an accelerator's server, links and price.
    """

    key: str
    table: str
    name: str
    fields: Mapping[str, Fact]
    vendor: str = ""
    form: str = ""
    released: int | None = None
    conflict: str = ""
    note: str = ""
    related: Mapping[str, str] = field(default_factory=dict)

    def value(self, field: str) -> Any:
        """The value of a field in base units, or None where the record does not state it."""
        found = self.fields.get(field)
        return None if found is None else found.value


def _reading(read: str, day: datetime.date | None) -> str:
    return f"{READ[read]} {day.isoformat()}" if day else READ[read]


def _source(key: str, stated: Mapping[str, Any]) -> Source:
    if stated.get("read") not in READ:
        message = f"{key}: read must be one of {', '.join(READ)}, not {stated.get('read')!r}"
        raise FactError(message)
    if not stated.get("how"):
        message = f"{key}: how must say which copy or passage was read"
        raise FactError(message)
    return Source(key=key, **stated)


def sources() -> Mapping[str, Source]:
    """Every source by its key."""
    return Lazily(files.stated_sources(), _read_source)


@cache
def _read_source(key: str) -> Source:
    return _source(key, files.stated_sources()[key].parsed())


def _base(value: Any, unit: str, key: str) -> Any:
    if isinstance(value, bool | str) or value is None:
        return value
    try:
        return value * units.unit(unit).factor
    except units.UnitError as error:
        message = f"{key}: {error}"
        raise FactError(message) from None


def _fact(key: str, name: str, stated: Mapping[str, Any], inherited: Mapping[str, Any]) -> Fact:
    if unknown := set(stated) - _OF_A_FACT - _NOT_FIELDS:
        message = f"{key}: no fact has {', '.join(sorted(unknown))}"
        raise FactError(message)
    merged = {**inherited, **stated}
    kind = merged.get("kind", "")
    if kind not in KINDS:
        message = f"{key}: kind must be one of {', '.join(KINDS)}, not {kind!r}"
        raise FactError(message)
    cited = sources().get(merged.get("source", ""))
    if "source" in merged and cited is None:
        message = f"{key}: no source {merged['source']!r} in facts/*/sources.toml"
        raise FactError(message)
    if kind not in NEEDS_NO_SOURCE and (cited is None or not cited.url):
        message = f"{key}: a {kind} fact needs a source with an address"
        raise FactError(message)
    unit = merged.get("unit", "1")
    low, value, high = (_base(merged.get(part), unit, key) for part in ("low", "value", "high"))
    if not isinstance(value, str) and ((low is not None and low > value) or (high is not None and high < value)):
        message = f"{key}: the value must lie between low and high"
        raise FactError(message)
    provenance = {part: merged[part] for part in _PROVENANCE if part in merged and part != "source"}
    return Fact(key=key, name=name, value=value, unit=unit, low=low, high=high, source=cited, **provenance)


def _record(table: str, key: str, stated: Mapping[str, Any]) -> Record:
    name = stated.get("name", key)
    inherited = {part: stated[part] for part in _PROVENANCE if part in stated}
    fields: dict[str, Fact] = {}
    if "value" in stated:
        fields["value"] = _fact(key, name, stated, {})
    else:
        fieldwise = {part: value for part, value in inherited.items() if part not in {"note", "unchecked"}}
        for field, value in stated.items():
            if field in _NOT_FIELDS:
                continue
            table_form = value if isinstance(value, dict) else {"value": value}
            label = f"{name}: {field.replace('_', ' ')}"
            fields[field] = _fact(f"{key}.{field}", label, table_form, fieldwise)
    described = {
        part: stated[part] for part in ("vendor", "form", "released", "conflict", "note", "related") if part in stated
    }
    return Record(key=key, table=table, name=name, fields=MappingProxyType(fields), **described)


def all_records() -> Mapping[str, Record]:
    """Every record of every facts file by its key, in the order in which the files state them."""
    return Lazily(files.stated_records(), _read_record)


@cache
def _read_record(key: str) -> Record:
    found = files.stated_records()[key]
    return _record(found.table, key, found.parsed())


def records(table: str, prefix: str = "") -> Mapping[str, Record]:
    """The records of one facts file, such as "models"; with `prefix`, those whose keys begin with it."""
    found = files.stated_records().items()
    return Lazily({key: one for key, one in found if one.table == table and key.startswith(prefix)}, _read_record)


def priced() -> Mapping[str, Record]:
    """The records in which something has the day of a price."""
    return Lazily({key: one for key, one in files.stated_records().items() if "priced_on" in one.text}, _read_record)


@cache
def fact(key: str) -> Fact:
    """A fact by its key: "mfu", or "h100-sxm.gpu_memory" for a field of a record. Raises FactError if there is none."""
    record, field = (key, "value") if key in all_records() else key.rpartition(".")[::2]
    found = all_records().get(record)
    if found is None or field not in found.fields:
        message = f"no fact {key!r}"
        raise FactError(message)
    return found.fields[field]


def usable(known: Fact, hard: tuple[float, float]) -> Fact:
    """A default within its hard range [base units]: the published one instead of the reader's own beyond it."""
    if known.kind != OWN or hard[0] <= known.value <= hard[1]:
        return known
    least, most = (known.shown(end) for end in hard)
    problem = f"{known.name} must be between {least} and {most}, not {known.text}; the published value is used."
    if problem not in files.overlay().problems:  # several calculators share an input
        files.overlay().problems.append(problem)
    record, field = (known.key, "value") if known.key in all_records() else known.key.rpartition(".")[::2]
    original = published.stated_records()[record]
    return _record(original.table, record, original.parsed()).fields[field]


def forget() -> None:
    """Let go of everything read so far but what others hold: they asked for all that they need."""
    files.forget()
    for cached in (_read_source, _read_record, fact):
        cached.cache_clear()


def read_before(day: datetime.date) -> tuple[str, ...]:
    """Keys of the facts that were last read before `day`; those without a day are not among them."""
    found = (fact for record in all_records().values() for fact in record.fields.values())
    return tuple(fact.key for fact in found if fact.last_read is not None and fact.last_read < day)

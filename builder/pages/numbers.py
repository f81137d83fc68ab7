"""Numbers: a page for each facts file, and the place on it of each record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calculators import facts, units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MEMORY = "gpu_memory"
INDEX = "numbers/index.md"


def tables() -> dict[str, list[facts.Record]]:
    """Every record under the name of its facts file."""
    found: dict[str, list[facts.Record]] = {}
    for record in facts.all_records().values():
        found.setdefault(record.table, []).append(record)
    return found


# Names of files that read badly as titles.
_TITLES = {
    "amd-operations": "AMD operations",
    "kv-tiers": "KV-cache tiers",
    "search-measured": "Search, measured",
    "rules": "Rules of engines",
    "media": "Storage media",
    "store": "Storage nodes and drives",
    "stores": "File systems",
    "cases": "Failure cases",
    "measured": "Measured hardware",
    "simulated": "Simulated failures",
    "samples": "Training beyond LLMs",
    "step": "Training step",
}


def title(table: str) -> str:
    """Title of a facts file on the site."""
    words = table.replace("-", " ").capitalize()
    return _TITLES.get(table, words)


def page(table: str) -> str:
    """The page of a facts file below content/."""
    return f"numbers/{table}.md"


def pages() -> list[dict[str, str]]:
    """All of them as the navigation has them, in the order of the index."""
    return [{title(table): page(table)} for table in tables()]


def record_of(key: str) -> facts.Record:
    """The record that a fact belongs to."""
    every = facts.all_records()
    return every[key] if key in every else every[key.rpartition(".")[0]]


def place(key: str) -> str:
    """Address of a fact's record, from the root of the site."""
    record = record_of(key)
    return f"numbers/{record.table}/#{record.key}"


def side_text(record: facts.Record, key: str) -> str:
    """A fact in a table side by side: memory in one unit, whichever its source uses."""
    if key not in record.fields:
        return ""
    fact = record.fields[key]
    return units.text(fact.value, "B", binary=True) if key == _MEMORY and fact.unit else fact.text


def marks(record: facts.Record) -> str:
    """Filters of the index: the kinds of a record's facts, and how their sources were read."""
    return " ".join(sorted({mark for fact in record.fields.values() for mark in _marks(fact)}))


def _marks(fact: facts.Fact) -> Iterable[str]:
    yield fact.kind
    if fact.source:
        yield fact.source.read
    if fact.unchecked:
        yield "unchecked"


def opened() -> tuple[int, int]:
    """Numbers of sources that were opened at the passage cited, and of all."""
    found = [source.read for source in facts.sources().values()]
    return found.count("opened"), len(found)


def readings() -> Mapping[str, str]:
    """Ways in which sources were read: the mark and the words for each."""
    return {**facts.READ, "unchecked": "not checked"}

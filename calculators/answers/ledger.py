"""Ledger: which formulas, defaults, menus and facts behind a result changed since a version, and why.

Read from calculators/ledger.toml, which `python -m tooling.ledger` writes, never edited by hand.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from calculators.answers.input_state import InputState
from calculators.declare import Calculator

Entry = Mapping[str, Any]
_FILE = Path(__file__).parent.parent / "ledger.toml"
_NAMED = re.compile(r"\*([^*]+)\*")
_MOST_NAMED, _MOST_REASONS = 6, 2


def _counted(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Entries with a version of their own; earlier ones changed numbers within one version."""
    return tuple(entry for entry in entries if "moved" in entry)


# Read on import: in the browser Python starts from a snapshot, without files.
ENTRIES = _counted(tomllib.loads(_FILE.read_text("utf-8"))["entry"])


def since(
    calculator: Calculator, resolved: InputState, result: str, version: str, entries: Sequence[Entry] = ENTRIES
) -> list[str]:
    """A sentence for each later version that changed something behind a result, oldest first."""
    numbered = _numbers(version)
    if numbered is None:
        return []
    behind = _behind(calculator, result)
    sentences = []
    for entry in entries:
        later = _numbers(entry["version"])
        named = list(_named(calculator, resolved, behind, entry)) if later and later > numbered else []
        if named:
            more = len(named) - _MOST_NAMED
            listed = ", ".join(named[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
            sentences.append(
                f"Version {entry['version']} of {entry['date']} changed {listed}. {_why(calculator, entry)}"
            )
    return sentences


def _numbers(version: str) -> tuple[int, ...] | None:
    parts = version.split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() and part.isascii() for part in parts) else None


def _why(calculator: Calculator, entry: Entry) -> str:
    """Changelog lines of this calculator, else of the version, or a pointer to the changelog where there are many."""
    lines = entry["lines"]
    about = [line for line in lines if (named := _NAMED.match(line)) and named[1].lower() in calculator.title.lower()]
    lines = about or lines
    if len(lines) > _MOST_REASONS:
        return "The changelog says why."
    return " ".join(line.replace("*", "") + ("" if line.endswith((".", "!", "?")) else ".") for line in lines)


def _behind(calculator: Calculator, result: str) -> frozenset[str]:
    """Names of a result and of everything it is computed from, or may be."""
    seen, waiting = {result}, [result]
    while waiting:
        name = waiting.pop()
        formula, declared = calculator.computed.get(name), calculator.computed_inputs.get(name)
        needs = {
            *(formula.needs if formula else ()),
            *(one.name for one in (declared.fallbacks if declared else ())),
        }
        waiting += needs - seen
        seen |= needs
    return frozenset(seen)


def _named(calculator: Calculator, resolved: InputState, behind: frozenset[str], entry: Entry) -> Iterator[str]:
    """Descriptions of the changes of an entry that lie behind a result."""
    for text in entry.get("formulas", ()):
        name = text.partition(":")[0]
        if name in behind and name in calculator.steps:
            yield f"the formula “{calculator.steps[name].label}”"
    for text in entry.get("defaults", ()):
        place, _, what = text.partition(": ")
        of, _, name = place.partition(".")
        if of == calculator.name and name in behind and name in calculator.inputs:
            yield f"the default of “{calculator.inputs[name].label}” ({what})"
    for text in entry.get("menus", ()):
        of, _, name = text.partition(":")[0].partition(".")
        found = next((preset for preset in calculator.presets if preset.name == name), None)
        if of == calculator.name and found and not behind.isdisjoint(found.fills):
            yield f"what the menu “{found.label}” fills"
    yield from _facts(calculator, resolved, behind, entry)


def _facts(calculator: Calculator, resolved: InputState, behind: frozenset[str], entry: Entry) -> Iterator[str]:
    """Changed facts that a chosen record fills in; facts in a formula or a default are named by that."""
    for text in entry.get("facts", ()):
        key, _, what = text.partition(": ")
        record, _, field = key.partition(".")
        for preset in calculator.presets:
            chosen = preset.by_key.get(resolved.presets[preset.name])
            filled = [name for name, one in preset.fills.items() if one == (field or "value") and name in behind]
            if chosen and chosen.key == record and filled:
                yield f"“{calculator.inputs[filled[0]].label}” of {chosen.name} ({what})"

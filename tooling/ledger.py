"""Ledger: no number that readers saw changes without a line that says why.

`python -m tooling.ledger "why"` writes down what has changed since it last ran: an entry in calculators/ledger.toml,
from which pages say what has changed since a link was made and the changelog its *Numbers*; the arithmetic as it is now
in tooling/arithmetic.json; and the next version, which links carry. Lines that an author put under *Numbers* by hand
are taken into the entry, and then no why need be given. `--same "why"` is for changes that move no number.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import sys
import tomllib
from dataclasses import dataclass
from typing import Any

from builder.paths import ROOT
from tooling.arithmetic import state

LEDGER = ROOT / "calculators/ledger.toml"
STATE = ROOT / "tooling/arithmetic.json"
CHANGELOG = ROOT / "CHANGELOG.md"
VERSIONED = (ROOT / "calculators/version.py", ROOT / "pyproject.toml")
WHAT_TO_DO = """\
Numbers that readers see have changed, or what they come from, and the ledger has no line for it:
{changes}
Say why, with old and new, in a line under "### Numbers" in CHANGELOG.md, and run
    python -m tooling.ledger
or say it here:
    python -m tooling.ledger "what: old -> new, why"
Where no number moved, because the same is computed in other words:
    python -m tooling.ledger --same "why"
Then commit what it wrote."""
_KINDS = ("formula", "default", "menu", "fact")
_NUMBERS = re.compile(r"(?<=\n### Numbers\n)((?:- .*\n)*)")
_VERSION = re.compile(r'(?<=^version = ")[\d.]+(?=")|(?<=^VERSION = ")[\d.]+(?=")', re.MULTILINE)
_MOST_LISTED = 12


class LedgerError(Exception):
    """Reason why the ledger cannot be written, in words for the person who ran the command."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """Differences from what was written down: by kind, each name with what it was and is; and results that moved."""

    by_kind: dict[str, list[str]]
    moved: list[str]

    def __bool__(self) -> bool:
        """Whether anything is."""
        return bool(self.moved or any(self.by_kind.values()))

    def lines(self) -> list[str]:
        """A line for each, not too many."""
        found = [f"  {kind} {one}" for kind, names in self.by_kind.items() for one in names]
        found += [f"  result by default {one}" for one in self.moved]
        more = len(found) - _MOST_LISTED
        return [*found[:_MOST_LISTED], *([f"  and {more} more"] if more > 0 else [])]


def changes(before: dict[str, str], now: dict[str, str]) -> Changes:
    """Names that changed or went; what came is new to readers, and a formula under another name is the same formula."""
    came = {text for name, text in now.items() if name not in before and name.startswith("formula ")}
    by_kind: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    moved = []
    for name, was in before.items():
        kind, _, named = name.partition(" ")
        text = now.get(name, "")
        if text == was or (not text and was in came):
            continue
        if kind == "result":
            moved += [f"{named}: {was} → {text}"] if text else []
        else:
            by_kind[kind].append(
                named if kind == "formula" and text else f"{named}: {_text(kind, was)} → {text or 'gone'}"
            )
    return Changes(by_kind=by_kind, moved=moved)


def _text(kind: str, text: str) -> str:
    return "there" if kind == "formula" else text


def entries() -> list[dict[str, Any]]:
    """The ledger, oldest first."""
    found: list[dict[str, Any]] = tomllib.loads(LEDGER.read_text("utf-8"))["entry"]
    return found


def changelog_lines(written: list[dict[str, Any]]) -> list[str]:
    """Entries of the changelog's Numbers: the newest entry first, each line with its version once those count."""
    found = []
    for entry in reversed(written):
        if entry.get("same"):
            continue
        counted = f" (version {entry['version']})" if "moved" in entry else ""
        found += [f"- {line}{counted}" for line in entry["lines"]]
    return found


def in_changelog() -> list[str]:
    """The lines that are under Numbers."""
    found = _NUMBERS.search(CHANGELOG.read_text("utf-8"))
    if found is None:
        raise LedgerError('CHANGELOG.md has no "### Numbers"')
    return found[1].splitlines()


def problem() -> str:
    """Error and its fix; empty where ledger, arithmetic and changelog agree."""
    found = changes(json.loads(STATE.read_text("utf-8")), state())
    if found:
        return WHAT_TO_DO.format(changes="\n".join(found.lines()))
    if in_changelog() != changelog_lines(entries()):
        return "Numbers in CHANGELOG.md are not those of calculators/ledger.toml: run\n    python -m tooling.ledger"
    return ""


def write(why: str, *, same: bool, today: datetime.date) -> str:
    """Write it all down, and say what was. Raises LedgerError."""
    now = state()
    found = changes(json.loads(STATE.read_text("utf-8")), now)
    written = entries()
    known = changelog_lines(written)
    by_hand = [line.removeprefix("- ") for line in in_changelog() if line not in known]
    lines = [*([why] if why else []), *by_hand]
    if same and found.moved:
        raise LedgerError("These moved, so it is not the same:\n" + "\n".join(f"  {one}" for one in found.moved))
    if found and not lines:
        raise LedgerError(WHAT_TO_DO.format(changes="\n".join(found.lines())))
    if lines:
        version = written[-1]["version"]
        entry: dict[str, Any] = {"version": version if same else _next(version), "date": today, "lines": lines}
        if same:
            entry["same"] = True
        else:
            entry |= {f"{kind}s": names for kind, names in found.by_kind.items() if names} | {"moved": found.moved}
            for path in VERSIONED:
                path.write_text(_VERSION.sub(entry["version"], path.read_text("utf-8")), "utf-8")
        written.append(entry)
        with LEDGER.open("a", encoding="utf-8") as file:
            file.write("\n" + toml(entry))
    STATE.write_text(json.dumps(now, indent=0, ensure_ascii=False) + "\n", "utf-8")
    numbers = "".join(f"{line}\n" for line in changelog_lines(written))
    CHANGELOG.write_text(_NUMBERS.sub(lambda _: numbers, CHANGELOG.read_text("utf-8"), count=1), "utf-8")
    message = f"version {written[-1]['version']}: {len(lines)} lines" if lines else "no number changed"
    return f"{message}; the arithmetic is written down as it is"


def _next(version: str) -> str:
    first, last = version.rsplit(".", 1)
    return f"{first}.{int(last) + 1}"


def toml(entry: dict[str, Any]) -> str:
    """An entry as it is in the ledger."""
    lines = ["[[entry]]"]
    for key, value in entry.items():
        if isinstance(value, list):
            rows = [f"    {json.dumps(one, ensure_ascii=False)},\n" for one in value]
            lines.append(f"{key} = [\n{''.join(rows)}]" if rows else f"{key} = []")
        elif isinstance(value, datetime.date):
            lines.append(f"{key} = {value.isoformat()}")
        else:
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tooling.ledger", description=__doc__)
    parser.add_argument("why", nargs="?", default="", help="what changed, from what to what, and why")
    parser.add_argument("--same", action="store_true", help="no number moved: the same is computed in other words")
    parser.add_argument("--check", action="store_true", help="only say whether a line is missing")
    given = parser.parse_args()
    try:
        message = problem() if given.check else write(given.why, same=given.same, today=datetime.datetime.now().date())  # noqa: DTZ005  the day where it is written
    except LedgerError as error:
        message = str(error)
        print(message, file=sys.stderr)
        return 1
    if message:
        print(message)
    return 1 if given.check and message else 0


if __name__ == "__main__":
    sys.exit(main())

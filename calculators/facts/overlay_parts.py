"""Parts of a file of the reader's own facts: TOML by its headers, or CSV with columns kind, record, field, value."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from calculators.files import csv_rows

HEAD, FACTS = "overlay", "facts"
_HEADER = re.compile(r"^\s*\[([A-Za-z][^\[\]=,#]*)")
_FIELD = re.compile(r"\s*[\"']?([^\"'=]*[^\"'=\s])[\"']?\s*=")
_COLUMNS = ("kind", "record", "field", "value")
_NUMBER_OR_DAY = re.compile(r"-?\d+(\.\d+)?|\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class Part:
    """Lines of a file from one header to the next, and the number of the first."""

    header: str
    line: int
    text: str

    def place(self, field: str = "") -> str:
        """Where a field of it is: "line 12"."""
        return f"line {self.line + self._lines.get(field, 0)}"

    @cached_property
    def _lines(self) -> dict[str, int]:
        """Fields with the lines after the first in which they come first."""
        named = (
            (match[1], number) for number, line in enumerate(self.text.split("\n")) if (match := _FIELD.match(line))
        )
        return dict(reversed([*named]))


def parts(text: str) -> list[Part]:
    """Parts of a file, each from its header on."""
    first = text.lstrip().partition("\n")[0].lower().replace(" ", "")
    return list(_of_table(text) if first.startswith(",".join(_COLUMNS[:3])) else _parts(text))


def _parts(text: str) -> Iterator[Part]:
    """The parts of a TOML file, each from its header on."""
    lines = text.splitlines()
    starts = [(number, found[1]) for number, line in enumerate(lines) if (found := _HEADER.match(line))]
    ends = [*(number for number, _ in starts[1:]), len(lines)]
    for number, line in enumerate(lines[: starts[0][0] if starts else None]):
        if line.strip() and not line.lstrip().startswith("#"):
            yield Part("what is before the first table", number + 1, "= of no table")
            break
    for (start, header), end in zip(starts, ends, strict=False):  # without a header, no start and one end
        yield Part(header.strip(), start + 1, "\n".join(lines[start:end]) + "\n")


def _of_table(text: str) -> Iterator[Part]:
    """The parts of a CSV with the columns kind, record, field, value: each row is a record's field."""
    rows = [row for _, row in csv_rows(text.splitlines(), skipinitialspace=True)]
    of: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    for number, row in enumerate(rows[1:], start=2):
        if not any(row):
            continue
        kind, record, name, value = (*(cell.strip() for cell in row), "", "", "", "")[:4]
        header = kind if kind in {FACTS, HEAD} else f'{kind}."{record}"'
        key = record if kind == FACTS else name
        of.setdefault(header, []).append(f'"{key}" = {_toml(value)}')
        lines.setdefault(header, number)
    for header, fields in of.items():
        yield Part(header, lines[header], f"[{header}]\n" + "\n".join(fields) + "\n")


def _toml(value: str) -> str:
    """A cell as TOML: a number or a day as it is, anything else as a text."""
    if re.fullmatch(r"-?\d+(\.\d+)?|\d{4}-\d\d-\d\d", value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'

"""Formats: a record as Markdown in the form of a decision record, as JSON and as CSV."""

import csv
import io
import json
from collections.abc import Iterable, Mapping

from calculators.answers.messages import Section
from calculators.answers.record.contents import Contents


def as_markdown(record: Contents) -> str:
    """Decision record in Markdown: title, state, day, then section by section, with every row."""
    day = record.data["day"]
    lines = [f"# {record.title}", "", "- Status: proposed", *([f"- Date: {day}"] if day else []), ""]
    for section in sections_of(record):
        lines += [f"## {section['heading']}", ""]
        for text in section["texts"]:
            lines += [f"- {text}"] if section["listed"] else [text, ""]
        if section["listed"] and section["texts"]:
            lines.append("")
        if section["rows"]:
            lines += [_row(section["columns"]), f"|{'---|' * len(section['columns'])}"]
            lines += [*map(_row, section["rows"]), ""]
    return "\n".join(lines).rstrip() + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def as_json(record: Contents) -> str:
    """Record as JSON, values in base units, each with its unit."""
    return json.dumps(record.data, indent=2, ensure_ascii=False) + "\n"


def as_csv(record: Contents) -> str:
    """Record as CSV: a row for each input with its source, each result, each verdict and each note."""
    data = record.data
    heads = ("section", "name", "label", "value", "unit", "text", "from", "kind", "source", "url", "read", "hedge")
    rows: list[Mapping[str, object]] = [
        {"section": "record", "name": name, "text": data[name]}
        for name in ("title", "question", "answer", "day", "version", "link", "notes", "unfinished")
        if name in data
    ]
    rows += [{"section": "menu", "value": one["key"], **one} for one in data["menus"]]
    rows += [{"section": "input", **one} for one in data["inputs"]]
    rows += [{"section": "result", **one} for one in data["results"]]
    rows += [
        {**one, "section": "verdict", "value": one["word"], "text": f"{one['reason']} {one['nearest_edge']}".strip()}
        for one in data["verdicts"]
    ]
    rows += record.own.rows
    rows += [{"section": "leaves out", "text": text} for text in (*data["warnings"], *data["leaves_out"])]
    out = io.StringIO()
    writer = csv.DictWriter(out, heads, restval="", extrasaction="ignore")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def csv_text(rows: Iterable[Iterable[str]]) -> str:
    """Rows of texts as CSV."""
    out = io.StringIO()
    csv.writer(out).writerows(map(_cell, row) for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    """A cell; a text never begins a formula in a spreadsheet."""
    return f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "-", "@"} else value


def sections_of(record: Contents) -> list[Section]:
    """The sections that say something."""
    return [section for section in record.sections if section["texts"] or section["rows"]]

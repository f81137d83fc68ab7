"""The record of a review on a page of the site, and as a page of its own that is one sheet of paper."""

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from calculators.answers import baseline, links
from calculators.answers.explore.attribution import Attribution, Changed
from calculators.answers.explore.search import Search
from calculators.answers.input_state import InputState, parse_inputs
from calculators.answers.messages import Answer, RecordWanted, Section
from calculators.answers.record.contents import (
    NOTHING,
    AuthorTexts,
    Contents,
    Own,
    written,
)
from calculators.answers.record.explored import each_part, unexplored
from calculators.answers.record.formats import as_csv, as_json, as_markdown, sections_of
from calculators.declare import Calculator, InputError, Values
from calculators.page import review_drawings

_LINK = ' class="link"'
_STYLE = """
body { font: 10pt/1.35 system-ui, sans-serif; max-width: 48rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.5em; margin: 0 0 .3em; } h2 { font-size: 1em; margin: .9em 0 .2em; }
p, ul { margin: .2em 0; } ul { padding-left: 1.2em; }
table { border-collapse: collapse; width: 100%; font-size: .85em; }
th, td { text-align: left; vertical-align: top; padding: .15em .6em .15em 0; border-bottom: 1px solid #ccc; }
svg { max-width: 30rem; height: auto; }
.link { overflow-wrap: anywhere; font-size: .85em; }
@page { size: A4; margin: 12mm; }
@media print { body { font-size: 8pt; margin: 0; padding: 0; max-width: none; } }
"""


def as_html(record: Contents) -> str:
    """Record as a page of its own, one sheet of paper: of long tables the first rows."""
    body = [f"<h1>{html.escape(record.title)}</h1>", *(_part(record, section) for section in sections_of(record))]
    head = f'<meta charset="utf-8"><title>{html.escape(record.title)}</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(body) + "\n</body></html>\n"


def _part(record: Contents, section: Section) -> str:
    texts_shown = [html.escape(text) for text in section["texts"][: section["shown_texts"]]]
    about = f"<h2>{html.escape(section['heading'])}</h2>"
    texts = (
        f"<ul>{''.join(f'<li>{text}</li>' for text in texts_shown)}</ul>"
        if section["listed"]
        else _paragraphs(texts_shown)
    )
    more = f"<p>{html.escape(section['more'])}</p>" if section["more"] else ""
    drawings = "".join(_drawings(record, section))
    return about + (texts if texts_shown else "") + _table(section) + drawings + more


def _paragraphs(texts: Sequence[str]) -> str:
    return "".join(f"<p{'' if ' ' in text else _LINK}>{text}</p>" for text in texts)


def _table(section: Section) -> str:
    if not section["rows"]:
        return ""
    head = "".join(f"<th>{html.escape(text)}</th>" for text in section["columns"])
    rows = "".join(
        f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>"
        for row in section["rows"][: section["shown"]]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


FORMATS: Mapping[str, Callable[[Contents], str]] = MappingProxyType(
    {"md": as_markdown, "json": as_json, "csv": as_csv, "html": as_html}
)
_KEPT = ("md", "json", "csv")


def responses(
    calculator: Calculator,
    resolved: InputState,
    values: Values,
    wanted: RecordWanted,
    own: Search[Own] | None = None,
) -> Iterator[Answer]:
    """At once what needs no search, then more part by part; problems where an alternative has some."""
    author, own_part, found = wanted_texts(wanted), NOTHING, unexplored(calculator, values)
    first = _response(calculator, written(calculator, resolved, values, author), found.pending)
    offered = dict.fromkeys((*author.alternatives, *map(str, wanted.get("offered", ()))))
    first["record"]["named"] = {link: _named(calculator, resolved, link) for link in offered}
    yield first
    if own is not None:
        own_part = yield from own.slices()
        yield _response(calculator, written(calculator, resolved, values, author, own_part), found.pending)
    try:
        for part in each_part(calculator, resolved, values, author.alternatives):
            found = found.with_more((yield from part.slices()))
            record = written(calculator, resolved, values, author, own_part, found)
            yield _response(calculator, record, found.pending)
    except InputError as error:
        yield {"problems": error.problems}


def _response(calculator: Calculator, record: Contents, pending: str) -> Answer:
    """A record for the page; its files are made when nothing is pending."""
    return {
        "record": {
            "title": record.title,
            "calculator": calculator.title,
            "day": record.data["day"],
            "version": record.data["version"],
            "link": record.data["link"],
            "sections": [_drawn(record, section) for section in record.sections],
            "files": {} if pending else {name: FORMATS[name](record) for name in _KEPT},
            "pending": pending,
        }
    }


def _drawn(record: Contents, section: Section) -> Section:
    """The section with its drawings, if it has some."""
    drawings = _drawings(record, section)
    return {**section, "drawings": drawings} if drawings else section


def _drawings(record: Contents, section: Section) -> list[str]:
    """The difference between the record's state and each alternative, change by change."""
    if section["key"] != "alternatives" or not record.data["alternatives"]:
        return []
    return [
        review_drawings.drawn_waterfall(
            record.calculator, (one["from"], one["to"]), one["result"], _attribution(one), one.get("sentence", "")
        )
        for one in record.data["alternatives"]["attributions"]
        if one["parts"]
    ]


def _attribution(data: Mapping[str, Any]) -> Attribution:
    parts = tuple((Changed(name=one["change"], names=tuple(one["inputs"])), one["part"]) for one in data["parts"])
    return Attribution(before=data["before"], after=data["after"], parts=parts, exact=data["method"] == "shapley")


def _named(calculator: Calculator, recorded: InputState, link: str) -> str:
    """In which inputs the state of a link differs from the recorded one."""
    given, _ = links.read_link(calculator, link.rpartition("#")[2])
    other = parse_inputs(calculator, given)
    if other.problems:
        return " ".join(other.problems.values())
    return "; ".join(baseline.unlike(calculator, recorded, other)) or "The recorded state"


def wanted_texts(wanted: RecordWanted) -> AuthorTexts:
    """Request for a record as a page sends it, with defaults for what is missing."""
    alternatives = [str(text) for text in wanted.get("alternatives", ())]
    plain = {name: str(wanted.get(name, "")) for name in ("title", "notes", "day", "address")}
    return AuthorTexts(alternatives=alternatives, **plain)

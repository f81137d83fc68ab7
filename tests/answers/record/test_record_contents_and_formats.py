"""The record of a review of a toy, by hand: what is cut on paper, in what order inputs come, and every format."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest

from calculators.answers.answer import evaluated
from calculators.answers.input_state import parse_inputs
from calculators.answers.messages import Section
from calculators.answers.record import contents as made
from calculators.answers.record import formats
from calculators.answers.record.contents import AuthorTexts, Contents, Own, contents, section
from calculators.catalog import CALCULATORS
from calculators.declare import InputError
from calculators.page import record as page
from calculators.version import VERSION
from tests.answers.explore.test_attribution import TOY
from tests.answers.kit import KIT
from tests.answers.review.test_comparison import OTHER

PARTS = [{"change": "a", "part": 2.0}, {"change": "b", "part": -1.0}]
NOTHING_MORE = {"columns": [], "rows": [], "shown": 0, "more": ""}


def recorded(given: dict[str, str] | None = None, **message: Any) -> Contents:
    resolved = parse_inputs(KIT, given or {})
    return contents(KIT, resolved, evaluated(KIT, resolved), AuthorTexts(**message))


@pytest.fixture(scope="module")
def whole() -> Contents:
    """Three times the seventy that are on the menu is 210, with one alternative."""
    given = {"kit": "gamma", "mode": "other", "weight": "7"}
    return recorded(given, title="A title", day="2026-12-01", alternatives=["kit=alpha", " "], address="https://e.org/")


def part(record: Contents, key: str) -> Section:
    (found,) = (one for one in record.sections if one["key"] == key)
    return found


def test_a_section_says_how_much_of_it_is_on_paper_and_what_is_left() -> None:
    texts, rows = ["a", "b", "c"], [["1"], ["2"], ["3"], ["4"]]
    cut = section("k", "K", texts, ("n",), rows, most=2, most_texts=1)
    assert (cut["shown_texts"], cut["shown"]) == (1, 2)
    assert cut["more"] == "2 more sentences and 2 more rows are in the files of this record."
    assert section("k", "K", texts, ("n",), rows, most_texts=2)["more"] == (
        "1 more sentence is in the files of this record."
    )
    assert section("k", "K", texts, ("n",), rows, most=3, most_texts=2)["more"] == (
        "1 more sentence and 1 more row are in the files of this record."
    )
    assert section("k", "K", texts, ("n",), rows, most=4, most_texts=3)["more"] == ""
    uncut = section("k", "K", texts, ("n",), rows)
    assert (uncut["shown_texts"], uncut["shown"], uncut["more"], uncut["listed"]) == (3, 4, "", False)
    assert section("k", "K", [], most=5, most_texts=5) == {
        "key": "k",
        "heading": "K",
        "texts": [],
        "listed": False,
        "shown_texts": 0,
        **NOTHING_MORE,
    }


def texts_of(whole: Contents, key: str, **other: Any) -> list[str]:
    """The texts of a section, where this of the data is otherwise."""
    (found,) = (one for one in made._sections(KIT, {**whole.data, **other}, Own(), "") if one["key"] == key)
    return list(found["texts"])


def test_the_question_is_reported_where_the_title_is_another(whole: Contents) -> None:
    assert texts_of(whole, "question", title="Another") == texts_of(whole, "question", title="Z") == ["How much?"]
    assert texts_of(whole, "question", title="How much?") == []
    assert recorded().title == "How much?"


def test_the_answer_has_verdicts_with_their_edges_and_the_range(whole: Contents) -> None:
    first, second, third, *_ = part(whole, "answer")["texts"]
    assert first == "210 B (208 to 212 B)"
    assert second.startswith("Small: large. It is 210 B. Closest threshold: ")
    assert third.startswith("Even: even. Halves are whole.")


def test_beyond_six_verdicts_those_that_are_good_are_in_one_sentence() -> None:
    judged = [
        {"label": f"{place}?", "word": "so", "level": "good", "reason": "", "nearest_edge": ""} for place in range(6)
    ]
    sure = {"sentence": "Sure.", "method": "By a method."}
    data: dict[str, Any] = {"answer": "All.", "verdicts": judged, "sure": sure, "moves": [], "remarks": ["Remark."]}
    assert made._answer_texts(data) == ["All.", *(f"{place}?: so." for place in range(6)), "Sure.", "Remark."]
    bad = {"label": "Bad?", "word": "bad", "level": "bad", "reason": "Why.", "nearest_edge": "Near."}
    report = made._answer_texts(data | {"verdicts": [*judged, bad], "moves": [1]})
    good = "; ".join(f"{place}?: so" for place in range(6))
    assert report == [
        "All.",
        "Bad?: bad. Why. Closest threshold: Near.",
        f"Good: {good}.",
        "Sure. By a method.",
        "Remark.",
    ]


def test_what_the_reader_set_comes_first_then_what_a_menu_fills_with_where_it_is_from(whole: Contents) -> None:
    rows = part(whole, "assumptions")["rows"]
    assert rows[0] == ["Kit", "Gamma", "menu", "", "", ""]
    assert [row[:3] for row in rows[1:]] == [
        ["Mode", "other: three times", "entered"],
        *([["Weight", "7 B", "entered"]]),
        ["Size", "70 B", "preset"],
    ]
    assert rows[1][3:] == ["reader", "given", ""]
    assert rows[3][4] == "published"
    assert [one["name"] for one in whole.data["inputs"]] == ["mode", "weight", "size"]
    (menu,) = whole.data["menus"]
    assert menu == {"name": "kit", "label": "Kit", "text": "Gamma", "key": "gamma"}
    assert recorded({"kit": "none"}).data["menus"][0] == {"name": "kit", "label": "Kit", "text": "none", "key": ""}


def test_what_warns_is_left_out_first_and_what_is_not_set_is_reported(whole: Contents) -> None:
    assert part(whole, "omits")["texts"] == ["70 B are many", "All else."]
    assert part(recorded(), "given")["texts"] == ["None: every input has its default."]
    assert part(whole, "given")["texts"][0] == "Kit: Gamma, default Beta"
    assert [part(whole, key)["listed"] for key in ("given", "assumptions", "omits", "notes")] == [
        True,
        True,
        True,
        False,
    ]


def test_on_paper_are_all_menus_and_warnings_with_four_inputs_ten_remarks_and_five_swings(whole: Contents) -> None:
    menu, one = whole.data["menus"][0], whole.data["inputs"][0]
    swing = {"label": "Size", "hedge": "1 to 2", "result": "2 to 4"}
    more = {"menus": [menu] * 8, "inputs": [one] * 9, "moves": [swing] * 6, "alternatives": {}}
    data = {**whole.data, **more, "leaves_out": ["o"] * 12, "warnings": ["w"] * 3, "assumes": ["a"] * 11}
    made_of = {part["key"]: part for part in made._sections(KIT, data, Own(), "")}
    assert made_of["assumptions"]["shown"] == 8 + 4
    assert made_of["assumptions"]["shown_texts"] == 10
    assert (made_of["moves"]["shown"], len(made_of["moves"]["rows"])) == (5, 6)
    assert made_of["omits"]["shown_texts"] == 3 + 10
    paper = page.as_html(replace(whole, sections=[made_of["moves"]]))
    assert paper.count("<tr><td>") == 5
    few = {part["key"]: part for part in made._sections(KIT, {**data, "menus": [menu]}, Own(), "")}
    assert few["assumptions"]["shown"] == 10


def test_what_would_help_is_listed_where_nothing_was_compared(whole: Contents) -> None:
    helping = {**whole.data, "alternatives": {}, "would_help": [{"label": "Less", "outcome": "small"}]}
    found = made._alternatives(KIT, helping)
    assert (found["heading"], found["texts"], found["listed"]) == (KIT.recommendations_heading, ["Less: small"], True)
    assert made._alternatives(KIT, helping | {"would_help": []})["heading"] == "Alternatives"


def test_an_alternative_lists_its_results_that_differ(whole: Contents) -> None:
    """Of the eight on the menu two times are sixteen."""
    found = part(whole, "alternatives")
    assert (found["heading"], found["columns"]) == ("Alternatives considered", ["", "A, this answer", "B"])
    rows = {row[0]: row[1:] for row in found["rows"]}
    assert (rows["Kit"], rows["Twice the size"]) == (["Gamma", "Alpha *"], ["210 B", "16 B *"])
    assert "Even?" not in rows
    assert found["texts"][-1].startswith("Twice the size from A to B: 210 B to 16 B; Kit −")
    assert ", Mode −" in found["texts"][-1]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ({"method": "none"}, ": the difference cannot be attributed, because a state between them has no result."),
        ({"method": "shapley", "before": 8.0, "after": 8.0, "parts": []}, ": 8 B in both; no input differs."),
        ({"method": "shapley", "before": 8.0, "after": 9.0, "parts": PARTS}, ": 8 B to 9 B; A +2 B, B −1 B."),
    ],
)
def test_a_difference_is_reported_by_its_parts_with_their_signs(found: dict[str, Any], message: str) -> None:
    report = made._attributed(TOY, {"result": "product", "from": "A", "to": OTHER.letter, **found})
    assert report == f"Product from A to B{message}"


def test_there_are_up_to_three_alternatives() -> None:
    assert len(recorded(alternatives=["kit=alpha"] * 3).data["alternatives"]["states"]) == 4
    with pytest.raises(InputError, match="A record takes up to 3 alternatives, not 4"):
        recorded(alternatives=["kit=alpha"] * 4)
    assert recorded(alternatives=["", " "]).data["alternatives"] == {}


def test_who_made_it_when_with_its_link(whole: Contents) -> None:
    by, link = part(whole, "made")["texts"]
    assert by == f"Toy, Infrastructure for AI, version {VERSION}, 2026-12-01."
    assert link == f"https://e.org/#kit=gamma&mode=other&weight=7B&v={VERSION}&was=doubled:210B"
    assert texts_of(whole, "made", day="")[0].endswith(f"version {VERSION}.")


def small(**data: Any) -> Contents:
    """A record of two sections that say something and one that does not."""
    own = Own(rows=[{"section": "own", "text": "=1", "value": -1}])
    listed = section("l", "Listed & so", ["one", "two words", "three"], listed=True, most_texts=1)
    table = section("t", "Table", ["word", "two words"], ("a", "b|c"), [["1", "<2|"], ["3", "4"], ["5", "6"]], most=1)
    made_of = {
        **dict.fromkeys(("title", "question", "answer", "day", "version", "link", "notes"), ""),
        "menus": [],
        "inputs": [],
        "results": [],
        "verdicts": [],
        "warnings": ["w"],
        "leaves_out": ["o"],
    }
    sections = [listed, section("e", "Empty", []), table]
    return Contents(calculator=KIT, title="A & B", sections=sections, data=made_of | data, own=own)


def test_markdown_is_a_decision_record_with_every_row() -> None:
    assert formats.as_markdown(small(day="2026-12-01")) == (
        "# A & B\n\n- Status: proposed\n- Date: 2026-12-01\n\n"
        "## Listed & so\n\n- one\n- two words\n- three\n\n"
        "## Table\n\nword\n\ntwo words\n\n| a | b/c |\n|---|---|\n| 1 | <2/ |\n| 3 | 4 |\n| 5 | 6 |\n"
    )
    assert "- Date" not in formats.as_markdown(small())


def test_a_page_has_what_fits_on_paper_with_nothing_as_markup() -> None:
    _, _, body = page.as_html(small()).partition("<body>\n")
    assert body == (
        "<h1>A &amp; B</h1>\n"
        "<h2>Listed &amp; so</h2><ul><li>one</li></ul>"
        "<p>2 more sentences are in the files of this record.</p>\n"
        '<h2>Table</h2><p class="link">word</p><p>two words</p><table><thead><tr><th>a</th><th>b|c</th></tr></thead>'
        "<tbody><tr><td>1</td><td>&lt;2|</td></tr></tbody></table>"
        "<p>2 more rows are in the files of this record.</p>\n</body></html>\n"
    )
    head = '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>A &amp; B<'
    assert page.as_html(small()).startswith(head)


def test_a_section_of_a_table_alone_has_no_empty_paragraph() -> None:
    record = replace(small(), sections=[section("t", "Table", [], ("a",), [["1"]]), section("s", "Said", ["b c"])])
    assert "<h2>Table</h2><table>" in page.as_html(record)
    assert "<h2>Said</h2><p>b c</p>\n" in page.as_html(record)


def test_a_table_for_a_spreadsheet_has_a_row_for_each_thing_and_begins_no_formula() -> None:
    verdict = {"name": "v", "label": "V?", "word": "so", "level": "bad", "reason": "Why.", "nearest_edge": "Near."}
    menu, one = (
        {"name": "m", "label": "M", "text": "None", "key": "k"},
        {"name": "i", "value": None, "text": 'say "so"'},
    )
    report = formats.as_csv(
        small(title="-a", menus=[menu], inputs=[one], results=[one], verdicts=[verdict], notes="a\nb")
    )
    assert report.endswith("\r\n")
    rows = list(csv.DictReader(io.StringIO(report, newline="")))
    assert [row["section"] for row in rows] == [
        *(["record"] * 7),
        *("menu", "input", "result", "verdict", "own", "leaves out", "leaves out"),
    ]
    assert (rows[0]["text"], rows[6]["text"]) == ("'-a", "a\nb")
    assert (rows[7]["value"], rows[7]["text"]) == ("k", "None")
    assert (rows[8]["value"], rows[8]["text"]) == ("", 'say "so"')
    assert (rows[10]["value"], rows[10]["text"]) == ("so", "Why. Near.")
    assert (rows[11]["value"], rows[11]["text"]) == ("-1", "'=1")  # a number below nothing stays one
    assert [row["text"] for row in rows[12:]] == ["w", "o"]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("a", "a"),
        ("a,b", '"a,b"'),
        ('a"b', '"a""b"'),
        ("a\rb", '"a\rb"'),
        ("@a", "'@a"),
        ("+1", "'+1"),
        (-1.5, "-1.5"),
        ("a=b", "a=b"),
        (None, ""),
    ],
)
def test_a_cell_is_quoted_where_it_must_be(value: object, cell: str) -> None:
    written = formats.as_csv(small(results=[{"value": value, "name": "n"}]))
    assert f"\r\nresult,n,,{cell}," in written


def test_plain_data_reads_back(whole: Contents) -> None:
    report = formats.as_json(whole)
    assert json.loads(report) == json.loads(json.dumps(whole.data))
    assert report.startswith('{\n  "title": "A title",')
    assert report.endswith("}\n")


def test_a_page_gets_the_answer_first_and_files_when_the_record_is_whole() -> None:
    resolved = parse_inputs(KIT, {})
    wanted: Any = {"title": "T", "day": "2026-12-01"}
    every = list(page.responses(KIT, resolved, evaluated(KIT, resolved), wanted))
    first, *parts = [one["record"] for one in every if one]
    assert {} in every
    assert first["title"] == "T"
    assert [one["pending"] for one in (first, *parts)] == [
        "Computing range and sensitivity, recommended changes, closest thresholds.",
        "Computing recommended changes, closest thresholds.",
        "Computing closest thresholds.",
        "",
    ]
    found = parts.pop()
    assert not any(one["files"] for one in (first, *parts))
    assert (found["title"], found["calculator"], found["day"], found["version"]) == ("T", "Toy", "2026-12-01", VERSION)
    assert set(found["files"]) == {"md", "json", "csv"}
    assert found["files"]["md"].startswith("# T\n")
    one = CALCULATORS["checkpoint"]
    state = parse_inputs(one, {})
    every = list(page.responses(one, state, evaluated(one, state), wanted))
    moves = [
        section["rows"] for each in every if each for section in each["record"]["sections"] if section["key"] == "moves"
    ]
    assert [bool(rows) for rows in moves] == [False, True, True, True]  # what is found is shown before the rest is
    wrong = list(page.responses(KIT, resolved, evaluated(KIT, resolved), {"alternatives": ["size=none at all"]}))
    assert list(wrong[-1]) == ["problems"]

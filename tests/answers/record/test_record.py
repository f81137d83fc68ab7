"""The record of a review: one page with what was asked, answered, assumed, compared and left out, in every format."""

from __future__ import annotations

import csv
import html
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from calculators.__main__ import main
from calculators.answers.answer import evaluated
from calculators.answers.input_state import parse_inputs
from calculators.answers.record import formats
from calculators.answers.record.contents import AuthorTexts, Contents, contents
from calculators.bridge import respond
from calculators.catalog import CALCULATORS
from calculators.page import record as page
from calculators.version import VERSION

if TYPE_CHECKING:
    from calculators.answers.messages import Section

CHECKPOINT = CALCULATORS["checkpoint"]


def recorded(name: str = "checkpoint", given: dict[str, str] | None = None, **message: Any) -> Contents:
    resolved = parse_inputs(CALCULATORS[name], given or {})
    return contents(CALCULATORS[name], resolved, evaluated(CALCULATORS[name], resolved), AuthorTexts(**message))


def section(record: Contents, key: str) -> Section:
    return next(one for one in record.sections if one["key"] == key)


@pytest.fixture(scope="module")
def faster() -> Contents:
    """Half the bandwidth, with 80 GB/s considered: a save of 406B parameters at 14 B takes twice as long."""
    given = {"write_bandwidth": "20 GB/s"}
    return recorded(
        given=given, alternatives=["write_bandwidth=80GB/s"], notes="We wait.\nBuy | later", day="2026-12-01"
    )


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_every_calculator_has_a_record_in_every_format(name: str) -> None:
    record = recorded(name)
    assert [one["key"] for one in record.sections] == [
        *("question", "notes", "answer", "given", "assumptions", "moves", "alternatives", "omits", "prices", "made")
    ]
    assert CALCULATORS[name].question in formats.as_markdown(record)
    assert json.loads(formats.as_json(record))["calculator"] == name
    assert len({len(row) for row in csv.reader(io.StringIO(formats.as_csv(record)))}) == 1
    for text in CALCULATORS[name].omits:
        assert text in section(record, "omits")["texts"]


def test_the_answer_comes_with_its_range_and_its_nearest_edge(faster: Contents) -> None:
    answer, verdict, sure, *_ = section(faster, "answer")["texts"]
    assert "A checkpoint of" in answer
    assert "Checkpoint write: too slow" in verdict
    assert "Closest threshold: " in verdict
    assert "estimated" in sure
    assert "not a confidence interval" in sure


def test_an_assumption_names_its_source_kind_and_day(faster: Contents) -> None:
    rows = {row[0]: row[1:] for row in section(faster, "assumptions")["rows"]}
    value, origin, source, kind, read = rows["Checkpoint bytes per parameter"]
    assert value.startswith("14 B/parameter (")
    assert (origin, kind) == ("preset", "published")
    assert "BigScience" in source
    assert read.startswith("read 2026-")
    assert rows["Storage write bandwidth"][:3] == ["20 GB/s", "entered", "reader"]


def test_alternatives_appear_next_to_the_answer_with_what_each_change_makes(faster: Contents) -> None:
    found = section(faster, "alternatives")
    rows = {row[0]: row[1:] for row in found["rows"]}
    assert rows["Storage write bandwidth"] == ["20 GB/s", "80 GB/s *"]
    # 405.85B parameters times 14 B are 5.68 TB: 284 s at 20 GB/s, a quarter of that at 80 GB/s.
    assert rows["Write duration"] == ["4.73 min", "71 s *"]
    assert "Written per day" not in rows
    attributed = "Write duration from A to B: 4.73 min to 71 s; Storage write bandwidth −3.55 min."
    (message,) = (text for text in found["texts"] if text.startswith(attributed))
    assert "−3.55 min, likely " in message.removeprefix(attributed)


def test_notes_and_link_and_version_are_in_it(faster: Contents) -> None:
    assert section(faster, "notes")["texts"] == ["We wait.", "Buy | later"]
    by, link = section(faster, "made")["texts"]
    assert VERSION in by
    assert "2026-12-01" in by
    assert link.startswith("#write_bandwidth=20GB/s&v=")


def test_a_cell_begins_no_formula_in_a_spreadsheet() -> None:
    text = formats.as_csv(recorded(notes="=HYPERLINK(1)"))
    assert "'=HYPERLINK(1)" in text


def test_a_page_says_nothing_as_markup() -> None:
    assert "<script>" not in page.as_html(recorded(notes="<script>alert(1)</script>", title="<b>"))


def test_long_tables_are_cut_on_the_page_and_whole_in_files() -> None:
    record = recorded("kv_cache")
    cut = section(record, "assumptions")
    assert cut["shown"] < len(cut["rows"])
    assert page.as_html(record).count("<tr>") < formats.as_markdown(record).count("\n| ")


def test_what_was_set_and_what_warns_is_never_cut_on_paper() -> None:
    """More inputs set than assumptions would be listed; of lists only those of what is assumed and left out are cut."""
    model = {"layers": "81", "heads": "64", "kv_heads": "16", "head_dim": "64", "hidden": "4096", "vocab": "99000"}
    engine = {
        "weight_bytes": "1",
        "cache_bytes": "1",
        "kv_block_size": "32",
        "gpu_memory_utilization": "80%",
        "tokens_in_flight": "2",
    }
    asked = {"gpu_memory": "70 GB", "memory_bandwidth": "3 TB/s", "context": "200000", "sequences": "3"}
    record = recorded("kv_cache", {**model, **engine, **asked})
    given = section(record, "given")
    assert len(given["texts"]) > 10
    assert given["shown_texts"] == len(given["texts"])
    paper = page.as_html(record)
    warned = record.data["warnings"]
    assert warned
    assert all(html.escape(text) in paper for text in (*given["texts"], *warned))


def test_the_command_line_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("checkpoint", "--write-bandwidth", "20GB/s", "--record", "--notes", "We wait.")
    assert main(arguments) == 0
    assert "## Notes\n\nWe wait." in capsys.readouterr().out
    assert main((*arguments, "--format", "html")) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
    assert main((*arguments, "--json")) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == "We wait."
    assert main((*arguments, "--alternative", "write_bandwidth=none")) == 2
    assert "State B: Storage write bandwidth" in capsys.readouterr().err


def ask(**question: Any) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(
        respond(json.dumps({"asks": ["record"], "calculator": "checkpoint", **question}))
    )
    return report


def test_a_page_gets_in_slices_what_it_gets_at_once_and_the_answer_first() -> None:
    at_once = ask(record={"notes": "n"})["record"]
    report = ask(record={"notes": "n"}, slice_ms=0)
    first = last = report["record"]
    slices = 1
    while "cursor" in report:
        report = ask(slice_ms=0, cursor=report["cursor"])
        slices += 1
        if "record" in report:
            last = report["record"]
    assert last == at_once
    assert slices > 10
    there, then = ({section["heading"]: section for section in record["sections"]} for record in (first, last))
    assert first["pending"] == there["Sensitivity"]["texts"][0]
    assert not first["files"]
    assert not last["pending"]
    assert then["Sensitivity"]["rows"]
    assert there["Answer"]["texts"][0] == then["Answer"]["texts"][0]
    assert there["Inputs set"] == then["Inputs set"]


def test_an_alternative_that_cannot_be_opened_is_a_problem() -> None:
    assert "State B" in next(iter(ask(record={"alternatives": ["parameters=0"]})["problems"].values()))
    assert "fabric" in next(iter(ask(record={"alternatives": ["calculators/fabric/#gpus=8"]})["problems"].values()))

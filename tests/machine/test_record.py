"""The record of a machine's review says what the machine's own page and command say."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from calculators.__main__ import main
from calculators.bridge import respond
from calculators.machine.report import formats, record_sections
from calculators.machine.state import machine_state

SMALL = {"gpus": "8", "model": "llama-3-8b", "tokens": "1B"}  # its layout is found soon
STATES: list[dict[str, str]] = [SMALL, {"gpus": "64", "model": "llama-3-8b", "hall_power": "50kW"}, {"job": "serve"}]


@pytest.mark.daily(3)
@pytest.mark.parametrize("given", STATES, ids=str)
def test_it_says_what_the_machine_says_of_itself(given: dict[str, str]) -> None:
    found = machine_state(given)
    whole = formats.described(found)
    part = record_sections.each_part(found).run()
    message = part.data
    assert message == {name: whole[name] for name in message}
    assert {"pillars", "changes", "limiting_pillar", "bill"} <= message.keys()
    assert ("breakdown" in message) == ("breakdown" in whole)
    run = whole.get("breakdown", [])
    sections = {section["key"]: section["rows"] for section in part.sections}
    taken = [[one["label"], one["text"], one["share_text"]] for one in run if one["value"]]
    assert [list(row) for row in sections.get("run", [])] == taken
    assert len(taken) < len(run) or not run, "what takes no time is no row"
    assert [list(row)[:4] for row in sections["changes"]] == [
        [one["title"], one["first_text"], one["price_text"], one["power_text"]] for one in whole["changes"]
    ]
    (listed,) = (section for section in part.sections if section["key"] == "changes")
    there = len(whole["changes"])
    assert (listed["shown"], listed["more"].split(" more")[0]) == (5, str(there - 5)), "half of ten"
    rows = {name: [row for row in part.rows if row["section"] == name] for name in ("run", "pillar", "change")}
    assert [(row["name"], row["value"]) for row in rows["run"]] == [(one["name"], one["value"]) for one in run]
    assert [(row["name"], row["value"]) for row in rows["pillar"]] == [
        (one["name"], one["gain"] if one["kind"] == "rate" else one["margin"]) for one in whole["pillars"]
    ]
    for row, one in zip(rows["change"], whole["changes"], strict=True):
        assert row["label"] == one["title"]
        assert str(row["text"]).startswith(f"{one['first_text']}; {one['price_text']}; {one['power_text']}")
        assert not str(row["text"]).endswith(("; ", ";"))


def test_limits_that_are_not_given_have_no_rows() -> None:
    plain, limited = (
        {section["key"]: section for section in record_sections.each_part(machine_state(given)).run().sections}
        for given in STATES[:2]
    )
    assert "Data hall power" not in [row[0] for row in plain["pillars"]["rows"]]
    (row,) = (row for row in limited["pillars"]["rows"] if row[0] == "Data hall power")
    assert row[2] == "50 kW"
    assert row[-1] == "exceeded"


@pytest.fixture(scope="module")
def of_page() -> dict[str, Any]:
    """The record of a planner's page, with its files: it takes many searches."""
    found: dict[str, Any] = _last({"asks": ["record"], "calculator": "machine", "given": SMALL})["record"]
    return found


@pytest.mark.daily(3)
def test_a_page_gets_it_with_all_its_files(of_page: dict[str, Any]) -> None:
    record = of_page
    keys = [section["key"] for section in record["sections"]]
    assert keys[:6] == ["question", "notes", "answer", "run", "pillars", "changes"]
    rows = list(csv.DictReader(io.StringIO(record["files"]["csv"])))
    assert {"run", "pillar", "change"} <= {row["section"] for row in rows}
    assert "## Bottleneck" in record["files"]["md"]
    assert json.loads(record["files"]["json"])["limiting_pillar"]["name"] == "compute"


@pytest.mark.daily(3)
def test_on_paper_long_lists_are_cut_and_it_says_where_the_rest_is(
    capsys: pytest.CaptureFixture[str], of_page: dict[str, Any]
) -> None:
    assert main(["machine", "--record", "--format", "html", *(f"--{name}={text}" for name, text in SMALL.items())]) == 0
    paper = capsys.readouterr().out
    whole = of_page["files"]["md"]
    last = "Part of a server, and more than one generation of them."
    assert last in whole
    assert last not in paper
    assert "more sentences" in paper
    assert paper.count("<li>") < whole.count("\n- ")


def test_the_record_of_a_calculator_has_none_of_it() -> None:
    record = _last({"asks": ["record"], "calculator": "checkpoint"})["record"]
    assert {"run", "pillars", "changes"}.isdisjoint(section["key"] for section in record["sections"])


def _last(question: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(respond(json.dumps(question)))
    return found

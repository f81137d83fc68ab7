"""Explore: what a page shows of a review, as finished texts, for any calculator and in slices as at once."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from calculators.bridge import respond
from calculators.catalog import CALCULATORS

GIVEN = {"parameters": "405B"}  # of 14 B in 60 s: 5.67 TB and 94.5 GB/s


def report(ask: str, review: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    """What is said to a question about checkpoints."""
    asked = {"asks": [ask], "calculator": "checkpoint", "given": GIVEN, "review": review or {}} | more
    found: dict[str, Any] = json.loads(respond(json.dumps(asked)))
    return found


def reviewed(ask: str, review: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = report(ask, review, **more)["review"]
    return found


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_every_calculator_offers_its_numbers_and_inputs_and_one_that_something_moves(name: str) -> None:
    found = json.loads(respond(json.dumps({"asks": ["choices"], "calculator": name})))
    results = {one["name"]: one["kind"] for one in found["results"]}
    assert set(CALCULATORS[name].headline) & set(results)
    assert {one["name"] for one in found["movable"]} >= set(CALCULATORS[name].inputs)
    assert results[found["about"]] == "number"
    assert found["deciding"]


def test_a_way_to_a_result_is_a_row_whose_text_leads_there_when_it_is_given() -> None:
    """60 GB/s for 5.67 TB takes 94.5 s."""
    review = {"result": "required_write_bandwidth", "wanted": "60 GB/s", "input": "write_window"}
    (row,) = reviewed("solve", review)["tables"][0]["rows"]
    assert row["cells"][:4] == ["Checkpoint write time limit", "94.5 s", "60 s", "60 GB/s"]
    assert row["changes"] == {"write_window": "94.5 s"}
    answer = json.loads(
        respond(json.dumps({"asks": ["answer"], "calculator": "checkpoint", "given": GIVEN | row["changes"]}))
    )
    assert answer["texts"]["required_write_bandwidth"] == "60 GB/s"


def test_of_a_menu_the_record_that_comes_nearest_is_named_first() -> None:
    asked = {"result": "decode_tokens_per_second", "wanted": "12000", "input": "accelerator"}
    rows = reviewed("solve", asked, calculator="kv_cache", given={})["tables"][0]["rows"]
    rows = [row for row in rows if "changes" in row]
    speeds = [float(row["cells"][3].split()[0].replace(",", "")) for row in rows]
    assert speeds == sorted(speeds)
    (menu,) = (preset for preset in CALCULATORS["kv_cache"].presets if preset.name == "accelerator")
    listed = [record.key for record in menu.records]
    chosen = [listed.index(row["changes"]["accelerator"]) for row in rows]
    assert chosen != sorted(chosen), "the menu is in this order anyway, so this says nothing"


def test_a_sweep_begins_and_ends_where_the_reader_says() -> None:
    (message,) = reviewed("sweep", {"input": "write_window", "from": "20 s", "to": "40s"})["sentences"]
    assert "from 20 s to 40 s" in message
    (message,) = reviewed("sweep", {"input": "write_window", "from": "20 s"})["sentences"]
    assert "from 20 s to 1 h" in message
    assert reviewed("sweep", {"input": "write_window", "from": "2 h"})["problem"].endswith("must be below the second")


def test_a_verdict_is_turned_round_to_the_nearer_end_of_where_it_holds() -> None:
    """5.67 TB land within 60 s from 94.5 GB/s on."""
    review = {"result": "write_in_time", "wanted": "good", "input": "write_bandwidth"}
    (row,) = reviewed("solve", review)["tables"][0]["rows"]
    assert row["cells"][1] == "from 94.5 GB/s on"
    assert row["changes"] == {"write_bandwidth": "94.5 GB/s"}


@pytest.mark.parametrize(
    ("result", "wanted", "other"),
    [("required_write_bandwidth", "94.5 GB/s", "94 GB/s"), ("write_in_time", "bad", "good")],
)
def test_what_is_so_already_needs_no_way(result: str, wanted: str, other: str) -> None:
    report = reviewed("solve", {"result": result, "wanted": wanted})
    assert report["tables"] == []
    assert report["notes"] == ["This is the present value; enter another target."]
    assert reviewed("solve", {"result": result, "wanted": other})["tables"]


@pytest.mark.parametrize(
    ("given", "swept", "is_above"),
    [
        ("405B", "parameters", True),  # right of the middle, where it rises, the line is below and to the left
        ("8B", "parameters", False),
        ("405B", "write_window", True),  # left of the middle, where it falls, the line is below and to the right
    ],
)
def test_the_present_value_is_written_where_the_line_is_not(given: str, swept: str, *, is_above: bool) -> None:
    review = {"result": "required_write_bandwidth", "input": swept}
    more = {"given": {"parameters": given, "write_window": "20s"}}
    drawing = reviewed("sweep", review, **more)["drawing"]
    (dot,) = re.findall(r'<circle[^>]* cy="([\d.]+)"', drawing)
    (words,) = re.findall(r'<text class="f-number[^>]* y="([\d.]+)"', drawing)
    assert (float(words) < float(dot)) == is_above


def test_a_record_of_a_menu_may_be_the_way_and_the_rest_of_the_menu_is_counted() -> None:
    review = {"result": "checkpoint_size", "wanted": "2 TB", "input": "model"}
    rows = reviewed("solve", review, given={"write_window": "30s"})["tables"][0]["rows"]
    assert all(set(row["changes"]) == {"model"} for row in rows[:-1])
    assert rows[-1]["cells"][1].endswith("more in the menu")


def test_what_the_reader_typed_stays_next_to_a_record_that_is_used() -> None:
    """A menu fills again what it fills, so that what was typed has to be given again for what was promised."""
    review = {"result": "training_memory", "wanted": "10 GiB", "input": "model"}
    found = reviewed("solve", review, calculator="training_memory", given={"layers": "40"})
    (first, *_) = found["tables"][0]["rows"]
    assert first["changes"] == {"model": first["changes"]["model"], "layers": "40"}


@pytest.mark.parametrize(
    ("ask", "review", "message"),
    [
        ("solve", {"result": "nothing", "wanted": "1"}, "“nothing” is not a result; there are "),
        ("solve", {"result": "checkpoint_size", "wanted": "soon"}, "“soon” is not a number with a unit"),
        ("sweep", {"input": "checkpoint_mode"}, "is a choice"),
        ("tornado", {"result": "write_in_time"}, "is not a numeric result"),
    ],
)
def test_a_question_that_means_nothing_is_answered_with_what_is_wrong(
    ask: str, review: dict[str, str], message: str
) -> None:
    assert message in reviewed(ask, review)["problem"]


def test_a_sweep_has_the_present_value_of_the_second_input_among_its_lines() -> None:
    found = reviewed("sweep", {"result": "required_write_bandwidth", "input": "parameters", "second": "write_window"})
    assert found["tables"][0]["heads"][1:] == ["15 s", "30 s", "60 s", "2 min", "4 min"]
    assert found["drawing"].count("<polyline") == 5


def test_inputs_without_a_range_are_listed_until_the_reader_gives_a_range() -> None:
    before = reviewed("tornado")
    assert [row["hedge"] for row in before["tables"][0]["rows"]] == ["parameters"]
    after = reviewed("tornado", given={"parameters": "300B–500B"})
    assert after["tables"] == []
    assert "300B parameters to 500B parameters (your range)" in after["drawing"]


def test_the_difference_between_two_states_is_attributed_and_marked() -> None:
    """From 8B in 30 s to 405B in 60 s: sizes of 112 GB and 5.67 TB, all of it by the parameters."""
    found = reviewed("compare", {"result": "checkpoint_size"}, states=["parameters=8B&write_window=30s"])
    differs, results = found["tables"]
    assert [row["cells"] for row in differs["rows"]] == [
        ["Model parameters", "8B parameters", "405B parameters"],
        ["Checkpoint write time limit", "30 s", "60 s"],
    ]
    assert results["rows"][0] == {"cells": ["Checkpoint size", "112 GB", "5.67 TB"], "marked": [2]}
    assert "+5.56 TB" in found["drawing"]
    assert any(text.startswith("Checkpoint size from A to Now, averaged") for text in found["sentences"])
    assert "both drawn from the same samples" in found["sentences"][-1]


def test_of_a_difference_that_the_reader_did_not_ask_for_the_first_result_that_differs_is_reported() -> None:
    """Half the time for the same save: its size stays, the bandwidth that it needs is twice as much."""
    found = report("compare", {"result": ""}, states=["parameters=405B&write_window=30s"])
    assert found["about"] == "required_write_bandwidth"
    assert any(text.startswith("Required write bandwidth from A to Now") for text in found["review"]["sentences"])


@pytest.mark.parametrize("ask", ["solve", "sweep", "tornado", "compare"])
def test_slices_end_with_the_whole_response(ask: str) -> None:
    more: dict[str, Any] = {"states": ["parameters=8B"]}
    review = {"result": "required_write_bandwidth", "wanted": "60 GB/s"}
    slices = report(ask, review, slice_ms=0, **more)
    found = slices.get("review")
    while "cursor" in slices:
        slices = report(ask, review, slice_ms=0, cursor=slices["cursor"], **more)
        found = slices.get("review", found)
    assert found == reviewed(ask, review, **more)


@pytest.mark.parametrize(
    ("ask", "chosen"), [("margins", {}), ("solve", {"result": "required_write_bandwidth", "wanted": "60 GB/s"})]
)
def test_a_search_says_at_once_that_it_searches(ask: str, chosen: dict[str, str]) -> None:
    part = report(ask, chosen, slice_ms=0)
    assert part["review"]["notes"] == ["Still testing other inputs."]


def test_the_closest_threshold_so_far_is_shown_before_that_of_all_verdicts() -> None:
    of_power: dict[str, Any] = {"calculator": "power", "given": {}, "slice_ms": 0}
    part, heads = report("margins", **of_power), []
    while "cursor" in part:
        part = report("margins", **of_power, cursor=part["cursor"])
        heads += [part["review"]["sentences"][0]] if part.get("review", {}).get("sentences") else []
    so_far, whole = ([head for head in heads if (" so far: " in head) is which] for which in (True, False))
    assert heads == so_far + whole
    assert len({*so_far}) > 1
    assert len({*whole}) == 1, "of all verdicts there is one"

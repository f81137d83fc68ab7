"""Heat maps: every cell is what evaluating there gives, with the worst verdict of that state."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from calculators.answers.explore import grids
from calculators.answers.review import heat_map
from calculators.bridge import respond
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Verdict, choice, constraint, step, verdict
from calculators.page import heat_map as page
from tests.declare.test_declare import inputs_of, sized, toy


@step("B", "Area")
def area(size: float, other: float) -> float:
    return size * other


@verdict("Small enough?")
def small(area: float) -> Verdict:
    return Verdict(level="good" if area <= 20 else "bad", word="small" if area <= 20 else "too large")


@verdict("Narrow?")
def narrow(other: float) -> Verdict:
    return Verdict(level="good" if other < 4 else "tight", word="narrow" if other < 4 else "rather wide")


@constraint("size")
def not_thirteen(size: float) -> str:
    return "unlucky" if size == 13 else ""


INPUTS: dict[str, Any] = {
    "size": sized(hard=(1, 1000), slider=(1, 100), label="Size"),
    "other": sized(default=5.0, hard=(1, 100), slider=(1, 10), label="Other"),
    "few": sized(default=2.0, whole=True, scale="linear", hard=(1, 100), slider=(1, 3)),
    "many": choice("c", "Many", {letter: letter for letter in "abc"}),
    "mode": choice("a", "Mode", {"a": "one: first", "b": "two"}),
}
TOY = toy(inputs_of(**INPUTS), area, small, narrow, not_thirteen, headline=["area"], answer="{area}")


def shown(*asked: str, one: Calculator = TOY, **given: float) -> tuple[Any, grids.Grid]:
    values = one.evaluate(given)
    return values, heat_map.parse(one, values, asked)


def test_each_cell_has_its_result_and_the_worst_verdict_of_its_state() -> None:
    """2 x 3 = 6 is small; 2 x 4 = 8 is small but wide; 13 is refused; 20 x 3 = 60 is too large."""
    values, found = shown("size=2,13,20", "other=3,4", size=2.0, other=4.0)
    texts = [[heat_map.cell_text(TOY, found, cell) for cell in row] for row in found.rows]
    assert texts == [["6 B ✓", "refused", "60 B ✕"], ["8 B !", "refused", "80 B ✕"]]
    assert found.rows[1][2].judged_by == "small"
    assert heat_map.sentences(TOY, values, found) == [
        "Area for 6 pairs of Size and Other, from 6 B to 80 B.",
        "Worst verdict: ✓ good at 1, ! tight at 1, ✕ bad at 2.",
        "2 pairs refused by a constraint or a framework, or without a finite number.",
    ]
    assert heat_map.lines(TOY, values, found)[-1].split("  ")[-3:] == ["[8 B !]", "refused", "80 B ✕"]
    described = heat_map.described(TOY, values, found)
    assert described["cells"][1][0] == {"result": 8.0, "level": "tight", "verdict": "narrow", "word": "rather wide"}
    assert described["across"] == {"input": "size", "unit": "B", "now": 2.0, "values": [2.0, 13.0, 20.0]}


def test_one_verdict_may_be_asked_for() -> None:
    values = TOY.evaluate({})
    found = heat_map.parse(TOY, values, ("size=2,20", "other=3,4"), asked_verdict="narrow")
    assert [[cell.verdict.level for cell in row if cell.verdict] for row in found.rows] == [["good"] * 2, ["tight"] * 2]
    assert heat_map.sentences(TOY, values, found)[1] == "Narrow: ✓ good at 2, ! tight at 2."
    with pytest.raises(InputError, match="not a verdict"):
        heat_map.parse(TOY, values, ("size", "other"), asked_verdict="area")


@pytest.mark.parametrize("present", [1.0, 1.03, 37.7, 99.9, 100.0])
def test_values_cover_the_range_and_have_the_present_one_among_them(present: float) -> None:
    found = grids.values_of(TOY.inputs["size"], present, 9)
    assert (found[0], found[-1], len(found)) == (1.0, 100.0, 9)
    assert present in found
    assert list(found) == sorted(set(found))


def test_a_present_value_out_of_range_is_left_out_and_few_stops_are_all_shown() -> None:
    assert 500.0 not in grids.values_of(TOY.inputs["size"], 500.0, 9)
    values, found = shown("size", "other", size=500.0)
    assert heat_map.sentences(TOY, values, found)[-1] == "The current state is outside."
    few = TOY.inputs["few"]
    assert grids.values_of(few, None, 9) == (1.0, 2.0, 3.0)
    assert grids.values_of(few, 2.0, 9, (1.0, 2.0)) == (1.0, 2.0)


def test_a_choice_is_an_axis_too_with_the_present_option_among_the_first() -> None:
    values, found = shown("mode", "size=2,3")
    assert found.across.values == ("a", "b")
    assert heat_map.heads(TOY, found)[1:] == ["one", "two"]
    assert heat_map.described(TOY, values, found)["across"]["values"] == ["a", "b"]
    assert grids.values_of(TOY.inputs["many"], "c", 2) == ("a", "c")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("size", "size"), "swept twice"),
        (("size", "sise"), "did you mean size?"),
        (("size", "other=9..2"), "the first value must be below the second"),
        (("size", "other=3 km"), "km"),
    ],
)
def test_axes_that_make_no_map_are_explained(asked: tuple[str, str], message: str) -> None:
    with pytest.raises(InputError) as raised:
        shown(*asked)
    assert message in " ".join(raised.value.problems.values())


def test_the_picture_has_a_rectangle_for_each_cell_and_a_frame_around_the_present_state() -> None:
    values, found = shown("size=2,13,20", "other=3,4", size=2.0, other=4.0)
    picture = ET.fromstring(page.drawn(TOY, values, found))  # noqa: S314  our own
    places = [
        (one.get("class"), one.get("x"), one.get("y")) for one in picture.iter("{http://www.w3.org/2000/svg}rect")
    ]
    (frame,) = [place[1:] for place in places if place[0] == "f-live"]
    assert [place[0] for place in places if place[0] != "f-live"] == [
        "f-good", "f-none", "f-bad", "f-tight", "f-none", "f-bad",
    ]  # fmt: skip
    assert ("f-tight", *frame) in places
    texts = [one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"8 B", "! now", "refused", "✕"} <= set(texts)


def asked_of_page(review: dict[str, str], **more: Any) -> dict[str, Any]:
    question = {"asks": ["map"], "calculator": "checkpoint", "given": {"parameters": "405B"}, "review": review, **more}
    found: dict[str, Any] = json.loads(respond(json.dumps(question)))
    return found


def test_on_a_page_a_cell_says_its_state_and_the_texts_that_lead_there() -> None:
    """405B parameters of 14 B at 94.5 GB/s take 60 s, the time limit."""
    ends = {"across_from": "47.25 GB/s", "across_to": "94.5 GB/s", "down_from": "405B", "down_to": "1T"}
    axes = {"result": "write_duration", "across": "write_bandwidth", "down": "parameters", **ends}
    (table,) = asked_of_page(axes)["review"]["tables"]
    first = table["rows"][0]
    assert first["cells"][0] == "405B"
    assert first["cells"][1].startswith("2 min ✕")
    assert first["cells"][-1].startswith("60 s")
    assert first["options"][0]["changes"] == {"write_bandwidth": "47.25 GB/s", "parameters": "405B"}
    assert first["options"][0]["level"] == "bad"
    assert "Model parameters 405B" in first["options"][0]["title"]


def test_a_map_comes_row_by_row_and_its_picture_with_the_last() -> None:
    part = asked_of_page({}, slice_ms=0)
    counts = []
    while "cursor" in part:
        part = asked_of_page({}, slice_ms=0, cursor=part["cursor"])
        if "review" in part:
            counts.append((len(part["review"]["tables"][0]["rows"]), part["review"]["drawing"] != ""))
    assert counts == [(count, count == 7) for count in range(1, 8)]


def test_one_input_twice_is_a_problem_and_nothing_is_shown() -> None:
    review = asked_of_page({"across": "parameters", "down": "parameters"})["review"]
    assert review["problem"] == "Choose two different inputs."
    assert review["tables"] == []


@pytest.mark.parametrize("name", ["checkpoint", "kv_cache", "fabric"])
def test_a_cell_is_what_the_calculator_answers_in_its_state(name: str) -> None:
    calculator = CALCULATORS[name]
    values = calculator.evaluate({})
    one, other = calculator.first_sliders[:2]
    found = heat_map.parse(calculator, values, (one, other))
    place = len(found.down.values) - 1, 0
    there = calculator.after(values, {one: found.across.values[0], other: found.down.values[-1]})
    cell = found.rows[place[0]][place[1]]
    assert cell.result is None or cell.result == pytest.approx(there[found.result])

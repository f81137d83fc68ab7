"""The words next to a picture, by hand: its legend in one unit, and what of it is not to scale."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers.answer import evaluated
from calculators.answers.input_state import parse_inputs
from calculators.answers.pictures import _label, drawn
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, step
from calculators.declare.pictures import Bars, Row, Segment, bar
from tests.declare.test_declare import inputs_of, sized, toy


@step("B", "NICs")
def left(size: float) -> float:
    return 5e9 - size


@step("B", "A rest")
def rest(size: float) -> float:
    return 2 - size


@step("B", "TBs of it")
def much(size: float) -> float:
    return size


def picture(*values: str, limit: str = "", label: str = "A row") -> Bars:
    segments = tuple(Segment(value=value, tone="work") for value in values)
    return Bars(title="A bar", rows=(Row(label=label, segments=segments),), limit=limit, limit_label="full")


def calculator(*pictures: Bars) -> Calculator:
    own = {"default": 1e9, "hard": (1, 1e12), "slider": (1, 1e12)}
    inputs = inputs_of(size=sized(**own), full=sized(label="Full", **own))
    names = dict(zip(("picture", "second_picture"), pictures, strict=False))
    return toy(inputs, left, rest, much, **names)


def shown(one: Calculator, **given: float) -> dict[str, Any]:
    return drawn(one, one.evaluate(given))


def test_a_legend_is_in_the_unit_of_its_largest_value() -> None:
    found = shown(calculator(picture("size", "left")), size=2.5e8)
    assert found["legend"] == {"size": "0.25 GB", "left": "4.75 GB"}
    assert found["picture"]["0.0"] == {"x": "0.000%", "width": "5.000%"}  # 0.25 of 5
    assert found["picture_note"] == ""


def test_the_places_of_a_second_picture_are_distinguished_and_its_legend_is_its_own() -> None:
    found = shown(calculator(picture("size", "left"), picture("full")))
    assert {"0.0", "0.1", "second.0.0"} <= set(found["picture"])
    assert "second.0.1" not in found["picture"]
    assert set(found["legend"]) == {"size", "left", "full"}


def test_without_a_picture_there_is_nothing() -> None:
    assert shown(calculator()) == {"picture": {}, "legend": {}, "picture_note": ""}


def test_what_is_too_thin_is_named_as_in_the_legend_and_begins_small_unless_it_is_an_abbreviation() -> None:
    """A millionth of a thousand is no part of a bar that anybody sees."""
    found = shown(calculator(picture("size", "left")), size=1e6)
    assert found["legend"]["size"] == "1 MB"
    assert found["picture_note"] == "Drawn wider than to scale: size (1 MB)."
    found = shown(calculator(picture("full", "left")), size=5e9 - 1e6, full=5e9)
    assert found["picture_note"].endswith("to scale: NICs (1 MB).")
    one = calculator()
    names = ("size", "rest", "left", "much")
    assert [_label(one, name) for name in names] == ["size", "a rest", "NICs", "TBs of it"]


def test_a_bar_that_is_cut_says_where_and_how_far_it_goes() -> None:
    """A limit of 2 GB is at a hundred of a hundred and twenty: 2.4 GB are the edge, of 5 GB in all."""
    found = shown(calculator(picture("size", "left", limit="full")), full=2e9)
    assert found["picture_note"] == "A row: cut off at 2.4 GB, goes on to 5 GB."
    less = shown(calculator(picture("size", "rest", limit="full")), size=6, full=2)  # four less than nothing is nothing
    assert less["picture_note"] == "A row: cut off at 2.4 B, goes on to 6 B."


@pytest.mark.parametrize(("size", "text"), [(6, "one"), (10, "one"), (11, "2"), (10_240, "1,024")])
def test_of_blocks_the_text_says_how_many_each_represents(size: float, text: str) -> None:
    """Ten of them fit; groups are of powers of two."""
    counted = Bars(title="Blocks", rows=(bar("A row", size="work"),), blocks=10)
    assert shown(calculator(counted), size=size)["picture_note"] == f"Each block is {text}."


def test_what_the_legend_does_not_list_is_named_as_parts_of_other_bars() -> None:
    """It took six lines to name the thin parts of four bars of goodput."""
    goodput = CALCULATORS["goodput"]
    given = parse_inputs(goodput, {"spare_nodes": "4", "node_repair_time": "7 d"})
    note = drawn(goodput, evaluated(goodput, given))["picture_note"]
    assert note.startswith("Drawn wider than to scale: time in checkpoint stalls (0.0557%), time in ")
    assert note.endswith("%) and parts of other bars.")
    assert note.count("time in recomputed work") == 1

"""Pictures: bars as long as what they represent, on a scale that holds; what is not to scale is named."""

from __future__ import annotations

import re

import pytest

from calculators.answers.answer import evaluated
from calculators.answers.input_state import parse_inputs
from calculators.answers.pictures import drawn
from calculators.catalog import CALCULATORS
from calculators.declare import pictures
from calculators.declare.pictures import Bars, bar

LIMITED = Bars(
    title="A bar",
    rows=(bar("One", a="work", b="stall"),),
    limit="full",
)
FREE = Bars(title="A bar", rows=LIMITED.rows)


def places(picture: Bars, **values: float) -> dict[str, dict[str, float]]:
    found = pictures.drawing(picture, values).places
    return {name: {key: float(text.removesuffix("%")) for key, text in at.items()} for name, at in found.items()}


def test_lengths_follow_values_on_the_scale_of_the_limit() -> None:
    at = places(LIMITED, a=30, b=15, full=100)
    assert at["0.0"] == {"x": 0, "width": 25}  # 30 of 120
    assert at["0.1"] == {"x": 25, "width": 12.5}
    assert at["limit"]["x1"] == at["limit"]["x2"] == pytest.approx(100 / 1.2, abs=0.001)
    assert at["0.excess"]["width"] == 0


def test_a_bar_that_goes_on_beyond_the_edge_has_a_mark_in_it() -> None:
    before, after = places(LIMITED, a=60, b=0, full=100), places(LIMITED, a=60, b=70, full=100)
    assert before["0.break"]["width"] == 0
    assert after["0.break"]["width"] > 0
    assert after["0.break"]["x"] + after["0.break"]["width"] < 100


def test_a_bar_that_overflows_keeps_its_scale_and_marks_the_excess() -> None:
    before, after = places(LIMITED, a=60, b=0, full=100), places(LIMITED, a=60, b=50, full=100)
    assert before["0.0"] == after["0.0"] == {"x": 0, "width": 50}
    assert before["limit"] == after["limit"]
    assert after["0.excess"] == {"x": pytest.approx(83.333), "width": pytest.approx(110 / 1.2 - 100 / 1.2, abs=0.002)}
    assert pictures.drawing(LIMITED, {"a": 60, "b": 50, "full": 100}).cut == ()


def test_a_bar_that_is_exempt_is_never_too_much_and_widens_the_scale_to_twice_the_limit() -> None:
    spare = bar("Two", c="free", exempt=True)
    both = Bars(title="Two bars", rows=(*LIMITED.rows, spare), limit="full")
    assert places(both, a=30, b=0, c=110, full=100)["0.0"]["width"] == 25  # as without it
    wide = places(both, a=30, b=0, c=150, full=100)
    assert (wide["0.0"]["width"], wide["1.0"]["width"], wide["1.excess"]["width"]) == (20, 100, 0)
    assert places(both, a=160, b=0, c=150, full=100)["0.excess"]["width"] > 0
    far = pictures.drawing(both, {"a": 30, "b": 0, "c": 900, "full": 100})
    assert (far.edge, far.cut) == (200, (1,))


def test_what_goes_beyond_the_edge_is_cut_and_reported() -> None:
    there = pictures.drawing(LIMITED, {"a": 90, "b": 400, "full": 100})
    assert there.cut == (0,)
    assert there.edge == 120
    at = places(LIMITED, a=90, b=400, full=100)
    assert at["0.1"]["x"] + at["0.1"]["width"] == 100
    assert at["0.excess"]["x"] + at["0.excess"]["width"] == pytest.approx(100, abs=0.002)


def test_a_sliver_can_be_seen_and_is_named() -> None:
    hour = pictures.drawing(LIMITED, {"a": 14, "b": 3586, "full": 3600})
    at = places(LIMITED, a=14, b=3586, full=3600)
    assert hour.widened == ("a",)
    assert at["0.0"]["width"] == 0.7
    assert at["0.1"]["x"] == 0.7
    assert at["0.1"]["x"] + at["0.1"]["width"] == pytest.approx(100 / 1.2, abs=0.002)


def test_nothing_is_drawn_for_nothing() -> None:
    there = pictures.drawing(LIMITED, {"a": 0, "b": -5, "full": 100})
    assert there.widened == ()
    assert [there.places[name]["width"] for name in ("0.0", "0.1", "0.excess")] == ["0.000%"] * 3
    assert places(FREE, a=0, b=0)["0.0"]["width"] == 0


def test_without_a_limit_the_longest_bar_takes_the_whole_width() -> None:
    at = places(FREE, a=30, b=10)
    assert at["0.0"]["width"] == 75
    assert at["0.1"]["width"] == 25
    assert at.keys() == {"0.0", "0.1", "0.break"}


@pytest.mark.parametrize("name", CALCULATORS)
def test_a_legend_has_one_unit(name: str) -> None:
    calculator = CALCULATORS[name]
    legend = drawn(calculator, evaluated(calculator, parse_inputs(calculator, {})))["legend"]
    for picture in filter(None, (calculator.picture, calculator.second_picture)):
        # What is left without the number: dollars are before it, other units after it.
        assert len({re.sub(r"[\d.,−]+", "", legend[name]) for name in picture.shown}) == 1


def test_the_second_picture_has_places_and_a_scale_of_its_own() -> None:
    fabric = CALCULATORS["fabric"]
    shown = drawn(fabric, evaluated(fabric, parse_inputs(fabric, {})))
    widths = [float(shown["picture"][f"second.0.{place}"]["width"].removesuffix("%")) for place in range(3)]
    watts = [96 * 747, 3072 * 17, 2048 * 9]
    assert widths == pytest.approx([100 * one / sum(watts) for one in watts], abs=0.002)
    assert shown["legend"]["switches_power"] == "71.7 kW"


def test_the_note_names_what_is_not_to_scale() -> None:
    checkpoint = CALCULATORS["checkpoint"]
    thin = drawn(checkpoint, evaluated(checkpoint, parse_inputs(checkpoint, {"write_bandwidth": "400 GB/s"})))
    assert thin["picture_note"].startswith("Drawn wider than to scale")
    assert "0.237 min" in thin["picture_note"]  # 405.85B parameters of 14 B at 400 GB/s: 14.2 s
    slow = drawn(checkpoint, evaluated(checkpoint, parse_inputs(checkpoint, {"write_bandwidth": "1 GB/s"})))
    assert "Storage: cut off at 1.2 h, goes on to 1.58 h." in slow["picture_note"]
    assert drawn(checkpoint, evaluated(checkpoint, parse_inputs(checkpoint, {})))["picture_note"] == ""


def test_a_limit_that_may_be_reached_is_the_scale_as_far_as_bars_may_go_beyond_it() -> None:
    reached = Bars(title="A bar", rows=LIMITED.rows, limit="full", reached=True, at_most=1.5)
    within = pictures.drawing(reached, {"a": 10, "b": 5, "full": 20})
    assert (within.edge, within.cut) == (20, ())
    assert within.places["limit"]["x1"] == "100.000%"
    beyond = pictures.drawing(reached, {"a": 15, "b": 10, "full": 20})
    assert (beyond.edge, beyond.cut) == (25, ())
    assert beyond.places["limit"]["x1"] == "80.000%"
    assert beyond.places["0.excess"]["width"] == "0.000%"
    far = pictures.drawing(reached, {"a": 15, "b": 30, "full": 20})
    assert (far.edge, far.cut) == (30, (0,))
    assert far.places["0.1"] == {"x": "50.000%", "width": "50.000%"}


TREE = Bars(
    title="Switches",
    rows=(
        bar("Top", top="work", below="links", narrow="narrowing"),
        bar("Bottom", bottom="cache"),
    ),
    blocks=10,
)


def test_blocks_are_in_the_middle_each_as_wide_as_an_eighth_at_most() -> None:
    """Two and four of 12.5%: 25% in the middle of 100 begins at 37.5%, and 50% at 25%."""
    at = places(TREE, top=2, bottom=4, links=16, narrowing=1)
    assert at["0.0"] == {"x": 37.5, "width": 25}
    assert at["1.0"] == {"x": 25, "width": 50}
    assert at["1.block"] == {"x": 25, "width": 12.5}
    assert at["1.gap"] == {"x": 0, "width": 3.125}
    assert at["0.links"] == {"x": 37.5, "width": 25}
    assert at["0.narrow"]["width"] == 0
    assert "1.links" not in at
    assert pictures.drawing(TREE, {"top": 2, "bottom": 4, "links": 16, "narrowing": 1}).group == 1


def test_links_that_take_less_than_is_sent_into_them_are_narrow_and_none_are_drawn_below_nothing() -> None:
    assert places(TREE, top=2, bottom=4, links=16, narrowing=1.5)["0.narrow"] == {"x": 37.5, "width": 25}
    assert places(TREE, top=2, bottom=4, links=0, narrowing=1.5)["0.links"]["width"] == 0
    assert places(TREE, top=0, bottom=4, links=16, narrowing=1.5)["0.links"]["width"] == 0
    assert places(TREE, top=1, bottom=4, links=1, narrowing=1)["0.links"]["width"] == 12.5


@pytest.mark.parametrize(("bottom", "group", "width"), [(10, 1, 100), (11, 2, 75), (20, 2, 100), (21, 4, 75)])
def test_more_blocks_than_there_is_room_for_are_in_groups_of_powers_of_two(
    bottom: int, group: int, width: float
) -> None:
    """At most ten blocks: eleven are six of two, twenty-one are six of four, and six of eight places are 75%."""
    found = pictures.drawing(TREE, {"top": 1, "bottom": bottom, "links": 1, "narrowing": 1})
    assert found.group == group
    assert found.places["1.0"]["width"] == f"{width:.3f}%"
    assert found.edge == max(8, -(-bottom // group))


def test_a_legend_lists_each_value_once_and_the_limit_last() -> None:
    twice = Bars(title="Two bars", rows=(*LIMITED.rows, *LIMITED.rows), limit="full")
    assert twice.shown == ("a", "b", "full")
    assert Bars(title="Two bars", rows=twice.rows, limit="full", listed=("b",)).shown == ("b", "full")
    assert FREE.shown == ("a", "b")

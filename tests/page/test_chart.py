"""The picture of a sweep, by hand: axes to scale, words where their rules are, lines that can be distinguished."""

from __future__ import annotations

import math
from typing import Any

import pytest

from calculators.answers.explore.sweeps import Line, Sweep
from calculators.answers.explore.thresholds import Threshold
from calculators.declare import Calculator, Verdict, choice, step
from calculators.page.chart import chart
from tests.declare.test_declare import inputs_of, sized, toy
from tests.page.drawings import Drawing, Place, even

LOW, HIGH = Verdict(level="bad", word="low"), Verdict(level="good", word="high enough")
TENS = tuple(float(point) for point in range(0, 101, 10))


@step("B", "Result")
def result(size: float, mode: str) -> float:
    return size if mode else 0.0


def toy_of(**changed: Any) -> Calculator:
    modes = choice("a", "Mode", {"a": "First: at once", "b": "Second", "c": "Third"})
    stated = {"default": 40.0, "hard": (0, 1e9), "slider": (1, 100)} | changed
    return toy(inputs_of(size=sized(**stated), mode=modes), result)


def swept(points: tuple[float, ...], *lines: tuple[float | None, ...], edges: tuple[Threshold, ...] = ()) -> Sweep:
    """These results along these points; several are those of the modes, one after the other."""
    return Sweep(
        name="size",
        result="result",
        points=points,
        family="mode" if len(lines) > 1 else "",
        lines=tuple(
            Line(value=mode, results=results, thresholds=tuple(("v", edge) for edge in edges))
            for mode, results in zip("abc", lines, strict=False)
        ),
        more=None,
    )


def drawn(found: Sweep, size: float = 40.0, now: float | None = None, **changed: Any) -> Drawing:
    values = {"size": size, "result": size if now is None else now, "mode": "a"}
    return Drawing(chart(toy_of(**changed), values, found, "What it shows."))


def edge(first: float, below: str = "low", above: str = "high enough") -> Threshold:
    one, other = (Verdict(level="good", word=word) for word in (below, above))
    return Threshold(last=first - 1e-9, first=first, below=one, above=other)


def plot(drawing: Drawing) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of the plot: the ends of its rules."""
    (left,) = {rule.x1 for rule in drawing.level}
    (right,) = {rule.x2 for rule in drawing.level}
    (top,) = {rule.y1 for rule in drawing.upright}
    (bottom,) = {rule.y2 for rule in drawing.upright}
    return left, right, top, bottom


def test_even_axes_begin_at_nothing_and_have_round_values_at_even_steps() -> None:
    drawing = drawn(swept(TENS, tuple(3 * point for point in TENS)))
    left, right, top, bottom = plot(drawing)
    drawing.assert_ticks(
        ["0 B", "20 B", "40 B", "60 B", "80 B", "100 B"], ["0 B", "50 B", "100 B", "150 B", "200 B", "250 B", "300 B"]
    )
    drawing.assert_apart()
    assert even([rule.x1 for rule in drawing.upright])
    assert even([rule.y1 for rule in drawing.level])
    assert drawing.level[-1].y1 == bottom  # nothing is at the bottom
    assert (drawing.upright[0].x1, drawing.upright[-1].x1) == (left, right)
    (curve,) = drawing.curves
    assert (curve[0], curve[-1][0]) == ((left, bottom), right)
    assert curve[-1][1] == drawing.level[0].y1  # 300 is at the rule of 300
    assert 0.03 < (curve[-1][1] - top) / (bottom - top) < 0.12  # there is room above the highest, and not much
    assert 0 < drawing.wide - right < 30
    assert 0 < drawing.high - bottom < 80
    assert (drawing.title, drawing.about) == ("Result along Size", "What it shows.")


def test_axes_are_named_above_the_one_and_below_the_middle_of_the_other() -> None:
    drawing = drawn(swept(TENS, TENS))
    left, right, top, bottom = plot(drawing)
    up, along = drawing.saying("Result"), drawing.saying("Size")
    assert (up.x, up.anchor) == (left, "start")
    assert 10 <= top - up.y <= 20
    assert (along.x, along.anchor) == ((left + right) / 2, "middle")
    labels = next(one for one in drawing.words if one.anchor == "middle" and one.text == "40 B")
    assert along.top > labels.y + 10  # a line below the labels
    assert bottom < labels.y


@pytest.mark.parametrize(
    ("results", "from_nothing"),
    [((10.0, 100.0, 299.0), True), ((10.0, 100.0, 301.0), False), ((0.0, 1.0, 1000.0), True)],
)
def test_results_that_spread_by_more_than_thirty_are_by_ratios_where_the_input_does(
    results: tuple[float, ...], *, from_nothing: bool
) -> None:
    """Then ten times as much is as far from one as from the other."""
    drawing = drawn(swept((1.0, 10.0, 100.0), results), size=10.0, now=results[1], scale="log")
    (curve,) = drawing.curves
    assert even([x for x, _ in curve])
    _, _, top, bottom = plot(drawing)
    heights = [bottom - y for _, y in curve]
    if from_nothing:
        assert heights[1] / heights[2] == pytest.approx(results[1] / results[2], abs=2e-3)
    else:
        share = math.log(100 / 10) / math.log(301 / 10)
        assert (heights[1] - heights[0]) / (heights[2] - heights[0]) == pytest.approx(share, abs=2e-3)
        assert 0 < heights[0] < 12  # the least is a little above the bottom, the most as far below the top
        assert curve[2][1] - top == pytest.approx(heights[0], abs=0.2)


def test_along_an_even_input_results_are_spaced_evenly_however_far_they_spread() -> None:
    drawing = drawn(swept((1.0, 2.0, 3.0), (1.0, 500.0, 1000.0)), size=2.0, now=500.0)
    (curve,) = drawing.curves
    assert curve[1][1] == pytest.approx((curve[0][1] + curve[2][1]) / 2, abs=1)


def test_an_axis_reaches_below_nothing_where_results_do_and_has_a_height_where_they_are_all_alike() -> None:
    drawing = drawn(swept((0.0, 50.0, 100.0), (-100.0, -20.0, 100.0)), size=1e3, now=-20.0)
    (curve,) = drawing.curves
    *_, bottom = plot(drawing)
    assert curve[0][1] == bottom
    assert drawing.saying("−20 B").middle == pytest.approx(curve[1][1], abs=0.5)
    flat = drawn(swept((0.0, 50.0, 100.0), (0.0, 0.0, 0.0)), now=0.0)
    assert {y for _, y in flat.curves[0]} == {plot(flat)[3]}


def test_by_ratios_the_roundest_values_are_labeled_but_not_at_the_ends_of_the_results() -> None:
    """Those begin at 10, a tenth below the least, and end at 11,000."""
    drawing = drawn(swept((1.0, 10.0, 100.0, 1000.0), (11.0, 50.0, 500.0, 10000.0)), scale="log", slider=(1, 1000))
    drawing.assert_ticks(
        ["1 B", "3 B", "10 B", "30 B", "100 B", "300 B", "1 kB"], ["30 B", "100 B", "300 B", "1 kB", "3 kB", "10 kB"]
    )
    drawing.assert_apart()


def test_an_input_that_goes_by_ratios_is_even_where_it_begins_at_nothing() -> None:
    drawing = drawn(swept((0.0, 50.0, 100.0), (1.0, 2.0, 3.0)), scale="log")
    assert even([x for x, _ in drawing.curves[0]])
    assert even([rule.x1 for rule in drawing.upright])
    assert len(drawing.upright) >= 5


def test_a_line_is_in_pieces_where_values_are_refused_and_a_lone_end_is_none() -> None:
    drawing = drawn(swept(TENS, (None, 1.0, 2.0, None, None, 3.0, 4.0, 5.0, None, None, None)))
    assert [len(curve) for curve in drawing.curves] == [2, 3]


def test_lines_of_several_have_dashes_of_their_own_and_no_dot() -> None:
    """Their names are next to their ends, a line apart at least, under the label of what they are."""
    drawing = drawn(swept(TENS, tuple(TENS), tuple(point * 1.01 for point in TENS), (*(50.0,) * 10, None)))
    _, right, top, bottom = plot(drawing)
    assert len(set(drawing.dashes)) == 3
    assert drawing.dots == []
    assert drawing.wide - right > 100
    names = [drawing.saying(name) for name in ("First", "Second", "Third")]
    assert {one.x for one in names} == {names[0].x}
    assert 5 < names[0].x - right < 12
    ends = [curve[-1][1] for curve in drawing.curves]
    assert names[1].middle == pytest.approx(ends[1], abs=0.5)  # the highest line's name is at its end
    assert names[0].y - names[1].y == 14  # the next is too near to it: a line below
    assert names[2].middle == pytest.approx(ends[2], abs=0.5)  # where it ends, though others go on
    label = drawing.saying("Mode")
    assert (label.anchor, label.x) == ("end", drawing.wide)
    assert label.y == drawing.saying("Result").y
    assert top < names[1].y < bottom


def test_the_names_of_lines_at_the_very_top_stay_below_their_label() -> None:
    drawing = drawn(swept((0.0, 100.0), (0.0, 1e-9), (0.0, 1e-9)), now=0.0)
    _, _, top, _ = plot(drawing)
    first, second = (drawing.saying(name) for name in ("First", "Second"))
    assert min(first.y, second.y) > top
    assert abs(first.y - second.y) == 14


@pytest.mark.parametrize(
    ("size", "slope", "left", "above"),
    [(20.0, 1, False, False), (80.0, 1, True, True), (20.0, -1, False, True), (80.0, -1, True, False)],
)
def test_the_present_result_appears_next_to_its_dot_where_the_line_is_not(
    size: float, slope: int, *, left: bool, above: bool
) -> None:
    """Toward the middle of the picture, as far from the dot on either side."""
    results = tuple(point if slope > 0 else 100 - point for point in TENS)
    now = size if slope > 0 else 100 - size
    drawing = drawn(swept(TENS, results), size=size, now=now)
    (dot,) = drawing.dots
    assert dot in drawing.curves[0]
    words = next(one for one in drawing.words if one.text == f"{now:.0f} B" and one.size == 13)
    assert words.anchor == ("end" if left else "start")
    assert abs(words.x - dot[0]) == 9
    assert (words.x < dot[0]) == left
    assert (words.y < dot[1]) == above
    gap = dot[1] - words.y if above else words.top - dot[1]
    assert 5 < gap < 12  # next to the dot, whose half is 5


@pytest.mark.parametrize(("size", "now", "slope"), [(90.0, 99.9, 1), (20.0, 99.9, -1)])
def test_the_present_result_at_the_top_or_the_bottom_stays_in_the_plot(size: float, now: float, slope: int) -> None:
    """Results of a tenth of a thousandth more than 99.9: all are at the top; and of next to nothing at the bottom."""
    high = drawn(swept((0.0, size, 100.0), (now - slope * 5e-1, now, now + slope * 1e-3)), size=size, now=now)
    _, _, top, bottom = plot(high)
    words = next(one for one in high.words if one.size == 13 and one.text == "99.9 B")
    assert top < words.top
    low = drawn(swept((0.0, 10.0, 100.0), (0.0, 1e-3, 100.0)), size=10.0, now=1e-3)
    below = next(one for one in low.words if one.text == toy_of().text("result", 1e-3))
    assert below.y < bottom


@pytest.mark.parametrize(("size", "dots"), [(0.0, 1), (100.0, 1), (-1.0, 0), (101.0, 0)])
def test_a_reader_outside_the_picture_has_no_dot(size: float, dots: int) -> None:
    assert len(drawn(swept(TENS, TENS), size=size, now=50.0).dots) == dots


def turn(drawing: Drawing, mark: str) -> list[Place]:
    return [(one.x, one.y) for one in drawing.words if mark in one.text]


def test_at_an_edge_is_a_rule_with_the_word_of_the_side_that_has_room_for_it() -> None:
    """Right of it what comes, or left of it what was, as far from the rule on either side."""
    drawing = drawn(swept(TENS, TENS, edges=(edge(30.0), edge(97.0, "high enough", "low"))))
    left, right, top, bottom = plot(drawing)
    rules = [one for one in drawing.rules if one.style == "f-live"]
    assert [(one.x1 - left) / (right - left) for one in rules] == pytest.approx([0.3, 0.97], abs=1e-3)
    assert {(one.x1 - one.x2, one.y1, one.y2) for one in rules} == {(0, top, bottom)}
    after, before = drawing.saying("high enough →"), drawing.saying("← high enough")
    assert (after.anchor, before.anchor) == ("start", "end")
    assert (after.x - rules[0].x1, rules[1].x1 - before.x) == pytest.approx((5, 5), abs=0.1)
    assert after.y == before.y  # they are far apart, so in one row
    assert 2 < after.top - top < 6


def test_words_of_a_verdict_are_clear_of_the_line() -> None:
    high = drawn(swept(TENS, (100.0,) * 11, edges=(edge(30.0),)))
    low = drawn(swept(TENS, (5.0, *(100.0,) * 10), edges=(edge(30.0),)), now=100.0)
    for drawing in (high, low):
        message = drawing.saying("high enough →")
        (line,) = drawing.curves
        assert all(not message.top < at < message.y for _, at in line)


def test_a_word_that_just_fits_is_on_the_right() -> None:
    """A plot of 616 for a hundred: thirteen letters of 6.3 are 13.3 of them."""
    for first, message in ((86.0, "high enough →"), (87.5, "← low")):
        assert drawn(swept(TENS, TENS, edges=(edge(first),))).saying(message).top > 0


def test_words_that_would_run_into_each_other_are_in_rows_of_their_own_and_no_more_than_six() -> None:
    edges = tuple(edge(50.0 + place, "low", f"word {place}") for place in range(8))
    drawing = drawn(swept(TENS, TENS, edges=edges))
    assert len([one for one in drawing.rules if one.style == "f-live"]) == 8
    heights = [y for _, y in turn(drawing, "word")]
    assert len(heights) == 6
    assert even(heights)
    assert heights[1] - heights[0] > 12  # a line apart
    far = drawn(swept(TENS, TENS, edges=(edge(10.0), edge(12.0), edge(40.0), edge(42.0))))
    ys = [y for _, y in turn(far, "→")]
    assert (ys[0], ys[1]) == (ys[2], ys[3])
    assert ys[0] != ys[1]


def test_of_several_lines_edges_are_not_drawn() -> None:
    drawing = drawn(swept(TENS, TENS, TENS, edges=(edge(30.0),)))
    assert [one for one in drawing.rules if one.style == "f-live"] == []


def test_of_a_choice_there_is_no_picture() -> None:
    found = Sweep(name="mode", result="result", points=(), family="", lines=(), more=None)
    with pytest.raises(TypeError, match="mode is a choice"):
        chart(toy_of(), {"size": 1.0, "mode": "a", "result": 1.0}, found, "")

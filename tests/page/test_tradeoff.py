"""The picture of a tradeoff, by hand: the curve to scale, where it ends, the target, the reader, published points."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from calculators.declare import Tradeoff, step
from calculators.declare.tradeoffs import Mark
from calculators.page.tradeoff import tradeoff
from tests.declare.test_declare import inputs_of, sized, toy
from tests.page.drawings import Drawing, even
from tests.page.test_chart import TENS, swept
from tests.page.test_chart import drawn as swept_alone


@step("B", "Across")
def across(size: float) -> float:
    return 100 - size


@step("B", "Up")
def up(size: float) -> float:
    return 2 * size


def drawn(size: float = 20.0, target: float | None = None, *marks: Mark) -> tuple[Drawing, str]:
    """A curve from (90, 20) by (50, 100) to (20, 160), on which no published point is."""
    report = Tradeoff(
        title="The title",
        about="About it.",
        along="size",
        across="across",
        up="up",
        places=lambda _: (10.0, 50.0, 80.0),
        end_label="it is full",
        target=lambda _: target,
        target_label="the target",
        marks=lambda _: marks,
    )
    calculator = toy(inputs_of(size=sized(slider=(1, 100))), across, up, tradeoff=report)
    svg, text = tradeoff(calculator, calculator.evaluate({"size": size}))
    return Drawing(svg), text


def test_both_axes_begin_at_nothing_and_hold_the_curve_with_a_little_room() -> None:
    drawing, text = drawn(50.0)
    drawing.assert_ticks(["0 B", "20 B", "40 B", "60 B", "80 B"], ["0 B", "40 B", "80 B", "120 B", "160 B"])
    (curve,) = drawing.curves
    left, right = drawing.level[0].x1, drawing.level[0].x2
    top, bottom = drawing.upright[0].y1, drawing.upright[0].y2
    assert (drawing.upright[0].x1, drawing.level[-1].y1) == (left, bottom)
    assert even([one.x1 for one in drawing.upright])
    assert even([one.y1 for one in drawing.level])
    # It ends at the rules of 20 and of 160.
    assert curve[-1] == (drawing.upright[1].x1, drawing.level[0].y1)
    assert [(x - left) / (curve[0][0] - left) for x, _ in curve] == pytest.approx([1, 5 / 9, 2 / 9], abs=1e-3)
    assert [(bottom - y) / (bottom - curve[-1][1]) for _, y in curve] == pytest.approx([1 / 8, 5 / 8, 1], abs=1e-3)
    assert 0.03 < (right - curve[0][0]) / (right - left) < 0.12
    assert 0.03 < (curve[-1][1] - top) / (bottom - top) < 0.12
    assert 0 < drawing.wide - right < 30
    drawing.assert_apart()
    assert (drawing.title, drawing.about) == ("The title", text)


def test_axes_are_named_above_the_one_and_below_the_middle_of_the_other() -> None:
    drawing, _ = drawn()
    left, right, top = drawing.level[0].x1, drawing.level[0].x2, drawing.upright[0].y1
    assert (drawing.saying("Up").x, drawing.saying("Across").x) == (left, (left + right) / 2)
    assert 10 <= top - drawing.saying("Up").y <= 20
    assert drawing.saying("Across").anchor == "middle"
    assert drawing.saying("Across").top > max(one.y for one in drawing.words if one.text == "40 B") + 10


@pytest.mark.parametrize(("size", "places"), [(10.0, 3), (20.0, 4), (60.0, 4), (80.0, 3), (90.0, 3), (5.0, 3)])
def test_the_curve_bends_where_the_reader_is_between_its_ends(size: float, places: int) -> None:
    """At 20 they have 80 across and 40 up; beyond its ends the curve goes nowhere, and all is still in the picture."""
    drawing, text = drawn(size)
    (curve,), (dot,) = drawing.curves, drawing.dots
    assert len(curve) == places
    assert curve == sorted(curve, reverse=True)
    assert (dot in curve) == (10 <= size <= 80)
    assert drawing.level[0].x1 < dot[0] < drawing.level[0].x2
    assert drawing.upright[0].y1 < dot[1] < drawing.upright[0].y2
    assert f"Current state: {size:.0f} B: {100 - size:.0f} B, {2 * size:.0f} B." in text
    you = drawing.saying("you")
    assert 6 < you.x - dot[0] < 12
    assert 4 < dot[1] - you.y < 10


def test_its_end_is_a_short_rule_across_it_and_is_reported() -> None:
    drawing, text = drawn()
    (rule,) = (one for one in drawing.rules if one.style == "f-rule")
    x, y = drawing.curves[0][-1]
    assert rule.x1 == rule.x2 == x
    assert (rule.y1 + rule.y2) / 2 == pytest.approx(y, abs=0.1)
    assert 10 < rule.y2 - rule.y1 < 20
    ends = "from 10 B (90 B, 20 B) to 80 B (20 B, 160 B), where it is full."
    assert text == f"Up over across, {ends} Current state: 20 B: 80 B, 40 B."


@pytest.mark.parametrize(("target", "is_right"), [(0.0, False), (30.0, False), (60.0, True), (90 * 1.08, True)])
def test_a_target_is_a_rule_with_its_word_on_the_side_that_has_room(target: float, *, is_right: bool) -> None:
    drawing, _ = drawn(target=target)
    (rule,) = (one for one in drawing.rules if one.style == "f-live")
    left, eighty = drawing.level[0].x1, drawing.upright[-1].x1
    assert rule.x1 == rule.x2 == pytest.approx(left + (eighty - left) * target / 80, abs=0.11)
    assert (rule.y1, rule.y2) == (drawing.upright[0].y1, drawing.upright[0].y2)
    words = drawing.saying("the target")
    assert words.anchor == ("end" if is_right else "start")
    assert (rule.x1 - words.x if is_right else words.x - rule.x1) == pytest.approx(5, abs=0.11)
    assert 2 < words.top - rule.y1 < 6


@pytest.mark.parametrize("target", [None, -1.0, 98.0])
def test_a_target_that_is_not_in_the_picture_has_no_rule(target: float | None) -> None:
    drawing, _ = drawn(target=target)
    assert all(one.text != "the target" for one in drawing.words)


def test_published_points_are_squares_around_their_places_and_widen_the_picture() -> None:
    """At twice the farthest and twice the highest of the curve, which then ends in the middle of what was."""
    drawing, text = drawn(20.0, None, Mark(label="Model 2.0", across=180.0, up=320.0), Mark(label="B", across=0, up=0))
    plain = drawn()[0]
    far, origin = drawing.bars
    left, bottom = drawing.level[-1].x1, drawing.upright[0].y2
    assert far.wide == far.high == origin.wide
    assert (origin.left + origin.wide / 2, origin.middle) == pytest.approx((left, bottom), abs=0.11)
    x, y = plain.curves[0][0][0], plain.curves[0][-1][1]
    assert (far.left + far.wide / 2, far.middle) == pytest.approx((x, y), abs=0.11)
    assert drawing.curves[0][0][0] - left == pytest.approx((x - left) / 2, abs=0.11)
    assert text.endswith(" 2 published points are marked: Model 2.0.")
    assert 6 < far.wide < 12


def test_labels_across_and_up_follow_one_another_evenly() -> None:
    drawing, _ = drawn()
    for rules in ([one.x1 for one in drawing.upright], [one.y1 for one in drawing.level]):
        assert all(one < other for one, other in pairwise(rules))


def test_a_calculator_without_one_has_none() -> None:
    nothing: Any = toy()
    assert tradeoff(nothing, {}) == ("", "")


def test_it_is_drawn_in_the_same_hand_as_a_sweep() -> None:
    """The frame is the same, labels are as far from it, and words as far from the reader's dot."""
    drawing, _ = drawn(20.0)
    sweep = swept_alone(swept(TENS, TENS), size=40.0)
    assert (drawing.wide, drawing.high) == (sweep.wide, sweep.high)
    for one, other in ((drawing.level[0], sweep.level[0]), (drawing.upright[0], sweep.upright[0])):
        assert (one.x1, one.style) == (other.x1, other.style)
    assert (drawing.upright[0].y1, drawing.upright[0].y2) == (sweep.upright[0].y1, sweep.upright[0].y2)
    for anchor in ("end", "middle"):
        (x, y), (other_x, other_y) = (
            next((one.x, one.y) for one in each.words if one.anchor == anchor and one.text == "0 B")
            for each in (drawing, sweep)
        )
        assert (x, y) == pytest.approx((other_x, other_y), abs=0.11)
    assert drawing.saying("Up").y == sweep.saying("Result").y
    assert drawing.saying("Across").y == sweep.saying("Size").y
    you, now = drawing.saying("you"), next(one for one in sweep.words if one.text == "40 B" and one.size == 13)
    assert you.x - drawing.dots[0][0] == pytest.approx(now.x - sweep.dots[0][0], abs=0.11)

"""The picture of bars, by hand: to scale, each with its words next to it, one beginning where another ended."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from calculators.page.bars import Bar, bars
from tests.page.drawings import Drawing, even


def drawn(*bars_drawn: Bar, **more: Any) -> Drawing:
    return Drawing(bars("name", ("Title", "What it shows."), bars_drawn, **more))


STEPS = (
    Bar(label="A", pieces=[(0.0, 10.0, "f-fill-5")], after="10"),
    Bar(label="More", pieces=[(10.0, 40.0, "f-fill-1")], before="from", after="+30", note="a note"),
    Bar(label="Less", pieces=[(40.0, 30.0, "f-fill-2")], before="to", after="−10"),
)


def test_bars_are_to_scale_and_the_longest_leaves_room_for_a_number_on_either_side() -> None:
    """Of 0 to 40: the ends of the bars are at their quarters."""
    drawing = drawn(*STEPS)
    first, more, less = drawing.bars
    wide = (more.right - first.left) / 40
    assert [(bar.left - first.left) / wide for bar in drawing.bars] == pytest.approx([0, 10, 30], abs=0.02)
    assert [bar.wide / wide for bar in drawing.bars] == pytest.approx([10, 30, 10], abs=0.02)
    assert 75 < drawing.wide - more.right < 95  # for a number of a dozen letters
    assert more.right - first.left > drawing.wide / 3
    assert first.left > 300  # labels of thirty-six letters, and a number
    assert (drawing.title, drawing.about) == ("Title", "What it shows.")
    assert less.left == pytest.approx(more.right - less.wide, abs=0.11)


def test_every_bar_has_a_row_of_its_own_with_its_label_and_numbers_in_the_middle() -> None:
    drawing = drawn(*STEPS)
    assert even([bar.top for bar in drawing.bars])
    assert all(other.top - one.top > 1.5 * one.high for one, other in pairwise(drawing.bars))
    first, more, less = drawing.bars
    for bar, label, after in ((first, "A", "10"), (less, "Less", "−10")):
        for words in (drawing.saying(label), drawing.saying(after)):
            assert words.middle == pytest.approx(bar.middle, abs=0.8)
    assert drawing.saying("Less").x == drawing.saying("More").x == drawing.saying("a note").x == 0
    name, note = drawing.saying("More"), drawing.saying("a note")
    assert (name.top + note.y) / 2 == pytest.approx(more.middle, abs=1.5)  # both together are in the middle
    assert note.top > name.y + 4
    for bar, before, after in ((more, "from", "+30"), (less, "to", "−10")):
        left, right = drawing.saying(before), drawing.saying(after)
        assert (left.anchor, right.anchor) == ("end", "start")
        assert (bar.left - left.x, right.x - bar.right) == pytest.approx((6, 6), abs=0.11)
        assert left.y == right.y
    gap = more.top - first.top - first.high
    assert drawing.high - less.top - less.high == gap / 2  # half of the row's own is left below the last
    title = drawing.saying("Title")
    assert title.x == 0
    assert title.top >= 0
    assert first.top - title.y > 10
    drawing.assert_apart()


def test_a_label_that_is_too_long_is_cut_to_its_thirty_six_letters() -> None:
    texts = [drawn(Bar(label="x" * count, pieces=[(0.0, 1.0, "")])).words[0].text for count in (36, 37)]
    assert texts == ["x" * 36, "x" * 35 + "…"]


def test_a_bar_of_next_to_nothing_is_still_seen_and_nothing_but_nothing_has_a_width() -> None:
    drawing = drawn(*STEPS, Bar(label="Nothing", pieces=[(30.0, 30.0, "f-fill-1")]))
    assert 1 <= drawing.bars[-1].wide <= 2
    nothing = drawn(Bar(label="Nothing", pieces=[(0.0, 0.0, "f-fill-1")]))
    assert 1 <= nothing.bars[0].wide <= 2
    alike = drawn(Bar(label="Five", pieces=[(5.0, 5.0, "f-fill-1")]), now=5.0)
    assert alike.bars[0].left == alike.rules[0].x1 == nothing.bars[0].left


def test_bars_below_nothing_are_to_scale_and_pieces_next_to_each_other_have_their_words_at_both_ends() -> None:
    bar = Bar(label="Both", pieces=[(-5.0, -20.0, "f-fill-2"), (-5.0, 20.0, "f-fill-1")], before="low", after="high")
    drawing = drawn(bar)
    down, up = drawing.bars
    assert (down.wide / up.wide, down.right) == pytest.approx((15 / 25, up.left), abs=2e-3, rel=1e-3)
    assert 75 < drawing.wide - up.right < 95
    assert down.left - drawing.saying("low").x == pytest.approx(6, abs=0.11)
    assert drawing.saying("high").x - up.right == pytest.approx(6, abs=0.11)


@pytest.mark.parametrize(("now", "share"), [(0.0, 0.0), (20.0, 0.5), (40.0, 1.0)])
def test_the_value_at_present_is_a_rule_through_all_bars(now: float, share: float) -> None:
    drawing = drawn(*STEPS, now=now)
    (rule,) = drawing.rules
    left, right = drawing.bars[0].left, drawing.bars[1].right
    assert rule.x1 == rule.x2 == pytest.approx(left + share * (right - left), abs=0.11)
    assert drawing.saying("Title").y < rule.y1 < drawing.bars[0].top
    assert drawing.bars[-1].top + drawing.bars[-1].high < rule.y2 <= drawing.high


def test_the_present_value_beyond_the_bars_widens_the_picture() -> None:
    below, above = drawn(*STEPS, now=-10.0), drawn(*STEPS, now=50.0)
    first = drawn(*STEPS).bars[0].left
    assert below.rules[0].x1 == pytest.approx(first, abs=0.11)
    assert below.bars[0].left > first
    assert above.rules[0].x1 > above.bars[1].right


def test_linked_bars_have_a_rule_from_the_end_of_one_to_the_beginning_of_the_next() -> None:
    drawing = drawn(*STEPS, linked=True)
    assert drawn(*STEPS).rules == []
    ends = [drawing.bars[0].right, drawing.bars[1].right]
    assert [one.x1 for one in drawing.rules] == pytest.approx(ends, abs=0.11)
    for rule, (one, other) in zip(drawing.rules, pairwise(drawing.bars), strict=True):
        assert rule.x1 == rule.x2
        assert (rule.y1, rule.y2) == (one.top + one.high, other.top)

"""What every picture is drawn with, by hand: places on an axis, the round values that it names, rules and words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from calculators.declare import Quantity
from calculators.page.drawing import Axis, is_log, picture, round_values, rule, words


def axis(low: float, high: float, scale: Any = "linear", **more: Any) -> Quantity:
    ends = (low, high)
    return Quantity(unit="B", label="", default=None, hard=ends, slider=ends, scale=scale, **more)


@pytest.mark.parametrize(
    ("last", "every"),
    [
        *((1, 1), (6, 1), (7, 2), (12, 2), (13, 2), (14, 4), (27, 4), (28, 5), (34, 5), (35, 10), (69, 10)),
        *((70, 20), (120, 20), (300, 50)),
    ],
)
def test_an_even_axis_has_as_many_even_steps_as_seven_labels_allow(last: int, every: int) -> None:
    """Of the numbers from 0 on; to 300 they go by twos."""
    found = round_values(axis(0, last, whole=True))
    assert len(found) <= 7
    assert found == [float(value) for value in range(0, last + 1, every)]


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (1, 100, [1, 2, 5, 10, 20, 50, 100]),  # each three tenths of a decade from the next, of two decades
        (1, 1000, [1, 3, 10, 30, 100, 300, 1000]),  # a seventh of three decades is more than from 1 to 2, or 5 to 10
        (1, 1e6, [1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
        (1, 1e7, [1, 10, 100, 1e3, 1e4, 1e5, 1e6]),  # an eighth would not crowd, but seven are enough
        (1, 1e9, [1, 1e2, 1e4, 1e6, 1e8]),  # a decade is less than a seventh of nine, two are not
        (2, 30, [2, 3, 5, 10, 20, 30]),
        (20, 7e9, [1e2, 1e4, 1e6, 1e8, 5e9]),  # after ones fives, before the two billions that would fit as well
    ],
)
def test_by_ratios_the_roundest_values_are_named_that_do_not_crowd(low: float, high: float, found: list[float]) -> None:
    assert round_values(axis(low, high, "log")) == found


def test_of_durations_those_are_round_that_read_so() -> None:
    """Two minutes are rounder than sixty seconds; five hours come after ten seconds, ten minutes and an hour."""
    scale = replace(axis(5, 30_000, "log"), unit="s")
    assert round_values(scale) == [10, 2 * 60, 10 * 60, 3600, 5 * 3600]


def test_an_axis_is_by_ratios_where_its_input_is_or_goes_by_powers_of_two() -> None:
    assert [is_log(one) for one in (axis(1, 8), axis(1, 8, "log"), axis(1, 8, doubling=True))] == [False, True, True]


def test_a_value_is_on_its_axis_by_difference_or_by_ratio() -> None:
    even, ratios = Axis(10, 30, 100, 500, log=False), Axis(1, 100, 500, 100, log=True)
    assert [even.at(value) for value in (10, 15, 30, 40)] == [100, 200, 500, 700]
    assert [ratios.at(value) for value in (1, 10, 100)] == [500, 300, 100]


def test_words_and_rules_say_nothing_as_markup() -> None:
    assert words(1, 2.25, "a < b", "f-small", anchor="end") == (
        '<text class="f-small" fill="currentColor" font-size="11.5" text-anchor="end" x="1.0" y="2.2">a &lt; b</text>'
    )
    assert 'font-size="13" text-anchor="start"' in words(1, 2, "a", "f-label")
    assert rule("f-line", "0.25", "3 3", (1, 2), (3, 4)) == (
        '<line class="f-line" stroke="currentColor" stroke-opacity="0.25" stroke-dasharray="3 3" '
        'x1="1.0" y1="2.0" x2="3.0" y2="4.0"/>'
    )
    assert "dasharray" not in rule("f-line", "1", "", (1, 2), (3, 4))
    report = picture("name", 40, "A & B", "C < D", ["<g/>"]).split("\n")
    assert report[1:] == ['<title id="name-t">A &amp; B</title>', '<desc id="name-d">C &lt; D</desc>', "<g/>", "</svg>"]
    assert ' 40" role="img" aria-labelledby="name-t name-d" font-family="sans-serif">' in report[0]

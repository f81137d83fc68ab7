"""What a review says in words and letters, by hand: ways to a result, ranges, bars, and how far an edge is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from calculators.answers.explore import Swing
from calculators.answers.explore.thresholds import Threshold
from calculators.answers.input_state import parse_inputs
from calculators.answers.review import margins, solution, solve, uncertainty
from calculators.catalog import CALCULATORS
from calculators.declare import Verdict, step
from tests.declare.test_declare import inputs_of, sized, toy

GOOD, BAD = Verdict(level="good", word="good"), Verdict(level="bad", word="bad")


@step("B", "A hill")
def hill(size: float) -> float:
    """Rises to 100 at 10, falls again."""
    return 100 - (size - 10) ** 2


HILL, TOY = toy(inputs_of(size=sized()), hill), toy()
SIZE: Any = TOY.inputs["size"]


def ways(calculator: Any, result: str, wanted: float, name: str, **given: str) -> solution.Found:
    resolved = parse_inputs(calculator, given)
    values = calculator.evaluate(resolved.explicit)
    (found,) = solve.solutions(calculator, resolved, values, result, wanted, [name]).run()
    return found


def test_how_many_values_do_is_reported_where_there_are_several() -> None:
    assert ways(HILL, "hill", 75.0, "size").sentence == "Size: 2 values reach it: 5 B, 15 B; now 4 B."
    assert ways(TOY, "doubled", 20.0, "size").sentence == "Size: 10 B; now 4 B."
    assert ways(TOY, "doubled", 20.46, "size").sentence == "Size: 10.23 B; now 4 B."


def test_the_shortest_text_that_gives_the_result_is_offered() -> None:
    (offer,) = ways(TOY, "doubled", 20 / 3, "size").offers
    assert (offer.changes["size"].split(" ")[0], offer.result) == ("3.333", "6.67 B")


def test_only_where_nothing_does_the_text_says_that_nothing_does() -> None:
    values, found = TOY.evaluate({"size": 4.0}), ways(TOY, "doubled", 20.0, "size")
    nothing = "  No single input reaches 20 B."
    report = solve.lines(TOY, values, "doubled", 20.0, [found])
    assert report == ["Twice the size: target 20 B, now 8 B.", f"  {found.sentence}"]
    assert solve.lines(TOY, values, "doubled", 20.0, [])[1:] == [nothing]


def test_of_a_menu_the_nearest_comes_first_also_from_above() -> None:
    calculator = CALCULATORS["checkpoint"]
    found = ways(calculator, "checkpoint_size", 2e12, "model", model="llama-3-1-405b")
    results = [one["result"] for one in found.data["answers"]]
    assert len(results) > 2
    assert max(results) < 2e12
    assert results == sorted(results, reverse=True)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (None, None, "anywhere in its slider range"),
        (None, 0.0, "0 B and below"),
        (None, 5.0, "5 B and below"),
        (5.0, None, "from 5 B on"),
        (5.0, 7.0, "5 B to 7 B"),
    ],
)
def test_a_stretch_is_reported_by_its_ends(low: float | None, high: float | None, text: str) -> None:
    assert solution.range_text(SIZE, low, high) == text


def test_a_bar_is_twenty_four_letters_from_the_least_to_the_most() -> None:
    """From 10 to 20 of 0 to 40: a quarter of them is free, the next is filled."""
    swing = Swing(name="size", low=0.0, high=0.0, at_low=20.0, at_high=10.0)
    assert uncertainty._bar(swing, 0.0, 40.0) == " " * 6 + "█" * 6
    assert uncertainty._bar(swing, 10.0, 20.0) == "█" * 24


@pytest.mark.parametrize(
    ("present", "last", "first", "up", "text"),
    [
        (8.0, 8.0, 9.0, True, "; one more changes it"),
        (5.0, 10.0, 11.0, True, "; 2.2× as much changes it"),
        (9.0, 8.0, 9.0, False, "; one less changes it"),
        (20.0, 15.0, 16.0, False, "; 25% less changes it"),
        (20.0, 24.0, 25.0, True, "; 25% more changes it"),
        (0.0, 1.0, 2.0, True, ""),
        (2.0, 0.0, 1.0, False, ""),
    ],
)
def test_the_distance_of_a_threshold_is_a_difference_or_a_proportion(
    present: float, last: float, first: float, *, up: bool, text: str
) -> None:
    declared = replace(SIZE, whole=True)
    assert margins._change(declared, present, Threshold(last=last, first=first, below=GOOD, above=BAD), up=up) == text

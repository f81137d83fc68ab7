"""Solved inputs: found by a search where they are not given, after every change too."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from calculators.answers.explore.bounds import bounded
from calculators.answers.explore.solve import solve
from calculators.answers.explore.sweeps import outline, sweep
from calculators.declare import constraint, step
from calculators.declare.solved import Solved, SolvedCalculator, solved
from calculators.declare.subgraph import Finder
from tests.declare.test_declare import doubled, inputs_of, sized, toy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calculators.declare import Calculator

_HOLDS = 3.0  # what a box holds


@step("B", "Size in each box")
def filled(size: float, boxes: float) -> float:
    return size / boxes


@step("1", "Lids")
def lids(boxes: float) -> float:
    return boxes


@constraint("size")
def too_many(lids: float) -> str:
    return "More than 20 lids" if lids > 20 else ""


def _fewest(_graph: Calculator, values: Mapping[str, Any], _moved: frozenset[str], given: frozenset[str]) -> Finder:
    """The fewest boxes that hold the size; none where the boxes are given."""
    if "boxes" in given:
        return Finder(lambda _: {})
    return Finder(lambda changes: {"boxes": math.ceil({**values, **changes}["size"] / _HOLDS)})


_OF_EIGHT = Finder(lambda given: {} if "size" in given else {"size": 8.0})


def boxed() -> SolvedCalculator:
    graph = toy(inputs_of(size=sized(), boxes=sized(), idle=sized()), filled, doubled, headline=["filled"])
    by = Solved(outputs=("boxes",), needs=("size",), by=_fewest, completed=_OF_EIGHT)
    return solved(graph, by, ("size",), ())


def test_an_input_that_is_not_given_is_found() -> None:
    calculator = boxed()
    assert calculator.evaluate({"size": 7.0})["boxes"] == 3
    assert calculator.evaluate({"size": 7.0, "boxes": 7.0})["filled"] == 1
    assert calculator.evaluate({})["size"] == 8, "completed before the search"
    assert calculator.unsolved.evaluate({"size": 7.0})["boxes"] == 4, "the default of its graph"


def test_what_is_found_is_not_given() -> None:
    assert boxed().evaluate({"size": 7.0}).given == {"size"}


def test_after_a_change_it_is_found_for_that_change() -> None:
    calculator = boxed()
    values = calculator.evaluate({"size": 7.0})
    there = calculator.after(values, {"size": 30.0})
    assert (there["boxes"], there["filled"], there["doubled"]) == (10, 3, 60)
    assert there.given == {"size"}
    assert calculator.after(values, {"boxes": 2.0})["filled"] == 3.5
    trial = calculator.trials(values, ("size",), ("filled",))
    assert [trial({"size": size})["filled"] for size in (30.0, 3.0, 4.0)] == [3, 3, 2]


def test_a_given_value_stays_while_others_change() -> None:
    calculator = boxed()
    pinned = calculator.evaluate({"size": 7.0, "boxes": 2.0})
    assert calculator.after(pinned, {"size": 30.0})["boxes"] == 2


def test_nothing_is_searched_for_where_it_cannot_matter() -> None:
    searches = 0

    def counted(*args: Any) -> Finder:
        nonlocal searches
        searches += 1
        return _fewest(*args)

    plain = boxed()
    calculator = solved(plain.unsolved, Solved(outputs=("boxes",), needs=("size",), by=counted), ("size",), ())
    values = plain.evaluate({"size": 7.0})
    calculator.trials(values, ("idle",), ("filled",))
    calculator.trials(values, ("size",), ("doubled",))
    assert searches == 0
    calculator.trials(values, ("size",), ("filled",))
    assert searches == 1


def searching_boxed() -> tuple[SolvedCalculator, list[float]]:
    """Boxes as above, of which at most 20 may be needed; the sizes for which they were searched."""
    sizes: list[float] = []

    def noted(graph: Calculator, values: Mapping[str, Any], moved: frozenset[str], given: frozenset[str]) -> Finder:
        found = _fewest(graph, values, moved, given)

        def searched(changes: Mapping[str, Any]) -> dict[str, Any]:
            sizes.append({**values, **changes}["size"])
            return found.find(changes)

        return Finder(searched)

    graph = toy(
        inputs_of(size=sized(), boxes=sized(), idle=sized()), filled, doubled, lids, too_many, headline=["filled"]
    )
    return solved(graph, Solved(outputs=("boxes",), needs=("size",), by=noted), ("size",), ()), sizes


def test_along_an_input_only_what_is_found_is_searched_where_the_result_does_not_depend_on_it() -> None:
    """Twice the size is 60 at 30, in ten boxes."""
    calculator, searched = searching_boxed()
    values = calculator.evaluate({"size": 7.0})
    searched.clear()
    (met,) = solve(calculator, values, "size", "doubled", 60.0).run().answers
    assert (met.value, met.result) == (pytest.approx(30), pytest.approx(60))
    assert searched == [met.value]
    searched.clear()
    (stretch,) = bounded(calculator, values, "size", "doubled", "most", 60.0).run().stretches
    assert stretch.low is None
    assert stretch.high
    assert searched == [stretch.high.value]


def test_where_what_is_found_is_refused_all_is_searched_again() -> None:
    """Twice the size is 180 at 90, in thirty boxes, of which twenty may be needed."""
    calculator, searched = searching_boxed()
    values = calculator.evaluate({"size": 7.0})
    searched.clear()
    assert solve(calculator, values, "size", "doubled", 180.0).run().answers == ()
    assert len(searched) > 1


def test_an_outline_has_a_few_searched_values_of_a_sweep_or_all_without_a_search() -> None:
    calculator, searched = searching_boxed()
    values = calculator.evaluate({"size": 7.0})
    searched.clear()
    few = outline(calculator, values, "size", "filled", (2.0, 50.0)).run()
    assert len(searched) == len(few.points) < 12
    assert {2.0, 7.0, 50.0} <= set(few.points)
    whole = sweep(calculator, values, "size", "filled", (2.0, 50.0)).run()
    results = dict(zip(whole.points, whole.lines[0].results, strict=True))
    assert few.lines[0].results == tuple(results[point] for point in few.points)
    searched.clear()
    known = outline(calculator, values, "size", "doubled", (2.0, 50.0)).run()
    assert searched == []
    assert known.points == whole.points
    assert known.lines[0].results == tuple(2 * point for point in known.points)


def test_inputs_behind_the_search_are_behind_what_it_moves() -> None:
    calculator = boxed()
    assert calculator.searched == {"size"}
    assert calculator.behind("filled") == {"size", "boxes"}
    assert calculator.behind("doubled") == {"size"}
    assert (calculator.explored, calculator.explored_menus) == (("size",), ())

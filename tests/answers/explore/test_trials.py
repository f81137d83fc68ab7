"""Trials, by hand: what a change makes of results, and where it has none."""

from __future__ import annotations

import math

import pytest

from calculators.answers.explore.trials import Trials, finite
from calculators.declare import constraint, step
from tests.declare.test_declare import inputs_of, sized, toy


@step("B", "A share")
def share(size: float) -> float | None:
    """One of what is above five; at ten it has no end, at twenty it is none at all, below five there is nothing."""
    ends = {10.0: math.inf, 11.0: -math.inf, 20.0: math.nan}
    return None if size < 5 else ends.get(size, 1 / (size - 5))


@step("B", "A root")
def root(size: float) -> float:
    return math.sqrt(size - 4)


@step("B", "Twice that")
def twice(root: float) -> float:
    return 2 * root


@constraint("size")
def not_thirteen(size: float) -> str:
    return "unlucky" if size == 13 else ""


@constraint("other")
def never(other: float) -> str:
    return "no" if other else ""


def trials(*results: str) -> Trials:
    calculator = toy(
        inputs_of(size=sized(default=8.0), other=sized(default=1.0, label="Other")),
        *(share, root, twice, not_thirteen, never),
    )
    return Trials(calculator, calculator.evaluate({}), {"size"}, results)


@pytest.mark.parametrize(
    ("size", "found"),
    [
        (9.0, {"share": 1 / 4}),
        (4.0, {"share": None}),  # nothing is an answer too
        (5.0, None),  # divided by nothing
        (10.0, None),
        (11.0, None),
        (20.0, None),
        (13.0, None),  # refused
    ],
)
def test_a_change_has_results_where_it_is_not_refused_and_they_are_finite(
    size: float, found: dict[str, float | None] | None
) -> None:
    assert trials("share").after({"size": size}) == found


def test_what_a_result_needs_comes_with_it_where_all_is_asked_and_what_raises_raises() -> None:
    known = trials("twice").at_all({"size": 20.0})
    assert known
    assert (known["root"], known["twice"], known["size"]) == (4, 8, 20)
    assert trials("twice").after({"size": 20.0}) == {"twice": 8}
    with pytest.raises(ValueError, match=r"math domain error|expected a nonnegative input"):
        trials("twice").at_all({"size": 3.0})
    assert trials("twice").after({"size": 3.0}) is None


def test_only_numbers_can_be_without_end() -> None:
    endless = (math.inf, -math.inf, math.nan)
    assert [finite((1.0, one, "word")) for one in endless] == [False] * 3
    assert finite((1.0, 10**400, "inf", None, True))

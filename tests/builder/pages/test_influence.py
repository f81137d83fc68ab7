"""What decides is asked first."""

from __future__ import annotations

import pytest

from builder.pages.influence import influence
from builder.pages.view import View
from calculators.catalog import CALCULATORS


def test_an_input_that_the_result_follows_one_to_one_counts_as_one() -> None:
    view = View(CALCULATORS["checkpoint"])
    moves = influence(view.calculator, view.values)
    assert moves["parameters"] == pytest.approx(1)
    assert moves["write_window"] == pytest.approx(1)
    assert moves["hot_checkpoints"] == 0


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", CALCULATORS)
def test_groups_hold_every_input_once_and_those_that_matter_most_are_open(name: str) -> None:
    view = View(CALCULATORS[name])
    groups = view.groups()
    assert sorted(d.name for group in groups for d in group.inputs) == sorted(view.calculator.inputs)
    shown = {d.name for group in groups if group.is_open for d in group.inputs}
    assert set(view.calculator.first_sliders) <= shown
    assert [group.is_open for group in groups] == sorted((group.is_open for group in groups), reverse=True)


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", CALCULATORS)
def test_what_does_nothing_at_present_comes_last_in_its_group(name: str) -> None:
    view = View(CALCULATORS[name])
    moves = influence(view.calculator, view.values)
    for group in view.groups():
        idle = [moves[d.name] == 0 for d in group.inputs if d.name not in view.calculator.first_sliders]
        assert idle == sorted(idle)

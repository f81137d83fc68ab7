"""Turned round: any input for any result, solved by looking everywhere, and checked by putting the answer back in."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from calculators.answers import sliders
from calculators.answers.explore.solve import solve
from calculators.answers.input_state import valid_inputs
from calculators.answers.review import solve as text
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, Quantity, Verdict, choice, step
from tests.declare.test_declare import inputs_of, sized, toy


def values_of(calculator: Calculator, **given: Any) -> Any:
    return calculator.evaluate(valid_inputs(calculator, given).explicit)


@step("B", "A hill")
def hill(size: float) -> float:
    """Rises to 100 at 10, falls again."""
    return 100 - (size - 10) ** 2


@step("B", "Stairs")
def stairs(size: float) -> float:
    return float(math.ceil(size / 10) * 10)


@step("B", "By mode")
def by_mode(mode: str, size: float) -> float:
    return {"a": 1.0, "b": 2.0, "c": 3.0}[mode] * size


@step("B", "A far hill")
def far_hill(size: float) -> float:
    """Rises to 100 at 300, six times as far as the slider, falls again."""
    return hill.function(size / 30)


TOY = toy(
    inputs_of(
        size=sized(hard=(1, 1000), slider=(2, 50)),
        mode=choice("a", "Mode", {"a": "one", "b": "two", "c": "three"}),
    ),
    hill,
    far_hill,
    stairs,
    by_mode,
    answer="{hill}",
)


def test_both_sides_of_a_hill_are_found_the_nearer_first() -> None:
    found = solve(TOY, TOY.evaluate({"size": 4.0}), "size", "hill", 75.0).run()
    assert [answer.value for answer in found.answers] == [pytest.approx(5.0), pytest.approx(15.0)]
    assert all(answer.met and answer.usual for answer in found.answers)


def test_a_target_above_the_hill_has_no_answer_and_the_reachable_results_are_reported() -> None:
    found = solve(TOY, TOY.evaluate({}), "size", "hill", 101.0).run()
    assert found.answers == ()
    assert found.most == pytest.approx(100.0)


def test_an_answer_beyond_the_slider_is_one_but_not_a_usual_one() -> None:
    (answer,) = solve(TOY, TOY.evaluate({"mode": "a"}), "size", "by_mode", 500.0).run().answers
    assert (answer.value, answer.usual, answer.met) == (pytest.approx(500.0), False, True)


def test_both_sides_of_a_hill_beyond_the_slider_are_found() -> None:
    found = solve(TOY, TOY.evaluate({"size": 4.0}), "size", "far_hill", 75.0).run()
    assert [answer.value for answer in found.answers] == [pytest.approx(150.0), pytest.approx(450.0)]
    assert not any(answer.usual for answer in found.answers)


def test_what_is_wanted_is_distinguished_from_what_there_is() -> None:
    """Twenty GPUs keep 99.96 % of the time: with four digits 99.956 % is that too."""
    goodput = CALCULATORS["goodput"]
    values = values_of(goodput, gpus="20")
    report = text.lines(goodput, values, "goodput", 0.99956, [])
    assert report[0] == f"Goodput: target 99.956%, now {values['goodput'] * 100:.5f}%."
    assert text.lines(goodput, values, "goodput", 0.5, [])[0].startswith("Goodput: target 50%, now 99.96%.")


def test_a_result_that_jumps_over_the_target_is_passed_not_met() -> None:
    (answer,) = solve(TOY, TOY.evaluate({}), "size", "stairs", 25.0).run().answers
    assert answer.value == pytest.approx(20.0)
    assert not answer.met
    assert answer.result == 30.0


def test_of_a_choice_the_options_that_reach_the_target_are_found() -> None:
    found = solve(TOY, TOY.evaluate({"size": 10.0}), "mode", "by_mode", 20.0).run()
    assert [(answer.value, answer.met) for answer in found.answers] == [("b", True), ("c", False)]
    assert (found.least, found.most) == (10.0, 30.0)


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_the_first_inputs_are_solved_for_every_headline_and_give_it_when_put_back(name: str) -> None:
    """The target is what another stop of the slider gives; the answers must hold that stop's result."""
    calculator = CALCULATORS[name]
    start = calculator.evaluate(valid_inputs(calculator, {}).explicit)
    tried = 0
    for one, result in itertools.product(calculator.first_sliders, calculator.headline):
        declared = calculator.inputs[one]
        if not isinstance(declared, Quantity):
            continue
        stops = sliders.stops(declared)
        target = calculator.after(start, {one: stops[len(stops) // 3]})[result]
        if target == start[result] or isinstance(target, Verdict | str):
            continue
        found = solve(calculator, start, one, result, target).run()
        assert found.answers, one
        for answer in found.answers:
            again = calculator.after(start, {one: answer.value})[result]
            assert again == answer.result
            assert not answer.met or math.isclose(again, target, rel_tol=1e-6)
        assert any(answer.met for answer in found.answers), one
        tried += 1
    assert tried

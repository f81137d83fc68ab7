"""Records: related values that formulas take together, which are no result of their own."""

from typing import NamedTuple

import pytest

from calculators.answers import answer, explain
from calculators.answers.data import described
from calculators.answers.input_state import valid_inputs
from calculators.declare import DeclarationError, record, step, variant
from tests.declare.test_declare import doubled, inputs_of, sized, toy


class Box(NamedTuple):
    """A box and what it weighs."""

    size: float
    weight: float


@record("Box")
def box(size: float, doubled: float) -> Box:
    """A box of this size."""
    return Box(size, doubled)


@step("B", "Density")
def density(box: Box) -> float:
    """Weight over size."""
    return box.weight / box.size


def test_a_formula_takes_a_record_as_it_takes_a_number() -> None:
    calculator = toy(None, density, box, doubled)
    assert calculator.evaluate({"size": 3.0})["density"] == 2
    assert calculator.behind("density") == {"size"}


def test_a_record_is_no_result_and_readers_see_its_label() -> None:
    calculator = toy(None, density, box, doubled)
    assert list(calculator.steps) == ["doubled", "density"]
    values = answer.evaluated(calculator, valid_inputs(calculator, {"size": "3"}))
    assert answer.texts(calculator, values)["box"] == "Box"
    assert "box" not in described(calculator, valid_inputs(calculator, {"size": "3"}), values)["results"]
    assert explain.substituted(calculator, density, answer.texts(calculator, values)) == "Box.weight / Box.size"


def test_what_leads_to_a_result_is_found_through_a_record() -> None:
    calculator = toy(None, density, box, doubled)
    assert explain.formulas_behind(calculator, "density") == [doubled, density]


def test_a_record_in_another_state_is_a_record() -> None:
    other = variant(box, {"size": "depth"}, name="other_box", label="Other box")
    calculator = toy(inputs_of(size=sized(), depth=sized()), density, box, doubled, other)
    assert calculator.evaluate({"size": 3.0, "depth": 4.0})["other_box"] == Box(4.0, 6.0)
    assert "other_box" not in calculator.steps


def test_a_record_without_a_label_is_refused() -> None:
    @record("")
    def crate(size: float) -> Box:
        return Box(size, size)

    with pytest.raises(DeclarationError, match=r"toy\.crate: has no label"):
        toy(None, doubled, crate)

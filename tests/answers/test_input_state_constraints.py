"""Where inputs cannot be together, or some cannot be computed: what is said of them, and what stays."""

from __future__ import annotations

import pytest

from calculators.answers.input_state import CANNOT_CALCULATE, parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import computed, constraint, step
from tests.declare.test_declare import doubled, inputs_of, sized, toy


@step("B", "A hundred shared")
def shared(size: float) -> float:
    return 100 / size


@constraint("size")
def some(size: float) -> str:
    return "" if size else "{size} cannot be shared"


@constraint("weight")
def at_most_fifty(weight: float) -> str:
    return "" if weight <= 50 else "{weight} is too much"


@constraint("width")
def at_most_thirty(width: float) -> str:
    return "" if width <= 30 else "{width} is too wide"


def test_what_is_wrong_with_what_is_given_goes_before_that_the_rest_cannot_be_computed() -> None:
    inputs = inputs_of(size=sized(hard=(0, 100)), weight=sized(default=(computed("shared", "shared"), 60.0)))
    checked = toy(inputs, shared, some, at_most_fifty)
    assert parse_inputs(checked, {"size": "0"}).problems == {"size": "0 B cannot be shared"}
    assert parse_inputs(checked, {"size": "1"}).problems == {"weight": "100 B is too much"}
    assert parse_inputs(checked, {"size": "x", "weight": "60"}).problems.keys() == {"size"}
    assert parse_inputs(toy(inputs, shared, at_most_fifty), {"size": "0"}).problems == {"": CANNOT_CALCULATE}


def test_what_can_be_computed_appears_next_to_what_cannot() -> None:
    inputs = inputs_of(
        size=sized(hard=(0, 100)),
        weight=sized(default=(computed("shared", "shared"), 60.0)),
        height=sized(default=(computed("weight", "as much"), 60.0)),
        width=sized(default=(computed("doubled", "twice"), 60.0)),
        depth=sized(default=(computed("size", "as large"), 60.0), hard=(0, 100)),
    )
    checked = toy(inputs, shared, doubled, at_most_fifty, at_most_thirty)
    found = parse_inputs(checked, {"size": "0"})
    assert found.values == {"size": 0, "weight": None, "height": None, "width": 0, "depth": 0}
    assert found.problems == {"": CANNOT_CALCULATE}
    # What is known of the weight, that it was given, counts; and a check of what is computed speaks.
    found = parse_inputs(checked, {"size": "0", "weight": "40", "width": "31"})
    assert found.values == {"size": 0, "weight": 40, "height": 40, "width": 31, "depth": 0}
    assert found.problems == {"width": "31 B is too wide"}
    assert parse_inputs(checked, {"size": "16"}).problems == {"width": "32 B is too wide"}


@pytest.mark.parametrize("name", ["kv_cache", "inference"])
def test_a_model_without_attention_is_asked_for_its_state(name: str) -> None:
    report = parse_inputs(CALCULATORS[name], {"attention_layers": "0"}).problems
    assert report.keys() == {"attention_layers"}
    assert "give its state per sequence" in report["attention_layers"]
    assert not parse_inputs(CALCULATORS[name], {"attention_layers": "0", "state_per_sequence": "100 MB"}).problems

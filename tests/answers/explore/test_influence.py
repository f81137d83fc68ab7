"""Inputs without effect: those that cannot move the answer as things are, and no others."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers.explore.influence import moves, reach
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS

NAMES = sorted(CALCULATORS)


def idle(name: str, **given: Any) -> tuple[str, ...]:
    calculator = CALCULATORS[name]
    values = calculator.evaluate(parse_inputs(calculator, given).explicit)
    return tuple(one for one in calculator.inputs if reach(calculator, values, one).run() != "answer")


def test_attention_that_is_not_counted_needs_no_sequence() -> None:
    assert {"attention_width", "sequence_length"} <= set(idle("training_time"))
    assert {"attention_width", "sequence_length"}.isdisjoint(idle("training_time", attention_flops="full"))


def test_dimensions_that_are_counted_have_an_effect_until_the_parameters_are_given() -> None:
    assert "layers" not in idle("training_time")
    assert "layers" in idle("training_time", model="llama-3-70b", parameters="70B")


def test_a_measured_speed_makes_the_utilization_idle() -> None:
    assert "mfu" not in idle("training_time")
    assert "mfu" in idle("training_time", measured_rate=400)


def test_an_input_at_the_end_of_its_slider_is_tried_at_the_other() -> None:
    assert "mfu" not in idle("training_time", mfu=0.75)


def test_a_choice_that_changes_nothing_is_idle() -> None:
    assert "utilization_counts" in idle("training_time")
    assert "utilization_counts" not in idle("training_time", recompute="full")


def test_a_dense_model_has_no_use_for_expert_parallelism() -> None:
    assert "expert_parallel" in idle("training_memory")
    assert "expert_parallel" not in idle("training_memory", model="mixtral-8x7b")


def test_what_moves_a_size_that_the_answer_names_has_an_effect() -> None:
    assert "tied_embeddings" not in idle("training_memory")  # on four stages it moves the parameters alone


def test_any_result_may_be_watched() -> None:
    time = CALCULATORS["training_time"]
    values = time.evaluate(parse_inputs(time, {}).explicit)
    assert not moves(time, values, "price_per_gpu_hour", ["training_duration"]).run()
    assert moves(time, values, "price_per_gpu_hour", ["training_cost"]).run()
    assert moves(time, values, "sequence_length", ["mfu_causal"]).run()


@pytest.mark.parametrize("name", NAMES)
def test_what_leads_the_page_has_an_effect(name: str) -> None:
    assert set(idle(name)).isdisjoint(CALCULATORS[name].first_sliders)


def test_an_input_may_move_results_that_the_answer_does_not_name() -> None:
    time = CALCULATORS["training_time"]
    values = time.evaluate(parse_inputs(time, {}).explicit)
    assert reach(time, values, "gpus").run() == "answer"
    assert reach(time, values, "carbon_intensity").run() == "other results"
    assert reach(time, values, "utilization_counts").run() == "nothing"

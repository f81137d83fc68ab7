"""A step taken apart, the range of a run, and what is written of errors against published runs."""

from __future__ import annotations

from statistics import median

import pytest

from calculators.answers import answer
from calculators.machine.report import formats
from calculators.machine.step import accuracy, parts
from calculators.machine.training_state import TrainingState, training_state
from tooling.step_rows import FITTED, by, judged, near, runs

MIXTURE = {
    "model": "gpt-oss-120b",
    "gpus": "64",
    "tokens": "100B",
    "sequence_length": "4096",
    "batch_tokens": "5242880",
}


@pytest.mark.parametrize("given", [{}, MIXTURE, {"matmul_utilization": "55%"}, {"mfu": "38%"}])
def test_the_parts_of_a_step_add_up_to_it(given: dict[str, str]) -> None:
    values = training_state(given).values
    assert sum(values[name] for name in parts.PARTS) == pytest.approx(values["step_time"])


def test_a_mixture_shows_its_experts_and_a_dense_model_has_none() -> None:
    mixture = {part["name"]: part["share"] for part in formats.step_taken_apart(training_state(MIXTURE))}
    dense = {part["name"]: part["share"] for part in formats.step_taken_apart(training_state({}))}
    assert mixture["expert_matrix_time"] > mixture["matrix_time"]
    assert "expert_matrix_time" not in dense
    assert dense["matrix_time"] > 0.5


def _band(found: TrainingState) -> tuple[float | None, float | None]:
    return found.values["training_duration_at_least"], found.values["training_duration_at_most"]


def test_the_run_has_the_range_of_published_runs_unless_its_speed_is_given() -> None:
    """25 % either way for a model among them, 40 % for another; what is given has none."""
    known = training_state({})
    assert _band(known) == pytest.approx(tuple(known.values["training_duration"] * end for end in (0.75, 1.25)))
    other = training_state({"model": "qwen2-5-72b", "gpus": "1024"})
    assert _band(other) == pytest.approx(tuple(other.values["training_duration"] * end for end in (0.6, 1.4)))
    for given in ({"mfu": "38%"}, {"matmul_utilization": "55%"}):
        assert _band(training_state(given)) == (None, None)
    assert " to " in formats.sentence(known).split(" on ")[1]


def test_a_small_micro_batch_without_graphs_is_warned_of_launches() -> None:
    given = {"model": "qwen3-30b-a3b", "gpus": "8", "batch_tokens": "262144", "sequence_length": "1024"}
    pinned = {"expert_parallel": "8", "micro_batch": "1", "cuda_graphs": "none", "gpu_memory": "400 GiB"}
    text = _text(training_state({**given, **pinned}))
    assert "use a larger micro-batch or CUDA graphs" in text
    assert "matrix products run far below peak" not in text
    alone = training_state({**given, **pinned, "expert_parallel": "1"})
    assert "Each expert gets 64 tokens of a micro-batch" in _text(alone)
    assert "Kernel launches" not in _text(training_state({}))


def _text(found: TrainingState) -> str:
    return " ".join(answer.warnings(found.calculator, found.values))


def test_the_errors_that_are_shown_are_those_of_the_rows() -> None:
    """`python -m tooling.step_rows write` has written them; those of models left out take a fit each, and stay."""
    seen = [one for one in runs() if one.source == FITTED]
    names = {one.family: one.name for one in seen}
    models = by(lambda one: names[one.family], seen, lambda one: one.error)
    computed = {**models, **judged()}
    shown = {one.name: one for one in accuracy.FAMILIES if one.used != "left out"}
    assert list(shown) == list(computed)
    for name, errors in computed.items():
        one = shown[name]
        assert one.runs == len(errors)
        assert (one.median, one.within) == pytest.approx((median(errors), near(errors)), abs=6e-4)
        assert (one.least, one.most) == pytest.approx((min(errors), max(errors)), abs=6e-4)
    (without,) = [one for one in accuracy.FAMILIES if one.used == "left out"]
    assert without.runs == len(seen)
    assert without.within >= 0.8

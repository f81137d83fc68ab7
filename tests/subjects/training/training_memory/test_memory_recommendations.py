"""Advice for training memory: each change is proposed where it can help, and not where it cannot."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers.answer import evaluated
from calculators.answers.explore import recommendations as tried
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.subjects.training.training_memory.recommendations import recommendations

MEMORY = CALCULATORS["training_memory"]
TOO_BIG = {"pipeline_parallel": 1, "data_parallel": 64}  # Llama 3 70B on 8 tensor ranks: 18 B x 70.6e9 / 8 > 80 GiB


def values(**given: Any) -> dict[str, Any]:
    return evaluated(MEMORY, parse_inputs(MEMORY, {**TOO_BIG, **given}))


def proposed(**given: Any) -> dict[str, dict[str, Any]]:
    return {label: dict(changes) for label, changes in recommendations(values(**given))}


SPEAKS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("Use flash attention", {"flash_attention": "no"}, {"flash_attention": True}),
    ("Turn on sequence parallelism", {"sequence_parallel": "no"}, {"sequence_parallel": True}),
    (
        "Recompute the attention scores",
        {"recompute": "none", "flash_attention": "no"},
        {"recompute": "selective"},
    ),
    ("Shard the optimizer (ZeRO stage 1)", {"zero_stage": "0"}, {"zero_stage": 1}),
    ("Halve the micro-batch", {"micro_batch": 8}, {"micro_batch": 4}),
    ("Micro-batches of one sequence", {"micro_batch": 8}, {"micro_batch": 1}),
    ("Shard the gradients too (ZeRO stage 2)", {"zero_stage": "1"}, {"zero_stage": 2}),
    ("Shard the weights too (ZeRO stage 3)", {"zero_stage": "2", "micro_batch": 32}, {"zero_stage": 3}),
    (
        "Whole experts, over as many ranks",
        {"model": "mixtral-8x22b"},
        {"expert_tensor_parallel": 1, "expert_parallel": 8},
    ),
    (
        "Whole experts, over as many ranks",
        {"model": "mixtral-8x22b", "expert_tensor_parallel": 2, "expert_parallel": 2},
        {"expert_tensor_parallel": 1, "expert_parallel": 4},
    ),
    ("Twice the expert-parallel ranks", {"model": "mixtral-8x22b"}, {"expert_parallel": 2}),
    ("Eight times the expert-parallel ranks", {"model": "mixtral-8x22b"}, {"expert_parallel": 8}),
    ("Recompute every layer", {}, {"recompute": "full"}),
    ("Offload the optimizer to host memory", {"zero_stage": "0"}, {"optimizer_offload": 1, "zero_stage": 1}),
    (
        "Twice the tensor-parallel ranks, on the same GPUs",
        {"tensor_parallel": 4},
        {"tensor_parallel": 8, "data_parallel": 32},
    ),
    (
        "Four times the pipeline stages, on the same GPUs",
        {},
        {"pipeline_parallel": 4, "data_parallel": 16},
    ),
    (
        "Twice the context-parallel ranks, recompute every layer",
        {},
        {"context_parallel": 2, "recompute": "full"},
    ),
    (
        "Twice the pipeline stages, one sequence at a time, recompute every layer",
        {"micro_batch": 2},
        {"pipeline_parallel": 2, "micro_batch": 1, "recompute": "full"},
    ),
    (
        "Sixteen times the data-parallel ranks, ZeRO stage 3, one sequence at a time, recompute every layer",
        {"micro_batch": 2},
        {"data_parallel": 1024, "zero_stage": 3, "micro_batch": 1, "recompute": "full"},
    ),
]
SILENT: list[tuple[str, dict[str, Any]]] = [
    ("Use flash attention", {}),
    ("Turn on sequence parallelism", {}),
    ("Recompute the attention scores", {"recompute": "none"}),
    ("Shard the optimizer (ZeRO stage 1)", {"zero_stage": "1"}),
    ("Halve the micro-batch", {"micro_batch": 1}),
    ("Micro-batches of one sequence", {"micro_batch": 2}),  # that is to halve it
    ("Shard the gradients too (ZeRO stage 2)", {"zero_stage": "2"}),
    ("Shard the weights too (ZeRO stage 3)", {"zero_stage": "3"}),
    ("Twice the expert-parallel ranks", {}),
    ("Whole experts, over as many ranks", {}),
    ("Whole experts, over as many ranks", {"model": "mixtral-8x22b", "expert_tensor_parallel": 1}),
    ("Recompute every layer", {"recompute": "full"}),
    ("Offload the optimizer to host memory", {"optimizer_offload": 1}),
    ("Twice the tensor-parallel ranks, on the same GPUs", {"tensor_parallel": 8}),
    ("Twice the pipeline stages, on the same GPUs", {"data_parallel": 63}),
    ("Twice the context-parallel ranks, recompute every layer", {"recompute": "full"}),
    (
        "Sixteen times the data-parallel ranks, ZeRO stage 3, one sequence at a time, recompute every layer",
        {"data_parallel": 1000},
    ),
]


@pytest.mark.parametrize(("label", "given", "changes"), SPEAKS)
def test_it_proposes_what_can_help(label: str, given: dict[str, Any], changes: dict[str, Any]) -> None:
    assert proposed(**given).get(label) == changes


@pytest.mark.parametrize(("label", "given"), SILENT)
def test_it_does_not_propose_what_cannot(label: str, given: dict[str, Any]) -> None:
    assert label not in proposed(**given)


def test_what_fits_needs_no_advice() -> None:
    assert list(recommendations(evaluated(MEMORY, parse_inputs(MEMORY, {})))) == []


def test_no_change_is_proposed_twice() -> None:
    changes = list(proposed(micro_batch=2, zero_stage="0").values())
    assert all(changes.count(one) == 1 for one in changes)


def test_the_cheapest_that_suffices_comes_first() -> None:
    first, *_ = tried(MEMORY, values()).run()
    assert first.label == "Shard the gradients too (ZeRO stage 2)"
    assert first.values["headroom"] > 0


ONE_NODE = {"pipeline_parallel": 1, "data_parallel": 1}  # Llama 3 70B on eight GPUs
OFFLOAD = "Offload the optimizer and recompute every layer"


@pytest.mark.parametrize(
    ("given", "helps"),
    [
        ({}, True),
        ({"host_memory": "1 TB"}, False),  # 8 x 8.8e9 x 16 B x 1.5 are 1.7 TB
        ({"gpu_memory": "40 GiB"}, False),  # weights and gradients alone are 6 B x 8.8e9
        ({"gpus_per_node": 4, "host_memory": "1 TB"}, True),
    ],
)
def test_the_optimizer_moves_to_the_host_only_where_it_fits_there_and_the_rest_on_the_gpu(
    given: dict[str, Any],
    helps: bool,  # noqa: FBT001  a case
) -> None:
    found = tried(MEMORY, values(**ONE_NODE, micro_batches=1, **given)).run()
    labels = {label for label, _ in recommendations(values(**ONE_NODE, micro_batches=1, **given))}
    assert OFFLOAD in labels
    assert (OFFLOAD in {change.label for change in found}) == helps
    for change in found:
        assert change.values["host_memory_needed"] <= change.values["host_memory"]


def test_what_is_offloaded_leaves_the_gpu_and_needs_host_memory() -> None:
    kept, moved = values(), values(optimizer_offload="100%", gradient_offload="yes")
    assert moved["optimizer_memory"] == moved["gradient_memory"] == 0
    assert kept["host_memory_needed"] == 0
    assert moved["host_memory_needed"] > 8 * kept["optimizer_memory"]


def applied(**given: str) -> list[tuple[str, dict[str, Any]]]:
    """Advice that helps where GPUs are given, and what it changes."""
    there = evaluated(MEMORY, parse_inputs(MEMORY, given))
    return [(one.label, dict(one.changes)) for one in tried(MEMORY, there).run()]


def test_gpus_that_form_no_whole_replica_become_those_of_the_replicas_below_and_above() -> None:
    """Replicas of 8 tensor ranks and 4 stages: 83 GPUs are two of 32, and 19 on which nothing starts."""
    assert applied(gpus="83") == [
        ("The GPUs of the layout alone", {"gpus": 64}),
        ("GPUs for one replica more", {"gpus": 96, "data_parallel": 3}),
    ]
    assert applied(gpus="64") == []


def test_a_model_that_fits_on_no_layout_of_the_gpus_given_is_advised_to_take_more() -> None:
    """480B parameters of 18 B are 8.64 TB, and 83 GPUs of 80 GiB hold 7.1 TB: none of the changes on them helps."""
    found = applied(gpus="83", model="qwen3-coder-480b-a35b")
    assert found
    for label, changes in found:
        assert changes["gpus"] == 8 * changes["pipeline_parallel"] * 2 > 83
        assert label.endswith(f", on {changes['gpus']:,.0f} GPUs")


def test_more_gpus_are_named_only_where_they_were_given() -> None:
    assert all("gpus" not in changes for _, changes in applied(model="qwen3-coder-480b-a35b"))

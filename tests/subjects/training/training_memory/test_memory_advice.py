"""Advice on memory in training: each piece at its boundary, by hand; nothing where all is good."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.subjects.training.training_memory import recommendations as memory_advice

# Everything that is nearly free is done already; nothing is left to widen.
MEMORY = {
    "gpus": 120,
    "layout_gpus": 120,
    "headroom": -1,
    "flash_attention": True,
    "sequence_parallel": True,
    "tensor_parallel": 8,
    "recompute": "full",
    "zero_stage": 3,
    "micro_batch": 1,
    "experts": 1,
    "expert_tensor_parallel": 1,
    "expert_parallel": 1,
    "data_parallel": 5,
    "pipeline_parallel": 3,
    "context_parallel": 1,
    "optimizer_offload": 1,
}
STAGES = [f"{times} the pipeline stages" for times in ("Twice", "Four times", "Eight times", "Sixteen times")]
RANKS = [f"{times} the data-parallel ranks" for times in ("Twice", "Four times", "Eight times", "Sixteen times")]


def tried(**changed: Any) -> dict[str, Any]:
    """What is proposed next to more GPUs, by how it begins."""
    report = memory_advice.recommendations({**MEMORY, **changed})
    return {label: changes for label, changes in report if not label.startswith((*STAGES, *RANKS)) or "same" in label}


def test_memory_that_suffices_is_left_alone() -> None:
    assert list(memory_advice.recommendations({**MEMORY, "headroom": 0})) == []


def test_more_gpus_are_up_to_sixteen_times_as_many_and_ten_thousand_of_a_kind() -> None:
    report = list(memory_advice.recommendations(MEMORY))
    assert [label.partition(",")[0] for label, _ in report] == STAGES + RANKS
    assert [changes for _, changes in report] == [
        *({"pipeline_parallel": 3 * times} for times in (2, 4, 8, 16)),
        *({"data_parallel": 5 * times} for times in (2, 4, 8, 16)),
    ]
    many = [label.partition(",")[0] for label, _ in memory_advice.recommendations({**MEMORY, "data_parallel": 2501})]
    assert many == [*STAGES, RANKS[0]]
    most = [label.partition(",")[0] for label, _ in memory_advice.recommendations({**MEMORY, "pipeline_parallel": 625})]
    assert most == STAGES + RANKS
    over = [label.partition(",")[0] for label, _ in memory_advice.recommendations({**MEMORY, "pipeline_parallel": 626})]
    assert over == STAGES[:3] + RANKS


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, {}),
        ({"flash_attention": False}, {"Use flash attention": {"flash_attention": True}}),
        ({"sequence_parallel": False}, {"Turn on sequence parallelism": {"sequence_parallel": True}}),
        ({"sequence_parallel": False, "tensor_parallel": 1}, {}),
        ({"zero_stage": 2}, {"Shard the weights too (ZeRO stage 3)": {"zero_stage": 3}}),
        (
            {"micro_batch": 5},
            {"Halve the micro-batch": {"micro_batch": 2}, "Micro-batches of one sequence": {"micro_batch": 1}},
        ),
        ({"micro_batch": 2}, {"Halve the micro-batch": {"micro_batch": 1}}),
        (
            {"experts": 8, "expert_tensor_parallel": 3, "expert_parallel": 700},
            {
                "Whole experts, over as many ranks": {"expert_tensor_parallel": 1, "expert_parallel": 2100},
                "Twice the expert-parallel ranks": {"expert_parallel": 1400},
                "Four times the expert-parallel ranks": {"expert_parallel": 2800},
                "Eight times the expert-parallel ranks": {"expert_parallel": 5600},
            },
        ),
        (
            {"experts": 8},
            {
                f"{times} the expert-parallel ranks": {"expert_parallel": factor}
                for times, factor in (("Twice", 2), ("Four times", 4), ("Eight times", 8), ("Sixteen times", 16))
            },
        ),
        # Six data-parallel ranks may be halved, not quartered; sixteen tensor-parallel ones leave the server.
        (
            {"data_parallel": 6},
            {
                "Twice the pipeline stages, on the same GPUs": {"pipeline_parallel": 6, "data_parallel": 3},
                "Twice the context-parallel ranks, on the same GPUs": {"context_parallel": 2, "data_parallel": 3},
            },
        ),
        (
            {"data_parallel": 6, "tensor_parallel": 4},
            {
                "Twice the tensor-parallel ranks, on the same GPUs": {"tensor_parallel": 8, "data_parallel": 3},
                "Twice the pipeline stages, on the same GPUs": {"pipeline_parallel": 6, "data_parallel": 3},
                "Twice the context-parallel ranks, on the same GPUs": {"context_parallel": 2, "data_parallel": 3},
            },
        ),
    ],
)
def test_a_model_is_made_to_fit_by_what_is_not_yet_done(changed: dict[str, Any], report: dict[str, Any]) -> None:
    assert tried(**changed) == report

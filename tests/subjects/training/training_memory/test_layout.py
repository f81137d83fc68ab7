"""Training layouts: which are refused, which are warned of, and when it keeps silent."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.catalog import CALCULATORS
from calculators.subjects.training.training_memory import layout
from calculators.subjects.training.training_memory.calculator import fits
from tests.subjects.training.training_memory.said import said

MEMORY = CALCULATORS["training_memory"]
MIXTRAL = {"model": "mixtral-8x7b"}
UNPADDED = "refuse such a sequence unless it is padded."
SPEAKS: list[tuple[str, dict[str, Any], str]] = [
    (
        "heads_divide",
        {"tensor_parallel": 12},
        (
            "Tensor parallelism deals out whole attention heads: 64 heads cannot be shared evenly by 12 ranks, "
            "and engines and frameworks refuse it; 8 would do"
        ),
    ),
    (
        "enough_heads",
        {"heads": 64, "kv_heads": 128},
        "Key-value heads must not exceed 64 heads of attention: each serves one or more of them",
    ),
    (
        "kv_heads_divide",
        {"heads": 96, "kv_heads": 12, "tensor_parallel": 8},
        (
            "12 heads of keys and values cannot be shared evenly by 8 ranks, nor each be kept on equally many: "
            "Megatron Core and torchtitan refuse it; tensor parallel 6 would do"
        ),
    ),
    (
        "context_has_tokens",
        {"sequence_length": 8192, "context_parallel": 4097},
        (
            "Context parallelism deals out a sequence in two pieces for each rank: "
            "8,192 tokens cannot be dealt to 4,097 ranks"
        ),
    ),
    ("stages_have_layers", {"pipeline_parallel": 81}, "Pipeline parallel times interleaving must not exceed 80 layers"),
    (
        "stages_have_layers",
        {"pipeline_parallel": 20, "interleave": 5},
        "Pipeline parallel times interleaving must not exceed 80 layers",
    ),
    (
        "interleaving_divides",
        {"pipeline_parallel": 4, "interleave": 3},
        "With interleaving, 80 layers must divide evenly into stages times interleaving",
    ),
    (
        "nothing_to_interleave",
        {"pipeline_parallel": 1, "interleave": 4},
        "Interleaving alternates groups of layers between stages, and there is one stage: Megatron Core refuses it.",
    ),
    (
        "uneven_rounds",
        {"pipeline_parallel": 4, "interleave": 5, "micro_batches": 30},
        (
            "Megatron Core interleaves groups of as many micro-batches as stages, unless another size is set, "
            "and refuses to leave some over: 30 micro-batches on 4 ranks."
        ),
    ),
    (
        "uneven_rounds",
        {"pipeline_parallel": 4, "interleave": 5, "micro_batches": 3},
        "Megatron Core refuses to interleave with fewer micro-batches than stages: 3 micro-batches on 4 ranks.",
    ),
    (
        "scores_in_one_piece",
        {"context_parallel": 2, "flash_attention": "no"},
        (
            "Without flash attention no kernel shares a sequence among 2 ranks: "
            "Transformer Engine, which Megatron Core calls, then falls back on one, or refuses."
        ),
    ),
    (
        "uneven_feed_forward",
        {"model": "llama-3-8b", "ffn_hidden": 1001},
        "A feed-forward width of 1,001 cannot be shared evenly by 8 ranks: Megatron Core refuses it.",
    ),
    (
        "uneven_feed_forward",
        {**MIXTRAL, "ffn_hidden": 1001, "expert_tensor_parallel": 2},
        "A feed-forward width of 1,001 cannot be shared evenly by 2 ranks: Megatron Core refuses it.",
    ),
    ("enough_experts", {"experts": 4, "experts_per_token": 5}, "Experts per token must not exceed 4 experts"),
    ("enough_layers", {"dense_layers": 81}, "Leading dense layers must not exceed 80 layers"),
    ("experts_for_ranks", {**MIXTRAL, "expert_parallel": 16}, "Expert parallel must not exceed 8 experts"),
    (
        "gpus_left_over",
        {"gpus": 500},
        (
            "The layout takes 480 GPUs, not 500 GPUs: frameworks refuse to start so, "
            "and what is said here of the layout holds for its own."
        ),
    ),
    (
        "gpus_left_over",
        {"gpus": 1_000_003, "data_parallel": 31_250},
        (
            "The layout takes 1M GPUs, not 1.000003M GPUs: frameworks refuse to start so, "
            "and what is said here of the layout holds for its own."
        ),
    ),
    (
        "experts_for_ranks",
        {**MIXTRAL, "expert_parallel": 3, "data_parallel": 6},
        "The 8 experts must divide evenly among the expert-parallel ranks",
    ),
    (
        "experts_divide",
        {**MIXTRAL, "expert_parallel": 8, "data_parallel": 4},
        (
            "Expert parallel times expert tensor parallel must divide tensor parallel times data parallel "
            "times context parallel, from whose ranks they are made"
        ),
    ),
    (
        "beyond_nvlink",
        {"tensor_parallel": 16},
        (
            "Tensor parallelism over 16 ranks leaves the NVLink domain of an eight-GPU server; "
            "every layer then waits for the network, unless the GPUs share a larger domain."
        ),
    ),
    (
        "replicated_heads",
        {"tensor_parallel": 16},
        "Keys and values have 8 heads, tensor parallelism has 16 ranks: several ranks keep the same keys and values.",
    ),
    (
        "unsplit_activations",
        {"sequence_parallel": "no"},  # 8 x 8,192 B: two norms' and two blocks' inputs, without dropout
        (
            "Without sequence parallelism every tensor rank keeps the whole of what lies between the blocks, "
            "65.5 kB/token per layer."
        ),
    ),
    (
        "uneven_sequence",
        {"context_parallel": 3, "sequence_length": 8192},
        (
            "8,192 tokens cannot be divided evenly into two pieces for each of 3 ranks; "
            f"Megatron Core and torchtitan {UNPADDED}"
        ),
    ),
    (
        "uneven_sequence",
        {"context_parallel": 4, "sequence_length": 8196, "sequence_parallel": "no"},  # whole pieces, but an odd number
        (
            "8,196 tokens cannot be divided evenly into two pieces for each of 4 ranks; "
            f"Megatron Core and torchtitan {UNPADDED}"
        ),
    ),
    (
        "uneven_sequence",
        {"sequence_length": 8193},
        (
            "8,193 tokens cannot be divided evenly among the ranks that split what lies between the blocks; "
            f"frameworks {UNPADDED}"
        ),
    ),
    (
        "idle_stages",
        {"micro_batches": 3},
        "With fewer micro-batches per step than stages, some stages never work at the same time as the others.",
    ),
    (
        "uneven_stages",
        {"pipeline_parallel": 3},
        (
            "80 layers cannot be divided evenly into the stages; the fullest holds 27 layers. "
            "Frameworks need to be told how to split them."
        ),
    ),
    (
        "sharding_in_a_pipeline",
        {"zero_stage": "2"},
        "In a pipeline, ZeRO stages 2 and 3 communicate for every micro-batch; few frameworks combine the two.",
    ),
    (
        "nothing_to_share",
        {"data_parallel": 1},
        "ZeRO shards over data-parallel ranks, and there is one: it saves nothing here.",
    ),
    (
        "count_differs",
        {"model": "llama-3-70b", "parameters": "65B"},
        (
            "The dimensions amount to 70.6B parameters, not 65B parameters. The parameters given count: "
            "weights, gradients and optimizer are scaled to them, activations are not."
        ),
    ),
    (
        "beyond_positions",
        {"model": "gpt-3-175b", "sequence_length": 8192},
        "The model has learned 2,048 positions: without a longer table it cannot be trained on 8,192 tokens.",
    ),
]
SILENT: list[tuple[str, dict[str, Any]]] = [
    ("heads_divide", {"tensor_parallel": 64}),
    ("enough_heads", {"heads": 64, "kv_heads": 64}),
    ("kv_heads_divide", {"tensor_parallel": 16}),
    ("kv_heads_divide", {"tensor_parallel": 4}),
    ("kv_heads_divide", {"model": "deepseek-v3", "kv_heads": 12, "tensor_parallel": 8}),
    ("context_has_tokens", {"sequence_length": 8192, "context_parallel": 4096}),
    ("context_has_tokens", {"sequence_length": 1, "context_parallel": 1}),
    ("stages_have_layers", {"pipeline_parallel": 80}),
    ("stages_have_layers", {"pipeline_parallel": 20, "interleave": 4}),
    ("interleaving_divides", {"pipeline_parallel": 4, "interleave": 5}),
    ("interleaving_divides", {"pipeline_parallel": 3, "interleave": 1}),
    ("nothing_to_interleave", {"pipeline_parallel": 2, "interleave": 4}),
    ("nothing_to_interleave", {"pipeline_parallel": 1}),
    ("uneven_rounds", {"pipeline_parallel": 4, "interleave": 5, "micro_batches": 28}),
    ("uneven_rounds", {"pipeline_parallel": 4, "micro_batches": 30}),
    ("scores_in_one_piece", {"context_parallel": 2}),
    ("scores_in_one_piece", {"flash_attention": "no"}),
    ("uneven_feed_forward", {"model": "llama-3-8b", "ffn_hidden": 1000}),
    ("uneven_feed_forward", {**MIXTRAL, "ffn_hidden": 1001, "expert_tensor_parallel": 1}),
    ("uneven_feed_forward", {"model": "none", "parameters": "100M"}),  # a width of 3,500 that nobody gave
    ("enough_experts", {"experts": 4, "experts_per_token": 4}),
    ("enough_layers", {"dense_layers": 80}),
    ("gpus_left_over", {"gpus": 1024}),
    ("gpus_left_over", {"data_parallel": 3}),
    ("experts_for_ranks", {**MIXTRAL, "expert_parallel": 8, "data_parallel": 8}),
    ("experts_divide", {**MIXTRAL, "expert_parallel": 8, "data_parallel": 8}),
    ("experts_divide", {**MIXTRAL, "expert_parallel": 8, "data_parallel": 4, "context_parallel": 2}),
    ("experts_divide", {**MIXTRAL, "expert_parallel": 8, "data_parallel": 1, "expert_tensor_parallel": 1}),
    ("beyond_nvlink", {"tensor_parallel": 8}),
    ("replicated_heads", {"tensor_parallel": 8}),
    ("replicated_heads", {"model": "deepseek-v3", "kv_heads": 1, "tensor_parallel": 8}),
    ("unsplit_activations", {"sequence_parallel": "no", "tensor_parallel": 1}),
    ("unsplit_activations", {"sequence_parallel": "yes"}),
    ("uneven_sequence", {"context_parallel": 4, "sequence_length": 8192}),
    ("uneven_sequence", {"sequence_length": 8193, "sequence_parallel": "no"}),
    ("uneven_sequence", {"sequence_length": 8193, "tensor_parallel": 1}),
    ("idle_stages", {"micro_batches": 4}),
    ("uneven_stages", {"pipeline_parallel": 5}),
    ("sharding_in_a_pipeline", {"zero_stage": "2", "pipeline_parallel": 1}),
    ("sharding_in_a_pipeline", {"zero_stage": "1"}),
    ("nothing_to_share", {"data_parallel": 1, "context_parallel": 2}),
    ("nothing_to_share", {"data_parallel": 1, "zero_stage": "0"}),
    ("count_differs", {"model": "llama-3-70b", "parameters": "68B"}),
    ("count_differs", {"model": "llama-3-70b"}),
    ("beyond_positions", {"model": "gpt-3-175b"}),
]


@pytest.mark.parametrize(("name", "given", "sentence"), SPEAKS)
def test_it_says_what_is_wrong(name: str, given: dict[str, Any], sentence: str) -> None:
    assert said(MEMORY, given).get(name) == sentence


@pytest.mark.parametrize(("name", "given"), SILENT)
def test_it_is_silent_where_nothing_is_wrong(name: str, given: dict[str, Any]) -> None:
    assert name not in said(MEMORY, given)


def test_every_check_and_caution_has_an_example_that_speaks_and_one_that_is_silent() -> None:
    declared = {formula.name for formula in (*MEMORY.of_role("constraint"), *MEMORY.of_role("warning"))}
    assert {name for name, *_ in SPEAKS} == {name for name, _ in SILENT} == declared


def test_what_would_do_is_accepted() -> None:
    assert said(MEMORY, {"heads": 96, "kv_heads": 12, "tensor_parallel": 6, "sequence_length": 8190}) == {}


def test_dense_blocks_are_shared_by_the_tensor_ranks_and_experts_by_their_own() -> None:
    said = layout.uneven_feed_forward.function
    assert "{tensor_parallel}" in said(1001, 1, 2, 1, 8, 7)
    assert said(1001, 1, 2, 1, 7, 8) == ""
    assert "{expert_tensor_parallel}" in said(1001, 1, 2, 4, 7, 8)
    assert said(1001, 1, 2, 4, 8, 7) == ""


def test_what_fills_the_memory_to_the_last_byte_fits() -> None:
    assert fits.function(80, 80, 50, 10, 10, 5, 0, 5).level == "tight"
    assert fits.function(81, 80, 51, 10, 10, 5, 0, 5).level == "bad"


def test_what_takes_memory_is_shown_as_memory_is_counted() -> None:
    taken = {name: formula.binary for name, formula in MEMORY.steps.items() if formula.unit == "B"}
    assert len(taken) > 10
    assert [name for name, binary in taken.items() if not binary] == []

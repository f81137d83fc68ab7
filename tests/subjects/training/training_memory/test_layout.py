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
SPEAKS: list[tuple[str, dict[str, Any]]] = [
    ("heads_divide", {"tensor_parallel": 12}),
    ("enough_heads", {"heads": 64, "kv_heads": 128}),
    ("kv_heads_divide", {"heads": 96, "kv_heads": 12, "tensor_parallel": 8}),
    ("context_has_tokens", {"sequence_length": 8192, "context_parallel": 4097}),
    ("stages_have_layers", {"pipeline_parallel": 81}),
    ("stages_have_layers", {"pipeline_parallel": 20, "interleave": 5}),
    ("interleaving_divides", {"pipeline_parallel": 4, "interleave": 3}),
    ("nothing_to_interleave", {"pipeline_parallel": 1, "interleave": 4}),
    ("uneven_rounds", {"pipeline_parallel": 4, "interleave": 5, "micro_batches": 30}),
    ("uneven_rounds", {"pipeline_parallel": 4, "interleave": 5, "micro_batches": 3}),
    ("scores_in_one_piece", {"context_parallel": 2, "flash_attention": "no"}),
    ("uneven_feed_forward", {"model": "llama-3-8b", "ffn_hidden": 1001}),
    ("uneven_feed_forward", {**MIXTRAL, "ffn_hidden": 1001, "expert_tensor_parallel": 2}),
    ("enough_experts", {"experts": 4, "experts_per_token": 5}),
    ("enough_layers", {"dense_layers": 81}),
    ("experts_for_ranks", {**MIXTRAL, "expert_parallel": 16}),
    ("gpus_left_over", {"gpus": 500}),
    ("gpus_left_over", {"gpus": 1000003, "data_parallel": 31250}),
    ("experts_for_ranks", {**MIXTRAL, "expert_parallel": 3, "data_parallel": 6}),
    ("experts_divide", {**MIXTRAL, "expert_parallel": 8, "data_parallel": 4}),
    ("beyond_nvlink", {"tensor_parallel": 16}),
    ("replicated_heads", {"tensor_parallel": 16}),
    ("unsplit_activations", {"sequence_parallel": "no"}),
    ("uneven_sequence", {"context_parallel": 3, "sequence_length": 8192}),
    ("uneven_sequence", {"context_parallel": 4, "sequence_length": 8196, "sequence_parallel": "no"}),
    ("uneven_sequence", {"sequence_length": 8193}),
    ("idle_stages", {"micro_batches": 3}),
    ("uneven_stages", {"pipeline_parallel": 3}),
    ("sharding_in_a_pipeline", {"zero_stage": "2"}),
    ("nothing_to_share", {"data_parallel": 1}),
    ("count_differs", {"model": "llama-3-70b", "parameters": "65B"}),
    ("beyond_positions", {"model": "gpt-3-175b", "sequence_length": 8192}),
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


@pytest.mark.parametrize(("name", "given"), SPEAKS)
def test_it_says_what_is_wrong(name: str, given: dict[str, Any]) -> None:
    assert name in said(MEMORY, given)


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

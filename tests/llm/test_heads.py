"""Heads and experts: the layouts that no engine runs, and what each sentence asks for."""

from __future__ import annotations

import pytest

from calculators.llm.heads import (
    active_within_all,
    attending_within_layers,
    enough_experts,
    enough_heads,
    heads_divide,
    serving_heads_divide,
    uneven_kv_heads,
)


@pytest.mark.parametrize(("heads", "ranks"), [(64, 8), (96, 12), (32, 32), (1, 1)])
def test_heads_that_ranks_share_evenly_are_accepted(heads: float, ranks: float) -> None:
    assert heads_divide(heads, ranks) == ""


@pytest.mark.parametrize(("heads", "ranks", "below"), [(32, 12, 8), (32, 1024, 32), (96, 10, 8), (7, 6, 1)])
def test_the_next_smaller_layout_that_works_is_named(heads: float, ranks: float, below: int) -> None:
    text = heads_divide(heads, ranks)
    assert "{heads} over {tensor_parallel}" in text
    assert text.endswith(f"; try {below}")


def test_groups_of_heads_have_one_size() -> None:
    assert enough_heads(8, 64) == enough_heads(64, 64) == enough_heads(1, 71) == ""
    assert enough_heads(128, 64).startswith("Key-value heads must be at most {heads}")
    assert enough_heads(10, 96).startswith("Key-value heads must divide {heads}")


def test_no_router_chooses_more_experts_than_there_are() -> None:
    assert enough_experts(8, 8) == ""
    assert attending_within_layers(8, 8) == ""
    assert attending_within_layers(9, 8) == "Layers with attention must be at most {layers}, not {attention_layers}"
    assert enough_experts(9, 8) == "Experts per token must be at most {experts}, not {experts_per_token}"


def test_engines_that_serve_share_heads_evenly_too() -> None:
    assert serving_heads_divide(64, 8) == ""
    assert "over {serving_tensor_parallel}, which" in serving_heads_divide(64, 12)


@pytest.mark.parametrize("ranks", [1, 4, 8, 16])
def test_heads_of_keys_are_shared_or_each_copied_to_as_many_ranks(ranks: int) -> None:
    assert uneven_kv_heads(8, ranks) == ""


@pytest.mark.parametrize(("ranks", "below"), [(6, 4), (12, 8), (3, 2)])
def test_heads_of_keys_that_some_ranks_would_have_more_often_are_refused(ranks: int, below: int) -> None:
    assert uneven_kv_heads(8, ranks).endswith(f"; try tensor parallel {below}")


def test_no_more_parameters_are_active_than_there_are_but_for_rounding() -> None:
    assert active_within_all(7e9, 7e9) == active_within_all(7e9 + 1, 7e9) == active_within_all(1e9, 7e9) == ""
    assert active_within_all(7.004e9, 7e9).startswith("Active parameters must be at most all")

"""Heads and experts: the layouts that no engine runs, and what each sentence asks for."""

from __future__ import annotations

import pytest

from calculators.model.heads import enough_experts, enough_heads, heads_divide


@pytest.mark.parametrize(("heads", "ranks"), [(64, 8), (96, 12), (32, 32), (1, 1)])
def test_heads_that_ranks_share_evenly_are_accepted(heads: float, ranks: float) -> None:
    assert heads_divide(heads, ranks) == ""


@pytest.mark.parametrize(("heads", "ranks", "below"), [(32, 12, 8), (32, 1024, 32), (96, 10, 8), (7, 6, 1)])
def test_the_next_smaller_layout_that_works_is_named(heads: float, ranks: float, below: int) -> None:
    said = heads_divide(heads, ranks)
    assert "{heads} cannot be shared evenly by {tensor_parallel}" in said
    assert said.endswith(f"; {below} would do")


def test_groups_of_heads_have_one_size() -> None:
    assert enough_heads(8, 64) == enough_heads(64, 64) == enough_heads(1, 71) == ""
    assert enough_heads(128, 64).startswith("Key-value heads must not exceed {heads}")
    assert enough_heads(10, 96).startswith("Key-value heads must divide {heads}")


def test_no_router_chooses_more_experts_than_there_are() -> None:
    assert enough_experts(8, 8) == ""
    assert enough_experts(9, 8) == "Experts per token must not exceed {experts}"

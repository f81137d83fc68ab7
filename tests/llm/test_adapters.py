"""Adapters: each adapted matrix takes its width in and its width out, times the rank; worked out by hand."""

from __future__ import annotations

import pytest

from calculators.llm.adapters import Targets, attention_adapters, block_adapters
from calculators.llm.parts import AttentionHeads, FeedForward, LatentAttention, Mixture


@pytest.mark.parametrize(
    ("targets", "latent", "grouped"), [("attention", 90, 67), ("all", 90, 67), ("query-value", 72, 34)]
)
def test_latent_and_grouped_attention_have_adapters_of_their_own_widths(
    targets: Targets, latent: int, grouped: int
) -> None:
    """Width 10, two heads of 5 (2 of them rotary) and 4.

    Latent: queries 10 to 6 to 10, keys and values 10 to 7 + 2 and 7 to 2 x (3 + 4), out 8 to 10: 32 + 40 + 18.
    Grouped, one head of keys: queries 10 to 10, keys 10 to 5, values 10 to 4, out 8 to 10: 20 + 15 + 14 + 18.
    """
    assert attention_adapters(1, targets, 10, AttentionHeads(2, 2, 5, 4), LatentAttention(6, 7, 2, 3)) == latent
    assert attention_adapters(3, targets, 10, AttentionHeads(2, 1, 5, 4), LatentAttention(0, 0, 0, 0)) == 3 * grouped


def test_every_expert_has_adapters_and_so_have_shared_ones_and_dense_layers() -> None:
    """One dense layer of 10 to 20; two with four experts of 8 to 6 and a shared one of 10 to 6: 30 + 2 x 72."""
    gated, experts = FeedForward(10, 6, 20, matrices=3, layers=3, expert_layers=2), Mixture(4, 1, 8)
    assert block_adapters(2, "all", gated, experts) == 2 * 3 * 174
    assert block_adapters(2, "all", gated._replace(matrices=2), experts) == 2 * 2 * 174
    assert block_adapters(2, "attention", gated, experts) == 0

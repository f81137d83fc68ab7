"""Records of a model's dimensions: heads, latents, feed-forward blocks and experts, for formulas that take many."""

from typing import NamedTuple

from calculators.declare import formulas_of, record


class AttentionHeads(NamedTuple):
    """Heads per layer and the width of one: of queries and keys, and of values."""

    heads: float
    kv_heads: float
    head_dim: float
    v_head_dim: float


class LatentAttention(NamedTuple):
    """Ranks and widths of multi-head latent attention; `kv_rank` is 0 without it."""

    q_rank: float
    kv_rank: float
    rope_dim: float
    nope_dim: float


class FeedForward(NamedTuple):
    """Feed-forward blocks: their widths, their layers, and how many of these have experts."""

    hidden: float
    ffn_hidden: float
    dense_ffn_hidden: float
    matrices: int
    layers: float
    expert_layers: float


class Mixture(NamedTuple):
    """Experts of a layer, and the width that routed ones see."""

    experts: float
    shared: float
    hidden: float


@record("Attention heads")
def attention_heads(heads: float, kv_heads: float, head_dim: float, v_head_dim: float) -> AttentionHeads:
    """Heads of a layer's attention and their widths."""
    return AttentionHeads(heads, kv_heads, head_dim, v_head_dim)


@record("Latent attention")
def latent_attention(
    q_lora_rank: float, kv_lora_rank: float, rope_head_dim: float, nope_head_dim: float
) -> LatentAttention:
    """Ranks and widths of multi-head latent attention."""
    return LatentAttention(q_lora_rank, kv_lora_rank, rope_head_dim, nope_head_dim)


@record("Feed-forward blocks")
def feed_forward(
    hidden: float,
    ffn_hidden: float,
    dense_ffn_hidden: float,
    gated: bool,  # noqa: FBT001  an input of the graph
    layers: float,
    expert_layers: float,
) -> FeedForward:
    """Widths and layers of the feed-forward blocks; a block has two matrices, three with a gate."""
    return FeedForward(hidden, ffn_hidden, dense_ffn_hidden, 3 if gated else 2, layers, expert_layers)


@record("Experts")
def mixture(experts: float, shared_experts: float, expert_hidden: float) -> Mixture:
    """Experts of a layer, routed and shared."""
    return Mixture(experts, shared_experts, expert_hidden)


PARTS = formulas_of(globals())

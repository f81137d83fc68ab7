"""Low-rank adapters in a training step: the matrices that have one, and the time of their products."""

from typing import NamedTuple

from calculators.declare import formulas_of, record
from calculators.llm.adapters import ADAPTERS, BLOCKS_TOO, QUERIES_AND_VALUES, Job, Targets, mixer_layers
from calculators.llm.parts import AttentionHeads, FeedForward, LatentAttention, Mixture

VALUE_BYTES = 2  # adapters are trained in 16 bits, whatever the precision of the layers


class Adapted(NamedTuple):
    """A weight matrix with an adapter: its sides, how many of it the model has, and how tensor ranks divide it.

    `expert` is true for matrices of routed experts, each of which has an adapter of its own.
    """

    rows: float
    columns: float
    number: float
    split: str
    expert: bool = False


class AdapterWork(NamedTuple):
    """Adapters of a model, and the bytes that a frozen weight moves each time it is unpacked to 16 bits."""

    rank: float
    matrices: tuple[Adapted, ...]
    unpacked_bytes: float


NO_ADAPTERS = AdapterWork(0, (), 0)


@record("Kind of adapters")
def adapter_kind(
    job: Job, lora_rank: float, lora_targets: Targets, frozen_bytes: float
) -> tuple[Job, float, Targets, float]:
    """Job, rank, target modules and width of frozen weights."""
    return job, lora_rank, lora_targets, frozen_bytes


@record("Adapters of a step")
def adapter_work(
    adapter_kind: tuple[Job, float, Targets, float],
    block_layers: float,
    attention_heads: AttentionHeads,
    latent_attention: LatentAttention,
    feed_forward: FeedForward,
    mixture: Mixture,
) -> AdapterWork:
    """All matrices that have adapters, with the rank; QLoRA unpacks each weight to 16 bits before it is multiplied."""
    job, rank, targets, frozen_bytes = adapter_kind
    if job not in ADAPTERS:
        return NO_ADAPTERS
    mixers = mixer_layers(feed_forward.layers, block_layers)
    found = _of_attention(targets, attention_heads, latent_attention, feed_forward.hidden, mixers)
    if targets in BLOCKS_TOO:
        found += _of_blocks(targets, feed_forward, block_layers, mixture)
    unpacked = frozen_bytes + VALUE_BYTES if job == "qlora" else 0
    return AdapterWork(rank, tuple(one for one in found if one.number), unpacked)


def _of_attention(
    targets: Targets, heads: AttentionHeads, latent: LatentAttention, hidden: float, layers: float
) -> list[Adapted]:
    """Projections with adapters, each with one of its own as in PEFT; Megatron's fused `linear_qkv` shares one."""
    queries, out = heads.heads * heads.head_dim, heads.heads * heads.v_head_dim
    if targets == "fused" and not latent.kv_rank:
        return [Adapted(hidden, queries + heads.kv_heads * (heads.head_dim + heads.v_head_dim), layers, "columns")]
    found = [Adapted(latent.q_rank or hidden, queries, layers, "columns")]
    if latent.q_rank:
        found.append(Adapted(hidden, latent.q_rank, layers, "none"))
    if latent.kv_rank:
        ups = heads.heads * (latent.nope_dim + heads.v_head_dim)
        found.append(Adapted(hidden, latent.kv_rank + latent.rope_dim, layers, "none"))
        found.append(Adapted(latent.kv_rank, ups, layers, "columns"))
    else:
        found.append(Adapted(hidden, heads.kv_heads * heads.v_head_dim, layers, "columns"))
    if targets in QUERIES_AND_VALUES:
        return found
    if not latent.kv_rank:
        found.append(Adapted(hidden, heads.kv_heads * heads.head_dim, layers, "columns"))
    return [*found, Adapted(out, hidden, layers, "rows")]


def _of_blocks(targets: Targets, blocks: FeedForward, block_layers: float, mixture: Mixture) -> list[Adapted]:
    """Matrices of dense blocks and shared experts, and of routed experts where each has adapters."""
    hidden, inner, dense_inner, matrices, _, mixed = blocks
    found = _block(hidden, dense_inner, max(0, block_layers - mixed), matrices)
    found += _block(hidden, inner, mixed * mixture.shared, matrices)
    if targets == "all":
        routed = _block(mixture.hidden, inner, mixed * mixture.experts, matrices)
        found += [one._replace(expert=True) for one in routed]
    return found


def _block(width: float, inner: float, number: float, matrices: int) -> list[Adapted]:
    """Matrices of a feed-forward block: up, a gate where there is one, and down."""
    return [Adapted(width, inner, (matrices - 1) * number, "columns"), Adapted(inner, width, number, "rows")]


ADAPTER_WORK = formulas_of(globals())

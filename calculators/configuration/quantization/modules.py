"""Matrices of a model by the names that checkpoints give them, which lists of modules not converted use."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Literal

from calculators.configuration.stack import Block, Heads, Layer, Mixer, Part, Stack

ModuleKind = Literal["matrix", "routed", "output", "embedding"]
_ATTENTION = ("self_attn", "attn", "attention", "mixer")
_STATE = ("linear_attn", "mamba", "mixer", "self_attn.kda")
_STATE_MATRICES = ("in_proj", "in_proj_qkv", "in_proj_qkvz")
_BLOCK = ("mlp", "feed_forward", "ffn", "mixer", "block_sparse_moe", "moe")
_SHARED = ("shared_experts", "shared_expert", "shared_mlp")
_MATRICES = (
    ("gate_proj", "w1", "gate_up_proj"),
    ("up_proj", "w3", "gate_up_proj", "fc1", "c_fc"),
    ("down_proj", "w2", "fc2", "c_proj"),
)
_OUTPUT, _EMBEDDING = ("lm_head", "output", "head"), ("embed_tokens", "embeddings", "word_embeddings", "wte")


@dataclass(frozen=True, kw_only=True)
class Module:
    """Matrix, or several with one name: its part, its parameters, and names that it may have."""

    part: Part
    parameters: float
    names: tuple[str, ...]
    kind: ModuleKind = "matrix"


def modules(stack: Stack, family: str) -> Iterator[Module]:
    """Every matrix of the model; norms, biases and routers, which stay in 16 bits, are left out."""
    yield Module(part="embedding", parameters=stack.embedding, names=_EMBEDDING, kind="embedding")
    if stack.output:
        yield Module(part="output", parameters=stack.output, names=_OUTPUT, kind="output")
    for index, layer in enumerate(stack.layers):
        of_state = layer.mixer.parameters if layer.mixer.kind == "state" else layer.mixer.of_state
        if of_state:
            containers = ("self_attn",) if family.startswith("kimi") else _STATE
            names = _names(index, containers, _STATE_MATRICES)
            yield Module(part="state", parameters=of_state, names=names)
        for leaves, number in _projections(layer.mixer, of_state, stack.heads):
            yield Module(part="attention", parameters=number, names=_names(index, _ATTENTION, leaves))
        yield from _of_block(index, layer, stack.heads.hidden, family)


@cache
def _names(index: int, containers: tuple[str, ...], leaves: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"layers.{index}.{'.'.join(filter(None, name))}" for name in product(containers, leaves))


def _projections(mixer: Mixer, of_state: int, heads: Heads) -> Iterator[tuple[tuple[str, ...], float]]:
    """Attention matrices of a layer: their names and their share of its parameters."""
    attention = mixer.parameters - of_state
    if attention <= 0:
        return
    sizes = _latent_sizes(heads) if mixer.kind == "latent" and heads.latent else _plain_sizes(heads)
    rest = max(0.0, attention - sum(sizes.values())) if mixer.kind == "latent" else 0.0
    scale = (attention - rest) / sum(sizes.values())
    for leaves, number in sizes.items():
        yield leaves, number * scale
    if rest:
        yield ("indexer.wq_b", "g_proj"), rest


def _plain_sizes(heads: Heads) -> dict[tuple[str, ...], float]:
    """Sizes of query, key, value and output matrices."""
    wide = heads.hidden * heads.heads
    shared = heads.hidden * heads.kv_heads
    return {
        ("q_proj", "qkv_proj", "wq", "c_attn"): wide * heads.head_dim,
        ("k_proj", "qkv_proj", "wk", "c_attn"): shared * heads.head_dim,
        ("v_proj", "qkv_proj", "wv", "c_attn"): shared * heads.value_dim,
        ("o_proj", "wo", "out_proj", "dense", "c_proj"): wide * heads.value_dim,
    }


def _latent_sizes(heads: Heads) -> dict[tuple[str, ...], float]:
    """Sizes of the matrices of multi-head latent attention."""
    latent = heads.latent
    assert latent is not None  # noqa: S101  the caller has looked
    into, keys = heads.heads * heads.head_dim, heads.heads * (latent.plain + latent.values)
    queries: dict[tuple[str, ...], float] = (
        {("q_a_proj",): heads.hidden * latent.queries, ("q_b_proj",): latent.queries * into}
        if latent.queries
        else {("q_proj",): heads.hidden * into}
    )
    return queries | {
        ("kv_a_proj_with_mqa",): heads.hidden * (latent.keys + latent.rotary),
        ("kv_b_proj",): latent.keys * keys,
        ("o_proj",): heads.heads * latent.values * heads.hidden,
    }


def _of_block(index: int, layer: Layer, hidden: int, family: str) -> Iterator[Module]:
    """Feed-forward matrices: of a dense block, or of routed and shared experts."""
    block = layer.block
    matrices = _MATRICES if block.gated else _MATRICES[1:]
    if block.experts == 1:
        for leaves in matrices if block.parameters else ():
            names = _names(index, _BLOCK, leaves)
            yield Module(part="dense", parameters=block.parameters / len(matrices), names=names)
        return
    inside = ("experts",) if family.startswith("gemma4") else tuple(f"{one}.experts" for one in _BLOCK)
    for leaves in matrices:
        names = _names(index, inside, (*leaves, *(f"0.{leaf}" for leaf in leaves)))
        yield Module(part="experts", parameters=block.experts * block.one / len(matrices), names=names, kind="routed")
    shared = _shared(block, hidden)
    inside = ("mlp",) if family.startswith("gemma4") else tuple(".".join(one) for one in product(_BLOCK, _SHARED))
    for leaves in matrices if shared else ():
        yield Module(part="experts", parameters=shared / len(matrices), names=_names(index, inside, leaves))


def _shared(block: Block, hidden: int) -> int:
    """Parameters of a layer's shared experts: what is neither routed nor the router."""
    rest = block.parameters - block.experts * block.one - block.experts * hidden
    return max(0, rest) if block.shared else 0

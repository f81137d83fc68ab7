"""Mixtures of experts with grouped attention."""

from collections.abc import Callable
from functools import partial

from calculators.configuration.assembly import assembled, cyclic, read_kinds, read_layers
from calculators.configuration.attention import full_attention, grouped, of_kind, read_heads
from calculators.configuration.families.dense import qwen_windows
from calculators.configuration.feed_forward import dense, experts, matrices, read_chosen, with_experts
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Block, Heads, Mixer, Stack

_COUNT = ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")
_CHOSEN = ("num_experts_per_tok", "experts_per_token", "moe_k")


def _all_alike(keys: Keys, heads: Heads, mixers: list[Mixer], block: Block, *, tied: bool = False) -> Stack:
    h = heads.hidden
    return assembled(keys, heads, mixers, [block] * len(mixers), norms=2 * h, tied=tied, final=h)


def mixtral(keys: Keys) -> Stack:
    """Experts in every layer, no biases."""
    heads, layers, window = read_heads(keys, kv_heads=8), read_layers(keys), keys.maybe("sliding_window", least=1)
    mixer = of_kind(full_attention(heads, grouped(heads)), "window" if window else "global", window)
    count = keys.count(*_COUNT)
    block = experts(heads.hidden, keys.count("intermediate_size"), count, read_chosen(keys, count, *_CHOSEN))
    return _all_alike(keys, heads, [mixer] * layers, block)


def minimax_m2(keys: Keys) -> Stack:
    """Norms over all queries and over all keys; a bias of the router that is no weight."""
    heads, layers = read_heads(keys, head_dim=128, kv_heads=8), read_layers(keys)
    _only_attention(keys)
    keys.flag("use_routing_bias")
    keys.text("qk_norm_type")
    if keys.maybe("shared_intermediate_size"):
        keys.wrong("shared_intermediate_size", "shared_intermediate_size is not known of this family")
    normed = keys.flag("use_qk_norm", default=True)
    norms = (heads.heads + heads.kv_heads) * heads.head_dim if normed else 0
    mixer = full_attention(heads, grouped(heads) + norms)
    count = keys.count(*_COUNT)
    block = experts(heads.hidden, keys.count("intermediate_size"), count, read_chosen(keys, count, *_CHOSEN))
    return _all_alike(keys, heads, [mixer] * layers, block)


def _only_attention(keys: Keys) -> None:
    """MiniMax lists a kind for each layer; this family has attention alone."""
    kinds = keys.numbers("attn_type_list")
    if kinds is not None and any(kind != 1 for kind in kinds):
        keys.wrong("attn_type_list", "attn_type_list names layers that are no softmax attention")


def granitemoe(keys: Keys) -> Stack:
    """Mixtral with Granite's scales."""
    heads, layers, bias = read_heads(keys), read_layers(keys), keys.flag("attention_bias")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    count = keys.count(*_COUNT)
    block = experts(heads.hidden, keys.count("intermediate_size"), count, read_chosen(keys, count, *_CHOSEN))
    return _all_alike(keys, heads, [mixer] * layers, block)


def phimoe(keys: Keys) -> Stack:
    """Norms with biases, and a switch for a bias of the output layer."""
    heads, layers, bias = read_heads(keys, kv_heads=8), read_layers(keys), keys.flag("attention_bias")
    h, window = heads.hidden, keys.maybe("sliding_window", least=1)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    mixer = of_kind(mixer, "window" if window else "global", window)
    count = keys.count(*_COUNT)
    block = experts(h, keys.count("intermediate_size"), count, read_chosen(keys, count, *_CHOSEN))
    head_bias = keys.flag("lm_head_bias")
    return assembled(
        keys,
        heads,
        [mixer] * layers,
        [block] * layers,
        norms=4 * h,
        tied=False,
        final=2 * h,
        head_bias=head_bias,
    )


def olmoe(keys: Keys) -> Stack:
    """Norms over all queries and over all keys."""
    heads, layers, bias = read_heads(keys), read_layers(keys), keys.flag("attention_bias")
    keys.maybe("clip_qkv")
    norms = (heads.heads + heads.kv_heads) * heads.head_dim
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + norms)
    count = keys.count(*_COUNT)
    block = experts(heads.hidden, keys.count("intermediate_size"), count, read_chosen(keys, count, *_CHOSEN))
    return _all_alike(keys, heads, [mixer] * layers, block)


def sparse_places(keys: Keys, layers: int, count: int) -> list[bool]:
    """Layers of Qwen's mixtures that have experts."""
    step = keys.count("decoder_sparse_step", default=1)
    dense_ones = set(keys.numbers("mlp_only_layers") or [])
    return [count > 0 and layer not in dense_ones and (layer + 1) % step == 0 for layer in range(layers)]


def _qwen(keys: Keys, heads: Heads, mixer: Mixer, shared: int, near: Callable[[int, int], bool]) -> Stack:
    h, layers = heads.hidden, read_layers(keys)
    count = keys.count(*_COUNT)
    extra = h if shared else 0
    block = experts(
        h,
        keys.count("moe_intermediate_size"),
        count,
        read_chosen(keys, count, *_CHOSEN),
        shared=shared,
        extra=extra,
    )
    places = sparse_places(keys, layers, count)
    plain = dense(h, keys.count("intermediate_size", default=1 if all(places) else None))
    mixers = qwen_windows(keys, layers, mixer, near=near)
    blocks = with_experts(layers, block, plain, places)
    return assembled(keys, heads, mixers, blocks, norms=2 * h, tied=False, final=h)


def qwen2_moe(keys: Keys) -> Stack:
    """Biases on queries, keys and values; a shared expert behind a gate of its own.

    Windows, where switched on, are in every second layer up to one.
    """
    heads, bias = read_heads(keys, kv_heads=16), keys.flag("qkv_bias", default=True)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias))
    shared = keys.count("shared_expert_intermediate_size", default=5632)
    return _qwen(keys, heads, mixer, shared, lambda layer, last: layer % 2 == 0 and layer < last)


def qwen3_moe(keys: Keys, *, kv_heads: int = 4) -> Stack:
    """Norms of queries and keys; no shared expert; windows in all layers where switched on."""
    heads, bias = read_heads(keys, kv_heads=kv_heads), keys.flag("attention_bias")
    keys.flag("use_qk_norm", "qkv_bias")
    if keys.maybe("shared_expert_intermediate_size"):
        keys.wrong("shared_expert_intermediate_size", "shared_expert_intermediate_size is not known of this family")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + 2 * heads.head_dim)
    return _qwen(keys, heads, mixer, 0, lambda *_: True)


def _after_dense(keys: Keys, heads: Heads, mixers: list[Mixer], first: int, always: int | None) -> Stack:
    """Dense layers first, then experts with shared ones of the same width; `always` the family's number of those."""
    h, layers = heads.hidden, len(mixers)
    count, width = keys.count(*_COUNT), keys.count("moe_intermediate_size")
    shared = (keys.unless_null("n_shared_experts", default=always) or 0) * width
    block = experts(h, width, count, read_chosen(keys, count, *_CHOSEN), shared=shared)
    blocks = with_experts(
        layers, block, dense(h, keys.count("intermediate_size")), [layer >= first for layer in range(layers)]
    )
    return assembled(keys, heads, mixers, blocks, norms=2 * h, tied=False, final=h)


def glm4_moe(keys: Keys, *, biased: bool = False) -> Stack:
    """Dense layers first, shared experts, norms of queries and keys where switched on."""
    heads, layers = read_heads(keys, kv_heads=8), read_layers(keys)
    bias = keys.flag("attention_bias", default=biased)
    norms = 2 * heads.head_dim if keys.flag("use_qk_norm") else 0
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias) + norms)
    first = keys.count("first_k_dense_replace", default=1, least=0)
    return _after_dense(keys, heads, [mixer] * layers, first, always=1)


def glm4v_moe(keys: Keys) -> Stack:
    """Mixture under a vision encoder, with biases unless they are switched off, and no norms of queries and keys."""
    keys.always("use_qk_norm", usual=False)
    return glm4_moe(keys, biased=True)


def dots1(keys: Keys) -> Stack:
    """Dense layers first, shared experts, norms of queries and keys."""
    heads, layers, bias = read_heads(keys, kv_heads=32), read_layers(keys), keys.flag("attention_bias")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + 2 * heads.head_dim)
    window = keys.unless_null("sliding_window", default=4096, least=1)
    first = keys.count("max_window_layers", default=62, least=0)
    kinds = read_kinds(keys, layers, lambda layer: "window" if window and layer >= first else "global")
    mixers = [of_kind(mixer, kind, window) for kind in kinds]
    first_experts = keys.count("first_k_dense_replace", default=0, least=0)
    return _after_dense(keys, heads, mixers, first_experts, always=None)


def ernie_moe(keys: Keys) -> Stack:
    """Experts from one layer to another, at intervals; the router's bias is a weight here."""
    heads, layers, bias = read_heads(keys, kv_heads=4), read_layers(keys), keys.flag("use_bias")
    h = heads.hidden
    keys.always("moe_use_aux_free")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    count, width = keys.count(*_COUNT, default=64), keys.count("moe_intermediate_size", default=1536)
    shared = keys.count("moe_num_shared_experts", default=2, least=0) * width
    extra = count
    if shared and bias:
        extra += matrices(h, shared, gated=True, bias=True) - matrices(h, shared, gated=True)
    chosen = read_chosen(keys, count, *_CHOSEN, default=6)
    block = experts(h, width, count, chosen, shared=shared, extra=extra)
    first = keys.count("moe_layer_start_index", default=1, least=0)
    last = keys.maybe("moe_layer_end_index", least=-1)
    end = layers - 1 if last in {None, -1} else last
    interval = keys.count("moe_layer_interval", default=1)
    places = [first <= layer <= (end or 0) and (layer + 1) % interval == 0 for layer in range(layers)]
    blocks = with_experts(layers, block, dense(h, keys.count("intermediate_size"), bias=bias), places)
    return assembled(keys, heads, [mixer] * layers, blocks, norms=2 * h, tied=True, final=h, head_bias=bias)


def gpt_oss(keys: Keys) -> Stack:
    """Biases everywhere, sinks, experts with biases, a window in every other layer."""
    heads, layers = read_heads(keys, head_dim=64, kv_heads=8), read_layers(keys)
    bias, h = keys.flag("attention_bias", default=True), heads.hidden
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + heads.heads)
    kinds = read_kinds(keys, layers, cyclic(2))
    window = keys.count("sliding_window", default=128)
    count, width = keys.count(*_COUNT), keys.count("intermediate_size")
    one = matrices(h, width, gated=True, bias=True)
    block = experts(h, width, count, read_chosen(keys, count, *_CHOSEN), one=one, extra=count)
    return _all_alike(keys, heads, [of_kind(mixer, kind, window) for kind in kinds], block)


def llama4(keys: Keys) -> Stack:
    """Experts every so many layers, a shared expert, chunked attention in three of four layers."""
    heads, layers, bias = read_heads(keys, head_dim=128, kv_heads=8), read_layers(keys), keys.flag("attention_bias")
    h = heads.hidden
    keys.flag("use_qk_norm", "for_llm_compressor")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    interval = keys.count("no_rope_layer_interval", default=4)
    rotated = keys.numbers("no_rope_layers", layers) or [int((layer + 1) % interval != 0) for layer in range(layers)]
    chunk = keys.count("attention_chunk_size", default=8192)
    kinds = read_kinds(keys, layers, lambda layer: "window" if rotated[layer] else "global")
    count, width = keys.count(*_COUNT), keys.count("intermediate_size")
    block = experts(h, width, count, read_chosen(keys, count, *_CHOSEN, default=1), shared=width)
    step = keys.count("interleave_moe_layer_step", default=1)
    named = keys.numbers("moe_layers")
    at = set(named if named is not None else range(step - 1, layers, step))
    places = [layer in at for layer in range(layers)]
    plain = dense(h, keys.count("intermediate_size_mlp", default=16384))
    return assembled(
        keys,
        heads,
        [of_kind(mixer, kind, chunk) for kind in kinds],
        with_experts(layers, block, plain, places),
        norms=2 * h,
        tied=False,
        final=h,
    )


FAMILIES: dict[str, Callable[[Keys], Stack]] = {
    "mixtral": mixtral,
    "minimax_m2": minimax_m2,
    "granitemoe": granitemoe,
    "phimoe": phimoe,
    "olmoe": olmoe,
    "qwen2_moe": qwen2_moe,
    "qwen3_moe": qwen3_moe,
    "qwen3_vl_moe_text": partial(qwen3_moe, kv_heads=16),
    "glm4_moe": glm4_moe,
    "glm4v_moe_text": glm4v_moe,
    "dots1": dots1,
    "ernie4_5_moe": ernie_moe,
    "gpt_oss": gpt_oss,
    "llama4_text": llama4,
}

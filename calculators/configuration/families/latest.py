"""Families of 2026 that differ from an older one in a detail or two."""

from dataclasses import replace

from calculators.configuration.assembly import KINDS, assembled, read_kinds, read_layers
from calculators.configuration.attention import full_attention, grouped, of_kind, read_heads
from calculators.configuration.feed_forward import dense, experts, read_chosen, with_experts
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Block, Heads, Mixer, Stack

_GRANITE_PERIOD = 4
_STEP_DENSE = 3
_STEP_WITHOUT_EFFECT = (
    *("moe_every_n_layer", "moe_layer_offset", "moe_router_activation", "moe_router_scaling_factor"),
    *("need_fp32_gate", "norm_expert_weight", "partial_rotary_factors", "swiglu_limits", "swiglu_limits_shared"),
    *("use_moe_router_bias", "use_rope_layers", "yarn_only_types", "zero_centered", "n_shared_experts"),
)


def _windowed(keys: Keys, mixer: Mixer, kinds: list[str], usual: int | None) -> list[Mixer]:
    """Mixer of each layer, with the given or default window where its kind has one."""
    window = keys.unless_null("sliding_window", default=usual, least=1)
    if window is None and "window" in kinds:
        keys.wrong("sliding_window", "sliding_window is missing, and layers have one")
    return [of_kind(mixer, kind, window) for kind in kinds]


def _sinks(keys: Keys) -> tuple[Heads, list[Mixer]]:
    """Granite's attention with a sink for each head, and a window in three layers of four after the first."""
    heads, layers, bias = read_heads(keys), read_layers(keys), keys.flag("attention_bias")
    kinds = read_kinds(keys, layers, lambda layer: "window" if layer % _GRANITE_PERIOD else "global")
    keys.given("layer_rope_theta")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + heads.heads)
    return heads, _windowed(keys, mixer, kinds, 128)


def granite_swa(keys: Keys) -> Stack:
    """Granite with sinks and windows over dense blocks."""
    heads, mixers = _sinks(keys)
    h, bias = heads.hidden, keys.flag("mlp_bias")
    block = dense(h, keys.count("intermediate_size"), bias=bias)
    return assembled(keys, heads, mixers, [block] * len(mixers), norms=2 * h, tied=True, final=h)


def granitemoe_swa(keys: Keys) -> Stack:
    """Granite with sinks and windows over experts, and a shared block where it has a width."""
    heads, mixers = _sinks(keys)
    h, count = heads.hidden, keys.count("num_local_experts")
    shared = keys.count("shared_intermediate_size", default=0, least=0)
    chosen = read_chosen(keys, count, "num_experts_per_tok")
    block = experts(h, keys.count("intermediate_size"), count, chosen, shared=shared)
    return assembled(keys, heads, mixers, [block] * len(mixers), norms=2 * h, tied=False, final=h)


def helium(keys: Keys) -> Stack:
    """Llama whose output projection has no bias and keeps the width."""
    heads, layers, bias = read_heads(keys, head_dim=128, kv_heads=20), read_layers(keys), keys.flag("attention_bias")
    h = heads.hidden
    if heads.heads * heads.head_dim != h:
        keys.wrong("head_dim", f"heads × head_dim must be the hidden size, {h}, in this family")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias))
    block = dense(h, keys.count("intermediate_size"), bias=keys.flag("mlp_bias"))
    return assembled(keys, heads, [mixer] * layers, [block] * layers, norms=2 * h, tied=False, final=h)


def ministral(keys: Keys) -> Stack:
    """Mistral with a window in every layer unless its kinds are listed."""
    heads, layers = read_heads(keys, kv_heads=8), read_layers(keys)
    h, given = heads.hidden, keys.unless_null("sliding_window", default=4096, least=1)
    kinds = read_kinds(keys, layers, lambda _: "window" if given else "global")
    mixers = _windowed(keys, full_attention(heads, grouped(heads)), kinds, 4096)
    block = dense(h, keys.count("intermediate_size"))
    return assembled(keys, heads, mixers, [block] * layers, norms=2 * h, tied=False, final=h)


def vaultgemma(keys: Keys) -> Stack:
    """Gemma 2 with two norms in each layer."""
    heads, layers = read_heads(keys, head_dim=256, kv_heads=4), read_layers(keys)
    h, bias = heads.hidden, keys.flag("attention_bias")
    kinds = read_kinds(keys, layers, lambda layer: "global" if layer % 2 else "window")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    mixers = _windowed(keys, mixer, kinds, 4096)
    block = dense(h, keys.count("intermediate_size"))
    return assembled(keys, heads, mixers, [block] * layers, norms=2 * h, tied=True, final=h)


def _sparse(keys: Keys, layers: int, first: int) -> list[bool]:
    """Whether each layer has experts: as listed, else all after the first dense ones."""
    named = keys.words("mlp_layer_types", {"dense": "dense", "sparse": "sparse"}, layers)
    return [one == "sparse" for one in named] if named else [layer >= first for layer in range(layers)]


def _mixed(keys: Keys, hidden: int, block: Block, places: list[bool], *, bias: bool = False) -> list[Block]:
    plain = dense(hidden, keys.count("intermediate_size", default=1 if all(places) else None), bias=bias)
    return with_experts(len(places), block, plain, places)


def hy_v3(keys: Keys) -> Stack:
    """Norms of queries and keys, shared experts, one dense layer first; the router's bias is no weight."""
    heads, layers, bias = read_heads(keys, head_dim=128, kv_heads=8), read_layers(keys), keys.flag("attention_bias")
    h = heads.hidden
    keys.always("mlp_bias", usual=False)
    keys.flag("enable_moe_fp32_combine")
    keys.given("router_scaling_factor")
    count, width = keys.count("num_experts", "num_local_experts"), keys.count("moe_intermediate_size")
    shared = keys.count("num_shared_experts", default=1, least=0) * width
    block = experts(h, width, count, read_chosen(keys, count, "num_experts_per_tok"), shared=shared)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + 2 * heads.head_dim)
    blocks = _mixed(keys, h, block, _sparse(keys, layers, 1))
    return assembled(keys, heads, [mixer] * layers, blocks, norms=2 * h, tied=False, final=h)


def mellum(keys: Keys) -> Stack:
    """Qwen3's mixture with windows where they are listed."""
    heads, layers, bias = read_heads(keys, head_dim=128, kv_heads=4), read_layers(keys), keys.flag("attention_bias")
    h = heads.hidden
    kinds = read_kinds(keys, layers, lambda _: "global")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + 2 * heads.head_dim)
    count, width = keys.count("num_local_experts", "num_experts"), keys.count("moe_intermediate_size")
    block = experts(h, width, count, read_chosen(keys, count, "num_experts_per_tok"))
    blocks = _mixed(keys, h, block, _sparse(keys, layers, 0))
    mixers = _windowed(keys, mixer, kinds, 1024)
    return assembled(keys, heads, mixers, blocks, norms=2 * h, tied=False, final=h)


def minimax_m3(keys: Keys) -> Stack:
    """Dense layers first, shared experts, an indexer of key blocks in the sparse layers."""
    heads, layers, h = read_heads(keys), read_layers(keys), keys.count("hidden_size")
    for name in ("use_gemma_norm", "use_qk_norm", "use_routing_bias"):
        keys.always(name)
    keys.always("attention_output_gate", usual=False)
    keys.text("qk_norm_type")
    sparse = keys.nested("sparse_attention_config")
    for name in ("sparse_topk_blocks", "sparse_block_size", "sparse_init_block", "sparse_local_block"):
        sparse.maybe(name)
    sparse.numbers("sparse_disable_index_value", layers)
    index_heads, width = sparse.count("sparse_num_index_heads"), sparse.count("sparse_index_dim")
    indexed = sparse.numbers("sparse_attention_freq", layers) or [0] * layers
    if not sparse.flag("use_sparse_attention"):
        indexed = [0] * layers
    plain = full_attention(heads, grouped(heads) + 2 * heads.head_dim)
    chooses = h * (index_heads + 1) * width + 2 * width
    sees = replace(plain, parameters=plain.parameters + chooses, cached=plain.cached + width)
    mixers = [sees if one else plain for one in indexed]
    count = keys.count("num_local_experts")
    expert = keys.count("moe_intermediate_size", "intermediate_size")
    keys.maybe("intermediate_size")
    shared = keys.count("n_shared_experts", default=1, least=0) * keys.count("shared_intermediate_size")
    block = experts(h, expert, count, read_chosen(keys, count, "num_experts_per_tok"), shared=shared, extra=count)
    first = keys.maybe("first_k_dense_replace")
    places = keys.numbers("moe_layer_freq", layers) or [int(layer >= (first or 0)) for layer in range(layers)]
    blocks = with_experts(layers, block, dense(h, keys.count("dense_intermediate_size")), [bool(one) for one in places])
    return assembled(keys, heads, mixers, blocks, norms=2 * h, tied=False, final=h)


def _step_mixers(keys: Keys, heads: Heads, layers: int) -> list[Mixer]:
    """Attention with a gate and norms for each head; window layers have heads of their own.

    `layer_types` may also list the layers that predict further tokens.
    """
    bias, gated = keys.flag("attention_bias"), keys.flag("use_head_wise_attn_gate", default=True)
    other = keys.nested("attention_other_setting")
    other.text("attention_type")
    near = Heads(
        hidden=heads.hidden,
        heads=other.count("num_attention_heads", default=keys.maybe("num_sliding_attention_heads") or heads.heads),
        kv_heads=other.count("num_attention_groups", default=heads.kv_heads),
        head_dim=other.count("head_dim", default=heads.head_dim),
        value_dim=other.count("head_dim", default=heads.head_dim),
    )
    listed = keys.words("layer_types", KINDS, None) or ["global"] * layers
    if len(listed) not in {layers, layers + (keys.maybe("num_nextn_predict_layers") or 0)}:
        keys.wrong("layer_types", "layer_types must name one kind for each layer")
        listed = ["global"] * layers  # refused later
    window = keys.maybe("sliding_window", least=1)
    if window is None and "window" in listed:
        keys.wrong("sliding_window", "sliding_window is missing, and layers have one")
    far_mixer, near_mixer = (
        full_attention(
            one,
            grouped(one, query_bias=bias, key_bias=bias, out_bias=bias)
            + gated * one.hidden * one.heads
            + 2 * one.head_dim,
        )
        for one in (heads, near)
    )
    return [of_kind(near_mixer, "window", window) if kind == "window" else far_mixer for kind in listed[:layers]]


def _step_places(keys: Keys, layers: int) -> list[bool]:
    """Whether each layer has experts: as named, as numbered in a list or a text, else all after the dense ones."""
    first = keys.count("first_k_dense_replace", default=_STEP_DENSE, least=0)
    if not keys.given("moe_layers_enum"):
        return _sparse(keys, layers, first)
    if not isinstance(keys.peek("moe_layers_enum"), str):
        numbered = {str(one) for one in keys.numbers("moe_layers_enum") or []}
    else:
        numbered = {one.strip() for one in keys.text("moe_layers_enum").split(",")}
    if not numbered <= {str(layer) for layer in range(layers)}:
        keys.wrong("moe_layers_enum", f"moe_layers_enum must number layers from 0 to {layers - 1}")
    return [str(layer) in numbered for layer in range(layers)]


def step3p5(keys: Keys) -> Stack:
    """Step 3.5 and 3.7 Flash: window layers with more query heads, a gate for each head, a shared expert.

    The router's bias is no weight.
    """
    heads = read_heads(keys, head_dim=128, kv_heads=keys.maybe("num_attention_groups", least=1) or 8)
    layers, h = read_layers(keys), heads.hidden
    for name in ("use_qk_norm", "use_moe"):
        keys.always(name)
    for name in ("mlp_bias", "sink"):
        keys.always(name, usual=False)
    if keys.text("att_impl_type") not in {"", "GQA"}:
        keys.wrong("att_impl_type", f"att_impl_type “{keys.peek('att_impl_type')}” is not known of this family")
    for name in _STEP_WITHOUT_EFFECT:
        keys.given(name)
    count = keys.count("moe_num_experts", "n_routed_experts", "num_experts")
    chosen = read_chosen(keys, count, "moe_top_k", "num_experts_per_tok")
    shared = keys.count("share_expert_dim", "share_expert_dims", default=1280)
    block = experts(h, keys.count("moe_intermediate_size", default=1280), count, chosen, shared=shared)
    mixers = _step_mixers(keys, heads, layers)
    blocks = _mixed(keys, h, block, _step_places(keys, layers))
    return assembled(keys, heads, mixers, blocks, norms=2 * h, tied=False, final=h)


FAMILIES = {
    "granite_swa": granite_swa,
    "granitemoe_swa": granitemoe_swa,
    "helium": helium,
    "ministral": ministral,
    "vaultgemma": vaultgemma,
    "hy_v3": hy_v3,
    "mellum": mellum,
    **dict.fromkeys(("minimax_m3", "minimax_m3_vl"), minimax_m3),
    **dict.fromkeys(("step3p5", "step3p7"), step3p5),
}

"""Families in which some layers keep a state of the sequence, or have heads of their own."""

from dataclasses import replace

from calculators.configuration.assembly import STATES, assembled, cyclic, read_kinds, read_layers
from calculators.configuration.attention import cached, full_attention, grouped, read_heads
from calculators.configuration.families.moe import sparse_places
from calculators.configuration.feed_forward import dense, experts, read_chosen, with_experts
from calculators.configuration.keys import Keys
from calculators.configuration.sequence_states import delta_net, lightning, mamba, mamba2
from calculators.configuration.stack import NO_BLOCK, NOTHING, Block, Heads, Mixer, Stack

_SINGLE = "float32"


def _delta(keys: Keys, hidden: int) -> Mixer:
    return delta_net(
        hidden,
        key_heads=keys.count("linear_num_key_heads", default=16),
        key_dim=keys.count("linear_key_head_dim", default=128),
        value_heads=keys.count("linear_num_value_heads", default=32),
        value_dim=keys.count("linear_value_head_dim", default=128),
        kernel=keys.count("linear_conv_kernel_dim", default=4),
        single=keys.text("mamba_ssm_dtype") == _SINGLE,
    )


def _qwen_mixers(keys: Keys, kv_heads: int) -> tuple[Heads, list[Mixer]]:
    """Three layers of four with a delta net, the fourth with attention whose output is gated."""
    heads, layers, bias = (
        read_heads(keys, head_dim=256, kv_heads=kv_heads),
        read_layers(keys),
        keys.flag("attention_bias"),
    )
    if not keys.flag("attn_output_gate", default=True):
        keys.wrong("attn_output_gate", "attn_output_gate = false is not known of this family")
    kinds = read_kinds(keys, layers, cyclic(keys.count("full_attention_interval", default=4), others="state"), STATES)
    gated = full_attention(
        heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias, gate=True) + 2 * heads.head_dim
    )
    delta = _delta(keys, heads.hidden)
    return heads, [delta if kind == "state" else gated for kind in kinds]


def _qwen_experts(keys: Keys, hidden: int) -> Block:
    count = keys.count("num_experts", "num_local_experts")
    shared = keys.count("shared_expert_intermediate_size", default=512)
    chosen = read_chosen(keys, count, "num_experts_per_tok")
    return experts(hidden, keys.count("moe_intermediate_size"), count, chosen, shared=shared, extra=hidden)


def qwen3_next(keys: Keys) -> Stack:
    """Delta nets and gated attention over experts, some layers dense."""
    heads, mixers = _qwen_mixers(keys, 2)
    h, layers, block = heads.hidden, len(mixers), _qwen_experts(keys, heads.hidden)
    places = sparse_places(keys, layers, block.experts)
    plain = dense(h, keys.count("intermediate_size", default=1 if all(places) else None))
    blocks = with_experts(layers, block, plain, places)
    return assembled(keys, heads, mixers, blocks, norms=2 * h, tied=False, final=h)


def qwen3_5(keys: Keys) -> Stack:
    """Delta nets and gated attention over dense blocks."""
    heads, mixers = _qwen_mixers(keys, 4)
    h = heads.hidden
    keys.numbers("mlp_only_layers")
    block = dense(h, keys.count("intermediate_size"))
    return assembled(keys, heads, mixers, [block] * len(mixers), norms=2 * h, tied=False, final=h)


def qwen3_5_moe(keys: Keys) -> Stack:
    """Delta nets and gated attention over experts."""
    heads, mixers = _qwen_mixers(keys, 2)
    h = heads.hidden
    if keys.numbers("mlp_only_layers"):
        keys.wrong("mlp_only_layers", "mlp_only_layers is not known of this family")
    keys.maybe("intermediate_size")
    blocks = [_qwen_experts(keys, h)] * len(mixers)
    return assembled(keys, heads, mixers, blocks, norms=2 * h, tied=False, final=h)


_NEMOTRON_LETTERS = {"M": "state", "*": "global", "E": "experts", "-": "dense"}
_NEMOTRON_WORDS = {
    **dict.fromkeys(("mamba", "linear_attention"), "state"),
    **dict.fromkeys(("attention", "full_attention"), "global"),
    "moe": "experts",
    "mlp": "dense",
}


def _nemotron_kinds(keys: Keys) -> list[str]:
    """Kind of each layer: a state, attention, experts or a plain block."""
    named = keys.words("layers_block_type", _NEMOTRON_WORDS, None) or keys.words("layer_types", _NEMOTRON_WORDS, None)
    pattern = keys.text("hybrid_override_pattern")
    if named is None and (not pattern or set(pattern) - set(_NEMOTRON_LETTERS)):
        keys.wrong("hybrid_override_pattern", "hybrid_override_pattern must be a pattern of M, *, E and -")
        return ["global"]
    kinds = named or [_NEMOTRON_LETTERS[letter] for letter in pattern]
    layers = keys.maybe("num_hidden_layers", least=1)
    if layers is not None and layers != len(kinds):
        keys.wrong("num_hidden_layers", f"num_hidden_layers is {layers}, and {len(kinds)} layers are named")
    return kinds


def nemotron_h(keys: Keys) -> Stack:
    """Mamba-2, attention, plain blocks and experts, one to a layer, with one norm each."""
    kinds = _nemotron_kinds(keys)
    heads = read_heads(keys, head_dim=keys.maybe("attention_head_dim", least=1) or 128, kv_heads=8)
    h, block_bias = heads.hidden, keys.flag("mlp_bias")
    attention = full_attention(heads, grouped(heads))
    for name in ("attention_bias", "mamba_proj_bias", "tie_word_embeddings"):
        if keys.flag(name):
            keys.wrong(name, f"{name} = true is not known of this family")
    if keys.maybe("sliding_window"):
        keys.wrong("sliding_window", "sliding_window is not known of this family")
    state = mamba2(
        h,
        heads=keys.count("mamba_num_heads"),
        head_dim=keys.count("mamba_head_dim"),
        groups=keys.count("n_groups", "mamba_n_groups", default=8),
        state=keys.count("ssm_state_size", default=128),
        kernel=keys.count("conv_kernel", "mamba_d_conv", default=4),
        conv_bias=keys.flag("use_conv_bias", "mamba_conv_bias", default=True),
        bias=keys.flag("use_bias"),
        single=keys.text("mamba_ssm_cache_dtype", "mamba_ssm_dtype") in {"", _SINGLE},
    )
    keys.maybe("expand", "mamba_expand")
    mixers = {"state": state, "global": attention}
    routed = _nemotron_experts(keys, h, bias=block_bias) if "experts" in kinds else NO_BLOCK
    if "experts" not in kinds:
        _ignore_expert_keys(keys)
    width = keys.count("intermediate_size", default=None if "dense" in kinds else 1)
    blocks = {"experts": routed, "dense": dense(h, width, gated=False, bias=block_bias)}
    return assembled(
        keys,
        heads,
        [mixers.get(kind, NOTHING) for kind in kinds],
        [blocks.get(kind, NO_BLOCK) for kind in kinds],
        norms=h,
        tied=False,
        final=h,
    )


def _nemotron_experts(keys: Keys, hidden: int, *, bias: bool) -> Block:
    """Experts that may work in a narrower space, and a shared block."""
    count = keys.count("n_routed_experts")
    chosen, width = read_chosen(keys, count, "num_experts_per_tok"), keys.count("moe_intermediate_size")
    inner = keys.maybe("moe_latent_size", least=1)
    shared = keys.count("moe_shared_expert_intermediate_size")
    keys.maybe("n_shared_experts")
    into = 2 * hidden * inner + bias * (hidden + inner) if inner else 0
    more = bias * (shared + hidden)
    return experts(hidden, width, count, chosen, shared=shared, extra=into + more, gated=False, inner=inner)


def _ignore_expert_keys(keys: Keys) -> None:
    """Mark expert keys as read where no layer has experts."""
    for name in (
        *("n_routed_experts", "num_experts_per_tok", "moe_intermediate_size", "moe_latent_size"),
        *("moe_shared_expert_intermediate_size", "n_shared_experts"),
    ):
        keys.maybe(name)


def granitemoehybrid(keys: Keys) -> Stack:
    """Mamba-2 and attention over experts and a shared block, or over the shared block alone."""
    heads, layers, bias = read_heads(keys), read_layers(keys), keys.flag("attention_bias")
    h = heads.hidden
    words = keys.words("layers_block_type", STATES, layers)
    kinds = words or read_kinds(keys, layers, lambda _: "state", STATES)
    count = keys.count("num_local_experts", "num_experts", least=0)
    width = keys.count("shared_intermediate_size", default=1024)
    plain = dense(h, width)
    inner = keys.count("mamba_expand", default=2) * h
    mamba_heads = keys.count("mamba_n_heads", default=128)
    auto = keys.peek("mamba_d_head") in (None, "auto")
    if auto:
        keys.text("mamba_d_head")
    state = mamba2(
        h,
        heads=mamba_heads,
        head_dim=inner // mamba_heads if auto else keys.count("mamba_d_head"),
        groups=keys.count("mamba_n_groups", default=1),
        state=keys.count("mamba_d_state", default=256),
        kernel=keys.count("mamba_d_conv", default=4),
        conv_bias=keys.flag("mamba_conv_bias", default=True),
        bias=keys.flag("mamba_proj_bias"),
        single=False,
    )
    attention = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    keys.maybe("num_experts_per_tok")
    size = keys.count("intermediate_size")
    block = (
        experts(h, size, count, read_chosen(keys, count, "num_experts_per_tok"), extra=plain.parameters)
        if count
        else plain
    )
    mixers = [state if kind == "state" else attention for kind in kinds]
    return assembled(keys, heads, mixers, [block] * layers, norms=2 * h, tied=False, final=h)


def jamba(keys: Keys) -> Stack:
    """Mamba and attention by a period, experts in every so many layers."""
    heads, layers = read_heads(keys, kv_heads=8), read_layers(keys)
    h = heads.hidden
    period, offset = keys.count("attn_layer_period", default=8), keys.count("attn_layer_offset", default=4, least=0)
    if offset >= period:
        keys.wrong(
            "attn_layer_offset", f"attn_layer_offset must be less than attn_layer_period, {period}, not {offset}"
        )
    every_, first = (
        keys.count("expert_layer_period", default=2),
        keys.count("expert_layer_offset", default=1, least=0),
    )
    auto = keys.peek("mamba_dt_rank") == "auto"
    rank = -(-h // 16) if auto else keys.count("mamba_dt_rank", default=-(-h // 16))
    if auto:
        keys.text("mamba_dt_rank")
    state = mamba(
        h,
        inner=keys.count("mamba_expand", default=2) * h,
        state=keys.count("mamba_d_state", default=16),
        kernel=keys.count("mamba_d_conv", default=4),
        rank=rank,
        conv_bias=keys.flag("mamba_conv_bias", default=True),
        bias=keys.flag("mamba_proj_bias"),
        normed=keys.flag("mamba_inner_layernorms", default=True),
    )
    if keys.maybe("sliding_window"):
        keys.wrong("sliding_window", "sliding_window is not known of this family")
    attention = full_attention(heads, grouped(heads))
    count, width = keys.count("num_experts", "num_local_experts"), keys.count("intermediate_size")
    chosen = read_chosen(keys, count, "num_experts_per_tok")
    plain = dense(h, width)
    block = experts(h, width, count, chosen) if count > 1 else plain
    return assembled(
        keys,
        heads,
        [attention if layer % period == offset else state for layer in range(layers)],
        with_experts(layers, block, plain, [layer % every_ == first for layer in range(layers)]),
        norms=2 * h,
        tied=False,
        final=h,
    )


def minimax(keys: Keys) -> Stack:
    """Lightning attention in most layers, attention in the others, experts in all."""
    heads, layers = read_heads(keys, kv_heads=8), read_layers(keys)
    h, window = heads.hidden, keys.maybe("sliding_window", least=1)
    listed = keys.numbers("attn_type_list", layers)
    words = {"full_attention": "global", "linear_attention": "state"}
    usual = [("global" if one else "state") for one in listed] if listed else None
    kinds = read_kinds(
        keys, layers, (lambda layer: usual[layer]) if usual else cyclic(2, last="state", others="global"), words
    )
    attention = full_attention(heads, grouped(heads))
    if window:
        attention = replace(attention, kind="window", window=window)
    linear = lightning(h, heads=heads.heads, head_dim=heads.head_dim)
    count = keys.count("num_local_experts", "num_experts")
    block = experts(h, keys.count("intermediate_size"), count, read_chosen(keys, count, "num_experts_per_tok"))
    if keys.maybe("shared_intermediate_size"):
        keys.wrong("shared_intermediate_size", "shared_intermediate_size is not known of this family")
    keys.flag("postnorm")
    mixers = [linear if kind == "state" else attention for kind in kinds]
    return assembled(keys, heads, mixers, [block] * layers, norms=2 * h, tied=False, final=h)


def mimo_v2(keys: Keys) -> Stack:
    """Windows with heads of their own and sinks, five to one with full attention; one dense layer first."""
    heads, layers, bias = read_heads(keys, head_dim=192, kv_heads=4), read_layers(keys), keys.flag("attention_bias")
    h = heads.hidden
    heads = replace(heads, value_dim=keys.count("v_head_dim", default=128))
    near = replace(
        heads,
        heads=keys.count("swa_num_attention_heads", default=heads.heads),
        kv_heads=keys.count("swa_num_key_value_heads", default=2 * heads.kv_heads),
        head_dim=keys.count("swa_head_dim", default=heads.head_dim),
        value_dim=keys.count("swa_v_head_dim", default=heads.value_dim),
    )
    given = keys.maybe("sliding_window_size", least=1)
    window = given + 1 if given else keys.count("sliding_window", default=129)
    keys.maybe("sliding_window")
    listed = keys.numbers("hybrid_layer_pattern", layers)
    period = keys.maybe("hybrid_block_size") or 6
    usual = ["window" if one else "global" for one in listed] if listed else None
    kinds = read_kinds(
        keys,
        layers,
        lambda layer: usual[layer] if usual else "global" if layer == 0 or (layer + 1) % period == 0 else "window",
    )
    far_sinks = keys.flag("add_full_attention_sink_bias")
    near_sinks = keys.flag("add_swa_attention_sink_bias", default=True)
    far = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias) + far_sinks * heads.heads)
    windowed = Mixer(
        kind="window",
        window=window,
        parameters=grouped(near, query_bias=bias, key_bias=bias) + near_sinks * near.heads,
        cached=cached(near),
    )
    keys.maybe("attention_chunk_size")
    mixers = [windowed if kind == "window" else far for kind in kinds]
    return assembled(keys, heads, mixers, _mimo_blocks(keys, h, layers), norms=2 * h, tied=False, final=h)


def _mimo_blocks(keys: Keys, hidden: int, layers: int) -> list[Block]:
    """Block of each layer: experts where listed, by default everywhere but in the first layer."""
    count = keys.count("n_routed_experts", "num_local_experts")
    if keys.maybe("n_shared_experts"):
        keys.wrong("n_shared_experts", "n_shared_experts is not known of this family")
    chosen = read_chosen(keys, count, "num_experts_per_tok")
    block = experts(hidden, keys.count("moe_intermediate_size"), count, chosen)
    named = keys.words("mlp_layer_types", {"dense": "dense", "sparse": "sparse"}, layers)
    flags = keys.numbers("moe_layer_freq", layers)
    if named is not None:
        places = [one == "sparse" for one in named]
    elif flags is not None:
        places = [one == 1 for one in flags]
    else:
        places = [layer > 0 for layer in range(layers)]
    return with_experts(layers, block, dense(hidden, keys.count("intermediate_size")), places)


FAMILIES = {
    "qwen3_next": qwen3_next,
    "qwen3_5_text": qwen3_5,
    "qwen3_5_moe_text": qwen3_5_moe,
    "nemotron_h": nemotron_h,
    "granitemoehybrid": granitemoehybrid,
    "jamba": jamba,
    **dict.fromkeys(("minimax", "minimax_text_01", "minimax_m1"), minimax),
    "mimo_v2_flash": mimo_v2,
}

"""Older families, and others with plain blocks or norms with biases."""

from calculators.configuration.assembly import assembled, read_kinds, read_layers
from calculators.configuration.attention import full_attention, grouped, of_kind, read_heads
from calculators.configuration.feed_forward import dense
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Heads, Stack

_OPT_OFFSET = 2  # its table of positions has two rows more than positions


def gpt2(keys: Keys) -> Stack:
    """Biases everywhere, learned positions, tied tables."""
    heads, layers = read_heads(keys), read_layers(keys, "n_layer", "num_hidden_layers")
    h = heads.hidden
    positions = keys.count("n_positions", "max_position_embeddings", default=1024)
    keys.maybe("n_ctx")
    block = dense(h, keys.maybe("n_inner", "intermediate_size", least=1) or 4 * h, gated=False, bias=True)
    mixer = full_attention(heads, grouped(heads, query_bias=True, key_bias=True, out_bias=True))
    if keys.flag("add_cross_attention"):
        keys.wrong("add_cross_attention", "add_cross_attention makes it a decoder of an encoder-decoder model")
    return assembled(
        keys, heads, [mixer] * layers, [block] * layers, norms=4 * h, tied=True, final=2 * h, positions=positions
    )


def gpt_neox(keys: Keys) -> Stack:
    """Biases everywhere, rotated positions."""
    heads, layers = read_heads(keys), read_layers(keys)
    h, bias = heads.hidden, keys.flag("attention_bias", default=True)
    keys.flag("use_parallel_residual")
    block = dense(h, keys.count("intermediate_size"), gated=False, bias=True)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    return assembled(keys, heads, [mixer] * layers, [block] * layers, norms=4 * h, tied=False, final=2 * h)


def opt(keys: Keys) -> Stack:
    """Biases everywhere, learned positions, tables that may be narrower than the model."""
    heads, layers = read_heads(keys), read_layers(keys)
    h, bias = heads.hidden, keys.flag("enable_bias", default=True)
    width = keys.count("word_embed_proj_dim", default=h)
    before, without = keys.flag("do_layer_norm_before", default=True), keys.flag("_remove_final_layer_norm")
    if not keys.flag("layer_norm_elementwise_affine", default=True):
        keys.wrong("layer_norm_elementwise_affine", "layer_norm_elementwise_affine must be true")
    positions = keys.count("max_position_embeddings", default=2048) + _OPT_OFFSET
    block = dense(h, keys.count("ffn_dim"), gated=False, bias=bias)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    projections = 2 * h * width if width != h else 0
    return assembled(
        keys,
        heads,
        [mixer] * layers,
        [block] * layers,
        norms=4 * h,
        tied=True,
        final=2 * h if before and not without else 0,
        extra=positions * h + projections,
        width=width,
    )


def bloom(keys: Keys) -> Stack:
    """Biases everywhere, a norm of the embedding, tied tables."""
    heads, layers = read_heads(keys), read_layers(keys, "n_layer", "num_hidden_layers")
    h = heads.hidden
    keys.flag("skip_bias_add", "skip_bias_add_qkv")
    keys.maybe("offset_alibi", "seq_length")
    block = dense(h, 4 * h, gated=False, bias=True)
    mixer = full_attention(heads, grouped(heads, query_bias=True, key_bias=True, out_bias=True))
    return assembled(keys, heads, [mixer] * layers, [block] * layers, norms=4 * h, tied=True, final=2 * h, extra=2 * h)


def falcon(keys: Keys) -> Stack:
    """One norm or two before blocks side by side; key-value heads by the newer architecture, or one, or all."""
    hidden = keys.count("hidden_size", "n_embed")
    count = keys.count("num_attention_heads", "n_head")
    newer, single = keys.flag("new_decoder_architecture"), keys.flag("multi_query", default=True)
    given = keys.maybe("num_kv_heads", "n_head_kv", least=1)
    shared = (given or count) if newer else 1 if single else count
    width, layers, bias = max(1, hidden // count), read_layers(keys, "num_hidden_layers", "n_layer"), keys.flag("bias")
    heads = Heads(hidden=hidden, heads=count, kv_heads=shared, head_dim=width, value_dim=width)
    side_by_side = keys.flag("parallel_attn", default=True)
    keys.flag("alibi")
    norms = keys.maybe("num_ln_in_parallel_attn", least=1) or (2 if newer else 1)
    if norms > 2:  # noqa: PLR2004  one for both blocks, or one for each
        keys.wrong("num_ln_in_parallel_attn", f"num_ln_in_parallel_attn must be 1 or 2, not {norms}")
    widening = keys.count("ff_factor", default=4)
    block = dense(hidden, keys.maybe("ffn_hidden_size", least=1) or widening * hidden, gated=False, bias=bias)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    each = 2 * hidden * (norms if side_by_side else 2)
    return assembled(keys, heads, [mixer] * layers, [block] * layers, norms=each, tied=True, final=2 * hidden)


def phi(keys: Keys) -> Stack:
    """Biases everywhere, the output layer's too, and one norm for both blocks."""
    heads, layers = read_heads(keys), read_layers(keys)
    h = heads.hidden
    norms = 4 * heads.head_dim if keys.flag("qk_layernorm") else 0
    block = dense(h, keys.count("intermediate_size"), gated=False, bias=True)
    mixer = full_attention(heads, grouped(heads, query_bias=True, key_bias=True, out_bias=True) + norms)
    return assembled(
        keys, heads, [mixer] * layers, [block] * layers, norms=2 * h, tied=False, final=2 * h, head_bias=True
    )


def stablelm(keys: Keys) -> Stack:
    """Gated blocks behind norms with biases; norms of queries and keys for each head where switched on."""
    heads, layers, bias = read_heads(keys, kv_heads=32), read_layers(keys), keys.flag("use_qkv_bias")
    h = heads.hidden
    norms = keys.flag("qk_layernorm") * (heads.heads + heads.kv_heads) * heads.head_dim
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias) + norms)
    block = dense(h, keys.count("intermediate_size"))
    each = 2 * h if keys.flag("use_parallel_residual") else 4 * h
    return assembled(keys, heads, [mixer] * layers, [block] * layers, norms=each, tied=False, final=2 * h)


def starcoder2(keys: Keys) -> Stack:
    """Plain blocks, biases by one switch, a window in every layer where one is given."""
    heads, layers, bias = read_heads(keys, kv_heads=2), read_layers(keys), keys.flag("use_bias", default=True)
    h, window = heads.hidden, keys.maybe("sliding_window", least=1)
    kinds = read_kinds(keys, layers, lambda _: "window" if window else "global")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    mixers = [of_kind(mixer, kind, window) for kind in kinds]
    block = dense(h, keys.count("intermediate_size"), gated=False, bias=bias)
    return assembled(keys, heads, mixers, [block] * layers, norms=4 * h, tied=True, final=2 * h)


def nemotron(keys: Keys) -> Stack:
    """Plain blocks behind norms with biases."""
    heads, layers, bias = read_heads(keys), read_layers(keys), keys.flag("attention_bias")
    h = heads.hidden
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    block = dense(h, keys.count("intermediate_size"), gated=False, bias=keys.flag("mlp_bias"))
    return assembled(keys, heads, [mixer] * layers, [block] * layers, norms=4 * h, tied=False, final=2 * h)


FAMILIES = {
    "gpt2": gpt2,
    "gpt_neox": gpt_neox,
    "opt": opt,
    "bloom": bloom,
    "falcon": falcon,
    "phi": phi,
    "stablelm": stablelm,
    "starcoder2": starcoder2,
    "nemotron": nemotron,
}

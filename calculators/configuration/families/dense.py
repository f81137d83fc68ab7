"""Dense families: one attention and one feed-forward block in every layer."""

import operator
from collections.abc import Callable
from functools import partial

from calculators.configuration.assembly import assembled, cyclic, read_kinds, read_layers
from calculators.configuration.attention import full_attention, grouped, of_kind, read_heads
from calculators.configuration.feed_forward import dense
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Block, Heads, Mixer, Stack

_MINISTRAL_HEAD, _WINDOW = 128, 4096
_QWEN_FIRST_WINDOW, _QWEN_VL_FIRST_WINDOW = 28, 80


def _windows(keys: Keys, layers: int, mixer: Mixer, kinds: list[str], window: int | None) -> list[Mixer]:
    """Mixer of each layer, with this window where its kind has one."""
    if window is None and "window" in kinds:
        keys.wrong("sliding_window", "sliding_window is missing, and layers have one")
    return [of_kind(mixer, kinds[layer], window) for layer in range(layers)]


def qwen_windows(
    keys: Keys,
    layers: int,
    mixer: Mixer,
    *,
    first_one: int = _QWEN_FIRST_WINDOW,
    near: Callable[[int, int], bool] = operator.ge,
    usual: int | None = _WINDOW,
) -> list[Mixer]:
    """Mixer of each layer with Qwen's sliding windows, if switched on: in layers for which `near` holds.

    `usual` is the width where no key gives it; null switches windows off.
    """
    used = keys.flag("use_sliding_window")
    keys.given("sliding_window")
    window = keys.unless_null("sliding_window", default=usual, least=1) if used else None
    first = keys.count("max_window_layers", default=first_one, least=0)
    kinds = read_kinds(keys, layers, lambda layer: "window" if window and near(layer, first) else "global")
    return _windows(keys, layers, mixer, kinds, window)


def _uniform(
    keys: Keys, heads: Heads, mixers: list[Mixer], block: Block, *, norms: int = 2, tied: bool = False
) -> Stack:
    """A stack of like layers with `norms` of the hidden size in each and one after the last."""
    h = heads.hidden
    return assembled(keys, heads, mixers, [block] * len(mixers), norms=norms * h, tied=tied, final=h)


def _block(keys: Keys, heads: Heads, *, bias: bool = False) -> Block:
    return dense(heads.hidden, keys.count("intermediate_size"), bias=bias)


def llama(keys: Keys) -> Stack:
    """Llama, and Granite, which differs in scales only."""
    heads, bias = read_heads(keys), keys.flag("attention_bias")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    return _uniform(keys, heads, [mixer] * read_layers(keys), _block(keys, heads, bias=keys.flag("mlp_bias")))


def smollm3(keys: Keys) -> Stack:
    """Llama with tied tables; every fourth layer has no RoPE, and only these may have sliding windows."""
    heads, bias, layers = read_heads(keys, kv_heads=4), keys.flag("attention_bias"), read_layers(keys)
    interval = keys.count("no_rope_layer_interval", default=4)
    rotated = keys.numbers("no_rope_layers", layers) or [(layer + 1) % interval for layer in range(layers)]
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    mixers = qwen_windows(keys, layers, mixer, near=lambda layer, _: not rotated[layer], usual=None)
    return _uniform(keys, heads, mixers, _block(keys, heads, bias=keys.flag("mlp_bias")), tied=True)


def ernie(keys: Keys) -> Stack:
    """Llama with one switch for all biases, and tied tables."""
    heads, bias = read_heads(keys, head_dim=128, kv_heads=2), keys.flag("use_bias")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    return _uniform(keys, heads, [mixer] * read_layers(keys), _block(keys, heads, bias=bias), tied=True)


def _windowed_llama(keys: Keys, heads: Heads, window: int | None) -> Stack:
    mixer = full_attention(heads, grouped(heads))
    kind = "global" if window is None else "window"
    kinds = read_kinds(keys, layers := read_layers(keys), lambda _: kind)
    return _uniform(keys, heads, _windows(keys, layers, mixer, kinds, window), _block(keys, heads))


def mistral(keys: Keys) -> Stack:
    """Llama without biases, with a window in every layer unless it is switched off by null."""
    heads = read_heads(keys, kv_heads=8)
    return _windowed_llama(keys, heads, keys.unless_null("sliding_window", default=_WINDOW, least=1))


def ministral3(keys: Keys) -> Stack:
    """Mistral with a head width of its own, and windows only where they are given."""
    return _windowed_llama(
        keys, read_heads(keys, head_dim=_MINISTRAL_HEAD, kv_heads=8), keys.maybe("sliding_window", least=1)
    )


def qwen2(keys: Keys, *, kv_heads: int = 32, first_window: int = _QWEN_FIRST_WINDOW) -> Stack:
    """Biases on queries, keys and values."""
    keys.flag("attention_bias", "qkv_bias")
    heads, layers = read_heads(keys, kv_heads=kv_heads), read_layers(keys)
    mixer = full_attention(heads, grouped(heads, query_bias=True, key_bias=True))
    mixers = qwen_windows(keys, layers, mixer, first_one=first_window)
    return _uniform(keys, heads, mixers, _block(keys, heads))


def qwen3(keys: Keys) -> Stack:
    """Norms of queries and keys."""
    heads, bias, layers = read_heads(keys, head_dim=128, kv_heads=32), keys.flag("attention_bias"), read_layers(keys)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + 2 * heads.head_dim)
    return _uniform(keys, heads, qwen_windows(keys, layers, mixer), _block(keys, heads))


def _pattern(keys: Keys, usual: int) -> int:
    """Layers per period, given as a number or written out as LLLG."""
    if isinstance(keys.peek("sliding_window_pattern"), str):
        return len(keys.text("sliding_window_pattern"))
    return keys.count("sliding_window_pattern", "_sliding_window_pattern", "layer_switch", default=usual, least=0)


def exaone4(keys: Keys) -> Stack:
    """Norms after the blocks, and of queries and keys; three sliding-window layers to one with full attention."""
    heads, layers = read_heads(keys, kv_heads=32), read_layers(keys)
    window = keys.unless_null("sliding_window", default=_WINDOW, least=1)
    period = _pattern(keys, 4)
    kinds = read_kinds(keys, layers, cyclic(period if window else 0))
    mixer = full_attention(heads, grouped(heads) + 2 * heads.head_dim)
    return _uniform(keys, heads, _windows(keys, layers, mixer, kinds, window), _block(keys, heads))


def olmo(keys: Keys) -> Stack:
    """Norms without weights, so none are counted."""
    heads, bias = read_heads(keys), keys.flag("attention_bias")
    keys.maybe("clip_qkv")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    mixers = [mixer] * read_layers(keys)
    return assembled(keys, heads, mixers, [_block(keys, heads)] * len(mixers), norms=0, tied=False, final=0)


def _olmo(keys: Keys, heads: Heads) -> Mixer:
    bias = keys.flag("attention_bias")
    norms = (heads.heads + heads.kv_heads) * heads.head_dim
    return full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + norms)


def olmo2(keys: Keys) -> Stack:
    """Norms of all queries and all keys together, and after the blocks."""
    heads = read_heads(keys)
    return _uniform(keys, heads, [_olmo(keys, heads)] * read_layers(keys), _block(keys, heads))


def olmo3(keys: Keys) -> Stack:
    """Olmo 2 with three sliding-window layers to one with full attention."""
    heads, layers = read_heads(keys), read_layers(keys)
    window = keys.count("sliding_window", default=4096)
    kinds = read_kinds(keys, layers, cyclic(4))
    return _uniform(keys, heads, _windows(keys, layers, _olmo(keys, heads), kinds, window), _block(keys, heads))


def phi3(keys: Keys) -> Stack:
    """Llama with fused projections; a window in every layer where one is given."""
    keys.maybe("pad_token_id")
    return _windowed_llama(keys, read_heads(keys), keys.maybe("sliding_window", least=1))


def _cohere(keys: Keys, heads: Heads, mixers: list[Mixer]) -> Stack:
    return _uniform(keys, heads, mixers, _block(keys, heads), norms=1, tied=True)


def cohere(keys: Keys) -> Stack:
    """One norm for both blocks, tied tables, and norms of queries and keys per head where switched on."""
    heads, bias = read_heads(keys), keys.flag("attention_bias")
    norms = keys.flag("use_qk_norm") * (heads.heads + heads.kv_heads) * heads.head_dim
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + norms)
    return _cohere(keys, heads, [mixer] * read_layers(keys))


def cohere2(keys: Keys) -> Stack:
    """One norm for both blocks, tied tables, three sliding-window layers to one with full attention."""
    heads, bias, layers = read_heads(keys), keys.flag("attention_bias"), read_layers(keys)
    keys.always("use_qk_norm", usual=False)
    for name in ("use_parallel_block", "use_gated_activation"):
        keys.always(name)
    if not keys.flag("use_embedding_sharing", default=True) and keys.tied(default=True):
        keys.wrong("use_embedding_sharing", "use_embedding_sharing is false, and the tables are tied")
    window = keys.count("sliding_window", default=4096)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    kinds = read_kinds(keys, layers, cyclic(_pattern(keys, 4)))
    return _cohere(keys, heads, _windows(keys, layers, mixer, kinds, window))


def _glm(keys: Keys, norms: int, *, head_dim: int | None = 128) -> Stack:
    heads, bias = read_heads(keys, head_dim=head_dim, kv_heads=2), keys.flag("attention_bias", default=True)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias))
    return _uniform(keys, heads, [mixer] * read_layers(keys), _block(keys, heads), norms=norms)


def glm(keys: Keys) -> Stack:
    """Biases on queries, keys and values."""
    return _glm(keys, 2)


def glm4(keys: Keys) -> Stack:
    """GLM with norms before and after both blocks."""
    return _glm(keys, 4)


def glm4v(keys: Keys) -> Stack:
    """GLM-4 under a vision encoder, its heads sharing the hidden size evenly."""
    keys.always("attention_bias")
    return _glm(keys, 4, head_dim=None)


def seed_oss(keys: Keys) -> Stack:
    """Llama with switches of their own for the biases of attention."""
    heads = read_heads(keys, head_dim=128, kv_heads=8)
    bias, out = keys.flag("attention_bias", default=True), keys.flag("attention_out_bias")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=out))
    return _uniform(keys, heads, [mixer] * read_layers(keys), _block(keys, heads, bias=keys.flag("mlp_bias")))


FAMILIES: dict[str, Callable[[Keys], Stack]] = {
    "llama": llama,
    "granite": llama,
    "smollm3": smollm3,
    "ernie4_5": ernie,
    "mistral": mistral,
    "ministral3": ministral3,
    "qwen2": qwen2,
    **dict.fromkeys(
        ("qwen2_vl_text", "qwen2_5_vl_text", "qwen2_vl", "qwen2_5_vl"),
        partial(qwen2, kv_heads=8, first_window=_QWEN_VL_FIRST_WINDOW),
    ),
    "mimo": qwen2,
    "qwen3": qwen3,
    "qwen3_vl_text": qwen3,
    "exaone4": exaone4,
    "olmo": olmo,
    "olmo2": olmo2,
    "olmo3": olmo3,
    "phi3": phi3,
    "cohere": cohere,
    "cohere2": cohere2,
    "glm": glm,
    "glm4": glm4,
    "glm4v_text": glm4v,
    "seed_oss": seed_oss,
}

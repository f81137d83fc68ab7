"""Gemma's families: heads wider than the hidden size shares out, tied tables, and windows in most layers."""

from dataclasses import replace

from calculators.configuration.assembly import assembled, cyclic, read_kinds, read_layers
from calculators.configuration.attention import cached, full_attention, grouped, of_kind, read_heads
from calculators.configuration.feed_forward import dense, experts, read_chosen
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Block, Heads, Mixer, Stack

_HEAD, _GLOBAL_HEAD = 256, 512


def _stack(keys: Keys, heads: Heads, mixers: list[Mixer], norms: int, vocab: int | None = None) -> Stack:
    h = heads.hidden
    block = dense(h, keys.count("intermediate_size"))
    return assembled(keys, heads, mixers, [block] * len(mixers), norms=norms * h, tied=True, final=h, vocab=vocab)


def _attention(keys: Keys, heads: Heads, *, normed: bool) -> Mixer:
    bias = keys.flag("attention_bias")
    norms = 2 * heads.head_dim if normed else 0
    return full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + norms)


def gemma(keys: Keys) -> Stack:
    """The first: two norms, no windows."""
    heads = read_heads(keys, head_dim=_HEAD, kv_heads=16)
    return _stack(keys, heads, [_attention(keys, heads, normed=False)] * read_layers(keys), 2)


def gemma2(keys: Keys) -> Stack:
    """Four norms, and a window in every other layer."""
    heads, layers = read_heads(keys, head_dim=_HEAD, kv_heads=4), read_layers(keys)
    window, mixer = keys.count("sliding_window", default=4096), _attention(keys, heads, normed=False)
    kinds = read_kinds(keys, layers, cyclic(2))
    return _stack(keys, heads, [of_kind(mixer, kind, window) for kind in kinds], 4)


def gemma3(keys: Keys) -> Stack:
    """Four norms, norms of queries and keys, five sliding-window layers to one with full attention."""
    heads, layers = read_heads(keys, head_dim=_HEAD, heads=8, kv_heads=4), read_layers(keys)
    period = keys.count("sliding_window_pattern", "_sliding_window_pattern", default=6)
    window, mixer = keys.count("sliding_window", default=4096), _attention(keys, heads, normed=True)
    kinds = read_kinds(keys, layers, cyclic(period))
    return _stack(keys, heads, [of_kind(mixer, kind, window) for kind in kinds], 4, vocab=262208)


def gemma4(keys: Keys, *, of_layers: int = 256) -> Stack:
    """Wider heads in full-attention layers, keys that serve as values there, and an input for every layer."""
    heads, layers = read_heads(keys, head_dim=_HEAD, kv_heads=4), read_layers(keys)
    kinds = read_kinds(keys, layers, cyclic(6))
    kinds[-1] = "global"
    window = keys.count("sliding_window", default=512)
    shared = keys.count("num_kv_shared_layers", default=0, least=0)
    double = keys.flag("use_double_wide_mlp")
    mixers, blocks = [], []
    block, wide = _blocks(keys, heads)
    far = _far_heads(keys, heads)
    mixer_of = _gemma4_mixers(keys, heads, far, window)
    for layer, kind in enumerate(kinds):
        reuses = layer >= layers - shared
        mixers.append(mixer_of[kind, reuses])
        blocks.append(wide if double and reuses else block)
    h = heads.hidden
    of_layer, table, extra = _inputs_of_layers(keys, h, layers, of_layers)
    norms = (4 + (3 if block.experts > 1 else 0)) * h + of_layer
    return assembled(keys, far, mixers, blocks, norms=norms, tied=True, final=h, extra=extra, of_layers=table)


def _inputs_of_layers(keys: Keys, hidden: int, layers: int, usual: int = 256) -> tuple[int, int, int]:
    """Parameters of per-layer inputs: in each layer, in their lookup table, and elsewhere."""
    width = keys.count("hidden_size_per_layer_input", default=usual, least=0)
    rows = keys.count("vocab_size_per_layer_input", default=262144)
    if not width:
        return 0, 0, 0
    return 2 * hidden * width + hidden, rows * layers * width, hidden * layers * width + width


def gemma4_unified(keys: Keys) -> Stack:
    """Gemma 4 with encoders in one: no inputs for every layer."""
    if keys.maybe("hidden_size_per_layer_input"):
        keys.wrong("hidden_size_per_layer_input", "hidden_size_per_layer_input must be 0 in this family")
    return gemma4(keys, of_layers=0)


def gemma3n(keys: Keys) -> Stack:
    """Per-layer inputs, several streams of the hidden state, a low-rank path parallel to attention, shared caches.

    The last layers look at the keys and values of an earlier one and have neither projections for them nor a cache.
    """
    heads, layers = read_heads(keys, head_dim=_HEAD, heads=8, kv_heads=2), read_layers(keys)
    h, d, bias = heads.hidden, heads.head_dim, keys.flag("attention_bias")
    kinds = read_kinds(keys, layers, cyclic(5))
    window = keys.count("sliding_window", default=512)
    shared = keys.count("num_kv_shared_layers", default=15, least=0)
    if shared >= layers:
        keys.wrong("num_kv_shared_layers", f"num_kv_shared_layers must be less than {layers} layers, not {shared}")
    elif set(kinds[: layers - shared]) != set(kinds):
        keys.wrong("num_kv_shared_layers", "num_kv_shared_layers leaves layers without any of their kind to share with")
    own = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + 2 * d)
    of_keys = 2 * heads.kv_heads * d
    borrowed = replace(own, parameters=own.parameters - of_keys * (h + bias) - d, cached=0)
    mixers = [of_kind(borrowed if layer >= layers - shared else own, kind, window) for layer, kind in enumerate(kinds)]
    for name in ("activation_sparsity_pattern", "altup_coef_clip"):
        keys.given(name)
    keys.maybe("altup_active_idx")
    keys.flag("altup_correct_scale")
    streams, rank = keys.count("altup_num_inputs", default=4), keys.count("laurel_rank", default=64)
    of_layer, table, extra = _inputs_of_layers(keys, h, layers)
    if not table:
        keys.wrong("hidden_size_per_layer_input", "hidden_size_per_layer_input must be at least 1 in this family")
    laurel = 2 * h * rank + h
    predicting = 2 * h + streams**2 + streams**3 + streams * h
    return assembled(
        keys,
        heads,
        mixers,
        [dense(h, width) for width in _widths(keys, layers)],
        norms=4 * h + of_layer + laurel + predicting,
        tied=True,
        final=h,
        extra=extra + 2 * (streams - 1) * h * h,
        of_layers=table,
    )


def _widths(keys: Keys, layers: int) -> list[int]:
    """The width of each layer's block: one for all, or a list of them."""
    if not isinstance(keys.peek("intermediate_size"), list):
        return [keys.count("intermediate_size", default=16384)] * layers
    listed = keys.numbers("intermediate_size", layers) or []
    if any(width < 1 for width in listed):
        keys.wrong("intermediate_size", "intermediate_size must be at least 1 in every layer")
    return listed


def _blocks(keys: Keys, heads: Heads) -> tuple[Block, Block]:
    """A layer's block, and the one of double width: dense, plus experts where they are switched on."""
    h, width = heads.hidden, keys.count("intermediate_size")
    count, chosen = keys.maybe("num_experts"), keys.maybe("top_k_experts", "num_experts_per_tok")
    expert = keys.maybe("moe_intermediate_size", "expert_intermediate_size")
    if not keys.flag("enable_moe_block"):
        return dense(h, width), dense(h, 2 * width)
    if not count or not chosen or not expert:
        keys.wrong("enable_moe_block", "num_experts, top_k_experts or moe_intermediate_size is missing")
        return dense(h, width), dense(h, 2 * width)
    chosen = read_chosen(keys, count, "top_k_experts", "num_experts_per_tok")
    return tuple(  # type: ignore[return-value]
        experts(h, expert, count, chosen, shared=wide, extra=h + count) for wide in (width, 2 * width)
    )


def _far_heads(keys: Keys, heads: Heads) -> Heads:
    """Heads of the full-attention layers."""
    wide = keys.count("global_head_dim", default=_GLOBAL_HEAD)
    shared = keys.maybe("num_global_key_value_heads", least=1)
    same = keys.flag("attention_k_eq_v")
    return replace(heads, head_dim=wide, value_dim=wide, kv_heads=shared if same and shared else heads.kv_heads)


def _gemma4_mixers(keys: Keys, heads: Heads, far: Heads, window: int) -> dict[tuple[str, bool], Mixer]:
    """The mixers by kind, and by whether they use the keys and values of an earlier layer."""
    bias, same = keys.flag("attention_bias"), keys.flag("attention_k_eq_v")
    found = {}
    for kind, one in (("global", far), ("window", heads)):
        values = 0 if kind == "global" and same else one.kv_heads * one.head_dim
        out = one.heads * one.head_dim
        into = out + one.kv_heads * one.head_dim + values
        whole_ = one.hidden * (into + out) + bias * (into + one.hidden) + 2 * one.head_dim
        less = one.hidden * 2 * out + bias * (out + one.hidden) + one.head_dim
        sees = {"kind": "global"} if kind == "global" else {"kind": "window", "window": window}
        found[kind, False] = Mixer(parameters=whole_, cached=cached(one), **sees)
        found[kind, True] = Mixer(parameters=less, cached=0, **sees)
    return found


FAMILIES = {
    "gemma": gemma,
    "gemma2": gemma2,
    "gemma3_text": gemma3,
    "gemma3n_text": gemma3n,
    "gemma4_text": gemma4,
    "gemma4_unified_text": gemma4_unified,
}

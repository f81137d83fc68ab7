"""Earlier families with keys of their own: GPT-J, CodeGen, GPT-Neo, StarCoder's first, and MPT."""

from dataclasses import replace

from calculators.configuration.assembly import assembled, read_layers
from calculators.configuration.attention import full_attention, grouped, of_kind, read_heads
from calculators.configuration.feed_forward import dense
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Heads, Stack

_SEEN = {"global": "global", "local": "window"}


def gptj(keys: Keys) -> Stack:
    """Attention and a block side by side behind one norm; biases in the block and the output layer alone."""
    heads, layers = read_heads(keys), read_layers(keys, "n_layer", "num_hidden_layers")
    h = heads.hidden
    keys.maybe("n_ctx")
    block = dense(h, keys.maybe("n_inner", "intermediate_size", least=1) or 4 * h, gated=False, bias=True)
    mixer = full_attention(heads, grouped(heads))
    return assembled(
        keys, heads, [mixer] * layers, [block] * layers, norms=2 * h, tied=False, final=2 * h, head_bias=True
    )


def gpt_neo(keys: Keys) -> Stack:
    """GPT-2 with a window in every other layer, and no biases on queries, keys and values."""
    h, count = keys.count("hidden_size"), keys.count("num_heads", "num_attention_heads")
    if h % count:
        keys.wrong("num_heads", f"num_heads must divide the hidden size, {h}, not be {count}")
    width, layers = max(1, h // count), read_layers(keys, "num_layers", "num_hidden_layers")
    heads = Heads(hidden=h, heads=count, kv_heads=count, head_dim=width, value_dim=width)
    kinds = _neo_kinds(keys, layers)
    positions = keys.count("max_position_embeddings", default=2048)
    mixer = full_attention(heads, grouped(heads, out_bias=True))
    window = keys.count("window_size", default=256)
    block = dense(h, keys.maybe("intermediate_size", least=1) or 4 * h, gated=False, bias=True)
    mixers = [of_kind(mixer, kind, window) for kind in kinds]
    return assembled(keys, heads, mixers, [block] * layers, norms=4 * h, tied=True, final=2 * h, positions=positions)


def _neo_kinds(keys: Keys, layers: int) -> list[str]:
    """Attention kind of each layer: as listed, else from patterns with their repetitions."""
    listed = keys.words("attention_layers", _SEEN, layers)
    patterns = keys.peek("attention_types")
    keys.given("attention_types")
    if listed is not None:
        return listed
    found: list[str] = []
    try:
        for kinds, times in patterns:  # type: ignore[attr-defined]
            found += [_SEEN[kind] for kind in kinds] * min(times, layers)
    except (TypeError, KeyError, ValueError):
        found = []
    if len(found) != layers:
        keys.wrong("attention_types", "attention_types must name global or local for each layer")
        return ["global"] * layers
    return found


def gpt_bigcode(keys: Keys) -> Stack:
    """GPT-2 with one key and value for all heads, or one for each."""
    heads, layers = read_heads(keys), read_layers(keys, "n_layer", "num_hidden_layers")
    h, single = heads.hidden, keys.flag("multi_query", default=True)
    heads = replace(heads, kv_heads=1 if single else heads.heads)
    positions = keys.count("n_positions", "max_position_embeddings", default=1024)
    keys.maybe("n_ctx")
    if keys.flag("add_cross_attention"):
        keys.wrong("add_cross_attention", "add_cross_attention makes it a decoder of an encoder-decoder model")
    mixer = full_attention(heads, grouped(heads, query_bias=True, key_bias=True, out_bias=True))
    block = dense(h, keys.maybe("n_inner", "intermediate_size", least=1) or 4 * h, gated=False, bias=True)
    return assembled(
        keys, heads, [mixer] * layers, [block] * layers, norms=4 * h, tied=True, final=2 * h, positions=positions
    )


def mpt(keys: Keys) -> Stack:
    """No biases, norms without any, positions by a slope in the scores, tied tables."""
    h, count = keys.count("d_model", "hidden_size"), keys.count("n_heads", "num_attention_heads")
    if h % count:
        keys.wrong("n_heads", f"n_heads must divide the hidden size, {h}, not be {count}")
    width, layers = max(1, h // count), read_layers(keys, "n_layers", "num_hidden_layers")
    heads = Heads(hidden=h, heads=count, kv_heads=count, head_dim=width, value_dim=width)
    attention = keys.nested("attn_config")
    for name, usual in (("qk_ln", False), ("prefix_lm", False), ("alibi", True)):
        attention.always(name, usual=usual)
    if attention.text("attn_type") not in {"", "multihead_attention"}:
        attention.wrong("attn_type", f"attn_type “{attention.text('attn_type')}” is not known of this family")
    for name in ("alibi_bias_max", "attn_pdrop", "clip_qkv", "softmax_scale"):
        attention.given(name)
    attention.flag("attn_uses_sequence_id")
    keys.always("no_bias")
    keys.flag("learned_pos_emb")
    for name in ("emb_pdrop", "embedding_fraction", "init_config", "init_device", "verbose", "norm_type"):
        keys.given(name)
    widening = keys.count("expansion_ratio", default=4)
    if widening != 4:  # noqa: PLR2004  the family's own
        keys.wrong("expansion_ratio", f"expansion_ratio must be 4, not {widening}")
    block = dense(h, widening * h, gated=False)
    keys.maybe("max_seq_len")
    mixer = full_attention(heads, grouped(heads))
    return assembled(keys, heads, [mixer] * layers, [block] * layers, norms=2 * h, tied=True, final=h)


FAMILIES = {
    **dict.fromkeys(("gptj", "codegen"), gptj),
    "gpt_neo": gpt_neo,
    "gpt_bigcode": gpt_bigcode,
    "mpt": mpt,
}

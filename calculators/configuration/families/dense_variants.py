"""Dense families close to Llama: one attention and one feed-forward block in every layer."""

from calculators.configuration.assembly import assembled, read_kinds, read_layers
from calculators.configuration.attention import full_attention, grouped, of_kind, read_heads
from calculators.configuration.feed_forward import dense
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Block, Heads, Mixer, Stack


def _equal_layers(keys: Keys, heads: Heads, mixer: Mixer, block: Block, *, tied: bool = False, more: int = 0) -> Stack:
    """Stack of equal layers with two norms and `more` parameters in each."""
    h, layers = heads.hidden, read_layers(keys, "num_hidden_layers", "num_layers")
    return assembled(keys, heads, [mixer] * layers, [block] * layers, norms=2 * h + more, tied=tied, final=h)


def arcee(keys: Keys) -> Stack:
    """Llama with plain blocks."""
    heads, bias = read_heads(keys), keys.flag("attention_bias")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    block = dense(heads.hidden, keys.count("intermediate_size"), gated=False, bias=keys.flag("mlp_bias"))
    return _equal_layers(keys, heads, mixer, block)


def apertus(keys: Keys) -> Stack:
    """Plain blocks whose activation has two weights, norms of queries and keys."""
    heads, bias = read_heads(keys), keys.flag("attention_bias")
    keys.always("qk_norm")
    for name in ("mlp_bias", "post_norm"):
        keys.always(name, usual=False)
    activation = keys.text("hidden_act") or "xielu"
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + 2 * heads.head_dim)
    block = dense(heads.hidden, keys.count("intermediate_size"), gated=False)
    return _equal_layers(keys, heads, mixer, block, more=2 if activation == "xielu" else 0)


def hunyuan(keys: Keys) -> Stack:
    """Llama with norms of queries and keys."""
    heads, bias = read_heads(keys, head_dim=_hunyuan_width(keys)), keys.flag("attention_bias")
    hunyuan_switches(keys)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + 2 * heads.head_dim)
    return _equal_layers(keys, heads, mixer, dense(heads.hidden, keys.count("intermediate_size")))


def _hunyuan_width(keys: Keys) -> int | None:
    return keys.maybe("attention_head_dim", least=1)


def hunyuan_switches(keys: Keys) -> None:
    """Switches that Hunyuan's published files have in one position."""
    for name in ("use_qk_norm", "norm_topk_prob"):
        keys.always(name)
    for name in ("use_cla", "mlp_bias", "use_mla", "add_classification_head"):
        keys.always(name, usual=False)
    keys.maybe("cla_share_factor", "org_vocab_size")
    keys.maybe("org_vocab_size")
    keys.text("norm_type")
    for name in (
        "class_num",
        "im_end_id",
        "im_newline_id",
        "im_start_id",
        "image_token_id",
        "mask_init_id",
        "text_end_id",
    ):
        keys.given(name)
    for name in ("text_start_id", "pad_id", "dense_list", "kv_lora_rank", "q_lora_rank", "qk_nope_head_dim"):
        keys.given(name)
    for name in ("qk_rope_head_dim", "v_head_dim", "use_rotary_pos_emb", "routed_scaling_factor", "pool_type"):
        keys.given(name)


def internlm3(keys: Keys) -> Stack:
    """Llama with switches for the biases of queries, keys and values, and of all else."""
    heads = read_heads(keys, head_dim=128, kv_heads=2)
    bias = keys.flag("bias", default=keys.flag("mlp_bias"))
    into = keys.flag("qkv_bias", default=keys.flag("attention_bias", default=bias))
    mixer = full_attention(heads, grouped(heads, query_bias=into, key_bias=into, out_bias=bias))
    return _equal_layers(keys, heads, mixer, dense(heads.hidden, keys.count("intermediate_size"), bias=bias))


def internlm2(keys: Keys) -> Stack:
    """Llama with one switch for all biases of attention."""
    heads, bias = read_heads(keys), keys.flag("bias")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    return _equal_layers(keys, heads, mixer, dense(heads.hidden, keys.count("intermediate_size")))


def exaone(keys: Keys) -> Stack:
    """Llama with other names for its keys."""
    heads = read_heads(keys, kv_heads=8)
    keys.always("attention_bias", usual=False)
    keys.always("mlp_bias", usual=False)
    return _equal_layers(
        keys, heads, full_attention(heads, grouped(heads)), dense(heads.hidden, keys.count("intermediate_size"))
    )


def bitnet(keys: Keys) -> Stack:
    """Llama with a norm before the output of attention and of the block."""
    heads, bias = read_heads(keys, kv_heads=5), keys.flag("attention_bias")
    width = keys.count("intermediate_size")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    return _equal_layers(keys, heads, mixer, dense(heads.hidden, width), more=heads.hidden + width)


def cwm(keys: Keys) -> Stack:
    """Llama with a window in three layers of four, the first with full attention."""
    heads, layers = read_heads(keys, kv_heads=8, head_dim=128), read_layers(keys)
    h = heads.hidden
    window = keys.unless_null("sliding_window", default=8192, least=1)
    kinds = read_kinds(keys, layers, lambda layer: "global" if layer % 4 == 0 else "window")
    if window is None and "window" in kinds:
        keys.wrong("sliding_window", "sliding_window is missing, and layers have one")
    keys.always("mlp_bias", usual=False)
    mixers = [of_kind(full_attention(heads, grouped(heads)), kind, window) for kind in kinds]
    block = dense(h, keys.count("intermediate_size"))
    return assembled(keys, heads, mixers, [block] * layers, norms=2 * h, tied=False, final=h)


FAMILIES = {
    "arcee": arcee,
    "apertus": apertus,
    "hunyuan_v1_dense": hunyuan,
    "internlm2": internlm2,
    "internlm3": internlm3,
    "exaone": exaone,
    "bitnet": bitnet,
    "cwm": cwm,
}

"""More mixtures of experts with grouped attention."""

from collections.abc import Callable
from functools import partial

from calculators.configuration.assembly import assembled, cyclic, read_kinds, read_layers
from calculators.configuration.attention import full_attention, grouped, of_kind, read_heads
from calculators.configuration.families.dense_variants import hunyuan_switches
from calculators.configuration.feed_forward import dense, experts, read_chosen, with_experts
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Block, Heads, Mixer, Stack


def _all_alike(keys: Keys, heads: Heads, mixer: Mixer, block: Block) -> Stack:
    h, layers = heads.hidden, read_layers(keys)
    return assembled(keys, heads, [mixer] * layers, [block] * layers, norms=2 * h, tied=False, final=h)


def dbrx(keys: Keys) -> Stack:
    """Experts in every layer, norms without biases; the widths are in nested objects."""
    h, count = keys.count("d_model", "hidden_size"), keys.count("n_heads", "num_attention_heads")
    if h % count:
        keys.wrong("n_heads", f"n_heads must divide the hidden size, {h}, not be {count}")
    layers = read_layers(keys, "n_layers", "num_hidden_layers")
    attention, feed = keys.nested("attn_config"), keys.nested("ffn_config")
    shared, width = attention.count("kv_n_heads", default=1), max(1, h // count)
    if count % shared:
        attention.wrong("kv_n_heads", f"kv_n_heads must divide {count} heads, not be {shared}")
    for name in ("attn_pdrop", "clip_qkv", "rope_theta"):
        attention.given(name)
    heads = Heads(hidden=h, heads=count, kv_heads=shared, head_dim=width, value_dim=width)
    number = feed.count("moe_num_experts", default=4)
    for name in ("ffn_act_fn", "hidden_size", "moe_jitter_eps", "moe_loss_weight", "moe_normalize_expert_weights"):
        feed.given(name)
    feed.always("uniform_expert_assignment", usual=False)
    for name in ("emb_pdrop", "max_seq_len"):
        keys.given(name)
    chosen = read_chosen(feed, number, "moe_top_k", default=1)
    block = experts(h, feed.count("ffn_hidden_size", default=3584), number, chosen)
    keys.always("tie_word_embeddings", usual=False)
    mixer = full_attention(heads, grouped(heads))
    return assembled(keys, heads, [mixer] * layers, [block] * layers, norms=2 * h, tied=False, final=h)


def _uniform(keys: Keys, name: str, default: int | None) -> int:
    """A number, or a list that says the same of each layer."""
    value = keys.peek(name)
    if not isinstance(value, list):
        return keys.count(name, default=default)
    listed = keys.numbers(name) or [1]
    if len(set(listed)) != 1 or listed[0] < 1:
        keys.wrong(name, f"{name} must be the same in every layer")
    return max(1, listed[0])


def hunyuan_moe(keys: Keys) -> Stack:
    """Experts as wide as their shared block, norms of queries and keys."""
    heads = read_heads(keys, head_dim=keys.maybe("attention_head_dim", least=1))
    h, bias, width = heads.hidden, keys.flag("attention_bias"), keys.count("intermediate_size")
    hunyuan_switches(keys)
    keys.always("use_mixed_mlp_moe")
    keys.maybe("moe_layer_num_skipped")
    for name in ("moe_drop_tokens", "moe_random_routing_dropped_token", "capacity_factor", "group_limited_greedy"):
        keys.given(name)
    if keys.peek("moe_layer_num_skipped"):
        keys.wrong("moe_layer_num_skipped", "moe_layer_num_skipped must be 0 in this family")
    for name, usual in (("moe_intermediate_size", width), ("num_shared_expert", 1)):
        if _uniform(keys, name, usual) != usual:
            keys.wrong(name, f"{name} must be {usual} in every layer")
    count, chosen = _uniform(keys, "num_experts", None), _uniform(keys, "moe_topk", 1)
    if chosen > count:
        keys.wrong("moe_topk", f"moe_topk must be at most the {count} experts, not {chosen}")
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + 2 * heads.head_dim)
    return _all_alike(keys, heads, mixer, experts(h, width, count, chosen, shared=width))


def granitemoeshared(keys: Keys) -> Stack:
    """Experts, and a shared block where it has a width."""
    heads, bias = read_heads(keys), keys.flag("attention_bias")
    count, width = keys.count("num_local_experts"), keys.count("intermediate_size")
    shared = keys.count("shared_intermediate_size", default=0, least=0)
    chosen = read_chosen(keys, count, "num_experts_per_tok")
    block = experts(heads.hidden, width, count, chosen, shared=shared)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    return _all_alike(keys, heads, mixer, block)


def solar_open(keys: Keys) -> Stack:
    """Experts and shared ones in every layer; the router's bias is no weight."""
    heads, bias = read_heads(keys, head_dim=128, kv_heads=8), keys.flag("attention_bias")
    if keys.count("first_k_dense_replace", default=0, least=0):
        keys.wrong("first_k_dense_replace", "first_k_dense_replace must be 0 in this family")
    keys.always("use_qk_norm", usual=False)
    keys.maybe("intermediate_size")
    count, width = keys.count("n_routed_experts", "num_local_experts"), keys.count("moe_intermediate_size")
    shared = keys.count("n_shared_experts", default=1, least=0) * width
    block = experts(heads.hidden, width, count, read_chosen(keys, count, "num_experts_per_tok"), shared=shared)
    return _all_alike(keys, heads, full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias)), block)


def flex_olmo(keys: Keys) -> Stack:
    """Olmo 2's attention and norms over experts."""
    heads, bias = read_heads(keys), keys.flag("attention_bias")
    count, width = keys.count("num_experts"), keys.count("intermediate_size")
    norms = (heads.heads + heads.kv_heads) * heads.head_dim
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + norms)
    chosen = read_chosen(keys, count, "num_experts_per_tok", default=5)
    return _all_alike(keys, heads, mixer, experts(heads.hidden, width, count, chosen))


def exaone_moe(keys: Keys) -> Stack:
    """EXAONE 4's attention over experts, with shared ones, after dense layers."""
    heads, layers, window = read_heads(keys, kv_heads=32), read_layers(keys), keys.maybe("sliding_window", least=1)
    h = heads.hidden
    if isinstance(keys.peek("sliding_window_pattern"), str):
        period = len(keys.text("sliding_window_pattern"))
    else:
        period = keys.count("sliding_window_pattern", default=4, least=0)
    kinds = read_kinds(keys, layers, cyclic(period if window else 0))
    if window is None and "window" in kinds:
        keys.wrong("sliding_window", "sliding_window is missing, and layers have one")
    mixer = full_attention(heads, grouped(heads) + 2 * heads.head_dim)
    count, width = keys.count("num_experts"), keys.count("moe_intermediate_size")
    shared = keys.count("num_shared_experts", default=1, least=0) * width
    block = experts(h, width, count, read_chosen(keys, count, "num_experts_per_tok"), shared=shared)
    keys.maybe("first_last_k_dense_replace")
    first = keys.count("first_k_dense_replace", default=1, least=0)
    named = keys.words("mlp_layer_types", {"dense": "dense", "sparse": "sparse"}, layers)
    flags = keys.peek("is_moe_layer")
    keys.given("is_moe_layer")
    places = [one == "sparse" for one in named or ["dense" if layer < first else "sparse" for layer in range(layers)]]
    if flags is not None and flags != places:
        keys.wrong("is_moe_layer", "is_moe_layer names other layers than first_k_dense_replace or mlp_layer_types")
    blocks = with_experts(layers, block, dense(h, keys.count("intermediate_size")), places)
    mixers = [of_kind(mixer, kind, window) for kind in kinds]
    return assembled(keys, heads, mixers, blocks, norms=2 * h, tied=False, final=h)


def afmoe(keys: Keys) -> Stack:
    """Attention with an output gate, four norms, windows in three of four layers; the router's bias is a weight."""
    heads, layers, bias = read_heads(keys, head_dim=128), read_layers(keys), keys.flag("attention_bias")
    h = heads.hidden
    kinds = read_kinds(keys, layers, cyclic(keys.count("global_attn_every_n_layers", default=4)))
    window = keys.count("sliding_window", default=1024)
    gate = h * heads.heads * heads.head_dim
    mixer = full_attention(
        heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + gate + 2 * heads.head_dim
    )
    count, width = keys.count("num_experts", "num_local_experts"), keys.count("moe_intermediate_size")
    shared = keys.count("num_shared_experts", default=2, least=0) * width
    chosen = read_chosen(keys, count, "num_experts_per_tok", default=6)
    block = experts(h, width, count, chosen, shared=shared, extra=count)
    first = keys.count("num_dense_layers", default=1, least=0)
    for name in ("load_balance_coeff", "route_scale", "score_func"):
        keys.given(name)
    for name in ("mup_enabled", "route_norm", "use_grouped_mm"):
        keys.flag(name)
    for name in ("num_expert_groups", "num_limited_groups"):
        keys.maybe(name)
    blocks = with_experts(
        layers, block, dense(h, keys.count("intermediate_size")), [layer >= first for layer in range(layers)]
    )
    mixers = [of_kind(mixer, kind, window) for kind in kinds]
    return assembled(keys, heads, mixers, blocks, norms=4 * h, tied=False, final=h)


def deepseek_first(keys: Keys) -> Stack:
    """DeepSeekMoE, before latent attention: dense layers first, then experts and shared ones."""
    heads, layers, bias = read_heads(keys), read_layers(keys), keys.flag("attention_bias")
    h, width = heads.hidden, keys.count("moe_intermediate_size", default=1407)
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    plain = dense(h, keys.count("intermediate_size"))
    count = keys.maybe("n_routed_experts", least=1)
    first = keys.count("first_k_dense_replace", default=0, least=0)
    if keys.count("moe_layer_freq", default=1) != 1:
        keys.wrong("moe_layer_freq", f"moe_layer_freq = {keys.peek('moe_layer_freq')} is not known of this family")
    if count is None:
        return assembled(keys, heads, [mixer] * layers, [plain] * layers, norms=2 * h, tied=False, final=h)
    always = keys.maybe("n_shared_experts") or 0
    block = experts(h, width, count, read_chosen(keys, count, "num_experts_per_tok"), shared=always * width)
    blocks = with_experts(layers, block, plain, [layer >= first for layer in range(layers)])
    return assembled(keys, heads, [mixer] * layers, blocks, norms=2 * h, tied=False, final=h)


def bailing(keys: Keys, *, normed: bool) -> Stack:
    """Ling and Ring: dense layers first, then experts and shared ones; `normed`: queries and keys, unless set."""
    heads, layers, bias = read_heads(keys), read_layers(keys), keys.flag("use_qkv_bias")
    h = heads.hidden
    keys.always("use_bias", usual=False)
    norms = 2 * heads.head_dim if keys.flag("use_qk_norm", default=normed) else 0
    mixer = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias) + norms)
    count, width = keys.count("num_experts"), keys.count("moe_intermediate_size")
    shared = keys.count("num_shared_experts", default=1, least=0) * width
    if keys.maybe("moe_shared_expert_intermediate_size") not in {None, width, shared}:
        keys.wrong("moe_shared_expert_intermediate_size", f"moe_shared_expert_intermediate_size must be {width}")
    for name in ("embedding_dropout", "output_dropout", "mtp_loss_scaling_factor", "norm_head", "norm_softmax"):
        keys.given(name)
    for name in ("router_dtype", "score_function", "multi_gate", "use_rmsnorm", "head_norm"):
        keys.given(name)
    keys.flag("moe_router_enable_expert_bias")
    keys.always("use_sliding_window", usual=False)
    keys.maybe("sliding_window", "max_window_layers")
    keys.maybe("max_window_layers")
    block = experts(h, width, count, read_chosen(keys, count, "num_experts_per_tok"), shared=shared)
    first = keys.count("first_k_dense_replace", default=0, least=0)
    blocks = with_experts(
        layers, block, dense(h, keys.count("intermediate_size")), [layer >= first for layer in range(layers)]
    )
    return assembled(keys, heads, [mixer] * layers, blocks, norms=2 * h, tied=False, final=h)


FAMILIES: dict[str, Callable[[Keys], Stack]] = {
    "bailing_moe": partial(bailing, normed=False),
    "bailing_moe_v2": partial(bailing, normed=True),
    "dbrx": dbrx,
    "hunyuan_v1_moe": hunyuan_moe,
    "granitemoeshared": granitemoeshared,
    "solar_open": solar_open,
    "flex_olmo": flex_olmo,
    "exaone_moe": exaone_moe,
    "afmoe": afmoe,
    "deepseek": deepseek_first,
}

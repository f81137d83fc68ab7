"""Families with short convolutions, or delta nets with a gate for each channel, between layers of attention."""

from calculators.configuration.assembly import assembled, read_kinds, read_layers
from calculators.configuration.attention import (
    full_attention,
    grouped,
    latent_mixer,
    latent_projections,
    read_heads,
    read_latent,
)
from calculators.configuration.feed_forward import dense, experts, read_chosen, with_experts
from calculators.configuration.keys import Keys
from calculators.configuration.sequence_states import delta_net, kimi_delta, short_convolution
from calculators.configuration.stack import Block, Heads, Mixer, Stack

_CONVOLVED = {"full_attention": "global", "conv": "state", "short_conv": "state"}
_LINEAR = {"full_attention": "global", "linear_attention": "state"}
_EVERY_FIFTH = 4
_LARGEST_FACTOR = 1000


def _lfm2_mixers(keys: Keys, heads: Heads, kinds: list[str]) -> list[Mixer]:
    convolution = short_convolution(
        heads.hidden, kernel=keys.count("conv_L_cache", default=3), bias=keys.flag("conv_bias")
    )
    attention = full_attention(heads, grouped(heads) + 2 * heads.head_dim)
    return [convolution if kind == "state" else attention for kind in kinds]


def _lfm2_width(keys: Keys) -> int:
    """The width of a block: as given, or 2/3 of it, widened and rounded up."""
    width = keys.count("block_ff_dim", "intermediate_size", default=12288)
    multiple = keys.count("block_multiple_of", default=256)
    widening = keys.peek("block_ffn_dim_multiplier")
    keys.given("block_ffn_dim_multiplier")
    if not keys.flag("block_auto_adjust_ff_dim", default=True):
        return width
    if not _is_factor(widening):
        keys.wrong("block_ffn_dim_multiplier", f"block_ffn_dim_multiplier must be a number above 0, not {widening}")
        return width
    adjusted = int(2 * width / 3)
    if widening is None and "block_ffn_dim_multiplier" in keys:
        return adjusted
    return -(-int((widening if isinstance(widening, int | float) else 1) * adjusted) // multiple) * multiple


def _is_factor(value: object) -> bool:
    """Whether a value is null or a number that can multiply a width."""
    if value is None:
        return True
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 < value < _LARGEST_FACTOR  # type: ignore[operator]


def _tied(keys: Keys) -> bool:
    """Tied tables, as the older or the newer key says."""
    return keys.flag("tie_embedding", default=keys.tied(default=True))


def lfm2(keys: Keys) -> Stack:
    """Short convolutions, and attention in the layers that are listed."""
    heads, layers = read_heads(keys, kv_heads=8), read_layers(keys)
    h = heads.hidden
    at = keys.numbers("full_attn_idxs")
    kinds = read_kinds(keys, layers, lambda layer: "global" if at is None or layer in at else "state", _CONVOLVED)
    for name in (
        "block_dim",
        "block_mlp_init_scale",
        "block_out_init_scale",
        "block_use_swiglu",
        "block_use_xavier_init",
    ):
        keys.given(name)
    for name in ("conv_dim", "conv_dim_out", "num_heads"):
        keys.maybe(name)
    keys.flag("conv_use_xavier_init", "use_pos_enc")
    _same_width(keys, h, "block_dim", "conv_dim", "conv_dim_out")
    block = dense(h, _lfm2_width(keys))
    mixers = _lfm2_mixers(keys, heads, kinds)
    tied = _tied(keys)
    return assembled(keys, heads, mixers, [block] * layers, norms=2 * h, tied=tied, final=h)


def _same_width(keys: Keys, hidden: int, *names: str) -> None:
    """Refuse keys that repeat the hidden size with another value."""
    for name in names:
        if keys.peek(name) not in (None, hidden):
            keys.wrong(name, f"{name} must be the hidden size, {hidden}, not {keys.peek(name)}")


def lfm2_moe(keys: Keys) -> Stack:
    """LFM2 with experts after the first layers; a bias of the router that is no weight."""
    heads, layers = read_heads(keys, kv_heads=8), read_layers(keys)
    h = heads.hidden
    if "layer_types" not in keys:
        keys.wrong("layer_types", "layer_types is missing")
    kinds = read_kinds(keys, layers, lambda _: "global", _CONVOLVED)
    keys.flag("use_expert_bias")
    count, width = keys.count("num_experts", default=32), keys.count("moe_intermediate_size", default=1792)
    block = experts(h, width, count, read_chosen(keys, count, "num_experts_per_tok", default=4))
    first = keys.count("num_dense_layers", default=2, least=0)
    plain = dense(h, keys.count("intermediate_size", default=7168))
    blocks = with_experts(layers, block, plain, [layer >= first for layer in range(layers)])
    mixers = _lfm2_mixers(keys, heads, kinds)
    tied = _tied(keys)
    return assembled(keys, heads, mixers, blocks, norms=2 * h, tied=tied, final=h)


def olmo_hybrid(keys: Keys) -> Stack:
    """Delta nets with a convolution each, and Olmo's attention in every fourth layer."""
    heads, layers = read_heads(keys), read_layers(keys)
    h, bias = heads.hidden, keys.flag("attention_bias")
    kinds = read_kinds(keys, layers, lambda layer: "global" if layer % 4 == 3 else "state", _LINEAR)  # noqa: PLR2004
    key_heads = keys.count("linear_num_key_heads", default=heads.heads)
    key_dim = keys.count("linear_key_head_dim", default=3 * h // (4 * key_heads))
    state = delta_net(
        h,
        key_heads=key_heads,
        key_dim=key_dim,
        value_heads=keys.count("linear_num_value_heads", default=heads.heads),
        value_dim=keys.count("linear_value_head_dim", default=2 * key_dim),
        kernel=keys.count("linear_conv_kernel_dim", default=4),
        single=False,
    )
    for name in ("linear_a_log_max", "linear_a_log_min", "linear_dt_init_floor", "linear_dt_max", "linear_dt_min"):
        keys.given(name)
    keys.flag("linear_allow_neg_eigval", "linear_use_gate")
    norms = (heads.heads + heads.kv_heads) * heads.head_dim
    attention = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias) + norms)
    mixers = [state if kind == "state" else attention for kind in kinds]
    block = dense(h, keys.count("intermediate_size"))
    return assembled(keys, heads, mixers, [block] * layers, norms=2 * h, tied=False, final=h)


def kimi_linear(keys: Keys) -> Stack:
    """Kimi's delta attention in three of four layers, latent attention in the others, experts after dense layers.

    Kimi K3 has output gates of full rank, experts in a latent space, and attention to earlier blocks of layers instead
    of the sum of them: before each mixer, each block and the output a norm and a query, both as wide as the model.
    """
    heads, latent = read_latent(keys, queries=0, plain=128, values=128)
    layers, h = read_layers(keys), heads.hidden
    inside = keys.nested("linear_attn_config")
    kinds = read_kinds(keys, layers, _kimi_kinds(inside, layers), _LINEAR)
    kernel = inside.count("short_conv_kernel_size", default=keys.count("linear_conv_kernel_dim", default=4))
    state = kimi_delta(
        h,
        heads=inside.count("num_heads", default=keys.count("linear_num_heads", default=32)),
        head_dim=inside.count("head_dim", default=keys.count("linear_head_dim", default=128)),
        kernel=kernel,
        single=True,
        full_rank_gate=inside.flag("use_full_rank_gate"),
    )
    inside.given("gate_lower_bound")
    gate = h * heads.heads * latent.values if keys.flag("mla_use_output_gate") else 0
    attention = latent_mixer(latent, latent_projections(heads, latent, bias=keys.flag("attention_bias")) + gate)
    residual = 2 * h if keys.maybe("attn_res_block_size", least=1) else 0
    keys.flag("mla_use_nope", "moe_renormalize")
    keys.flag("use_grouped_topk")
    keys.text("moe_router_activation_func")
    keys.maybe("num_expert_group")
    keys.always("tie_word_embeddings", usual=False)
    mixers = [state if kind == "state" else attention for kind in kinds]
    blocks = _kimi_blocks(keys, h, layers)
    return assembled(keys, heads, mixers, blocks, norms=2 * h + 2 * residual, tied=False, final=h + residual)


def _kimi_kinds(inside: Keys, layers: int):  # type: ignore[no-untyped-def]  # noqa: ANN202
    """Kind of each layer: full attention as listed from 1 on, else every fourth but the first."""
    full, linear = inside.numbers("full_attn_layers"), inside.numbers("kda_layers")
    if full is None and linear is None:
        return lambda layer: "global" if layer and layer % _EVERY_FIFTH == 0 else "state"
    if sorted([*(full or []), *(linear or [])]) != list(range(1, layers + 1)):
        inside.wrong("full_attn_layers", "full_attn_layers and kda_layers must name each layer once")
    return lambda layer: "global" if layer + 1 in (full or []) else "state"


def _kimi_blocks(keys: Keys, hidden: int, layers: int) -> list[Block]:
    count, width = keys.count("num_experts", "n_routed_experts"), keys.count("moe_intermediate_size")
    shared = keys.count("num_shared_experts", "n_shared_experts", default=1, least=0) * width
    chosen = read_chosen(keys, count, "num_experts_per_token", "num_experts_per_tok")
    inner = keys.maybe("routed_expert_hidden_size", least=1)
    normed = keys.flag("latent_moe_use_norm")
    into = 2 * hidden * inner + normed * inner if inner else 0
    block = experts(hidden, width, count, chosen, shared=shared, extra=into, inner=inner)
    first = keys.count("first_k_dense_replace", default=1, least=0)
    if keys.count("moe_layer_freq", default=1) != 1:
        keys.wrong("moe_layer_freq", f"moe_layer_freq = {keys.peek('moe_layer_freq')} is not known of this family")
    named = keys.words("mlp_layer_types", {"dense": "dense", "sparse": "sparse"}, layers)
    places = [one == "sparse" for one in named or ["dense" if layer < first else "sparse" for layer in range(layers)]]
    return with_experts(layers, block, dense(hidden, keys.count("intermediate_size")), places)


FAMILIES = {"lfm2": lfm2, "lfm2_moe": lfm2_moe, "olmo_hybrid": olmo_hybrid, "kimi_linear": kimi_linear}

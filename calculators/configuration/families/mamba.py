"""Mamba families: a state in every layer, alone or parallel to attention, or attention in a few layers."""

from dataclasses import replace

from calculators.configuration.assembly import assembled, read_layers
from calculators.configuration.attention import full_attention, grouped, read_heads
from calculators.configuration.feed_forward import dense
from calculators.configuration.keys import Keys
from calculators.configuration.sequence_states import mamba, mamba2
from calculators.configuration.stack import NO_BLOCK, Heads, Mixer, Stack

_SINGLE = "float32"
_RANKS = 16  # the hidden size over the rank of a step, where that is left to the family


def _without_attention(keys: Keys, heads: int, head_dim: int, mixer: Mixer, *, tied: bool) -> Stack:
    """A stack of states alone: one mixer and one norm in each layer, no block."""
    h, layers = keys.count("hidden_size", "d_model"), read_layers(keys, "num_hidden_layers", "n_layer")
    found = Heads(hidden=h, heads=heads, kv_heads=heads, head_dim=head_dim, value_dim=head_dim)
    return assembled(keys, found, [mixer] * layers, [NO_BLOCK] * layers, norms=h, tied=tied, final=h)


def mamba1(keys: Keys) -> Stack:
    """Mamba, and Falcon Mamba, whose norms of step and state have no weights. Each channel counts as a head."""
    h, auto = keys.count("hidden_size", "d_model"), keys.peek("time_step_rank") == "auto"
    if auto:
        keys.text("time_step_rank")
    inner = keys.count("intermediate_size", default=keys.count("expand", default=2) * h)
    if keys.maybe("d_inner") not in {None, inner}:
        keys.wrong("d_inner", f"d_inner must be {inner}")
    keys.flag("rms_norm")
    rank = -(-h // _RANKS)
    mixer = mamba(
        h,
        inner=inner,
        state=keys.count("state_size", default=16),
        kernel=keys.count("conv_kernel", default=4),
        rank=rank if auto else keys.count("time_step_rank", default=rank),
        conv_bias=keys.flag("use_conv_bias", default=True),
        bias=keys.flag("use_bias"),
        normed=False,
    )
    return _without_attention(keys, inner, 1, mixer, tied=True)


def mamba2_alone(keys: Keys) -> Stack:
    """Mamba-2 in every layer."""
    h, heads = keys.count("hidden_size"), keys.count("num_heads", default=128)
    width = keys.count("head_dim", default=64)
    if keys.count("expand", default=2) * h != heads * width:
        keys.wrong("expand", f"expand × hidden_size must be num_heads × head_dim, {heads * width}")
    mixer = mamba2(
        h,
        heads=heads,
        head_dim=width,
        groups=keys.count("n_groups", default=8),
        state=keys.count("state_size", default=128),
        kernel=keys.count("conv_kernel", default=4),
        conv_bias=keys.flag("use_conv_bias", default=True),
        bias=keys.flag("use_bias"),
        single=False,
    )
    keys.flag("rms_norm")
    return _without_attention(keys, heads, width, mixer, tied=False)


def _mamba_heads(keys: Keys, inner: int) -> tuple[int, int]:
    """Number and width of the state's heads; a width of "auto" shares the channels evenly."""
    heads = keys.count("mamba_n_heads", default=128)
    auto = keys.peek("mamba_d_head") in (None, "auto")
    if auto:
        keys.text("mamba_d_head")
    width = inner // heads if auto else keys.count("mamba_d_head")
    if heads * width != inner:
        keys.wrong("mamba_n_heads", f"mamba_n_heads × their width must be {inner}, not {heads * width}")
    return heads, max(1, width)


def _state(keys: Keys, hidden: int, inner: int, *, normed: bool, out_bias: bool | None) -> Mixer:
    heads, width = _mamba_heads(keys, inner)
    return mamba2(
        hidden,
        heads=heads,
        head_dim=width,
        groups=keys.count("mamba_n_groups", default=1),
        state=keys.count("mamba_d_state", default=256),
        kernel=keys.count("mamba_d_conv", default=4),
        conv_bias=keys.flag("mamba_conv_bias", default=True),
        bias=keys.flag("mamba_proj_bias"),
        single=keys.text("mamba_ssm_dtype") == _SINGLE,
        out_bias=out_bias,
        normed=normed,
    )


def falcon_h1(keys: Keys) -> Stack:
    """Mamba-2 and attention side by side in every layer, then a gated block."""
    heads, layers, bias = read_heads(keys, kv_heads=8), read_layers(keys), keys.flag("attention_bias")
    h, widened = heads.hidden, keys.count("mamba_expand", default=2) * heads.hidden
    inner = keys.unless_null("mamba_d_ssm", default=1024, least=1) or widened
    state = _state(keys, h, inner, normed=keys.flag("mamba_rms_norm"), out_bias=keys.flag("projectors_bias"))
    keys.flag("mamba_norm_before_gate", "mamba_use_mlp")
    keys.words("layers_block_type", {"hybrid": "both"}, layers)
    keys.words("layer_types", {"hybrid": "both"}, layers)
    attention = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    both = replace(
        attention,
        kind="both",
        parameters=attention.parameters + state.parameters,
        state=state.state,
        of_state=state.parameters,
    )
    for name in (
        *("attention_in_multiplier", "attention_out_multiplier", "embedding_multiplier", "key_multiplier"),
        *("lm_head_multiplier", "mlp_multipliers", "ssm_in_multiplier", "ssm_multipliers", "ssm_out_multiplier"),
    ):
        keys.given(name)
    block = dense(h, keys.count("intermediate_size"), bias=keys.flag("mlp_bias"))
    return assembled(keys, heads, [both] * layers, [block] * layers, norms=2 * h, tied=False, final=h)


def bamba(keys: Keys) -> Stack:
    """Mamba-2 in most layers, attention in those that are listed, a gated block in all."""
    heads, layers, bias = read_heads(keys, kv_heads=8), read_layers(keys), keys.flag("attention_bias")
    h = heads.hidden
    out = keys.flag("mamba_proj_bias")
    state = _state(keys, h, keys.count("mamba_expand", default=2) * h, normed=True, out_bias=out)
    at = set(keys.numbers("attn_layer_indices") or [])
    if at - set(range(layers)):
        keys.wrong("attn_layer_indices", f"attn_layer_indices must name layers from 0 to {layers - 1}")
    keys.given("attn_rotary_emb", "z_loss_coefficient")
    attention = full_attention(heads, grouped(heads, query_bias=bias, key_bias=bias, out_bias=bias))
    mixers = [attention if layer in at else state for layer in range(layers)]
    block = dense(h, keys.count("intermediate_size"), bias=keys.flag("mlp_bias"))
    return assembled(keys, heads, mixers, [block] * layers, norms=2 * h, tied=False, final=h)


FAMILIES = {
    **dict.fromkeys(("mamba", "falcon_mamba"), mamba1),
    "mamba2": mamba2_alone,
    "falcon_h1": falcon_h1,
    "bamba": bamba,
}

"""Layers that keep a state per sequence instead of a KV cache: their parameters and the state's size."""

from calculators.configuration.stack import Mixer

_HALF, _SINGLE = 2, 4  # bytes of a value kept in 16 and in 32 bits


def _state(kernel: int, recurrent: int, *, single: bool) -> int:
    return kernel * _HALF + recurrent * (_SINGLE if single else _HALF)


def delta_net(
    hidden: int, *, key_heads: int, key_dim: int, value_heads: int, value_dim: int, kernel: int, single: bool
) -> Mixer:
    """A gated delta net: a convolution, projections of keys, values and gates, and a matrix for each value head."""
    keys, values = key_heads * key_dim, value_heads * value_dim
    convolved = 2 * keys + values
    parameters = (
        convolved * kernel
        + hidden * (2 * keys + 2 * values)
        + hidden * 2 * value_heads
        + 2 * value_heads
        + value_dim
        + values * hidden
    )
    recurrent = value_heads * key_dim * value_dim
    return Mixer(kind="state", parameters=parameters, state=_state(convolved * kernel, recurrent, single=single))


def mamba2(
    hidden: int,
    *,
    heads: int,
    head_dim: int,
    groups: int,
    state: int,
    kernel: int,
    conv_bias: bool,
    bias: bool,
    single: bool,
    out_bias: bool | None = None,
    normed: bool = True,
) -> Mixer:
    """A Mamba-2 layer: `heads` of `head_dim`, `groups` that share the projections of a `state`.

    `out_bias` where the output projection has a switch of its own; `normed`: whether the gate has a norm.
    """
    inner = heads * head_dim
    convolved = inner + 2 * groups * state
    widened = inner + convolved + heads
    parameters = (
        convolved * kernel + conv_bias * convolved + hidden * widened + 3 * heads + normed * inner + inner * hidden
    )
    parameters += bias * widened + (bias if out_bias is None else out_bias) * hidden
    return Mixer(kind="state", parameters=parameters, state=_state(convolved * kernel, inner * state, single=single))


def mamba(
    hidden: int,
    *,
    inner: int,
    state: int,
    kernel: int,
    rank: int,
    conv_bias: bool,
    bias: bool,
    normed: bool,
    single: bool = False,
) -> Mixer:
    """A Mamba layer `inner` wide; `normed`: norms on the step and both projections of the state, as Jamba has them."""
    parameters = (
        hidden * 2 * inner
        + bias * (2 * inner + hidden)
        + inner * kernel
        + conv_bias * inner
        + inner * (rank + 2 * state)
        + rank * inner
        + inner
        + inner * state
        + inner
        + inner * hidden
        + normed * (rank + 2 * state)
    )
    return Mixer(kind="state", parameters=parameters, state=_state(inner * kernel, inner * state, single=single))


def short_convolution(hidden: int, *, kernel: int, bias: bool) -> Mixer:
    """A gated convolution over the last few tokens, as LFM2 has it: into three, out of one."""
    parameters = 4 * hidden * hidden + hidden * kernel + bias * (4 * hidden + hidden)
    return Mixer(kind="state", parameters=parameters, state=_state(hidden * kernel, 0, single=False))


def kimi_delta(
    hidden: int, *, heads: int, head_dim: int, kernel: int, single: bool, full_rank_gate: bool = False
) -> Mixer:
    """Kimi's delta attention: a convolution each for queries, keys and values, and two gates for each channel.

    The forget gate goes through `head_dim` values, and so does the output gate unless it is of full rank; every head
    has a rate of decay.
    """
    inner = heads * head_dim
    low_rank = hidden * head_dim + head_dim * inner
    gates = low_rank + (hidden * inner if full_rank_gate else low_rank) + inner + heads
    parameters = 4 * hidden * inner + 3 * inner * kernel + gates + hidden * heads + head_dim
    return Mixer(kind="state", parameters=parameters, state=_state(3 * inner * kernel, inner * head_dim, single=single))


def lightning(hidden: int, *, heads: int, head_dim: int) -> Mixer:
    """Linear attention with an output gate and a norm, as MiniMax has it."""
    inner = heads * head_dim
    parameters = hidden * 3 * inner + hidden * inner + inner * hidden + inner
    return Mixer(kind="state", parameters=parameters, state=_state(0, heads * head_dim**2, single=False))

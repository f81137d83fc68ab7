"""Layers that keep a state of a sequence instead of its tokens: what they weigh, and how large the state is."""

from calculators.model.configuration.stack import Mixer

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
) -> Mixer:
    """A Mamba-2 layer: `heads` of `head_dim`, `groups` that share the projections of a `state`."""
    inner = heads * head_dim
    convolved = inner + 2 * groups * state
    widened = inner + convolved + heads
    parameters = (
        convolved * kernel + conv_bias * convolved + hidden * widened + 3 * heads + inner + inner * hidden
    ) + bias * (widened + hidden)
    return Mixer(kind="state", parameters=parameters, state=_state(convolved * kernel, inner * state, single=single))


def mamba(
    hidden: int, *, expand: int, state: int, kernel: int, rank: int, conv_bias: bool, bias: bool, normed: bool
) -> Mixer:
    """A Mamba layer as Jamba has it, with norms on the step and both projections of the state."""
    inner = expand * hidden
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
    return Mixer(kind="state", parameters=parameters, state=_state(inner * kernel, inner * state, single=False))


def lightning(hidden: int, *, heads: int, head_dim: int) -> Mixer:
    """Linear attention with an output gate and a norm, as MiniMax has it."""
    inner = heads * head_dim
    parameters = hidden * 3 * inner + hidden * inner + inner * hidden + inner
    return Mixer(kind="state", parameters=parameters, state=_state(0, heads * head_dim**2, single=False))

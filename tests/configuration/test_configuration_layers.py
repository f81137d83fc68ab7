"""Layers of a configuration, counted by hand: what each projection weighs, and what is kept of a sequence."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.configuration.assembly import cyclic
from calculators.configuration.sequence_states import delta_net, lightning, mamba, mamba2


@pytest.mark.parametrize(
    ("period", "kinds"), [(3, "wwgwwg"), (2, "wgwgwg"), (1, "gggggg"), (0, "gggggg"), (6, "wwwwwg"), (7, "wwwwww")]
)
def test_the_last_layer_of_each_period_is_another(period: int, kinds: str) -> None:
    assert "".join(cyclic(period, last="g", others="w")(layer) for layer in range(6)) == kinds


@pytest.mark.parametrize(("single", "of_value"), [(False, 2), (True, 4)])
def test_a_delta_net_is_its_projections_and_a_matrix_for_each_value_head(*, single: bool, of_value: int) -> None:
    found = delta_net(7, key_heads=2, key_dim=3, value_heads=4, value_dim=5, kernel=2, single=single)
    convolution = (2 * 6 + 20) * 2  # queries, keys and values, over two tokens
    projections = 7 * (6 + 6 + 20 + 20) + 7 * (4 + 4) + 20 * 7  # queries, keys, values, gate; two for each head; out
    assert found.parameters == convolution + projections + 4 + 4 + 5  # a step and a decay for each head, one norm
    assert found.state == convolution * 2 + 4 * (3 * 5) * of_value


@pytest.mark.parametrize(("bias", "of_bias"), [(False, 0), (True, 22 + 2)])
@pytest.mark.parametrize(("single", "of_value"), [(False, 2), (True, 4)])
def test_a_mamba_2_layer_is_its_projections_and_a_state_of_each_head(
    *, bias: bool, of_bias: int, single: bool, of_value: int
) -> None:
    shape: dict[str, Any] = {"heads": 2, "head_dim": 3, "groups": 1, "state": 4, "kernel": 5}
    found = mamba2(2, **shape, conv_bias=True, bias=bias, single=single)
    into, out = 2 * (6 + 14 + 2), 6 * 2  # gate; values with both projections of the state; a step for each head
    assert found.parameters == into + (14 * 5 + 14) + 3 * 2 + 6 + out + of_bias
    assert found.state == 14 * 5 * 2 + 2 * 3 * 4 * of_value
    assert found.parameters - mamba2(2, **shape, conv_bias=False, bias=bias, single=single).parameters == 14


@pytest.mark.parametrize(
    ("conv_bias", "bias", "normed", "more"),
    [
        (False, False, False, 0),
        (True, False, False, 6),
        (False, True, False, 12 + 2),
        (False, False, True, 2 + 4 + 4),
    ],
)
def test_a_mamba_layer_is_its_projections_its_steps_and_a_state_of_each_channel(
    *, conv_bias: bool, bias: bool, normed: bool, more: int
) -> None:
    found = mamba(2, inner=6, state=4, kernel=5, rank=2, conv_bias=conv_bias, bias=bias, normed=normed)
    into, convolution, state = 2 * 12, 6 * 5, 6 * (2 + 4 + 4)
    step, decay, skip, out = 2 * 6 + 6, 6 * 4, 6, 6 * 2
    assert found.parameters == into + convolution + state + step + decay + skip + out + more
    assert found.state == (6 * 5 + 6 * 4) * 2


def test_linear_attention_keeps_a_matrix_for_each_head() -> None:
    found = lightning(7, heads=2, head_dim=3)
    assert found.parameters == 7 * 3 * 6 + 7 * 6 + 6 * 7 + 6  # queries, keys, values; gate; out; norm
    assert found.state == 2 * 3 * 3 * 2

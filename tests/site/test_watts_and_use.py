"""From a GPU's watts to the meter's, and from a paid hour to a useful one."""

from __future__ import annotations

import pytest

from calculators.site import use, watts


def test_each_stage_adds_to_the_one_before() -> None:
    server = watts.server_power(node_power=10_000, gpus_per_node=8)
    supported = watts.supported_power(server, support_share=0.2)
    assert (server, supported) == (1250, 1500)
    assert watts.metered_power(supported, pue=1.5) == 2250


def test_an_idle_hour_is_paid_by_the_used_ones() -> None:
    assert use.used_hour_cost(own_per_gpu_hour=3, use=0.25) == 12
    assert use.used_hour_cost(3, use.break_even_use(own_per_gpu_hour=3, price_per_gpu_hour=4)) == 4


def test_what_is_useful_is_a_share_of_a_share_of_a_share() -> None:
    kept = use.kept_share(allocated=0.8, goodput=0.5)
    assert kept == pytest.approx(0.4)
    assert use.useful_share(kept, mfu=0.5) == pytest.approx(0.2)

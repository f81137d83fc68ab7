"""From a GPU's watts to the meter's."""

from __future__ import annotations

from calculators.subjects.facility.power import watts


def test_each_stage_adds_to_the_one_before() -> None:
    server = watts.server_power(node_power=10_000, node_gpus=8)
    supported = watts.supported_power(server, support_share=0.2)
    assert (server, supported) == (1250, 1500)
    assert watts.metered_power(supported, pue=1.5) == 2250

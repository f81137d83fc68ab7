"""Advice on the communication of a step: each piece at its boundary, by hand; nothing where all is good."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.subjects.network.collectives import recommendations as collectives_advice

# A step that waits a twentieth of its time for tensors within one server.
STEP = {
    "message_size": 1e6,
    "half_size": 1e6,
    "exposed_share": 0.05,
    "waiting_share": 0.05,
    "zero_stage": 1,
    "tensor_parallel": 6,
    "gpus_per_domain": 6,
    "expert_domains": 4,
    "nodes_per_token": None,
    "bubble_step_share": 0.09,
    "micro_batches": 8,
    "layers": 96,
    "pipeline_parallel": 4,
    "interleave": 3,
    "tensor_overlap": 0,
    "exposed_time": 1,
    "exposed_tensor_time": 0.9,
    "nic_bandwidth": 25e9,
}
HALF_HIDDEN = ("Overlap half of the tensor-parallel time", {"tensor_overlap": 0.5})
TWICE = ("Double the network bandwidth per GPU", {"nic_bandwidth": 50e9})


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, [HALF_HIDDEN]),
        ({"exposed_share": 0.049}, []),
        ({"exposed_share": 0.049, "waiting_share": 0.1}, [HALF_HIDDEN]),
        # Four half-sizes of a million and a byte, in powers of two.
        (
            {"half_size": 1e6 + 1, "exposed_share": 0},
            [("Send {message_size} per collective", {"message_size": 4_194_304})],
        ),
        ({"zero_stage": 3}, [("Use ZeRO stage 1 instead of 3", {"zero_stage": 1}), HALF_HIDDEN]),
        ({"zero_stage": 2}, [HALF_HIDDEN]),
        # Over more than a domain of six it waits for the network too, and four is the power of two within.
        (
            {"tensor_parallel": 7},
            [("Keep tensor parallelism inside one domain", {"tensor_parallel": 4}), HALF_HIDDEN, TWICE],
        ),
        ({"expert_domains": 5}, [("Limit the router to four domains per token", {"nodes_per_token": 4}), HALF_HIDDEN]),
        ({"expert_domains": 5, "nodes_per_token": 3}, [HALF_HIDDEN]),
        # 96 layers divide into 4 x 6; 92 do not.
        (
            {"bubble_step_share": 0.1},
            [
                ("Double the micro-batches per step", {"micro_batches": 16}),
                ("Double the virtual pipeline stages per GPU", {"interleave": 6}),
                HALF_HIDDEN,
            ],
        ),
        (
            {"bubble_step_share": 0.1, "layers": 92},
            [("Double the micro-batches per step", {"micro_batches": 16}), HALF_HIDDEN],
        ),
        ({"tensor_overlap": 0.5}, []),
        ({"tensor_parallel": 1, "exposed_tensor_time": 0}, [TWICE]),
        # Twice 32 GB/s is more than the 63 that PCIe 5.0 x16 carries to a GPU.
        ({"tensor_parallel": 1, "exposed_tensor_time": 0, "nic_bandwidth": 32e9}, []),
        ({"tensor_parallel": 2, "exposed_tensor_time": 0.89}, [HALF_HIDDEN, TWICE]),
    ],
)
def test_a_step_waits_less_by_what_it_waits_for(changed: dict[str, Any], report: list[Any]) -> None:
    assert list(collectives_advice.recommendations({**STEP, **changed})) == report

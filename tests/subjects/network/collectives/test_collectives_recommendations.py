"""Collectives: what is advised, and only where something waits."""

from __future__ import annotations

from calculators.subjects.network.collectives import recommendations
from tests.subjects.network.collectives.collectives_state import values


def test_a_message_that_is_too_small_is_advised_to_be_four_half_sizes_and_then_is_large_enough() -> None:
    """Of 64 GPUs the half-size is 28 MiB: four are 112 MiB, the next power of two 128."""
    advised = dict(recommendations.recommendations(values(message_size="1 MiB")))
    assert advised["Send {message_size} per collective"] == {"message_size": 128 * 2**20}
    assert values(message_size="128 MiB")["bandwidth_bound"].level == "good"
    assert "Send {message_size} per collective" not in dict(
        recommendations.recommendations(values(message_size="30 MiB"))
    )


def test_advice_is_tried_only_where_something_waits() -> None:
    assert list(recommendations.recommendations(values(tensor_overlap=1, pipeline_parallel=1, data_parallel=128))) == []
    labels = [label for label, _ in recommendations.recommendations(values(zero_stage="3", tensor_parallel=16))]
    assert labels[:2] == ["Use ZeRO stage 1 instead of 3", "Keep tensor parallelism inside one domain"]
    within = dict(recommendations.recommendations(values(tensor_parallel=16)))
    assert within["Keep tensor parallelism inside one domain"] == {"tensor_parallel": 8}
    assert "Use ZeRO stage 1 instead of 3" not in within
    alone = dict(recommendations.recommendations(values(tensor_parallel=1, pipeline_parallel=16)))
    assert "Overlap half of the tensor-parallel time" not in alone


def test_more_micro_batches_are_advised_only_where_the_bubble_is_long() -> None:
    """32 micro-batches over 4 stages: 3/32 of the arithmetic, below a tenth of the step; over 16: 15/32 of it."""
    tried = "Double the micro-batches per step"
    assert tried not in [label for label, _ in recommendations.recommendations(values())]
    assert tried in [label for label, _ in recommendations.recommendations(values(pipeline_parallel=16))]


def test_a_long_bubble_is_advised_to_be_halved_even_where_all_else_is_hidden() -> None:
    """80 layers in 8 stages divide once more, in 16 they do not; all but the exchange of 8 replicas is hidden."""
    sixteen = values(pipeline_parallel=16, tensor_overlap=1, data_parallel=8)
    assert sixteen["exposed_share"] < 0.01
    found = dict(recommendations.recommendations(sixteen))
    assert found["Double the micro-batches per step"] == {"micro_batches": 64}
    assert "Double the virtual pipeline stages per GPU" not in found
    eight = dict(recommendations.recommendations(values(pipeline_parallel=8, micro_batches=16, interleave=5)))
    assert "Double the micro-batches per step" not in eight  # 7 / (16 x 5) of the arithmetic
    eight = dict(recommendations.recommendations(values(pipeline_parallel=4, micro_batches=4, interleave=5)))
    assert eight["Double the virtual pipeline stages per GPU"] == {"interleave": 10}


def test_a_faster_network_is_advised_only_where_the_network_is_what_shows() -> None:
    """All but a fiftieth of what the default exposes is tensor parallelism within a domain, over its links."""
    network = "Double the network bandwidth per GPU"
    assert network not in [label for label, _ in recommendations.recommendations(values())]
    far = values(tensor_parallel=16, nic_bandwidth="25 GB/s")
    assert network in [label for label, _ in recommendations.recommendations(far)]
    slot_full = values(tensor_parallel=16, nic_bandwidth="50 GB/s")  # PCIe 5.0 x16 carries 63 to a GPU
    assert network not in [label for label, _ in recommendations.recommendations(slot_full)]
    assert network in [label for label, _ in recommendations.recommendations(values(nic_bandwidth="5 GB/s"))]

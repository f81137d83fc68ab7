"""Traffic of one step, worked out by hand for a small job."""

from __future__ import annotations

import pytest

from calculators.network import traffic


def test_tensor_parallelism_reduces_four_times_for_each_layer_and_microbatch() -> None:
    assert traffic.all_reduces(layers=8, pipeline_parallel=2, micro_batches=3) == 4 * 4 * 3
    assert traffic.tensor_traffic(message=100, all_reduces=10, tensor_parallel=2) == 1000


def test_one_rank_sends_nothing() -> None:
    assert traffic.tensor_traffic(message=100, all_reduces=10, tensor_parallel=1) == 0
    assert traffic.data_traffic(gpu_parameters=100, gradient_bytes=4, weight_bytes=2, data_parallel=1) == 0


def test_the_fullest_gpu_holds_one_of_the_two_tables() -> None:
    # 100 parameters, two tables of 10: 80 in layers, 20 to each of four stages, and one table: 30 over three ranks.
    held = traffic.gpu_parameters(parameters=100, vocabulary=5, hidden=2, tensor_parallel=3, pipeline_parallel=4)
    assert held == 10


def test_gradients_go_out_and_weights_come_back() -> None:
    assert traffic.data_traffic(gpu_parameters=8, gradient_bytes=4, weight_bytes=2, data_parallel=4) == 36


def test_a_stage_hands_on_forward_and_back_its_share_of_each_message() -> None:
    assert traffic.pipeline_traffic(message=80, hand_overs=traffic.hand_overs(3), tensor_parallel=8) == 60


def test_the_core_costs_what_it_adds() -> None:
    once = traffic.time_on_wire(traffic=90, wire=100, wire_share=0.9)
    assert once == pytest.approx(1)
    assert traffic.core_cost(traffic.time_through_core(once, 7), once, 60) == pytest.approx(0.1)
    assert traffic.rate_reached(100, 0.9) == pytest.approx(90)
    assert traffic.wire_share(bus_bandwidth=90, wire=100) == pytest.approx(0.9)


def test_saves_and_samples_are_shared_by_all() -> None:
    assert traffic.checkpoint_shard(parameters=100, checkpoint_bytes_per_parameter=14, gpus=7) == 200
    read = traffic.samples_read(sequence_length=10, micro_batches=2, data_parallel=3, bytes_per_token=4, gpus=12)
    assert read == 20
    assert traffic.message(sequence_length=3, hidden=5, bytes_per_activation=2) == 30

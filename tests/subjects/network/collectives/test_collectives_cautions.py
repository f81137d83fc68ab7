"""Collectives: every caution speaks and is silent, and layouts that frameworks refuse are refused."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.declare import InputError
from calculators.subjects.network.collectives import verdicts
from tests.subjects.network.collectives.asked_collectives import EXPERTS, cautions, values


def test_only_racks_whose_switches_add_are_said_to_be_slower() -> None:
    rack = {"accelerator": "gb200", "ranks": 72}
    assert [said for said in cautions(**rack) if "rack" in said]
    for silent in ({}, {**rack, "in_network": "none"}, {**rack, "collective": "all_gather"}, {**rack, "ranks": 8}):
        assert not [said for said in cautions(**silent) if "rack" in said]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"tensor_parallel": 16, "data_parallel": 16},
            (
                "Tensor parallelism over 16 ranks leaves the scale-up domain of 8 GPUs: "
                "the network is 7.72 times slower than the links."
            ),
        ),
        (
            {"context_parallel": 2, "data_parallel": 16},
            (
                "Context parallelism leaves the scale-up domain of 8 GPUs: "
                "the network is 7.72 times slower than the links."
            ),
        ),
        (
            {"ranks": 16},
            (
                "Two nodes flatter the network: a tree crosses it once, so that bus bandwidth may reach twice the "
                "cards. Measure with NCCL_ALGO=Ring, or on four nodes."
            ),
        ),
        (
            {},
            "Bus bandwidth of switches that add is a score, no rate on a wire.",
        ),
        (
            {"accelerator": "a100-sxm-80gb"},
            "The scale-up switches of this accelerator do not add: rings and trees are reckoned with.",
        ),
        (
            {"collective": "all_to_all"},
            "Between nodes each GPU's own card decides an all-to-all, 50 GB/s, not the sum of the node's cards.",
        ),
        (
            {"ranks": 20},
            (
                "The group of 20 GPUs leaves a domain of 8 GPUs partly empty: the domain with the fewest sets the "
                "pace, and the figures hold for an even spread."
            ),
        ),
        (
            {"message_size": "16 MiB"},
            ("Below four half-sizes runs took up to twice as long, 398 µs here: rely on the plateau, 384 GB/s."),
        ),
        (
            {"accelerator": "gb200", "ranks": 72, "message_size": "8 GiB"},
            (
                "Where switches add, runs took a fifth longer than this in one rack of 72, and a quarter to over a "
                "half longer over two: up to 20.3 ms."
            ),
        ),
        (
            {"accelerator": "gb200", "ranks": 1440, "message_size": "512 MiB"},
            (
                "Over more than two racks of this kind switches that add were never measured at this speed: twenty "
                "racks ran as a ring in LL128 does, 7.18 ms here."
            ),
        ),
        (
            {"zero_stage": "3"},
            (
                "ZeRO stage 3 gathers weights and scatters gradients for each of 32 micro-batches: 547 GB a step. "
                "Fewer, larger micro-batches send less."
            ),
        ),
        (
            EXPERTS,
            (
                "The experts of a token stand in 3.38 domains on average: a router that may use only four, as "
                "DeepSeek-V3's does, sends fewer copies over the network."
            ),
        ),
        (
            {"gpus": 1000},
            (
                "The layout takes 992 GPUs, not 1,000 GPUs: frameworks refuse to start, "
                "and the results of the layout here are those of the GPUs it takes."
            ),
        ),
        (
            {"model": "gpt-3-175b", "sequence_length": 8192},
            (
                "The model is made for 2,048 tokens at most, not for 8,192 tokens: "
                "right only if its positions are being stretched."
            ),
        ),
        (
            {"pipeline_parallel": 1, "interleave": 4},
            ("Interleaving needs at least two pipeline stages: Megatron Core refuses it with one."),
        ),
        (
            {"micro_batches": 30, "interleave": 5, "pipeline_parallel": 4},
            (
                "Megatron Core interleaves micro-batches in groups of the pipeline size, unless another group size is "
                "set, and refuses a remainder: 30 micro-batches on 4 ranks."
            ),
        ),
        (
            {"micro_batches": 2},
            (
                "Fewer micro-batches per step (2 micro-batches) than pipeline stages (4 ranks): at least one stage is "
                "idle at any moment."
            ),
        ),
    ],
)
def test_a_caution_speaks(given: dict[str, Any], sentence: str) -> None:
    assert sentence in cautions(**given)


def test_cautions_keep_silent_where_there_is_nothing_to_mind() -> None:
    assert cautions(in_network="none", message_size="16 GiB") == []
    assert cautions(accelerator="a100-sxm-80gb", in_network="none", message_size="16 GiB") == []
    assert cautions(**EXPERTS, nodes_per_token=4, in_network="none", message_size="16 GiB") == []
    assert cautions(collective="all_to_all", ranks=8, message_size="16 GiB") == []
    within = {"tensor_parallel": 4, "context_parallel": 2, "data_parallel": 16}
    assert not [said for said in cautions(**within) if said.startswith("Context parallelism")]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"expert_parallel": 2}, "Expert parallel must not exceed 1 expert"),
        ({"model": "mixtral-8x7b", "expert_parallel": 3}, "The 8 experts must divide evenly"),
        (
            {"model": "mixtral-8x7b", "expert_parallel": 8, "tensor_parallel": 2, "data_parallel": 2},
            "Expert parallel must divide tensor parallel times data parallel times context parallel",
        ),
        ({"tensor_parallel": 3}, "8 heads of keys and values cannot be shared evenly by 3 ranks"),
        ({"context_parallel": 8192}, "8,192 tokens cannot be split over 8,192 ranks"),
    ],
)
def test_a_layout_that_frameworks_refuse_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        values(**given)


def test_layouts_at_the_edge_of_what_frameworks_take_are_taken() -> None:
    for given in ({"tensor_parallel": 16}, {"tensor_parallel": 4}, {"context_parallel": 4096}):
        values(**given)
    values(model="mixtral-8x7b", expert_parallel=8)
    values(model="mixtral-8x7b", expert_parallel=8, tensor_parallel=2, data_parallel=4)


def test_two_racks_were_measured_and_more_were_not() -> None:
    said = [verdicts.racks_are_slower.function(72, 72 * racks, racks, "nvls", "all_reduce") for racks in (2, 3)]
    assert said[0].startswith("Where switches add")
    assert said[1].startswith("Over more than two racks")


def test_a_router_may_use_four_nodes_and_a_layout_that_deals_over_five_is_told_of_it() -> None:
    assert [bool(verdicts.experts_everywhere.function(8, None, domains)) for domains in (4, 5)] == [
        False,
        True,
    ]

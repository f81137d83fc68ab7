"""Collectives: warnings speak and is silent, and layouts that frameworks refuse are refused."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.declare import InputError
from calculators.subjects.network.collectives import warnings
from tests.subjects.network.collectives.collectives_state import EXPERTS, values, warned


def test_only_racks_whose_switches_add_are_reported_as_slower() -> None:
    rack = {"accelerator": "gb200", "ranks": 72}
    for silent in ({}, {**rack, "in_network": "none"}, {**rack, "ranks": 8}):
        assert not [text for text in warned(**silent) if "rack" in text]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"gpus": 1000},
            (
                "The layout takes 992 GPUs, not 1,000 GPUs: frameworks refuse to start, "
                "and the results of the layout here are those of the GPUs it takes."
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
def test_a_warning_speaks(given: dict[str, Any], sentence: str) -> None:
    assert sentence in warned(**given)


def test_warnings_keep_silent_where_there_is_nothing_to_mind() -> None:
    assert warned(in_network="none", message_size="16 GiB") == []
    assert warned(accelerator="a100-sxm-80gb", in_network="none", message_size="16 GiB") == []
    assert warned(**EXPERTS, nodes_per_token=4, in_network="none", message_size="16 GiB") == []
    assert warned(collective="all_to_all", ranks=8, message_size="16 GiB") == []
    within = {"tensor_parallel": 4, "context_parallel": 2, "data_parallel": 16}
    assert not [text for text in warned(**within) if text.startswith("Context parallelism")]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"expert_parallel": 2}, "Expert parallel must be at most 1 expert"),
        ({"model": "mixtral-8x7b", "expert_parallel": 3}, "The 8 experts must divide evenly"),
        ({"context_parallel": 8192}, "8,192 tokens cannot be split over 8,192 ranks"),
    ],
)
def test_a_layout_that_frameworks_refuse_is_refused(given: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        values(**given)


def test_layouts_at_the_edge_of_what_frameworks_take_are_taken() -> None:
    for given in ({"tensor_parallel": 4}, {"context_parallel": 4096}):
        values(**given)
    values(model="mixtral-8x7b", expert_parallel=8)


def test_two_racks_were_measured_and_more_were_not() -> None:
    texts = [warnings.racks_are_slower.function(72, 72 * racks, racks, "nvls", "all_reduce") for racks in (2, 3)]
    assert texts[0].startswith("With NVLS")
    assert texts[1].startswith("NVLS over more than two racks")


def test_a_router_may_use_four_nodes_and_a_layout_over_five_is_warned_of() -> None:
    assert [bool(warnings.routing_not_limited.function(8, None, domains)) for domains in (4, 5)] == [
        False,
        True,
    ]

"""Advice on halls, networks, memory and money: each piece at its boundary, by hand; nothing where all is good."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from calculators.subjects.facility.power import recommendations as power_advice
from calculators.subjects.money.cost import recommendations as cost_advice
from calculators.subjects.network.collectives import recommendations as collectives_advice
from calculators.subjects.network.fabric import recommendations as fabric_advice
from calculators.subjects.training.training_memory import recommendations as memory_advice
from calculators.units import YEAR

GOOD, TIGHT, BAD = (SimpleNamespace(level=level) for level in ("good", "tight", "bad"))

# A rack of 50 kW in a hall that takes all: of 100 GPUs none is too many.
HALL = {
    "hall_fits": BAD,
    "gpus_that_fit": 100,
    "gpus": 100,
    "node_power": 11_000,
    "rack_power": 55_000,
    "cooling_limit": 55_000,
    "rack_limit": 55_000,
    "cooling_used": 1,
    "rack_limit_used": 1,
    "hall_power_used": 1,
    "hall_power": 1e6,
    "facility_power": 1e6,
    "compute_power": 0.8e6,
    "gpus_power": 0.5e6,
    "gpu_power": 1000,
    "hall_racks_used": 1,
    "racks": 9,
    "support_racks": 2,
}
LIQUID, IMMERSION = (
    ("Cool with direct liquid", {"cooling": "direct_liquid"}),
    ("Cool with immersion", {"cooling": "immersion"}),
)


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, []),
        ({"hall_fits": TIGHT, "gpus_that_fit": 99}, []),
        ({"gpus_that_fit": 99}, [("Install {gpus} only", {"gpus": 99})]),
        ({"gpus_that_fit": 1}, [("Install {gpus} only", {"gpus": 1})]),
        ({"gpus_that_fit": 0}, []),
        # Of 30 kW two nodes of 11 kW take 22; rear doors carry 55 kW, as much as the rack draws.
        (
            {"cooling_used": 1.1, "cooling_limit": 30_000},
            [
                ("Put {nodes_per_rack} in each rack", {"nodes_per_rack": 2}),
                ("Cool with rear doors", {"cooling": "rear_door"}),
                LIQUID,
                IMMERSION,
            ],
        ),
        ({"cooling_used": 1.1, "cooling_limit": 10_999, "rack_power": 55_001}, [LIQUID, IMMERSION]),
        (
            {"cooling_used": 1.1, "cooling_limit": 11_000, "rack_power": 140_001},
            [("Put {nodes_per_rack} in each rack", {"nodes_per_rack": 1}), IMMERSION],
        ),
        (
            {"rack_limit_used": 1.1, "rack_limit": 35_000},
            [
                ("Put {nodes_per_rack} in each rack", {"nodes_per_rack": 3}),
                ("Feed each rack {rack_limit}", {"rack_limit": 55_000}),
            ],
        ),
        # Of 100 kW too much 80 are the servers', to be saved by 500 kW of GPUs: 420 kW, 840 W each.
        (
            {"hall_power_used": 1.1, "hall_power": 0.9e6},
            [("Cap each GPU at {gpu_power}", {"gpu_power": 840}), ("Supply {hall_power}", {"hall_power": 1e6})],
        ),
        # Of 187.5 kW 150: 700 W, which are seven tenths; of more a cap is none.
        (
            {"hall_power_used": 1.1, "hall_power": 812_500},
            [("Cap each GPU at {gpu_power}", {"gpu_power": 700}), ("Supply {hall_power}", {"hall_power": 1e6})],
        ),
        ({"hall_power_used": 1.1, "hall_power": 812_000}, [("Supply {hall_power}", {"hall_power": 1e6})]),
        (
            {"hall_power_used": 1.1, "hall_power": 0.9e6, "gpus_power": 0},
            [("Supply {hall_power}", {"hall_power": 1e6})],
        ),
        ({"hall_racks_used": 1.1}, [("Provide {hall_racks} of rack space", {"hall_racks": 11})]),
    ],
)
def test_a_hall_is_fixed_by_what_it_lacks(changed: dict[str, Any], report: list[Any]) -> None:
    assert list(power_advice.recommendations({**HALL, **changed})) == report


# Two tiers of switches with 64 ports, eight rails on leaves of 32 nodes: all good but one verdict.
FABRIC = {
    "fits_tiers": TIGHT,
    "non_blocking": GOOD,
    "topology": "fat_tree",
    "plane_tiers": 3,
    "worst_oversubscription": 1,
    "oversubscription": 1,
    "core_oversubscription": 1,
    "plane_endpoints": 2100,
    "leaf_down": 32,
    "spine_radix": 64,
    "plane_rails": 7,
    "rail_optimized": True,
    "gpus_per_node": 8,
    "gpus": 2561,
    "switch_radix": 4096,
    "planes": 1,
    "rails": 1,
}
WIDER = {"switch_radix": 100, "planes": 2}


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, []),
        ({"fits_tiers": GOOD, "rails": 7}, []),
        ({"fits_tiers": GOOD, "non_blocking": BAD, "rails": 7, "plane_tiers": 2}, []),
        ({"topology": "dragonfly"}, [("Build a fat tree", {"topology": "fat_tree"})]),
        # 2,048 ports on leaves of 32 are 64 leaves; 2,049 are 65.
        ({"plane_endpoints": 2048}, [("Let rails share leaves", {"rail_optimized": False})]),
        ({"plane_endpoints": 1024}, [("Let rails share leaves", {"rail_optimized": False})]),
        ({"plane_endpoints": 2049}, []),
        ({"plane_endpoints": 2048, "rail_optimized": False}, []),
        # Nine nodes' worth of seven rails on 64 ports: 288 nodes, 2,304 GPUs, nine tenths of 2,560.
        ({"gpus": 2560}, [("Stay at {gpus}", {"gpus": 2304})]),
        ({"switch_radix": 2048, "planes": 2}, [("Use switches with {switch_radix}", {"switch_radix": 4096})]),
        ({"switch_radix": 2049, "planes": 2}, []),
        (
            {"switch_radix": 100},
            [
                ("Use switches with {switch_radix}", {"switch_radix": 200}),
                (
                    "Split NICs over two planes of switches with {switch_radix}",
                    {"planes": 2, "plane_kind": "lanes", "switch_radix": 200},
                ),
            ],
        ),
        ({"rails": 7}, [("Give each rail its own plane", {"planes": 7, "plane_kind": "rails"})]),
        ({"rails": 7, "planes": 7}, []),
        ({"worst_oversubscription": 1.1}, []),
        (
            {"worst_oversubscription": 3, "oversubscription": 3, "plane_tiers": 2},
            [("Build it 1:1", {"oversubscription": 1})],
        ),
        (
            {"worst_oversubscription": 6, "oversubscription": 3, "core_oversubscription": 2, "plane_tiers": 2},
            [("Build it 1:1", {"oversubscription": 1, "core_oversubscription": 1})],
        ),
        ({"oversubscription": 3}, []),
        (
            {"topology": "dragonfly", "worst_oversubscription": 3, "oversubscription": 3},
            [("Build a fat tree", {"topology": "fat_tree"})],
        ),
    ],
)
def test_a_fabric_is_fixed_by_fewer_tiers_or_more_links(changed: dict[str, Any], report: list[Any]) -> None:
    assert list(fabric_advice.recommendations({**FABRIC, **changed})) == report


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


# Owning costs 1,100 a year where renting costs 1,000, and is used half of the time; five years at no interest.
OWNED = {
    "own_or_rent": GOOD,
    "own_per_year": 1100,
    "rent_per_year": 1000,
    "utilization": 0.5,
    "break_even_utilization": 0.553,
    "book_years": 5 * YEAR,
    "capital_rate": 0,
    "capital": 4000,
    "residual": 0,
    "capital_cost": 800,
    "annuity": 0.2,
    "rent_trend": 0,
    "rent_support": 0,
    "price_per_gpu_hour": 2,
    "mean_rent": 2,
    "gpus": 1,
    "commitment": 0,
    "server_price_per_gpu": 4000,
    "operations": 0.05,
}
USE = ("Raise utilization to {utilization}", {"utilization": 0.56})
KEEP = ("Depreciate over {book_years}", {"book_years": 6 * YEAR})
# 100 dollars a year too dear, a quarter of which each dollar of the price adds: 400 less.
BUY = ("Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": 3600})


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        # Over six years 4,000 are 667 a year, 133 less than over five.
        ({}, [USE, KEEP, BUY]),
        ({"own_or_rent": TIGHT}, []),
        ({"own_per_year": 1000}, []),
        ({"utilization": 0.553}, [KEEP, BUY]),
        ({"break_even_utilization": 1.01}, [KEEP, BUY]),
        ({"break_even_utilization": 1}, [("Raise utilization to {utilization}", {"utilization": 1}), KEEP, BUY]),
        ({"own_per_year": 1134}, [USE, ("Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": 3400})]),
        # 500 too dear: half of the price is proposed, less is not.
        ({"own_per_year": 1500}, [USE, ("Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": 2000})]),
        ({"own_per_year": 1501}, [USE]),
        (
            {"book_years": 6 * YEAR, "annuity": 1 / 6},
            [USE, ("Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": 3500})],
        ),
        ({"gpus": 2}, [USE, KEEP, ("Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": 3800})]),
    ],
)
def test_owning_pays_by_use_by_years_and_by_price(changed: dict[str, Any], report: list[Any]) -> None:
    found = list(cost_advice.recommendations({**OWNED, **changed}))
    assert [label for label, _ in found] == [label for label, _ in report]
    for (_, changes), (_, expected) in zip(found, report, strict=True):
        assert changes == pytest.approx(expected)


def test_rents_that_fall_are_counted_over_the_longer_years() -> None:
    """At a tenth less each year the mean of six years is below that of five: 133 saved, over 1,000 $ lost in rent."""
    falling = {"rent_trend": -0.1, "mean_rent": 1.62, "utilization": 1, "break_even_utilization": 2}
    labels = [label for label, _ in cost_advice.recommendations({**OWNED, **falling})]
    assert labels == [BUY[0]]
    committed = {"rent_trend": -0.1, "mean_rent": 1.62, "utilization": 0, "commitment": 1, "break_even_utilization": 2}
    assert [label for label, _ in cost_advice.recommendations({**OWNED, **committed})] == [BUY[0]]
    unused = {"rent_trend": -0.1, "mean_rent": 1.62, "utilization": 0, "break_even_utilization": 2}
    assert [label for label, _ in cost_advice.recommendations({**OWNED, **unused})] == [KEEP[0], BUY[0]]


# Everything that is nearly free is done already; nothing is left to widen.
MEMORY = {
    "gpus": 120,
    "layout_gpus": 120,
    "headroom": -1,
    "flash_attention": True,
    "sequence_parallel": True,
    "tensor_parallel": 8,
    "recompute": "full",
    "zero_stage": 3,
    "micro_batch": 1,
    "experts": 1,
    "expert_tensor_parallel": 1,
    "expert_parallel": 1,
    "data_parallel": 5,
    "pipeline_parallel": 3,
    "context_parallel": 1,
    "optimizer_offload": 1,
}
STAGES = [f"{times} the pipeline stages" for times in ("Twice", "Four times", "Eight times", "Sixteen times")]
RANKS = [f"{times} the data-parallel ranks" for times in ("Twice", "Four times", "Eight times", "Sixteen times")]


def tried(**changed: Any) -> dict[str, Any]:
    """What is proposed next to more GPUs, by how it begins."""
    report = memory_advice.recommendations({**MEMORY, **changed})
    return {label: changes for label, changes in report if not label.startswith((*STAGES, *RANKS)) or "same" in label}


def test_memory_that_suffices_is_left_alone() -> None:
    assert list(memory_advice.recommendations({**MEMORY, "headroom": 0})) == []


def test_more_gpus_are_up_to_sixteen_times_as_many_and_ten_thousand_of_a_kind() -> None:
    report = list(memory_advice.recommendations(MEMORY))
    assert [label.partition(",")[0] for label, _ in report] == STAGES + RANKS
    assert [changes for _, changes in report] == [
        *({"pipeline_parallel": 3 * times} for times in (2, 4, 8, 16)),
        *({"data_parallel": 5 * times} for times in (2, 4, 8, 16)),
    ]
    many = [label.partition(",")[0] for label, _ in memory_advice.recommendations({**MEMORY, "data_parallel": 2501})]
    assert many == [*STAGES, RANKS[0]]
    most = [label.partition(",")[0] for label, _ in memory_advice.recommendations({**MEMORY, "pipeline_parallel": 625})]
    assert most == STAGES + RANKS
    over = [label.partition(",")[0] for label, _ in memory_advice.recommendations({**MEMORY, "pipeline_parallel": 626})]
    assert over == STAGES[:3] + RANKS


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, {}),
        ({"flash_attention": False}, {"Use flash attention": {"flash_attention": True}}),
        ({"sequence_parallel": False}, {"Turn on sequence parallelism": {"sequence_parallel": True}}),
        ({"sequence_parallel": False, "tensor_parallel": 1}, {}),
        ({"zero_stage": 2}, {"Shard the weights too (ZeRO stage 3)": {"zero_stage": 3}}),
        (
            {"micro_batch": 5},
            {"Halve the micro-batch": {"micro_batch": 2}, "Micro-batches of one sequence": {"micro_batch": 1}},
        ),
        ({"micro_batch": 2}, {"Halve the micro-batch": {"micro_batch": 1}}),
        (
            {"experts": 8, "expert_tensor_parallel": 3, "expert_parallel": 700},
            {
                "Whole experts, over as many ranks": {"expert_tensor_parallel": 1, "expert_parallel": 2100},
                "Twice the expert-parallel ranks": {"expert_parallel": 1400},
                "Four times the expert-parallel ranks": {"expert_parallel": 2800},
                "Eight times the expert-parallel ranks": {"expert_parallel": 5600},
            },
        ),
        (
            {"experts": 8},
            {
                f"{times} the expert-parallel ranks": {"expert_parallel": factor}
                for times, factor in (("Twice", 2), ("Four times", 4), ("Eight times", 8), ("Sixteen times", 16))
            },
        ),
        # Six data-parallel ranks may be halved, not quartered; sixteen tensor-parallel ones leave the server.
        (
            {"data_parallel": 6},
            {
                "Twice the pipeline stages, on the same GPUs": {"pipeline_parallel": 6, "data_parallel": 3},
                "Twice the context-parallel ranks, on the same GPUs": {"context_parallel": 2, "data_parallel": 3},
            },
        ),
        (
            {"data_parallel": 6, "tensor_parallel": 4},
            {
                "Twice the tensor-parallel ranks, on the same GPUs": {"tensor_parallel": 8, "data_parallel": 3},
                "Twice the pipeline stages, on the same GPUs": {"pipeline_parallel": 6, "data_parallel": 3},
                "Twice the context-parallel ranks, on the same GPUs": {"context_parallel": 2, "data_parallel": 3},
            },
        ),
    ],
)
def test_a_model_is_made_to_fit_by_what_is_not_yet_done(changed: dict[str, Any], report: dict[str, Any]) -> None:
    assert tried(**changed) == report

"""Collectives: the defaults, verdicts at their boundaries, bus factors, wires, and the step of training."""

from __future__ import annotations

import statistics
from typing import Any

import pytest

from builder.pages import cases
from calculators import facts
from calculators.answers import answer
from calculators.catalog import joined
from calculators.subjects.network.collectives import algorithms, bandwidth
from calculators.subjects.network.collectives import time as collectives_time
from calculators.subjects.network.collectives.calculator import CALCULATOR
from tests.subjects.network.collectives.collectives_state import EXPERTS, text, values


def test_the_default_collective_and_step() -> None:
    found = values()
    assert found["collective_time"] == pytest.approx(1.526656e-3)
    assert found["nccl_algorithm"].word == "NVLS tree"
    assert found["half_size"] / 1e6 == pytest.approx(29.335, abs=0.001)
    assert found["step_time"] == pytest.approx(8.632507)
    assert found["exposed_share"] == pytest.approx(0.192238, abs=1e-6)


@pytest.mark.parametrize(
    ("size", "ranks", "seconds", "printed"),
    [
        (17179869184, 16, 66132e-6, 487.09),
        (2147483648, 16, 9197.5e-6, 437.79),
        (17179869184, 128, 92173e-6, 369.86),
        (1048576, 8, 28.56e-6, 64.24),
        (8589934592, 72, 20299e-6, 834.57),
        (17179869184, 144, 42067e-6, 810.41),
    ],
)
def test_bus_bandwidth_is_what_nccl_tests_prints_for_a_size_and_a_time(
    size: float, ranks: float, seconds: float, printed: float
) -> None:
    """AWS's and CoreWeave's logs: size, time and bus bandwidth of one row each."""
    algorithm = algorithms.algorithm_bandwidth(size, seconds)
    bus = algorithms.bus_bandwidth(algorithm, bandwidth.bus_factor("all_reduce", ranks))
    assert bus / 1e9 == pytest.approx(printed, rel=1e-3)


def test_nccl_chooses_a_ring_in_ll_below_two_mebibytes_on_eight_h100_and_nvls_from_there() -> None:
    """Two published logs show the change: AWS's and nccl-tests' own."""
    words = {size: values(ranks=8, message_size=size)["nccl_algorithm"].word for size in ("1 MiB", "4 MiB", "1 GiB")}
    assert words == {"1 MiB": "ring (LL)", "4 MiB": "NVLS", "1 GiB": "NVLS"}


def test_only_rings_run_what_is_no_all_reduce_and_all_to_all_goes_directly() -> None:
    assert values(collective="all_gather", ranks=8, message_size="16 GiB")["nccl_algorithm"].word == "ring (Simple)"
    assert values(collective="broadcast", ranks=8, message_size="16 GiB")["nccl_algorithm"].word == "ring (Simple)"
    assert values(collective="all_to_all")["nccl_algorithm"].word == "point-to-point"


def test_an_all_to_all_takes_a_launch_and_a_hop_however_small_it_is() -> None:
    """Eight H20 took 10.6 us for 128 bytes (deepseek-ai/DeepEP, issue 303)."""
    found = values(collective="all_to_all", ranks=8, message_size="128 B")
    assert found["collective_time"] == pytest.approx(7.2e-6, rel=1e-3)
    assert found["collective_latency"] == found["plateau_latency"] == pytest.approx(7.2e-6)
    assert found["collective_time"] <= 10.59e-6 <= found["collective_time_at_most"]
    assert found["bandwidth_bound"].level == "bad"
    apart = values(collective="all_to_all", ranks=2, gpus_per_domain=1, message_size="128 B")
    assert apart["collective_time"] > values(collective="all_to_all", ranks=2, message_size="128 B")["collective_time"]


def test_what_a_plugin_reports_delays_direct_messages_between_domains_alone() -> None:
    times = {
        (ranks, delay): values(collective="all_to_all", ranks=ranks, nic_latency=delay)["collective_latency"]
        for ranks in (8, 16)
        for delay in (0, 75e-6)
    }
    assert times[16, 75e-6] - times[16, 0] == pytest.approx(75e-6)
    assert times[8, 75e-6] == times[8, 0]


def test_switches_of_the_network_halve_what_cards_send() -> None:
    assert values(in_network="nvls_and_sharp")["nccl_algorithm"].word == "NVLS + SHARP"


def test_a_gibibyte_over_1024_gpus_is_not_given_to_one_card() -> None:
    """5.9 ms as an NVLS tree and 19.3 ms as a ring in Simple; tools that use one card of eight print 22 to 430 ms."""
    found = values(ranks=1024, message_size="1 GiB")
    assert (found["collective_time"] * 1e3, found["ring_simple_time"] * 1e3) == (
        pytest.approx(5.9, abs=0.05),
        pytest.approx(19.3, abs=0.05),
    )


@pytest.mark.parametrize(
    ("given", "level", "word"),
    [
        ({"tensor_overlap": 1, "micro_batches": 32}, "good", "communication overlapped"),
        ({}, "tight", "communication partly exposed"),
        ({"link_bandwidth": "600 GB/s"}, "bad", "communication exposed"),
    ],
)
def test_communication_is_hidden_below_a_twentieth_and_exposed_above_a_fifth(
    given: dict[str, Any], level: str, word: str
) -> None:
    assert text("communication_overlapped", **given)[:2] == (level, word)


@pytest.mark.parametrize(
    ("size", "level", "word"),
    [
        ("29 MB", "bad", "latency-bound"),
        ("30 MB", "tight", "between latency and bandwidth"),
        ("117 MB", "tight", "between latency and bandwidth"),
        ("118 MB", "good", "bandwidth-bound"),
    ],
)
def test_a_message_is_big_enough_from_four_half_sizes(size: str, level: str, word: str) -> None:
    """The half-size of the default group is 29.34 MB."""
    assert text("bandwidth_bound", message_size=size)[:2] == (level, word)


@pytest.mark.parametrize(
    ("measured", "level", "word"),
    [
        ("306 GB/s", "bad", "too slow"),
        ("308 GB/s", "good", "as expected"),
        ("479 GB/s", "good", "as expected"),
        ("481 GB/s", "tight", "faster than modeled"),
    ],
)
def test_a_measurement_is_normal_from_four_fifths_of_the_plateau(measured: str, level: str, word: str) -> None:
    """Of 384 GB/s, 80% are 307.2."""
    assert text("measurement_as_expected", measured_bus_bandwidth=measured)[:2] == (level, word)
    assert text("measurement_as_expected")[:2] == ("good", "not measured")


def test_rings_between_domains_are_slower_to_start_from_a_kibibyte_for_each_rank() -> None:
    """64 B for each of 16 channels and each of 16 ranks are 16 KiB: NCCL counts 1.4 times the latency from there."""

    def latency(size: float, domains: float = 2, collective: Any = "all_reduce") -> float:
        return float(collectives_time.ring_simple_latency(collective, size, 16, domains, 1e-6, 1e-6))

    full = 16 * 2**10
    assert latency(full) == pytest.approx(1.4 * latency(full - 1))
    assert latency(full, domains=1) == latency(full - 1, domains=1)
    assert latency(full, collective="all_gather") == latency(full - 1, collective="all_gather")


def test_a_tie_between_algorithms_is_reported() -> None:
    level, _, reason = text("nccl_algorithm", ranks=4, message_size="16 GiB")
    assert level == "tight"
    assert reason.startswith("Near tie with ")
    assert text("nccl_algorithm")[2] == "Next fastest: tree (LL128), 1.76 ms."


def test_layers_given_without_a_size_are_counted() -> None:
    """32 layers of 2 × 4096 × (4096 + 1024) for attention and 3 × 4096 × 14336 behind it: 7.0B; of Llama 3 70B half."""
    found = values(layers=32, hidden=4096, ffn_hidden=14336)
    assert found["parameters"] == found["active_parameters"] == pytest.approx(32 * (41943040 + 176160768))
    assert values(model="llama-3-70b", layers=40)["parameters"] == pytest.approx(68.45e9 / 2, rel=1e-3)
    assert values(layers=32, parameters="8B")["active_parameters"] == 8e9
    assert values(model="mixtral-8x7b", sequence_length=4096)["active_parameters"] == pytest.approx(12.88e9, rel=1e-3)


def sheet(name: str, **given: Any) -> list[list[str]]:
    """The rows of a sheet, as they are printed."""
    found = values(**given)
    rows = next(one for one in CALCULATOR.tables if one.name == name).rows(found)
    return [[answer.filled(CALCULATOR, cell, found) for cell in row] for row in rows]


def traffic(**given: Any) -> dict[str, tuple[str, str]]:
    """What each way of splitting sends, and over which wire, as the sheet says."""
    return {row[0]: (row[1], row[2]) for row in sheet("traffic", **given)}


def test_what_reaches_beyond_a_domain_of_8_gpus_goes_over_the_network() -> None:
    """Ranks are laid out tensor first, then context, experts, stages and replicas: 4 x 2 stay inside, 4 x 4 do not."""
    wires = [wire for _, wire in traffic(tensor_parallel=4, context_parallel=2).values()]
    assert wires == ["links", "links", "links", "network", "network"]
    assert traffic(tensor_parallel=4, context_parallel=4)["Context"][1] == "network"
    assert traffic(tensor_parallel=16)["Tensor"][1] == "network"
    inside = traffic(tensor_parallel=2, pipeline_parallel=4, data_parallel=1)
    assert (inside["Pipeline"][1], inside["Data"][1]) == ("links", "links")
    assert traffic(tensor_parallel=2, pipeline_parallel=8, data_parallel=1)["Pipeline"][1] == "network"
    assert traffic(tensor_parallel=2, pipeline_parallel=2, data_parallel=4)["Data"][1] == "network"


def test_experts_over_several_domains_send_over_both_wires_and_the_sheet_says_how_much_over_which() -> None:
    found = values(**EXPERTS)
    sent, wire = traffic(**EXPERTS)["Expert"]
    assert sent == answer.filled(CALCULATOR, "{expert_bytes}", found)
    assert wire == answer.filled(CALCULATOR, "network, plus {expert_link_bytes} over links", found)
    within = EXPERTS | {"expert_parallel": 8}
    assert traffic(**within)["Expert"] == (answer.filled(CALCULATOR, "{expert_link_bytes}", values(**within)), "links")
    assert traffic(**within)["Pipeline"][1] == "links"


def test_an_exchange_hides_behind_no_more_than_the_backward_pass() -> None:
    """A hundredth of the network: the exchange takes longer than two thirds of the arithmetic, and the rest shows."""
    found = values(nic_bandwidth="500 MB/s", data_overlap=1)
    assert found["exposed_data_time"] == pytest.approx(found["data_time"] - found["compute_time"] * 2 / 3)


def test_switches_add_only_where_nvidia_says_so() -> None:
    assert values(accelerator="mi300x", ranks=8)["nccl_algorithm"].word == "ring (Simple)"
    assert values(accelerator="b200-sxm", ranks=8)["nccl_algorithm"].word == "NVLS"


SAID = (
    *("runs", "within_a_fifth", "median", "worst"),
    *("published_within_a_fifth", "on_h100", "on_h100_within_a_fifth", "on_h100_least"),
)


def test_the_page_says_rightly_how_far_a_computed_mfu_was_from_published_runs() -> None:
    runs = [
        case for case in cases.load("collectives") if "layout_mfu" in case.expect and case.strength != "hand_derived"
    ]
    computed = {case.name: values(**case.given)["layout_mfu"] / case.expect["layout_mfu"] - 1 for case in runs}
    off = sorted(map(abs, computed.values()))
    published = [facts.fact("mfu").value / case.expect["layout_mfu"] - 1 for case in runs]
    newer = [computed[case.name] for case in runs if case.given["accelerator"] == "h100-sxm"]
    assert {field: facts.fact(f"layout-mfu-off.{field}").value for field in SAID} == {
        "runs": len(off),
        "within_a_fifth": sum(one <= 0.2 for one in off),
        "median": pytest.approx(statistics.median(off), abs=0.0005),
        "worst": pytest.approx(off[-1], abs=0.0005),
        "published_within_a_fifth": sum(abs(one) <= 0.2 for one in published),
        "on_h100": len(newer),
        "on_h100_within_a_fifth": sum(abs(one) <= 0.2 for one in newer),
        "on_h100_least": pytest.approx(-max(newer), abs=0.0005),
    }
    assert len(runs) >= 15
    assert not any("matmul_utilization" in case.given for case in runs)


def test_in_a_join_the_published_mfu_applies_until_the_share_inside_kernels_is_given() -> None:
    machine = joined()
    assert machine.evaluate({})["mfu"] == facts.fact("mfu").value
    found = machine.evaluate({"matmul_utilization": 0.6})
    assert found["mfu"] == found["layout_mfu"]


def test_replicas_in_one_domain_share_its_cards() -> None:
    """Eight replicas of a node run at the ring's 370.8 GB/s, one for each node at its own card's 48."""
    apart = {"tensor_parallel": 1, "pipeline_parallel": 1, "data_parallel": 512}
    together, alone = values(**apart), values()
    assert together["data_bytes"] / together["data_time"] == pytest.approx(370.8e9)
    assert alone["data_bytes"] / alone["data_time"] == pytest.approx(48e9)


def ways_of_counting(**given: Any) -> dict[str, str]:
    return {way: report for way, _, report in sheet("conventions", **given)}


def test_ways_of_counting_differ_as_testers_do() -> None:
    """By hand: 256 MiB in 1.526656 ms; 2 x 63 / 64; 7 of 63 links of a ring over 64 in 8 domains leave their domain."""
    ways = ways_of_counting()
    assert (ways["Algorithm bandwidth"], ways["Bus bandwidth"]) == ("176 GB/s", "346 GB/s")
    assert ways["Wire rate per NIC"] == "38.5 GB/s"
    assert ways["Link bandwidth, bidirectional"] == "900 GB/s scale-up per GPU"
    assert ways["Link bandwidth, one way"] == "450 GB/s scale-up, 50 GB/s network per GPU"
    assert ways["Transfer time alone"] == "1.38 ms, compared with 1.53 ms"
    assert ways["Exposed communication"] == "19.2% of the step, 86.8% of its communication"


def test_ways_of_counting_where_nothing_is_sent() -> None:
    alone = {"tensor_parallel": 1, "pipeline_parallel": 1, "data_parallel": 1, "gpus": 1, "ranks": 8}
    ways = ways_of_counting(**alone)
    assert ways["Wire rate per NIC"] == "nothing crosses the network here"
    assert ways["Exposed communication"] == "0% of the step, none of its communication"


@pytest.mark.parametrize(
    ("size", "took"), [("4 GiB", 13341.2e-6), ("8 GiB", 25812.5e-6), ("16 GiB", 50409.2e-6), ("32 GiB", 99744.6e-6)]
)
def test_the_band_of_two_racks_holds_what_128_gb200_took(size: str, took: float) -> None:
    """Published by a cloud: 32 nodes of four GB200 across two racks."""
    found = values(accelerator="gb200", ranks=128, message_size=size)
    assert found["collective_time"] < took <= found["collective_time_at_most"]
    one_rack = values(accelerator="gb200", ranks=72, message_size=size)
    assert one_rack["collective_time_at_most"] == pytest.approx(1.2 * one_rack["collective_time"])

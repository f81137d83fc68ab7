"""Collectives: the defaults, verdicts at their boundaries, every caution and check, advice, and bus factors."""

from __future__ import annotations

import statistics
from typing import Any

import pytest

from builder.pages import cases
from calculators import facts
from calculators.answers import answer
from calculators.answers.resolve import settled
from calculators.catalog import joined
from calculators.declare import InputError, Values, Verdict
from calculators.network import collectives_advice, collectives_bandwidth, collectives_chosen, collectives_time
from calculators.network.collectives import CALCULATOR

EXPERTS: dict[str, Any] = {
    "experts": 64,
    "experts_per_token": 4,
    "expert_parallel": 64,
    "tensor_parallel": 1,
    "pipeline_parallel": 1,
    "data_parallel": 64,
}


def values(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, settled(CALCULATOR, given))


def cautions(**given: Any) -> list[str]:
    return answer.warnings(CALCULATOR, values(**given))


def said(verdict: str, **given: Any) -> tuple[str, str, str]:
    found = values(**given)
    judged: Verdict = found[verdict]
    return judged.level, judged.word, answer.filled(CALCULATOR, judged.reason, found)


def test_the_default_collective_and_step() -> None:
    found = values()
    assert found["collective_time"] == pytest.approx(1.526656e-3)
    assert found["best_algorithm"].word == "an NVLS tree"
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
    algorithm = collectives_chosen.algorithm_bandwidth(size, seconds)
    bus = collectives_chosen.bus_bandwidth(algorithm, collectives_bandwidth.bus_factor("all_reduce", ranks))
    assert bus / 1e9 == pytest.approx(printed, rel=1e-3)


def test_nccl_chooses_a_ring_in_ll_below_two_mebibytes_on_eight_h100_and_nvls_from_there() -> None:
    """Two published logs show the change: AWS's and nccl-tests' own."""
    words = {size: values(ranks=8, message_size=size)["best_algorithm"].word for size in ("1 MiB", "4 MiB", "1 GiB")}
    assert words == {"1 MiB": "a ring in LL", "4 MiB": "NVLS", "1 GiB": "NVLS"}


def test_only_rings_run_what_is_no_all_reduce_and_all_to_all_goes_directly() -> None:
    assert values(collective="all_gather", ranks=8, message_size="16 GiB")["best_algorithm"].word == "a ring in Simple"
    assert values(collective="broadcast", ranks=8, message_size="16 GiB")["best_algorithm"].word == "a ring in Simple"
    assert values(collective="all_to_all")["best_algorithm"].word == "direct messages"


def test_switches_of_the_network_halve_what_cards_send() -> None:
    assert values(in_network="nvls_and_sharp")["best_algorithm"].word == "NVLS with SHARP"


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
        ({"tensor_overlap": 1, "micro_batches": 32}, "good", "hidden"),
        ({}, "tight", "partly exposed"),
        ({"link_bandwidth": "600 GB/s"}, "bad", "exposed"),
    ],
)
def test_communication_is_hidden_below_a_twentieth_and_exposed_above_a_fifth(
    given: dict[str, Any], level: str, word: str
) -> None:
    assert said("stays_hidden", **given)[:2] == (level, word)


@pytest.mark.parametrize(
    ("size", "level", "word"),
    [
        ("29 MB", "bad", "too small"),
        ("30 MB", "tight", "middling"),
        ("117 MB", "tight", "middling"),
        ("118 MB", "good", "big enough"),
    ],
)
def test_a_message_is_big_enough_from_four_half_sizes(size: str, level: str, word: str) -> None:
    """The half-size of the default group is 29.34 MB."""
    assert said("big_enough", message_size=size)[:2] == (level, word)


@pytest.mark.parametrize(
    ("measured", "level", "word"),
    [
        ("306 GB/s", "bad", "too slow"),
        ("308 GB/s", "good", "normal"),
        ("479 GB/s", "good", "normal"),
        ("481 GB/s", "tight", "faster than modelled"),
    ],
)
def test_a_measurement_is_normal_from_four_fifths_of_the_plateau(measured: str, level: str, word: str) -> None:
    """Of 384 GB/s, 307.2 are four fifths."""
    assert said("measured_normal", measured_bus_bandwidth=measured)[:2] == (level, word)
    assert said("measured_normal")[:2] == ("good", "nothing measured")


def test_rings_between_domains_are_slower_to_start_from_a_kibibyte_for_each_rank() -> None:
    """64 B for each of 16 channels and each of 16 ranks are 16 KiB: NCCL reckons 1.4 times the latency from there."""

    def latency(size: float, domains: float = 2, collective: Any = "all_reduce") -> float:
        return float(collectives_time.ring_simple_latency(collective, size, 16, domains, 1e-6, 1e-6))

    full = 16 * 2**10
    assert latency(full) == pytest.approx(1.4 * latency(full - 1))
    assert latency(full, domains=1) == latency(full - 1, domains=1)
    assert latency(full, collective="all_gather") == latency(full - 1, collective="all_gather")


def test_only_racks_whose_switches_add_are_said_to_be_slower() -> None:
    rack = {"accelerator": "gb200", "ranks": 72}
    assert [said for said in cautions(**rack) if "acks" in said]
    for silent in ({}, {**rack, "in_network": "none"}, {**rack, "collective": "all_gather"}, {**rack, "ranks": 8}):
        assert not [said for said in cautions(**silent) if "acks" in said]


def test_a_tie_between_algorithms_is_told() -> None:
    level, _, reason = said("best_algorithm", ranks=4, message_size="16 GiB")
    assert level == "tight"
    assert reason.startswith("Nearly a tie with ")
    assert said("best_algorithm")[2] == "The next, a tree in LL128, would take 1.76 ms."


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
            "Racks of 72 measured 18% to 24% less than this where switches add: up to 21 ms.",
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
                "The layout takes 992 GPUs, not 1,000 GPUs: frameworks refuse to start so, "
                "and what is said here of the layout holds for its own."
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
            {"micro_batches": 2},
            "With fewer micro-batches per step than stages, some stages never work at the same time as the others.",
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


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"expert_parallel": 2}, "Expert parallel must not exceed 1 expert"),
        ({"model": "mixtral-8x7b", "expert_parallel": 3}, "The 8 experts must divide evenly"),
        ({"tensor_parallel": 3}, "8 heads of keys and values cannot be shared evenly by 3 ranks"),
        ({"context_parallel": 8192}, "8,192 tokens cannot be dealt to 8,192 ranks"),
    ],
)
def test_a_layout_that_frameworks_refuse_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        values(**given)


def test_layouts_at_the_edge_of_what_frameworks_take_are_taken() -> None:
    for given in ({"tensor_parallel": 16}, {"tensor_parallel": 4}, {"context_parallel": 4096}):
        values(**given)
    values(model="mixtral-8x7b", expert_parallel=8)


def test_layers_given_without_a_size_are_counted() -> None:
    """32 layers of 2 × 4096 × (4096 + 1024) for attention and 3 × 4096 × 14336 behind it: 7.0B; of Llama 3 70B half."""
    found = values(layers=32, hidden=4096, ffn_hidden=14336)
    assert found["parameters"] == found["active_parameters"] == pytest.approx(32 * (41943040 + 176160768))
    assert values(model="llama-3-70b", layers=40)["parameters"] == pytest.approx(68.45e9 / 2, rel=1e-3)
    assert values(layers=32, parameters="8B")["active_parameters"] == 8e9
    assert values(model="mixtral-8x7b", sequence_length=4096)["active_parameters"] == pytest.approx(12.88e9, rel=1e-3)


def test_a_message_that_is_too_small_is_advised_to_be_four_half_sizes_and_then_is_large_enough() -> None:
    """Of 64 GPUs the half-size is 28 MiB: four are 112 MiB, the next power of two 128."""
    advised = dict(collectives_advice.advice(values(message_size="1 MiB")))
    assert advised["Send {message_size} at once"] == {"message_size": 128 * 2**20}
    assert values(message_size="128 MiB")["big_enough"].level == "good"
    assert "Send {message_size} at once" not in dict(collectives_advice.advice(values(message_size="30 MiB")))


def test_advice_is_tried_only_where_something_waits() -> None:
    assert list(collectives_advice.advice(values(tensor_overlap=1, pipeline_parallel=1, data_parallel=128))) == []
    labels = [label for label, _ in collectives_advice.advice(values(zero_stage="3", tensor_parallel=16))]
    assert labels[:2] == ["ZeRO stage 1 in place of 3", "Tensor parallelism within one domain"]
    within = dict(collectives_advice.advice(values(tensor_parallel=16)))
    assert within["Tensor parallelism within one domain"] == {"tensor_parallel": 8}
    assert "ZeRO stage 1 in place of 3" not in within
    alone = dict(collectives_advice.advice(values(tensor_parallel=1, pipeline_parallel=16)))
    assert "Half of tensor parallelism hidden" not in alone


def test_more_micro_batches_are_advised_only_where_the_bubble_is_long() -> None:
    """32 micro-batches over 4 stages: 3/32 of the arithmetic, below a tenth of the step; over 16: 15/32 of it."""
    tried = "Twice the micro-batches per step"
    assert tried not in [label for label, _ in collectives_advice.advice(values())]
    assert tried in [label for label, _ in collectives_advice.advice(values(pipeline_parallel=16))]


def test_a_long_bubble_is_advised_to_be_halved_even_where_all_else_is_hidden() -> None:
    """80 layers in 8 stages divide once more, in 16 they do not; all but the exchange of 8 replicas is hidden."""
    sixteen = values(pipeline_parallel=16, tensor_overlap=1, data_parallel=8)
    assert sixteen["exposed_share"] < 0.01
    found = dict(collectives_advice.advice(sixteen))
    assert found["Twice the micro-batches per step"] == {"micro_batches": 64}
    assert "Twice the interleaving" not in found
    eight = dict(collectives_advice.advice(values(pipeline_parallel=8, micro_batches=16, interleave=5)))
    assert "Twice the micro-batches per step" not in eight  # 7 / (16 x 5) of the arithmetic
    eight = dict(collectives_advice.advice(values(pipeline_parallel=4, micro_batches=4, interleave=5)))
    assert eight["Twice the interleaving"] == {"interleave": 10}


def traffic(**given: Any) -> dict[str, tuple[str, str]]:
    """What each way of splitting sends, and over which wire, as the sheet says."""
    found = values(**given)
    [sheet] = CALCULATOR.sheets
    rows = [[answer.filled(CALCULATOR, cell, found) for cell in row] for row in sheet.rows(found)]
    return {row[0]: (row[1], row[2]) for row in rows}


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
    assert wire == answer.filled(CALCULATOR, "network, beside {expert_link_bytes} over links", found)
    within = EXPERTS | {"expert_parallel": 8}
    assert traffic(**within)["Expert"] == (answer.filled(CALCULATOR, "{expert_link_bytes}", values(**within)), "links")
    assert traffic(**within)["Pipeline"][1] == "links"


def test_a_faster_network_is_advised_only_where_the_network_is_what_shows() -> None:
    """All but a fiftieth of what the default exposes is tensor parallelism within a domain, over its links."""
    network = "Twice the network"
    assert network not in [label for label, _ in collectives_advice.advice(values())]
    assert network in [label for label, _ in collectives_advice.advice(values(tensor_parallel=16))]
    assert network in [label for label, _ in collectives_advice.advice(values(nic_bandwidth="5 GB/s"))]


def test_an_exchange_hides_behind_no_more_than_the_backward_pass() -> None:
    """A hundredth of the network: the exchange takes longer than two thirds of the arithmetic, and the rest shows."""
    found = values(nic_bandwidth="500 MB/s", data_overlap=1)
    assert found["exposed_data_time"] == pytest.approx(found["data_time"] - found["compute_time"] * 2 / 3)


def test_switches_add_only_where_nvidia_says_so() -> None:
    assert values(accelerator="mi300x", ranks=8)["best_algorithm"].word == "a ring in Simple"
    assert values(accelerator="b200-sxm", ranks=8)["best_algorithm"].word == "NVLS"


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


def test_in_a_join_the_published_mfu_stands_until_the_share_inside_kernels_is_given() -> None:
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

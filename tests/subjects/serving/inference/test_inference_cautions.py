"""Inference: every caution speaks and is silent, and the check on what a GPU has no rate for."""

from __future__ import annotations

from typing import Any

import pytest

from calculators import facts
from calculators.answers import answer
from calculators.answers.resolve import settled
from calculators.declare import InputError
from calculators.subjects.serving.inference.band import FASTEST_TESTED, FEW_EXPERTS, LONG_PROMPT, MOST_EXPERTS
from calculators.vocabulary.inputs import PRICE
from tests.subjects.serving.inference.round_inference import CALCULATOR, ROUND, spoken

H100_PEAK, H100_PRICE = (float(facts.fact(key).value) for key in ("h100-sxm.peak_flops", PRICE))
MIXTURE = {
    "running": 20,
    "active_parameters": "2B",
    "experts": 16,
    "experts_per_token": 4,
    "disaggregated": "yes",
}

SPEAKS: list[tuple[str, dict[str, Any], str]] = [
    (
        "target_within_band",
        # 20 at once take 43.998 ms: 35.2 to 52.7975
        {"running": 20, "tpot_target": "52.7 ms"},
        (
            "The target of 52.7 ms lies between 35.2 ms and 52.8 ms, as far as published runs lay from what was "
            "predicted: measure before you promise."
        ),
    ),
    (
        "mostly_latency",
        # 10 layers of 4 ms and 10 all-reduces of 10 us in a step that reads 16 ms and computes 1.3 ms beyond
        {"running": 1, "layer_latency": "4 ms"},
        (
            "69.9% of a step is latency: faster memory or narrower weights gain little here, "
            "fewer GPUs for each copy or larger batches more."
        ),
    ),
    (
        "mostly_latency",
        # 10 layers, 20 tokens, 4 · 800 · 3 B each, half of them to the other node at 0.89 MB/s: 1.08 s beside a few ms
        MIXTURE | {"serving_expert_parallel": 16, "nic_bandwidth": "1 MB/s"},
        (
            "99.6% of a step is latency, most of it tokens on their way to experts on other nodes: a faster network, "
            "or experts within one domain of links, gains more than faster memory."
        ),
    ),
    (
        "mostly_latency",
        # links of 50 MB/s one way, of which 0.7: 4 · 800 · 3 B of each token, 7/8 of them to other GPUs, take 240 us
        MIXTURE
        | {"serving_tensor_parallel": 1, "serving_expert_parallel": 8}
        | {"link_bandwidth": "100 MB/s", "allreduce_link_efficiency": 0.7},
        (
            "91.5% of a step is latency, most of it tokens on their way to experts on other GPUs: faster links, "
            "or fewer groups, gains more than faster memory."
        ),
    ),
    (
        "groups_wait",
        MIXTURE | {"serving_expert_parallel": 8},
        (
            "Groups of GPUs share the experts: each step waits for the group with most to read and for the most "
            "popular experts, which is not counted. Published runs of this kind were predicted up to 128% too fast, "
            "and ranges reach as far."
        ),
    ),
    (
        "experts_in_four_bits",
        MIXTURE | {"weight_bytes": 0.5},
        (
            "Every product is taken to run in four bits. In mixtures published so, attention stays in 16 bits and "
            "experts see few tokens each: they were predicted up to 105% too fast, and ranges reach as far."
        ),
    ),
    (
        "narrow_over_many",
        {"serving_tensor_parallel": 8, "weight_bytes": 1},
        (
            "With narrow weights over 8 ranks a step may gain nothing: a tool's kernels for 70B take 9.94 ms in "
            "bf16 and "
            "9.85 ms in fp8, because quantizing on the fly costs as much as it saves."
        ),
    ),
    (
        "the_cliff",
        # 125,000 tokens of room in each of 4 copies: 1.25 sessions of 100,000
        {"running": 20, "sessions": 6, "session_context": 100000},
        (
            "Memory keeps less than 6 sessions of 100,000 tokens (1.25 sessions in each copy), and there is no tier "
            "behind it: caches are dropped before they are used again, and throughput falls off a cliff. Twice the "
            "sessions served a sixth as many requests in one published run (32 in place of 16, on four MI355X); "
            "with host "
            "memory as a tier they did not."
        ),
    ),
    (
        "cache_on_every_rank",
        {"attention": "mla"},
        (
            "Latent attention keeps the whole cache on each of 2 ranks: with tensor parallel 1 and experts "
            "dealt out over "
            "the GPUs every GPU would hold other sequences."
        ),
    ),
    (
        "popular_experts",
        # 4 · (1 − 0.75²) with two sequences and no prompts
        {"active_parameters": "2B", "experts": 4, "running": 2, "disaggregated": "yes"},
        (
            "A step is taken to read 1.75 experts of 4 experts in each layer, all equally popular. Where "
            "sequences prefer "
            "the same ones it reads fewer: steps of mixtures were predicted up to 49% too long, and ranges reach as "
            "far."
        ),
    ),
    (
        "long_prompts_along",
        {"prompt": 20000, "running": 1},
        (
            "Prompts of 20,000 tokens in one batch with answers: published rows of 20,000 tokens agree when "
            "they are read in whole chunks, but none is longer: ranges reach as far as rows were off without that."
        ),
    ),
    (
        "beyond_the_domain",
        {"active_parameters": "2B", "experts": 16, "experts_per_token": 4, "serving_expert_parallel": 16},
        (
            "Fitted within one NVLink domain of eight. Beyond it popular experts hold the others up, which is not "
            "counted: DeepSeek's production ran at half of its own profile, and ranges reach as far."
        ),
    ),
    (
        "ranks_leave_domain",
        {"gpus_per_domain": 1},
        (
            "Tensor parallelism over 2 ranks leaves the scale-up domain of 1 GPU: every layer then waits for the "
            "network twice, and steps are counted as if links reached all ranks."
        ),
    ),
    (
        "widened_on_the_fly",
        {"weight_bytes": 1, "parameters": "72B", "gpu_memory": "100 GB"},
        (
            "Weights of 1 B/parameter are widened to 16 bits before each product: 405B on eight A100 was predicted "
            "64 % too fast, and ranges reach as far."
        ),
    ),
    (
        "many_running",
        {"running": 600},
        "Fitted on 1 to 512 running sequences: 600 sequences extend that, and predictions for them were less sure.",
    ),
    (
        "checked_where_it_was_fitted",
        {"memory_bandwidth": "8 TB/s"},
        (
            "Constants were fitted on A100 and H100, weights of one and two bytes, and tested on H200: this "
            "device extends that. Llama 3.1 405B on eight MI300X took 37 to 60% longer than predicted in 2024."
        ),
    ),
    (
        "price_of_another_device",
        {"peak_flops": "2.5 PFLOP/s"},
        (
            "$3/GPU-hour is the price of an H100, and 2.5 PFLOP/s is another device's peak: what a million tokens cost "
            "compares once its own is given."
        ),
    ),
]


SILENT: dict[str, dict[str, Any]] = {
    "target_within_band": {"running": 20, "tpot_target": "52.8 ms"},
    "mostly_latency": {"running": 1, "layer_latency": "100 us"},
    "groups_wait": MIXTURE | {"serving_expert_parallel": 2},
    "experts_in_four_bits": MIXTURE | {"weight_bytes": 0.75},
    "narrow_over_many": {"serving_tensor_parallel": 4, "kv_heads": 4, "weight_bytes": 1},
    "the_cliff": {"running": 20, "sessions": 5, "session_context": 100000},
    "cache_on_every_rank": {},
    "popular_experts": {"active_parameters": "2B", "experts": 4, "running": 20},
    "long_prompts_along": {"prompt": 20000, "running": 1, "disaggregated": "yes"},
    "beyond_the_domain": {"active_parameters": "2B", "experts": 16, "experts_per_token": 4},
    "ranks_leave_domain": {"gpus_per_domain": 2},
    "widened_on_the_fly": {"weight_bytes": 1, "parameters": "71B", "gpu_memory": "100 GB"},
    "many_running": {"running": 512},
    "checked_where_it_was_fitted": {},
    "price_of_another_device": {"peak_flops": "2.5 PFLOP/s", "price_per_gpu_hour": 5},
}


@pytest.mark.parametrize(("name", "given", "said_of_it"), SPEAKS)
def test_a_caution_speaks(name: str, given: dict[str, Any], said_of_it: str) -> None:
    assert spoken(**given)[name] == said_of_it


@pytest.mark.parametrize("name", sorted(SILENT))
def test_a_caution_is_silent_where_it_has_nothing_to_say(name: str) -> None:
    assert name not in spoken(**SILENT[name])


def test_every_caution_of_its_own_has_both() -> None:
    own = {one.name for one in CALCULATOR.of_role("warning") if one.function.__module__.endswith("inference.warnings")}
    assert own == {name for name, *_ in SPEAKS} == set(SILENT)


@pytest.mark.parametrize(
    ("warning", "speaks", "silent"),
    [
        # A range is not left before its ends, and there is none where nothing runs.
        (
            "target_within_band",
            [(1, 0.03, 0.05, 0.03), (7, 0.03, 0.05, 0.05), (1, 0.03, 0.05, 0.04)],
            [(1, 0.03, 0.05, 0.029), (1, 0.03, 0.05, 0.051), (0, 0.03, 0.05, 0.04)],
        ),
        ("mostly_latency", [(0.51, 1, 0, 0, 1, 8)], [(0.5, 1, 0, 0, 1, 8), (0.2, 1, 0, 0, 1, 8)]),
        ("groups_wait", [(2, 1, 2), (64, 4, 8)], [(1, 1, 8), (64, 8, 8), (64, 8, 4)]),
        ("experts_in_four_bits", [(2, 0.74)], [(2, 0.75), (1, 0.5)]),
        ("narrow_over_many", [(1.9, 8), (1, 9)], [(2, 8), (2.1, 8), (1, 7)]),
        (
            "the_cliff",
            [(7, 3, 2, "none")],
            [(6, 3, 2, "none"), (5, 3, 2, "none"), (7, 3, None, "none"), (7, 3, 2, "host")],
        ),
        ("cache_on_every_rank", [("mla", 2)], [("mla", 1), ("gqa", 2)]),
        (
            "long_prompts_along",
            [(LONG_PROMPT + 1, False, "evenly"), (LONG_PROMPT + 1, False, "chunks")],
            [(LONG_PROMPT, False, "evenly"), (LONG_PROMPT + 1, True, "evenly")],
        ),
        ("beyond_the_domain", [(9, 1), (1, 9)], [(8, 8), (1, 8)]),
        ("ranks_leave_domain", [(9, 8), (2, 1)], [(8, 8), (1, 8)]),
        ("many_running", [(513,)], [(512,), (5,)]),
        (
            "checked_where_it_was_fitted",
            [(FASTEST_TESTED, 0.9), (FASTEST_TESTED + 1, 1), (FASTEST_TESTED + 1, 0.9)],
            [(FASTEST_TESTED, 1), (FASTEST_TESTED - 1, 2)],
        ),
        ("price_of_another_device", [(H100_PRICE, 1e15)], [(H100_PRICE, H100_PEAK), (H100_PRICE + 1, 1e15)]),
        (
            "popular_experts",
            [(FEW_EXPERTS * 64 + 1, 64), (MOST_EXPERTS * 64 - 1, 64)],
            [(FEW_EXPERTS * 64, 64), (MOST_EXPERTS * 64, 64), (0.5, 1)],
        ),
    ],
)
def test_a_caution_turns_at_its_boundary(
    warning: str, speaks: list[tuple[Any, ...]], silent: list[tuple[Any, ...]]
) -> None:
    (formula,) = (one for one in CALCULATOR.of_role("warning") if one.name == warning)
    assert all(formula.function(*given) for given in speaks)
    assert not any(formula.function(*given) for given in silent)


def test_requests_longer_than_the_model_knows_positions_are_told_and_none_are_asked_for_unasked() -> None:
    beyond = "A context of 1,000 tokens is more than the 999 tokens this model is made for"
    assert spoken(positions=999)["context_beyond_positions"].startswith(beyond)
    assert "context_beyond_positions" not in spoken(positions=1000)
    # GPT-3 and OPT have 2,048: the answer's 500 leave 1,548 for a prompt that nobody gave.
    for model in ("gpt-3-175b", "opt-175b"):
        values = answer.evaluated(CALCULATOR, settled(CALCULATOR, {"model": model}))
        assert (values["prompt"], values["context"]) == (1548, 2048)
    assert answer.evaluated(CALCULATOR, settled(CALCULATOR, {}))["prompt"] == 4000


def test_latency_is_laid_to_experts_where_half_of_it_is_theirs() -> None:
    """Of 10 ms 2 layers exchange for 2.5 ms each: no more than half."""
    (formula,) = (one for one in CALCULATOR.of_role("warning") if one.name == "mostly_latency")
    assert "most of it tokens" not in formula.function(0.6, 0.010, 0.0025, 2, 16, 8)
    assert "on other nodes" in formula.function(0.6, 0.010, 0.0025, 3, 16, 8)
    assert "on other GPUs" in formula.function(0.6, 0.009, 0.0025, 2, 8, 8)


def test_a_device_that_is_faster_than_any_tested_is_named_before_narrow_weights() -> None:
    (formula,) = (one for one in CALCULATOR.of_role("warning") if one.name == "checked_where_it_was_fitted")
    assert formula.function(FASTEST_TESTED, 0.9).endswith("narrower weights extend that.")
    assert "this device extends that." in formula.function(FASTEST_TESTED * 1.01, 0.9)


@pytest.mark.parametrize(("bits", "rate"), [("8", "8 bits"), ("4", "4 bits")])
def test_arithmetic_that_the_gpu_has_no_rate_for_is_refused(bits: str, rate: str) -> None:
    with pytest.raises(InputError) as error:
        answer.evaluated(CALCULATOR, settled(CALCULATOR, {**ROUND, "arithmetic": bits}))
    told = f"This GPU has no rate for {rate}: leave the arithmetic to the weights, or give the rate"
    assert error.value.problems == {"arithmetic": told}
    given = {**ROUND, "arithmetic": bits, "peak_flops_fp8": "200 TFLOP/s", "peak_flops_fp4": "400 TFLOP/s"}
    values = answer.evaluated(CALCULATOR, settled(CALCULATOR, given))
    assert values["serving_peak_flops"] == {"8": 2e14, "4": 4e14}[bits]


def test_long_prompts_that_are_spread_over_all_steps_are_said_to_be_too_fast() -> None:
    told = spoken(prompt=20000, prompts_read="evenly")["long_prompts_along"]
    assert "predicted up to 36 % too fast; read in whole chunks, as engines do, they agree" in told

"""Inference: the default answer as its specification prints it, and what it says of its own accord."""

from __future__ import annotations

import math
from typing import Any

import pytest

from calculators import inference
from calculators.answers import answer, exploration
from calculators.answers.resolve import settled
from calculators.catalog import CALCULATORS
from calculators.declare import InputError
from tests.training.said import said

CALCULATOR = CALCULATORS["inference"]
# 10 layers of 4 key-value heads 100 wide, 8B parameters in 16 bits over two GPUs of 20 GB: 1 GB of room on each, and
# 16 kB a token over both, so 124 sequences of 1,000 tokens (in pages of 16). See tests/cases/inference.toml.
ROUND = {
    "attention": "gqa",
    "layers": 10,
    "heads": 8,
    "kv_heads": 4,
    "head_dim": 100,
    "hidden": 800,
    "vocab": 1000,
    "tied_embeddings": "yes",
    "parameters": "8B",
    "weight_bytes": 2,
    "serving_tensor_parallel": 2,
    "gpu_memory": "20 GB",
    "memory_share": 0.5,
    "overhead": "1 GB",
    "memory_bandwidth": "1 TB/s",
    "peak_flops": "100 TFLOP/s",
    "link_bandwidth": "200 GB/s",
    "bandwidth_efficiency": 0.5,
    "compute_efficiency": 0.5,
    "layer_latency": "100 us",
    "sequence_latency": "10 us",
    "allreduce_latency": "5 us",
    "allreduce_link_efficiency": 0.5,
    "prompt": 900,
    "answer": 100,
    "request_rate": 10,
}


def spoken(**given: Any) -> dict[str, str]:
    return said(CALCULATOR, {key: str(text) for key, text in {**ROUND, **given}.items()})


def verdict(name: str, **given: Any) -> tuple[str, str, str]:
    values = answer.evaluated(CALCULATOR, settled(CALCULATOR, {**ROUND, **given}))
    judged = answer.verdicts(CALCULATOR, values)[name]
    return judged["level"], judged["word"], judged["reason"]


def test_the_default_is_llama_70b_on_twenty_four_h100() -> None:
    """69 at once, 217 tokens/s per GPU, 24 GPUs, 8 USD; over four 16 GPUs; in FP8 over two 8 GPUs and 2.67 USD."""
    found = inference()
    assert (found.running, found.serving_gpus, round(found.cost_per_million_output, 2)) == (69, 24, 8.0)
    assert round(found.serving_tokens_per_second_per_gpu) == 217
    assert inference(serving_tensor_parallel=4).serving_gpus == 16
    narrow = inference(precision="fp8", serving_tensor_parallel=2)
    assert (narrow.running, narrow.serving_gpus, round(narrow.cost_per_million_output, 2)) == (37, 8, 2.67)
    assert round(narrow.serving_tokens_per_second_per_gpu) == 467
    assert inference(precision="fp8", serving_tensor_parallel=8).serving_gpus == 16


def test_as_many_run_as_the_target_allows_and_one_more_would_miss_it() -> None:
    for given in ({}, {"model": "deepseek-v3", "accelerator": "h200-sxm"}, {"draft_tokens": 3}):
        found = inference(**given)
        assert found.tpot <= found.tpot_target
        assert inference(**given, running=found.running + 1).tpot > found.tpot_target


def test_users_at_once_and_the_rate_they_make_ask_for_the_same() -> None:
    """Little: 100 users each wait for an answer and think for 5 s."""
    found = inference(concurrent_users=100, think_time="5 s")
    assert found.request_rate * (found.unqueued_ttft + found.answer * found.tpot + 5) == pytest.approx(100)
    assert inference(request_rate=found.request_rate).serving_gpus == found.serving_gpus


def test_a_spare_copy_is_one_more_and_carries_the_traffic_when_one_fails() -> None:
    found, spared = inference(), inference(spare_copies=1)
    assert spared.copies == found.copies + 1
    assert spared.failed_load == pytest.approx(found.serving_load)


def test_experts_over_many_gpus_come_in_whole_sets() -> None:
    found = inference(model="deepseek-v3", accelerator="h200-sxm", tensor_parallel=1, serving_expert_parallel=32)
    assert found.expert_groups == 32
    assert found.copies % 32 == 0


SPEAKS: list[tuple[str, dict[str, Any], str]] = [
    (
        "band",
        {"running": 20, "tpot_target": "100 ms"},
        "Times per token and throughput are good to within 20%, either way, over published runs.",
    ),
    (
        "band",
        # 20 at once take 33.8 ms
        {"running": 20, "tpot_target": "36 ms"},
        (
            "Times per token and throughput are good to within 20%, either way, over published runs. "
            "The target lies within it: measure before you promise."
        ),
    ),
    (
        "mostly_latency",
        # 10 layers of 4 ms and 10 all-reduces of 10 us in a step that reads 16 ms
        {"running": 1, "layer_latency": "4 ms"},
        (
            "71.5% of a step is latency: faster memory or narrower weights gain little here, "
            "fewer GPUs for each copy or larger batches more."
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
        # 125,000 tokens of room in each of 3 copies: 1.25 sessions of 100,000
        {"running": 20, "sessions": 4, "session_context": 100000},
        (
            "Memory keeps less than 4 sessions of 100,000 tokens (1.25 sessions in each copy), and there is no tier "
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
            "the same ones it reads fewer: predictions for mixtures were up to 49% off."
        ),
    ),
    (
        "long_prompts_along",
        {"prompt": 20000, "running": 1},
        (
            "Prompts of 20,000 tokens in one batch with answers: throughput was predicted 24 to 36 % too high "
            "for 70B and "
            "405B on H100, so take 36% in place of 20% on that side."
        ),
    ),
    (
        "beyond_the_domain",
        {"active_parameters": "2B", "experts": 16, "experts_per_token": 4, "serving_expert_parallel": 16},
        (
            "Fitted within one NVLink domain of eight. Beyond it, tokens on their way to experts and popular "
            "experts are "
            "not counted: DeepSeek's production ran at half of its own profile."
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
            "Constants were fitted on A100 and H100, weights of one and two bytes, and tested on H200: newer "
            "devices and "
            "narrower weights extend that."
        ),
    ),
]
SILENT: dict[str, dict[str, Any]] = {
    "band": {"gpu_memory": "10 GB"},  # no cache fits beside 8 GB of weights
    "mostly_latency": {"running": 1, "layer_latency": "100 us"},
    "narrow_over_many": {"serving_tensor_parallel": 4, "kv_heads": 4, "weight_bytes": 1},
    "the_cliff": {"running": 20, "sessions": 4, "session_context": 100000, "tier": "host"},
    "cache_on_every_rank": {},
    "popular_experts": {"active_parameters": "2B", "experts": 4, "running": 20},
    "long_prompts_along": {"prompt": 20000, "running": 1, "disaggregated": "yes"},
    "beyond_the_domain": {"active_parameters": "2B", "experts": 16, "experts_per_token": 4},
    "many_running": {"running": 512},
    "checked_where_it_was_fitted": {},
}


@pytest.mark.parametrize(("name", "given", "said_of_it"), SPEAKS, ids=[one[0] for one in SPEAKS])
def test_a_caution_speaks(name: str, given: dict[str, Any], said_of_it: str) -> None:
    assert spoken(**given)[name] == said_of_it


@pytest.mark.parametrize("name", sorted(SILENT))
def test_a_caution_is_silent_where_it_has_nothing_to_say(name: str) -> None:
    assert name not in spoken(**SILENT[name])


def test_every_caution_of_its_own_has_both() -> None:
    own = {one.name for one in CALCULATOR.of_role("caution") if one.function.__module__.endswith("inference_cautions")}
    assert own == {name for name, *_ in SPEAKS} == set(SILENT)


@pytest.mark.parametrize(("bits", "rate"), [("8", "8 bits"), ("4", "4 bits")])
def test_arithmetic_that_the_gpu_has_no_rate_for_is_refused(bits: str, rate: str) -> None:
    with pytest.raises(InputError) as error:
        answer.evaluated(CALCULATOR, settled(CALCULATOR, {**ROUND, "arithmetic": bits}))
    told = f"This GPU has no rate for {rate}: leave the arithmetic to the weights, or give the rate"
    assert error.value.problems == {"arithmetic": told}
    given = {**ROUND, "arithmetic": bits, "peak_flops_fp8": "200 TFLOP/s", "peak_flops_fp4": "400 TFLOP/s"}
    values = answer.evaluated(CALCULATOR, settled(CALCULATOR, given))
    assert values["serving_peak_flops"] == {"8": 2e14, "4": 4e14}[bits]


JUDGED: list[tuple[str, dict[str, Any], tuple[str, str, str]]] = [
    (
        "targets_met",
        {"gpu_memory": "10 GB"},
        (
            "bad",
            "does not fit",
            (
                "Not one sequence of 1,000 tokens fits beside 7.45 GiB of weights in 9.31 GiB: spread a copy over more "
                "GPUs, or serve narrower weights."
            ),
        ),
    ),
    (
        "targets_met",
        {"running": 125},
        (
            "bad",
            "does not fit",
            "125 sequences are more than memory holds: there is room for 124 sequences of 1,000 tokens.",
        ),
    ),
    (
        "targets_met",
        {"tpot_target": "10 ms"},
        (
            "bad",
            "too slow",
            (
                "No batch is small enough: alone a sequence takes 17.1 ms a token, and 10 ms is asked for. 1.1 ms of a "
                "step is latency, which bandwidth does not shorten; a draft, narrower weights or more GPUs for "
                "a copy may "
                "do."
            ),
        ),
    ),
    (
        "targets_met",
        {"running": 20, "tpot_target": "20 ms"},
        ("bad", "too slow", "With 20 sequences at once a token takes 33.8 ms, and 20 ms is asked for."),
    ),
    (
        "targets_met",
        # 14.4 TFLOP of products, 0.013 of attention over 100 TFLOP/s, 1.1 ms and 0.6 ms: 145.8 ms, half a step before
        {"running": 20, "ttft_target": "100 ms"},
        (
            "bad",
            "starts too late",
            (
                "The first token takes 163 ms with nobody before it, and 100 ms is asked for: "
                "the prompt alone takes 146 ms."
            ),
        ),
    ),
    (
        "targets_met",
        {"running": 20, "copies": 1},
        (
            "bad",
            "starts too late",
            "Prompts come faster than they are read, so the first token waits without end.",
        ),
    ),
    (
        "targets_met",
        # 10 of 2 · 5.9245 requests/s: 84.4 %, so 146 · 0.844 / (2 · 0.156) = 394 ms of waiting
        {"running": 20, "copies": 2, "ttft_target": "500 ms"},
        (
            "bad",
            "starts too late",
            "Prompts wait 394 ms for others: the first token takes 557 ms, and 500 ms is asked for.",
        ),
    ),
    (
        "targets_met",
        {"tpot_target": "1 s", "ttft_target": "100 s", "request_rate": 1},
        (
            "tight",
            "met, at the limit",
            (
                "124 sequences run at once in a copy, and memory holds no more: the next waits in line. "
                "The targets would allow more."
            ),
        ),
    ),
    (
        "targets_met",
        {"tpot_target": "1 s", "ttft_target": "100 s", "request_rate": 1, "most_sequences": 100},
        (
            "tight",
            "met, at the limit",
            (
                "100 sequences run at once in a copy, and the engine is set to no more: the next waits in line. "
                "The targets would allow more."
            ),
        ),
    ),
    (
        "targets_met",
        {"running": 20},
        (
            "tight",
            "met, and held by the target",
            "Memory would hold 124 sequences, the target allows 20 sequences: it is speed that is bought here.",
        ),
    ),
    (
        "targets_met",
        # 1.1 ms and 70 of 1.632896 ms are 115.4 ms
        {"running": 70, "tpot_target": "200 ms", "request_rate": 1},
        ("good", "met", "70 sequences at once in a copy, 115 ms a token and 218 ms to the first."),
    ),
    (
        "load_carried",
        {"running": 20, "copies": 1},
        (
            "bad",
            "overrun",
            "The traffic is 169% of what 1 replica can do: the queue grows without end.",
        ),
    ),
    (
        "load_carried",
        {"running": 20, "copies": 2},
        ("tight", "little to spare", "The traffic takes 84.4% of what 2 replicas can do, where 70% was planned."),
    ),
    ("load_carried", {"running": 20}, ("good", "enough copies", "The traffic takes 56.3% of what 3 replicas can do.")),
    (
        "load_carried",
        {"gpu_memory": "10 GB"},
        ("bad", "none would do", "A copy serves nothing, so no number of them would do."),
    ),
    (
        "survives",
        {"running": 20, "copies": 1},
        ("bad", "with one down, nothing is left", "There is one copy: when it fails, nobody is served."),
    ),
    (
        "survives",
        {"running": 20, "copies": 2},
        (
            "bad",
            "with one down, overrun",
            "The rest would have to give 169% of what it can: the queue grows until the copy is back.",
        ),
    ),
    (
        "survives",
        {"running": 20},
        (
            "tight",
            "with one down, carried without room for bursts",
            "The rest is then at 84.4% of what it can do, where 70% was planned.",
        ),
    ),
    (
        "survives",
        {"running": 20, "spare_copies": 1},
        ("good", "with one down, carried", "The rest is then at 56.3% of what it can do."),
    ),
    (
        "reload_pays",
        # 900 tokens of 16 kB at 2 · 20 MB/s take 360 ms, reading again 146 ms, which makes 98.8 MB/s
        {"running": 20, "tier": "storage", "tier_bandwidth": "20 MB/s"},
        (
            "bad",
            "kept caches do not pay",
            (
                "Reading 900 tokens back takes 360 ms, reading the prompt again is sooner done: "
                "it pays above 98.8 MB/s for a copy."
            ),
        ),
    ),
    (
        "reload_pays",
        {"running": 20, "tier": "storage", "tier_bandwidth": "60 MB/s", "ttft_target": "100 ms"},
        (
            "tight",
            "kept caches pay, but come late",
            "It is 1.22 times sooner than reading again, and still takes 120 ms, longer than the target.",
        ),
    ),
    (
        "reload_pays",
        {"running": 20, "tier": "host", "tier_bandwidth": "1 GB/s"},
        (
            "good",
            "kept caches pay",
            "Reading 900 tokens back takes 7.2 ms, 20.3 times sooner than reading the prompt again.",
        ),
    ),
]


@pytest.mark.parametrize(("name", "given", "judged"), JUDGED, ids=[f"{one[0]}-{one[2][1]}" for one in JUDGED])
def test_a_verdict_names_what_binds(name: str, given: dict[str, Any], judged: tuple[str, str, str]) -> None:
    assert verdict(name, **given) == judged


def test_advice_serves_what_was_not_served() -> None:
    """70B in 16 bits over two GPUs of 80 GiB leaves room for 4 sequences; spread or narrowed it meets the target."""
    values = answer.evaluated(CALCULATOR, settled(CALCULATOR, {"serving_tensor_parallel": 1}))
    assert values["serving_gpus"] is None
    told = exploration.exploration(CALCULATOR, values)["advice"]
    assert told
    for one in told:
        after = answer.evaluated(CALCULATOR, settled(CALCULATOR, dict(one["changes"])))
        assert after["serving_gpus"] is not None
        assert all(judged["level"] != "bad" for judged in answer.verdicts(CALCULATOR, after).values())


def test_a_state_that_does_not_fit_says_so_in_place_of_numbers() -> None:
    values = answer.evaluated(CALCULATOR, settled(CALCULATOR, {**ROUND, "gpu_memory": "10 GB"}))
    assert answer.sentence(CALCULATOR, values).startswith("no number of GPUs can serve 10 requests/s")
    assert values["cost_per_million_output"] is None
    assert math.isfinite(values["tpot"])


def test_half_of_the_link_is_one_direction() -> None:
    """Datasheets add both: 8,192 values of two bytes, 2 · 7/8 of them, over half of 900 GB/s at seven tenths."""
    assert inference().token_allreduce_time == pytest.approx(8192 * 2 * 2 * 7 / 8 / (450e9 * 0.7))

"""Inference: each warning at its boundary, and what its sentence names; the constraint on compute precision."""

from __future__ import annotations

from typing import Any

import pytest

from calculators import facts
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.declare import InputError
from calculators.subjects.serving.inference.formulas.band import FASTEST_TESTED, FEW_EXPERTS, LONG_PROMPT, MOST_EXPERTS
from tests.subjects.serving.inference.round_inference import CALCULATOR, ROUND, spoken

H100_PEAK, H100_PRICE = (float(facts.fact(key).value) for key in ("h100-sxm.peak_flops", "price-per-gpu-hour-h100"))


@pytest.mark.parametrize(
    ("warning", "speaks", "silent"),
    [
        # A range is not left before its ends, and there is none where nothing runs.
        (
            "target_within_band",
            [(1, 0.03, 0.05, 0.03), (7, 0.03, 0.05, 0.05), (1, 0.03, 0.05, 0.04)],
            [(1, 0.03, 0.05, 0.029), (1, 0.03, 0.05, 0.051), (0, 0.03, 0.05, 0.04)],
        ),
        ("latency_dominates", [(0.51, 1, 0, 0, 1, 8)], [(0.5, 1, 0, 0, 1, 8), (0.2, 1, 0, 0, 1, 8)]),
        ("expert_groups_wait", [(2, 1, 2), (64, 4, 8)], [(1, 1, 8), (64, 8, 8), (64, 8, 4)]),
        ("four_bit_experts", [(2, 0.74)], [(2, 0.75), (1, 0.5)]),
        ("narrow_weights_many_ranks", [(1.9, 8), (1, 9)], [(2, 8), (2.1, 8), (1, 7)]),
        (
            "sessions_exceed_memory",
            [(7, 3, 2, "none")],
            [(6, 3, 2, "none"), (5, 3, 2, "none"), (7, 3, None, "none"), (7, 3, 2, "host")],
        ),
        ("cache_on_every_rank", [("mla", 2)], [("mla", 1), ("gqa", 2)]),
        (
            "long_prompts_mixed",
            [(LONG_PROMPT + 1, False, "evenly"), (LONG_PROMPT + 1, False, "chunks")],
            [(LONG_PROMPT, False, "evenly"), (LONG_PROMPT + 1, True, "evenly")],
        ),
        ("beyond_nvlink_domain", [(9, 1), (1, 9)], [(8, 8), (1, 8)]),
        ("ranks_leave_domain", [(9, 8), (2, 1)], [(8, 8), (1, 8)]),
        ("many_sequences", [(513,)], [(512,), (5,)]),
        (
            "outside_fitted_devices",
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
def test_a_warning_turns_at_its_boundary(
    warning: str, speaks: list[tuple[Any, ...]], silent: list[tuple[Any, ...]]
) -> None:
    (formula,) = (one for one in CALCULATOR.of_role("warning") if one.name == warning)
    assert all(formula.function(*given) for given in speaks)
    assert not any(formula.function(*given) for given in silent)


def test_a_context_beyond_the_model_warns_and_default_input_tokens_stay_within_it() -> None:
    beyond = spoken(positions=999)["context_beyond_positions"]
    assert "1,000 tokens" in beyond
    assert "999 tokens" in beyond
    assert "context_beyond_positions" not in spoken(positions=1000)
    # GPT-3 and OPT have 2,048: 500 output tokens leave 1,548 input tokens.
    for model in ("gpt-3-175b", "opt-175b"):
        values = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {"model": model}))
        assert (values["input_tokens"], values["context"]) == (1548, 2048)
    assert answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {}))["input_tokens"] == 4000


def test_latency_is_attributed_to_experts_where_more_than_half_of_it_is_theirs() -> None:
    """Two layers of 10 ms have an all-to-all of 2.5 ms each: no more than half."""
    (formula,) = (one for one in CALCULATOR.of_role("warning") if one.name == "latency_dominates")
    assert "most of it the all-to-all" not in formula.function(0.6, 0.010, 0.0025, 2, 16, 8)
    assert "on other nodes" in formula.function(0.6, 0.010, 0.0025, 3, 16, 8)
    assert "on other GPUs" in formula.function(0.6, 0.009, 0.0025, 2, 8, 8)


def test_a_gpu_faster_than_any_tested_is_named_before_narrow_weights() -> None:
    (formula,) = (one for one in CALCULATOR.of_role("warning") if one.name == "outside_fitted_devices")
    assert "narrower weights" in formula.function(FASTEST_TESTED, 0.9)
    assert "this GPU" in formula.function(FASTEST_TESTED * 1.01, 0.9)


@pytest.mark.parametrize(("bits", "rate"), [("8", "8 bits"), ("4", "4 bits")])
def test_a_compute_precision_without_a_rate_is_refused(bits: str, rate: str) -> None:
    with pytest.raises(InputError) as error:
        answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {**ROUND, "arithmetic": bits}))
    assert f"no rate for {rate}" in error.value.problems["arithmetic"]
    given = {
        **ROUND,
        "arithmetic": bits,
        "peak_flops_fp8": "200 TFLOP/s",
        "peak_flops_fp4": "400 TFLOP/s",
        "weight_bytes": 1,
    }
    values = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))
    assert values["serving_peak_flops"] == {"8": 2e14, "4": 4e14}[bits]


def test_long_prompts_spread_over_all_steps_were_predicted_too_fast() -> None:
    assert "32% too fast" in spoken(input_tokens=20000, prefill_schedule="evenly")["long_prompts_mixed"]
    assert "32%" not in spoken(input_tokens=20000, prefill_schedule="chunks")["long_prompts_mixed"]


def test_a_sentence_names_the_numbers_behind_it() -> None:
    # 125,000 tokens of KV cache in each of 4 replicas: 1.25 sessions of 100,000
    report = spoken(concurrent_sequences=20, sessions=6, session_context=100000)["sessions_exceed_memory"]
    assert [part in report for part in ("6 sessions", "100,000 tokens", "1.25 sessions")] == [True] * 3
    # 20 sequences take 43.998 ms a step: 35.2 to 52.7975
    report = spoken(concurrent_sequences=20, tpot_target="52.7 ms")["target_within_band"]
    assert [part in report for part in ("52.7 ms", "35.2 ms", "52.8 ms")] == [True] * 3

"""Training time: what it warns of, and when it keeps silent."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.catalog import CALCULATORS
from tests.training.said import said

TIME = CALCULATORS["training_time"]
SPEAKS: list[tuple[str, dict[str, Any], str]] = [
    (
        "active_within_all",
        {"parameters": "70B", "active_parameters": "71B"},
        "Active parameters must be at most all 70B parameters, not 71B parameters",
    ),
    (
        "faster_than_peak",
        {"parameters": "70B", "measured_rate": 2500, "peak_flops": "989 TFLOP/s"},  # 6 x 70e9 x 2500 = 1.05e15
        "This speed needs 106% of the peak given: the run uses a faster precision, or the peak is too low.",
    ),
    (
        "faster_than_peak_with_attention",
        # 6 x 126 x 16384 x 131072 = 1.62e12 FLOP of attention beside 6 x 405.9e9 = 2.44e12: two thirds more than 85 %
        {"model": "llama-3-1-405b", "mfu": 0.85, "sequence_length": 131072},
        (
            "With causal attention counted this speed is 142% of the peak given, which no device reaches: "
            "a utilization without attention does not hold at 131,072 tokens, or the peak is too low."
        ),
    ),
    (
        "above_published",
        {"mfu": 0.6},
        (
            "60% without attention is above what is published for dense models in bf16 on H100; "
            "A100s and TPUs have reached it."
        ),
    ),
    (
        "above_published",
        {"mfu": 0.7},
        (
            "70% without attention is above what is published for dense models in bf16 on H100, and on A100, "
            "where 65.3% is the most; TPUs have reached it."
        ),
    ),
    (
        "above_published",
        {"mfu": 0.85},
        (
            "85% without attention is above what is published for dense models in bf16 on H100, on A100 (65.3%) "
            "and on TPUs (71.47%); fp8 held against a bf16 peak can look like this."
        ),
    ),
    (
        "attention_left_out",
        {"model": "llama-3-1-405b", "sequence_length": 131072},
        (
            "At 131,072 tokens the attention scores add 66.7% to the FLOPs of the parameters, and they are ignored: "
            "right only if the MFU given ignores them too."
        ),
    ),
    (
        "not_model_flops",
        {"mfu": 0.4, "recompute": "full"},  # 6 of 8 FLOPs are the model's
        "The 40% counts recomputed FLOPs as well; as model FLOPs utilization the same speed is 30%.",
    ),
    (
        "gpus_alone",
        {"accelerator": "tpu-v4"},
        (
            "Energy and emissions count the accelerators alone, 192 W each, as publications do; "
            "what the rest of their servers draws comes on top."
        ),
    ),
    (
        "far_from_optimal",
        {"parameters": "1B", "tokens": "201B"},
        (
            "201B tokens is far beyond the 20B tokens that spend training compute best: "
            "usual for a small model that is to be cheap to serve."
        ),
    ),
    (
        "far_from_optimal",
        {"parameters": "1B", "tokens": "1.9B"},
        (
            "1.9B tokens is far below the 20B tokens that spend training compute best: "
            "a smaller model would learn as much from them."
        ),
    ),
]
SILENT: list[tuple[str, dict[str, Any]]] = [
    ("active_within_all", {"parameters": "70B", "active_parameters": "70B"}),
    ("faster_than_peak", {"parameters": "70B", "measured_rate": 2350, "peak_flops": "989 TFLOP/s"}),
    ("faster_than_peak_with_attention", {"model": "llama-3-1-405b", "mfu": 0.59, "sequence_length": 131072}),
    ("faster_than_peak_with_attention", {"model": "llama-3-1-405b", "measured_rate": 2000, "sequence_length": 131072}),
    ("above_published", {"mfu": 0.55}),
    ("above_published", {"model": "llama-3-1-405b", "mfu": 0.85, "sequence_length": 131072}),
    ("attention_left_out", {"model": "llama-3-1-405b", "sequence_length": 131072, "attention_flops": "causal"}),
    ("attention_left_out", {"model": "llama-3-1-405b", "sequence_length": 8192}),
    ("not_model_flops", {"mfu": 0.4, "recompute": "full", "utilization_counts": "model"}),
    ("not_model_flops", {"recompute": "full", "measured_rate": 100}),
    ("not_model_flops", {"recompute": "selective", "attention_flops": "ignored"}),
    ("gpus_alone", {"host_power_per_gpu": "575 W"}),
    ("far_from_optimal", {"parameters": "1B", "tokens": "200B"}),
    ("far_from_optimal", {"parameters": "1B", "tokens": "2B"}),
]


@pytest.mark.parametrize(("name", "given", "sentence"), SPEAKS)
def test_it_says_what_is_wrong(name: str, given: dict[str, Any], sentence: str) -> None:
    assert said(TIME, given).get(name) == sentence


@pytest.mark.parametrize(("name", "given"), SILENT)
def test_it_is_silent_where_nothing_is_wrong(name: str, given: dict[str, Any]) -> None:
    assert name not in said(TIME, given)


def test_every_check_and_caution_has_an_example_that_speaks_and_one_that_is_silent() -> None:
    declared = {formula.name for formula in (*TIME.of_role("check"), *TIME.of_role("caution"))}
    assert {name for name, *_ in SPEAKS} == {name for name, _ in SILENT} == declared

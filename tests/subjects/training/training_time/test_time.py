"""Training time: what it warns of, and when it keeps silent."""

from __future__ import annotations

from typing import Any

import pytest

from calculators import facts
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.vocabulary.models import models
from tests.subjects.training.training_memory.said import said

TIME = CALCULATORS["training_time"]
BIASED = {"gpt-oss-120b", "bloom-176b", "opt-175b"}
SPEAKS: list[tuple[str, dict[str, Any], str]] = [
    (
        "active_within_all",
        {"parameters": "70B", "active_parameters": "71B"},
        "Active parameters must be at most all 70B parameters, not 71B parameters",
    ),
    (
        "faster_than_peak",
        {"parameters": "70B", "measured_rate": 2500, "peak_flops": "989 TFLOP/s"},  # 6 x 70e9 x 2500 = 1.05e15
        ("This speed is 106% of the given peak: the run uses a faster precision, or the peak is too low."),
    ),
    (
        "faster_than_peak_with_attention",
        # 6 x 126 x 16384 x 131072 = 1.62e12 FLOP of attention beside 6 x 403.8e9 = 2.42e12; 85 % counts 6 x 405.9e9
        {"model": "llama-3-1-405b", "mfu": 0.85, "sequence_length": 131072},
        (
            "With causal attention counted this speed is 141% of the given peak, which no device "
            "reaches: an MFU without attention does not apply at 131,072 tokens, or the peak is too "
            "low."
        ),
    ),
    (
        "above_published",
        {"mfu": 0.6},
        ("60% without attention is above all published dense bf16 runs on H100; A100s and TPUs have reached it."),
    ),
    (
        "above_published",
        {"mfu": 0.7},
        (
            "70% without attention is above all published dense bf16 runs on H100 and on A100 (65.3% "
            "at most); TPUs have reached it."
        ),
    ),
    (
        "above_published",
        {"mfu": 0.85},
        (
            "85% without attention is above all published dense bf16 runs on H100, A100 (65.3%) and "
            "TPUs (71.47%); fp8 compared with a bf16 peak can look like this."
        ),
    ),
    (
        "attention_left_out",
        {"model": "llama-3-1-405b", "sequence_length": 131072},
        (
            "At 131,072 tokens attention scores add 66.7% to the FLOPs of the parameters and are "
            "ignored: correct only if the given MFU ignores them too."
        ),
    ),
    (
        "not_model_flops",
        {"mfu": 0.4, "recompute": "full"},  # 6 of 8 FLOPs are the model's
        "The 40% includes recomputed FLOPs; as model FLOPs utilization the same speed is 30%.",
    ),
    (
        "gpus_alone",
        {"accelerator": "tpu-v4"},
        (
            "Energy and emissions count the accelerators only, 192 W each, as publications do; the "
            "rest of the servers is not included."
        ),
    ),
    (
        "far_from_optimal",
        {"parameters": "1B", "tokens": "201B"},
        (
            "201B tokens is far above the compute-optimal 20B tokens: typical for a small model that "
            "should be cheap to serve."
        ),
    ),
    (
        "far_from_optimal",
        {"parameters": "1B", "tokens": "1.9B"},
        ("1.9B tokens is far below the compute-optimal 20B tokens: a smaller model would learn as much from them."),
    ),
    (
        "tokens_by_rule",
        {"model": "mixtral-8x7b"},
        (
            "934B tokens is the compute-optimal number, 20 tokens per parameter, not a published "
            "one; models built for serving train on many more."
        ),
    ),
    (
        "of_another_device",
        {"accelerator": "b300-sxm"},
        (
            "$3/GPU-hour is the price of an H100, and so is an MFU of 40%. 2.25 PFLOP/s is another "
            "device's peak: set its own to compare cost and time."
        ),
    ),
    (
        "of_another_device",
        {"accelerator": "b300-sxm", "mfu": 0.45},
        (
            "$3/GPU-hour is the price of an H100. 2.25 PFLOP/s is another device's peak: set its own "
            "to compare cost and time."
        ),
    ),
    (
        "of_another_device",
        {"accelerator": "a100-sxm-80gb"},  # its price is known
        ("40% is the MFU of H100s. 312 TFLOP/s is another device's peak: set its own MFU to compare times."),
    ),
    (
        "beyond_positions",
        {"model": "gpt-3-175b", "sequence_length": 2049},
        "The model has learned 2,048 positions: without a longer table it cannot be trained on 2,049 tokens.",
    ),
    (
        "beyond_positions",
        {"model": "bloom-176b", "sequence_length": 4096},
        (
            "The model is made for 2,048 tokens at most, not for 4,096 tokens: "
            "right only if its positions are being stretched."
        ),
    ),
    (
        "enough_heads",
        {"heads": 64, "kv_heads": 128},
        "Key-value heads must be at most 64 heads: each serves one or more attention heads",
    ),
    ("enough_experts", {"experts": 4, "experts_per_token": 5}, "Experts per token must not exceed 4 experts"),
    (
        "attending_within_layers",
        {"layers": 80, "attention_layers": 81},
        "Layers with attention must not exceed 80 layers",
    ),
    (
        "above_published_with_attention",
        {"model": "llama-3-8b", "mfu": 0.95, "attention_flops": "causal", "sequence_length": 131072},
        "95% with causal attention counted is above all published runs: 71.47%, on TPUs.",
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
    ("tokens_by_rule", {"model": "gpt-3-175b"}),
    ("tokens_by_rule", {"model": "mixtral-8x7b", "tokens": "1T"}),
    ("of_another_device", {"accelerator": "h200-sxm"}),  # an H100's peak, and a price of its own
    ("of_another_device", {"accelerator": "a100-sxm-80gb", "measured_rate": 380}),
    ("of_another_device", {"accelerator": "b300-sxm", "mfu": 0.45, "price_per_gpu_hour": 6}),
    ("beyond_positions", {"model": "gpt-3-175b"}),
    ("beyond_positions", {"model": "gpt-3-175b", "sequence_length": 1024}),
    ("beyond_positions", {"model": "bloom-176b", "sequence_length": 2048}),
    ("beyond_positions", {"model": "bloom-176b", "sequence_length": 2047}),
    ("beyond_positions", {"parameters": "7B", "sequence_length": "1M"}),
    ("enough_heads", {"heads": 64, "kv_heads": 64}),
    ("enough_experts", {"experts": 4, "experts_per_token": 4}),
    ("attending_within_layers", {"layers": 80, "attention_layers": 80}),
    (
        "above_published_with_attention",
        {"model": "llama-3-8b", "mfu": 0.71, "attention_flops": "causal", "sequence_length": 131072},
    ),
    ("above_published_with_attention", {"mfu": 0.8}),  # said of the count without attention
]


@pytest.mark.parametrize(("name", "given", "sentence"), SPEAKS)
def test_it_says_what_is_wrong(name: str, given: dict[str, Any], sentence: str) -> None:
    assert said(TIME, given).get(name) == sentence


@pytest.mark.parametrize(("name", "given"), SILENT)
def test_it_is_silent_where_nothing_is_wrong(name: str, given: dict[str, Any]) -> None:
    assert name not in said(TIME, given)


def test_every_check_and_caution_has_an_example_that_speaks_and_one_that_is_silent() -> None:
    declared = {formula.name for formula in (*TIME.of_role("constraint"), *TIME.of_role("warning"))}
    assert {name for name, *_ in SPEAKS} == {name for name, _ in SILENT} == declared


def test_what_is_published_is_not_called_more() -> None:
    """71.47 % is the most on TPUs, and the whole of the peak is not more than it."""
    (beyond,) = (one for one in TIME.of_role("warning") if one.name == "above_published_with_attention")
    assert beyond.needs == ("mfu_without_attention", "mfu_causal", "hfu")
    assert not beyond.function(0.4, 0.7147, 0.8)
    assert beyond.function(0.4, 0.7148, 1)
    assert beyond.function(0.4, 1, 1)
    assert not beyond.function(0.4, 1.01, 1)
    assert not beyond.function(0.4, 0.9, 1.01)


def inputs(**given: Any) -> dict[str, Any]:
    return dict(parse_inputs(TIME, given).values)


def test_a_model_brings_the_tokens_and_the_sequences_it_was_trained_on() -> None:
    opt = inputs(model="opt-175b")
    assert (opt["tokens"], opt["sequence_length"], opt["positions"]) == (300e9, 2048, 2048)
    assert inputs(model="deepseek-v3")["sequence_length"] == 4096
    assert inputs(model="mistral-7b")["sequence_length"] == 8192


def test_other_tokens_or_another_price_leave_the_menus_where_they_stand() -> None:
    resolved = parse_inputs(TIME, {"tokens": "1T", "sequence_length": 4096, "price_per_gpu_hour": 2})
    assert resolved.presets == {"model": "llama-3-1-405b", "accelerator": "h100-sxm"}
    assert resolved.values["layers"] == 126


@pytest.mark.parametrize(("device", "price"), [("h100-sxm", 3), ("h200-sxm", 4), ("a100-sxm-80gb", 1.3)])
def test_a_device_of_known_price_brings_it(device: str, price: float) -> None:
    assert inputs(accelerator=device)["price_per_gpu_hour"] == price


def test_another_size_keeps_the_share_of_a_chosen_mixture_that_works_on_a_token() -> None:
    mixtral = inputs(model="mixtral-8x7b")
    assert (mixtral["parameters"], mixtral["active_parameters"]) == (46702792704, 12879925248)
    larger = inputs(model="mixtral-8x7b", parameters=2 * 46702792704)
    assert larger["active_parameters"] == pytest.approx(2 * 12879925248)


def test_dimensions_are_counted_and_not_the_last_model_s_size() -> None:
    assert inputs(layers=32, hidden=4096)["parameters"] == pytest.approx(7.49e9, rel=1e-3)
    assert inputs(model="llama-3-70b", layers=40)["parameters"] == pytest.approx(36.3e9, rel=1e-2)


def test_sizes_alone_are_of_a_dense_model_or_of_one_with_so_many_at_work() -> None:
    assert inputs(parameters="70B")["active_parameters"] == 70e9
    assert inputs(active_parameters="37B")["parameters"] == 37e9
    both = inputs(parameters="671B", active_parameters="37B")
    assert both["layers"] == inputs(active_parameters="37B")["layers"] < inputs(parameters="671B")["layers"]


@pytest.mark.parametrize("record", models(), ids=lambda record: record.key)
def test_every_model_of_the_menu_counts_what_its_record_says(record: facts.Record) -> None:
    given = inputs(model=record.key)
    for size in ("parameters", "active_parameters"):  # three records hold small biases that the dimensions do not name
        assert given[size] == pytest.approx(record.value(size), rel=1e-8 if record.key not in BIASED else 4e-4)
    assert given["attention_width"] == (record.value("attention_width") or record.value("hidden"))

"""Training time: what its warnings name, and the inputs that a menu fills."""

from __future__ import annotations

from typing import Any

import pytest

from calculators import facts
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.vocabulary.models import models

TIME = CALCULATORS["training_time"]
BIASED = {"gpt-oss-120b", "bloom-176b", "opt-175b"}
WARNINGS = {one.name: one for one in TIME.of_role("warning")}


@pytest.mark.parametrize(
    ("mfu", "devices"),
    [
        (0.6, "H100; A100s and TPUs have reached it."),
        (0.7, "H100 and on A100 (65.3% at most); TPUs have reached it."),
        (0.85, "H100, A100 (65.3%) and TPUs (71.47%); fp8 compared with a bf16 peak can look like this."),
    ],
)
def test_the_devices_that_have_not_reached_a_speed_are_named(mfu: float, devices: str) -> None:
    assert WARNINGS["above_published"].function(mfu, mfu, mfu).endswith(devices)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((3.0, 0.4, None), ("{price_per_gpu_hour}", "{mfu}")),
        ((3.0, 0.45, None), ("{price_per_gpu_hour}",)),
        ((6.0, 0.4, None), ("{mfu}",)),
        ((6.0, 0.4, 380.0), ()),
    ],
)
def test_what_is_an_h100_s_is_named_where_the_peak_is_another(given: tuple[Any, ...], named: tuple[str, ...]) -> None:
    sentence = WARNINGS["of_another_device"].function(*given, 2.25e15)
    assert tuple(name for name in ("{price_per_gpu_hour}", "{mfu}") if name in sentence) == named


def test_what_is_published_is_not_called_more() -> None:
    """71.47 % is the most on TPUs, and the whole of the peak is not more than it."""
    beyond = WARNINGS["above_published_with_attention"]
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


def test_other_tokens_or_another_price_leave_the_menus_where_they_are() -> None:
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

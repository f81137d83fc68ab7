"""Answers as finished text: bands, boxes, notes, verdicts and cells say what the values are."""

from __future__ import annotations

import pytest

from calculators.answers.answer import (
    CannotCalculateError,
    cells,
    controls,
    evaluated,
    sentence,
    verdict_lines,
)
from calculators.answers.explore.bands import bands
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS

INFERENCE, TRAINING = CALCULATORS["inference"], CALCULATORS["training_time"]


@pytest.mark.parametrize(
    ("gpus", "low", "high", "band", "message"),
    [
        (24, 16, 24, "16 to 24 GPUs", "24 GPUs (16 to 24 GPUs)"),
        (16, 16, 16, "16 GPUs at both ends of the range", "16 GPUs"),
        (1, 1, 2, "1 GPU to 2 GPUs", "1 GPU (1 GPU to 2 GPUs)"),
        (24, None, 24, None, "24 GPUs"),
    ],
)
def test_a_band_says_its_unit_once_and_is_left_out_of_the_sentence_where_its_ends_are_one(
    gpus: int, low: int | None, high: int, band: str | None, message: str
) -> None:
    values = {
        **evaluated(INFERENCE, parse_inputs(INFERENCE, {})),
        "serving_gpus": gpus,
        "serving_gpus_at_least": low,
        "serving_gpus_at_most": high,
    }
    assert bands(INFERENCE, values).get("serving_gpus") == band
    assert cells(INFERENCE, values)["band.serving_gpus"] == message.removeprefix(f"{gpus} GPU").removeprefix("s")
    assert f"{message} " in sentence(INFERENCE, values) + " "


def test_a_box_is_as_typed_or_has_four_digits_and_names_the_record_that_does_not_know_it() -> None:
    menu = {"accelerator": "a10g"}
    price = controls(TRAINING, parse_inputs(TRAINING, menu))["price_per_gpu_hour"]
    assert "NVIDIA A10G" in price["note"]
    typed = controls(TRAINING, parse_inputs(TRAINING, {**menu, "price_per_gpu_hour": "3.00001"}))["price_per_gpu_hour"]
    assert (typed["box"], typed["note"], typed["origin"]) == ("$3.00001/GPU-hour", "", "yours")
    large = controls(TRAINING, parse_inputs(TRAINING, {"model": "llama-3-1-405b"}))["parameters"]
    assert (large["box"], large["note"]) == ("405.9B", "")  # 405,853,388,800 to four digits
    nothing = controls(TRAINING, parse_inputs(TRAINING, {}))["measured_rate"]
    assert nothing["stop"] == 0


def test_verdict_lines_come_worst_first_with_their_labels() -> None:
    goodput = CALCULATORS["goodput"]
    lines = verdict_lines(goodput, evaluated(goodput, parse_inputs(goodput, {"checkpoint_interval": "1 h"})))
    assert [line.partition(": ")[0] for line in lines] == [
        "Checkpoint interval",
        "Goodput against published runs",
        "Detection and restart",
    ]


def test_what_is_not_finite_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    resolved = parse_inputs(TRAINING, {})
    for wrong in (float("inf"), float("nan")):
        monkeypatch.setattr(type(TRAINING), "evaluate", lambda *_, wrong=wrong: {"tokens": wrong})
        with pytest.raises(CannotCalculateError):
            evaluated(TRAINING, resolved)

"""KV cache: the verdict, the sentence and the picture."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.declare import pictures
from calculators.subjects.serving.kv_cache.calculator import CALCULATOR
from tests.subjects.serving.kv_cache.round_model import values, verdict

assert CALCULATOR.picture is not None


PICTURE = CALCULATOR.picture


@pytest.mark.parametrize(
    ("given", "level", "word", "numbers"),
    [
        # A sequence of 1,024 tokens takes 4.096 MB on each GPU; 2 GB hold 488 of them.
        ({}, "good", "fits", ("39.1 MiB", "1.86 GiB", "488 sequences")),
        ({"sequences": 440}, "tight", "tight", ("1.68 GiB", "1.86 GiB", "488 sequences")),
        (
            {"sequences": 1000},
            "bad",
            "does not fit",
            ("1,000 sequences", "3.81 GiB", "1.86 GiB", "488 sequences", "496 tokens"),
        ),
        (
            {"sequences": 1, "context": 1_000_000},
            "bad",
            "does not fit",
            ("3.73 GiB", "1.86 GiB", "Not even one", "1 sequence", "500,000 tokens"),
        ),
        ({"sequences": 1_000_000}, "bad", "does not fit", ("1M sequences", "3.73 TiB", "488 sequences")),
        (
            {"positions": 1023},
            "tight",
            "fits, but beyond the model's context",
            ("39.1 MiB", "1,023 tokens", "1,024 tokens"),
        ),
        ({"positions": 1023, "sequences": 1_000_000}, "bad", "does not fit", ("3.73 TiB", "488 sequences")),
        ({"gpu_memory": "5 GB"}, "bad", "does not fit", ("1.86 GiB of weights", "954 MiB of overhead")),
    ],
)
def test_the_verdict_gives_its_level_and_the_numbers_behind_it(
    given: dict[str, Any], level: str, word: str, numbers: tuple[str, ...]
) -> None:
    *judged, reason = verdict(**given)
    assert judged == [level, word]
    assert [number for number in numbers if number not in reason] == []


@pytest.mark.parametrize("sequences", [439, 488, 489])
def test_the_verdict_turns_at_90_percent_and_at_the_last_sequence(sequences: int) -> None:
    # 0.9 of 2 GB are 1.8 GB, or 439.45 sequences of 4.096 MB.
    assert verdict(sequences=sequences)[0] == {439: "good", 488: "tight", 489: "bad"}[sequences]


def test_the_sentence_gives_what_fits_and_what_each_sequence_takes() -> None:
    sentence = answer.sentence(CALCULATOR, values(sequences=1000))
    for number in ("488 sequences", "1,024 tokens", "8B parameters", "8 ranks", "3.91 MiB", "1.86 GiB"):
        assert number in sentence


def test_sliding_windows_take_less_per_additional_token_and_on_average() -> None:
    # Gemma 3 27B: 62 layers, 10 without a window; a key and a value of 16 heads of 128 in 16 bits: 8 KiB each layer.
    found = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {"model": "gemma-3-27b", "context": 131072}))
    assert found["cache_per_token"] == 62 * 8 * 1024
    assert found["cache_per_further_token"] == 10 * 8 * 1024
    # Ten layers hold 131,072 tokens, 52 hold 64 pages of 16 and one page more.
    assert found["cache_per_sequence"] == (10 * 131072 + 52 * 1040) * 8 * 1024
    assert found["cache_per_token_average"] == found["cache_per_sequence"] / 131072


def test_before_a_window_is_full_every_layer_takes_the_next_token() -> None:
    hybrid = {"attention": "hybrid", "global_layer_share": 0.3, "window": 256}
    assert values(**hybrid, context=255)["cache_per_further_token"] == 10 * 1600
    assert values(**hybrid, context=256)["cache_per_further_token"] == 3 * 1600


def test_the_picture_stacks_one_gpu_and_marks_its_memory() -> None:
    # 2 GB weights, 1 overhead, 0.04096 cache, 1.95904 free, 5 kept back: ten in all, of twelve that are drawn.
    # The cache is too thin to be seen, 0.34 %, so it is drawn 0.7 wide, and what is kept back gives the difference.
    drawing = pictures.drawing(PICTURE, values())
    assert drawing.widened == ("cache_memory_per_gpu",)
    assert drawing.places == {
        "0.0": {"x": "0.000%", "width": "16.667%"},
        "0.1": {"x": "16.667%", "width": "8.333%"},
        "0.2": {"x": "25.000%", "width": "0.700%"},
        "0.3": {"x": "25.700%", "width": "16.325%"},
        "0.4": {"x": "42.025%", "width": "41.308%"},
        "0.excess": {"x": "83.333%", "width": "0.000%"},
        "0.break": {"x": "97.000%", "width": "0.000%"},
        "limit": {"x1": "83.333%", "x2": "83.333%"},
    }


def test_a_cache_larger_than_memory_is_hatched_beyond_a_fixed_limit() -> None:
    # 3,000 sequences take 12.288 GB: 20.288 in all, twelve of them drawn, ten of them memory.
    drawing = pictures.drawing(PICTURE, values(sequences=3000))
    assert drawing.places["limit"]["x1"] == "83.333%"
    assert drawing.places["0.excess"] == {"x": "83.333%", "width": "16.667%"}
    assert drawing.places["0.3"]["width"] == "0.000%"
    assert drawing.cut == (0,)

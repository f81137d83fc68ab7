"""KV cache: the verdict, the sentence and the picture."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.resolve import settled
from calculators.declare import pictures
from calculators.subjects.serving.kv_cache.calculator import CALCULATOR
from tests.subjects.serving.kv_cache.round_model import values, verdict

assert CALCULATOR.picture is not None


PICTURE = CALCULATOR.picture


@pytest.mark.parametrize(
    ("given", "level", "word", "said"),
    [
        # A sequence of 1,024 tokens takes 4.096 MB on each GPU; 2 GB hold 488 of them.
        ({}, "good", "fits", "The cache takes 39.1 MiB of the 1.86 GiB per GPU; 488 sequences would fit."),
        (
            {"sequences": 440},
            "tight",
            "tight",
            "The cache takes 1.68 GiB of the 1.86 GiB per GPU; there is room for 488 sequences at most.",
        ),
        (
            {"sequences": 1000},
            "bad",
            "does not fit",
            (
                "The cache binds: 1,000 sequences would take 3.81 GiB per GPU, and 1.86 GiB is left. "
                "There is room for 488 sequences of this length; at 496 tokens, 1,000 sequences would fit."
            ),
        ),
        (
            {"sequences": 1, "context": 1_000_000},
            "bad",
            "does not fit",
            (
                "The cache binds: 1 sequence would take 3.73 GiB per GPU, and 1.86 GiB is left. "
                "Not one of this length fits; at 500,000 tokens, 1 sequence would fit."
            ),
        ),
        (
            {"sequences": 1_000_000},
            "bad",
            "does not fit",
            (
                "The cache binds: 1M sequences would take 3.73 TiB per GPU, and 1.86 GiB is left. "
                "There is room for 488 sequences of this length."
            ),
        ),
        (
            {"positions": 1023},
            "tight",
            "fits, but too long",
            (
                "The cache takes 39.1 MiB of the 1.86 GiB per GPU, "
                "but the model is made for 1,023 tokens, not 1,024 tokens."
            ),
        ),
        (
            {"positions": 1023, "sequences": 1_000_000},
            "bad",
            "does not fit",
            (
                "The cache binds: 1M sequences would take 3.73 TiB per GPU, and 1.86 GiB is left. "
                "There is room for 488 sequences of this length."
            ),
        ),
        (
            {"gpu_memory": "5 GB"},
            "bad",
            "does not fit",
            (
                "The weights bind: 1.86 GiB of them and 954 MiB of overhead fill what the engine may use of each GPU; "
                "no cache fits."
            ),
        ),
    ],
)
def test_the_verdict_names_what_binds(given: dict[str, Any], level: str, word: str, said: str) -> None:
    assert verdict(**given) == (level, word, said)


@pytest.mark.parametrize("sequences", [439, 488, 489])
def test_the_verdict_turns_at_nine_tenths_and_at_the_last_sequence(sequences: int) -> None:
    # 0.9 of 2 GB are 1.8 GB, or 439.45 sequences of 4.096 MB.
    assert verdict(sequences=sequences)[0] == {439: "good", 488: "tight", 489: "bad"}[sequences]


def test_the_sentence_multiplies_for_the_reader() -> None:
    said = answer.sentence(CALCULATOR, values(sequences=1000))
    assert said == (
        "Beside the weights of 8B parameters over 8 ranks there is room for 488 sequences of 1,024 tokens at once: "
        "each takes 3.91 MiB of the 1.86 GiB that every GPU has left for the cache."
    )


def test_sliding_windows_take_less_for_each_further_token_and_on_average() -> None:
    # Gemma 3 27B: 62 layers, 10 without a window; a key and a value of 16 heads of 128 in 16 bits: 8 KiB each layer.
    found = answer.evaluated(CALCULATOR, settled(CALCULATOR, {"model": "gemma-3-27b", "context": 131072}))
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
        "limit": {"x1": "83.333%", "x2": "83.333%"},
    }


def test_a_cache_beyond_the_memory_is_hatched_beyond_a_limit_that_stays() -> None:
    # 3,000 sequences take 12.288 GB: 20.288 in all, twelve of them drawn, ten of them memory.
    drawing = pictures.drawing(PICTURE, values(sequences=3000))
    assert drawing.places["limit"]["x1"] == "83.333%"
    assert drawing.places["0.excess"] == {"x": "83.333%", "width": "16.667%"}
    assert drawing.places["0.3"]["width"] == "0.000%"
    assert drawing.cut == (0,)

"""Report on a configuration: cache per token, strip of layers, parameters by part."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calculators import configuration
from calculators.configuration import report
from tests.configuration.configurations import LLAMA, PUBLISHED

ATTENTION, BLOCK = 64 * 64 + 2 * 64 * 32 + 64 * 64, 3 * 64 * 160  # of a layer of LLAMA
ALL = 2 * 100 * 64 + 3 * (ATTENTION + BLOCK + 2 * 64) + 64


def test_the_sentence_has_active_parameters_and_cache_per_token() -> None:
    """Two heads of 16 keep a key and a value of two bytes each in three layers."""
    assert ALL == 142_272
    assert report.sentence(configuration.of_table(LLAMA)) == (
        "142,272 parameters in 3 layers: 3 with full attention; "
        f"active per token: all of them; KV cache: {3 * 2 * 2 * 16 * 2} B/token in bf16."
    )


def test_compressed_entries_are_kept_too() -> None:
    (found,) = (one["config"] for one in PUBLISHED if one["name"] == "deepseek-ai/DeepSeek-V4-Flash")
    stack = configuration.of_table(found).stack
    compressed = sum(layer.mixer.compressed for layer in stack.layers)
    assert compressed > 0
    assert report.cached_per_token(stack) == 2 * stack.cached + 2 * compressed


def test_parts_are_counted_and_are_shares_of_all() -> None:
    assert report.parts(configuration.of_table(LLAMA).stack) == [
        ("embedding", "Embedding", "6,400", "4.5%"),  # 6,400 / 142,272
        ("attention", "Attention", "36,864", "25.9%"),
        ("dense", "Feed-forward blocks", "92,160", "64.8%"),
        ("norms", "Norms and the rest", "448", "0.315%"),
        ("output", "Output layer", "6,400", "4.5%"),
    ]


def test_the_strip_has_a_letter_for_each_layer_in_rows_of_64_where_layers_differ() -> None:
    changed = {"model_type": "exaone4", "sliding_window": 32, "sliding_window_pattern": 2, "num_hidden_layers": 70}
    *rows, legend = report.read_file(json.dumps(LLAMA | changed)).strip
    assert "".join(rows[0::3]) == "wA" * 35
    assert "".join(rows[1::3]) == "d" * 70
    assert max(map(len, rows)) == 64
    assert {one.split(" ")[0] for one in legend.strip().split(", ")} == {"w", "A", "d"}


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"num_hidden_layers": 70}, "70 layers, all alike: full attention, one feed-forward block"),
        (
            {"model_type": "mixtral", "num_local_experts": 2, "num_experts_per_tok": 1},
            "3 layers, all alike: full attention, experts",
        ),
        (
            {"model_type": "mistral", "sliding_window": 32},
            "3 layers, all alike: sliding-window attention, one feed-forward block",
        ),
    ],
    ids=["full", "experts", "windows"],
)
def test_layers_that_are_all_alike_are_a_line(changed: dict[str, Any], line: str) -> None:
    assert report.read_file(json.dumps(LLAMA | changed)).strip == (line,)


def test_remarks_are_of_what_is_there() -> None:
    (plain,) = report.remarks(configuration.of_table(LLAMA))
    assert plain == "8 keys used, 0 ignored (no effect on shapes)."
    quantized = LLAMA | {"quantization_config": {"bits": 4}, "rope_theta": 1e4}
    read, bits = report.remarks(configuration.of_table(quantized))
    assert read == "8 keys used, 2 ignored (no effect on shapes)."
    assert "in 4 bits, " in bits
    assert "attention 0.5" in bits
    (jamba,) = (one["config"] for one in PUBLISHED if one["name"] == "Jamba-v0.1")
    assert "State layers keep 8.75 MiB per sequence, at any length." in report.remarks(
        configuration.of_table(jamba)
    )  # 4,587,520 values of two bytes

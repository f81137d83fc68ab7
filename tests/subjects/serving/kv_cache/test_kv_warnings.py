"""KV cache: each warning on both sides of its boundary, by hand, and the numbers that it names."""

from __future__ import annotations

from typing import Any

import pytest

from tests.subjects.serving.kv_cache.round_model import warning

MIXTURE = {"active_parameters": "2B", "experts_per_token": 4, "serving_expert_parallel": 16}
TABLES = {"vocab": 128_256, "hidden": 1712, "heads": 16, "head_dim": 107, "layers": 2, "gpu_memory": "80 GB"}
SPEAKS: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("heads_replicated", {}, ("25%", "2 times")),
    ("heads_replicated", {"attention": "mla"}, ("MLA", "100%", "8 times")),
    ("log_contradicts_weights", {"logged_cache_memory": "7.1 GB"}, ("6.61 GiB", "1.86 GiB", "9.31 GiB")),
    # 128,256 rows of 1,712 at the input and the output are 439M.
    ("small_served_model", {**TABLES, "parameters": "500M"}, ("500M", "128,256 tokens", "2 layers")),
    ("uneven_experts", {**MIXTURE, "experts": 20}, ("20 experts", "16 GPUs")),
    ("uneven_served_block", {"ffn_hidden": 1001}, ("1,001", "8 ranks")),
    ("context_beyond_positions", {"positions": 1023}, ("1,024 tokens", "1,023 tokens")),
    ("no_context_limit", {"attention": "hybrid", "global_layer_share": 0}, ()),
    (
        "expert_popularity",
        {"active_parameters": "2B", "experts": 4, "sequences": 2},
        ("1.75 experts", "4 experts"),
    ),
    # 16 GB of weights less 1.6 MB looked up, an eighth of it and 10 sequences of 4.096 MB through 1 TB/s: 2.041 ms.
    ("speed_is_a_bound", {}, ("4,900 tokens/s",)),
    ("sequences_wait", {"sequences": 489}, ("488 sequences",)),
    ("sequences_wait", {"sequences": 2, "context": 400_000}, ("1 sequence",)),
]

SILENT: dict[str, list[dict[str, Any]]] = {
    "small_served_model": [{**TABLES, "parameters": "500M", "layers": 24}, {**TABLES, "parameters": "1B"}],
    "heads_replicated": [{"tensor_parallel": 4}, {"attention": "mla", "tensor_parallel": 1, "gpu_memory": "100 GB"}],
    "log_contradicts_weights": [{"logged_cache_memory": "7 GB"}, {"gpu_memory": "1.1 GB"}],
    "uneven_experts": [
        {"active_parameters": "2B", "experts": 32, "experts_per_token": 4, "serving_expert_parallel": 16},
    ],
    "uneven_served_block": [
        {"ffn_hidden": 1000},
        {
            "ffn_hidden": 1001,
            "experts": 16,
            "experts_per_token": 4,
            "serving_expert_parallel": 16,
            "active_parameters": "2B",
        },
    ],
    "context_beyond_positions": [{"positions": 1024}],
    "no_context_limit": [{"attention": "hybrid", "global_layer_share": 0.1}],
    "expert_popularity": [
        {"active_parameters": "2B", "experts": 4, "sequences": 20},
        {"active_parameters": "2B", "experts": 16, "sequences": 1},
        {"active_parameters": "2B", "experts": 10, "experts_per_token": 2, "sequences": 1},
        {"active_parameters": "7B", "experts": 10, "experts_per_token": 8, "sequences": 1},
    ],
    "speed_is_a_bound": [{"gpu_memory": "5 GB"}],
    "sequences_wait": [{"sequences": 488}, {"gpu_memory": "5 GB"}],
}


@pytest.mark.parametrize(("name", "given", "numbers"), SPEAKS)
def test_a_warning_names_the_numbers_behind_it(name: str, given: dict[str, Any], numbers: tuple[str, ...]) -> None:
    text = warning(name, **given)
    assert text
    assert [number for number in numbers if number not in text] == []


@pytest.mark.parametrize(("name", "given"), [(name, given) for name, states in SILENT.items() for given in states])
def test_a_warning_is_silent_just_below_its_boundary(name: str, given: dict[str, Any]) -> None:
    assert warning(name, **given) == ""

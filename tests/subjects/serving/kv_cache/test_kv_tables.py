"""KV cache: each way of counting its bytes, applied to a round model by hand."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.subjects.serving.kv_cache.calculator import CALCULATOR
from tests.subjects.serving.kv_cache.round_model import values


def counted(**given: Any) -> dict[str, str]:
    """Result of each way of counting, by its name."""
    cells = answer.cells(CALCULATOR, values(**given))
    rows = sum(name.startswith("conventions.") for name in cells) // 3
    return {cells[f"conventions.{row}.0"]: cells[f"conventions.{row}.2"] for row in range(rows)}


def test_the_round_model_is_counted_each_way() -> None:
    """10 layers x 2 x 4 heads x 100 values are 8,000 a token, 15.6 KiB at two bytes: 16 MB for 1,000 tokens."""
    assert counted(context=1000, kv_block_size=1) == {
        "KV heads only, each value once": "15.6 KiB/token, 15.3 MiB for 1,000 tokens",
        "All query heads, as if none shared a KV head": "31.2 KiB/token, 2 times as much",
        "Whole KV heads on each tensor-parallel rank": (
            "3.91 KiB/token on each of 8 ranks, so each value is held 2 times"
        ),
        "One byte or two per value": "7.81 KiB/token or 15.6 KiB/token",
        "Decimal or binary sizes": "16 MB or 15.3 MiB for 1,000 tokens",
    }


def test_layers_with_a_state_cache_no_tokens() -> None:
    found = counted(attention_layers=3)
    assert found["Every layer caches its tokens"] == "15.6 KiB/token, compared with 4.69 KiB/token"
    assert found["One byte or two per value"] == "2.34 KiB/token or 4.69 KiB/token"


@pytest.mark.parametrize(("kv_heads", "report"), [(8, None), (2, "31.2 KiB/token, 4 times as much")])
def test_a_count_over_all_heads_is_listed_only_where_heads_share(kv_heads: int, report: str | None) -> None:
    assert counted(kv_heads=kv_heads, tensor_parallel=2).get("All query heads, as if none shared a KV head") == report


def test_a_value_that_one_rank_holds_is_held_once() -> None:
    assert counted(tensor_parallel=4)["Whole KV heads on each tensor-parallel rank"].endswith("is held once")


def test_memory_is_shown_as_drivers_print_it() -> None:
    """2 GB of room on each GPU less 10 sequences of 1,024 tokens of 4,000 B: 1.95904 GB."""
    assert CALCULATOR.text("cache_free", values()["cache_free"]) == "1.82 GiB"

"""Where the field disagrees: every such table says what a convention makes of the present state, and who uses it."""

from __future__ import annotations

import pytest

from calculators.__main__ import main
from calculators.catalog import CALCULATORS

WITH_ONE = sorted(name for name, each in CALCULATORS.items() if any(s.name == "conventions" for s in each.sheets))


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command line prints of it."""
    assert main([arguments[0], "--conventions", *arguments[1:]]) == 0
    return capsys.readouterr().out


def test_every_number_that_is_counted_in_several_ways_has_its_table() -> None:
    assert {"checkpoint", "goodput", "kv_cache", "power", "training_memory", "training_time"} <= set(WITH_ONE)


@pytest.mark.parametrize("name", WITH_ONE)
def test_each_row_names_a_convention_who_uses_it_and_what_comes_of_it(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [line for line in told(capsys, name).splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 2
    assert all(cell.strip() for row in rows for cell in row.strip("|").split("|"))


def test_a_save_of_405b_parameters_by_several_counts_of_a_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    """12, 14 and 16 B for each of 405e9: 4.86, 5.67 and 6.48 TB; 5.67e12 B are 5.157 TiB, in 60 s 94.5 GB/s."""
    out = told(capsys, "checkpoint", "--parameters", "405B")
    for said in ("4.86 TB", "14 B/parameter: 5.67 TB, 94.5 GB/s", "6.48 TB", "5.67 TB is 5.16 TiB"):
        assert said in out


def test_llama_3_70b_caches_eight_times_as_much_where_shared_heads_are_not_seen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """80 layers, a key and a value, 8 heads of 128, 2 B: 327,680 B; LLM-Tools counts all 64 heads: 2,621,440 B."""
    out = told(capsys, "kv_cache", "--model", "llama-3-70b")
    assert "320 KiB/token" in out
    assert "2.5 MiB/token, 8 times as much" in out


def test_llama_3_70b_at_8k_costs_a_token_by_three_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """6 × 70.55e9 = 423 GFLOP; Megatron Core prints 449.2, nanotron's full attention is 32.2 more: 481."""
    out = told(capsys, "training_time", "--model", "llama-3-70b", "--sequence-length", "8192")
    for said in ("423 GFLOP/token", "449 GFLOP/token", "481 GFLOP/token"):
        assert said in out


def test_a_mixture_of_experts_is_counted_by_what_works_on_a_token(capsys: pytest.CaptureFixture[str]) -> None:
    """DeepSeek-V3's 671B parameters would be 4.03 TFLOP for a token at 6 for each."""
    assert "4.03 TFLOP/token, or 6 FLOPs for each of" in told(capsys, "training_time", "--model", "deepseek-v3")

"""Where the field disagrees: every such table says what a convention makes of the present state, and who uses it."""

from __future__ import annotations

import pytest

from calculators.__main__ import main
from calculators.catalog import CALCULATORS

WITH_ONE = sorted(name for name, each in CALCULATORS.items() if any(s.name == "conventions" for s in each.tables))


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command line prints of it."""
    assert main([arguments[0], "--conventions", *arguments[1:]]) == 0
    return capsys.readouterr().out


def test_every_number_that_is_counted_in_several_ways_has_its_table() -> None:
    assert {"checkpoint", "goodput", "kv_cache", "power", "training_memory", "training_time"} <= set(WITH_ONE)


@pytest.mark.parametrize("name", WITH_ONE)
def test_each_row_names_a_convention_who_uses_it_and_what_comes_of_it(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [line for line in report(capsys, name).splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 2
    assert all(cell.strip() for row in rows for cell in row.strip("|").split("|"))


def test_a_checkpoint_of_405b_parameters_by_several_counts_of_a_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    """12, 14 and 16 B for each of 405e9: 4.86, 5.67 and 6.48 TB; 5.67e12 B are 5.157 TiB, in 60 s 94.5 GB/s."""
    out = report(capsys, "checkpoint", "--parameters", "405B")
    for text in (
        "4.86 TB",
        "14 B/parameter: 5.67 TB, 94.5 GB/s",
        "6.48 TB",
        "5.67 TB is 5.16 TiB",
        "| Fp8 weights only",
    ):
        assert text in out


def test_llama_3_70b_caches_eight_times_as_much_where_shared_heads_are_not_seen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """80 layers, a key and a value, 8 heads of 128, 2 B: 327,680 B; LLM-Tools counts all 64 heads: 2,621,440 B."""
    out = report(capsys, "kv_cache", "--model", "llama-3-70b")
    assert "320 KiB/token" in out
    assert "2.5 MiB/token, 8 times as much" in out


def test_llama_3_70b_at_8k_costs_a_token_by_three_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """6 × 70.55e9 = 423 GFLOP; Megatron Core prints 449.2, nanotron's full attention is 32.2 more: 481."""
    out = report(capsys, "training_time", "--model", "llama-3-70b", "--sequence-length", "8192")
    for text in ("423 GFLOP/token", "449 GFLOP/token", "481 GFLOP/token"):
        assert text in out


def test_a_mixture_of_experts_is_counted_by_what_works_on_a_token(capsys: pytest.CaptureFixture[str]) -> None:
    """DeepSeek-V3's 671B parameters would be 4.03 TFLOP for a token at 6 for each."""
    assert "4.03 TFLOP/token, or 6 FLOPs for each of" in report(capsys, "training_time", "--model", "deepseek-v3")


def test_tables_of_a_fine_tune_count_its_adapters(capsys: pytest.CaptureFixture[str]) -> None:
    """Llama 3 8B, rank 16: 4 x 8.03e9 + 6 x 41.9e6 FLOPs a token; 16 B for each of 41,943,040; a save 14 B for each."""
    lora = ("--model", "llama-3-8b", "--job", "lora")
    out = report(capsys, "training_time", *lora)
    assert "| 4 FLOPs per frozen parameter, attention ignored |" in out
    assert "32.4 GFLOP/token: 40% MFU" in out
    mixed = report(capsys, "training_time", "--model", "deepseek-v3", "--job", "lora", "--lora-targets", "all")
    assert "2.68 TFLOP/token, or 4 FLOPs for each of 37.6B parameters: 152 GFLOP/token" in mixed
    out = report(capsys, "training_memory", *lora)
    assert "2 + 2 + 4 + 8 = 16 B per trained parameter: 640 MiB of states besides the frozen weights" in out
    out = report(capsys, "checkpoint", "--parameters", "8B", "--job", "lora", "--trainable-parameters", "40M")
    assert "14 B/parameter: 560 MB, 9.33 MB/s" in out


def test_a_hundred_billion_parameters_in_training_by_several_recipes(capsys: pytest.CaptureFixture[str]) -> None:
    """16e11 B are 1.455 TiB, 18e11 1.637, 13e11 1.182 and 6e11 558.8 GiB; 80e9 B are 74.51 GiB."""
    out = report(capsys, "training_memory", "--parameters", "100B", "--gpu-memory", "80 GiB")
    for text in (
        "2 + 2 + 4 + 8 = 16 B per parameter: 1.46 TiB",
        "2 + 4 + 4 + 8 = 18 B per parameter: 1.64 TiB",
        "2 + 2 + 0 + 2 = 6 B per parameter: 559 GiB",
        "1 + 4 + 4 + 4 = 13 B per parameter: 1.18 TiB",
        "80 GiB; the same number of decimal GB is 74.5 GiB",
    ):
        assert text in out


def test_a_cache_by_width_by_prefix_and_without_its_windows(capsys: pytest.CaptureFixture[str]) -> None:
    """Llama 3 70B: 163,840 values, of 8,192 tokens 2.684e9 B. Gemma 3 27B: 2 x 62 x 16 x 128 x 2 B, times 8,192."""
    out = report(capsys, "kv_cache", "--model", "llama-3-70b")
    assert "160 KiB/token or 320 KiB/token" in out
    assert "2.68 GB or 2.5 GiB for 8,192 tokens" in out
    assert "sliding windows" not in out
    assert "3.88 GiB for 8,192 tokens, compared with" in report(
        capsys, "kv_cache", "--model", "gemma-3-27b", "--context", "8192"
    )
    assert "All query heads" not in report(capsys, "kv_cache", "--model", "deepseek-v3")


def test_a_storage_system_for_256_gpus_by_rules_and_by_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    """A node reads 10 GB/s; 1 GB/s a GPU take 26 of them, NVIDIA's best of 488 MB/s 12.5; 32 nodes at 40 GB/s each."""
    store = ("--storage-node", "none", "--drive", "none", "--drives-per-node", "2", "--drive-read", "10 GB/s")
    path = ("--node-network", "10 GB/s", "--client-network", "10 GB/s", "--path-efficiency", "100%")
    job = ("--gpus", "256", "--checkpoint-size", "60 GB", "--restore-window", "60 s")
    out = report(capsys, "storage_demand", *store, *path, *job)
    for text in (
        "1 GB/s per GPU: 256 GB/s read, 26 nodes",
        "488 MB/s per GPU: 125 GB/s read, 13 nodes",
        "40 GB/s per GPU node: 1.28 TB/s read",
        "60 GB, or 120 GB for 2 replicas of 128 GPUs: 2 GB/s within 60 s",
    ):
        assert text in out


def test_a_hall_of_128_servers_by_several_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """1,024 x 700 W are 716.8 kW, 1.4 times that 1.004 MW; half of 128 x 10.2 kW is 652.8 kW.

    A million GPU-hours are 700 MWh of GPUs, and of servers at a PUE of 1.2 1e6 x 1,275 W x 1.2; 415 V x 60 A x sqrt(3)
    are 43.1 kVA.
    """
    hall = ("--gpus", "1024", "--average-share", "50%", "--gpu-hours", "1M", "--pue", "1.2")
    out = report(capsys, "power", *hall, "--volts", "415 V", "--amperes", "60 A", "--breaker-share", "100%")
    for text in (
        "average 653 kW",
        "717 kW for the GPUs, or 1 MW",
        "700 MWh for 1M GPU-hours",
        "| 1.53 GWh |",
        "43.1 kVA",
    ):
        assert text in out

"""The default scenarios that retrieval, data lifecycle and RL post-training were specified with, through `--json`."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from calculators.__main__ import main

Captured = pytest.CaptureFixture[str]
GB, TB = 1e9, 1e12


def printed(command: str, capsys: Captured) -> dict[str, Any]:
    """Value of every result as `--json` prints it; of a verdict its word."""
    assert main([*shlex.split(command), "--json"]) == 0
    return {name: one["value"] for name, one in json.loads(capsys.readouterr().out)["results"].items()}


@pytest.mark.parametrize(
    ("given", "memory", "drives", "nodes", "decided", "p95", "cost"),
    [
        ("", 636 * GB, 0.80 * TB, 12, "memory", 8.7e-3, 12_430),
        ("--value-bytes 1", 175 * GB, 0.43 * TB, 4, "memory", 5.8e-3, 4_143),
        ("--index-kind diskann", 19 * GB, 1.29 * TB, 2, "copies", 11.5e-3, 2_072),
        ("--index-kind hnsw_mapped --code-bytes 0 --cached-vectors 0", 22 * GB, 0.80 * TB, 2, "copies", 53e-3, 2_072),
        ("--index-kind flat", 614 * GB, 0.80 * TB, 30, "processors", 1.12, 31_075),
    ],
)
def test_retrieval_as_specified(
    given: str, memory: float, drives: float, nodes: int, decided: str, p95: float, cost: float, capsys: Captured
) -> None:
    found = printed(f"retrieval {given}", capsys)
    names = ("index_memory", "index_kept", "search_latency_p95", "search_cost_per_month")
    assert [found[name] for name in names] == pytest.approx([memory, drives, p95, cost], rel=0.02)
    assert (found["search_nodes"], found["search_binding"]) == (nodes, decided)


@pytest.mark.parametrize(
    ("month", "hot", "warm", "cold"),
    [(0, 82.69, 731.9, 560.1), (12, 100.7, 894.1, 1123), (24, 132.9, 1121, 1929), (36, 177.9, 1501, 2991)],
)
def test_the_data_lifecycle_as_specified(month: int, hot: float, warm: float, cold: float, capsys: Captured) -> None:
    found = printed(f"data_lifecycle --shown-month '{month} months'", capsys)
    held = [found[f"{tier}_held"] / TB for tier in ("hot", "warm", "cold")]
    assert held == pytest.approx([hot, warm, cold], rel=6e-4)
    assert found["bill_total"] == pytest.approx(279_800, rel=2e-4)


@pytest.mark.parametrize(
    ("given", "step", "decided", "cost"),
    [
        ("--train-gpus 64", 311.9, "rollout engines", 36_964),
        ("", 301.6, "rollout engines", 35_742),
        ("--train-gpus 48 --max-staleness 4", 206.5, "rollout engines", 24_477),
        ("--train-gpus 64 --late-samples waited", 499.2, "the longest answer", 59_169),
        ("--algorithm dpo --prompts-per-step 512", 59.7, "trainer", 7_071),
    ],
)
def test_rl_post_training_as_specified(given: str, step: float, decided: str, cost: float, capsys: Captured) -> None:
    """The specification has one efficiency for all-reduces, however small."""
    found = printed(f"post_training --allreduce-decode-efficiency 0.7 {given}", capsys)
    assert found["rl_step_time"] == pytest.approx(step, abs=0.06)
    assert (found["rl_bottleneck"], found["rl_cost"]) == (decided, pytest.approx(cost, abs=2))

"""Inference: every verdict on both sides of its boundaries, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import parse_inputs
from calculators.declare import Verdict
from calculators.subjects.serving.inference import verdicts
from tests.subjects.serving.inference.round_inference import CALCULATOR, verdict

TPOT_LIMIT = "targets met; TPOT target is the limit, not memory"
# A verdict, what is given on top of the round model, its level and word, and the numbers that its reason names.
JUDGED: list[tuple[str, dict[str, Any], str, str, tuple[str, ...]]] = [
    ("targets_met", {"gpu_memory": "10 GB"}, "bad", "does not fit", ("1,000 tokens", "7.45 GiB", "9.31 GiB")),
    ("targets_met", {"concurrent_sequences": 125}, "bad", "does not fit", ("125 sequences", "124 sequences")),
    # 17.1 + 1.312896 n + 0.0016 n² ms for n sequences, see the case of twenty
    ("targets_met", {"tpot_target": "10 ms"}, "bad", "TPOT too slow", ("18.4 ms", "10 ms", "1.1 ms")),
    (
        "targets_met",
        {"concurrent_sequences": 20, "tpot_target": "20 ms"},
        "bad",
        "TPOT too slow",
        ("44 ms", "20 sequences", "20 ms"),
    ),
    (
        "targets_met",
        # 14.4 TFLOP of products, 0.013 of attention over 100 TFLOP/s, 1.1 ms and 0.6 ms: 145.8 ms, half a step before
        {"concurrent_sequences": 20, "tpot_target": "50 ms", "ttft_target": "100 ms"},
        "bad",
        "TTFT too slow",
        ("100 ms", "146 ms"),
    ),
    (
        "targets_met",
        {"concurrent_sequences": 20, "tpot_target": "50 ms", "replicas": 1},
        "bad",
        "TTFT too slow",
        ("grow without limit",),
    ),
    (
        "targets_met",
        {"concurrent_sequences": 20, "tpot_target": "50 ms", "replicas": 3, "ttft_target": "300 ms"},
        "bad",
        "TTFT too slow",
        ("at p95", "300 ms", "in queues"),
    ),
    (
        "targets_met",
        {"tpot_target": "1 s", "ttft_target": "100 s", "request_rate": 1},
        "tight",
        "targets met; memory is the limit",
        ("124 sequences",),
    ),
    (
        "targets_met",
        {"tpot_target": "1 s", "ttft_target": "100 s", "request_rate": 1, "max_num_seqs": 100},
        "tight",
        "targets met; max_num_seqs is the limit",
        ("100 sequences",),
    ),
    (
        "targets_met",
        {"concurrent_sequences": 101, "tpot_target": "1 s", "ttft_target": "100 s", "max_num_seqs": 100},
        "bad",
        "batch above max_num_seqs",
        ("101 sequences", "100 sequences"),
    ),
    # 17 take 39.9 ms, and 18 of them 41.3 ms
    ("targets_met", {}, "tight", TPOT_LIMIT, ("124 sequences", "17 sequences")),
    (
        "targets_met",
        {"concurrent_sequences": 10},
        "tight",
        "targets met; batch set below the limit",
        ("124 sequences", "17 sequences", "10 sequences"),
    ),
    (
        "targets_met",
        # 17.1 + 91.9 + 7.84 are 116.8 ms
        {"concurrent_sequences": 70, "tpot_target": "200 ms", "request_rate": 1},
        "good",
        "targets met",
        ("At p95", "70 sequences"),
    ),
    ("enough_replicas", {"concurrent_sequences": 20, "replicas": 1}, "bad", "overloaded", ("220%", "1 replica")),
    (
        "enough_replicas",
        {"concurrent_sequences": 20, "replicas": 3},
        "tight",
        "tight: above target utilization",
        ("73.3%", "3 replicas", "70%"),
    ),
    ("enough_replicas", {"concurrent_sequences": 20}, "good", "enough replicas", ("55%", "4 replicas")),
    ("enough_replicas", {"gpu_memory": "10 GB"}, "bad", "no replica count is enough", ()),
    ("replica_failure", {"concurrent_sequences": 20, "replicas": 1}, "bad", "N−1: no replica left", ()),
    ("replica_failure", {"concurrent_sequences": 20, "replicas": 2}, "bad", "N−1: overloaded", ("220%",)),
    (
        "replica_failure",
        {"concurrent_sequences": 20},
        "tight",
        "N−1: above target utilization",
        ("73.3%", "70%"),
    ),
    ("replica_failure", {"concurrent_sequences": 20, "spare_replicas": 1}, "good", "N−1: OK", ("55%",)),
    (
        "offload_pays_off",
        # 900 tokens of 16 kB at 2 · 20 MB/s take 360 ms, prefill 146 ms, which makes 98.8 MB/s
        {"concurrent_sequences": 20, "offload_tier": "storage", "offload_bandwidth": "20 MB/s"},
        "bad",
        "KV offload does not pay off",
        ("900 tokens", "360 ms", "98.8 MB/s"),
    ),
    (
        "offload_pays_off",
        {
            "concurrent_sequences": 20,
            "offload_tier": "storage",
            "offload_bandwidth": "60 MB/s",
            "ttft_target": "100 ms",
        },
        "tight",
        "KV offload pays off, but misses the TTFT target",
        ("1.22 times", "120 ms", "100 ms"),
    ),
    (
        "offload_pays_off",
        {"concurrent_sequences": 20, "offload_tier": "host", "offload_bandwidth": "1 GB/s"},
        "good",
        "KV offload pays off",
        ("900 tokens", "7.2 ms", "20.3 times"),
    ),
    (
        "offload_pays_off",
        # 16 kB a token: 2,000 sessions of 80,000 take 2.56 TB, and one server has 2 TB
        {"concurrent_sequences": 20, "offload_tier": "host", "offload_bandwidth": "1 GB/s", "sessions": 2000},
        "bad",
        "offload tier too small",
        ("2.56 TB", "holds 2 TB", "2 TB in each node"),
    ),
]


@pytest.mark.parametrize(("name", "given", "level", "word", "numbers"), JUDGED)
def test_a_verdict_gives_its_level_and_the_numbers_behind_it(
    name: str, given: dict[str, Any], level: str, word: str, numbers: tuple[str, ...]
) -> None:
    found_level, found_word, reason = verdict(name, **given)
    assert (found_level, found_word) == (level, word)
    assert [number for number in numbers if number not in reason] == []


def judged(name: str, *given: Any) -> tuple[str, str, str]:
    (formula,) = (one for one in CALCULATOR.of_role("verdict") if one.name == name)
    found: Verdict = formula.function(*given)
    return found.level, found.word, found.reason


# Room for ten, six run, both targets met to the rounding.
MET = {
    "serving_max_sequences": 10,
    "max_sequences": 10,
    "concurrent_sequences": 6,
    "sequences_within_target": 6,
    "tpot": 0.04,
    "tpot_target": 0.04,
    "user_tpot_p95": 0.04,
    "ttft_p95": 1,
    "ttft_target": 2,
    "fastest_tpot": 0.02,
    "prefill_time": 0.4,
    "cache_reload_time": 0.1,
    "cache_bytes": 0.5625,
    "peak_flops_fp4": 9e15,
}


@pytest.mark.parametrize(
    ("changed", "word", "because"),
    [
        ({}, "targets met", "TPOT is {user_tpot_p95}"),
        ({"concurrent_sequences": 5}, "targets met", "TPOT is {user_tpot_p95}"),
        (
            {"concurrent_sequences": 4, "sequences_within_target": 4},
            "targets met; TPOT target is the limit, not memory",
            "allows {concurrent_sequences}",
        ),
        (
            {"concurrent_sequences": 4, "sequences_within_target": 5},
            "targets met; batch set below the limit",
            "batch is set to",
        ),
        ({"concurrent_sequences": 10}, "targets met; memory is the limit", "memory allows no more"),
        (
            {"concurrent_sequences": 10, "max_sequences": 11},
            "targets met; max_num_seqs is the limit",
            "max_num_seqs allows no more",
        ),
        ({"concurrent_sequences": 11}, "does not fit", "memory holds {max_sequences}"),
        (
            {"concurrent_sequences": 12, "max_sequences": 12},
            "batch above max_num_seqs",
            "{max_concurrent_sequences}",
        ),
        ({"concurrent_sequences": 13, "max_sequences": 12}, "does not fit", "memory holds {max_sequences}"),
        (
            {"concurrent_sequences": 2, "serving_max_sequences": 1, "max_sequences": 1},
            "does not fit",
            "memory holds {max_sequences}",
        ),
        (
            {"concurrent_sequences": 1, "serving_max_sequences": 0, "max_sequences": 0},
            "does not fit",
            "Not one sequence",
        ),
        ({"tpot": 0.04 * (1 + 5e-10)}, "targets met", "TPOT is {user_tpot_p95}"),
        ({"tpot": 0.04 * (1 + 2e-9)}, "TPOT too slow", "with {concurrent_sequences}"),
        ({"tpot": 0.05, "fastest_tpot": 0.04}, "TPOT too slow", "with {concurrent_sequences}"),
        ({"tpot": 0.05, "fastest_tpot": 0.041}, "TPOT too slow", "even with one sequence"),
        ({"peak_flops_fp4": None}, "KV cache refused", "engines refuse it"),
        ({"peak_flops_fp4": None, "cache_bytes": 1}, "targets met", "TPOT is {user_tpot_p95}"),
        ({"user_tpot_p95": 0.04 * (1 + 5e-10)}, "targets met", "TPOT is {user_tpot_p95}"),
        ({"user_tpot_p95": 0.041}, "targets met in the mean, TPOT not at p95", "limit {tpot_target}"),
        ({"ttft_p95": 2}, "targets met", "TPOT is {user_tpot_p95}"),
        ({"ttft_p95": 2.01}, "TTFT too slow", "{prefill_queue_time}"),
        ({"ttft_p95": None}, "TTFT too slow", "without limit"),
        ({"ttft_p95": None, "prefill_time": 1.9}, "TTFT too slow", "without limit"),
        ({"ttft_p95": None, "prefill_time": 1.91}, "TTFT too slow", "{cache_reload_time}"),
        ({"ttft_p95": 3, "prefill_time": 2.01, "cache_reload_time": 0}, "TTFT too slow", "prefill alone takes"),
    ],
)
def test_targets_turn_at_their_boundaries(changed: dict[str, Any], word: str, because: str) -> None:
    (formula,) = (one for one in CALCULATOR.of_role("verdict") if one.name == "targets_met")
    known = {**MET, **changed}
    known["cache_refused"] = verdicts.cache_refused(known["cache_bytes"], known["peak_flops_fp4"])
    level, text, reason = judged("targets_met", *[known[need] for need in formula.needs])
    assert (text, because in reason) == (word, True)
    assert level == ("good" if word == "targets met" else "tight" if word.startswith("targets met") else "bad")


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("enough_replicas", (None, 0.8, None, "load", 10, 10), ("bad", "no replica count is enough")),
        ("enough_replicas", (1, 0.8, None, "load", 10, 10), ("bad", "overloaded")),
        ("enough_replicas", (0.9, 0.8, None, "objective", 10, 10), ("good", "enough replicas")),
        ("enough_replicas", (1, 0.8, None, "objective", 10, 10), ("bad", "overloaded")),
        ("enough_replicas", (0.991, 0.8, 100, "load", 10, 10), ("bad", "saturated")),
        ("enough_replicas", (0.99, 0.8, 100, "load", 10, 10), ("tight", "tight: above target utilization")),
        ("enough_replicas", (0.99, 0.8, None, "load", 10, 10), ("tight", "tight: above target utilization")),
        ("enough_replicas", (0.8006, 0.8, None, "load", 10, 10), ("tight", "tight: above target utilization")),
        ("enough_replicas", (0.8004, 0.8, None, "load", 10, 10), ("good", "enough replicas")),  # 80%, as printed
        ("replica_failure", (0.8006, 0.8, 2, None, 1, 10, 10), ("tight", "N−1: above target utilization")),
        ("enough_replicas", (0.8 * (1 + 5e-10), 0.8, None, "load", 10, 10), ("good", "enough replicas")),
        ("enough_replicas", (0.8, 0.8, None, "load", 10, 10), ("good", "enough replicas")),
        ("replica_failure", (None, 0.8, 1, None, 1, 10, 10), ("bad", "N−1: no replica left")),
        ("enough_replicas", (0.5, 0.8, None, "load", 10, 11), ("bad", "does not fit")),
        ("enough_replicas", (0.5, 0.8, None, "load", 0, 1), ("bad", "no replica fits")),
        ("replica_failure", (0.5, 0.8, 4, None, 1, 10, 11), ("bad", "does not fit")),
        ("replica_failure", (0.5, 0.8, 4, None, 1, 0, 1), ("bad", "no replica fits")),
        ("replica_failure", (1, 0.8, 2, None, 1, 10, 10), ("bad", "N−1: overloaded")),
        ("replica_failure", (0.99, 0.8, 2, None, 1, 10, 10), ("tight", "N−1: above target utilization")),
        ("replica_failure", (0.8, 0.8, 2, None, 1, 10, 10), ("good", "N−1: OK")),
        ("replica_failure", (0.9, 0.8, 4, 3, 1, 10, 10), ("good", "N−1: OK")),
        ("replica_failure", (0.9, 0.8, 4, 4, 1, 10, 10), ("tight", "N−1: p95 targets missed")),
        ("replica_failure", (0.9, 0.8, 4, 3, 2, 10, 10), ("tight", "N−1: p95 targets missed")),
        ("offload_pays_off", ("none", 1, 2, 3, 1, 2, 1, 1, 1, 1), ("tight", "KV offload would not pay off")),
        ("offload_pays_off", ("host", 1.5, 2, 3, 2.1, 2, 1, 1, 1, 1), ("bad", "offload tier too slow")),
        ("offload_pays_off", ("host", 1.5, 2, 3, 2, 2, 1, 1, 1, 1), ("good", "KV offload pays off")),
        ("offload_pays_off", ("host", 1.5, 2, 3, 2, None, 1, 1, 1, 1), ("good", "KV offload pays off")),
        ("offload_pays_off", ("host", 1, 2, 3, 1, 2, 1, 1, 1, 1), ("bad", "KV offload does not pay off")),
        ("offload_pays_off", ("host", 1.5, 3, 3, 1, 2, 1, 1, 1, 1), ("good", "KV offload pays off")),
        (
            "offload_pays_off",
            ("host", 1.5, 3.1, 3, 1, 2, 1, 1, 1, 1),
            ("tight", "KV offload pays off, but misses the TTFT target"),
        ),
        ("offload_pays_off", ("none", 1.5, 3.1, 3, 1, 2, 1, 1, 1, 1), ("good", "KV offload would pay off")),
        ("offload_pays_off", ("none", 1, 0, 3, 1, 2, 1, 1, 1, 1), ("good", "nothing to offload")),
        ("offload_pays_off", ("host", 1, 0, 3, 1, 2, 1, 1, 1, 1), ("tight", "offload tier unused")),
        ("offload_pays_off", ("none", 1.5, 3.1, 3, 1, 2, 1, 1, 0, 1), ("bad", "no replica fits")),
        ("offload_pays_off", ("none", 1.5, 3.1, 3, 1, 2, 1, 1, 1, 2), ("tight", "not checked")),
        ("offload_pays_off", ("host", 1.5, 2, 3, 1, 2, 1.1, 1, 1, 1), ("bad", "offload tier too small")),
        ("offload_pays_off", ("storage", 1.5, 2, 3, 1, 2, 1.1, None, 1, 1), ("good", "KV offload pays off")),
        ("offload_pays_off", ("none", 1.5, 2, 3, 1, 2, 1.1, 1, 1, 1), ("good", "KV offload would pay off")),
        ("replica_failure", (None, 0.8, None, None, 1, 10, 10), ("bad", "no replica fits")),
    ],
)
def test_utilizations_and_offload_turn_at_their_boundaries(
    name: str, given: tuple[Any, ...], expected: tuple[str, str]
) -> None:
    cache_is_refused = False
    assert judged(name, *given, cache_is_refused)[:2] == expected


def test_with_a_cache_that_engines_refuse_only_the_refusal_is_judged() -> None:
    """NVFP4 on an H100: capacity, offload and the loss of a replica were judged in green next to it."""
    resolved = parse_inputs(CALCULATOR, {"model": "qwen3-0-6b", "cache_precision": "cache-nvfp4"})
    found = answer.verdicts(CALCULATOR, answer.evaluated(CALCULATOR, resolved))
    assert found.pop("targets_met")["word"] == "KV cache refused"
    assert found.keys() == {"enough_replicas", "replica_failure", "offload_pays_off"}
    assert {(one["level"], one["word"]) for one in found.values()} == {("tight", "not checked")}


def test_a_replica_that_does_not_fit_has_no_speed_and_no_price_in_its_sentence() -> None:
    large = {"model": "llama-3-1-405b", "serving_tensor_parallel": "8"}  # 812 GB of weights on 640 GB
    resolved = parse_inputs(CALCULATOR, large)
    text = answer.sentence(CALCULATOR, answer.evaluated(CALCULATOR, resolved), resolved)
    fits_not = "A replica of 406B parameters on 8 ranks does not fit: weights take 94.5 GiB of 80 GiB per GPU"
    assert text.startswith(fits_not)
    assert "tokens/s" not in text
    assert "$" not in text
    wide = parse_inputs(CALCULATOR, {**large, "serving_tensor_parallel": "16"})
    assert "tokens/s" in answer.sentence(CALCULATOR, answer.evaluated(CALCULATOR, wide), wide)

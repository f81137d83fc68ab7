"""Inference: every verdict on both sides of its boundaries, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.declare import Verdict
from tests.subjects.serving.inference.round_inference import CALCULATOR, verdict

JUDGED: list[tuple[str, dict[str, Any], tuple[str, str, str]]] = [
    (
        "targets_met",
        {"gpu_memory": "10 GB"},
        (
            "bad",
            "does not fit",
            (
                "Not one sequence of 1,000 tokens fits beside 7.45 GiB of weights in 9.31 GiB: spread a copy over more "
                "GPUs, or serve narrower weights."
            ),
        ),
    ),
    (
        "targets_met",
        {"running": 125},
        (
            "bad",
            "does not fit",
            "125 sequences are more than memory holds: there is room for 124 sequences of 1,000 tokens.",
        ),
    ),
    (
        "targets_met",
        # 17.1 + 1.312896 n + 0.0016 n² ms for n sequences, see the case of twenty
        {"tpot_target": "10 ms"},
        (
            "bad",
            "too slow",
            (
                "No batch is small enough: alone a sequence takes 18.4 ms a token, and 10 ms is asked for. 1.1 ms of a "
                "step is latency, which bandwidth does not shorten; a draft, narrower weights or more GPUs for "
                "a copy may "
                "do."
            ),
        ),
    ),
    (
        "targets_met",
        {"running": 20, "tpot_target": "20 ms"},
        ("bad", "too slow", "With 20 sequences at once a token takes 44 ms, and 20 ms is asked for."),
    ),
    (
        "targets_met",
        # 14.4 TFLOP of products, 0.013 of attention over 100 TFLOP/s, 1.1 ms and 0.6 ms: 145.8 ms, half a step before
        {"running": 20, "tpot_target": "50 ms", "ttft_target": "100 ms"},
        (
            "bad",
            "starts too late",
            (
                "The first token takes 168 ms with nobody before it, and 100 ms is asked for: "
                "the prompt alone takes 146 ms."
            ),
        ),
    ),
    (
        "targets_met",
        {"running": 20, "tpot_target": "50 ms", "copies": 1},
        (
            "bad",
            "starts too late",
            "Prompts come faster than they are read, so the first token waits without end.",
        ),
    ),
    (
        "targets_met",
        # 10 of 3 · 4.5457 requests/s: 73.3 %, so 146 · 0.733 / (2 · 0.267) = 200 ms of waiting
        {"running": 20, "tpot_target": "50 ms", "copies": 3, "ttft_target": "300 ms"},
        (
            "bad",
            "starts too late",
            "Prompts wait 200 ms for others: the first token takes 368 ms, and 300 ms is asked for.",
        ),
    ),
    (
        "targets_met",
        {"tpot_target": "1 s", "ttft_target": "100 s", "request_rate": 1},
        (
            "tight",
            "met, at the limit",
            (
                "124 sequences run at once in a copy, and memory holds no more: the next waits in line. "
                "The targets would allow more."
            ),
        ),
    ),
    (
        "targets_met",
        {"tpot_target": "1 s", "ttft_target": "100 s", "request_rate": 1, "most_sequences": 100},
        (
            "tight",
            "met, at the limit",
            (
                "100 sequences run at once in a copy, and the engine is set to no more: the next waits in line. "
                "The targets would allow more."
            ),
        ),
    ),
    (
        "targets_met",
        {"running": 101, "tpot_target": "1 s", "ttft_target": "100 s", "request_rate": 1, "most_sequences": 100},
        (
            "bad",
            "more than the engine runs",
            "101 sequences are asked for, and the engine is set to 100 sequences at most.",
        ),
    ),
    (
        "targets_met",
        # 17 take 39.9 ms, and 18 of them 41.3 ms
        {},
        (
            "tight",
            "met, the target binds",
            "Memory would hold 124 sequences; the target allows 17 sequences.",
        ),
    ),
    (
        "targets_met",
        {"running": 10},
        (
            "tight",
            "met, with fewer than it allows",
            "Memory would hold 124 sequences, the target allows 17 sequences; 10 sequences are asked for.",
        ),
    ),
    (
        "targets_met",
        # 17.1 + 91.9 + 7.84 are 116.8 ms
        {"running": 70, "tpot_target": "200 ms", "request_rate": 1},
        ("good", "met", "70 sequences at once in a copy, 117 ms a token and 219 ms to the first."),
    ),
    (
        "load_carried",
        {"running": 20, "copies": 1},
        (
            "bad",
            "overrun",
            "The traffic is 220% of what 1 replica can do: the queue grows without end.",
        ),
    ),
    (
        "load_carried",
        {"running": 20, "copies": 3},
        ("tight", "little to spare", "The traffic takes 73.3% of what 3 replicas can do, where 70% was planned."),
    ),
    ("load_carried", {"running": 20}, ("good", "enough copies", "The traffic takes 55% of what 4 replicas can do.")),
    (
        "load_carried",
        {"gpu_memory": "10 GB"},
        ("bad", "none would do", "A copy serves nothing, so no number of them would do."),
    ),
    (
        "survives",
        {"running": 20, "copies": 1},
        ("bad", "with one down, nothing is left", "There is one copy: when it fails, nobody is served."),
    ),
    (
        "survives",
        {"running": 20, "copies": 2},
        (
            "bad",
            "with one down, overrun",
            "The rest would have to give 220% of what it can: the queue grows until the copy is back.",
        ),
    ),
    (
        "survives",
        {"running": 20},
        (
            "tight",
            "with one down, no room for bursts",
            "The rest is then at 73.3% of what it can do, where 70% was planned.",
        ),
    ),
    (
        "survives",
        {"running": 20, "spare_copies": 1},
        ("good", "with one down, carried", "The rest is then at 55% of what it can do."),
    ),
    (
        "reload_pays",
        # 900 tokens of 16 kB at 2 · 20 MB/s take 360 ms, reading again 146 ms, which makes 98.8 MB/s
        {"running": 20, "tier": "storage", "tier_bandwidth": "20 MB/s"},
        (
            "bad",
            "kept caches do not pay",
            (
                "Reading 900 tokens back takes 360 ms, reading the prompt again is sooner done: "
                "it pays above 98.8 MB/s for a copy."
            ),
        ),
    ),
    (
        "reload_pays",
        {"running": 20, "tier": "storage", "tier_bandwidth": "60 MB/s", "ttft_target": "100 ms"},
        (
            "tight",
            "kept caches pay, but come late",
            "It is 1.22 times sooner than reading again, and still takes 120 ms, longer than the target.",
        ),
    ),
    (
        "reload_pays",
        {"running": 20, "tier": "host", "tier_bandwidth": "1 GB/s"},
        (
            "good",
            "kept caches pay",
            "Reading 900 tokens back takes 7.2 ms, 20.3 times sooner than reading the prompt again.",
        ),
    ),
]


@pytest.mark.parametrize(("name", "given", "judged"), JUDGED, ids=[f"{one[0]}-{one[2][1]}" for one in JUDGED])
def test_a_verdict_names_what_binds(name: str, given: dict[str, Any], judged: tuple[str, str, str]) -> None:
    assert verdict(name, **given) == judged


def judged(name: str, *given: Any) -> tuple[str, str, str]:
    (formula,) = (one for one in CALCULATOR.of_role("verdict") if one.name == name)
    found: Verdict = formula.function(*given)
    return found.level, found.word, found.reason


# Room for ten, six run, both targets met to the rounding.
MET = {
    "serving_max_sequences": 10,
    "max_sequences": 10,
    "running": 6,
    "balanced_running": 6,
    "tpot": 0.04,
    "tpot_target": 0.04,
    "ttft": 1,
    "ttft_target": 2,
    "fastest_tpot": 0.02,
    "unqueued_ttft": 0.5,
}


@pytest.mark.parametrize(
    ("changed", "word", "because"),
    [
        ({}, "met", "{tpot} a token"),
        ({"running": 5}, "met", "{tpot} a token"),
        ({"running": 4, "balanced_running": 4}, "met, the target binds", "the target allows {running}"),
        ({"running": 4, "balanced_running": 5}, "met, with fewer than it allows", "are asked for"),
        ({"running": 10}, "met, at the limit", "memory holds no more"),
        ({"running": 10, "max_sequences": 11}, "met, at the limit", "the engine is set to no more"),
        ({"running": 11}, "does not fit", "there is room for"),
        ({"running": 12, "max_sequences": 12}, "more than the engine runs", "{most_sequences} at most"),
        ({"running": 13, "max_sequences": 12}, "does not fit", "there is room for"),
        ({"running": 2, "serving_max_sequences": 1, "max_sequences": 1}, "does not fit", "there is room for"),
        ({"running": 1, "serving_max_sequences": 0, "max_sequences": 0}, "does not fit", "Not one sequence"),
        ({"tpot": 0.04 * (1 + 5e-10)}, "met", "{tpot} a token"),
        ({"tpot": 0.04 * (1 + 2e-9)}, "too slow", "With {running} at once"),
        ({"tpot": 0.05, "fastest_tpot": 0.04}, "too slow", "With {running} at once"),
        ({"tpot": 0.05, "fastest_tpot": 0.041}, "too slow", "No batch is small enough"),
        ({"ttft": 2}, "met", "{tpot} a token"),
        ({"ttft": 2.01}, "starts too late", "Prompts wait"),
        ({"ttft": None}, "starts too late", "Prompts come faster"),
        ({"ttft": None, "unqueued_ttft": 2}, "starts too late", "Prompts come faster"),
        ({"ttft": None, "unqueued_ttft": 2.01}, "starts too late", "with nobody before it"),
    ],
)
def test_targets_turn_at_their_boundaries(changed: dict[str, Any], word: str, because: str) -> None:
    (formula,) = (one for one in CALCULATOR.of_role("verdict") if one.name == "targets_met")
    known = {**MET, **changed}
    level, said, reason = judged("targets_met", *[known[need] for need in formula.needs])
    assert (said, because in reason) == (word, True)
    assert level == ("good" if word == "met" else "tight" if word.startswith("met") else "bad")


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("load_carried", (None, 0.8), ("bad", "none would do")),
        ("load_carried", (1, 0.8), ("bad", "overrun")),
        ("load_carried", (0.99, 0.8), ("tight", "little to spare")),
        ("load_carried", (0.8 * (1 + 2e-9), 0.8), ("tight", "little to spare")),
        ("load_carried", (0.8 * (1 + 5e-10), 0.8), ("good", "enough copies")),
        ("load_carried", (0.8, 0.8), ("good", "enough copies")),
        ("survives", (None, 0.8), ("bad", "with one down, nothing is left")),
        ("survives", (1, 0.8), ("bad", "with one down, overrun")),
        ("survives", (0.99, 0.8), ("tight", "with one down, no room for bursts")),
        ("survives", (0.8, 0.8), ("good", "with one down, carried")),
        ("reload_pays", ("none", 1, 2, 3), ("tight", "kept caches do not pay")),
        ("reload_pays", ("host", 1, 2, 3), ("bad", "kept caches do not pay")),
        ("reload_pays", ("host", 1.5, 3, 3), ("good", "kept caches pay")),
        ("reload_pays", ("host", 1.5, 3.1, 3), ("tight", "kept caches pay, but come late")),
        ("reload_pays", ("none", 1.5, 3.1, 3), ("good", "kept caches would pay")),
        ("reload_pays", ("none", 1, 0, 3), ("good", "nothing to keep")),
        ("reload_pays", ("host", 1, 0, 3), ("tight", "nothing to keep")),
    ],
)
def test_loads_and_tiers_turn_at_their_boundaries(name: str, given: tuple[Any, ...], expected: tuple[str, str]) -> None:
    assert judged(name, *given)[:2] == expected

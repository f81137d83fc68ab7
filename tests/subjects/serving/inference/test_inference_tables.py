"""Inference: other GPUs and ranks side by side, and each way of counting, by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from calculators import facts
from calculators.answers.answer import evaluated
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.subjects.serving.inference.tables import CONVENTIONS, side_by_side

# A token takes 40 ms, the first 1 s; 500 output tokens/s, 100 of each request's 1,000 tokens.
SERVICE = {
    "user_tpot": 0.04,
    "output_tokens": 100,
    "ttft": 1,
    "output_rate": 500,
    "context": 1000,
    "disaggregated": False,
    "prefill_schedule": "evenly",
    "active_parameters": 7e9,
    "lookup_table_parameters": 0.5e9,
    "cost_per_million_output": 8,
    "prefix_cache_hit_rate": 0.25,
    "request_rate": 10,
    "input_tokens": 900,
    "uncached_input_tokens": 675,
    "serving_tensor_parallel": 2,
    "token_compute_time": 0.9e-3,
    "prompt_attention_flops": 675 * 1e10,
    "attention_flops_rate": 5e13,
    "cache_per_token": 40_000,
}


def counted(**changed: Any) -> dict[str, str]:
    return {name: made for name, _, made in CONVENTIONS.rows({**SERVICE, **changed})}


def test_each_way_of_counting_uses_the_present_numbers() -> None:
    assert counted() == {
        "TPOT, first token excluded": "{user_tpot}",
        "TPOT, first token included": "49.6 ms",  # 1 s and 99 x 40 ms, over 100
        "Output throughput": "{output_rate} per replica",
        "Input and output throughput": "5,000 tokens/s per replica",
        "Output throughput per GPU": "{serving_tokens_per_second_per_gpu}",
        "Output throughput of the system": "{output_rate}",
        "At the TPOT target, prefill in whole chunks": (
            "{other_schedule_sequences}, {other_schedule_tokens_per_second_per_gpu} per GPU"
        ),
        "At the TPOT target, prefill spread evenly": "{sequences_within_target}",
        "Active parameters with or without lookup tables": "7B parameters or 6.5B parameters",
        # 0.9 ms of products and 10 GFLOP of attention over 2 x 50 TFLOP/s make 1 ms a token, and 40 kB of each
        "Prefill by compute alone": "1,000 tokens/s; KV offload pays off above 40 MB/s per replica",
        "Prefill with all-reduces and latency": (
            "{prefill_rate}; KV offload pays off above {break_even_bandwidth} per replica"
        ),
        "Per million output tokens, all GPUs and prefill included": "{cost_per_million_output}",
        "Per million tokens, input and output": "{cost_per_million_total}",
        "Per million output tokens, every replica always full": "{cost_per_million}",
        "Input rate with or without cache hits": "9,000 tokens/s or 6,750 tokens/s",
    }


def test_both_prefill_schedules_are_listed_and_the_present_one_is_the_answer() -> None:
    evenly, chunks = counted(), counted(prefill_schedule="chunks")
    few, all_steps = (name for name in evenly if name.startswith("At the TPOT target"))
    assert (chunks[few], chunks[all_steps]) == (evenly[all_steps], evenly[few])


@pytest.mark.parametrize(
    ("changed", "missing"),
    [
        ({"ttft": None}, {"TPOT, first token included"}),
        ({"disaggregated": True}, {name for name in counted() if name.startswith("At the TPOT target")}),
        (
            {"cost_per_million_output": None},
            {"Per million output tokens, all GPUs and prefill included", "Per million tokens, input and output"},
        ),
        ({"prefix_cache_hit_rate": 0}, {"Input rate with or without cache hits"}),
        ({"prefix_cache_hit_rate": 1}, set()),
    ],
)
def test_a_way_of_counting_that_does_not_apply_is_left_out(changed: dict[str, Any], missing: set[str]) -> None:
    assert {*counted()} - {*counted(**changed)} == missing


def test_lookup_tables_are_at_most_all_active_parameters() -> None:
    report = counted(lookup_table_parameters=8e9)["Active parameters with or without lookup tables"]
    assert report == "7B parameters or 0 parameters"


@dataclass
class Device:
    """A device of the menu, as the table reads it."""

    name: str
    known: dict[str, float] = field(default_factory=dict)

    def value(self, name: str) -> float | None:
        return self.known.get(name)


DEVICES = ("h100-sxm", "h200-sxm", "b200-sxm", "mi300x", "mi325x", "mi355x")
SERVED = {
    "serving_gpus": 24,
    "concurrent_sequences": 7,
    "serving_max_sequences": 7,
    "tpot": 0.04,
    "serving_tokens_per_second_per_gpu": 130,
    "cost_per_million_output": 8,
    "tpot_target": 0.04,
}


def compared(
    served: Mapping[str, Any], devices: Mapping[str, Device], **values: Any
) -> tuple[list[tuple[str, ...]], list[Mapping[str, Any]]]:
    """Rows of the table where every change has this result, and the changes that were tried."""
    tried: list[Mapping[str, Any]] = []

    def trials(
        _values: Mapping[str, Any], _names: Iterable[str], _results: Iterable[str]
    ) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
        def after(changes: Mapping[str, Any]) -> Mapping[str, Any]:
            tried.append(changes)
            return served

        return after

    menu = {key: Device(key) for key in DEVICES} | dict(devices)
    sheet = side_by_side(trials, cast("Mapping[str, facts.Record]", menu))
    return list(sheet.rows({"arithmetic": "auto", "heads": 12, **values})), tried


def test_ranks_are_those_that_divide_the_heads() -> None:
    """Twelve heads: to one, two and four ranks, in 16 bits and in 8."""
    rows, tried = compared(SERVED, {})
    assert [(row[0], row[1]) for row in rows[6:]] == [
        (f"This GPU, weights in {bits} bits", ranks) for bits in (16, 8) for ranks in ("1 rank", "2 ranks", "4 ranks")
    ]
    assert [(one["weight_bytes"], one["serving_tensor_parallel"]) for one in tried[6:]] == [
        (width, ranks) for width in (2, 1) for ranks in (1, 2, 4)
    ]
    assert {one["arithmetic"] for one in tried[6:]} == {"auto"}
    assert rows[6][2:] == ("24 GPUs", "7 sequences", "40 ms", "130 tokens/s", "$8")


def test_a_device_without_a_dated_price_has_no_cost() -> None:
    rows, tried = compared(SERVED, {"h200-sxm": Device("H200", {"price_per_gpu_hour": 4, "gpu_memory": 141e9})})
    assert rows[0][-1] == "no dated price"
    assert tried[0]["price_per_gpu_hour"] == 0
    assert (rows[1][0], rows[1][1], rows[1][-1]) == ("H200", "{serving_tensor_parallel}", "$8")
    assert (tried[1]["price_per_gpu_hour"], tried[1]["gpu_memory"]) == (4, 141e9)


@pytest.mark.parametrize(
    ("asked", "known", "taken"),
    [
        ("8", {"peak_flops_fp8": 2e15}, "8"),
        ("8", {"peak_flops_fp4": 4e15}, "auto"),
        ("4", {"peak_flops_fp4": 4e15}, "4"),
        ("4", {"peak_flops_fp8": 2e15}, "auto"),
        ("16", {}, "16"),
        ("auto", {}, "auto"),
    ],
)
def test_a_compute_precision_that_a_device_lacks_becomes_auto(asked: str, known: dict[str, float], taken: str) -> None:
    _, tried = compared(SERVED, {"h100-sxm": Device("H100", known)}, arithmetic=asked)
    assert tried[0]["arithmetic"] == taken


@pytest.mark.parametrize(
    ("tpot", "report"), [(0.04 * (1 + 5e-10), "40 ms"), (0.0401, "40.1 ms, over target"), (0.03, "30 ms")]
)
def test_a_missed_target_is_marked(tpot: float, report: str) -> None:
    rows, _ = compared({**SERVED, "tpot": tpot}, {})
    assert {row[4] for row in rows} == {report}


def test_what_does_not_fit_has_no_figures() -> None:
    rows, _ = compared({**SERVED, "serving_gpus": None}, {})
    assert {row[2:] for row in rows} == {("does not fit", "", "", "", "")}


def test_the_default_s_prefill_by_compute_alone_is_what_rooflines_print() -> None:
    """Llama 3.3 70B over eight H100, 4,000 tokens: two FLOPs of 69.5 billion parameters, and attention to half.

    2 x 69.503e9 x 4,000 / (8 x 989.4e12 x 0.55) are 127.7 ms and 4 x 80 x 8,192 x 4,000² / 2 / (8 x 989.4e12 x 0.5)
    are 5.3 ms, 133.0 in all: 30,070 tokens/s, and at 327,680 B each 9.85 GB/s; all-reduces of 4,000 tokens in 80
    layers and latency take 63 ms more.
    """
    calculator = CALCULATORS["inference"]
    values = evaluated(calculator, valid_inputs(calculator, {}))
    arithmetic, whole = (row[2] for row in CONVENTIONS.rows(values) if row[0].startswith("Prefill "))
    products = 2 * 69.503e9 * 4000 / (8 * 989.4e12 * 0.55)
    attention = 4 * 80 * 8192 * 4000**2 / 2 / (8 * 989.4e12 * 0.5)
    rate = 4000 / (products + attention)
    assert round(rate, -1) == 30_070
    assert arithmetic.startswith(("30,0", "30,1"))
    assert arithmetic.endswith("KV offload pays off above 9.85 GB/s per replica")
    assert whole.startswith("{prefill_rate}")
    exchanged = 160 * 4000 * 8192 * 2 * 2 * 7 / 8 / (450e9 * 0.7)
    waits = 80 * 55e-6 + 160 * 4e-6
    assert values["prefill_time"] == pytest.approx(4000 / rate + exchanged + waits, rel=1e-3)

"""Runs of a fixed number of requests: the speed that a benchmark measures, of that of a full batch."""

from __future__ import annotations

from typing import Any

import pytest

from builder.pages.fixed_run import share_of_full_speed
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS

INFERENCE = CALCULATORS["inference"]
# Layers take 10 ms however many sequences run, and little besides: every step takes as long.
LATENCY = {"layer_latency": "10 ms", "sequence_latency": 0, "concurrent_sequences": 40, "tpot_target": "100 s"}
SHORT = {"input_tokens": 10, "output_tokens": 500}


def values(**given: Any) -> Any:
    """Every value of a state."""
    return answer.evaluated(INFERENCE, valid_inputs(INFERENCE, given))


@pytest.mark.parametrize(("requests", "share"), [(20, 0.5), (40, 1.0), (60, 0.75), (80, 1.0), (90, 0.75)])
def test_requests_run_in_whole_batches_where_every_step_takes_as_long(requests: int, share: float) -> None:
    """Of 40 sequences at once: 60 requests take as long as 80."""
    assert share_of_full_speed(values(**LATENCY, **SHORT), requests) == pytest.approx(share, rel=0.02)


def test_groups_that_share_experts_have_equal_parts_of_the_requests() -> None:
    """40 on each of eight GPUs: 480 are 60 on each."""
    given = {"model": "deepseek-v3", "accelerator": "h200-sxm", "serving_tensor_parallel": 1}
    found = values(**LATENCY, **SHORT, **given, serving_expert_parallel=8)
    assert found["expert_groups"] == 8
    assert share_of_full_speed(found, 480) == pytest.approx(0.75, rel=0.03)


def test_a_batch_that_computes_as_long_as_it_has_sequences_loses_little_at_the_end() -> None:
    """Where a step's time grows with its sequences, a batch of half the size takes half as long."""
    given = {"layer_latency": 0, "sequence_latency": "10 ms", "concurrent_sequences": 40, "tpot_target": "100 s"}
    assert share_of_full_speed(values(**given, **SHORT), 60) == pytest.approx(1, rel=0.02)


@pytest.mark.parametrize("given", [{}, {"prefill_chunk": 2048}, {"input_tokens": 20_000}])
def test_a_long_run_is_as_fast_as_the_calculator_says(given: dict[str, Any]) -> None:
    """Thirty batches: 1 % for start and end, and prompts that come in groups."""
    found = values(tpot_target="100 s", **given)
    requests = 30 * int(found["concurrent_sequences"])
    assert share_of_full_speed(found, requests) == pytest.approx(1, rel=0.01)

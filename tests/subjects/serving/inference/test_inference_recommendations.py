"""Inference: which changes are tried, by hand, and that those with fewer GPUs are recommended, the fewest first."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer, explore
from calculators.answers.input_state import valid_inputs
from calculators.declare import InputError, Values
from calculators.subjects.serving.inference.recommendations import recommendations
from tests.subjects.serving.inference.round_inference import CALCULATOR, ROUND

WEIGHTS = ("weights in FP8", {"weight_bytes": 1, "arithmetic": "auto"})
CACHE = ("KV cache in FP8", {"cache_bytes": 1})
BATCH = ("a batch of {concurrent_sequences} per replica", {"concurrent_sequences": 60})
SIZED = ("replicas sized for the p95 targets", {"sizing": "objective"})
DRAFTS = ("speculative decoding with {draft_tokens} per step", {"draft_tokens": 3})
APART = ("disaggregated prefill/decode", {"disaggregated": True})
STATE = {
    "weight_bytes": 2,
    "cache_bytes": 2,
    "entry_bytes": None,
    "heads": 12,
    "serving_tensor_parallel": 2,
    "serving_expert_parallel": 1,
    "experts": 1,
    "draft_tokens": 0,
    "concurrent_sequences": 60,
    "sequences_within_target": 60,
    "sizing": "objective",
    "tpot": 0.036,
    "tpot_target": 0.035,
    "disaggregated": False,
}

NARROW = {"weight_bytes": 1, "cache_bytes": 1, "heads": 2}


def over(ranks: int) -> tuple[str, dict[str, Any]]:
    return "replicas of {serving_tensor_parallel}", {"serving_tensor_parallel": ranks}


def wide(ranks: int) -> tuple[str, dict[str, Any]]:
    label = "data-parallel attention, experts over {serving_expert_parallel}"
    return label, {"serving_tensor_parallel": 1, "serving_expert_parallel": ranks}


def narrow_over(ranks: int) -> tuple[str, dict[str, Any]]:
    label, changes = over(ranks)
    return f"{label}, weights in FP8", {**changes, **WEIGHTS[1]}


@pytest.mark.parametrize(
    ("changed", "tried"),
    [
        # Twelve heads divide over one, two and four ranks, not over eight; two is the present state.
        ({}, [WEIGHTS, CACHE, over(1), narrow_over(1), over(4), narrow_over(4), DRAFTS, APART]),
        (
            {"heads": 16, "serving_tensor_parallel": 4, "weight_bytes": 1},
            [CACHE, over(1), over(2), over(8), DRAFTS, APART],
        ),
        ({"weight_bytes": 0.5, "cache_bytes": 1, "heads": 2}, [over(1), DRAFTS, APART]),
        ({"weight_bytes": 1, "cache_bytes": 0.5, "heads": 2}, [over(1), DRAFTS, APART]),
        ({"weight_bytes": 1, "entry_bytes": 1.5, "heads": 2}, [over(1), DRAFTS, APART]),
        (
            {"weight_bytes": 1.1, "entry_bytes": 1.5, "heads": 1},
            [WEIGHTS, over(1), narrow_over(1), DRAFTS, APART],
        ),
        ({"weight_bytes": 1, "cache_bytes": 1.1, "heads": 2, "tpot": 0.035}, [CACHE, over(1), APART]),
        ({"weight_bytes": 1, "cache_bytes": 1, "heads": 2, "tpot": 0.034}, [over(1), APART]),
        ({"weight_bytes": 1, "cache_bytes": 1, "heads": 2, "draft_tokens": 1}, [over(1), APART]),
        ({"weight_bytes": 1, "cache_bytes": 1, "heads": 2, "disaggregated": True}, [over(1), DRAFTS]),
        ({**NARROW, "sizing": "load"}, [SIZED, over(1), DRAFTS, APART]),
        ({**NARROW, "concurrent_sequences": 8}, [BATCH, over(1), DRAFTS, APART]),
        ({**NARROW, "concurrent_sequences": 300}, [BATCH, over(1), DRAFTS, APART]),
        ({**NARROW, "experts": 32}, [over(1), wide(8), wide(16), wide(32), DRAFTS, APART]),
        # Sixteen GPUs share the experts already, each with its own sequences: that is no change.
        (
            {**NARROW, "experts": 128, "serving_tensor_parallel": 1, "serving_expert_parallel": 16},
            [over(2), wide(8), wide(32), wide(64), DRAFTS, APART],
        ),
    ],
)
def test_each_change_is_tried_where_it_changes_something(changed: dict[str, Any], tried: list[Any]) -> None:
    assert list(recommendations({**STATE, **changed})) == tried


def state(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {**ROUND, **given}))


def gpus_recommended(values: Values) -> list[float]:
    """GPUs after each recommendation, in order."""
    assert CALCULATOR.recommendations is not None
    report = list(CALCULATOR.recommendations(values))
    assert all(label.startswith("{serving_gpus}: ") for label, _ in report)
    return [CALCULATOR.after(values, changes)["serving_gpus"] for _, changes in report]


def test_only_changes_with_fewer_gpus_are_recommended_the_fewest_first() -> None:
    """Four replicas of two GPUs serve ten requests/s; narrow weights, or the p95 targets alone, need three."""
    values = state()
    assert (values["serving_gpus"], values["targets_met"].level) == (8, "tight")
    assert gpus_recommended(values) == [6, 6]
    many = state(request_rate=100)
    assert many["serving_gpus"] == 68
    assert gpus_recommended(many) == sorted(gpus_recommended(many))
    assert len({*gpus_recommended(many)}) > 3
    assert max(gpus_recommended(many)) < 68


def test_a_missed_target_may_be_met_with_more_gpus() -> None:
    """Twenty concurrent sequences take 44 ms instead of 40, however few GPUs that needs."""
    missed = state(concurrent_sequences=20)
    assert missed["targets_met"].level == "bad"
    recommended = gpus_recommended(missed)
    assert recommended
    assert max(recommended) >= missed["serving_gpus"]
    assert recommended == sorted(recommended)
    assert CALCULATOR.recommendations is not None
    for _, changes in CALCULATOR.recommendations(missed):
        assert CALCULATOR.after(missed, changes)["targets_met"].level != "bad"


def test_a_million_requests_per_second_is_the_limit() -> None:
    assert valid_inputs(CALCULATOR, {"request_rate": "1M"}).values["request_rate"] == 1e6
    with pytest.raises(InputError) as refused:
        valid_inputs(CALCULATOR, {"request_rate": "1,000,000.5"})
    assert "request_rate" in refused.value.problems


def test_no_recommendation_moves_a_target_or_misses_one_that_is_met() -> None:
    for given in ({}, {"request_rate": 100}, {"output_variation": 1, "input_variation": 1, "request_rate": 40}):
        now = state(**given)
        assert CALCULATOR.recommendations is not None
        for _, changes in CALCULATOR.recommendations(now):
            assert not {"tpot_target", "ttft_target"} & set(changes)
            after = CALCULATOR.after(now, changes)
            assert after["user_tpot_p95"] <= max(now["user_tpot_p95"], now["tpot_target"])
            assert after["ttft_p95"] <= now["ttft_target"]


def test_a_large_mixture_is_offered_wide_expert_parallelism_once() -> None:
    """Kimi K2 on GB200: attention of each GPU for itself and experts over 16 or 32 need 96 GPUs instead of 240."""
    given = {"model": "kimi-k2", "gpu": "gb200", "rps": "40", "isl": "8000", "osl": "1000"}
    values = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))
    offered = [one for one in explore.recommendations(CALCULATOR, values).run() if one.label.endswith(wide(8)[0])]
    assert [one.changes["serving_tensor_parallel"] for one in offered] == [1]
    fewest = min(
        CALCULATOR.after(values, wide(ranks)[1])["serving_gpus"]
        for ranks in (8, 16, 32, 64)
        if CALCULATOR.after(values, wide(ranks)[1])["targets_met"].level != "bad"
    )
    assert offered[0].values["serving_gpus"] == fewest < 0.6 * values["serving_gpus"]

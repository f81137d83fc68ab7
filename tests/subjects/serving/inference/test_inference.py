"""Inference: the default answer as its specification prints it, replicas for traffic, and recommendations."""

from __future__ import annotations

import math
import random

import pytest

from calculators import inference
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.llm.serving.batching import DecodeStep, Drafting, SequenceCosts, StepReads
from calculators.page import exploration
from tests.subjects.serving.inference.round_inference import CALCULATOR, ROUND


def test_the_default_is_llama_70b_on_twenty_four_h100() -> None:
    """24 GPUs, 8 USD, as the specification prints, with prefill spread evenly as it does.

    In ms, with n sequences over eight GPUs: (0.2981 + 0.0650 + 0.1487) n + 5.04: 39.84 for 68, and 40.35 for 69.
    """
    assert (inference().serving_gpus, round(inference().cost_per_million_output, 2)) == (24, 8.0)
    found = inference(prefill_schedule="evenly")
    assert (found.concurrent_sequences, found.serving_gpus, round(found.cost_per_million_output, 2)) == (68, 24, 8.0)
    assert round(found.serving_tokens_per_second_per_gpu) == round(68 / 8 / 0.03984) == 213


def test_fp8_over_two_gpus_needs_eight_gpus_and_over_eight_sixteen() -> None:
    """In ms: (0.617 + 0.260 + 0.089) n + 4.88: 36."""
    even = {"prefill_schedule": "evenly"}
    found = inference(weight_bytes=1, serving_tensor_parallel=2, **even)
    assert (found.concurrent_sequences, found.serving_gpus, found.parameters) == (36, 8, inference().parameters)
    assert found.serving_tokens_per_second_per_gpu == pytest.approx(36 / 2 / 0.03966, rel=0.001)
    assert round(found.cost_per_million_output, 2) == 2.67
    assert inference(weight_bytes=1, serving_tensor_parallel=8, **even).serving_gpus == 16
    assert inference(serving_tensor_parallel=4, **even).serving_gpus == 16


def test_prefill_in_chunks_leaves_steps_with_no_compute_to_hide_and_a_smaller_batch() -> None:
    """In ms: 6.484 of weights, 1/500 less for each sequence; of each 0.2662 for its prefill, 0.065 for its KV cache.

    0.149 of waiting; 5.04 for layers; 0.032 of its own where a prompt is read: 39.8 for 60 and 40.2 for 61.
    """
    evenly, chunks = inference(prefill_schedule="evenly"), inference()
    assert (chunks.concurrent_sequences, chunks.serving_gpus) == (60, 24)
    assert round(chunks.serving_tokens_per_second_per_gpu) == round(60 / 8 / 0.03976)
    assert (evenly.other_schedule_sequences, chunks.other_schedule_sequences) == (
        chunks.concurrent_sequences,
        evenly.concurrent_sequences,
    )
    for one, other in ((evenly, chunks), (chunks, evenly)):
        assert one.other_schedule_tokens_per_second_per_gpu == pytest.approx(other.serving_tokens_per_second_per_gpu)
    apart = inference(disaggregated="yes")
    assert apart.other_schedule_sequences == apart.concurrent_sequences, "no prefill is mixed with decode"
    assert apart.prefill_step_share == apart.other_schedule_step_share == 0


def test_the_batch_is_the_largest_that_meets_the_target() -> None:
    for given in ({}, {"model": "deepseek-v3", "accelerator": "h200-sxm"}, {"draft_tokens": 3}):
        found = inference(**given)
        assert found.tpot <= found.tpot_target
        assert inference(**given, concurrent_sequences=found.concurrent_sequences + 1).tpot > found.tpot_target


def test_of_any_step_the_largest_batch_that_meets_the_target_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compared with trying every batch, with experts, prefill in some steps, and targets of all kinds.

    In about as many trials as it takes with a line between two of them: halving alone takes two more.
    """
    trials: list[float] = []
    timed = DecodeStep.tpot

    def counted(step: DecodeStep, batch: float) -> float:
        trials.append(batch)
        return timed(step, batch)

    monkeypatch.setattr(DecodeStep, "tpot", counted)
    dice = random.Random(11)  # noqa: S311  not for secrets
    for _ in range(300):
        experts = dice.choice((1.0, 8.0, 256.0))
        shared, all_experts = dice.uniform(0, 20e-3), dice.uniform(0, 20e-3)
        reads = StepReads(shared, all_experts, experts, min(experts, 8.0), dice.choice((1.0, 4.0)))
        tokens, computing, decoding = dice.choice((1.0, 2.5)), dice.uniform(0, 1e-3), dice.uniform(0, 1e-4)
        prefill_step_share = dice.uniform(0, 0.05)
        caching, fixed_latency, added = dice.uniform(0, 1e-3), dice.uniform(1e-3, 10e-3), dice.uniform(0, 1e-3)
        drafting = Drafting(dice.choice((0.0, 3.0)), 0.1, dice.uniform(1, 3))
        in_experts = (computing / 2, decoding / 2) if experts > 1 else (0.0, 0.0)
        costs = SequenceCosts(tokens, computing, decoding, *in_experts, caching, added)
        step = DecodeStep(reads, costs, drafting, prefill_step_share, fixed_latency)
        most, target = float(dice.randint(0, 400)), dice.uniform(1e-3, 0.2)
        met = [batch for batch in range(1, int(most) + 1) if timed(step, batch) <= target]
        assert step.largest_batch(most, target) == max(met, default=1)
    assert len(trials) < 4 * 300


def test_concurrent_users_and_their_request_rate_need_the_same_gpus() -> None:
    """Little: 100 users each wait for an answer and think for 5 s. Replicas are planned full, and answer faster."""
    found = inference(concurrent_users=100, think_time="5 s")
    assert found.request_rate * (found.unqueued_ttft + found.answer * found.tpot + 5) == pytest.approx(100)
    assert found.traffic_rate * (found.ttft + found.answer * found.user_tpot + 5) == pytest.approx(100, rel=0.01)
    assert found.traffic_rate > found.request_rate
    assert inference(request_rate=found.request_rate).serving_gpus == found.serving_gpus


def test_a_spare_replica_is_one_more_and_serves_the_traffic_when_one_fails() -> None:
    found, spared = inference(), inference(spare_replicas=1)
    assert spared.replicas == found.replicas + 1
    assert spared.degraded_utilization == pytest.approx(found.replica_utilization)


def test_replicas_that_share_experts_come_in_whole_sets() -> None:
    found = inference(model="deepseek-v3", accelerator="h200-sxm", tensor_parallel=1, serving_expert_parallel=32)
    assert found.expert_groups == 32
    assert found.replicas % 32 == 0


def test_recommendations_meet_targets_that_were_missed() -> None:
    """70B in 16 bits does not fit on one GPU of 80 GiB; with more ranks or narrower weights it meets the target."""
    values = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {"serving_tensor_parallel": 1}))
    assert values["serving_gpus"] is None
    report = exploration.exploration(CALCULATOR, values)["advice"]
    assert report
    for one in report:
        after = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, dict(one["changes"])))
        assert after["serving_gpus"] is not None
        assert all(judged["level"] != "bad" for judged in answer.verdicts(CALCULATOR, after).values())


def test_a_state_that_does_not_fit_has_no_number_of_gpus_and_no_cost() -> None:
    values = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {**ROUND, "gpu_memory": "10 GB"}))
    assert answer.sentence(CALCULATOR, values).startswith("A replica of 8B parameters on 2 ranks does not fit")
    assert values["cost_per_million_output"] is None
    assert math.isfinite(values["tpot"])


def test_half_of_the_link_is_one_direction() -> None:
    """Datasheets add both: 8,192 values of two bytes, 2 · 7/8 of them, over half of 900 GB/s at 70 %."""
    assert inference().token_allreduce_time == pytest.approx(8192 * 2 * 2 * 7 / 8 / (450e9 * 0.7))


def test_older_names_of_inputs_and_results_stay_valid() -> None:
    found = inference(prompt=2000, answer=250, running=20, planned_load=0.6, cached_share=0.5, tier="host")
    same = inference(
        input_tokens=2000,
        output_tokens=250,
        concurrent_sequences=20,
        target_utilization=0.6,
        prefix_cache_hit_rate=0.5,
        offload_tier="host",
    )
    assert found.link == same.link
    assert (found.prompt, found.running, found.copies) == (2000, 20, same.replicas)
    assert (found.copies_needed, found.serving_load) == (same.replicas_needed, same.replica_utilization)

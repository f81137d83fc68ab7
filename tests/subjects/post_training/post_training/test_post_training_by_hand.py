"""States of post-training worked out by hand, and what is waited for in them."""

from __future__ import annotations

import pytest

from calculators.declare import Verdict
from calculators.subjects.post_training.post_training.curve import places
from calculators.subjects.post_training.post_training.formulas.engine import rollout_slots
from calculators.subjects.post_training.post_training.verdicts import pools_wait
from tests.subjects.post_training.post_training.test_post_training import GIVEN, ON_POLICY, ONE_EFFICIENCY, values

FITS = Verdict(level="good", word="fits")


def test_one_gpu_trains_and_one_generates_by_hand() -> None:
    """One billion parameters on 100 TFLOP/s at 50 %: two samples of 1,000 equal tokens, no passes but the update.

    2 · (6e9 · 1,000) FLOP / 50 TFLOP/s = 0.24 s and the attention of 4 layers 64 wide, 2 · 6 · 4 · 64 · 1e6 FLOP, which
    are 0.06 ms; 1 s fixed, 2 GB at 2 GB/s: 2.24 s.
    """
    found = values(
        model="none", parameters="1B", layers=4, heads=2, kv_heads=2, head_dim=32, hidden=64, vocab=1000,
        tied_embeddings="yes", gpus=2, train_gpus=1, train_group=1, serving_tensor_parallel=1, prompts_per_step=1,
        samples_per_prompt=2, input_tokens=500, output_tokens=500, longest_answer=1000, answer_tail=1,
        peak_flops="100 TFLOP/s", mfu=0.5, reference_model="no", old_logprobs="no", update_fixed=1,
        sync_bandwidth="2 GB/s", sync_fixed=0,
    )  # fmt: skip
    assert found["trainer_cycle"] == pytest.approx(0.24 + 2 * 6 * 4 * 64 * 1e6 / 50e12 + 1 + 1, rel=1e-6)


def test_a_run_of_ten_thousand_steps_by_hand() -> None:
    """301.58 s · 10,000 / 0.9 = 38.78 days; of 128 GPUs at 3 USD 357,430 USD."""
    found = values(**ONE_EFFICIENCY, rl_steps=10_000)
    assert found["rl_duration"] / 86400 == pytest.approx(301.58 * 1e4 / 0.9 / 86400, rel=1e-4)
    assert found["rl_total_cost"] == pytest.approx(301.58 * 1e4 / 0.9 / 3600 * 128 * 3, rel=1e-4)


def test_half_of_the_groups_kept_take_twice_the_rollouts_and_the_same_update() -> None:
    half, whole = values(kept_share_of_groups=0.5, **GIVEN), values(**GIVEN)
    assert half["generated_samples"] == 2 * whole["generated_samples"]
    assert half["trainer_cycle"] == whole["trainer_cycle"]
    assert half["rl_step_time"] > 1.5 * whole["rl_step_time"]


def test_only_adapters_sent_by_hand() -> None:
    """1 % of 65.52 GB at 65 GB/s and 1 s: 1.0101 s."""
    assert values(changed_weight_share="1%")["weight_sync_time"] == pytest.approx(1 + 0.01 * 65.524 / 65, rel=1e-4)


def test_verifiers_of_a_minute_by_hand() -> None:
    """1,024 samples of 60 s on 100 cores: 614.4 s a step, whatever the GPUs do."""
    found = values(verifier_time=60, verifier_pool=100, max_staleness=4)
    assert found["rl_step_time"] == pytest.approx(614.4, rel=1e-9)
    assert found["rl_bottleneck"].word == "verifiers"
    assert found["verifier_cores_needed"] == pytest.approx(100, rel=1e-9)


def test_a_batch_waits_for_its_tools_and_for_the_prompts_of_each_engine() -> None:
    """20 turns of 10 s more are 200 s; a second more per prompt is one for each of the samples on a third engine."""
    shared = {"placement": "colocated", "turns": 20, "tool_tokens": 300, **ON_POLICY}
    short, long = (values(**shared, tool_time=seconds)["rl_step_time"] for seconds in (10, 20))
    assert long - short == pytest.approx(200)
    rollouts = values()["rollouts"]
    slow = rollouts._replace(sample=rollouts.sample._replace(prompt_time=rollouts.sample.prompt_time + 1))
    assert rollouts.generated % 3
    assert slow.batch(3).time - rollouts.batch(3).time == pytest.approx(rollouts.generated / 3)


def test_an_engine_holds_a_fraction_of_a_sequence_in_the_mean() -> None:
    """100 B at 3 B per token are 33.3 tokens, 3.33 contexts of 10."""
    assert rollout_slots.function(100, 3, 10, 2048) == pytest.approx(10 / 3)


@pytest.mark.parametrize(
    ("trainer", "engines", "level", "word"),
    [
        (0.1, 0.1, "good", "balanced"),
        (0.11, 0, "tight", "trainer waits"),
        (0.2, 0.25, "tight", "engines wait"),
        (0.26, 0.25, "bad", "trainer waits"),
        (0.25, 0.26, "bad", "engines wait"),
        (0.26, 0.27, "bad", "both wait"),
    ],
)
def test_the_longer_of_two_waits_is_named_and_both_above_a_quarter(
    trainer: float, engines: float, level: str, word: str
) -> None:
    found = pools_wait.function("grpo", "apart", trainer, engines, 0, FITS, FITS)
    assert (found.level, found.word) == (level, word)


def test_the_curve_has_whole_training_replicas_and_leaves_an_engine() -> None:
    state = {"algorithm": "grpo", "placement": "apart", "serving_tensor_parallel": 8}
    assert places({**state, "gpus": 64, "train_group": 16}) == [16, 32, 48]
    many = places({**state, "gpus": 1024, "train_group": 8})
    assert len(many) <= 25
    assert (many[0], many[-1]) == (8, 1016)
    assert all(one % 8 == 0 for one in many)
    assert places({**state, "gpus": 64, "placement": "colocated"}) == [64]

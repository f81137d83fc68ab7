"""Post-training: the default scenario of its specification, odd inputs, identities, and states worked out by hand."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import parse_inputs, valid_inputs
from calculators.catalog import CALCULATORS, joined
from calculators.declare import Values
from calculators.subjects.post_training.post_training.calculator import CALCULATOR
from calculators.subjects.post_training.post_training.formulas.loop import best_split, disaggregated
from calculators.subjects.post_training.post_training.recommendations import proposals

GIVEN = {"train_gpus": 64}
AGENTS = {"turns": 20, "tool_time": 10, "tool_tokens": 300, "max_staleness": 2}
ONE_EFFICIENCY = {"allreduce_decode_efficiency": 0.7}  # of all-reduces in the specification, however small
ON_POLICY = {"max_staleness": 0, "late_samples": "waited"}


def values(**given: Any) -> Values:
    """Every value of a state."""
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))


def problems(**given: Any) -> dict[str, str]:
    """What is wrong with a state."""
    return dict(parse_inputs(CALCULATOR, given).problems)


def spoken(**given: Any) -> list[str]:
    """Names of the warnings that speak in a state."""
    found = values(**given)
    warnings = CALCULATOR.of_role("warning")
    return [one.name for one in warnings if one.function(*[found[need] for need in one.needs])]


@pytest.mark.parametrize(
    ("given", "step", "decided", "trainer", "engines", "hours", "cost"),
    [
        (GIVEN, 311.9, "rollout engines", 0.53, 0.006, 12_321, 36_964),
        ({}, 301.6, "rollout engines", 0.36, 0.007, 11_914, 35_742),
        ({"max_staleness": 2, "train_gpus": 48}, 227.4, "rollout engines", 0.15, 0.009, 8984, 26_951),
        ({"max_staleness": 4, "train_gpus": 48}, 206.5, "rollout engines", 0.06, 0.010, 8159, 24_477),
        (GIVEN | {"late_samples": "waited"}, 499.2, "the longest answer", 0.71, 0.38, 19_723, 59_169),
        (GIVEN | {"late_samples": "dropped"}, 360.3, "rollout engines", 0.59, 0.14, 14_235, 42_706),
        ({"placement": "colocated"} | ON_POLICY, 750.6, "rollout engines", 0, 0, 29_652, 88_956),
        (GIVEN | ON_POLICY, 908.9, "rollout engines", 0.84, 0.16, 35_907, 107_720),
        (GIVEN | AGENTS, 375.1, "rollout engines", 0.33, 0.005, 14_820, 44_461),
        (GIVEN | AGENTS | {"sandboxes": 512}, 802.4, "sandboxes", 0.69, 0.003, 31_699, 95_096),
        (GIVEN | {"algorithm": "ppo"}, 346.8, "rollout engines", 0.31, 0.006, 13_700, 41_101),
        ({"algorithm": "dpo", "prompts_per_step": 512}, 59.7, "trainer", 0, 0, 2357, 7071),
    ],
)
def test_the_default_scenario_and_its_changes(
    given: dict[str, Any], step: float, decided: str, trainer: float, engines: float, hours: float, cost: float
) -> None:
    """As the specification prints them; its prototype is a program of its own."""
    found = values(**ONE_EFFICIENCY, **given)
    assert found["rl_step_time"] == pytest.approx(step, abs=0.06)
    assert found["rl_bottleneck"].word == decided
    waits = found["trainer_wait_share"], found["rollout_wait_share"]
    assert waits == pytest.approx((trainer, engines), abs=0.0055)
    assert found["rl_gpu_hours"] == pytest.approx(hours, abs=1)
    assert found["rl_cost"] == pytest.approx(cost, abs=2)


@pytest.mark.parametrize(
    ("train", "step"),
    [(16, 571.6), (32, 332.3), (48, 301.6), (64, 311.9), (80, 357.0), (96, 513.3), (112, 1024.6)],
)
def test_every_split_of_the_default(train: int, step: float) -> None:
    assert values(**ONE_EFFICIENCY, train_gpus=train)["rl_step_time"] == pytest.approx(step, abs=0.06)


def test_the_parts_of_the_default() -> None:
    found = values(**ONE_EFFICIENCY, **GIVEN)
    parts = [found[name] for name in ("logprob_time", "update_time", "weight_sync_time", "batch_time", "drain_time")]
    assert parts == pytest.approx([56.7, 88.0, 2.0, 762, 724], abs=0.5)
    engine = [found[name] for name in ("sequences_per_engine", "rollout_slots", "trajectory_time", "median_answer")]
    assert engine == pytest.approx([66, 114, 319, 5286], abs=0.5)
    assert found["rollout_tpot"] == pytest.approx(0.040, abs=5e-4)
    assert found["truncated_share"] == pytest.approx(0.033, abs=5e-4)
    assert found["weights_sent"] == pytest.approx(65.5e9, rel=1e-3)
    assert found["rl_checkpoint_size"] == pytest.approx(459e9, rel=1e-3)
    assert found["rl_checkpoint_interval"] / 3600 == pytest.approx(1.7, abs=0.05)
    assert found["rollouts_stored_per_day"] * 86400 == pytest.approx(40e9, rel=0.01)
    assert values(**ONE_EFFICIENCY, **GIVEN, **AGENTS)["sandbox_cost"] == pytest.approx(8648, abs=2)
    assert values(**ONE_EFFICIENCY, **GIVEN, **AGENTS, sandboxes=512)["sandbox_cost"] == pytest.approx(5064, abs=2)


@pytest.mark.parametrize(
    ("given", "states", "generating", "training"),
    [
        ({"train_gpus": 64}, 8.2, 11.2, 20.1),
        ({"train_gpus": 64, "algorithm": "ppo", "reward_parameters": "32.76B"}, 16.4, 20.4, 29.3),
        ({"placement": "colocated", "gpus": 64}, 8.2, 59.2, 20.1),
        ({"placement": "colocated", "gpus": 64, "engine_sleeps": "no"}, 8.2, 59.2, 68.1),
    ],
)
def test_memory_of_both_phases(given: dict[str, Any], states: float, generating: float, training: float) -> None:
    """32.8e9 parameters on 64 GPUs of 80 GB, 4,096 tokens a micro-batch, an engine with 0.6 of a GPU: in GB."""
    found = values(gpu_memory="80 GB", gpu_memory_utilization=0.6, **given)
    sizes = [found[name] / 1e9 for name in ("rl_state_memory", "generating_memory", "training_phase_memory")]
    assert sizes == pytest.approx([states, generating, training], abs=0.06)


@pytest.mark.parametrize(
    ("given", "blamed", "words"),
    [
        ({"output_tokens": 40_000}, "longest_answer", ("40,000 tokens", "32,768 tokens", "raise the limit")),
        ({"train_gpus": 126}, "train_gpus", ("126 GPUs", "less than one rollout engine of 4 ranks", "use fewer")),
        ({"samples_per_prompt": 1}, "samples_per_prompt", ("GRPO compares", "at least 2")),
        ({"algorithm": "dpo", "samples_per_prompt": 3}, "samples_per_prompt", ("2 answers", "not 3")),
        ({"answer_tail": 0.5}, "answer_tail", ("between 1 and 100",)),
        ({"kept_share_of_groups": 0}, "kept_share_of_groups", ("between 1% and 100%",)),
        ({"max_staleness": 65}, "max_staleness", ("between 0 and 64",)),
    ],
)
def test_an_impossible_state_is_refused_with_what_would_do(
    given: dict[str, Any], blamed: str, words: tuple[str, ...]
) -> None:
    found = problems(**given)
    assert set(found) == {blamed}
    assert all(word in found[blamed] for word in words), found[blamed]


def test_answers_of_one_length_have_no_spread() -> None:
    found = values(answer_tail=1, **GIVEN)
    assert found["length_spread"] == 0
    assert found["median_answer"] == found["longest_expected"] == 8000
    assert found["truncated_share"] == 0


def test_a_tail_near_one_comes_close_to_answers_of_one_length() -> None:
    assert values(answer_tail=1.001)["rl_step_time"] == pytest.approx(values(answer_tail=1)["rl_step_time"], rel=1e-3)


def test_the_choice_for_late_answers_has_no_effect_on_policy_and_the_page_says_so() -> None:
    steps = {
        late: values(max_staleness=0, late_samples=late)["rl_step_time"] for late in ("carried", "waited", "dropped")
    }
    assert len(set(steps.values())) == 1
    assert "late_samples_have_no_effect" in spoken(max_staleness=0, late_samples="dropped")


def test_dpo_has_no_engines_verifiers_sandboxes_or_transfer_and_says_so() -> None:
    found = values(algorithm="dpo", turns=20, tool_time=10, verifier_time=60)
    off = (
        "rollout_gpus",
        "rollout_copies",
        "weights_sent",
        "weight_sync_time",
        "sandboxes_in_use",
        "rollout_bytes_per_step",
    )
    assert [found[name] for name in off] == [0] * len(off)
    assert found["rollout_rival"] is None
    assert found["verifier_rival"] is None
    assert "off_with_dpo" in spoken(algorithm="dpo")
    assert CALCULATOR.text("rollout_rival", None) == "off"


def test_few_kept_groups_are_finite_and_warned_about() -> None:
    found = values(kept_share_of_groups=0.01)
    assert found["generated_samples"] == 102_400
    assert math.isfinite(found["rl_step_time"])
    assert "groups_thrown_away" in spoken(kept_share_of_groups=0.01)


def test_gpus_in_no_engine_are_named_and_paid_for() -> None:
    found = values(gpus=131, train_gpus=64)
    assert (found["rollout_copies"], found["idle_gpus"], found["paid_gpus"]) == (16, 3, 131)
    assert "gpus_in_no_engine" in spoken(gpus=131, train_gpus=64)


@pytest.mark.parametrize("train", [16, 32, 48, 64, 80, 96, 112])
@pytest.mark.parametrize("staleness", [0, 1, 2, 8])
@pytest.mark.parametrize("late", ["carried", "waited", "dropped"])
def test_no_step_is_shorter_than_the_trainer_or_than_the_engines_at_full_load(
    train: int, staleness: int, late: str
) -> None:
    found = values(train_gpus=train, max_staleness=staleness, late_samples=late)
    rollouts = found["rollouts"]
    assert found["rl_step_time"] >= found["trainer_cycle"] * (1 - 1e-9)
    full = rollouts.generation(rollouts.slots, found["rollout_copies"])
    assert found["rl_step_time"] >= full * (1 - 1e-9)


@pytest.mark.parametrize("late", ["carried", "waited"])
def test_more_staleness_never_makes_a_step_longer(late: str) -> None:
    steps = [values(max_staleness=k, late_samples=late, **GIVEN)["rl_step_time"] for k in (0, 1, 2, 4, 8, 64)]
    assert all(later <= sooner * (1 + 1e-9) for sooner, later in itertools.pairwise(steps))


def test_the_best_split_is_the_best_of_all() -> None:
    found = values()
    steps = {train: values(train_gpus=train)["rl_step_time"] for train in range(16, 128, 16)}
    assert found["best_train_gpus"] == min(steps, key=lambda train: steps[train])
    assert found["best_step_time"] == pytest.approx(min(steps.values()), rel=1e-12)


@pytest.mark.parametrize("gpus", [64, 256])
@pytest.mark.parametrize("staleness", [0, 1, 2, 8])
@pytest.mark.parametrize("given", [{}, {"late_samples": "waited"}, {"late_samples": "dropped"}, {"sandboxes": 200}])
def test_no_split_that_was_left_out_is_better(gpus: int, staleness: int, given: dict[str, Any]) -> None:
    found = values(gpus=gpus, max_staleness=staleness, tool_time=20, turns=3, **given)
    rollouts, trainer, ranks = found["rollouts"], found["trainer"], found["serving_tensor_parallel"]
    splits = [float(train) for train in range(8, gpus - int(ranks) + 1, 8)]
    steps = {train: disaggregated(rollouts, trainer, train, (gpus - train) // ranks).step for train in splits}
    chosen = best_split(rollouts, trainer, gpus, 8, ranks, None)
    assert steps[chosen] == pytest.approx(min(steps.values()), rel=1e-8)


def test_the_best_split_holds_the_trainer_where_a_split_does() -> None:
    """235B parameters: 16 B of state and 2 B of a frozen reference each are 4.23 TB, 88 GB on 48 GPUs of 85.9 GB."""
    given = {"model": "qwen3-235b-a22b", "gpus": 160, "serving_tensor_parallel": 16}
    found = values(**given)
    assert found["trainer_model_memory"] == pytest.approx(18 * found["parameters"])
    assert found["best_train_gpus"] == 64
    assert found["rl_memory_use"] <= 1
    assert values(**given, train_gpus=48)["split_chosen"].word == "trainer does not fit"


def test_the_best_of_many_splits_is_found_without_trying_all() -> None:
    found = values(gpus=1600, prompts_per_step=1024)
    rollouts, trainer = found["rollouts"], found["trainer"]
    chosen = best_split(rollouts, trainer, 1600, 16, 4, None)
    steps = {
        train: disaggregated(rollouts, trainer, float(train), (1600 - train) // 4).step
        for train in range(16, 1600 - 4, 16)
    }
    assert steps[int(chosen)] == pytest.approx(min(steps.values()), rel=1e-9)


@pytest.mark.parametrize("model", ["qwen3-32b", "qwen3-30b-a3b", "llama-3-70b"])
@pytest.mark.parametrize("running", [1, 16, 64])
def test_an_engine_at_full_efficiency_decodes_as_inference_does(model: str, running: int) -> None:
    """One decoding step, in both: Inference's with prefill on other GPUs, at the same batch and lengths."""
    shared = {"model": model, "serving_tensor_parallel": 4, "input_tokens": 300, "output_tokens": 8000}
    serving = CALCULATORS["inference"]
    given = valid_inputs(serving, {**shared, "disaggregated": "yes", "concurrent_sequences": running})
    tpot = answer.evaluated(serving, given)["tpot"]
    engine = values(**shared, rollout_efficiency=1)["rollout_engine"]
    assert engine.tpot(float(running), 300 + 8000 / 2) == pytest.approx(tpot, rel=1e-12)


def test_drafts_shorten_a_token_of_an_engine_as_in_inference() -> None:
    drafted: dict[str, Any] = {"draft_tokens": 3, "draft_acceptance_rate": 0.7, "serving_tensor_parallel": 4}
    drafted |= {"model": "qwen3-32b", "input_tokens": 300, "output_tokens": 8000}
    serving = CALCULATORS["inference"]
    given = valid_inputs(serving, {**drafted, "disaggregated": "yes", "concurrent_sequences": 8})
    tpot = answer.evaluated(serving, given)["tpot"]
    engine = values(**drafted, rollout_efficiency=1)["rollout_engine"]
    assert engine.tpot(8.0, 4300) == pytest.approx(tpot, rel=1e-12)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"late_samples": "waited"},
        {"max_staleness": 0},
        {"late_samples": "dropped"},
        {"placement": "colocated"},
        {"gpus": 4096},
        {"model": "qwen3-235b-a22b", "serving_tensor_parallel": 8},
    ],
)
def test_a_whole_evaluation_with_all_splits_takes_a_few_milliseconds(given: dict[str, Any]) -> None:
    """Ten milliseconds are allowed; the fastest of five, in processor time."""
    explicit = valid_inputs(CALCULATOR, given).explicit
    fastest = math.inf
    for attempt in range(5):
        changed = {**explicit, "output_tokens": 7000.0 + attempt, "prompts_per_step": 60.0 + attempt}
        start = time.process_time()
        CALCULATOR.evaluate(changed)
        fastest = min(fastest, time.process_time() - start)
    assert fastest < 0.010


def test_a_change_that_alters_what_is_learned_says_so_and_the_cheapest_is_first() -> None:
    found = values(**ONE_EFFICIENCY, **GIVEN)
    proposed = list(proposals(CALCULATOR.after)(found))
    labels = [label for label, _ in proposed]
    costs = [CALCULATOR.after(found, change)["rl_total_cost"] for _, change in proposed]
    assert costs == sorted(costs)
    gains = [cost / found["rl_total_cost"] - 1 for cost in costs]
    assert gains == pytest.approx([-0.174, -0.115, -0.033, -0.030, -0.030], abs=6e-4)
    changing = [label for label in labels if "changes the training" in label]
    assert len(changing) == 3
    assert not any("colocated" in label for label in labels)


def test_an_engine_that_shares_too_much_of_a_gpu_is_advised_to_take_less() -> None:
    state = {"placement": "colocated", "gpus": 16, "train_group": 8}
    found = values(**state)
    assert found["phases_fit"].level == "bad"
    label, change = next(iter(proposals(CALCULATOR.after)(found)))
    assert "less for the engine" in label
    assert CALCULATOR.after(found, change)["generating_memory"] < found["generating_memory"]


def test_twice_the_sandboxes_are_proposed_where_they_decide() -> None:
    found = values(**GIVEN, **AGENTS, sandboxes=256)
    assert any("sandboxes" in label for label, _ in proposals(CALCULATOR.after)(found))


def test_no_green_verdict_is_next_to_a_long_wait() -> None:
    for given in (GIVEN, {"max_staleness": 4, "train_gpus": 16}, {"late_samples": "waited"}, {"max_staleness": 0}):
        found = values(**given)
        waits = max(found["trainer_wait_share"], found["rollout_wait_share"])
        assert (found["pools_wait"].level == "good") == (waits <= 0.10)


def test_joined_with_all_others_it_takes_their_goodput_and_gives_its_interval_and_its_rollouts() -> None:
    everything = joined()
    given = {"model": "qwen3-32b", "gpus": "128", "train_gpus": "64", "output_tokens": "8000", "prompts_per_step": "64"}
    found = everything.evaluate(valid_inputs(everything, given).explicit)
    assert found["checkpoint_interval"] == pytest.approx(20 * found["rl_step_time"], rel=1e-12)
    hours = found["rl_step_time"] * 1000 / found["goodput"] * 128 / 3600
    assert found["rl_gpu_hours"] == pytest.approx(hours, rel=1e-12)
    kept = found["logs_per_day"] + found["rollouts_stored_per_day"] * 86400
    assert found["logged_per_day"] == pytest.approx(kept, rel=1e-12)
    without = everything.evaluate(valid_inputs(everything, {**given, "goodput": "50%"}).explicit)
    assert without["rl_step_time"] == pytest.approx(found["rl_step_time"], rel=1e-12)


# --- Five states worked out by hand -------------------------------------------------------------------------------

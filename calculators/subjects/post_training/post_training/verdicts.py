"""Verdicts of post-training: what limits the step, who waits, the split, memory, cut answers, weight transfer."""

from collections.abc import Mapping
from typing import Any

from calculators.declare import NOT_CHECKED, Level, Verdict, formulas_of, verdict
from calculators.subjects.post_training.post_training.formulas.loop import ENGINES, TRAINER, Outcome
from calculators.subjects.post_training.post_training.inputs.pools import Placement
from calculators.subjects.post_training.post_training.inputs.work import Algorithm

_SHORT_WAIT, LONG_WAIT = 0.10, 0.25  # of a step
_NEAR_BEST, _FAR_FROM_BEST = 0.03, 0.15  # of the best split's step
_LITTLE_HEADROOM = 0.90  # of a GPU's memory
FEW_CUT, _MANY_CUT = 0.02, 0.10  # of the answers
_SHORT_TRANSFER, LONG_TRANSFER = 0.03, 0.10  # of a step
_ROUNDING = 1e-9
_NO_RUN = Verdict(
    level="tight", word=NOT_CHECKED, reason="Trainer or rollout engines do not fit: there is no step to judge."
)


def _level(value: float, good: float, tight: float) -> Level:
    return "good" if value <= good + _ROUNDING else "tight" if value <= tight + _ROUNDING else "bad"


@verdict(
    "Trainer and rollout balance",
    good="train_gpus=48&max_staleness=4",
    tight="train_gpus=48&max_staleness=2",
    bad="train_gpus=64",
)
def pools_wait(
    algorithm: Algorithm,
    placement: Placement,
    trainer_wait_share: float,
    rollout_wait_share: float,
    drain_share: float,
    phases_fit: Verdict,
    engine_fits: Verdict,
) -> Verdict:
    """The larger of the two waits; on shared GPUs, the time that draining engines leave idle."""
    if "bad" in {phases_fit.level, engine_fits.level}:
        return _NO_RUN
    if algorithm == "dpo":
        return Verdict(level="good", word="OK", reason="All GPUs train; there are no rollouts to wait for.")
    if placement == "colocated":
        level = _level(drain_share, _SHORT_WAIT, LONG_WAIT)
        word = {"good": "OK", "tight": "engines drain", "bad": "engines drain for long"}[level]
        reason = "Trainer and engines take turns. Engines below full load idle GPUs for {drain_share} of a step."
        return Verdict(level=level, word=word, reason=reason)
    trainer, engines = trainer_wait_share, rollout_wait_share
    level = _level(max(trainer, engines), _SHORT_WAIT, LONG_WAIT)
    waits = "Trainer waits {trainer_wait_share} of a step, rollout engines {rollout_wait_share}."
    if level == "good":
        return Verdict(level="good", word="balanced", reason=waits)
    if trainer > LONG_WAIT < engines:
        return Verdict(level="bad", word="both wait", reason=waits)
    who = "trainer waits" if trainer >= engines else "engines wait"
    return Verdict(level=level, word=who, reason=waits)


@verdict("Step limited by", good="train_gpus=16", tight="")
def rl_bottleneck(outcome: Outcome, phases_fit: Verdict, engine_fits: Verdict) -> Verdict:
    """Rival that decides the step; a statement, never bad."""
    if "bad" in {phases_fit.level, engine_fits.level}:
        return _NO_RUN
    reasons = {
        TRAINER: "Log-probabilities, update and weight transfer take {trainer_cycle}.",
        ENGINES: "A batch takes {rollout_rival}, the trainer {trainer_cycle}.",
        "verifiers": "Verification takes {verifier_rival} per step.",
        "the longest answer": "The longest of a batch holds the step at {longest_answer_rival}.",
        "sandboxes": "{sandboxes} hold no more samples: engines run {sequences_per_engine} of {rollout_slots} each.",
        "weights and switching": "Weight transfer and switching take {weight_sync_time} and {switch_time}.",
    }
    name = outcome.decided_by
    return Verdict(level="good" if name == TRAINER else "tight", word=name, reason=reasons[name])


@verdict("Split of GPUs", good="", tight="train_gpus=64&max_staleness=2", bad="train_gpus=80")
def split_chosen(
    algorithm: Algorithm,
    placement: Placement,
    rl_step_time: float,
    best_step_time: float,
    train_gpus: float,
    best_train_gpus: float,
    rl_memory_use: float,
    engine_fits: Verdict,
) -> Verdict:
    """Verdict on the split: the step's time against that of the best split."""
    if algorithm == "dpo" or placement == "colocated":
        return Verdict(level="good", word="not needed", reason="All GPUs do the same.")
    if rl_memory_use > 1:
        return Verdict(level="bad", word="trainer does not fit", reason="{train_gpus} for training do not hold it.")
    if engine_fits.level == "bad":
        return _NO_RUN
    longer = rl_step_time / best_step_time - 1
    if train_gpus == best_train_gpus:
        reason = "{best_train_gpus} for training, the rest for rollouts: no other split that fits is faster."
        return Verdict(level="good", word="best split", reason=reason)
    level = _level(longer, _NEAR_BEST, _FAR_FROM_BEST)
    word = {"good": "near the best", "tight": "slower than the best", "bad": "another split is faster"}[level]
    reason = "{best_train_gpus} for training instead of {train_gpus} makes a step {best_step_time}."
    return Verdict(level=level, word=word, reason=reason)


@verdict(
    "Memory of training GPUs",
    good="",
    tight="placement=colocated",
    bad="placement=colocated&engine_sleeps=no",
)
def phases_fit(rl_memory_use: float, generating_memory: float, training_phase_memory: float) -> Verdict:
    """Whether both phases fit into a training GPU."""
    fuller = "generating" if generating_memory > training_phase_memory else "training"
    reason = "Training: {training_phase_memory}, generating: {generating_memory}, of {gpu_memory}."
    if rl_memory_use > 1:
        return Verdict(level="bad", word=f"does not fit while {fuller}", reason=reason)
    if rl_memory_use > _LITTLE_HEADROOM:
        return Verdict(level="tight", word="little headroom", reason=reason)
    return Verdict(level="good", word="fits", reason=reason)


def does_not_fit(values: Mapping[str, Any]) -> str:
    """The sentence of a run without room for its trainer or an engine's weights: it has no speed and no price."""
    if values["rl_memory_use"] > 1:
        return (
            "Post-training {parameters} on {gpus} does not fit: a training GPU takes {training_phase_memory} while the "
            "trainer works and {generating_memory} while engines generate, of {gpu_memory}. Use more GPUs for "
            "training, offload states or use GPUs with more memory."
        )
    if values["engine_fits"].level == "bad" and values["cache_budget"]:
        return (
            "A rollout engine of {serving_tensor_parallel} does not fit: a prompt of {input_tokens} and an answer of "
            "{longest_answer} take more KV cache than the {cache_budget} per GPU that the weights leave. Use more "
            "ranks, a narrower cache or a lower limit of answers."
        )
    if values["engine_fits"].level == "bad":
        return (
            "A rollout engine of {serving_tensor_parallel} does not fit: weights take {serving_weight_memory} of "
            "{gpu_memory} per GPU and leave no KV cache. Use more ranks, narrower weights or GPUs with more memory."
        )
    return ""


@verdict("KV cache of an engine", good="", tight="gpu_memory_utilization=50%&train_gpus=64", bad="model=llama-3-1-405b")
def engine_fits(
    algorithm: Algorithm,
    cache_budget: float,
    cache_per_token_per_gpu: float,
    sequences_per_engine: float,
    rollout_slots: float,
    input_tokens: float,
    longest_answer: float,
) -> Verdict:
    """Whether the weights leave room for the KV cache of the longest answer, and whether a larger one would help.

    vLLM refuses to start where the longest sequence does not fit into the cache.
    """
    if algorithm == "dpo":
        return Verdict(level="good", word="off", reason="Nothing is generated.")
    if cache_per_token_per_gpu and not cache_budget:
        reason = (
            "{serving_weight_memory} of weights per GPU leave no KV cache in an engine of {serving_tensor_parallel}: "
            "use more ranks, narrower weights or GPUs with more memory."
        )
        return Verdict(level="bad", word="weights do not fit", reason=reason)
    if cache_per_token_per_gpu * (input_tokens + longest_answer) > cache_budget:
        reason = (
            "The KV cache of an engine of {serving_tensor_parallel} has {cache_budget} per GPU, and a prompt of "
            "{input_tokens} with an answer of {longest_answer} takes more: use more ranks, a narrower cache or a lower "
            "limit of answers."
        )
        return Verdict(level="bad", word="longest answer does not fit", reason=reason)
    if sequences_per_engine >= rollout_slots * (1 - _ROUNDING):
        return Verdict(
            level="tight", word="full", reason="KV cache or max_num_seqs limits an engine to {rollout_slots}."
        )
    return Verdict(level="good", word="OK", reason="{sequences_per_engine} run; there is room for {rollout_slots}.")


@verdict("Truncated answers", good="output_tokens=4000", tight="", bad="longest_answer=16384")
def answers_complete(algorithm: Algorithm, truncated_share: float) -> Verdict:
    """Whether the limit cuts few answers."""
    if algorithm == "dpo":
        return Verdict(level="good", word="none", reason="Pairs are there already; nothing is generated.")
    level = _level(truncated_share, FEW_CUT, _MANY_CUT)
    word = {"good": "OK", "tight": "noticeable", "bad": "too many"}[level]
    reason = "{truncated_share} reach {longest_answer}; a cut answer has no result to reward."
    return Verdict(level=level, word=word, reason=reason)


@verdict("Transfer time", good="", tight="sync_bandwidth=5GB/s", bad="sync_bandwidth=1GB/s")
def transfer_hidden(
    algorithm: Algorithm, weight_sync_time: float, rl_step_time: float, phases_fit: Verdict, engine_fits: Verdict
) -> Verdict:
    """Whether sending weights to the engines is a small part of a step."""
    if algorithm == "dpo":
        return Verdict(level="good", word="off", reason="No engine needs the new weights.")
    if "bad" in {phases_fit.level, engine_fits.level}:
        return _NO_RUN
    level = _level(weight_sync_time / rl_step_time, _SHORT_TRANSFER, LONG_TRANSFER)
    word = {"good": "OK", "tight": "noticeable", "bad": "too slow"}[level]
    return Verdict(level=level, word=word, reason="{weights_sent} take {weight_sync_time} of {rl_step_time}.")


FORMULAS = formulas_of(globals())

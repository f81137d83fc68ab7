"""Post-training: step time of GRPO, PPO and DPO, the split of GPUs, who waits for whom, and what a run costs."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from calculators import facts
from calculators.declare import Calculator, Preset
from calculators.declare.pictures import Bars, Row, Segment
from calculators.llm import dimensions
from calculators.llm.serving.constraints import CONSTRAINTS
from calculators.subjects.post_training.post_training import constraints, verdicts, warnings
from calculators.subjects.post_training.post_training.curve import CURVE
from calculators.subjects.post_training.post_training.formulas import FORMULAS
from calculators.subjects.post_training.post_training.inputs import Inputs
from calculators.subjects.post_training.post_training.inputs.engine import DRAFT, ENGINE, SPEED
from calculators.subjects.post_training.post_training.inputs.pools import POOLS
from calculators.subjects.post_training.post_training.inputs.retention import BILL, KEPT
from calculators.subjects.post_training.post_training.inputs.trainer import TRAINER, VERIFY, WEIGHTS
from calculators.subjects.post_training.post_training.inputs.work import AGENTS, LENGTHS, WORK
from calculators.subjects.post_training.post_training.recommendations import proposals
from calculators.subjects.post_training.post_training.tables import (
    CONVENTIONS,
    DEMANDS,
    MEMORY,
    RIVALS,
    TRANSPORTS,
    placements,
    splits,
    staleness,
)
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import MACHINE, MODEL, SHARD
from calculators.vocabulary.models import model_preset

_TRANSPORTS = tuple(
    facts.all_records()[f"sync-{name}"]
    for name in ("checkpoint-engine", "nccl-broadcast", "rdma-lmsys", "rdma-perplexity")
)
# Of the constraints on served models those that need no length of a whole sequence; the longest has a warning here.
_OF_MODELS = tuple(one for one in CONSTRAINTS if one.name != "context_beyond_positions")
_TRAINER_LANE = (
    Segment(value="logprob_time", tone="activations"),
    Segment(value="update_time", tone="work"),
    Segment(value="reward_pass_time", tone="logits"),
    Segment(value="weight_sync_time", tone="write"),
    Segment(value="trainer_wait_time", tone="free"),
)
_ENGINE_LANE = (
    Segment(value="rollout_busy_time", tone="weights"),
    Segment(value="rollout_wait_time", tone="stall"),
)


def _trials(
    values: Mapping[str, Any], names: Iterable[str], results: Iterable[str]
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    return CALCULATOR.trials(values, names, results)


def _after(values: Mapping[str, Any], changes: Mapping[str, Any]) -> Mapping[str, Any]:
    return CALCULATOR.after(values, changes)


CALCULATOR = Calculator(
    name="post_training",
    title="RL post-training",
    question="How long is a step of RL post-training, who waits for whom, and what does a run cost?",
    answer=(
        "A step takes **{rl_step_time}** on {gpus}, limited by **{rl_bottleneck}**: the trainer waits "
        "{trainer_wait_share} of it, rollout engines {rollout_wait_share}. A run of {rl_steps} costs "
        "**{rl_total_cost}**. Best split: {best_train_gpus} for training, {best_step_time} a step."
    ),
    inputs_type=Inputs,
    formulas=(*verdicts.FORMULAS, *FORMULAS, *constraints.FORMULAS, *_OF_MODELS, *warnings.FORMULAS),
    headline=(
        "rl_step_time",
        "trainer_wait_share",
        "rollout_wait_share",
        "rl_total_cost",
        "rl_gpu_hours",
        "rl_duration",
        "best_train_gpus",
        "best_step_time",
        "trainer_cycle",
        "rollout_rival",
        "logprob_time",
        "update_time",
        "weight_sync_time",
        "sequences_per_engine",
        "rollout_tpot",
        "trajectory_time",
        "mean_staleness",
        "truncated_share",
        "rl_memory_use",
        "sandboxes_in_use",
        "rl_checkpoint_size",
        "rollouts_stored_per_day",
    ),
    bands={
        "rl_step_time": ("rl_step_time_at_least", "rl_step_time_at_most"),
        "rl_total_cost": ("rl_total_cost_at_least", "rl_total_cost_at_most"),
    },
    unanswered=verdicts.does_not_fit,
    first_sliders=("gpus", "train_gpus", "output_tokens", "max_staleness", "prompts_per_step"),
    presets=(
        model_preset(
            *("attention", "window", "global_layer_share", "positions", "attention_width"),
            *dimensions.COUNTED_FROM,
            *dimensions.KEPT,
            default="qwen3-32b",
            yields_to=("parameters", "active_parameters"),
            incidental=("weight_bytes",),
        ),
        accelerator_preset(
            *("gpu_memory", "memory_bandwidth", "peak_flops"),
            optional=(
                *("link_bandwidth", "gpus_per_domain", "peak_flops_fp8", "peak_flops_fp4", "price_per_gpu_hour"),
                "device_efficiency",
            ),
        ),
        Preset(
            name="transport",
            label="Weight transport",
            records=_TRANSPORTS,
            fills={"sync_bandwidth": "sync_bandwidth", "sync_fixed": "sync_fixed"},
            default="sync-checkpoint-engine",
            group=WEIGHTS,
        ),
    ),
    groups={
        WORK: "Work of a step",
        LENGTHS: "Lengths",
        AGENTS: "Agents and tools",
        POOLS: "Pools of GPUs",
        MODEL: "Model",
        TRAINER: "Trainer",
        ENGINE: "Rollout engine",
        SHARD: "Experts of the engine",
        WEIGHTS: "Weight transfer",
        VERIFY: "Verifiers and sandboxes",
        KEPT: "Retained rollouts and checkpoints",
        BILL: "Money",
        MACHINE: "GPU",
        DRAFT: "Speculative decoding",
        SPEED: "Efficiency and latency of engines",
        dimensions.SHAPE: "Model dimensions",
    },
    assumptions=(
        "Answer lengths are log-normal, cut at the limit, and do not change during the run.",
        "Engines run Inference's decoding step at a fixed efficiency, fitted with the MFU to six published steps.",
        "Staleness bounds the mean: late answers that are carried over may be several steps older.",
        "In steady state the loop holds staleness + 0.5 - trainer cycle / step batches, half of one in the mean.",
        "Engines pause while they load new weights and keep their KV cache; samples go to the emptiest engine.",
        "Training state is sharded over all training GPUs; activations are recomputed in full.",
    ),
    omits=(
        "Learning: reward, accuracy and what stale samples do to them. Published scores are in a table below.",
        "Preempted answers and their second prefill, which make very long rollouts slower than calculated.",
        "Start of steps, reshaping of weights, host work: most published steps are longer than calculated.",
        "Prefix caches across turns, and weights that arrive engine by engine.",
        "CPU time of data loading, and the network traffic of rollouts to the trainer.",
    ),
    recommendations=proposals(_after),
    recommendations_heading="Recommendations: changes that make the run cheaper, each alone",
    tables=(
        RIVALS,
        splits(_trials),
        staleness(_trials),
        placements(_trials),
        MEMORY,
        TRANSPORTS,
        DEMANDS,
        CONVENTIONS,
    ),
    tradeoff=CURVE,
    picture=Bars(
        title="One step of trainer and rollout engines",
        rows=(
            Row(label="Trainer", segments=_TRAINER_LANE),
            Row(label="Rollout engines", segments=_ENGINE_LANE),
        ),
    ),
)

"""Preference training and reinforcement learning: reference, reward and critic models next to the trained one.

DPO, KTO, GRPO and PPO as TRL, verl and NeMo RL run them; the trained model's own states and activations are the job's.
"""

from typing import Any, Literal

from calculators.declare import choice, computed, formulas_of, quantity, step
from calculators.llm.adapters import ADAPTERS, Job
from calculators.subjects.training.training_memory.states import StageParameters

PREFERENCE = "preference"
Preference = Literal["none", "dpo", "dpo-precomputed", "kto", "grpo", "ppo"]
_WITH_REFERENCE = ("dpo", "kto", "grpo", "ppo")
_WEIGHTS_SHARDED = 3  # ZeRO's stage


def preference() -> Any:
    """Method of preference training or reinforcement learning."""
    options = {
        "none": "none",
        "dpo": "DPO: a frozen reference",
        "dpo-precomputed": "DPO, reference log-probabilities precomputed",
        "kto": "KTO: a frozen reference",
        "grpo": "GRPO: a frozen reference, rewards by rules",
        "ppo": "PPO: reference, reward model and critic",
    }
    return choice(
        "none",
        "Preference training",
        options,
        help="Models held with the trained one. With adapters the frozen weights are the reference. A DPO pair is two "
        "sequences of the micro-batch.",
        group=PREFERENCE,
    )


def reward_size() -> Any:
    """Size of the reward model, over that of the trained model."""
    return quantity(
        computed("usual_reward_size", "of this method"),
        "1",
        "Reward model ÷ trained model",
        hard=(0, 100),
        slider=(0, 2),
        help="0 where rules or a service give rewards.",
        group=PREFERENCE,
    )


def critic_size() -> Any:
    """Size of the critic, over that of the trained model."""
    return quantity(
        1,
        "1",
        "Critic ÷ trained model",
        hard=(0, 100),
        slider=(0, 2),
        help="Trained with PPO, on the same GPUs.",
        group=PREFERENCE,
    )


def engine_share() -> Any:
    """Share of GPU memory that a rollout engine keeps while training runs."""
    return quantity(
        0,
        "share",
        "Rollout engine memory share",
        hard=(0, 1),
        slider=(0, 0.9),
        help="vLLM's `gpu_memory_utilization` where the engine shares these GPUs and stays awake. 0 where it sleeps "
        "during training or runs on other GPUs.",
        group=PREFERENCE,
    )


@step("1", "Typical reward model ÷ trained model")
def usual_reward_size(preference: Preference) -> float:
    """Size of the reward model over that of the trained one: as large with PPO, else none [1]."""
    return 1 if preference == "ppo" else 0


@step("B", "Frozen copy of the model", binary=True)
def frozen_copy_memory(zero_stage: int, held_parameters: StageParameters, activation_bytes: float) -> float:
    """One frozen copy of the model on one GPU [B], in the precision of activations and split as the trained one.

    >>> frozen_copy_memory(3, StageParameters(8e9, 1e9), 2), frozen_copy_memory(1, StageParameters(8e9, 1e9), 2)
    (2000000000.0, 16000000000.0)
    """
    return activation_bytes * (held_parameters.sharded if zero_stage >= _WEIGHTS_SHARDED else held_parameters.whole)


@step("B", "Reference model", binary=True)
def reference_memory(preference: Preference, job: Job, frozen_copy_memory: float) -> float:
    """Frozen reference on one GPU [B]; none with adapters, whose frozen weights serve as the reference.

    >>> [reference_memory("dpo", job, 5.0) for job in ("full", "lora")]
    [5.0, 0.0]
    """
    return frozen_copy_memory if preference in _WITH_REFERENCE and job not in ADAPTERS else 0.0


@step("B", "Reward model", binary=True)
def reward_memory(reward_size: float, frozen_copy_memory: float) -> float:
    """Frozen reward model on one GPU [B], in proportion to its size."""
    return reward_size * frozen_copy_memory


@step("B", "Critic", binary=True)
def critic_memory(preference: Preference, critic_size: float, model_state_memory: float) -> float:
    """Weights, gradients and optimizer state of PPO's critic on one GPU [B], in proportion to its size."""
    return critic_size * model_state_memory if preference == "ppo" else 0


@step("B", "Reference, reward, critic", binary=True)
def companion_memory(reference_memory: float, reward_memory: float, critic_memory: float) -> float:
    """Models next to the trained one on one GPU [B]."""
    return reference_memory + reward_memory + critic_memory


@step("B", "Rollout engine", binary=True)
def engine_memory(engine_share: float, gpu_memory: float) -> float:
    """Memory that a rollout engine keeps on a GPU while training runs [B]."""
    return engine_share * gpu_memory


PREFERENCES = formulas_of(globals())

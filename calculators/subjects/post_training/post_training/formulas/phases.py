"""GPU memory of both phases: training state, frozen models, logits, and the rollout engine where it shares the GPU."""

import math
from typing import NamedTuple

from calculators import facts
from calculators.declare import formulas_of, record, step
from calculators.subjects.post_training.post_training.inputs.pools import Placement
from calculators.subjects.post_training.post_training.inputs.work import Algorithm

_BF16, _LOGIT, _RESERVED = (
    float(facts.fact(f"rl-{name}").value) for name in ("frozen-bytes", "logit-bytes", "memory-reserved")
)


_ROUNDING = 1e-9


class Shared(NamedTuple):
    """Trainer and engine on the same GPU: memory of the engine [B], whether it sleeps, whether states are offloaded."""

    engine: float
    sleeps: bool
    offloaded: bool


@step("B", "Training state per GPU", binary=True, rises_with=("parameters",))
def rl_state_memory(
    algorithm: Algorithm, parameters: float, critic_parameters: float, state_bytes: float, trainer_gpus: float
) -> float:
    """Weights, gradients and optimizer state of policy and critic on each training GPU [B], sharded over all.

    >>> round(rl_state_memory("grpo", 32.8e9, 0, 16, 64) / 1e9, 1), rl_state_memory("ppo", 16e9, 16e9, 16, 64) / 1e9
    (8.2, 8.0)
    """
    trained = parameters + (critic_parameters if algorithm == "ppo" else 0)
    return trained * state_bytes / trainer_gpus


@step("B", "Reference and reward model per GPU", binary=True)
def rl_frozen_memory(
    parameters: float,
    reference_model: bool,  # noqa: FBT001  an input of the graph
    reward_parameters: float,
    reward_gpus: float | None,
    trainer_gpus: float,
) -> float:
    """Frozen models on each training GPU [B], in bf16, sharded over all.

    >>> rl_frozen_memory(32e9, True, 0, None, 64), rl_frozen_memory(32e9, False, 32e9, 8, 64)
    (1000000000.0, 0.0)
    """
    frozen = (parameters if reference_model else 0.0) + (reward_parameters if reward_gpus is None else 0.0)
    return frozen * _BF16 / trainer_gpus


@step("B", "Models on the training GPUs", rises_with=("parameters",))
def trainer_model_memory(
    algorithm: Algorithm,
    parameters: float,
    critic_parameters: float,
    state_bytes: float,
    reference_model: bool,  # noqa: FBT001  an input of the graph
    reward_parameters: float,
    reward_gpus: float | None,
) -> float:
    """States of policy and critic and frozen models [B], before they are sharded.

    >>> trainer_model_memory("grpo", 32e9, 0, 16, True, 0, None)
    576000000000.0
    """
    state = rl_state_memory.function(algorithm, parameters, critic_parameters, state_bytes, 1.0)
    return float(state + rl_frozen_memory.function(parameters, reference_model, reward_parameters, reward_gpus, 1.0))


@step("GPU", "Fewest GPUs that hold the trainer", not_applicable="none")
def fewest_train_gpus(trainer_model_memory: float, rl_activation_memory: float, gpu_memory: float) -> float | None:
    """Fewest training GPUs, apart from engines, that a step fits into [GPU]; none where a micro-batch fits into none.

    >>> fewest_train_gpus(576e9, 8e9, 80e9), fewest_train_gpus(576e9, 80e9, 80e9)
    (9, None)
    """
    room = gpu_memory - rl_activation_memory - _RESERVED
    return math.ceil(trainer_model_memory / room * (1 - _ROUNDING)) if room > 0 else None


@step("B", "Logits and stored activations per GPU", binary=True, rises_with=("micro_batch_size_tokens",))
def rl_activation_memory(micro_batch_size_tokens: float, vocab: float, layers: float, hidden: float) -> float:
    """Logits of a micro-batch, and the input of each layer with full recomputation [B].

    Qwen3-32B, 4,096 tokens: 6.2 GB of logits and 2.7 GB of activations.

    >>> round(rl_activation_memory(4096, 151936, 64, 5120) / 1e9, 1)
    8.9
    """
    return micro_batch_size_tokens * (vocab * _LOGIT + layers * hidden * _BF16)


@record("Trainer and engine on one GPU")
def shared_memory(
    algorithm: Algorithm,
    placement: Placement,
    gpu_memory: float,
    gpu_memory_utilization: float,
    engine_sleeps: bool,  # noqa: FBT001  an input of the graph
    states_offloaded: bool,  # noqa: FBT001
) -> Shared:
    """Memory of an engine that shares the trainer's GPUs; none where it has its own."""
    engine = gpu_memory * gpu_memory_utilization if placement == "colocated" and algorithm != "dpo" else 0.0
    return Shared(engine, engine_sleeps, states_offloaded)


@step("B", "Memory while engines generate, per training GPU", binary=True)
def generating_memory(rl_state_memory: float, rl_frozen_memory: float, shared_memory: Shared) -> float:
    """Memory of a training GPU while engines generate [B]: states unless offloaded, and an engine that shares it."""
    kept = 0 if shared_memory.offloaded else rl_state_memory + rl_frozen_memory
    return kept + shared_memory.engine + _RESERVED


@step("B", "Memory while the trainer works, per training GPU", binary=True)
def training_phase_memory(
    rl_state_memory: float, rl_frozen_memory: float, rl_activation_memory: float, shared_memory: Shared
) -> float:
    """Memory of a training GPU while it trains [B]: states, frozen models, logits, activations, an engine awake."""
    awake = 0.0 if shared_memory.sleeps else shared_memory.engine
    return rl_state_memory + rl_frozen_memory + rl_activation_memory + awake + _RESERVED


@step("share", "GPU memory used in the fuller phase")
def rl_memory_use(generating_memory: float, training_phase_memory: float, gpu_memory: float) -> float:
    """Memory of a training GPU in the fuller phase, over what it has [share].

    >>> rl_memory_use(40e9, 20e9, 80e9)
    0.5
    """
    return max(generating_memory, training_phase_memory) / gpu_memory


FORMULAS = formulas_of(globals())

"""Trainer: FLOPs of a step, log-probabilities, update, and the transfer of weights to the engines."""

from typing import NamedTuple

from calculators import facts
from calculators.declare import formulas_of, record, step
from calculators.subjects.post_training.post_training.formulas.lengths import Lengths
from calculators.subjects.post_training.post_training.inputs.work import Algorithm

_DENSE, _MOE = (float(facts.fact(f"rl-mfu-{kind}").value) for kind in ("dense", "moe"))


class Passes(NamedTuple):
    """FLOPs of a step on the trainer: forward passes for log-probabilities, update of policy and critic, rewards."""

    forward: float
    update: float
    rewards: float


class Trainer(NamedTuple):
    """Work and speed of the trainer: FLOPs, FLOP/s of a GPU that it reaches, and time that no GPU shortens [s]."""

    passes: Passes
    rate: float
    fixed: float
    sync: float

    def logprobs(self, gpus: float) -> float:
        """Time of forward passes for log-probabilities [s]."""
        return self.passes.forward / (gpus * self.rate)

    def update(self, gpus: float) -> float:
        """Time of the update [s]."""
        return self.passes.update / (gpus * self.rate) + self.fixed

    def rewards(self, gpus: float) -> float:
        """Time in which the reward model judges the samples on the trainer's GPUs [s]."""
        return self.passes.rewards / (gpus * self.rate)

    def work(self, gpus: float) -> float:
        """Time that the trainer works in a step [s]."""
        return self.logprobs(gpus) + self.update(gpus) + self.rewards(gpus)

    def cycle(self, gpus: float) -> float:
        """Time of work and weight transfer [s]: no step is shorter."""
        return self.work(gpus) + self.sync


@step("share", "Typical MFU of an RL trainer", source="nemo-rl-performance")
def typical_rl_mfu(experts: float) -> float:
    """Model FLOPs utilization that RL trainers reach; less with experts.

    >>> typical_rl_mfu(1), typical_rl_mfu(128)
    (0.38, 0.15)
    """
    return _MOE if experts > 1 else _DENSE


@step("parameter", "Typical critic")
def typical_critic(algorithm: Algorithm, parameters: float) -> float:
    """Parameters of the critic [parameter]: as large as the model with PPO, else none.

    >>> typical_critic("ppo", 8e9), typical_critic("grpo", 8e9)
    (8000000000.0, 0)
    """
    return parameters if algorithm == "ppo" else 0


@step("parameter", "Parameters in matrix products")
def product_parameters(active_parameters: float, lookup_table_parameters: float) -> float:
    """Active parameters that multiply [parameter]: all but tables that are only looked up."""
    return max(0, active_parameters - lookup_table_parameters)


@step("FLOP", "Policy training per step", source="kaplan", rises_with=("prompts_per_step",))
def policy_flops(
    samples_per_step: float,
    sample_tokens: float,
    answer_lengths: Lengths,
    product_parameters: float,
    attention_layers: float,
    attention_width: float,
) -> float:
    """FLOPs to train the policy on all samples of a step [FLOP], forward and backward.

    Six for each parameter and token, and causal attention: 6 × layers × width × the mean square of a sample's length.
    """
    square = sample_tokens**2 + answer_lengths.square - answer_lengths.shape.mean**2
    return samples_per_step * (6 * product_parameters * sample_tokens + 6 * attention_layers * attention_width * square)


@step("1", "Forward passes for log-probabilities")
def forward_passes(
    algorithm: Algorithm,
    reference_model: bool,  # noqa: FBT001  an input of the graph
    old_logprobs: bool,  # noqa: FBT001
) -> float:
    """Forward passes besides the update [1]: of the reference model, and of the policy before its update.

    DPO compares with the reference alone.

    >>> forward_passes("grpo", True, True), forward_passes("dpo", True, True), forward_passes("grpo", False, False)
    (2, 1, 0)
    """
    return (1 if reference_model else 0) + (1 if old_logprobs and algorithm != "dpo" else 0)


@step("FLOP", "Reward model per step", rises_with=("reward_parameters",))
def reward_flops(reward_parameters: float, generated_samples: float, sample_tokens: float) -> float:
    """FLOPs to judge all generated samples [FLOP]: two for each parameter and token.

    >>> reward_flops(1e9, 1000, 1000)
    2000000000000000.0
    """
    return 2 * reward_parameters * generated_samples * sample_tokens


@step("FLOP", "Critic training per step")
def critic_flops(
    algorithm: Algorithm, critic_parameters: float, samples_per_step: float, sample_tokens: float
) -> float:
    """FLOPs of the critic [FLOP]: one forward pass for values and its training, eight for each parameter and token.

    >>> critic_flops("ppo", 1e9, 1000, 1000), critic_flops("grpo", 1e9, 1000, 1000)
    (8000000000000000.0, 0)
    """
    return 8 * critic_parameters * samples_per_step * sample_tokens if algorithm == "ppo" else 0


@record("FLOPs of a step")
def step_passes(
    policy_flops: float, forward_passes: float, critic_flops: float, reward_flops: float, reward_gpus: float | None
) -> Passes:
    """FLOPs of a step on the trainer's GPUs: a forward pass is a third of training."""
    rewards = reward_flops if reward_gpus is None else 0.0
    return Passes(policy_flops * forward_passes / 3, policy_flops + critic_flops, rewards)


@step("s", "Reward model's own GPUs")
def reward_time(reward_flops: float, reward_gpus: float | None, peak_flops: float, mfu: float) -> float:
    """Time in which the reward model judges a step on GPUs of its own [s]; 0 where the trainer's judge.

    >>> reward_time(2e15, 2, 1e15, 0.5), reward_time(2e15, None, 1e15, 0.5)
    (2.0, 0)
    """
    return 0 if reward_gpus is None else reward_flops / (reward_gpus * peak_flops * mfu)


@step("B", "Weights sent per step", rises_with=("parameters",))
def weights_sent(algorithm: Algorithm, parameters: float, weight_bytes: float, changed_weight_share: float) -> float:
    """Bytes of weights that go from trainer to engines [B]; none with DPO.

    >>> weights_sent("grpo", 32e9, 2, 1), weights_sent("dpo", 32e9, 2, 1)
    (64000000000.0, 0)
    """
    return 0 if algorithm == "dpo" else parameters * weight_bytes * changed_weight_share


@step("s", "Weight transfer", source=("checkpoint-engine", "lmsys-p2p-update"), falls_with=("sync_bandwidth",))
def weight_sync_time(algorithm: Algorithm, weights_sent: float, sync_bandwidth: float, sync_fixed: float) -> float:
    """Time to send new weights to all engines [s]; none with DPO.

    checkpoint-engine, DeepSeek-V3.1 in FP8 to 256 H20: 11.33 s.

    >>> round(weight_sync_time("grpo", 671e9, 65e9, 1), 2), weight_sync_time("dpo", 0, 65e9, 1)
    (11.32, 0)
    """
    return 0 if algorithm == "dpo" else weights_sent / sync_bandwidth + sync_fixed


@record("Trainer")
def trainer(
    step_passes: Passes,
    peak_flops: float,
    mfu: float,
    updates_per_step: float,
    update_fixed: float,
    weight_sync_time: float,
) -> Trainer:
    """Work and speed of the trainer on any number of GPUs."""
    return Trainer(step_passes, peak_flops * mfu, updates_per_step * update_fixed, weight_sync_time)


@step("s", "Log-probabilities")
def logprob_time(trainer: Trainer, trainer_gpus: float) -> float:
    """Time of the forward passes of reference model and old policy [s]."""
    return trainer.logprobs(trainer_gpus)


@step("s", "Update")
def update_time(trainer: Trainer, trainer_gpus: float) -> float:
    """Time to train policy and critic [s], fixed time of updates included."""
    return trainer.update(trainer_gpus)


@step("s", "Reward model on the trainer's GPUs")
def reward_pass_time(trainer: Trainer, trainer_gpus: float) -> float:
    """Time in which the reward model judges a step on the trainer's GPUs [s]; 0 where it has its own."""
    return trainer.rewards(trainer_gpus)


@step("s", "Trainer at work", falls_with=("mfu",))
def trainer_time(trainer: Trainer, trainer_gpus: float) -> float:
    """Time that the trainer works in a step [s]: log-probabilities, update, and rewards where it judges."""
    return trainer.work(trainer_gpus)


@step("s", "Trainer cycle")
def trainer_cycle(trainer: Trainer, trainer_gpus: float) -> float:
    """Time of the trainer's work and the weight transfer after it [s]: no step is shorter."""
    return trainer.cycle(trainer_gpus)


FORMULAS = formulas_of(globals())

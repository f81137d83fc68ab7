"""Demands on other parts: sandboxes and cores, rollouts and checkpoints that are kept, weights sent; and money."""

from calculators.declare import formulas_of, step
from calculators.subjects.post_training.post_training.inputs.work import Algorithm
from calculators.units import HOUR


@step("GPU", "GPUs paid for")
def paid_gpus(algorithm: Algorithm, gpus: float, reward_gpus: float | None) -> float:
    """GPUs of the job and of the reward model [GPU].

    >>> paid_gpus("ppo", 128, 8), paid_gpus("grpo", 128, None), paid_gpus("dpo", 128, 8)
    (136, 128, 128)
    """
    return gpus if reward_gpus is None or algorithm == "dpo" else gpus + reward_gpus


@step("1", "Sandboxes in use")
def sandboxes_in_use(
    turns: float,
    sequences_per_engine: float,
    rollout_copies: float,
    generated_samples: float,
    waiting_time: float,
    rl_step_time: float,
    sandboxes: float | None,
) -> float:
    """Sandboxes that samples on their way occupy [1]: running ones and those at their tools; 0 without tools.

    >>> sandboxes_in_use(20, 50, 16, 1000, 200, 400, None), sandboxes_in_use(20, 50, 16, 1000, 200, 400, 512)
    (1300.0, 512)
    >>> sandboxes_in_use(1, 50, 16, 1000, 0, 400, None)
    0
    """
    if turns <= 1:
        return 0
    used = sequences_per_engine * rollout_copies + generated_samples / rl_step_time * waiting_time
    return used if sandboxes is None else min(sandboxes, used)


@step("core", "CPU cores of sandboxes")
def sandbox_cores(sandboxes_in_use: float, cores_per_sandbox: float) -> float:
    """CPU cores that sandboxes in use take [core].

    >>> sandbox_cores(1300, 2)
    2600
    """
    return sandboxes_in_use * cores_per_sandbox


@step("B", "Memory of sandboxes")
def sandbox_memory(sandboxes_in_use: float, memory_per_sandbox: float) -> float:
    """Host memory that sandboxes in use take [B].

    >>> sandbox_memory(1300, 4e9)
    5200000000000.0
    """
    return sandboxes_in_use * memory_per_sandbox


@step("core", "CPU cores that verifiers keep busy")
def verifier_cores_needed(
    generated_samples: float, verifier_time: float, verifier_cores: float, rl_step_time: float
) -> float:
    """CPU cores that verification keeps busy [core].

    >>> verifier_cores_needed(1000, 60, 2, 300)
    400.0
    """
    return generated_samples * verifier_time * verifier_cores / rl_step_time


@step("B", "Bytes retained per rollout token, with routing")
def kept_per_token(
    bytes_per_rollout_token: float,
    routing_replay: bool,  # noqa: FBT001  an input of the graph
    expert_layers: float,
    experts_per_token: float,
) -> float:
    """Bytes that are kept of a rollout token [B]: a byte for each chosen expert and layer with routing replay.

    >>> kept_per_token(17, True, 48, 8), kept_per_token(17, False, 48, 8)
    (401, 17)
    """
    return bytes_per_rollout_token + (expert_layers * experts_per_token if routing_replay else 0)


@step("B", "Rollouts of a step")
def rollout_bytes_per_step(generated_samples: float, sample_tokens: float, kept_per_token: float) -> float:
    """Bytes of a step's rollouts [B].

    >>> rollout_bytes_per_step(1024, 8300, 17)
    144486400
    """
    return generated_samples * sample_tokens * kept_per_token


@step("B/day", "Rollouts retained per day")
def rollouts_stored_per_day(rollout_bytes_per_step: float, rl_step_time: float) -> float:
    """Bytes of rollouts that are kept [B/s].

    >>> rollouts_stored_per_day(300e6, 300)
    1000000.0
    """
    return rollout_bytes_per_step / rl_step_time


@step("B/day", "Weights sent per day")
def weights_sent_per_day(weights_sent: float, rl_step_time: float) -> float:
    """Bytes of weights that go from trainer to engines [B/s], each counted once.

    >>> weights_sent_per_day(60e9, 300)
    200000000.0
    """
    return weights_sent / rl_step_time


@step("B", "Checkpoint of trainer and critic", rises_with=("checkpoint_bytes_per_parameter",))
def rl_checkpoint_size(
    algorithm: Algorithm, parameters: float, critic_parameters: float, checkpoint_bytes_per_parameter: float
) -> float:
    """Size of a checkpoint [B]; with PPO the critic is in it.

    >>> rl_checkpoint_size("grpo", 32e9, 0, 14), rl_checkpoint_size("ppo", 8e9, 8e9, 14)
    (448000000000.0, 224000000000.0)
    """
    return (parameters + (critic_parameters if algorithm == "ppo" else 0)) * checkpoint_bytes_per_parameter


@step("s", "Time between checkpoints", rises_with=("checkpoint_every",))
def rl_checkpoint_interval(rl_step_time: float, checkpoint_every: float) -> float:
    """Time from one checkpoint to the next [s].

    >>> rl_checkpoint_interval(300, 20)
    6000
    """
    return rl_step_time * checkpoint_every


@step("B/day", "Checkpoints written per day")
def checkpoints_written_per_day(rl_checkpoint_size: float, rl_checkpoint_interval: float) -> float:
    """Bytes of checkpoints that are written [B/s].

    >>> checkpoints_written_per_day(450e9, 4500)
    100000000.0
    """
    return rl_checkpoint_size / rl_checkpoint_interval


@step("s", "Duration of the run", rises_with=("rl_steps",), falls_with=("goodput",))
def rl_duration(rl_steps: float, rl_step_time: float, goodput: float) -> float:
    """Time of the whole run [s], with failures, restarts and evaluations.

    >>> rl_duration(1000, 360, 0.9)
    400000.0
    """
    return rl_steps * rl_step_time / goodput


@step("GPU-hour", "GPU-hours of the run")
def rl_gpu_hours(rl_duration: float, paid_gpus: float) -> float:
    """GPU-hours of the run, waits included [GPU-hour].

    >>> rl_gpu_hours(360000, 128)
    12800.0
    """
    return rl_duration * paid_gpus / HOUR


@step("USD", "Cost of GPUs", rises_with=("price_per_gpu_hour",))
def rl_cost(rl_gpu_hours: float, price_per_gpu_hour: float) -> float:
    """Cost of the run's GPU-hours [USD].

    >>> rl_cost(12800, 3)
    38400
    """
    return rl_gpu_hours * price_per_gpu_hour


@step("USD", "Cost of sandboxes")
def sandbox_cost(rl_duration: float, sandbox_cores: float, price_per_core_hour: float) -> float:
    """Cost of the CPU cores of sandboxes [USD].

    >>> sandbox_cost(360000, 1000, 0.04)
    4000.0
    """
    return rl_duration / HOUR * sandbox_cores * price_per_core_hour


@step("USD", "Cost of the run")
def rl_total_cost(rl_cost: float, sandbox_cost: float) -> float:
    """Cost of GPUs and sandboxes [USD].

    >>> rl_total_cost(38400, 4000)
    42400
    """
    return rl_cost + sandbox_cost


@step("USD", "Cost of the run, low end")
def rl_total_cost_at_least(rl_total_cost: float, step_band_least: float) -> float:
    """Cost at the low end of published steps [USD]."""
    return rl_total_cost * step_band_least


@step("USD", "Cost of the run, high end")
def rl_total_cost_at_most(rl_total_cost: float, step_band_most: float) -> float:
    """Cost at the high end of published steps [USD]."""
    return rl_total_cost * step_band_most


FORMULAS = formulas_of(globals())

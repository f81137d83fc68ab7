"""Results of the loop: step time, rivals, waits, staleness, and what one answer takes."""

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.subjects.post_training.post_training.formulas.batch import Rollouts
from calculators.subjects.post_training.post_training.formulas.loop import Outcome
from calculators.subjects.post_training.post_training.inputs.pools import Placement
from calculators.subjects.post_training.post_training.inputs.work import Algorithm

_BAND = facts.all_records()["rl-step-band"]
_LEAST, _MOST, _MOST_LARGE, _LARGE = (float(_BAND.value(name)) for name in ("least", "most", "most_large", "large"))
_OFF = "off"


@step("s", "Step time", source="nemo-rl-performance", rises_with=("prompts_per_step",))
def rl_step_time(outcome: Outcome) -> float:
    """Time of a step [s]: from one update of the policy to the next."""
    return outcome.step


@step("1", "Lower end of a step's range")
def step_band_least() -> float:
    """Measured step over the calculated one, low end of published rows [1]."""
    return _LEAST


@step("1", "Upper end of a step's range")
def step_band_most(parameters: float) -> float:
    """Measured step over the calculated one, high end of published rows [1]; wider above 200B parameters.

    >>> step_band_most(32e9), step_band_most(235e9)
    (1.4, 1.9)
    """
    return _MOST_LARGE if parameters > _LARGE else _MOST


@step("s", "Step time, low end")
def rl_step_time_at_least(rl_step_time: float, step_band_least: float) -> float:
    """Step time at the low end of published rows [s]."""
    return rl_step_time * step_band_least


@step("s", "Step time, high end")
def rl_step_time_at_most(rl_step_time: float, step_band_most: float) -> float:
    """Step time at the high end of published rows [s]."""
    return rl_step_time * step_band_most


@step("s", "Rival: rollout engines", not_applicable=_OFF)
def rollout_rival(outcome: Outcome) -> float | None:
    """Step if the rollout engines alone decided [s]: a batch at the load that the loop allows, and weight transfer.

    In turn with the trainer, the rollout phase.
    """
    return outcome.rivals.engines


@step("s", "Rival: verifiers", not_applicable=_OFF)
def verifier_rival(outcome: Outcome) -> float | None:
    """Step if verifiers or the reward model alone decided [s]."""
    return outcome.rivals.verifiers


@step("s", "Rival: longest answer", not_applicable="not waited for")
def longest_answer_rival(outcome: Outcome) -> float | None:
    """Step if the longest answer alone decided [s]; only where every batch is waited for."""
    return outcome.rivals.longest


@step("share", "Trainer waits")
def trainer_wait_share(outcome: Outcome) -> float:
    """Share of a step in which the trainer waits; 0 where it shares its GPUs with the engines."""
    return outcome.trainer_wait


@step("share", "Rollout engines wait")
def rollout_wait_share(outcome: Outcome) -> float:
    """Share of a step in which the engines wait or run below their load; 0 where they share their GPUs."""
    return outcome.rollout_wait


@step("s", "Trainer waiting")
def trainer_wait_time(trainer_wait_share: float, rl_step_time: float) -> float:
    """Time of a step in which the trainer waits [s].

    >>> trainer_wait_time(0.5, 300)
    150.0
    """
    return trainer_wait_share * rl_step_time


@step("s", "Engines generating")
def rollout_busy_time(
    algorithm: Algorithm,
    placement: Placement,
    rl_step_time: float,
    rollout_wait_share: float,
    outcome: Outcome,
) -> float:
    """Time of a step in which engines generate [s]; none with DPO."""
    if algorithm == "dpo":
        return 0
    return outcome.generation if placement == "colocated" else (1 - rollout_wait_share) * rl_step_time


@step("s", "Engines waiting or reloading")
def rollout_wait_time(rollout_wait_share: float, rl_step_time: float) -> float:
    """Time of a step in which engines wait or load new weights [s].

    >>> rollout_wait_time(0.25, 300)
    75.0
    """
    return rollout_wait_share * rl_step_time


@step("share", "Rollout phase below full load")
def rollout_bubble_share(outcome: Outcome) -> float:
    """Share of the rollout phase that draining costs where trainer and engines share their GPUs."""
    return outcome.bubble


@step("share", "GPUs idle in draining engines")
def drain_share(rollout_bubble_share: float, outcome: Outcome) -> float:
    """Share of a step that engines on shared GPUs run below their full load."""
    return rollout_bubble_share * outcome.generation / outcome.step


@step("share", "Samples dropped")
def dropped_share(outcome: Outcome) -> float:
    """Share of samples that are too late and are written again."""
    return outcome.dropped


@step("1", "Mean staleness")
def mean_staleness(outcome: Outcome) -> float:
    """Steps by which a sample is older than the policy that learns from it, in the mean [1]."""
    return outcome.staleness


@step("sequence", "Running sequences per engine")
def sequences_per_engine(outcome: Outcome) -> float:
    """Sequences that decode in an engine at once, in the mean [sequence]; 0 with DPO."""
    return outcome.running


@step("ms", "TPOT of the rollout engines")
def rollout_tpot(algorithm: Algorithm, rollouts: Rollouts, sequences_per_engine: float) -> float:
    """Time per output token of a rollout engine at this load [s]; 0 with DPO."""
    return 0 if algorithm == "dpo" else rollouts.tpot(sequences_per_engine)


@step("s", "Time of an answer")
def trajectory_time(algorithm: Algorithm, rollouts: Rollouts, sequences_per_engine: float) -> float:
    """Time from a prompt to its verified answer of mean length [s], tools included; 0 with DPO."""
    return 0 if algorithm == "dpo" else rollouts.one(sequences_per_engine) + rollouts.around


@step("s", "Batch from empty engines")
def batch_time(algorithm: Algorithm, rollouts: Rollouts, rollout_copies: float) -> float:
    """Time of a whole batch that starts and ends with empty engines [s], as on policy; 0 with DPO."""
    return 0 if algorithm == "dpo" else rollouts.batch(rollout_copies).time


@step("s", "Drain of a batch")
def drain_time(algorithm: Algorithm, rollouts: Rollouts, rollout_copies: float) -> float:
    """Time of a batch from empty engines in which fewer and fewer sequences run [s]; 0 with DPO."""
    return 0 if algorithm == "dpo" else rollouts.batch(rollout_copies).drain


@step("token/s", "Output tokens/s per rollout GPU")
def rollout_tokens_per_second_per_gpu(
    generated_samples: float, output_tokens: float, rl_step_time: float, rollout_gpus: float
) -> float:
    """Output tokens per second of each GPU that generates [token/s], waits included; 0 with DPO.

    >>> rollout_tokens_per_second_per_gpu(1000, 8000, 100, 80), rollout_tokens_per_second_per_gpu(0, 8000, 100, 0)
    (1000.0, 0)
    """
    return generated_samples * output_tokens / rl_step_time / rollout_gpus if rollout_gpus else 0


@step("token/s", "Trained tokens/s per GPU")
def trained_tokens_per_second_per_gpu(
    samples_per_step: float, sample_tokens: float, rl_step_time: float, paid_gpus: float
) -> float:
    """Tokens of samples, prompts included, that the job trains per second and GPU [token/s]; NeMo RL prints this.

    >>> trained_tokens_per_second_per_gpu(1000, 8000, 100, 80)
    1000.0
    """
    return samples_per_step * sample_tokens / rl_step_time / paid_gpus


FORMULAS = formulas_of(globals())

"""A training run: speed, duration, and what it takes in GPU-hours, energy, money and carbon."""

from calculators import facts
from calculators.declare import AnyFormula, formulas_of, step
from calculators.llm.adapters import Job
from calculators.subjects.training.training_time.flops import Counted
from calculators.units import HOUR
from calculators.vocabulary.electricity import watts_per_gpu
from calculators.vocabulary.money import training_cost

FINE_TUNING_TOKENS = float(facts.fact("fine-tuning-tokens").value)
OPTIMAL_TOKENS_PER_PARAMETER = float(facts.fact("chinchilla-tokens-per-parameter").value)


@step("token/s", "Tokens per second per GPU")
def tokens_per_second_per_gpu(
    measured_rate: float | None,
    mfu: float,
    arithmetic_flops: float,
    utilization_counts: Counted,
    flops_per_token: float,
    model_flops_per_token: float,
) -> float:
    """Speed of one GPU while steps run [token/s]: measured, or the utilization times peak over the FLOPs it counts.

    >>> tokens_per_second_per_gpu(None, 0.4, 1000e12, "hardware", 500e9, 400e9)
    800.0
    """
    return (
        measured_rate
        if measured_rate is not None
        else mfu * arithmetic_flops / (flops_per_token if utilization_counts == "hardware" else model_flops_per_token)
    )


@step("token/s", "Tokens per second")
def tokens_per_second(tokens_per_second_per_gpu: float, gpus: float) -> float:
    """Speed of the whole job while steps run [token/s]."""
    return tokens_per_second_per_gpu * gpus


@step("s", "Training time at peak FLOP/s", rises_with=("tokens",), falls_with=("gpus",))
def ideal_duration(training_flops: float, gpus: float, arithmetic_flops: float) -> float:
    """Time of the run with every GPU at `arithmetic_flops` [FLOP/s] all the time [s]; never reached."""
    return training_flops / (gpus * arithmetic_flops)


@step("s", "Time of all steps", rises_with=("tokens",), falls_with=("gpus",))
def step_duration(tokens: float, tokens_per_second: float) -> float:
    """Time of all steps [s], one after the other without any pause.

    LLaMA 65B: 1.4T tokens on 2,048 GPUs at 380 tokens per second each, printed as approximately 21 days.

    >>> round(step_duration(1.4e12, 380 * 2048) / 86400, 1)
    20.8
    """
    return tokens / tokens_per_second


@step("s", "Training time", rises_with=("tokens",), falls_with=("gpus", "goodput"))
def training_duration(step_duration: float, goodput: float) -> float:
    """Wall clock from the first step to the last [s]: the time of the steps over `goodput` [share]."""
    return step_duration / goodput


@step("s", "Time lost to MFU below 100%")
def lost_to_utilization(step_duration: float, ideal_duration: float) -> float:
    """Time of the steps beyond that at peak [s]: memory, communication, pipeline bubbles, small kernels.

    >>> lost_to_utilization(7, 5), lost_to_utilization(5, 5.1)
    (2, 0)
    """
    return max(0, step_duration - ideal_duration)


@step("s", "Time lost to goodput below 100%", falls_with=("goodput",))
def lost_to_goodput(training_duration: float, step_duration: float) -> float:
    """Wall clock without progress [s]: failures, restarts, recomputed work, checkpoints, evaluations."""
    return training_duration - step_duration


@step("GPU-hour", "GPU-hours", rises_with=("tokens",), falls_with=("goodput",))
def gpu_hours(gpus: float, training_duration: float) -> float:
    """Billed GPU-hours of the whole run [GPU-hour], busy or idle."""
    return gpus * training_duration / HOUR


@step("W", "Facility power while training", source="patterson-2021", rises_with=("gpu_power", "pue"))
def training_power(gpus: float, watts_per_gpu: float, pue: float) -> float:
    """Facility power of the job [W]: servers at `watts_per_gpu` [W], cooling and losses by `pue`."""
    return gpus * watts_per_gpu * pue


@step("J", "Energy", source="patterson-2021", rises_with=("gpu_power", "pue"))
def training_energy(training_power: float, training_duration: float) -> float:
    """Electric energy of the run [J], without storage, switches and earlier attempts."""
    return training_power * training_duration


@step("kg", "Emissions", source="patterson-2021", rises_with=("carbon_intensity",))
def emissions(training_energy: float, carbon_intensity: float) -> float:
    """CO2 of the electricity used [kg] at `carbon_intensity` [kg/J], without embodied carbon."""
    return training_energy * carbon_intensity


@step("1", "Tokens per parameter", source="chinchilla", falls_with=("parameters",))
def tokens_per_parameter(tokens: float, parameters: float) -> float:
    """Training tokens per parameter [1]."""
    return tokens / parameters


@step("token", "Compute-optimal tokens", source="chinchilla", rises_with=("parameters",))
def compute_optimal_tokens(parameters: float) -> float:
    """Tokens [token] at which this size reaches its quality with the least training compute; serving is left out."""
    return OPTIMAL_TOKENS_PER_PARAMETER * parameters


@step("token", "Typical tokens of this job")
def usual_tokens(job: Job, compute_optimal_tokens: float) -> float:
    """Typical tokens of such a run [token]: few in fine-tuning, else compute-optimal."""
    return compute_optimal_tokens if job == "pre-training" else FINE_TUNING_TOKENS


@step("share", "Attention FLOPs ÷ parameter FLOPs", rises_with=("sequence_length",))
def attention_share(causal_attention_flops: float, active_parameters: float) -> float:
    """FLOPs of causal attention scores over those of the parameters [share], ignored by a count without attention."""
    return causal_attention_flops / (6 * active_parameters)


RUN_FORMULAS: tuple[AnyFormula, ...] = (watts_per_gpu, training_cost, *formulas_of(globals()))

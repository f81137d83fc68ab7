"""The whole run taken apart from the ideal: wall clock as a sum of what each loss takes, exactly."""

from dataclasses import dataclass

from calculators.declare import formulas_of, step, warning
from calculators.declare.pictures import Bars, Row, Segment, Tone

_ROUNDING = 1e-12


@step("s", "Model FLOPs at peak")
def time_at_peak(model_flops_per_token: float, tokens: float, gpus: float, arithmetic_flops: float) -> float:
    """Time of the run [s] if every GPU did nothing but the model's FLOPs at its peak."""
    return model_flops_per_token * tokens / (gpus * arithmetic_flops)


@step("s", "Recomputed FLOPs at peak")
def time_recomputing(recompute_flops_per_token: float, tokens: float, gpus: float, arithmetic_flops: float) -> float:
    """Time of recomputed activations at peak [s]."""
    return recompute_flops_per_token * tokens / (gpus * arithmetic_flops)


@step("s", "Idle GPUs")
def time_idle(time_at_peak: float, time_recomputing: float, gpus: float, layout_gpus: float) -> float:
    """Time lost to idle GPUs [s]: the model's FLOPs at peak on the layout's GPUs, less that on all.

    >>> time_idle(60, 30, 12, 8)
    45.0
    """
    return (time_at_peak + time_recomputing) * (gpus / layout_gpus - 1)


@step("s", "Kernels below peak")
def time_in_kernels(
    step_duration: float, arithmetic_share: float, time_at_peak: float, time_recomputing: float, time_idle: float
) -> float:
    """Arithmetic time beyond that at peak [s]: memory, small matrices, launches, norms."""
    return step_duration * arithmetic_share - time_at_peak - time_recomputing - time_idle


@step("s", "Pipeline bubble")
def time_in_bubble(step_duration: float, bubble_step_share: float) -> float:
    """Time of pipeline bubbles in all steps [s]."""
    return step_duration * bubble_step_share


@step("s", "Exposed communication")
def time_exposed(step_duration: float, exposed_share: float) -> float:
    """Exposed communication in all steps [s]."""
    return step_duration * exposed_share


@step("s", "Checkpoint stalls")
def time_stalled(training_duration: float, stalled_share: float) -> float:
    """Checkpoint stalls [s]."""
    return training_duration * stalled_share


@step("s", "Recomputed work")
def time_repeated(training_duration: float, lost_share: float) -> float:
    """Time of work recomputed after failures [s]."""
    return training_duration * lost_share


@step("s", "Detection and restart")
def time_restarting(training_duration: float, down_share: float) -> float:
    """Time from failures until training resumes [s]."""
    return training_duration * down_share


@step("s", "Waits for nodes, planned stops, corruption")
def time_queueing(
    training_duration: float, step_duration: float, time_stalled: float, time_repeated: float, time_restarting: float
) -> float:
    """Other losses [s]: no spare node, planned stops, work on corrupted state."""
    rest = training_duration - step_duration - time_stalled - time_repeated - time_restarting
    return rest if abs(rest) > _ROUNDING * training_duration else 0.0


@warning
def goodput_beyond_failures(time_queueing: float) -> str:
    """A pinned goodput that checkpoints and failures do not leave."""
    if time_queueing >= 0:
        return ""
    return "Checkpoints, failures and restarts as given allow less than a goodput of {goodput}: one is too optimistic."


@warning
def utilization_beyond_layout(time_in_kernels: float) -> str:
    """A pinned utilization at which less than no time is left for kernels."""
    if time_in_kernels >= 0:
        return ""
    return (
        "At an MFU of {mfu} steps are so short that the bubble and exposed communication of this layout leave "
        "less time than the FLOPs need at peak: the MFU is too high for this layout."
    )


FORMULAS = formulas_of(globals())


@dataclass(frozen=True, kw_only=True)
class Part:
    """One segment of the run: its result, how it is drawn, and the calculator that says where it comes from."""

    result: str
    tone: Tone
    calculator: str


PARTS = (
    Part(result="time_at_peak", tone="work", calculator="training_time"),
    Part(result="time_recomputing", tone="activations", calculator="training_memory"),
    Part(result="time_idle", tone="write", calculator="collectives"),
    Part(result="time_in_kernels", tone="weights", calculator="training_time"),
    Part(result="time_in_bubble", tone="gradients", calculator="collectives"),
    Part(result="time_exposed", tone="optimizer", calculator="collectives"),
    Part(result="time_stalled", tone="stall", calculator="checkpoint"),
    Part(result="time_repeated", tone="logits", calculator="goodput"),
    Part(result="time_restarting", tone="other", calculator="goodput"),
    Part(result="time_queueing", tone="free", calculator="goodput"),
)

PICTURE = Bars(
    title="From ideal to wall clock",
    rows=(
        Row(
            label="Whole run",
            segments=tuple(Segment(value=part.result, tone=part.tone) for part in PARTS),
        ),
    ),
)

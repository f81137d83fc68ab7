"""A training step taken apart: time of each kind of work and of each wait on the fullest stage, which add up to it."""

from collections.abc import Mapping
from typing import Any

from calculators import units
from calculators.declare import Calculator, formulas_of, record, step, warning
from calculators.llm.step.micro_batch import MicroBatch, RankWork
from calculators.llm.step.shapes import ExpertWork

_LAUNCHES, _EXCHANGE, _FEW_TOKENS = 0.2, 0.25, 200


@record("Compute of a step by kind of work")
def step_work(stage_work: MicroBatch, micro_batches: float, compute_time: float, kernel_time: float) -> MicroBatch:
    """Seconds of a step on the fullest stage by kind of work, at the utilization that is given if one is."""
    scale = micro_batches * compute_time / kernel_time
    return MicroBatch._make(each * scale for each in stage_work)


@step("s", "Dense matrix products")
def matrix_time(step_work: MicroBatch) -> float:
    """Time of projections, dense blocks and shared experts in a step [s]."""
    return step_work.matrices


@step("s", "Routed experts")
def expert_matrix_time(step_work: MicroBatch) -> float:
    """Time of grouped products of routed experts in a step [s]."""
    return step_work.experts


@step("s", "Attention scores")
def attention_time(step_work: MicroBatch) -> float:
    """Time of attention scores in a step [s]."""
    return step_work.attention


@step("s", "State-space scans")
def state_time(step_work: MicroBatch) -> float:
    """Time of scans of layers with a state in a step [s]."""
    return step_work.states


@step("s", "Norms, activations, casts")
def elementwise_time(step_work: MicroBatch) -> float:
    """Time of kernels that memory bandwidth bounds in a step [s]."""
    return step_work.memory


@step("s", "Kernel launches")
def launch_time(step_work: MicroBatch) -> float:
    """Fixed time of kernels in a step [s]: launches and gaps between them."""
    return step_work.launches


@step("s", "LoRA adapters")
def adapter_time(step_work: MicroBatch) -> float:
    """Time of adapters' products in a step [s], and of adding their results to those of frozen matrices."""
    return step_work.adapters


@step("s", "Output layer and loss")
def logits_time(step_work: MicroBatch) -> float:
    """Time of output layer and loss in a step [s]."""
    return step_work.logits


@step("s", "Optimizer")
def optimizer_part(optimizer_time: float, compute_time: float, kernel_time: float) -> float:
    """Time of the optimizer in a step [s], at the utilization that is given if one is."""
    return optimizer_time * compute_time / kernel_time


@step("token", "Tokens per expert and micro-batch")
def expert_tokens(rank_work: RankWork, expert_work: ExpertWork) -> float:
    """Tokens that one expert gets from a micro-batch of its group, spread evenly [token]; 0 without experts.

    >>> work = RankWork(4096.0, 4096.0, 1.0, 8.0, 1.0, "none", "", True)
    >>> expert_tokens(work, ExpertWork(48, 128, 8, 2048, 768, 3))
    2048.0
    """
    if not expert_work.layers:
        return 0.0
    ranks = rank_work.expert_ranks * rank_work.expert_tensor_ranks / rank_work.tensor_ranks
    return rank_work.tokens * ranks * expert_work.per_token / expert_work.experts


@warning
def launches_show(launch_time: float, step_time: float) -> str:
    """Much of the step is launches."""
    if launch_time <= _LAUNCHES * step_time:
        return ""
    return "Kernel launches take {launch_time} of a step of {step_time}: use a larger micro-batch or CUDA graphs."


@warning
def exchange_shows(exposed_expert_time: float, step_time: float) -> str:
    """Much of the step waits for the exchange between experts."""
    if exposed_expert_time <= _EXCHANGE * step_time:
        return ""
    return (
        "The expert all-to-all exposes {exposed_expert_time} of a step of {step_time}: keep expert parallelism inside "
        "the scale-up domain, or overlap it."
    )


@warning
def few_tokens_per_expert(expert_tokens: float) -> str:
    """Experts that see few tokens at a time."""
    if not 0 < expert_tokens < _FEW_TOKENS:
        return ""
    return "Each expert gets {expert_tokens} of a micro-batch: its matrix products run far below peak."


FORMULAS = formulas_of(globals())
PARTS = (
    *("matrix_time", "expert_matrix_time", "attention_time", "state_time", "elementwise_time", "launch_time"),
    *("adapter_time", "logits_time", "optimizer_part", "bubble_time", "exposed_tensor_time", "exposed_context_time"),
    *("exposed_expert_time", "exposed_pipeline_time", "exposed_data_time"),
)


def taken_apart(calculator: Calculator, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each part of a step: its label, its time, and its share of the step as numbers and text."""
    whole = values["step_time"]
    return [
        {
            "name": name,
            "label": calculator.steps[name].label.removesuffix(" per step"),
            "value": values[name],
            "unit": "s",
            "text": units.text(values[name], "s"),
            "share": values[name] / whole,
            "share_text": units.text(values[name] / whole, "share"),
        }
        for name in PARTS
    ]

"""Training time: from FLOPs at peak to wall clock, GPU-hours, energy, money and emissions."""

import math

from calculators import facts
from calculators.declare import AnyFormula, Calculator, formulas_of, warning
from calculators.declare.pictures import Bars, Row, Segment
from calculators.llm import dimensions
from calculators.llm.adapters import Job, adapter_parameters, attention_adapters, block_adapters, trainable_parameters
from calculators.llm.heads import active_within_all, attending_within_layers, enough_experts, enough_heads, heads_width
from calculators.llm.shape import LIKELY_SHAPE
from calculators.llm.size import MODEL_SIZE
from calculators.subjects.training.training_memory.sequence import SEQUENCE
from calculators.subjects.training.training_time.conventions import CONVENTIONS
from calculators.subjects.training.training_time.flops import FLOPS_FORMULAS, AttentionFlops, Counted
from calculators.subjects.training.training_time.inputs import COUNT, DEFAULT_RUN, POWER, Inputs
from calculators.subjects.training.training_time.run import OPTIMAL_TOKENS_PER_PARAMETER, RUN_FORMULAS
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import MACHINE, MODEL, RUN
from calculators.vocabulary.models import model_preset
from calculators.vocabulary.money import PRICE

_FAR_FROM_OPTIMAL = 10
_ATTENTION_MATTERS_FROM = 0.1
_HIGHEST_PUBLISHED_MFU = float(facts.fact("mfu").high or 1)
_USUAL_MFU = float(facts.fact("mfu").value)
_H100_PEAK = float(facts.fact("h100-sxm.peak_flops").value)
_H100_PRICE = float(facts.fact(PRICE).value)
_HIGHEST_ON_A100 = float(facts.fact("mfu-a100-highest").value)
_HIGHEST_ON_TPU = float(facts.fact("mfu-tpu-highest").value)
_A100_TEXT, _TPU_TEXT = facts.fact("mfu-a100-highest").text, facts.fact("mfu-tpu-highest").text


@warning
def faster_than_peak(hfu: float) -> str:
    """More FLOPs per second than the peak given."""
    if hfu <= 1:
        return ""
    return "This speed is {hfu} of the given peak: the run uses a faster precision, or the peak is too low."


@warning
def faster_than_peak_with_attention(mfu_causal: float, hfu: float) -> str:
    """More FLOPs per second than the peak given, once the attention that the count ignores is added."""
    if mfu_causal <= 1 or hfu > 1:
        return ""
    return (
        "With causal attention counted this speed is {mfu_causal} of the given peak, which no device reaches: "
        "an MFU without attention does not apply at {sequence_length}, or the peak is too low."
    )


@warning
def above_published(mfu_without_attention: float, mfu_causal: float, hfu: float) -> str:
    """A utilization that no published run of this kind has."""
    if mfu_without_attention <= _HIGHEST_PUBLISHED_MFU or max(hfu, mfu_causal) > 1:
        return ""
    said = "{mfu_without_attention} without attention is above all published dense bf16 runs on H100"
    if mfu_without_attention <= _HIGHEST_ON_A100:
        return f"{said}; A100s and TPUs have reached it."
    if mfu_without_attention <= _HIGHEST_ON_TPU:
        return f"{said} and on A100 ({_A100_TEXT} at most); TPUs have reached it."
    return f"{said}, A100 ({_A100_TEXT}) and TPUs ({_TPU_TEXT}); fp8 compared with a bf16 peak can look like this."


@warning
def above_published_with_attention(mfu_without_attention: float, mfu_causal: float, hfu: float) -> str:
    """A long sequence at a speed that only the attention in its count makes look usual."""
    if mfu_without_attention > _HIGHEST_PUBLISHED_MFU or not _HIGHEST_ON_TPU < mfu_causal <= 1 or hfu > 1:
        return ""
    return f"{{mfu_causal}} with causal attention counted is above all published runs: {_TPU_TEXT}, on TPUs."


@warning
def attention_left_out(attention_flops: AttentionFlops, attention_share: float) -> str:
    """A long sequence whose attention the count ignores."""
    if attention_flops != "ignored" or attention_share < _ATTENTION_MATTERS_FROM:
        return ""
    return (
        "At {sequence_length} attention scores add {attention_share} to the FLOPs of the parameters and are ignored: "
        "correct only if the given MFU ignores them too."
    )


@warning
def not_model_flops(recompute_flops_per_token: float, utilization_counts: Counted, measured_rate: float | None) -> str:
    """The utilization given includes recomputation, which an MFU does not."""
    if recompute_flops_per_token == 0 or utilization_counts == "model" or measured_rate is not None:
        return ""
    return "The {mfu} includes recomputed FLOPs; as model FLOPs utilization the same speed is {step_mfu}."


@warning
def gpus_alone(host_power_per_gpu: float) -> str:
    """Energy without the server around the GPUs, as most publications count it."""
    if host_power_per_gpu > 0:
        return ""
    return (
        "Energy and emissions count the accelerators only, {gpu_power} each, as publications do; "
        "the rest of the servers is not included."
    )


@warning
def far_from_optimal(tokens_per_parameter: float, job: Job) -> str:
    """Far from the tokens that spend training compute best; right for some aims, and no question in fine-tuning."""
    if job != "pre-training":
        return ""
    if tokens_per_parameter > OPTIMAL_TOKENS_PER_PARAMETER * _FAR_FROM_OPTIMAL:
        return (
            "{tokens} is far above the compute-optimal {compute_optimal_tokens}: "
            "typical for a small model that should be cheap to serve."
        )
    if tokens_per_parameter < OPTIMAL_TOKENS_PER_PARAMETER / _FAR_FROM_OPTIMAL:
        return (
            "{tokens} is far below the compute-optimal {compute_optimal_tokens}: "
            "a smaller model would learn as much from them."
        )
    return ""


@warning
def tokens_by_rule(tokens: float, compute_optimal_tokens: float, job: Job) -> str:
    """Tokens by the compute-optimal rule, neither given nor published."""
    if job != "pre-training" or not math.isclose(tokens, compute_optimal_tokens):
        return ""
    return (
        "{tokens} is the compute-optimal number, {tokens_per_parameter} tokens per parameter, not a published one; "
        "models built for serving train on many more."
    )


@warning
def of_another_device(price_per_gpu_hour: float, mfu: float, measured_rate: float | None, peak_flops: float) -> str:
    """Price or utilization of an H100 with another device's peak."""
    if peak_flops == _H100_PEAK:
        return ""
    utilization = mfu == _USUAL_MFU and measured_rate is None
    if price_per_gpu_hour == _H100_PRICE:
        also = ", and so is an MFU of {mfu}" if utilization else ""
        return (
            "{price_per_gpu_hour} is the price of an H100" + also + ". {peak_flops} is another device's peak: "
            "set its own to compare cost and time."
        )
    if utilization:
        return "{mfu} is the MFU of H100s. {peak_flops} is another device's peak: set its own MFU to compare times."
    return ""


TRAINED_HERE = (attention_adapters, block_adapters, adapter_parameters, trainable_parameters)
FORMULAS: tuple[AnyFormula, ...] = (
    *TRAINED_HERE,
    *FLOPS_FORMULAS,
    heads_width,
    *RUN_FORMULAS,
    *SEQUENCE,
    *MODEL_SIZE,
    *LIKELY_SHAPE,
    active_within_all,
    attending_within_layers,
    enough_heads,
    enough_experts,
    *formulas_of(globals()),
)

CALCULATOR = Calculator(
    name="training_time",
    title="Training time and cost",
    question="How long does a training run take, and what does it cost in GPU-hours, energy and money?",
    answer=(
        "Training {parameters} on {tokens} takes **{training_duration}** on {gpus}: "
        "{gpu_hours}, {training_energy} and {training_cost}. "
        "Its steps run at {step_mfu} MFU; over all billed hours it is {whole_run_mfu}."
    ),
    inputs_type=Inputs,
    formulas=FORMULAS,
    headline=(
        "training_duration",
        "gpu_hours",
        "training_cost",
        "training_energy",
        "emissions",
        "tokens_per_second",
        "tokens_per_second_per_gpu",
        "ideal_duration",
        "training_flops",
        "flops_per_token",
        "trainable_parameters",
        "tokens_per_parameter",
        "step_mfu",
        "whole_run_mfu",
        "mfu_without_attention",
        "mfu_causal",
        "mfu_full",
        "hfu",
    ),
    first_sliders=("tokens", "gpus", "mfu"),
    presets=(
        model_preset(
            *dimensions.COUNTED_FROM,
            *("attention_width", "attention_layers", "layer_embedding_parameters", "positions"),
            default=DEFAULT_RUN,
            yields_to=("parameters", "active_parameters"),
            incidental=("tokens", "sequence_length"),
        ),
        accelerator_preset("peak_flops", "gpu_power", optional=("price_per_gpu_hour",)),
    ),
    groups={
        MODEL: "Model and tokens",
        RUN: "Run",
        MACHINE: "Accelerator",
        POWER: "Power and carbon",
        COUNT: "FLOPs convention",
        dimensions.SHAPE: "Model dimensions",
    },
    assumptions=(
        "An active parameter costs 6 FLOPs per token: 2 forward, 4 backward.",
        "The count without attention includes every parameter; those with attention leave out lookup tables.",
        "MFU is the same for all steps: no batch-size ramp-up, no second phase with longer sequences.",
        "Goodput includes all that is not training progress; GPUs are allocated and draw power all the time.",
        "Power is constant; with the menu's maximum power the energy is an upper bound.",
    ),
    omits=(
        "Experiments, failed attempts and ablations before the final run, often as many GPU-hours again.",
        "Sliding windows and other sparse attention: if attention is counted, every layer sees the whole sequence.",
        "Encoder-decoders, whose two halves see different tokens, and encoders for images or sound.",
        "The exact cost of norms, routers, softmax and the optimizer step, together less than 1%.",
        "Storage, network, staff and building in the cost, unless the price per GPU-hour includes them.",
        "Carbon embodied in the hardware.",
        "In fine-tuning: dequantization of 4-bit weights for every product.",
        "Generation and scoring by further copies of the model in reinforcement learning.",
    ),
    tables=(CONVENTIONS,),
    picture=Bars(
        title="From peak to wall clock",
        rows=(
            Row(label="At peak", segments=(Segment(value="ideal_duration", tone="work"),)),
            Row(
                label="At step utilization",
                segments=(
                    Segment(value="ideal_duration", tone="work"),
                    Segment(value="lost_to_utilization", tone="stall"),
                ),
            ),
            Row(
                label="Wall clock",
                segments=(
                    Segment(value="ideal_duration", tone="work"),
                    Segment(value="lost_to_utilization", tone="stall"),
                    Segment(value="lost_to_goodput", tone="other"),
                ),
            ),
        ),
    ),
)

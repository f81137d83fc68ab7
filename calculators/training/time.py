"""Training time: from FLOPs at peak to wall clock, GPU-hours, energy, money and emissions."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import Calculator, Computed, Formula, absent, caution, choice, computed, quantity
from calculators.declare.pictures import Bars, Row, Segment
from calculators.model.heads import active_within_all
from calculators.model.shape import likely_hidden, likely_layers
from calculators.model.vocabulary import (
    MACHINE,
    MODEL,
    RUN,
    accelerator_preset,
    active_parameters,
    gpu_power,
    gpus,
    hidden,
    layers,
    model_preset,
    parameters,
    peak_flops,
    recompute_choice,
    sequence_length,
)
from calculators.training.flops import FLOPS_FORMULAS, AttentionFlops, Counted, Recompute
from calculators.training.run import OPTIMAL_TOKENS_PER_PARAMETER, RUN_FORMULAS
from calculators.units import unit

COUNT, POWER = "count", "power"
_RUN = "llama-3-1-405b"  # the default answer can be held against its published GPU-hours
_FAR_FROM_OPTIMAL = 10
_ATTENTION_MATTERS_FROM = 0.1
_HIGHEST_PUBLISHED_MFU = float(facts.fact("mfu").high or 1)
_HIGHEST_ON_A100 = float(facts.fact("mfu-a100-highest").value)
_HIGHEST_ON_TPU = float(facts.fact("mfu-tpu-highest").value)
_A100_TEXT, _TPU_TEXT = facts.fact("mfu-a100-highest").text, facts.fact("mfu-tpu-highest").text
_HOST_POWER = facts.fact("host-power-per-gpu-h100").text
_G_PER_KWH = unit("g/kWh").factor


def _of_run(field: str) -> float:
    return float(facts.fact(f"{_RUN}.{field}").value)


def _likely(dimension: str) -> Computed:
    return computed(f"likely_{dimension}", "likely for this size", when=("parameters", "active_parameters"))


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What the reader may set; base units (seconds, FLOP per second, watts, dollars, shares)."""

    parameters: float = parameters(
        computed("active_parameters", "as the active ones", when=("active_parameters",)), _of_run("parameters")
    )
    active_parameters: float = active_parameters()
    tokens: float = quantity(
        _of_run("tokens"),
        "token",
        "Training tokens",
        hard=(1e3, 1e18),
        slider=(1e11, 1e14),
        scale="log",
        help="Every token the model sees, repeated ones counted each time.",
        group=MODEL,
    )
    gpus: float = gpus(16384)
    peak_flops: float = peak_flops()
    mfu: float = quantity(
        facts.fact("mfu"),
        "share",
        "Utilization of a step (MFU)",
        hard=(0.001, 1),
        slider=(0.05, 0.75),
        help="Share of peak FLOPs while a step runs. Not the whole run's: restarts and pauses are in the goodput.",
        group=RUN,
    )
    goodput: float = quantity(
        facts.fact("goodput"),
        "share",
        "Goodput",
        hard=(0.001, 1),
        slider=(0.4, 1),
        help="Share of elapsed time that moves the run forward: without failures, restarts, evaluations and waiting.",
        group=RUN,
    )
    measured_rate: float = quantity(
        absent("from the utilization"),
        "token/s",
        "Measured tokens per second per GPU",
        hard=(1e-6, 1e9),
        slider=(10, 50_000),
        scale="log",
        help="If you have a log, give its speed. It replaces the utilization, "
        "and the MFU by every convention follows from it.",
        group=RUN,
    )
    attention_flops: AttentionFlops = choice(
        "ignored",
        "Attention in the FLOPs count",
        {
            "ignored": "ignored: parameters only",
            "causal": "causal: each token sees those before it",
            "full": "full: each token sees the whole sequence",
        },
        help="What your MFU figure counts. The same run has a different MFU by each convention.",
        group=COUNT,
    )
    recompute: Recompute = recompute_choice(COUNT)
    utilization_counts: Counted = choice(
        "hardware",
        "The utilization counts",
        {
            "hardware": "every FLOP performed, recomputed ones too (HFU)",
            "model": "the model's FLOPs only (MFU)",
        },
        help="Makes a difference only with recomputation. Megatron 2021, BLOOM and OPT print rates of the first kind.",
        group=COUNT,
    )
    layers: float = layers(_likely("layers"), _of_run("layers"))
    hidden: float = hidden(_likely("hidden"), _of_run("hidden"))
    attention_width: float = quantity(
        computed("hidden", "as the hidden size"),
        "1",
        "Attention width",
        hard=(16, 1e6),
        slider=(1024, 32768),
        whole=True,
        help="Heads times head dimension; usually the hidden size.",
        group=MODEL,
    )
    sequence_length: float = sequence_length(8192)
    gpu_power: float = gpu_power()
    host_power_per_gpu: float = quantity(
        0,
        "W",
        "Rest of the server, per GPU",
        hard=(0, 100e3),
        slider=(0, 1000),
        help="Processors, memory, fans, network cards and losses of a node, shared among its GPUs. "
        f"None by default, because published figures count the GPUs alone; {_HOST_POWER} in a DGX H100 at most.",
        group=POWER,
    )
    pue: float = quantity(
        facts.fact("pue-hyperscale"),
        "1",
        "Power usage effectiveness (PUE)",
        hard=(1, 5),
        slider=(1, 2),
        help="What the site draws for each watt that reaches the servers.",
        group=POWER,
    )
    carbon_intensity: float = quantity(
        facts.fact("carbon-intensity-world"),
        "g/kWh",
        "Carbon intensity",
        hard=(0, 3000 * _G_PER_KWH),
        slider=(0, 900 * _G_PER_KWH),
        help="Of the electricity at the site; the default is the world's average.",
        group=POWER,
    )
    price_per_gpu_hour: float = quantity(
        facts.fact("price-per-gpu-hour-h100"),
        "USD/GPU-hour",
        "Price per GPU-hour",
        hard=(0, 10_000),
        slider=(0.5, 12),
        help="What a GPU-hour costs you, with its share of servers, network and storage. "
        "The default is a middle price of an H100 on demand; it does not follow the menu.",
        group=RUN,
        aliases=("price",),
    )


@caution
def faster_than_peak(hfu: float) -> str:
    """More FLOPs per second than the peak given."""
    if hfu <= 1:
        return ""
    return "This speed needs {hfu} of the peak given: the run uses a faster precision, or the peak is too low."


@caution
def faster_than_peak_with_attention(mfu_causal: float, hfu: float) -> str:
    """More FLOPs per second than the peak given, once the attention that the count ignores is added."""
    if mfu_causal <= 1 or hfu > 1:
        return ""
    return (
        "With causal attention counted this speed is {mfu_causal} of the peak given, which no device reaches: "
        "a utilization without attention does not hold at {sequence_length}, or the peak is too low."
    )


@caution
def above_published(mfu_without_attention: float, mfu_causal: float, hfu: float) -> str:
    """A utilization that no published run of this kind has."""
    if mfu_without_attention <= _HIGHEST_PUBLISHED_MFU or max(hfu, mfu_causal) > 1:
        return ""
    said = "{mfu_without_attention} without attention is above what is published for dense models in bf16 on H100"
    if mfu_without_attention <= _HIGHEST_ON_A100:
        return f"{said}; A100s and TPUs have reached it."
    if mfu_without_attention <= _HIGHEST_ON_TPU:
        return f"{said}, and on A100, where {_A100_TEXT} is the most; TPUs have reached it."
    return f"{said}, on A100 ({_A100_TEXT}) and on TPUs ({_TPU_TEXT}); fp8 held against a bf16 peak can look like this."


@caution
def attention_left_out(attention_flops: AttentionFlops, attention_share: float) -> str:
    """A long sequence whose attention the count ignores."""
    if attention_flops != "ignored" or attention_share < _ATTENTION_MATTERS_FROM:
        return ""
    return (
        "At {sequence_length} the attention scores add {attention_share} to the FLOPs of the parameters, and they are "
        "ignored: right only if the MFU given ignores them too."
    )


@caution
def not_model_flops(recompute_flops_per_token: float, utilization_counts: Counted, measured_rate: float | None) -> str:
    """The utilization given includes recomputation, which an MFU does not."""
    if recompute_flops_per_token == 0 or utilization_counts == "model" or measured_rate is not None:
        return ""
    return "The {mfu} counts recomputed FLOPs as well; as model FLOPs utilization the same speed is {step_mfu}."


@caution
def gpus_alone(host_power_per_gpu: float) -> str:
    """Energy without the server around the GPUs, as most publications count it."""
    if host_power_per_gpu > 0:
        return ""
    return (
        "Energy and emissions count the accelerators alone, {gpu_power} each, as publications do; "
        "what the rest of their servers draws comes on top."
    )


@caution
def far_from_optimal(tokens_per_parameter: float) -> str:
    """Far from the tokens that spend training compute best; right for some aims."""
    if tokens_per_parameter > OPTIMAL_TOKENS_PER_PARAMETER * _FAR_FROM_OPTIMAL:
        return (
            "{tokens} is far beyond the {compute_optimal_tokens} that spend training compute best: "
            "usual for a small model that is to be cheap to serve."
        )
    if tokens_per_parameter < OPTIMAL_TOKENS_PER_PARAMETER / _FAR_FROM_OPTIMAL:
        return (
            "{tokens} is far below the {compute_optimal_tokens} that spend training compute best: "
            "a smaller model would learn as much from them."
        )
    return ""


FORMULAS: tuple[Formula, ...] = (
    *FLOPS_FORMULAS,
    *RUN_FORMULAS,
    likely_layers,
    likely_hidden,
    active_within_all,
    faster_than_peak,
    faster_than_peak_with_attention,
    above_published,
    attention_left_out,
    not_model_flops,
    gpus_alone,
    far_from_optimal,
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
        model_preset("parameters", "active_parameters", "tokens", "layers", "hidden", "attention_width", default=_RUN),
        accelerator_preset("peak_flops", "gpu_power"),
    ),
    groups={
        MODEL: "The model and its tokens",
        MACHINE: "The machine",
        RUN: "The run",
        COUNT: "How FLOPs are counted",
        POWER: "Power and carbon",
    },
    assumptions=(
        "A parameter that works on a token costs six FLOPs, two forward and four backward; embeddings count as well.",
        "The utilization is the same for all steps: no ramp-up of the batch, no second phase with longer sequences.",
        "Goodput holds all that is not a step moving forward; GPUs stay allocated, and draw power, all the time.",
        "Power is drawn evenly; with the menu's maximum power the energy is an upper bound.",
    ),
    omits=(
        "Experiments, failed attempts and ablations before the final run, often as many GPU-hours again.",
        "Sliding windows and other sparse attention: where attention is counted, every layer sees the whole sequence.",
        "The exact cost of norms, routers, softmax and the optimizer's step, together a few thousandths.",
        "Storage, network, staff and the building in the cost, unless the price per GPU-hour holds them.",
        "Carbon embodied in the hardware.",
    ),
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

"""Training time: from FLOPs at peak to wall clock, GPU-hours, energy, money and emissions."""

from calculators.declare import AnyFormula, Calculator, RunReader
from calculators.declare.pictures import Bars, bar
from calculators.llm import dimensions
from calculators.llm.adapters import (
    adapter_parameters,
    adapters_within_weights,
    attention_adapters,
    block_adapters,
    rank_within_matrices,
    trainable_parameters,
)
from calculators.llm.heads import active_within_all, attending_within_layers, enough_experts, enough_heads, heads_width
from calculators.llm.serving.cache_size import global_layers
from calculators.llm.shape import LIKELY_SHAPE
from calculators.llm.size import MODEL_SIZE
from calculators.subjects.training.sequence import SEQUENCE
from calculators.subjects.training.training_time.flops import FLOPS_FORMULAS
from calculators.subjects.training.training_time.inputs import COUNT, DEFAULT_RUN, POWER, Inputs
from calculators.subjects.training.training_time.run import RUN_FORMULAS
from calculators.subjects.training.training_time.tables import CONVENTIONS
from calculators.subjects.training.training_time.warnings import WARNINGS
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import MACHINE, MODEL, RUN
from calculators.vocabulary.models import model_preset
from calculators.vocabulary.precision import PRECISION_FORMULAS, SPEEDUPS

TRAINED_HERE = (
    attention_adapters,
    block_adapters,
    adapter_parameters,
    trainable_parameters,
    rank_within_matrices,
    adapters_within_weights,
)
FORMULAS: tuple[AnyFormula, ...] = (
    *TRAINED_HERE,
    *FLOPS_FORMULAS,
    *PRECISION_FORMULAS,
    heads_width,
    global_layers,
    *RUN_FORMULAS,
    *SEQUENCE,
    *MODEL_SIZE,
    *LIKELY_SHAPE,
    active_within_all,
    attending_within_layers,
    enough_heads,
    enough_experts,
    *WARNINGS,
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
            *("attention", "window", "global_layer_share", "compressed_values"),
            default=DEFAULT_RUN,
            yields_to=("parameters", "active_parameters"),
            incidental=("tokens", "sequence_length"),
        ),
        accelerator_preset("peak_flops", "gpu_power", optional=("price_per_gpu_hour", *SPEEDUPS)),
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
        "A sliding-window layer sees its window. Megatron-LM counts the whole sequence there: set Attention to GQA.",
        "MFU is the same for all steps: no batch-size ramp-up, no second phase with longer sequences.",
        "Goodput includes all that is not training progress; GPUs are allocated and draw power all the time.",
        "Power is constant; with the menu's maximum power the energy is an upper bound.",
    ),
    omits=(
        "Experiments, failed attempts and ablations before the final run, often as many GPU-hours again.",
        "Attention that chooses tokens (DeepSeek-V3.2): if attention is counted, its layers see the whole sequence.",
        "Encoder-decoders, whose two halves see different tokens, and encoders for images or sound.",
        "The exact cost of norms, routers, softmax and the optimizer step, together less than 1%.",
        "Storage, network, staff and building in the cost, unless the price per GPU-hour includes them.",
        "Carbon embodied in the hardware.",
        "In fine-tuning: dequantization of 4-bit weights for every product.",
        "Generation and scoring by further copies of the model in reinforcement learning.",
    ),
    tables=(CONVENTIONS,),
    run_reader=RunReader(
        title="Your own training log",
        about="Speed, MFU, step time and memory of your log after warm-up, next to this calculator. Nothing leaves "
        "this page.",
        formats="log of Megatron-LM, Megatron-Bridge, NeMo or torchtitan",
        module="calculators.subjects.training.training_time.measured",
    ),
    picture=Bars(
        title="From peak to wall clock",
        rows=(
            bar("At peak", ideal_duration="work"),
            bar("At step utilization", ideal_duration="work", lost_to_utilization="stall"),
            bar("Wall clock", ideal_duration="work", lost_to_utilization="stall", lost_to_goodput="other"),
        ),
    ),
)

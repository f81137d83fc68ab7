"""Inputs of training time: model and tokens, run, device, power, and how FLOPs are counted."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import choice, computed, not_applicable, placed, quantity
from calculators.llm import adapters, dimensions
from calculators.llm.serving.attention import Attention
from calculators.llm.serving.inputs import Served
from calculators.llm.shape import of_this_size
from calculators.llm.size import Biases
from calculators.subjects.training.training_time.flops import AttentionFlops, Counted
from calculators.vocabulary import electricity, money
from calculators.vocabulary.accelerators import gpu_power, gpus, peak_flops
from calculators.vocabulary.groups import MODEL, RUN
from calculators.vocabulary.models import (
    active_parameters,
    head_dim,
    heads,
    hidden,
    kv_heads,
    layers,
    parameters,
    sequence_length,
)
from calculators.vocabulary.precision import Precision, speedup, training_precision
from calculators.vocabulary.recipes import Recompute, recompute_choice

COUNT, POWER = "count", "power"
DEFAULT_RUN = "llama-3-1-405b"  # the default answer can be compared with its published GPU-hours
_HOST_POWER = facts.fact("host-power-per-gpu-h100").text


def _of_run(field: str) -> float:
    return float(facts.fact(f"{DEFAULT_RUN}.{field}").value)


def _served(name: str) -> Any:
    """An input of a model that serves, the same of one that trains."""
    return placed(Served.__dataclass_fields__[name], dimensions.SHAPE)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of training time, in base units (s, FLOP/s, W, USD, shares)."""

    parameters: float = parameters(
        computed("counted_parameters", "counted", when=("layers", "hidden")),
        computed("active_parameters", "= active parameters", when=("active_parameters",)),
        computed("counted_parameters", "counted"),
    )
    active_parameters: float = active_parameters(computed("counted_active_parameters", "counted"))
    job: adapters.Job = adapters.job()
    lora_rank: float = adapters.lora_rank()
    lora_targets: adapters.Targets = adapters.lora_targets()
    tokens: float = quantity(
        (
            computed("usual_tokens", "typical for this job", when=("job",), over_menu=True),
            computed("compute_optimal_tokens", "compute-optimal"),
        ),
        "token",
        "Training tokens",
        hard=(1e3, 1e18),
        slider=(1e11, 1e14),
        scale="log",
        help="Every token the model sees, repeated ones counted each time. Published ones come with the model.",
        group=MODEL,
    )
    gpus: float = placed(gpus(16384), RUN)
    mfu: float = quantity(
        facts.fact("mfu"),
        "share",
        "MFU of a step",
        hard=(0.001, 1),
        slider=(0.05, 0.75),
        help="Model FLOPs utilization while steps run. Restarts and pauses are in the goodput, not here.",
        group=RUN,
    )
    goodput: float = money.goodput(group=RUN)
    price_per_gpu_hour: float = money.price_per_gpu_hour(group=RUN)
    measured_rate: float = quantity(
        not_applicable("from the MFU"),
        "token/s",
        "Measured tokens per second per GPU",
        hard=(1e-6, 1e9),
        slider=(10, 50_000),
        scale="log",
        help="Speed from a training log. It replaces the MFU, and the MFU by every convention follows from it.",
        group=RUN,
    )
    peak_flops: float = peak_flops()
    training_precision: Precision = training_precision()
    fp8_speedup: float | None = speedup(8)
    fp4_speedup: float | None = speedup(4)
    gpu_power: float = gpu_power()
    host_power_per_gpu: float = electricity.host_power_per_gpu(
        0,
        about=f"None by default, because published figures count the GPUs alone; {_HOST_POWER} in a DGX H100 at most.",
        group=POWER,
    )
    pue: float = electricity.pue(facts.fact("pue-hyperscale"), group=POWER)
    carbon_intensity: float = electricity.carbon_intensity(group=POWER)
    attention_flops: AttentionFlops = choice(
        "ignored",
        "Attention in the FLOPs count",
        {
            "ignored": "ignored: 6 FLOPs per parameter only",
            "causal": "causal: matrix products and causal attention",
            "full": "full: matrix products and full attention",
        },
        help="FLOPs that your MFU counts. The same run has a different MFU by each convention.",
        group=COUNT,
    )
    recompute: Recompute = recompute_choice(COUNT)
    utilization_counts: Counted = choice(
        "hardware",
        "FLOPs counted by the MFU input",
        {
            "hardware": "all FLOPs performed, recomputation included (HFU)",
            "model": "the model's FLOPs only (MFU)",
        },
        help="Matters only with recomputation. Megatron 2021, BLOOM and OPT print the first kind.",
        group=COUNT,
    )
    sequence_length: float = placed(sequence_length(computed("usual_sequence_length", "typical")), COUNT)
    layers: float = placed(layers(*of_this_size("layers"), _of_run("layers")), dimensions.SHAPE)
    attention_layers: float = dimensions.attention_layers()
    attention: Attention = _served("attention")
    window: float = _served("window")
    global_layer_share: float = _served("global_layer_share")
    compressed_values: float = dimensions.compressed_values()
    layer_embedding_parameters: float = dimensions.layer_embedding_parameters()
    hidden: float = placed(hidden(*of_this_size("hidden"), _of_run("hidden")), dimensions.SHAPE)
    heads: float = placed(heads(*of_this_size("heads"), _of_run("heads")), dimensions.SHAPE)
    kv_heads: float = placed(
        kv_heads(*of_this_size("kv_heads"), computed("heads", "= attention heads")), dimensions.SHAPE
    )
    head_dim: float = placed(
        head_dim(
            computed("even_head_dim", "hidden ÷ heads", when=("heads",)),
            *of_this_size("head_dim"),
            computed("even_head_dim", "hidden ÷ heads"),
        ),
        dimensions.SHAPE,
    )
    ffn_hidden: float = dimensions.ffn_hidden(*of_this_size("ffn_hidden"))
    attention_width: float = dimensions.attention_width()
    vocab: float = dimensions.vocab()
    gated: bool = dimensions.gated()
    tied_embeddings: bool = dimensions.tied_embeddings()
    experts: float = dimensions.experts()
    experts_per_token: float = dimensions.experts_per_token()
    shared_experts: float = dimensions.shared_experts()
    expert_hidden: float = dimensions.expert_hidden()
    dense_layers: float = dimensions.dense_layers()
    dense_ffn_hidden: float = dimensions.dense_ffn_hidden()
    mtp_layers: float = dimensions.mtp_layers()
    q_lora_rank: float = dimensions.q_lora_rank()
    kv_lora_rank: float = dimensions.kv_lora_rank()
    rope_head_dim: float = dimensions.rope_head_dim()
    nope_head_dim: float = dimensions.nope_head_dim()
    v_head_dim: float = dimensions.v_head_dim()
    position_embeddings: float = dimensions.position_embeddings()
    positions: float | None = dimensions.positions()
    norms_per_layer: float = dimensions.norms_per_layer()
    qk_norm: bool = dimensions.qk_norm()
    biases: Biases = dimensions.biases()
    block_layers: float = dimensions.block_layers()
    mixer_parameters: float | None = dimensions.mixer_parameters()

"""Collectives: the time and algorithm of one, and how much of a training step is exposed communication."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators.declare import AnyFormula, Calculator, Table
from calculators.declare.pictures import Bars, bar
from calculators.llm import dimensions, shape, size
from calculators.llm.heads import active_within_all, enough_experts
from calculators.subjects.network.collectives import algorithms, bandwidth, shares, step, verdicts, warnings
from calculators.subjects.network.collectives import bytes as collectives_bytes
from calculators.subjects.network.collectives import size as collectives_size
from calculators.subjects.network.collectives import time as collectives_time
from calculators.subjects.network.collectives.acceptance import ACCEPTANCE
from calculators.subjects.network.collectives.inputs import LINKS, ONE, OVERLAP, Inputs
from calculators.subjects.network.collectives.measured import MEASUREMENT
from calculators.subjects.network.collectives.recommendations import recommendations
from calculators.subjects.network.collectives.tables import CONVENTIONS
from calculators.vocabulary import groups, layout
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import MACHINE, MODEL, SHARD
from calculators.vocabulary.models import model_preset
from calculators.vocabulary.precision import PRECISION_FORMULAS, SPEEDUPS


def _traffic(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """A row per parallelism: bytes sent, over links or network, communication time, and its exposed part."""
    inside = values["inside_domain"]
    yield "Tensor", "{tensor_bytes}", _wire(inside.tensor), "{tensor_time}", "{exposed_tensor_time}"
    yield "Context", "{context_bytes}", _wire(inside.context), "{context_time}", "{exposed_context_time}"
    across = "links" if values["expert_domains"] == 1 else "network, plus {expert_link_bytes} over links"
    sent = "{expert_link_bytes}" if values["expert_domains"] == 1 else "{expert_bytes}"
    yield "Expert", sent, across, "{expert_time}", "{exposed_expert_time}"
    yield "Pipeline", "{pipeline_bytes}", _wire(inside.pipeline), "{pipeline_time}", "{exposed_pipeline_time}"
    yield "Data", "{data_bytes}", _wire(inside.data), "{data_time}", "{exposed_data_time}"


def _wire(inside: object) -> str:
    return "links" if inside else "network"


FORMULAS: tuple[AnyFormula, ...] = (
    *layout.FORMULAS,
    *(formula for formula in shape.LIKELY_SHAPE if not formula.name.endswith("_heads") or "kv" in formula.name),
    size.usual_ffn_hidden,
    size.expert_layers,
    size.full_biases,
    size.expert_parameters,
    size.shared_expert_parameters,
    size.routed_parameters,
    *collectives_size.FORMULAS,
    active_within_all,
    enough_experts,
    *verdicts.FORMULAS,  # communication overlap comes first: recommendations are tried on it
    *warnings.FORMULAS,
    *bandwidth.FORMULAS,
    *collectives_time.FORMULAS,
    *algorithms.FORMULAS,
    *collectives_bytes.FORMULAS,
    *PRECISION_FORMULAS,
    *step.FORMULAS,
    *shares.FORMULAS,
)

CALCULATOR = Calculator(
    name="collectives",
    title="Collectives",
    question="How long does a collective take, and how much of a training step waits for communication?",
    answer=(
        "One {collective} of {message_size} over {ranks} takes **{collective_time}**, algorithm {nccl_algorithm}: "
        "{algorithm_bandwidth} algorithm bandwidth, {bus_bandwidth} bus bandwidth, {latency_share} latency. "
        "Half of the plateau bandwidth needs {half_size}. In a training step each GPU sends {network_bytes} over the "
        "network and {link_bytes} over scale-up links; **{exposed_share}** of the step is exposed communication."
    ),
    inputs_type=Inputs,
    formulas=FORMULAS,
    result_aliases={
        "best_algorithm": "nccl_algorithm",
        "big_enough": "bandwidth_bound",
        "measured_normal": "measurement_as_expected",
        "stays_hidden": "communication_overlapped",
    },
    headline=(
        "collective_time",
        "bus_bandwidth",
        "algorithm_bandwidth",
        "plateau_bus_bandwidth",
        "collective_time_at_most",
        "latency_share",
        "half_size",
        "exposed_share",
        "waiting_share",
        "layout_mfu",
        "step_time",
        "compute_time",
        "exposed_time",
        "hidden_time",
        "network_bytes",
        "link_bytes",
        "bubble_share",
        "wire_rate_per_nic",
        "measured_share",
    ),
    bands={"collective_time": ("collective_time", "collective_time_at_most")},
    first_sliders=("message_size", "ranks", "micro_batches"),
    presets=(
        model_preset(
            *("parameters", "active_parameters", "layers", "hidden", "kv_heads", "head_dim", "ffn_hidden", "gated"),
            *("experts", "experts_per_token", "expert_hidden", "dense_layers", "biases", "positions", "block_layers"),
            incidental=("sequence_length",),
        ),
        accelerator_preset(
            "peak_flops",
            "link_bandwidth",
            optional=("gpus_per_domain", "link_efficiency", "nvls_efficiency", "ll_ceiling", *SPEEDUPS),
        ),
    ),
    groups={
        ONE: "One collective",
        LINKS: "Links and network",
        MODEL: "Model",
        groups.BATCH: "Batch",
        SHARD: "Parallelism",
        MACHINE: "GPU",
        OVERLAP: "Communication overlap",
        groups.PRECISION: "Precision",
        dimensions.SHAPE: "Model dimensions",
    },
    assumptions=(
        "NCCL chooses by its own model: a latency for each algorithm and protocol, plus bytes over bandwidth.",
        "Every GPU has its share of the node's NICs, and rings run in parallel, one on each NIC.",
        "Ranks fill domains in this order: tensor, context, expert, pipeline, data parallelism.",
        "The router sends equally many tokens to every expert.",
        "Weights are sent in 16 bits; sequence parallelism sends as many bytes as tensor parallelism without it.",
    ),
    omits=(
        "Congestion, stragglers and ECMP collisions, which only add time.",
        "SMs, memory bandwidth and power that communication takes from the compute it overlaps.",
        "Kernel launches, buffer registration, NCCL's table of rounded speeds, and its per-channel limits.",
        "FLOPs of attention scores, the optimizer step, and the smaller keys and values of latent attention (MLA).",
        "Topologies other than switches inside a domain: meshes of point-to-point links reach less with few GPUs.",
    ),
    recommendations=recommendations,
    recommendations_heading="Recommendations",
    tables=(
        Table(
            name="traffic",
            title="Traffic by parallelism",
            about="Per GPU and step, one way.",
            columns=("Parallelism", "Bytes", "Over", "Time", "Exposed"),
            rows=_traffic,
        ),
        ACCEPTANCE,
        CONVENTIONS,
    ),
    measurement=MEASUREMENT,
    picture=Bars(
        title="Time of one collective and of one step",
        rows=(
            bar("One collective", latency_share="logits", transfer_share="other"),
            bar(
                "One step",
                arithmetic_share="work",
                bubble_step_share="stall",
                tensor_share="weights",
                context_share="logits",
                expert_share="optimizer",
                pipeline_share="activations",
                data_share="write",
            ),
            bar("Overlapped", hidden_share="free"),
        ),
    ),
)

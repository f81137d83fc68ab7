"""Inputs of the collectives calculator: one collective, links and NICs, model, batch, parallelism and overlap."""

from dataclasses import dataclass
from typing import Any, Literal

from calculators import facts
from calculators.declare import Option, choice, computed, not_applicable, placed, quantity
from calculators.llm import dimensions
from calculators.llm.shape import of_this_size
from calculators.llm.size import Biases
from calculators.subjects.network.collectives.bytes import Dispatcher
from calculators.units import GIB
from calculators.vocabulary import groups, parallelism, recipes
from calculators.vocabulary.accelerators import gpus, link_bandwidth, peak_flops
from calculators.vocabulary.groups import MACHINE, SHARD
from calculators.vocabulary.links import all_to_all_nic_efficiency, gpus_per_domain, nic_bandwidth
from calculators.vocabulary.models import (
    active_parameters,
    head_dim,
    hidden,
    kv_heads,
    layers,
    of_default_model,
    parameters,
    sequence_length,
)
from calculators.vocabulary.parallelism import tensor_parallel
from calculators.vocabulary.precision import Precision, speedup, training_precision
from calculators.vocabulary.recipes import Recompute, recompute_choice

ONE, LINKS, OVERLAP = "one", "links", "overlap"
HOPPER = "nccl-links-hopper"
MIB = GIB / 1024
Collective = Literal["all_reduce", "reduce_scatter", "all_gather", "broadcast", "all_to_all"]
InNetwork = Literal["none", "nvls", "nvls_and_sharp"]
HostCpu = Literal["intel", "amd"]


def _share(fact: str, label: str, help: str, group: str, *, least: float = 0.01, usual: tuple[float, float]) -> Any:  # noqa: A002
    return quantity(facts.fact(fact), "share", label, hard=(least, 1), slider=usual, help=help, group=group)


def _overlap(default: float | facts.Fact, label: str, help: str) -> Any:  # noqa: A002
    return quantity(default, "share", label, hard=(0, 1), slider=(0, 1), help=help, group=OVERLAP)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs in base units (bytes, seconds, bytes per second, shares)."""

    collective: Collective = choice(
        "all-reduce",
        "Collective",
        {
            "all-reduce": Option(value="all_reduce", label="all-reduce"),
            "reduce-scatter": Option(value="reduce_scatter", label="reduce-scatter"),
            "all-gather": Option(value="all_gather", label="all-gather"),
            "broadcast": Option(value="broadcast", label="broadcast"),
            "all-to-all": Option(value="all_to_all", label="all-to-all"),
        },
        group=ONE,
    )
    message_size: float = quantity(
        256 * MIB,
        "B",
        "Message size",
        hard=(1, 1e14),
        slider=(8, 16 * GIB),
        scale="log",
        doubling=True,
        binary=True,
        help="The whole buffer, as nccl-tests counts it: for an all-gather the gathered size, not one GPU's share.",
        group=ONE,
    )
    ranks: float = quantity(
        64,
        "GPU",
        "GPUs in the group",
        hard=(2, 1e6),
        slider=(2, 16384),
        scale="log",
        doubling=True,
        whole=True,
        help="GPUs (ranks) that take part in this collective.",
        group=ONE,
    )
    measured_bus_bandwidth: float = quantity(
        computed("plateau_bus_bandwidth", "as modeled"),
        "B/s",
        "Measured bus bandwidth",
        hard=(1e6, 1e14),
        slider=(1e9, 1e12),
        scale="log",
        help="Bus bandwidth (busbw) that nccl-tests printed for your largest messages, compared with the plateau.",
        group=ONE,
    )
    gpus_per_domain: float = gpus_per_domain(LINKS)
    link_bandwidth: float = link_bandwidth(LINKS)
    nic_bandwidth: float = nic_bandwidth(LINKS)
    link_efficiency: float = quantity(
        facts.fact(f"{HOPPER}.link_efficiency"),
        "share",
        "Ring bus efficiency (intra-node)",
        hard=(0.01, 1),
        slider=(0.7, 0.9),
        help="Share of the scale-up bandwidth that a ring reaches; the accelerator menu fills in NCCL's tuning value.",
        group=LINKS,
    )
    nic_efficiency: float = _share(
        "nccl-net-efficiency",
        "Ring bus efficiency (inter-node)",
        "Share of the NIC bandwidth that a ring reaches.",
        LINKS,
        usual=(0.5, 1),
    )
    in_network: InNetwork = choice(
        "nvls",
        "In-switch reduction",
        {
            "none": "none: GPUs reduce",
            "nvls": "NVLS: scale-up switches reduce",
            "nvls_and_sharp": "NVLS and SHARP: network switches reduce too",
        },
        help="NVLS from Hopper on; SHARP needs a NCCL plugin and switches configured for it.",
        group=LINKS,
    )
    nvls_efficiency: float = quantity(
        facts.fact(f"{HOPPER}.nvls_efficiency"),
        "share",
        "NVLS efficiency",
        hard=(0, 1),
        slider=(0.5, 1),
        help="Share of the ring bandwidth that an in-switch reduction uses; 0 where the switches cannot reduce.",
        group=LINKS,
    )
    tree_efficiency: float = _share(
        "nccl-tree-efficiency",
        "Tree efficiency",
        "Share of the ring bandwidth that a double tree reaches; 78% where it is not balanced: four NICs, eight GPUs.",
        LINKS,
        usual=(0.5, 1),
    )
    ll_ceiling: float = quantity(
        facts.fact(f"{HOPPER}.ll_ceiling"),
        "B/s",
        "LL protocol bandwidth limit in a domain",
        hard=(1e6, 1e14),
        slider=(10e9, 400e9),
        scale="log",
        help="Maximum bandwidth of NCCL's low-latency protocol; the accelerator menu fills in NCCL's tuning value.",
        group=LINKS,
    )
    all_to_all_link_efficiency: float = _share(
        "all-to-all-link-efficiency",
        "All-to-all efficiency (intra-node)",
        "Share of the scale-up bandwidth, one way, that an all-to-all reaches.",
        LINKS,
        usual=(0.4, 1),
    )
    all_to_all_nic_efficiency: float = all_to_all_nic_efficiency(LINKS)
    host_cpu: HostCpu = choice(
        "intel",
        "Host CPU",
        {"intel": "Intel or Arm", "amd": "AMD"},
        help="NCCL's tuning has different message costs for each.",
        group=LINKS,
    )
    nic_latency: float = quantity(
        0,
        "s",
        "Extra network latency",
        hard=(0, 1),
        slider=(0, 75e-6),
        help="Latency that a NCCL network plugin reports on top; 0 for InfiniBand and RoCE.",
        group=LINKS,
    )
    parameters: float = parameters(
        computed(
            "layers_parameters",
            "counted from the layers",
            when=("layers", "hidden", "ffn_hidden", "experts"),
            over_menu=True,
        ),
        computed("active_parameters", "same as active parameters", when=("active_parameters",)),
        of_default_model("parameters"),
    )
    active_parameters: float = active_parameters(
        computed("layers_active_parameters", "counted from the layers", over_menu=True)
    )
    gpus: float = gpus(parallelism.OF_THE_LAYOUT)
    sequence_length: float = placed(sequence_length(of_default_model("sequence_length")), groups.BATCH)
    micro_batch: float = parallelism.micro_batch()
    micro_batches: float = parallelism.micro_batches()
    recompute: Recompute = recompute_choice(groups.BATCH)
    tensor_parallel: float = tensor_parallel(parallelism.TENSOR_RANKS)
    pipeline_parallel: float = parallelism.pipeline_parallel(parallelism.STAGES)
    data_parallel: float = parallelism.data_parallel(32)
    context_parallel: float = parallelism.context_parallel()
    expert_parallel: float = parallelism.expert_parallel()
    interleave: float = parallelism.interleave()
    zero_stage: int = parallelism.zero_stage()
    gradient_bytes: float = recipes.gradient_bytes()
    activation_bytes: float = recipes.activation_bytes()
    nodes_per_token: float = quantity(
        not_applicable("no limit"),
        "1",
        "Max domains per token",
        hard=(1, 100e3),
        slider=(1, 64),
        whole=True,
        help="Servers to which the router may send one token: 4 in DeepSeek-V3.",
        group=SHARD,
    )
    expert_dispatcher: Dispatcher = choice(
        "per-node",
        "Expert dispatcher",
        {
            "per-node": "DeepEP or HybridEP: one copy per node",
            "alltoall": "all-to-all: one copy per expert",
        },
        help="Megatron's `moe_token_dispatcher_type`: `flex` sends one copy to a node, `alltoall` one to each expert.",
        group=SHARD,
    )
    dispatch_bytes: float = quantity(
        facts.fact("expert-dispatch-bytes"),
        "B/value",
        "Dispatch precision (bytes per value)",
        hard=(0.1, 8),
        slider=(0.5, 4),
        help="Activations sent to experts: 1 for FP8.",
        group=groups.PRECISION,
    )
    combine_bytes: float = quantity(
        facts.fact("expert-combine-bytes"),
        "B/value",
        "Combine precision (bytes per value)",
        hard=(0.1, 8),
        slider=(0.5, 4),
        help="Activations returned from experts: 2 for bf16.",
        group=groups.PRECISION,
    )
    peak_flops: float = peak_flops()
    training_precision: Precision = training_precision()
    fp8_speedup: float | None = speedup(8)
    fp4_speedup: float | None = speedup(4)
    matmul_utilization: float = _share(
        "kernel-utilization",
        "Kernel utilization (share of peak FLOP/s)",
        "Before communication and bubble, so higher than MFU. Take it from a profile of one GPU without them.",
        MACHINE,
        usual=(0.3, 0.75),
    )
    data_overlap: float = _overlap(
        facts.fact("overlap-data"), "Data-parallel overlap", "Share hidden in buckets behind the backward pass."
    )
    tensor_overlap: float = _overlap(0, "Tensor-parallel overlap", "Usually 0: the next operation waits for it.")
    expert_overlap: float = _overlap(
        facts.fact("overlap-expert"), "Expert-parallel overlap", "Share hidden by alternating two micro-batches."
    )
    pipeline_overlap: float = _overlap(
        facts.fact("overlap-pipeline"), "Pipeline overlap", "Share of sends hidden behind the next micro-batch."
    )
    context_overlap: float = _overlap(
        facts.fact("overlap-context"), "Context-parallel overlap", "Share hidden behind attention."
    )
    positions: float | None = dimensions.positions()
    layers: float = placed(layers(*of_this_size("layers"), of_default_model("layers")), dimensions.SHAPE)
    hidden: float = placed(hidden(*of_this_size("hidden"), of_default_model("hidden")), dimensions.SHAPE)
    kv_heads: float = placed(kv_heads(*of_this_size("kv_heads"), of_default_model("kv_heads")), dimensions.SHAPE)
    head_dim: float = placed(head_dim(*of_this_size("head_dim"), of_default_model("head_dim")), dimensions.SHAPE)
    ffn_hidden: float = dimensions.ffn_hidden(*of_this_size("ffn_hidden"))
    gated: bool = dimensions.gated()
    experts: float = dimensions.experts()
    experts_per_token: float = dimensions.experts_per_token()
    expert_hidden: float = dimensions.expert_hidden()
    dense_layers: float = dimensions.dense_layers()
    block_layers: float = dimensions.block_layers()
    biases: Biases = dimensions.biases()

"""Inputs on speed: peak rates and links of a GPU, and the share of them and the latencies that engines reach."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import computed, quantity
from calculators.llm import dimensions
from calculators.vocabulary.accelerators import link_bandwidth, narrow_peak_flops, peak_flops
from calculators.vocabulary.groups import MACHINE
from calculators.vocabulary.links import all_to_all_nic_efficiency, gpus_per_domain, nic_bandwidth

SPEED = "speed"


def _fitted(key: str, unit: str, label: str, hard: tuple[float, float], slider: tuple[float, float], about: str) -> Any:
    return quantity(facts.fact(key), unit, label, hard=hard, slider=slider, help=about, group=SPEED)


@dataclass(frozen=True, kw_only=True)
class Speed:
    """Rates, efficiencies and latencies; base units (bytes and FLOPs per second, seconds, shares)."""

    peak_flops: float = peak_flops()
    peak_flops_fp8: float | None = narrow_peak_flops(8, 20e15)
    peak_flops_fp4: float | None = narrow_peak_flops(4, 40e15)
    link_bandwidth: float = link_bandwidth(MACHINE)
    gpus_per_domain: float = gpus_per_domain(MACHINE)
    nic_bandwidth: float = nic_bandwidth(MACHINE)
    bandwidth_efficiency: float = quantity(
        computed("typical_bandwidth_efficiency", "typical for this device"),
        "share",
        "Memory bandwidth efficiency",
        hard=(0.05, 1),
        slider=(0.5, 1),
        spread=facts.fact("serving-bandwidth-efficiency").spread,
        help="Share of the datasheet's bandwidth that engines reach; latency is counted separately.",
        group=SPEED,
    )
    compute_efficiency: float = quantity(
        computed("typical_compute_efficiency", "typical for this kind of model and precision"),
        "share",
        "Compute efficiency",
        hard=(0.01, 1),
        slider=(0.1, 0.9),
        spread=facts.fact("serving-compute-efficiency").spread,
        help="Share of peak FLOPs that products with weights reach in the compute precision: less in 4 bits, and with "
        "experts. Attention over a prompt has a rate of its own.",
        group=SPEED,
    )
    layer_latency: float = quantity(
        computed("typical_layer_latency", "typical for this kind of model"),
        "s",
        "Latency per layer",
        hard=(0, 0.01),
        slider=(0, 200e-6),
        help="Time that each layer of a step takes however few its tokens. Without CUDA graphs several times as long.",
        group=SPEED,
    )
    sequence_latency: float = _fitted(
        "serving-sequence-latency",
        "s",
        "Latency per sequence",
        (0, 0.01),
        (0, 50e-6),
        "Time that each concurrent sequence adds to a step.",
    )
    allreduce_latency: float = quantity(
        computed("typical_allreduce_latency", "typical for this many ranks"),
        "s",
        "All-reduce latency",
        hard=(0, 0.01),
        slider=(0, 50e-6),
        help="Tensor parallelism takes two all-reduces in every layer. 20 to 34 µs without CUDA graphs.",
        group=SPEED,
    )
    allreduce_link_efficiency: float = _fitted(
        "serving-allreduce-link-efficiency",
        "share",
        "All-reduce link efficiency",
        (0.01, 2),
        (0.2, 1),
        "Share of one direction of the links that an all-reduce reaches.",
    )
    allreduce_decode_efficiency: float = _fitted(
        "serving-allreduce-decode-efficiency",
        "share",
        "All-reduce link efficiency, decode",
        (0.01, 2),
        (0.2, 1),
        "The same for the messages of a decode step, a few megabytes: less than for a chunk of a prompt.",
    )
    all_to_all_nic_efficiency: float = all_to_all_nic_efficiency(SPEED)
    attention_width: float = dimensions.attention_width()
    device_efficiency: float = quantity(
        1,
        "share",
        "Device efficiency relative to NVIDIA",
        hard=(0.1, 2),
        slider=(0.5, 1.2),
        help="Engines reach so much of the bandwidth and compute efficiency for which constants are fitted on NVIDIA's "
        "GPUs. The menu sets it for AMD's.",
        group=SPEED,
    )
    expert_imbalance: float = quantity(
        computed("typical_expert_imbalance", "typical where whole experts are divided over GPUs"),
        "1",
        "Expert load imbalance",
        hard=(1, 10),
        slider=(1, 3),
        help="Load of the fullest GPU over the mean: each step waits for it. 1 where tensor parallelism slices every "
        "expert, so that all GPUs do the same.",
        group=SPEED,
        aliases=("imbalance",),
    )

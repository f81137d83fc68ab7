"""Links and network of a GPU: inputs shared by collectives and serving."""

from typing import Any

from calculators import facts
from calculators.declare import quantity


def gpus_per_domain(group: str) -> Any:
    """GPUs in one scale-up domain."""
    return quantity(
        facts.fact("nccl-links-hopper.gpus_per_domain"),
        "GPU",
        "GPUs in a scale-up domain",
        hard=(1, 100e3),
        slider=(1, 576),
        scale="log",
        whole=True,
        help="GPUs that reach each other over NVLink or its like: 8 in most servers, 72 in one rack of GB200.",
        group=group,
        aliases=("nvlink_domain",),
    )


def nic_bandwidth(group: str) -> Any:
    """Network bandwidth per GPU."""
    return quantity(
        50e9,
        "B/s",
        "Network bandwidth per GPU",
        hard=(1e6, 1e14),
        slider=(3e9, 100e9),
        scale="log",
        help="One way: 50 GB/s for a card of 400 Gbit/s for each GPU. With four cards for eight GPUs, half of a card.",
        group=group,
    )


def all_to_all_nic_efficiency(group: str) -> Any:
    """Share of the network bandwidth that all-to-all reaches."""
    return quantity(
        facts.fact("all-to-all-nic-efficiency"),
        "share",
        "Share of the network that all-to-all reaches",
        hard=(0.01, 1),
        slider=(0.4, 1),
        group=group,
    )

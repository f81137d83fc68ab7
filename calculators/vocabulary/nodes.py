"""Nodes: GPUs per server and servers of a job."""

from math import ceil
from typing import Any

from calculators import facts
from calculators.declare import Default, quantity, step
from calculators.vocabulary.groups import MACHINE


def gpus_per_node(default: Default | None = None) -> Any:
    """Accelerators that share one node's port, memory and drives."""
    return quantity(
        facts.fact("gpus-per-node") if default is None else default,
        "GPU",
        "GPUs per node",
        hard=(1, 1024),
        slider=(1, 72),
        whole=True,
        help="Those that share one node's network port, host memory and drives.",
        group=MACHINE,
    )


def host_memory() -> Any:
    """Memory of one node's processors."""
    return quantity(
        facts.fact("host-memory"),
        "B",
        "Host memory per node",
        hard=(1e9, 1e15),
        slider=(100e9, 8e12),
        scale="log",
        group=MACHINE,
    )


@step("node", "Nodes with GPUs", rises_with=("gpus",), falls_with=("gpus_per_node",))
def gpu_nodes(gpus: float, gpus_per_node: float) -> float:
    """Whole servers for `gpus` at `gpus_per_node` each.

    >>> gpu_nodes(16384, 8)
    2048
    """
    return ceil(gpus / gpus_per_node)

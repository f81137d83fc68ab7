"""Constants of a training step: what kernels reach of peak and bandwidth, and what launches take."""

from typing import NamedTuple

from calculators import facts


class Kernels(NamedTuple):
    """Shares of peak and bandwidth, sizes at which a kernel reaches half its share, and seconds of launches.

    Sizes are those of a device with the peak of an H100 in bf16; a faster one needs more in proportion.
    """

    matrix_16: float
    matrix_8: float
    matrix_4: float
    matrix_half: float
    expert_half: float
    attention: float
    memory: float
    state: float
    routing: float
    launch: float
    graphs_of_parts: float
    graph_of_step: float
    pytorch: float
    attention_2: float


KERNELS = Kernels(**{name: float(facts.fact(f"step-{name.replace('_', '-')}").value) for name in Kernels._fields})
REFERENCE_FLOPS = float(facts.fact("h100-sxm.peak_flops").value)
REFERENCE_MEMORY = float(facts.fact("h100-sxm.memory_bandwidth").value)
STATE_GROWTH = float(facts.fact("step-state-growth").value)

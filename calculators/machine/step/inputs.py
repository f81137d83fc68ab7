"""The training step of a machine: its inputs, and the time of kernels from the shapes of matrices."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import (
    AnyFormula,
    Quantity,
    choice,
    computed,
    formulas_of,
    quantity,
    step,
    switch,
)
from calculators.llm import dimensions
from calculators.llm.serving.inputs import Served
from calculators.llm.step.adapters import ADAPTER_WORK
from calculators.llm.step.kernels import KERNEL_TIME
from calculators.llm.step.micro_batch import MICRO_BATCH, Graphs, Software
from calculators.llm.step.shapes import SHAPES
from calculators.subjects.training.training_memory.recomputation import Modules
from calculators.vocabulary.accelerators import matrix_reach, memory_bandwidth
from calculators.vocabulary.groups import MACHINE, RUN
from calculators.vocabulary.recipes import Recompute

_EXPERT_OVERLAP = float(facts.fact("step-expert-overlap").value)
_TENSOR_OVERLAP = facts.fact("step-tensor-overlap")
_OTHER_FAMILY = 0.4  # a judgment from the errors of models that no constant was fitted on
_OF_SERVING = ("attention", "window", "global_layer_share")  # the same of a model that trains
MODEL_FILLS = (*_OF_SERVING, "compressed_values", "state_per_sequence", "step_range")
DEVICE_FILLS = ("memory_bandwidth", "matrix_reach")


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Base units: bytes per second, shares."""

    training_software: Software = choice(
        "megatron",
        "Training software",
        {
            "megatron": "Megatron Core, Transformer Engine",
            "pytorch": "PyTorch, FlashAttention 2: torchtitan, Composer",
        },
        help="Whose kernels run: published PyTorch runs take about a sixth longer in kernels than tuned Megatron ones.",
        group=RUN,
    )
    cuda_graphs: Graphs = choice(
        "parts",
        "CUDA graphs",
        {
            "none": "none: every kernel is launched",
            "parts": "parts of a layer",
            "step": "the whole step (`full_iteration`)",
        },
        help="`cuda_graph_impl` in Megatron: what a graph holds is launched at once.",
        group=RUN,
    )
    overlap_all_to_all: bool = switch(
        default=False,
        label="Overlap of the expert all-to-all",
        help="`overlap_moe_expert_parallel_comm` in Megatron Bridge: two micro-batches alternate, one computes.",
        group=RUN,
    )
    balanced_stages: bool = switch(
        default=True,
        label="Stages balanced for the output layer",
        help="The last stage has fewer layers (`account_for_loss_in_pipeline_split`), or the output layer on top.",
        group=RUN,
        aliases=("account_for_loss_in_pipeline_split",),
    )
    gradient_accumulation_fusion: bool = switch(
        default=True,
        label="Gradient accumulation fused",
        help="Matrix products add weight gradients to their sum (Apex or Transformer Engine), or kernels of their own.",
        group=RUN,
    )
    attention_dropout: float = quantity(
        0,
        "share",
        "Attention dropout",
        hard=(0, 1),
        slider=(0, 0.2),
        help="Megatron's default is 10%. Without flash attention, a dropout kernel reads and writes every score.",
        group=RUN,
    )
    memory_bandwidth: float = memory_bandwidth()
    matrix_reach: float = matrix_reach(MACHINE)
    step_range: float = quantity(
        _OTHER_FAMILY,
        "share",
        "Range of the step time, either way",
        hard=(0, 0.95),
        slider=(0, 0.6),
        help="From published runs: 25% for a model among them, 40% for any other. It gives the range of the run.",
        group=RUN,
    )
    compressed_values: float = dimensions.compressed_values()
    state_per_sequence: float = dimensions.state_per_sequence()


def declared() -> dict[str, Any]:
    """The inputs of a training step, by their names."""
    own = {one.name: one for one in dataclasses.fields(Inputs)}
    shared = {one.name: one for one in dataclasses.fields(Served) if one.name in _OF_SERVING}
    return {
        name: dataclasses.replace(field.metadata["declared"], name=name) for name, field in {**own, **shared}.items()
    }


def overlapped(declared: Quantity) -> Quantity:
    """The overlap of tensor parallelism, with what tuned training software reaches as its default."""
    return dataclasses.replace(
        declared, default=_TENSOR_OVERLAP.value, fact=_TENSOR_OVERLAP, spread=_TENSOR_OVERLAP.spread
    )


@step("share", "Expert all-to-all that overlaps")
def usual_expert_overlap(overlap_all_to_all: bool) -> float:  # noqa: FBT001  an input of the graph
    """Share of expert-parallel transfers that compute hides [share]; nothing where they are not overlapped."""
    return _EXPERT_OVERLAP if overlap_all_to_all else 0.0


@step("1", "Trips of a token to its experts")
def expert_trips(recompute: Recompute, recompute_modules: Modules) -> float:
    """Times that a layer sends a token to its experts and back in a step [1]; recomputed experts send it once more.

    >>> [expert_trips(*how) for how in (("none", "moe"), ("selective", "moe+layernorm"), ("full", "core_attn"))]
    [2, 3, 3]
    """
    again = recompute == "full" or (recompute == "selective" and "moe" in recompute_modules.split("+"))
    return 3 if again else 2


COMPUTED: dict[str, Any] = {
    "expert_overlap": computed("usual_expert_overlap", "none unless overlapped"),
    "matmul_utilization": computed("kernel_utilization", "from the shapes of matrices"),
}
FORMULAS: tuple[AnyFormula, ...] = (
    *formulas_of(globals()),
    *ADAPTER_WORK,
    *SHAPES,
    *MICRO_BATCH,
    *KERNEL_TIME,
)

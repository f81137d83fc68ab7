"""A parallel layout: how many GPUs it takes, and where a framework refuses it or leaves GPUs idle."""

import math

from calculators import units
from calculators.declare import constraint, formulas_of, step, warning

# Embedding and output may each take a layer's place: Llama 3 405B's first and last stage hold a layer less, and
# Megatron Core can account for both when it splits a pipeline.
ENDS = 2
ON_THE_LAYOUT = ("fits", "communication_overlapped")  # verdicts on a layout, which hold for one that starts
_EVERY_DIGIT = 9  # of GPUs, of which there are at most ten million


@step("GPU", "GPUs of the layout")
def layout_gpus(
    tensor_parallel: float, pipeline_parallel: float, data_parallel: float, context_parallel: float
) -> float:
    """GPUs that the layout takes [GPU]: the product of its degrees. Expert-parallel ranks are among them."""
    return tensor_parallel * pipeline_parallel * data_parallel * context_parallel


@step("rank", "Replicas that fit on the GPUs")
def layout_replicas(gpus: float, tensor_parallel: float, pipeline_parallel: float, context_parallel: float) -> float:
    """Data-parallel ranks for which `gpus` suffice when each replica takes the product of the other degrees [rank]."""
    return max(1, gpus // (tensor_parallel * pipeline_parallel * context_parallel))


@constraint("pipeline_parallel", speaks="pp=200", silent="pp=20&interleave=4&micro_batches=40")
def stages_have_layers(pipeline_parallel: float, layers: float, interleave: float) -> str:
    """Every stage has layers; where stages interleave, embedding and output may each take a layer's place."""
    if pipeline_parallel * interleave <= layers + (ENDS if interleave > 1 else 0):
        return ""
    return (
        "Pipeline stages × virtual stages per GPU must be at most {layers}, not {pipeline_parallel} × {interleave}: "
        "use fewer of either"
    )


@constraint(
    "context_parallel",
    speaks="sequence_length=8192&context_parallel=4097",
    silent="sequence_length=8192&context_parallel=4",
)
def context_has_tokens(context_parallel: float, sequence_length: float) -> str:
    """Each context-parallel rank takes two chunks of the sequence, one from its start and one from its end."""
    if context_parallel == 1 or 2 * context_parallel <= sequence_length:
        return ""
    return (
        "Context parallelism splits a sequence into two chunks per rank: "
        "{sequence_length} cannot be split over {context_parallel}"
    )


@constraint(
    "expert_parallel",
    speaks="model=mixtral-8x7b&expert_parallel=16",
    silent="model=mixtral-8x7b&expert_parallel=8&dp=8",
)
def experts_for_ranks(expert_parallel: float, experts: float) -> str:
    """Each expert-parallel rank holds the same number of whole experts."""
    if expert_parallel > experts:
        return "Expert parallel must be at most {experts}, not {expert_parallel}: use fewer ranks"
    if experts % expert_parallel == 0:
        return ""
    return "The {experts} must divide evenly among the expert-parallel ranks, not be {expert_parallel}: use a divisor"


def _distinguishable(layout_gpus: float, gpus: float) -> tuple[str, str]:
    """Both numbers of GPUs as text; with every digit where three digits are alike, as of millions."""
    if units.text(layout_gpus, "GPU") == units.text(gpus, "GPU"):
        return units.text(layout_gpus, "GPU", digits=_EVERY_DIGIT), units.text(gpus, "GPU", digits=_EVERY_DIGIT)
    return "{layout_gpus}", "{gpus}"


@constraint("gpus", speaks="gpus=64&tp=8&pp=4&dp=32", silent="gpus=500")
def gpus_for_the_layout(
    gpus: float,
    layout_gpus: float,
    tensor_parallel: float,
    pipeline_parallel: float,
    data_parallel: float,
    context_parallel: float,
) -> str:
    """There are as many GPUs as the layout takes; else one that they suffice for, of smaller degrees."""
    if layout_gpus <= gpus:
        return ""
    takes, there = _distinguishable(layout_gpus, gpus)
    ranks = gpus // context_parallel
    tensor = min(tensor_parallel, _power_of_two(ranks))
    stages = min(pipeline_parallel, ranks // tensor) if tensor else 0
    degrees = {"tensor": (tensor_parallel, tensor), "pipeline": (pipeline_parallel, stages)}
    degrees["data"] = (data_parallel, ranks // (tensor * stages) if stages else 0)
    smaller = [f"{name} parallel {fits:,.0f}" for name, (asked, fits) in degrees.items() if 0 < fits < asked]
    such_as = ", such as " + ", ".join(smaller) if smaller and stages else ""
    return (
        f"The layout takes {takes} (tensor × pipeline × data × context parallel), and there are {there}: "
        f"use more GPUs, or a smaller layout{such_as}"
    )


def _power_of_two(most: float) -> float:
    """The largest power of two that is no more."""
    return 2.0 ** math.floor(math.log2(most)) if most >= 1 else 0.0


@warning(speaks="gpus=500", silent="dp=3", refuses=ON_THE_LAYOUT)
def gpus_left_over(gpus: float, layout_gpus: float) -> str:
    """GPUs that the layout leaves idle."""
    if gpus <= layout_gpus:
        return ""
    takes, there = _distinguishable(layout_gpus, gpus)
    return (
        f"The layout takes {takes}, not {there}: frameworks refuse to start, "
        "and the results of the layout here are those of the GPUs it takes."
    )


@warning(speaks="micro_batches=3&pp=4", silent="micro_batches=4&pp=4")
def idle_stages(micro_batches: float, pipeline_parallel: float) -> str:
    """Fewer micro-batches per step than pipeline stages."""
    if micro_batches >= pipeline_parallel:
        return ""
    return (
        "Fewer micro-batches per step ({micro_batches}) than pipeline stages ({pipeline_parallel}): at least one stage "
        "is idle at any moment."
    )


@warning(speaks="pp=1&interleave=4", silent="pp=2&interleave=4", refuses=ON_THE_LAYOUT)
def nothing_to_interleave(interleave: float, pipeline_parallel: float) -> str:
    """Virtual pipeline stages on a pipeline of one stage, which Megatron Core refuses."""
    if interleave == 1 or pipeline_parallel > 1:
        return ""
    return "Interleaving needs at least two pipeline stages: Megatron Core refuses it with one."


@warning(
    speaks="pp=4&interleave=5&micro_batches=30",
    silent="pp=4&interleave=5&micro_batches=28",
    refuses=ON_THE_LAYOUT,
)
def uneven_rounds(interleave: float, micro_batches: float, pipeline_parallel: float) -> str:
    """Micro-batches that do not divide into groups of the pipeline size, which Megatron Core refuses to interleave."""
    if interleave == 1 or micro_batches % pipeline_parallel == 0:
        return ""
    if micro_batches < pipeline_parallel:
        return (
            "Megatron Core refuses to interleave fewer micro-batches than stages: {micro_batches} on "
            "{pipeline_parallel}."
        )
    return (
        "Megatron Core interleaves micro-batches in groups of the pipeline size, unless another group size is set, and "
        "refuses a remainder: {micro_batches} on {pipeline_parallel}."
    )


FORMULAS = formulas_of(globals())

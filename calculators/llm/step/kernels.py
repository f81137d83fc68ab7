"""Time that a GPU of the fullest stage computes in a step: its micro-batches, and the optimizer."""

from calculators.declare import formulas_of, record, step
from calculators.llm.adapters import ADAPTERS, Job
from calculators.llm.step.micro_batch import MicroBatch
from calculators.vocabulary.recipes import Recompute

_OPTIMIZER_BYTES = 28  # read and written for a parameter: weight, gradient, two moments, master copy


@record("Micro-batch on the fullest stage by kind of work")
def stage_work(
    micro_batch_times: MicroBatch,
    layers: float,
    stage_layers: float,
    pipeline_parallel: float,
    balanced_stages: bool,  # noqa: FBT001  an input of the graph
) -> MicroBatch:
    """Seconds of one micro-batch on the fullest stage, by kind of work.

    That is the stage with most layers, or an even share of layers and output layer where that is longer. Where stages
    are not balanced it may also be the last one, with the output layer besides its layers.

    >>> times = MicroBatch(8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0)
    >>> [sum(stage_work(times, *stage, True)) for stage in ((4, 4, 1), (4, 1, 4), (5, 2, 4))]
    [10.0, 2.5, 3.2]
    >>> [sum(stage_work(times, *stage, False)) for stage in ((4, 4, 1), (4, 1, 4), (5, 2, 3))]
    [10.0, 4.0, 3.6]
    """
    of_layers, logits = micro_batch_times.layers, micro_batch_times.logits
    fullest = of_layers * stage_layers / layers
    last = (layers - stage_layers * (pipeline_parallel - 1)) / layers
    if not balanced_stages and of_layers * last + logits > fullest:
        return MicroBatch._make((*(each * last for each in micro_batch_times[:-1]), logits))
    if fullest > (of_layers + logits) / pipeline_parallel or not balanced_stages:
        return MicroBatch._make((*(each * stage_layers / layers for each in micro_batch_times[:-1]), 0.0))
    return MicroBatch._make(each / pipeline_parallel for each in micro_batch_times)


@step("s", "Micro-batch on the fullest stage")
def stage_time(stage_work: MicroBatch) -> float:
    """Compute time of one micro-batch on the fullest stage [s]."""
    return sum(stage_work)


@step("s", "Optimizer per step")
def optimizer_time(
    exchanged_parameters: float,
    trainable_share: float,
    data_parallel: float,
    context_parallel: float,
    memory_bandwidth: float,
) -> float:
    """Time of the optimizer's pass over its shard of the states of what is trained [s].

    >>> optimizer_time(1e9, 1, 10, 1, 2.8e12), optimizer_time(1e9, 0.01, 10, 1, 2.8e12)
    (0.001, 1e-05)
    """
    trained = exchanged_parameters * trainable_share
    return trained * _OPTIMIZER_BYTES / (data_parallel * context_parallel) / memory_bandwidth


@step("s", "Time in kernels per step")
def kernel_time(stage_time: float, micro_batches: float, optimizer_time: float) -> float:
    """Compute time of a step on the fullest stage [s], without waiting for others."""
    return stage_time * micro_batches + optimizer_time


@step("FLOP/token", "FLOPs per token in matrix products", source=("megatron-2021", "lora"))
def kernel_flops_per_token(
    job: Job, active_parameters: float, active_adapter_parameters: float, recompute: Recompute
) -> float:
    """FLOPs of products per token [FLOP/token]: 6 for a parameter, 4 if it is frozen, 2 more with full recomputation.

    >>> [kernel_flops_per_token(job, 100, 1, "none") for job in ("full", "lora")]
    [600, 406]
    >>> [kernel_flops_per_token(job, 100, 1, "full") for job in ("full", "lora")]
    [800, 608]
    """
    again = 2 if recompute == "full" else 0
    if job in ADAPTERS:
        return (4 + again) * active_parameters + (6 + again) * active_adapter_parameters
    return (6 + again) * active_parameters


@step("share", "Kernel utilization of this layout")
def kernel_utilization(
    kernel_flops_per_token: float,
    tokens_per_step: float,
    layout_gpus: float,
    arithmetic_flops: float,
    kernel_time: float,
) -> float:
    """Share of peak that kernels reach where only matrix products are counted [share]."""
    return kernel_flops_per_token * tokens_per_step / (layout_gpus * arithmetic_flops * kernel_time)


KERNEL_TIME = formulas_of(globals())

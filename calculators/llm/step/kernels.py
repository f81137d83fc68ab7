"""Time that a GPU of the fullest stage computes in a step: its micro-batches, and the optimizer."""

from calculators.declare import formulas_of, record, step
from calculators.llm.step.micro_batch import MicroBatch

_OPTIMIZER_BYTES = 28  # read and written for a parameter: weight, gradient, two moments, master copy


@record("Micro-batch on the fullest stage by kind of work")
def stage_work(
    micro_batch_times: MicroBatch, layers: float, stage_layers: float, pipeline_parallel: float
) -> MicroBatch:
    """Seconds of one micro-batch on the fullest stage, by kind of work.

    That is the stage with most layers, or an even share of layers and output layer where that is longer: frameworks
    give the stage of the output layer fewer layers.

    >>> times = MicroBatch(8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0)
    >>> [sum(stage_work(times, *stage)) for stage in ((4, 4, 1), (4, 1, 4), (5, 2, 4))]
    [10.0, 2.5, 3.2]
    """
    even = (micro_batch_times.layers + micro_batch_times.logits) / pipeline_parallel
    if micro_batch_times.layers * stage_layers / layers > even:
        share = stage_layers / layers
        return MicroBatch._make((*(each * share for each in micro_batch_times[:-1]), 0.0))
    return MicroBatch._make(each / pipeline_parallel for each in micro_batch_times)


@step("s", "Micro-batch on the fullest stage")
def stage_time(stage_work: MicroBatch) -> float:
    """Compute time of one micro-batch on the fullest stage [s]."""
    return sum(stage_work)


@step("s", "Optimizer per step")
def optimizer_time(
    exchanged_parameters: float, data_parallel: float, context_parallel: float, memory_bandwidth: float
) -> float:
    """Time of the optimizer's pass over its shard of the states [s].

    >>> optimizer_time(1e9, 10, 1, 2.8e12)
    0.001
    """
    return exchanged_parameters * _OPTIMIZER_BYTES / (data_parallel * context_parallel) / memory_bandwidth


@step("s", "Time in kernels per step")
def kernel_time(stage_time: float, micro_batches: float, optimizer_time: float) -> float:
    """Compute time of a step on the fullest stage [s], without waiting for others."""
    return stage_time * micro_batches + optimizer_time


@step("share", "Kernel utilization of this layout")
def kernel_utilization(
    active_parameters: float,
    tokens_per_step: float,
    layout_gpus: float,
    arithmetic_flops: float,
    kernel_time: float,
    recompute: str,
) -> float:
    """Share of peak that kernels reach where only parameters are counted: 6 FLOPs each, 8 with full recomputation."""
    flops = (8 if recompute == "full" else 6) * active_parameters * tokens_per_step
    return flops / (layout_gpus * arithmetic_flops * kernel_time)


KERNEL_TIME = formulas_of(globals())

"""Memory of one GPU: tensors, overhead, the range that published runs give, and what is left or missing."""

from calculators import facts
from calculators.declare import formulas_of, step

_LEAST: float = facts.fact("training-memory-range.least").value
_MOST: float = facts.fact("training-memory-range.most").value


@step("B", "Tensor memory", binary=True)
def tensor_memory(
    model_state_memory: float,
    activation_memory: float,
    logit_memory: float,
    working_memory: float,
    companion_memory: float,
) -> float:
    """Peak allocated tensor memory on one GPU [B], without allocator, system overhead and a rollout engine."""
    return model_state_memory + activation_memory + logit_memory + working_memory + companion_memory


@step("B", "Fragmentation and overhead", binary=True, source="gmlake")
def reserved_memory(
    tensor_memory: float, fragmentation: float, training_overhead: float, working_memory: float
) -> float:
    """Memory besides the model and its batch [B]: fragmentation, overhead and temporary buffers."""
    return training_overhead + fragmentation * tensor_memory + working_memory


@step(
    "B",
    "Memory per GPU",
    binary=True,
    rises_with=("micro_batch", "sequence_length", "training_overhead", "fragmentation"),
)
def training_memory(
    weight_memory: float,
    gradient_memory: float,
    optimizer_memory: float,
    activation_memory: float,
    logit_memory: float,
    reserved_memory: float,
    companion_memory: float,
    engine_memory: float,
) -> float:
    """Memory that training needs on one GPU of the fullest pipeline stage [B]."""
    states = weight_memory + gradient_memory + optimizer_memory
    return states + activation_memory + logit_memory + reserved_memory + companion_memory + engine_memory


@step("B", "Memory per GPU, low end", binary=True)
def training_memory_low(training_memory: float) -> float:
    """Memory of one GPU at the low end of the range [B]: nine of ten published runs needed more.

    >>> training_memory_low(100)
    87.0
    """
    return training_memory * _LEAST


@step("B", "Memory per GPU, high end", binary=True)
def training_memory_high(training_memory: float) -> float:
    """Memory of one GPU at the high end of the range [B]: nine of ten published runs needed less."""
    return training_memory * _MOST


@step("B", "Memory headroom", binary=True, rises_with=("gpu_memory",))
def headroom(gpu_memory: float, training_memory: float) -> float:
    """Free memory on the fullest GPU [B]; negative if it does not fit."""
    return gpu_memory - training_memory


@step("B", "Memory missing", binary=True)
def shortfall(training_memory: float, gpu_memory: float) -> float:
    """Memory missing on the fullest GPU [B]; 0 if it fits."""
    return max(0, training_memory - gpu_memory)


FORMULAS = formulas_of(globals())

"""Memory of one GPU: tensors, overhead, and what is left or missing."""

from calculators.declare import formulas_of, step


@step("B", "Tensor memory", binary=True)
def tensor_memory(
    model_state_memory: float,
    activation_memory: float,
    logit_memory: float,
    gathered_memory: float,
    recomputed_memory: float,
) -> float:
    """Peak allocated tensor memory on one GPU [B], without allocator and system overhead."""
    return model_state_memory + activation_memory + logit_memory + gathered_memory + recomputed_memory


@step("B", "Fragmentation and overhead", binary=True, source="gmlake")
def reserved_memory(
    tensor_memory: float,
    fragmentation: float,
    training_overhead: float,
    gathered_memory: float,
    recomputed_memory: float,
) -> float:
    """Memory besides the model and its batch [B]: fragmentation, overhead and temporary buffers."""
    return training_overhead + fragmentation * tensor_memory + gathered_memory + recomputed_memory


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
) -> float:
    """Memory that training needs on one GPU of the fullest pipeline stage [B]."""
    return weight_memory + gradient_memory + optimizer_memory + activation_memory + logit_memory + reserved_memory


@step("B", "Memory headroom", binary=True, rises_with=("gpu_memory",))
def headroom(gpu_memory: float, training_memory: float) -> float:
    """Free memory on the fullest GPU [B]; negative if it does not fit."""
    return gpu_memory - training_memory


@step("B", "Memory missing", binary=True)
def shortfall(training_memory: float, gpu_memory: float) -> float:
    """Memory missing on the fullest GPU [B]; 0 if it fits."""
    return max(0, training_memory - gpu_memory)


FORMULAS = formulas_of(globals())

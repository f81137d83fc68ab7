"""Offload to host memory: the inputs, what leaves each GPU, and the host memory that a node then needs."""

from typing import Any

from calculators import facts
from calculators.declare import constraint, formulas_of, quantity, step, switch, warning
from calculators.subjects.training.training_memory.states import StageParameters
from calculators.vocabulary.recipes import Recompute

OFFLOAD = "offload"
_BUFFERS: float = facts.fact("offload-buffers").value
_SLOWER = facts.fact("offload-slowdown")
_HOST_GRADIENT = 4  # bytes: the optimizer on the host steps in fp32
_WEIGHTS_SHARDED = 3  # ZeRO's stage


def _share(label: str, about: str) -> Any:
    return quantity(0, "share", label, hard=(0, 1), slider=(0, 1), help=about, group=OFFLOAD)


def optimizer_offload() -> Any:
    """Share of master weights and moments in host memory."""
    return _share(
        "Optimizer offload fraction",
        "Megatron Core's `--optimizer-offload-fraction`; 100% is DeepSpeed's `offload_optimizer`.",
    )


def gradient_offload() -> Any:
    """Whether gradients follow the optimizer to host memory."""
    return switch(
        default=False,
        label="Offload gradients",
        help="With the optimizer, as DeepSpeed does. Megatron Core keeps them on the GPU.",
        group=OFFLOAD,
    )


def parameter_offload() -> Any:
    """Whether sharded weights wait in host memory."""
    return switch(
        default=False,
        label="Offload weights",
        help="Sharded weights wait in host memory: DeepSpeed's `offload_param`, FSDP's CPUOffload. Needs ZeRO stage 3.",
        group=OFFLOAD,
    )


def activation_offload() -> Any:
    """Share of activations in host memory."""
    return _share(
        "Activation offload fraction",
        "Megatron Core's `--cpu-offloading-num-layers` over all layers; torchtune's `enable_activation_offloading` is "
        "100%.",
    )


@step("share", "Offloaded share of gradients")
def offloaded_gradients(optimizer_offload: float, gradient_offload: bool) -> float:  # noqa: FBT001
    """Share of gradients that leave the GPU with the optimizer [share]."""
    return optimizer_offload if gradient_offload else 0


@step("B", "Optimizer state in host memory, per GPU", binary=True, source="deepspeed-memory")
def host_optimizer_memory(
    optimizer_offload: float,
    master_bytes: float,
    optimizer_bytes: float,
    trainable_share: float,
    zero_stage: int,
    held_parameters: StageParameters,
) -> float:
    """Offloaded master weights, moments and their fp32 gradients of one GPU [B]; sharded from ZeRO stage 1 on.

    >>> host_optimizer_memory(0.5, 4, 8, 1, 1, StageParameters(8e9, 1e9))
    8000000000.0
    """
    kept = held_parameters.sharded if zero_stage >= 1 else held_parameters.whole
    return optimizer_offload * trainable_share * (master_bytes + optimizer_bytes + _HOST_GRADIENT) * kept


@step("B", "Offloaded per GPU", binary=True)
def offloaded_memory(
    host_optimizer_memory: float,
    parameter_offload: bool,  # noqa: FBT001  an input of the graph
    kept_weight_bytes: float,
    held_parameters: StageParameters,
    activation_offload: float,
    activations_in_flight: float,
) -> float:
    """Bytes that one GPU moves to host memory [B]: optimizer state with fp32 gradients, weights, activations.

    >>> offloaded_memory(16e9, True, 2, StageParameters(8e9, 1e9), 0, 5e9)
    18000000000.0
    """
    weights = kept_weight_bytes * held_parameters.sharded if parameter_offload else 0
    return host_optimizer_memory + weights + activation_offload * activations_in_flight


@step("B", "Host memory needed per node", binary=True, source="deepspeed-memory")
def host_memory_needed(offloaded_memory: float, gpus_per_node: float, layout_gpus: float) -> float:
    """Host memory of one node for what its GPUs offload [B], half as much again for buffers.

    DeepSpeed, 2,851M parameters on 8 GPUs, the optimizer offloaded: 16 B each, printed as 63.72 GB (GiB).

    >>> round(host_memory_needed(16 * 2851e6 / 8, 8, 8) / 2**30, 2)
    63.72
    """
    return offloaded_memory * min(gpus_per_node, layout_gpus) * _BUFFERS


@constraint("parameter_offload", speaks="parameter_offload=yes", silent="parameter_offload=yes&zero_stage=3")
def offloaded_weights_are_sharded(parameter_offload: bool, zero_stage: int) -> str:  # noqa: FBT001
    """DeepSpeed and FSDP offload weights that are sharded."""
    if not parameter_offload or zero_stage >= _WEIGHTS_SHARDED:
        return ""
    return "DeepSpeed and FSDP offload sharded weights only: choose ZeRO stage 3"


@warning(speaks="activation_offload=50%", silent="")
def offload_needs_the_host(offloaded_memory: float) -> str:
    """Host memory that offloaded state needs."""
    if offloaded_memory == 0:
        return ""
    return "Offloading needs {host_memory_needed} of host memory per node, which has {host_memory}."


@warning(speaks="optimizer_offload=100%", silent="")
def offload_is_slow(optimizer_offload: float) -> str:
    """A step waits for the optimizer on the host."""
    if optimizer_offload == 0:
        return ""
    return (
        f"An optimizer on the host makes steps slower: {_SLOWER.low:g} to {_SLOWER.high:g} times as long for 25 to "
        "100% of it, measured by NVIDIA on Qwen3 30B-A3B."
    )


@warning(
    speaks="activation_offload=50%",
    silent="activation_offload=50%&pp=1&recompute=none",
)
def offload_excludes(activation_offload: float, pipeline_parallel: float, recompute: Recompute) -> str:
    """Megatron Core offloads activations of one stage without recomputation."""
    if activation_offload == 0 or (pipeline_parallel == 1 and recompute == "none"):
        return ""
    return "Megatron Core refuses activation offload within a pipeline or with recomputation; torchtune combines them."


OFFLOADING = formulas_of(globals())

"""A step's least time in a layout: its kernels, the bubble and exposed tensor parallelism alone."""

from collections.abc import Callable, Mapping
from typing import Any

from calculators.declare import Values
from calculators.llm.step.kernels import kernel_flops_per_token, stage_time, stage_work
from calculators.llm.step.micro_batch import MicroBatch, RankWork, micro_batch_times
from calculators.machine.fine_tuning import compute_time
from calculators.machine.wiring import dealt_micro_batches
from calculators.subjects.network.collectives.bytes import activation_slab, tensor_bytes
from calculators.subjects.network.collectives.step import (
    bubble_share,
    exposed_tensor_time,
    tensor_time,
)
from calculators.subjects.training.training_memory.states import stage_layers

_ROUNDED = 1 - 1e-9  # the same sum in another order
# What the time that a layout cannot undercut is made of, besides what layouts are made of.
_COUNTED = ("job", "active_parameters", "active_adapter_parameters")
AT_LEAST_OF = (
    *_COUNTED,
    *("arithmetic_flops", "matmul_utilization", "hidden", "block_layers", "activation_bytes", "domain_bandwidth"),
    *("nic_reached", "tensor_overlap", "step_shapes", "step_device", "flash_attention", "sequence_parallel"),
    *("balanced_stages", "recompute_modules", "gradient_bytes", "gradient_accumulation_fusion"),
    "attention_dropout",
)


def least_times(values: Mapping[str, Any]) -> Callable[[tuple[Any, ...]], float]:
    """Function that gives the time for a token [s] that a layout cannot undercut, by the layout's degrees.

    A micro-batch takes as long however many there are, on however many replicas and virtual stages: it is timed once.
    """
    given = values.given if isinstance(values, Values) else frozenset()
    length, batch = values["sequence_length"], values["batch_tokens"]
    own_micro_batches = values["micro_batches"] if "micro_batches" in given else None
    micro_batch_of = _micro_batch_times(values, given)
    known: dict[tuple[Any, ...], tuple[float, float]] = {}
    dealt, bubble = dealt_micro_batches.function, bubble_share.function  # called directly, 10,000 times in a search

    def least(key: tuple[Any, ...]) -> float:
        tensor, stages, context, expert, interleave, replicas, micro_batch, recompute, _ = key
        alike = (tensor, stages, context, expert, micro_batch, recompute)
        times = known.get(alike)
        if times is None:
            times = known[alike] = micro_batch_of(*alike)
        micro_batches = own_micro_batches or dealt(batch, micro_batch, length, replicas, interleave, stages)
        time = times[0] * (1 + bubble(stages, micro_batches, interleave)) + times[1]
        return float(time / (micro_batch * length * replicas) * _ROUNDED)

    return least


def _micro_batch_times(values: Mapping[str, Any], given: frozenset[str]) -> Callable[..., tuple[float, float]]:
    """Function that gives a micro-batch's time in kernels and its exposed tensor parallelism [s]."""
    length, layers, balanced = values["sequence_length"], values["layers"], values["balanced_stages"]
    known: dict[tuple[Any, ...], MicroBatch] = {}

    def computing(
        tensor: float, stages: float, context: float, expert: float, micro_batch: float, recompute: Any
    ) -> float:
        if "matmul_utilization" in given:
            job, active, adapters = (values[name] for name in _COUNTED)
            return compute_time(
                kernel_flops_per_token(job, active, adapters, recompute),
                micro_batch * length,
                tensor * stages * context,
                values["arithmetic_flops"],
                values["matmul_utilization"],
            )
        own = values["expert_tensor_parallel"] if "expert_tensor_parallel" in given else tensor
        work = RankWork(
            tokens=micro_batch * length / context,
            sequence=length,
            tensor_ranks=tensor,
            expert_ranks=expert,
            expert_tensor_ranks=own,
            recompute=recompute,
            modules=values["recompute_modules"],
            fused_attention=values["flash_attention"],
            sequence_parallel=values["sequence_parallel"],
            added_bytes=0 if values["gradient_accumulation_fusion"] else values["gradient_bytes"],
            dropout=values["attention_dropout"] > 0,
        )
        if work not in known:
            known[work] = micro_batch_times(values["step_shapes"], values["step_device"], work)
        return stage_time(stage_work(known[work], layers, stage_layers(layers, stages), stages, balanced))

    def times(
        tensor: float, stages: float, context: float, expert: float, micro_batch: float, recompute: Any
    ) -> tuple[float, float]:
        slab = activation_slab(micro_batch, length, context, values["hidden"], values["activation_bytes"])
        sent = tensor_bytes(slab, layers, values["block_layers"], stages, 1, tensor, recompute)
        there = tensor_time(sent, tensor, values["gpus_per_domain"], values["domain_bandwidth"], values["nic_reached"])
        exposed = exposed_tensor_time(there, values["tensor_overlap"])
        return computing(tensor, stages, context, expert, micro_batch, recompute), exposed

    return times

"""Small jobs of which every layout can be tried: what the tests of a machine share."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

from calculators.machine.description import machine
from calculators.units import GIB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calculators.declare import Values


def job(seed: int) -> Values:
    """A job by chance, small enough to try all of its layouts, in which memory binds about as often as not."""
    chance = random.Random(seed)  # noqa: S311  a seed that names a job, no secret
    heads = chance.choice([4, 6, 8])
    given: dict[str, Any] = {
        "layers": float(chance.choice([2, 3, 4, 6])),
        "hidden": float(heads * 256),
        "heads": float(heads),
        "kv_heads": float(chance.choice([2, heads])),
        "experts": float(chance.choice([1, 1, 4])),
        "sequence_length": float(chance.choice([4096, 16384])),
        "gpus": float(chance.choice([4, 6, 8, 16])),
        "gpus_per_domain": float(chance.choice([2, 8])),
        "batch_tokens": float(chance.choice([2**16, 2**18])),
        "gpu_memory": chance.choice([3, 6, 20]) * GIB,
        "nic_bandwidth": chance.choice([5e9, 25e9]),
        "training_overhead": 1.0 * GIB,
    }
    return machine().evaluate(given)


def every_layout(values: Values) -> Iterator[dict[str, Any]]:
    """Each combination of degrees that the rules allow, by trying all numbers, on any number of the GPUs."""
    degrees = range(1, int(values["gpus"]) + 1)
    batches = [2**power for power in range(12)]
    rest = list(itertools.product(batches, (1, 2, 3, 4), range(1, 9), ("none", "selective", "full"), (1, 2, 3)))
    for split in itertools.product(degrees, repeat=4):
        if not _accepted(values, *split):
            continue
        for way in rest:
            if _accepted_way(values, split, *way):
                tensor, stages, context, replicas = map(float, split)
                micro_batch, expert, groups, recompute, shared = way
                yield {
                    "tensor_parallel": tensor,
                    "pipeline_parallel": stages,
                    "context_parallel": context,
                    "expert_parallel": float(expert),
                    "interleave": float(groups),
                    "data_parallel": replicas,
                    "micro_batch": float(micro_batch),
                    "recompute": recompute,
                    "zero_stage": shared,
                }


def _accepted(values: Values, tensor: int, stages: int, context: int, replicas: int) -> bool:
    gpus, layers, heads, kv_heads = (int(values[name]) for name in ("gpus", "layers", "heads", "kv_heads"))
    shares_heads = not heads % tensor and (not kv_heads % tensor or not tensor % kv_heads)
    shares_tokens = context == 1 or (not context & (context - 1) and values["sequence_length"] >= 4096 * context)
    return (
        tensor * stages * context * replicas <= gpus
        and not values["gpus_per_domain"] % tensor
        and shares_heads
        and stages <= layers
        and (-layers % stages <= 2 or stages in {2, 4, 8, 16})
        and shares_tokens
    )


def _accepted_way(
    values: Values, split: tuple[int, ...], micro_batch: int, expert: int, groups: int, _recompute: str, shared: int
) -> bool:
    layers, (tensor, stages, context, replicas) = int(values["layers"]), split
    even = [n for n in range(2, -(-layers // stages) + 1) if -layers % (stages * n) <= 2]
    explicit = [n for n in (2, 4, 8) if n * stages <= layers][-1:]
    interleaves = stages > 1 and groups in (even or explicit)
    each = values["batch_tokens"] / values["sequence_length"] / replicas
    micro_batches = int(each / micro_batch)
    micro_batches -= micro_batches % stages if groups > 1 else 0
    dealt = micro_batches * micro_batch
    experts = int(values["experts"])
    tokens = micro_batch * values["sequence_length"]
    return (
        0 < dealt <= each <= dealt / 0.9
        and tokens <= max(65_536, values["sequence_length"])
        and expert == experts  # four of them or one; published runs have eight ranks at least
        and not (tensor * replicas * context) % (expert * tensor)
        and (groups == 1 or interleaves)
        and (stages == 1 or shared < 3)
    )

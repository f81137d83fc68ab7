"""For training memory: changes that may make it fit."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from calculators import facts

GPUS_PER_NODE = facts.fact("gpus-per-node").value
DOUBLINGS = (2, 4, 8, 16)
TIMES = {2: "Twice", 4: "Four times", 8: "Eight times", 16: "Sixteen times"}
DEGREES = ("pipeline_parallel", "data_parallel", "context_parallel", "expert_parallel")
MOST_RANKS = 10_000
_TAKE_GPUS = ("tensor_parallel", "pipeline_parallel", "data_parallel", "context_parallel")


def recommendations(values: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Changes that may make it fit, cheapest first: free ones, communication, recomputation, more GPUs.

    GPUs that were given and that no framework starts on become those of whole replicas.
    """
    yield from _whole_replicas(values)
    if values["headroom"] >= 0:
        return
    tried: list[Mapping[str, Any]] = [{}]
    for label, proposed in (*_candidates(values), *_on_more_gpus(values)):
        changes = {name: value for name, value in proposed.items() if value != values[name]}
        if changes not in tried and all(changes.get(name, 1) <= MOST_RANKS for name in DEGREES):
            tried.append(changes)
            yield label, changes


def _whole_replicas(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if values["gpus"] > values["layout_gpus"]:
        yield "The GPUs of the layout alone", {"gpus": values["layout_gpus"]}
        replicas = values["data_parallel"] + 1
        more = values["layout_gpus"] / values["data_parallel"] * replicas
        yield "GPUs for one replica more", {"gpus": more, "data_parallel": replicas}


def _on_more_gpus(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Layouts of more GPUs than were given, with those that they take: without given ones they follow by default."""
    for label, proposed in _candidates(values) if "gpus" in getattr(values, "given", ()) else ():
        layout = {name: proposed.get(name, values[name]) for name in _TAKE_GPUS}
        takes = math.prod(layout.values())
        if takes > values["gpus"]:
            yield f"{label}, on {takes:,.0f} GPUs", {**proposed, **layout, "gpus": takes}


def _candidates(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from _nearly_free(values)
    yield from _sharding(values)
    if values["recompute"] != "full":
        yield "Recompute every layer", {"recompute": "full"}
    yield from _wider(values)
    if values["optimizer_offload"] < 1:
        offloaded = {"optimizer_offload": 1, "zero_stage": max(1, values["zero_stage"])}
        yield "Offload the optimizer to host memory", offloaded
        yield "Offload the optimizer and recompute every layer", {**offloaded, "recompute": "full"}
    most = {"recompute": "full", "zero_stage": max(1, values["zero_stage"]), "micro_batch": 1, "flash_attention": True}
    for factor in DOUBLINGS:
        more = {"pipeline_parallel": values["pipeline_parallel"] * factor}
        yield (
            f"{TIMES[factor]} the pipeline stages, one sequence at a time, recompute every layer",
            {**most, **more},
        )
    for factor in DOUBLINGS:
        more = {"data_parallel": values["data_parallel"] * factor, "zero_stage": 3}
        yield (
            f"{TIMES[factor]} the data-parallel ranks, ZeRO stage 3, one sequence at a time, recompute every layer",
            {**most, **more},
        )


def _nearly_free(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not values["flash_attention"]:
        yield "Use flash attention", {"flash_attention": True}
    if not values["sequence_parallel"] and values["tensor_parallel"] > 1:
        yield "Turn on sequence parallelism", {"sequence_parallel": True}
    if values["recompute"] == "none" and not values["flash_attention"]:
        yield "Recompute the attention scores", {"recompute": "selective"}
    if values["zero_stage"] == 0:
        yield "Shard the optimizer (ZeRO stage 1)", {"zero_stage": 1}
    if values["micro_batch"] > 1:
        yield "Halve the micro-batch", {"micro_batch": values["micro_batch"] // 2}
        yield "Micro-batches of one sequence", {"micro_batch": 1}


def _sharding(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for stage, what in ((2, "the gradients"), (3, "the weights")):
        if values["zero_stage"] < stage:
            yield f"Shard {what} too (ZeRO stage {stage})", {"zero_stage": stage}
    if values["experts"] > 1:
        if values["expert_tensor_parallel"] > 1:
            wider = values["expert_parallel"] * values["expert_tensor_parallel"]
            yield "Whole experts, over as many ranks", {"expert_tensor_parallel": 1, "expert_parallel": wider}
        for factor in DOUBLINGS:
            yield f"{TIMES[factor]} the expert-parallel ranks", {"expert_parallel": values["expert_parallel"] * factor}


def _wider(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """More ranks per replica and fewer replicas, on the same GPUs."""
    degrees = {"tensor_parallel": "tensor-parallel ranks", "pipeline_parallel": "pipeline stages"}
    degrees["context_parallel"] = "context-parallel ranks"
    for factor in DOUBLINGS[:2]:
        if values["data_parallel"] % factor:
            return
        fewer = values["data_parallel"] // factor
        for name, what in degrees.items():
            wider = values[name] * factor
            if name != "tensor_parallel" or wider <= GPUS_PER_NODE:
                yield f"{TIMES[factor]} the {what}, on the same GPUs", {name: wider, "data_parallel": fewer}
    if values["recompute"] != "full":
        for name, what in degrees.items():
            if name != "tensor_parallel" or 2 * values[name] <= GPUS_PER_NODE:
                yield f"Twice the {what}, recompute every layer", {name: 2 * values[name], "recompute": "full"}

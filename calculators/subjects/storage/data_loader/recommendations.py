"""What may feed starved GPUs: more workers, more reads in flight, a cache that keeps or is shared, a wider port."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.subjects.storage.data_loader.verdicts import SPARE_FROM


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that may turn the verdict, the cheapest first; none where GPUs are fed."""
    if values["fed"].level == "good":
        return
    needed = SPARE_FROM * values["gpu_rate"]
    changes: dict[str, Any] = {}
    workers = max(values["loader_workers"], _count(needed * values["decode_time"]))
    reads = max(values["reads_in_flight"], _count(needed * values["read_time"]))
    if workers > values["loader_workers"]:
        changes["loader_workers"] = workers
        yield "Start {loader_workers} workers for each GPU", dict(changes)
    if reads > values["reads_in_flight"]:
        yield "Keep {reads_in_flight} reads in flight for each GPU", {"reads_in_flight": reads}
        changes["reads_in_flight"] = reads
        if len(changes) > 1:
            yield "Start {loader_workers} workers and keep {reads_in_flight} reads in flight", dict(changes)
    cached = values["epochs"] > 1 and values["cache_share"] > 0
    if values["cache_policy"] == "lru" and cached:
        yield "Keep a fixed part in the cache", {**changes, "cache_policy": "kept"}
    if values["cache_scope"] == "alone" and values["gpu_nodes"] > 1 and cached:
        yield "Let nodes share their caches", {**changes, "cache_scope": "shared"}
    if values["epochs"] > 1 and values["cache_share"] < 1:
        room = values["dataset_bytes"] / (values["gpu_nodes"] if values["cache_scope"] == "shared" else 1)
        yield (
            "Hold all of it in caches of {cache_per_node} a node",
            {
                **changes,
                "cache_per_node": units.rounded_up(room, "B"),
            },
        )
    wider = needed * values["sample_bytes"] * values["gpus_at_work"]
    if wider > values["node_read_bandwidth"]:
        wide = {**changes, "node_read_bandwidth": units.rounded_up(wider, "B/s")}
        yield "Give each node {node_read_bandwidth}", wide


def _count(number: float) -> float:
    return float(-(-number // 1))

"""Recommendations: more workers, more outstanding reads, a cache without eviction or shared, a faster port."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.subjects.storage.data_loader.verdicts import SPARE_FROM


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that may improve the verdict, the cheapest first; none if it is good."""
    if values["fed"].level == "good":
        return
    needed = SPARE_FROM * values["gpu_rate"]
    changes: dict[str, Any] = {}
    workers = max(values["loader_workers"], _count(needed * values["decode_time"]))
    reads = max(values["reads_in_flight"], _count(needed * values["read_time"]))
    if workers > values["loader_workers"]:
        changes["loader_workers"] = workers
        yield "Use {loader_workers} workers per GPU", dict(changes)
    if reads > values["reads_in_flight"]:
        yield "Use {reads_in_flight} outstanding reads per GPU", {"reads_in_flight": reads}
        changes["reads_in_flight"] = reads
        if len(changes) > 1:
            yield "Use {loader_workers} workers and {reads_in_flight} outstanding reads per GPU", dict(changes)
    cached = values["epochs"] > 1 and values["cache_share"] > 0
    if values["cache_policy"] == "lru" and cached:
        yield "Cache a fixed part, without eviction", {**changes, "cache_policy": "kept"}
    if values["cache_scope"] == "alone" and values["gpu_nodes"] > 1 and cached:
        yield "Share the caches among nodes", {**changes, "cache_scope": "shared"}
    if values["epochs"] > 1 and values["cache_share"] < 1:
        room = values["dataset_bytes"] / (values["gpu_nodes"] if values["cache_scope"] == "shared" else 1)
        yield (
            "Cache the whole data set, {cache_per_node} per node",
            {
                **changes,
                "cache_per_node": units.rounded_up(room, "B"),
            },
        )
    wider = needed * values["sample_bytes"] * values["gpus_at_work"]
    if wider > values["node_read_bandwidth"]:
        wide = {**changes, "node_read_bandwidth": units.rounded_up(wider, "B/s")}
        yield "Give each node {node_read_bandwidth} of read bandwidth", wide


def _count(number: float) -> float:
    return float(-(-number // 1))

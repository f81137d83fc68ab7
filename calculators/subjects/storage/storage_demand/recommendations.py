"""Recommendations: packing, longer time limits, broadcast and local checkpoints for fewer nodes or a better verdict."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from calculators import units
from calculators.subjects.storage.storage_demand.verdicts import HALF

_KEPT = ("fewest_nodes", "storage_nodes_for_capacity", "storage_nodes_for_endurance")


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that may improve a bad verdict, the cheapest first; none if every verdict is good."""
    if all(values[name].level == "good" for name in ("binding", "network_carries", "burst_ends", "drives_last")):
        return
    changes: dict[str, Any] = {}
    labels: list[str] = []
    for label, change in _single_changes(values):
        labels.append(label)
        changes |= change
        yield label, change
    if len(labels) > 1:
        yield " and ".join([labels[0], *(label[0].lower() + label[1:] for label in labels[1:])]), changes
    if values["storage_nodes"] < values["nodes_needed"]:
        yield "Buy {storage_nodes}", {"storage_nodes": float(values["nodes_needed"])}


def _single_changes(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    kept = ceil(max(values[name] for name in _KEPT))
    if values["storage_nodes_for_metadata"] > kept:
        yield "Pack samples into shards", {"files_per_sample": 0.0}
    if values["weights_replicas"] > 1 and values["storage_nodes_for_read"] > kept:
        yield "Read weights once and broadcast them", {"weights_replicas": 1.0}
    if values["restore_copies"] > 1 and values["storage_nodes_for_read"] > kept:
        yield "Read one replica in a restore and broadcast it", {"restore_copies": 1.0}
    if values["storage_nodes_for_requests"] > kept:
        needed = values["training_read"] / (kept * values["node_iops"])
        yield "Read in requests of {read_size}", {"read_size": units.rounded_up(needed, "B")}
    window = values["write_window"]
    if values["storage_nodes_for_write"] > kept:
        window = units.rounded_up(values["checkpoint_size"] / (kept * values["storage_node_write"]), "s")
        yield "Allow {write_window} for the write", {"write_window": window}
    if window > values["durable_interval"] * HALF:
        longer = units.rounded_up(window / HALF / values["persist_every"], "s")
        yield "Checkpoint every {checkpoint_interval}", {"checkpoint_interval": longer}
    interval = values["local_interval"]
    if interval:
        worn = interval * values["drive_warranty"] / values["local_drive_life"]
        longer = units.rounded_up(max(worn, values["local_write_time"]), "s")
        if longer > interval:
            yield "Checkpoint locally every {local_interval}", {"local_interval": longer}

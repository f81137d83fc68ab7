"""What the reader may set of a job and of the store that feeds it; base units (bytes, seconds, bytes per second)."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import computed, not_applicable, quantity
from calculators.units import DAY, MINUTE, YEAR
from calculators.vocabulary.accelerators import gpus
from calculators.vocabulary.groups import KEEP, MACHINE, SAVE
from calculators.vocabulary.nodes import gpus_per_node
from calculators.vocabulary.storage import (
    DATA,
    NEAR,
    cache_hit_share,
    checkpoint_interval,
    cold_checkpoints,
    copies_per_shard,
    hot_checkpoints,
    local_write,
    of_workload,
    persist_every,
    sample_bytes,
    samples_per_second,
    warm_checkpoints,
    write_window,
)

LOAD, PROTECT, NODE, DRIVE, CACHES = "load", "protect", "node", "drive", "caches"
TEXT = "workload-text-405b"
GROUPS = {
    DATA: "What training reads",
    SAVE: "The save",
    LOAD: "Restoring, and loading weights",
    CACHES: "Caches of a serving fleet",
    KEEP: "What is kept",
    PROTECT: "Protection",
    NODE: "A node of the store",
    DRIVE: "Its drives",
    NEAR: "Saves on the GPU nodes' own drives",
    MACHINE: "The job",
}
_BIGGEST, _FASTEST = 1e21, 1e15


def _text(field: str) -> facts.Fact:
    return of_workload(field, TEXT)


def _node(field: str) -> facts.Fact:
    return facts.fact(f"store-sixteen-drives.{field}")


def _drive(field: str) -> facts.Fact:
    return facts.fact(f"drive-d7-ps1010.{field}")


def _rate(otherwise: Any, label: str, slider: tuple[float, float], *, group: str, about: str = "") -> Any:
    return quantity(otherwise, "B/s", label, hard=(1e3, _FASTEST), slider=slider, scale="log", help=about, group=group)


def _rate_or_none(label: str, *, about: str) -> Any:
    return quantity(0, "B/s", label, hard=(0, _FASTEST), slider=(0, 100e9), help=about, group=CACHES)


def _bytes(otherwise: Any, label: str, slider: tuple[float, float], *, group: str, about: str = "") -> Any:
    hard = (0, _BIGGEST)
    return quantity(otherwise, "B", label, hard=hard, slider=slider, scale="log", help=about, group=group)


def _time(
    otherwise: Any, label: str, hard: tuple[float, float], slider: tuple[float, float], *, group: str, about: str = ""
) -> Any:
    return quantity(otherwise, "s", label, hard=hard, slider=slider, scale="log", help=about, group=group)


_LLAMA = float(facts.fact("llama-3-1-405b.parameters").value)
_STATE = float(facts.fact("ckpt-bf16-master-adam").value)
_WEIGHTS = float(facts.fact("ckpt-weights-bf16").value)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What the reader may set."""

    gpus: float = gpus(16384)
    gpus_per_node: float = gpus_per_node()
    samples_per_second: float = samples_per_second(_text("samples_per_second"))
    sample_bytes: float = sample_bytes(_text("sample_bytes"))
    cache_hit_share: float = cache_hit_share(0)
    read_size: float = quantity(
        2.0**20,
        "B",
        "Size of a read request",
        hard=(512, 2.0**30),
        slider=(4096, 16 * 2.0**20),
        scale="log",
        doubling=True,
        binary=True,
        help="What the loader asks for at a time.",
        group=DATA,
    )
    files_per_sample: float = quantity(
        _text("files_per_sample"),
        "1",
        "Files opened for a sample",
        hard=(0, 1),
        help="0 for samples packed into large shards, 1 for a file a sample.",
        group=DATA,
    )
    operations_per_file: float = quantity(
        3,
        "operation",
        "Metadata operations for a file",
        hard=(1, 100),
        slider=(1, 10),
        help="Open, read attributes, close.",
        group=DATA,
    )
    checkpoint_size: float = _bytes(
        _LLAMA * _STATE, "Checkpoint size", (1e10, 1e14), group=SAVE, about="405B parameters of 14 bytes are 5.68 TB."
    )
    checkpoint_interval: float = checkpoint_interval(
        facts.fact("checkpoint-interval-typical"), shortest=MINUTE, about="Near saves among them, where there are any."
    )
    persist_every: float = persist_every(1)
    effective_interval: float = _time(
        computed("spaced_interval", "as set, or the write where longer"),
        "Effective interval",
        (1e-3, 365 * DAY),
        (MINUTE, 6 * 60 * MINUTE),
        group=SAVE,
        about="One save at a time: the next begins when the last is safe.",
    )
    write_window: float = write_window()
    writer_nodes: float = quantity(
        computed("gpu_nodes", "all of them"),
        "node",
        "GPU nodes that write a save",
        hard=(1, 10e6),
        slider=(1, 16384),
        scale="log",
        whole=True,
        help="Those that hold the state to be written: of one replica, or all when replicas share the write.",
        group=SAVE,
    )
    restore_copies: float = quantity(
        1,
        "1",
        "Copies read in a restore",
        hard=(1, 10e6),
        slider=(1, 1024),
        scale="log",
        whole=True,
        help="1 when replicas pass the state on among themselves, their number when each reads its own.",
        group=LOAD,
    )
    restore_window: float = _time(2 * MINUTE, "Time allowed for a restore", (0.1, DAY), (10, 60 * MINUTE), group=LOAD)
    weights_size: float = _bytes(
        _LLAMA * _WEIGHTS, "Weights that serve", (1e9, 1e13), group=LOAD, about="One copy as inference loads it."
    )
    weights_replicas: float = quantity(
        0,
        "replica",
        "Copies that start at once",
        hard=(0, 1e6),
        slider=(0, 2000),
        whole=True,
        help="Inference copies that load the weights together, after a rollout or an outage.",
        group=LOAD,
    )
    load_window: float = _time(MINUTE, "Time allowed to load weights", (0.1, DAY), (5, 60 * MINUTE), group=LOAD)
    broadcast_bandwidth: float = _rate(
        facts.fact("broadcast-bandwidth"),
        "Rate of passing weights on",
        (1e9, 800e9),
        group=LOAD,
        about="From node to node, when one copy is read and passed on.",
    )
    kv_read: float = _rate_or_none(
        "Caches read from shared storage",
        about="Kept caches of conversations, read all day: what Inference gives for a tier on shared storage.",
    )
    kv_written: float = _rate_or_none(
        "Caches written to shared storage", about="New caches that are kept; they wear the drives as well."
    )
    kv_kept: float = quantity(
        0,
        "B",
        "Caches kept on shared storage",
        hard=(0, _BIGGEST),
        slider=(0, 1e15),
        help="On the hot tier: of all sessions that may come back.",
        group=CACHES,
    )
    prepared_data: float = _bytes(
        _text("prepared_data"), "Data as training reads it", (1e10, 1e17), group=KEEP, about="On the hot tier."
    )
    raw_data: float = _bytes(
        _text("raw_data"), "Raw data", (1e10, 1e18), group=KEEP, about="In object storage, before it is prepared."
    )
    hot_checkpoints: float = hot_checkpoints()
    warm_checkpoints: float = warm_checkpoints()
    cold_checkpoints: float = cold_checkpoints(10)
    warm_interval: float = _time(DAY, "A warm copy every", (1, 365 * DAY), (60 * MINUTE, 14 * DAY), group=KEEP)
    weight_versions: float = quantity(
        4, "1", "Versions of weights kept hot", hard=(0, 1e6), slider=(0, 40), whole=True, group=KEEP
    )
    logs_per_day: float = _bytes(facts.fact("logs-a-day"), "Logs written a day", (1e9, 1e14), group=KEEP)
    log_retention: float = _time(90 * DAY, "Logs kept for", (0, 100 * YEAR), (DAY, 3 * YEAR), group=KEEP)
    growth: float = quantity(
        0, "share", "Growth a year", hard=(0, 10), slider=(0, 2), help="Of everything kept.", group=KEEP
    )
    growth_years: float = quantity(
        1, "1", "Years of growth", hard=(0, 20), slider=(0, 5), help="Until the store is enlarged.", group=KEEP
    )
    data_fragments: float = quantity(
        8,
        "1",
        "Data fragments",
        hard=(1, 256),
        slider=(1, 32),
        whole=True,
        help="A stripe is cut into so many; 1 with two of parity is three copies.",
        group=PROTECT,
    )
    parity_fragments: float = quantity(
        2,
        "1",
        "Parity fragments",
        hard=(0, 16),
        whole=True,
        help="So many fragments of a stripe may be lost.",
        group=PROTECT,
    )
    fill_share: float = quantity(
        facts.fact("usable-share"), "share", "Filled to", hard=(0.05, 1), slider=(0.5, 0.95), group=PROTECT
    )
    rebuild_share: float = quantity(
        facts.fact("rebuild-share"),
        "share",
        "Given to a rebuild",
        hard=(0.001, 1),
        slider=(0.05, 1),
        help="Of every drive's rate; the job has the rest.",
        group=PROTECT,
    )
    drive_failure_rate: float = quantity(
        facts.fact("drive-afr"),
        "share",
        "Drives that fail in a year",
        hard=(0, 1),
        slider=(0.001, 0.1),
        scale="log",
        group=PROTECT,
    )
    storage_nodes: float = quantity(
        computed("storage_nodes", "as many as all limits ask for"),
        "node",
        "Storage nodes",
        hard=(1, 1e9),
        slider=(1, 2000),
        scale="log",
        whole=True,
        help="How many there are, where that is settled.",
        group=NODE,
    )
    drives_per_node: float = quantity(
        _node("drives_per_node"), "drive", "Drives in a node", hard=(1, 1000), slider=(1, 48), whole=True, group=NODE
    )
    node_network: float = _rate(
        _node("node_network"), "Network of a node", (1e9, 400e9), group=NODE, about="All its ports, one direction."
    )
    network_port: float = _rate(_node("network_port"), "One port", (1e9, 200e9), group=NODE)
    client_network: float = _rate(
        facts.fact("client-port"), "A GPU node's storage network", (1e9, 400e9), group=NODE, about="One direction."
    )
    path_efficiency: float = quantity(
        facts.fact("path-efficiency"), "share", "Reached of line rate", hard=(0.01, 1), slider=(0.5, 0.97), group=NODE
    )
    node_iops: float = quantity(
        facts.fact("node-requests"),
        "IOPS",
        "Read requests a node serves",
        hard=(1, 1e12),
        slider=(1e4, 1e8),
        scale="log",
        group=NODE,
    )
    node_metadata_rate: float = quantity(
        facts.fact("node-metadata"),
        "IOPS",
        "Metadata operations a node serves",
        hard=(1, 1e12),
        slider=(1000, 1e6),
        scale="log",
        group=NODE,
    )
    rule_per_gpu: float = quantity(
        facts.fact("storage-read-per-gpu-heuristic").value,
        "B/s",
        "A rule of thumb for each GPU",
        hard=(1, 1e12),
        slider=(1e6, 10e9),
        scale="log",
        help="To hold the answer against. It sizes nothing.",
        group=NODE,
    )
    drive_capacity: float = quantity(
        _drive("drive_capacity"),
        "B",
        "Capacity of a drive",
        hard=(1e9, 1e16),
        slider=(1e12, 250e12),
        scale="log",
        group=DRIVE,
    )
    drive_read: float = _rate(_drive("drive_read"), "A drive reads", (0.2e9, 30e9), group=DRIVE)
    drive_write: float = _rate(
        _drive("drive_write"), "A drive writes", (0.1e9, 30e9), group=DRIVE, about="Sustained, beyond its cache."
    )
    drive_writes_per_day: float = quantity(
        _drive("drive_writes_per_day"),
        "1",
        "Drive writes a day",
        hard=(0.001, 1000),
        slider=(0.1, 10),
        scale="log",
        help="DWPD: how often a day it may be written full over its warranty.",
        group=DRIVE,
    )
    drive_warranty: float = _time(
        _drive("drive_warranty"), "Warranty of a drive", (DAY, 100 * YEAR), (30 * DAY, 10 * YEAR), group=DRIVE
    )
    near_interval: float | None = _time(
        not_applicable("none"),
        "A near save every",
        (1, 30 * DAY),
        (10, 60 * MINUTE),
        group=NEAR,
        about="Saves that stay on the GPU nodes' own drives, beside those that reach the store. "
        "Where not every save is durable the others are near: leave this.",
    )
    copies_per_shard: float = copies_per_shard()
    local_drives: float = quantity(
        8, "drive", "Local drives of a GPU node", hard=(1, 100), slider=(1, 16), whole=True, group=NEAR
    )
    local_capacity: float = quantity(
        3.84e12,
        "B",
        "Capacity of a local drive",
        hard=(1e9, 1e16),
        slider=(0.5e12, 64e12),
        scale="log",
        help="A DGX B200 has eight of 3.84 TB for data.",
        group=NEAR,
    )
    local_write: float = local_write()

"""Inputs on search nodes: processors, memory and drives, the engine's speed, building and writing."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import computed, not_applicable, quantity, switch
from calculators.units import DAY, YEAR, unit
from calculators.vocabulary.storage import (
    DRIVE,
    drive_capacity,
    drive_fact,
    drive_read,
    drive_warranty,
    drive_writes_per_day,
    fill_share,
)

NODE, ENGINE, BUILD = "search_node", "search_engine", "building"
_PER_HOUR = unit("USD/h").factor


def _speed(key: str, unit_: str, label: str, hard: tuple[float, float], slider: tuple[float, float], about: str) -> Any:
    return quantity(facts.fact(key), unit_, label, hard=hard, slider=slider, scale="log", help=about, group=ENGINE)


@dataclass(frozen=True, kw_only=True)
class Nodes:
    """One search node and its drives; base units (B, B/s, s, USD/s)."""

    search_node_cores: float = quantity(
        16,
        "1",
        "Processors per search node",
        hard=(1, 4096),
        slider=(1, 256),
        scale="log",
        whole=True,
        help="Virtual processors, as clouds count them.",
        group=NODE,
    )
    search_node_memory: float = quantity(
        128e9, "B", "Memory per search node", hard=(1e9, 1e15), slider=(8e9, 4e12), scale="log", group=NODE
    )
    search_node_memory_bandwidth: float = quantity(
        300e9,
        "B/s",
        "Memory bandwidth per node",
        hard=(1e9, 1e15),
        slider=(20e9, 1e12),
        scale="log",
        help="The default is an assumption.",
        group=NODE,
    )
    memory_fill: float = quantity(
        facts.fact("search-memory-fill"),
        "share",
        "Memory fill level",
        hard=(0.05, 1),
        slider=(0.3, 0.95),
        help="Share of a node's (or GPU's) memory that the index may take, its working memory included.",
        group=NODE,
    )
    search_drives: float = quantity(
        1, "drive", "Drives per search node", hard=(1, 100), slider=(1, 24), whole=True, group=NODE
    )
    search_node_price: float = quantity(
        facts.fact("search-node-price"),
        "USD/h",
        "Price of a search node",
        hard=(0, 1000 * _PER_HOUR),
        slider=(0, 20 * _PER_HOUR),
        help="Per node-hour. GPUs that search have the price per GPU-hour.",
        group=NODE,
    )
    drive_capacity: float = drive_capacity()
    drive_read: float = drive_read()
    drive_read_iops: float = quantity(
        drive_fact("drive_read_iops"),
        "IOPS",
        "Drive read IOPS",
        hard=(100, 1e9),
        slider=(10e3, 10e6),
        scale="log",
        help="Random reads of 4 KiB, as datasheets state them. Cloud volumes have far fewer.",
        group=DRIVE,
    )
    drive_read_latency: float = quantity(
        drive_fact("drive_read_latency"),
        "s",
        "Drive read latency",
        hard=(1e-7, 10),
        slider=(10e-6, 10e-3),
        scale="log",
        help="Of one small read on an idle drive.",
        group=DRIVE,
    )
    iops_reached: float = quantity(
        facts.fact("iops-reached"),
        "share",
        "IOPS reached, of rated",
        hard=(0.01, 1),
        slider=(0.1, 1),
        group=DRIVE,
    )
    drive_writes_per_day: float = drive_writes_per_day()
    drive_warranty: float = drive_warranty()
    fill_share: float = fill_share(DRIVE)


@dataclass(frozen=True, kw_only=True)
class Engine:
    """Speed of the search engine; base units (s, B/s)."""

    queries_in_flight: float = quantity(
        computed("typical_queries_in_flight", "4 per processor"),
        "query",
        "Searches in flight per node",
        hard=(1, 1e6),
        slider=(1, 4096),
        scale="log",
        whole=True,
        help="Threads, or asynchronous searches: a thread that waits for its reads serves no other search.",
        group=ENGINE,
    )
    engine_factor: float = _speed(
        "engine-factor",
        "1",
        "Engine cost over library",
        (0.1, 100),
        (1, 10),
        "Processor time of a database for a graph search, compared with its library. The least certain number here.",
    )
    query_overhead: float = _speed(
        "query-overhead", "s", "Overhead per query", (0, 10), (1e-4, 0.1), "Processor time besides the search itself."
    )
    fresh_share: float = quantity(
        facts.fact("fresh-share"),
        "share",
        "New neighbors per step",
        hard=(0.01, 1),
        slider=(0.05, 1),
        help="Neighbors of an expanded node whose distance is not yet known.",
        group=ENGINE,
    )
    distance_latency: float = _speed(
        "distance-latency", "s", "Fixed time per distance", (0, 1e-3), (1e-8, 1e-5), "On one core, besides its bytes."
    )
    core_bandwidth: float = _speed(
        "core-vector-bandwidth",
        "B/s",
        "Vector bandwidth of a core",
        (1e6, 1e13),
        (1e9, 50e9),
        "One distance after the other.",
    )
    code_rate: float = _speed(
        "code-scan-rate", "B/s", "Code bandwidth of a core", (1e6, 1e13), (0.1e9, 10e9), "Codes that a core compares."
    )
    reads_per_entry: float = quantity(
        facts.fact("reads-per-entry"),
        "1",
        "Reads per list entry",
        hard=(0.01, 10),
        slider=(0.5, 2),
        help="Drive reads of DiskANN per entry of its search list.",
        group=ENGINE,
    )
    latency_spread: float = quantity(
        facts.fact("latency-spread"),
        "1",
        "Spread of search times",
        hard=(0, 2),
        slider=(0, 1),
        help="Standard deviation of the logarithm: it separates p95 from the mean, and the slowest shard from one.",
        group=ENGINE,
    )
    beam_spread: float = quantity(
        facts.fact("beam-spread"),
        "1",
        "Beam exponent",
        hard=(0, 1),
        help="A round of parallel reads takes the latency of one times the beam to this power.",
        group=ENGINE,
    )


@dataclass(frozen=True, kw_only=True)
class Building:
    """Building the index and keeping it fresh; base units (s, B, shares per second)."""

    insert_cpu: float = quantity(
        facts.fact("insert-cpu-database"),
        "s",
        "Processor time per insert",
        hard=(1e-6, 100),
        slider=(1e-4, 1),
        scale="log",
        help="Measured at 768 dimensions in databases; libraries take 0.3 to 3 ms.",
        group=BUILD,
    )
    build_cores: float = quantity(
        computed("search_cores", "those of the search nodes"),
        "1",
        "Processors that build",
        hard=(1, 1e9),
        slider=(1, 10_000),
        scale="log",
        help="For all copies together; each copy inserts every vector itself.",
        group=BUILD,
    )
    build_gpus: float | None = quantity(
        not_applicable("none: processors build"),
        "GPU",
        "GPUs that build",
        hard=(1, 10_000),
        slider=(1, 64),
        whole=True,
        help="They build the graph once, for all copies.",
        group=BUILD,
    )
    gpu_build_rate: float = quantity(
        facts.fact("gpu-build-rate"),
        "vector/s",
        "Vectors a GPU indexes",
        hard=(1, 1e9),
        slider=(100, 100e3),
        scale="log",
        group=BUILD,
    )
    rebuild_space: float = quantity(
        1,
        "share",
        "Space for a rebuild",
        hard=(0, 10),
        slider=(0, 2),
        help="Of the index on drives, for a second one while the first still serves.",
        group=BUILD,
    )
    changed_share: float = quantity(
        facts.fact("index-changed-share"),
        "share",
        "Vectors changed per day",
        hard=(0, 10),
        slider=(0, 1),
        help="New, updated or deleted.",
        group=BUILD,
    )
    index_write_amplification: float = quantity(
        facts.fact("index-write-amplification"),
        "1",
        "Write amplification",
        hard=(1, 1000),
        slider=(1, 50),
        scale="log",
        help="Bytes written per byte of changed records.",
        group=BUILD,
    )
    index_rewritten: bool = switch(
        default=True,
        label="Index rewritten regularly",
        help="By full merges or rebuilds. Otherwise only changes are written.",
        group=BUILD,
    )
    rewrite_interval: float = quantity(
        7 * DAY,
        "s",
        "Interval of full rewrites",
        hard=(60, 100 * YEAR),
        slider=(3600, 365 * DAY),
        scale="log",
        help="Used if the index is rewritten regularly. Weekly: an assumption.",
        group=BUILD,
    )

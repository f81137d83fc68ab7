"""Inputs of the data loader: data, training step, workers, storage, cache and shuffle."""

from dataclasses import dataclass
from typing import Literal

from calculators import facts
from calculators.declare import choice, computed, not_applicable, quantity, switch
from calculators.vocabulary.accelerators import gpus
from calculators.vocabulary.groups import STORAGE
from calculators.vocabulary.nodes import gpus_per_node, host_memory
from calculators.vocabulary.storage import DATA, of_workload, sample_bytes

WORKERS, CACHE, SHUFFLE = "workers", "cache", "shuffle"
DEFAULT_STORE = "store-parallel"
CacheScope = Literal["alone", "shared"]
CachePolicy = Literal["kept", "lru"]


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of the data loader, in base units (B, s, B/s)."""

    sample_bytes: float = sample_bytes(of_workload("sample_bytes"))
    dataset_samples: float = quantity(
        of_workload("dataset_samples"),
        "sample",
        "Samples in the data set",
        hard=(1, 1e15),
        slider=(1e3, 1e10),
        scale="log",
        whole=True,
        group=DATA,
    )
    epochs: float = quantity(
        5,
        "1",
        "Epochs",
        hard=(1, 1e5),
        slider=(1, 100),
        whole=True,
        help="Passes over the data set. A cache helps from the second epoch on.",
        group=DATA,
    )
    batch_size: float = quantity(
        of_workload("batch_size"),
        "sample",
        "Batch size per GPU",
        hard=(1, 1e6),
        slider=(1, 1024),
        scale="log",
        whole=True,
        help="Samples that one GPU processes in one step.",
        group=DATA,
    )
    step_compute_time: float = quantity(
        of_workload("step_compute_time"),
        "s",
        "Compute time per step",
        hard=(1e-6, 1e5),
        slider=(1e-3, 100),
        scale="log",
        help="Time from one batch to the next if data is always ready. Measure it with one batch repeated from memory.",
        group=DATA,
    )
    gpus: float = gpus(8)
    gpus_per_node: float = gpus_per_node()
    host_memory: float = host_memory()
    decode_time: float = quantity(
        facts.fact("loader-decode-time"),
        "s",
        "CPU time per sample",
        hard=(0, 10),
        slider=(1e-5, 1),
        scale="log",
        help="Decoding and all transforms of one sample on one worker. Measure it: it has the largest effect. "
        "0 without preprocessing.",
        group=WORKERS,
    )
    loader_workers: float = quantity(
        facts.fact("loader-workers"),
        "1",
        "Workers per GPU",
        hard=(1, 4096),
        slider=(1, 128),
        scale="log",
        whole=True,
        help="Processes that prepare samples for one GPU (`num_workers`), each on its own core.",
        group=WORKERS,
        aliases=("workers",),
    )
    prefetch_batches: float = quantity(
        facts.fact("loader-prefetch"),
        "1",
        "Prefetch factor (batches ahead per worker)",
        hard=(1, 1024),
        slider=(1, 64),
        scale="log",
        whole=True,
        help="Batches that each worker prepares ahead (`prefetch_factor`). More smooth out jitter and use more memory.",
        group=WORKERS,
    )
    decoded_bytes: float = quantity(
        of_workload("decoded_bytes"),
        "B",
        "Prepared sample size",
        hard=(1, 1e12),
        slider=(1e3, 1e9),
        scale="log",
        help="Size in host memory, ready for the GPU.",
        group=WORKERS,
    )
    read_latency: float = quantity(
        facts.fact(f"{DEFAULT_STORE}.read_latency"),
        "s",
        "Read latency",
        hard=(1e-7, 100),
        slider=(50e-6, 1),
        scale="log",
        help="Mean time from the request to the first byte, opening the file included.",
        group=STORAGE,
    )
    stream_bandwidth: float = quantity(
        facts.fact(f"{DEFAULT_STORE}.stream_bandwidth"),
        "B/s",
        "Bandwidth of one read stream",
        hard=(1e3, 1e13),
        slider=(10e6, 20e9),
        scale="log",
        help="Bandwidth of a single read after its first byte.",
        group=STORAGE,
    )
    reads_in_flight: float = quantity(
        computed("loader_workers", "one per worker"),
        "1",
        "Outstanding reads per GPU (queue depth)",
        hard=(1, 1e6),
        slider=(1, 10_000),
        scale="log",
        whole=True,
        help="Concurrent reads for one GPU. Without asynchronous reads or threads each worker has one.",
        group=STORAGE,
    )
    node_read_bandwidth: float = quantity(
        40e9,
        "B/s",
        "Read bandwidth per GPU node",
        hard=(1e6, 1e14),
        slider=(1e9, 400e9),
        scale="log",
        help="Bandwidth of one node's ports or drives for all its GPUs: a 400 Gbit/s port at 80% is 40 GB/s.",
        group=STORAGE,
    )
    egress_price: float = quantity(
        0,
        "USD/GB",
        "Egress price per GB read",
        hard=(0, 1e-6),
        slider=(0, 0.12e-9),
        help="Charge of the storage provider for data that leaves its region.",
        group=STORAGE,
    )
    cache_per_node: float | None = quantity(
        not_applicable("no cache"),
        "B",
        "Cache per node",
        hard=(0, 1e18),
        slider=(1e9, 100e12),
        scale="log",
        help="Page cache or local drives that retain samples from epoch to epoch.",
        group=CACHE,
    )
    cache_bandwidth: float = quantity(
        50e9,
        "B/s",
        "Cache bandwidth per node",
        hard=(1e6, 1e14),
        slider=(1e9, 1e12),
        scale="log",
        help="For all GPUs of its node. Host memory is faster; the default is an assumption.",
        group=CACHE,
    )
    cache_scope: CacheScope = choice(
        "alone",
        "Cache scope",
        {
            "alone": "per node: each node draws new random samples every epoch and caches what it read",
            "shared": "shared: nodes serve each other, or always read the same part",
        },
        group=CACHE,
    )
    cache_policy: CachePolicy = choice(
        "kept",
        "Cache eviction policy",
        {
            "kept": "no eviction: a full cache keeps what it has",
            "lru": "LRU: evicts the least recently used (page caches, most file caches)",
        },
        group=CACHE,
    )
    shuffled_on_disk: bool = switch(
        default=True,
        label="Shuffled on storage",
        help="Whether the stored order is random, or samples can be drawn by index. "
        "Otherwise only the buffer mixes neighboring samples.",
        group=SHUFFLE,
    )
    shuffle_buffer_samples: float = quantity(
        10_000,
        "sample",
        "Shuffle buffer per GPU",
        hard=(0, 1e12),
        slider=(1, 1e6),
        scale="log",
        whole=True,
        help="Samples in the buffer from which the next is drawn at random.",
        group=SHUFFLE,
    )
    open_shards: float | None = quantity(
        not_applicable("no shards"),
        "1",
        "Open shards per GPU",
        hard=(0, 1e6),
        slider=(1, 256),
        scale="log",
        whole=True,
        help="Large files read at the same time, each with many samples.",
        group=SHUFFLE,
    )
    shard_size: float = quantity(
        facts.fact("webdataset-shard"),
        "B",
        "Shard size",
        hard=(1, 1e15),
        slider=(1e6, 100e9),
        scale="log",
        group=SHUFFLE,
    )

"""Inputs of the data loader: the data, the training step, the workers, the store, the cache and the shuffle."""

from dataclasses import dataclass
from typing import Literal

from calculators import facts
from calculators.declare import choice, computed, not_applicable, quantity, switch
from calculators.vocabulary.accelerators import gpus
from calculators.vocabulary.groups import MACHINE, STORE
from calculators.vocabulary.nodes import gpus_per_node
from calculators.vocabulary.storage import DATA, of_workload, sample_bytes

WORKERS, CACHE, SHUFFLE = "workers", "cache", "shuffle"
DEFAULT_STORE = "store-parallel"
CacheScope = Literal["alone", "shared"]
CachePolicy = Literal["kept", "lru"]


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What the reader may set; base units (bytes, seconds, bytes per second)."""

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
        help="How often all samples are read. Only from the second time on does a cache help.",
        group=DATA,
    )
    batch_size: float = quantity(
        of_workload("batch_size"),
        "sample",
        "Batch per GPU",
        hard=(1, 1e6),
        slider=(1, 1024),
        scale="log",
        whole=True,
        help="Samples that one GPU works on in one step.",
        group=DATA,
    )
    step_compute_time: float = quantity(
        of_workload("step_compute_time"),
        "s",
        "Computing one step",
        hard=(1e-6, 1e5),
        slider=(1e-3, 100),
        scale="log",
        help="From one batch to the next where data is always there. Measure it with one batch repeated from memory.",
        group=DATA,
    )
    gpus: float = gpus(8)
    gpus_per_node: float = gpus_per_node()
    host_memory: float = quantity(
        facts.fact("host-memory"),
        "B",
        "Host memory per node",
        hard=(1e9, 1e15),
        slider=(100e9, 8e12),
        scale="log",
        group=MACHINE,
    )
    decode_time: float = quantity(
        facts.fact("loader-decode-time"),
        "s",
        "Preparing one sample",
        hard=(0, 10),
        slider=(1e-5, 1),
        scale="log",
        help="Decoding and all transforms of one sample on one worker. Measure it: this decides most of the answer. "
        "Without any it is 0.",
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
        help="Processes that prepare samples for one GPU, each on a core of its own.",
        group=WORKERS,
        aliases=("workers",),
    )
    prefetch_batches: float = quantity(
        facts.fact("loader-prefetch"),
        "1",
        "Batches ahead per worker",
        hard=(1, 1024),
        slider=(1, 64),
        scale="log",
        whole=True,
        help="How far each worker may run ahead. More of them smooth out jitter and cost memory.",
        group=WORKERS,
    )
    decoded_bytes: float = quantity(
        of_workload("decoded_bytes"),
        "B",
        "Size of a prepared sample",
        hard=(1, 1e12),
        slider=(1e3, 1e9),
        scale="log",
        help="As it waits in host memory for the GPU.",
        group=WORKERS,
    )
    read_latency: float = quantity(
        facts.fact(f"{DEFAULT_STORE}.read_latency"),
        "s",
        "Latency of a read",
        hard=(1e-7, 100),
        slider=(50e-6, 1),
        scale="log",
        help="From asking until the first byte, opening the file included; the mean.",
        group=STORE,
    )
    stream_bandwidth: float = quantity(
        facts.fact(f"{DEFAULT_STORE}.stream_bandwidth"),
        "B/s",
        "Bandwidth of one read",
        hard=(1e3, 1e13),
        slider=(10e6, 20e9),
        scale="log",
        help="What a single read at a time gets once it flows.",
        group=STORE,
    )
    reads_in_flight: float = quantity(
        computed("loader_workers", "one a worker"),
        "1",
        "Reads in flight per GPU",
        hard=(1, 1e6),
        slider=(1, 10_000),
        scale="log",
        whole=True,
        help="Reads under way at once for one GPU. Without asynchronous reads or threads every worker waits for one.",
        group=STORE,
    )
    node_read_bandwidth: float = quantity(
        40e9,
        "B/s",
        "Read bandwidth of a node",
        hard=(1e6, 1e14),
        slider=(1e9, 400e9),
        scale="log",
        help="What one node's ports or drives give to all its GPUs: one port of 400 Gbit/s at four fifths is 40 GB/s.",
        group=STORE,
    )
    egress_price: float = quantity(
        0,
        "USD/GB",
        "Price of a byte read",
        hard=(0, 1e-6),
        slider=(0, 0.12e-9),
        help="What the store's owner charges for bytes that leave it: for another region or the internet.",
        group=STORE,
    )
    cache_per_node: float | None = quantity(
        not_applicable("no cache"),
        "B",
        "Cache per node",
        hard=(0, 1e18),
        slider=(1e9, 100e12),
        scale="log",
        help="Page cache or local drives that keep samples from epoch to epoch.",
        group=CACHE,
    )
    cache_bandwidth: float = quantity(
        50e9,
        "B/s",
        "Bandwidth of a node's cache",
        hard=(1e6, 1e14),
        slider=(1e9, 1e12),
        scale="log",
        help="What it gives to all GPUs of its node. Host memory gives more; the default is an assumption.",
        group=CACHE,
    )
    cache_scope: CacheScope = choice(
        "alone",
        "Who uses a node's cache",
        {
            "alone": "alone: each node draws new random samples every epoch and keeps what it read",
            "shared": "shared: nodes serve each other, or always read the same part",
        },
        group=CACHE,
    )
    cache_policy: CachePolicy = choice(
        "kept",
        "When the cache is full",
        {
            "kept": "kept: nothing more enters and nothing leaves",
            "lru": "lru: the longest unused leaves (page caches, most file caches)",
        },
        group=CACHE,
    )
    shuffled_on_disk: bool = switch(
        default=True,
        label="Shuffled as stored",
        help="Whether the stored order is random, or any sample can be drawn by its number. "
        "Otherwise only the buffer mixes samples that lie side by side.",
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
        help="Samples as read, of which the next is drawn at random.",
        group=SHUFFLE,
    )
    open_shards: float | None = quantity(
        not_applicable("no shards"),
        "1",
        "Shards open per GPU",
        hard=(0, 1e6),
        slider=(1, 256),
        scale="log",
        whole=True,
        help="Large files read at the same time, each with many samples in a row.",
        group=SHUFFLE,
    )
    shard_size: float = quantity(
        facts.fact("webdataset-shard"),
        "B",
        "Size of a shard",
        hard=(1, 1e15),
        slider=(1e6, 100e9),
        scale="log",
        group=SHUFFLE,
    )

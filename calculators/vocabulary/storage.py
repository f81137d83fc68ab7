"""Inputs that calculators of storage share, each declared once: what is read, by whom, how often it saves and keeps."""

from typing import Any

from calculators import facts
from calculators.declare import Default, Preset, quantity
from calculators.units import DAY, MINUTE
from calculators.vocabulary.inputs import KEEP, SAVE

DATA, NEAR = "data", "near"
DEFAULT_WORKLOAD = "workload-retinanet-b200"


def of_workload(field: str, key: str = DEFAULT_WORKLOAD) -> facts.Fact:
    """A fact of a workload: the one that stands in the loader's menu when nobody chooses."""
    return facts.fact(f"{key}.{field}")


def workload_preset(
    *fills: str, default: str = DEFAULT_WORKLOAD, beside: tuple[str, ...] = (), stating: str = "sample_bytes"
) -> Preset:
    """The menu of workloads, filling inputs of the same names as far as a workload states them.

    Only those `stating` this field are in it: without samples a workload trains nothing.
    """
    return Preset(
        name="workload",
        label="Workload",
        records=tuple(one for one in facts.records("workloads").values() if stating in one.fields),
        fills={name: name for name in (*fills, *beside)},
        default=default,
        beside=beside,
        group=DATA,
    )


def sample_bytes(otherwise: Default) -> Any:
    """What one training sample weighs in storage."""
    return quantity(
        otherwise,
        "B",
        "Size of a sample",
        hard=(1, 1e12),
        slider=(1e3, 1e9),
        scale="log",
        help="As it is stored and read, compressed: a picture, a volume, or a sequence of tokens.",
        group=DATA,
    )


def samples_per_second(otherwise: Default) -> Any:
    """How many samples one GPU takes, never waiting for them."""
    return quantity(
        otherwise,
        "sample/s",
        "Samples a GPU takes",
        hard=(0, 1e6),
        slider=(1e-3, 1e4),
        scale="log",
        help="What one GPU would eat if it never waited for data.",
        group=DATA,
    )


def cache_hit_share(otherwise: Default) -> Any:
    """Share of reads that a cache in the GPU nodes serves."""
    return quantity(
        otherwise,
        "share",
        "Reads the cache serves",
        hard=(0, 1),
        slider=(0, 1),
        help="Of the samples read in an epoch, the share that caches in the GPU nodes hold.",
        group=DATA,
    )


def checkpoint_interval(otherwise: Default, *, shortest: float = 5 * MINUTE, about: str = "") -> Any:
    """From the start of one save to the start of the next; its slider begins at the `shortest` [s]."""
    return quantity(
        otherwise,
        "s",
        "Checkpoint interval",
        hard=(1, 30 * DAY),
        slider=(shortest, 6 * 60 * MINUTE),
        scale="log",
        help=f"From the start of one save to the start of the next. {about}".strip(),
        group=SAVE,
        aliases=("interval",),
    )


def hot_checkpoints() -> Any:
    """The newest checkpoints, where a restart reads."""
    return quantity(
        facts.fact("retention-hot"),
        "checkpoint",
        "Kept hot",
        hard=(0, 1e6),
        slider=(1, 48),
        whole=True,
        help="The newest ones, on the tier a restart reads from.",
        group=KEEP,
    )


def warm_checkpoints() -> Any:
    """Recent history in object storage."""
    return quantity(
        14,
        "checkpoint",
        "Kept warm",
        hard=(0, 1e6),
        slider=(0, 400),
        whole=True,
        help="Recent history in object storage, to roll back a loss spike and to evaluate: one a day for two weeks.",
        group=KEEP,
    )


def cold_checkpoints(otherwise: Default) -> Any:
    """Milestones in the archive."""
    return quantity(
        otherwise,
        "checkpoint",
        "Kept cold",
        hard=(0, 1e6),
        slider=(0, 400),
        whole=True,
        help="Milestones in the archive. Everything else is deleted.",
        group=KEEP,
    )


def write_window() -> Any:
    """How long a save may take until it is safe on storage."""
    return quantity(
        facts.fact("write-window-typical"),
        "s",
        "Time allowed for the write",
        hard=(0.1, 7 * DAY),
        slider=(5, 60 * MINUTE),
        scale="log",
        help="Your target for how long a save may take, from its first byte to the last one safe on storage.",
        group=SAVE,
    )


def durable_every(otherwise: Default, *, group: str = SAVE) -> Any:
    """Which saves reach storage that outlives the nodes."""
    return quantity(
        otherwise,
        "1",
        "Saves for one that is durable",
        hard=(1, 10_000),
        slider=(1, 120),
        whole=True,
        help="Every so many saves one also reaches storage that outlives the nodes; the others stay near, on the "
        "nodes. 1: every save does.",
        group=group,
    )


def near_copies() -> Any:
    """How many GPU nodes hold each part of a near save."""
    return quantity(
        2,
        "1",
        "Copies of each shard",
        hard=(1, 16),
        slider=(1, 4),
        whole=True,
        help="Of a near save. 2: its own and a partner's.",
        group=NEAR,
    )


def local_write() -> Any:
    """How fast a GPU node takes its part of a near save."""
    return quantity(
        facts.fact("local-write"),
        "B/s",
        "A GPU node's drives write",
        hard=(1e3, 1e15),
        slider=(1e9, 100e9),
        scale="log",
        help="All of them together, or the node's memory where near saves stay in it.",
        group=NEAR,
    )

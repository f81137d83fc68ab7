"""Inputs that storage calculators share: samples, checkpoint interval, persistence and retention."""

from typing import Any

from calculators import facts
from calculators.declare import Default, Preset, quantity
from calculators.units import DAY, MINUTE, YEAR
from calculators.vocabulary.groups import CHECKPOINT, RETENTION

DATA, NEAR, DRIVE = "data", "near", "drive"
DEFAULT_WORKLOAD = "workload-retinanet-b200"
_DEFAULT_DRIVE = "drive-d7-ps1010"


def of_workload(field: str, key: str = DEFAULT_WORKLOAD) -> facts.Fact:
    """Fact of a workload, by default the first of the data loader's menu."""
    return facts.fact(f"{key}.{field}")


def workload_preset(
    *fills: str, default: str = DEFAULT_WORKLOAD, secondary: tuple[str, ...] = (), stating: str = "sample_bytes"
) -> Preset:
    """Menu of workloads, filling inputs of the same names where a workload states them.

    Only those `stating` this field are in it: without samples a workload trains nothing.
    """
    return Preset(
        name="workload",
        label="Workload",
        records=tuple(one for one in facts.records("workloads").values() if stating in one.fields),
        fills={name: name for name in (*fills, *secondary)},
        default=default,
        secondary=secondary,
        group=DATA,
    )


def sample_bytes(default: Default) -> Any:
    """Size of one training sample in storage."""
    return quantity(
        default,
        "B",
        "Sample size",
        hard=(1, 1e12),
        slider=(1e3, 1e9),
        scale="log",
        help="As stored and read, compressed: an image, a volume, or a sequence of tokens.",
        group=DATA,
    )


def samples_per_second(default: Default) -> Any:
    """Samples per second that one GPU consumes when it never waits for data."""
    return quantity(
        default,
        "sample/s",
        "Samples consumed per GPU",
        hard=(0, 1e6),
        slider=(1e-3, 1e4),
        scale="log",
        help="What one GPU consumes when it never waits for data.",
        group=DATA,
    )


def cache_hit_share(default: Default) -> Any:
    """Share of reads served by a cache on the GPU nodes."""
    return quantity(
        default,
        "share",
        "Cache hit rate",
        hard=(0, 1),
        slider=(0, 1),
        help="Share of the samples read in an epoch that caches on the GPU nodes hold.",
        group=DATA,
    )


def checkpoint_interval(default: Default, *, shortest: float = 5 * MINUTE, about: str = "") -> Any:
    """Interval from the start of one checkpoint to the start of the next; its slider starts at `shortest` [s]."""
    return quantity(
        default,
        "s",
        "Checkpoint interval",
        hard=(1, 30 * DAY),
        slider=(shortest, 6 * 60 * MINUTE),
        scale="log",
        help=f"From the start of one checkpoint to the start of the next. {about}".strip(),
        group=CHECKPOINT,
        aliases=("interval",),
    )


def hot_checkpoints() -> Any:
    """Newest checkpoints, on the tier that a restart reads."""
    return quantity(
        facts.fact("retention-hot"),
        "checkpoint",
        "Checkpoints retained: hot",
        hard=(0, 1e6),
        slider=(1, 48),
        whole=True,
        help="The newest ones, on the tier that a restart reads.",
        group=RETENTION,
    )


def warm_checkpoints() -> Any:
    """Recent checkpoints in object storage."""
    return quantity(
        14,
        "checkpoint",
        "Checkpoints retained: warm",
        hard=(0, 1e6),
        slider=(0, 400),
        whole=True,
        help="Recent ones in object storage, to roll back a loss spike and to evaluate: 1 per day for 14 days.",
        group=RETENTION,
    )


def cold_checkpoints(default: Default) -> Any:
    """Milestone checkpoints in the archive."""
    return quantity(
        default,
        "checkpoint",
        "Checkpoints retained: cold",
        hard=(0, 1e6),
        slider=(0, 400),
        whole=True,
        help="Milestones in the archive. Everything else is deleted.",
        group=RETENTION,
    )


def write_window() -> Any:
    """Time limit for a checkpoint write."""
    return quantity(
        facts.fact("write-window-typical"),
        "s",
        "Checkpoint write time limit",
        hard=(0.1, 7 * DAY),
        slider=(5, 60 * MINUTE),
        scale="log",
        help="Your target for one write, from the first byte to the last byte safe on storage.",
        group=CHECKPOINT,
    )


def persist_every(default: Default, *, group: str = CHECKPOINT) -> Any:
    """Persistence: every n-th checkpoint is written to storage outside the nodes."""
    return quantity(
        default,
        "1",
        "Persist every n-th checkpoint",
        hard=(1, 10_000),
        slider=(1, 120),
        whole=True,
        help="Every n-th checkpoint also reaches storage that outlives the nodes; the others stay local, on the nodes. "
        "1: every checkpoint is persisted.",
        group=group,
        aliases=("durable_every",),
    )


def copies_per_shard() -> Any:
    """Number of GPU nodes that hold each shard of a local checkpoint."""
    return quantity(
        2,
        "1",
        "Local copies per shard",
        hard=(1, 16),
        slider=(1, 4),
        whole=True,
        help="2: the node's own and a partner's.",
        group=NEAR,
        aliases=("near_copies",),
    )


def local_write() -> Any:
    """Write bandwidth of a GPU node for its part of a local checkpoint."""
    return quantity(
        facts.fact("local-write"),
        "B/s",
        "Local write bandwidth per GPU node",
        hard=(1e3, 1e15),
        slider=(1e9, 100e9),
        scale="log",
        help="Of all its drives together, or of the node's memory where local checkpoints stay in memory.",
        group=NEAR,
    )


def growth(*, group: str = RETENTION) -> Any:
    """Growth of data sets, per year."""
    about = "Of data sets; checkpoints and logs have growth of their own."
    return quantity(0, "share", "Growth of data per year", hard=(0, 10), slider=(0, 2), help=about, group=group)


def growth_years(*, group: str = RETENTION) -> Any:
    """Years of growth that a system must hold."""
    about = "Until the storage system is expanded."
    return quantity(1, "1", "Years of growth", hard=(0, 20), slider=(0, 5), help=about, group=group)


def fill_share(group: str) -> Any:
    """Share of capacity that may be filled."""
    return quantity(
        facts.fact("usable-share"), "share", "Maximum fill level", hard=(0.05, 1), slider=(0.5, 0.95), group=group
    )


def drive_fact(field: str) -> facts.Fact:
    """Fact of the first drive of the menu."""
    return facts.fact(f"{_DEFAULT_DRIVE}.{field}")


def drive_preset(*fills: str) -> Preset:
    """Menu of drives, filling inputs of the same names where a drive states them."""
    return Preset(
        name="drive",
        label="Drive",
        records=tuple(facts.records("store", "drive-").values()),
        fills={name: name for name in fills},
        default=_DEFAULT_DRIVE,
        group=DRIVE,
    )


def drive_capacity() -> Any:
    """Capacity of one drive."""
    return quantity(
        drive_fact("drive_capacity"),
        "B",
        "Drive capacity",
        hard=(1e9, 1e16),
        slider=(1e12, 250e12),
        scale="log",
        group=DRIVE,
    )


def drive_read() -> Any:
    """Sequential read bandwidth of one drive."""
    return quantity(
        drive_fact("drive_read"),
        "B/s",
        "Drive read bandwidth",
        hard=(1e3, 1e15),
        slider=(0.2e9, 30e9),
        scale="log",
        group=DRIVE,
    )


def drive_writes_per_day() -> Any:
    """Rated endurance of one drive, in full-capacity writes per day."""
    return quantity(
        drive_fact("drive_writes_per_day"),
        "1",
        "Drive writes per day (DWPD)",
        hard=(0.001, 1000),
        slider=(0.1, 10),
        scale="log",
        help="Full-capacity writes per day that the warranty covers.",
        group=DRIVE,
    )


def drive_warranty() -> Any:
    """Warranty of one drive."""
    return quantity(
        drive_fact("drive_warranty"),
        "s",
        "Drive warranty",
        hard=(DAY, 100 * YEAR),
        slider=(30 * DAY, 10 * YEAR),
        scale="log",
        group=DRIVE,
    )


def checkpoint_bytes_per_parameter(group: str) -> Any:
    """Bytes of a checkpoint per parameter [B/parameter]."""
    return quantity(
        facts.fact("ckpt-bf16-master-adam"),
        "B/parameter",
        "Checkpoint bytes per parameter",
        hard=(0.1, 64),
        slider=(1, 20),
        help="2 for bf16 weights, 4 for fp32 master weights, 8 for Adam's two moments: 14.",
        group=group,
        aliases=("bytes_per_parameter",),
    )

"""Inputs that calculators of storage share, each declared once: what is read, how fast GPUs ask for it, and by whom."""

from typing import Any

from calculators import facts
from calculators.declare import Otherwise, Preset, quantity

DATA = "data"
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


def sample_bytes(otherwise: Otherwise) -> Any:
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


def samples_per_second(otherwise: Otherwise) -> Any:
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


def cache_hit_share(otherwise: Otherwise) -> Any:
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

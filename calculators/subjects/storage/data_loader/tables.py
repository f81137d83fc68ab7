"""Conventions: what each way of counting gives for the present loader."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table
from calculators.subjects.storage.data_loader.cache import lru_hit_share
from calculators.subjects.storage.data_loader.rates import accelerator_utilization, fetch_rate, loader_rate
from calculators.subjects.storage.data_loader.verdicts import FED_FROM, SPARE_FROM

_IMAGES = float(facts.fact("mlperf-utilization-images").value)


def _share(value: float) -> str:
    return units.text(value, "share")


def _utilization(values: Mapping[str, Any], hit_share: float) -> str:
    fetched = fetch_rate(hit_share, values["cached_rate"], values["storage_rate"])
    return _share(accelerator_utilization(loader_rate(fetched, values["decode_rate"]), values["gpu_rate"]))


def _passes(values: Mapping[str, Any], least: float) -> str:
    return "passes" if values["first_epoch_utilization"] >= least else "fails"


def _cached(values: Mapping[str, Any]) -> tuple[str, str]:
    """Hit rate and utilization with no eviction and with LRU, and with caches per node and shared."""
    if not values["cache_share"] or values["epochs"] == 1:
        return "no cache in use", "no cache in use"
    nodes = values["gpu_nodes"] if values["cache_scope"] == "alone" else 1
    evicting = lru_hit_share(values["cache_share"], nodes)
    return (
        (
            f"{{cache_share}} of reads and {_utilization(values, values['cache_share'])} utilization without "
            f"eviction, {_share(evicting)} and {_utilization(values, evicting)} with LRU"
        ),
        (
            f"{_utilization(values, min(1, values['cache_per_node'] / values['dataset_bytes']))} per node, "
            f"{_utilization(values, min(1, values['cache_per_node'] * values['gpu_nodes'] / values['dataset_bytes']))} "
            "shared, both without eviction"
        ),
    )


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it gives for these values."""
    kept, shared = _cached(values)
    node = values["loader_samples_per_second"] * values["gpus_at_work"]
    yield (
        "Utilization, all epochs but the first",
        "this calculator; MLPerf Storage leaves out the first step only, and emulates the compute",
        "{accelerator_utilization} of the time; does not say whether a real step overlaps its input",
    )
    yield (
        "Utilization without cache hits",
        "MLPerf Storage: the data set is at least 5× the hosts' memory",
        (
            f"{{first_epoch_utilization}}: {_passes(values, FED_FROM)} at the required {_share(FED_FROM)} (3D-UNet), "
            f"{_passes(values, _IMAGES)} at {_share(_IMAGES)} (RetinaNet)"
        ),
    )
    yield (
        "Utilization with or without the first step of an epoch",
        "MLPerf Storage v1.0: its rate counts that step, its utilization does not; from v2.0 on neither does",
        (
            "{epoch_utilization} of a whole epoch of {steps_per_epoch} without a cache, "
            "{printed_utilization} printed with its rate"
        ),
    )
    yield (
        "Samples/s per GPU, per node, of the job",
        "papers, vendors and results, each differently",
        (
            f"{{loader_samples_per_second}}, {units.text(node, 'sample/s')}, "
            f"{units.text(values['loader_samples_per_second'] * values['gpus'], 'sample/s')}"
        ),
    )
    yield (
        "MB/s that are MiB/s",
        "MLPerf Storage's results",
        f"{{loader_node_read}} are {units.text(values['loader_node_read'], 'B/s', binary=True)} per node",
    )
    yield (
        "Bytes as stored, or as they reach the GPU",
        "storage engineers; users of GPU bus counters",
        (
            f"{units.text(node * values['sample_bytes'], 'B/s')} or "
            f"{units.text(node * values['decoded_bytes'], 'B/s')} per node"
        ),
    )
    yield "Cache without eviction, or LRU", "fixed sets; page caches, between the two", kept
    yield "Cache per node, or shared", "page caches; shared caches and fixed shards", shared
    yield (
        "Enough on average, or with headroom",
        "averages like this one; loaders whose batches vary",
        f"{{loader_headroom}}× GPU demand, where {SPARE_FROM:g}× covers jitter",
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting gives for the present numbers.",
    columns=("Way of counting", "Who uses it", "Result for this loader"),
    rows=rows,
)

"""Conventions: what each way of counting gives for the present job."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table

_RULES = (
    (
        "1 GB/s per GPU",
        "Meta's RSC in 2022; vendors repeat it",
        "storage-read-per-gpu-heuristic",
    ),
    ("DGX SuperPOD H100, good", "NVIDIA, Table 6: language models", "superpod-read-per-gpu-good"),
    ("DGX SuperPOD H100, better", "NVIDIA, Table 6: compressed images", "superpod-read-per-gpu-better"),
    ("DGX SuperPOD H100, best", "NVIDIA, Table 6: large or raw images", "superpod-read-per-gpu-best"),
    ("DGX SuperPOD GB200, enhanced", "NVIDIA, as quoted", "superpod-gb200-su-read.enhanced_per_gpu"),
    ("Llama 3's storage", "Meta: sustained, over the run's GPUs", "llama3-tectonic.sustained_per_gpu"),
)
_RATES = {key: float(facts.fact(key).value) for _, _, key in _RULES}
_ONE_NODE = float(facts.fact("superpod-h100-node-read.best").value)
_REPLICA = 128  # GPUs per replica of 405B: 8 tensor ranks × 16 pipeline stages, as Llama 3 was trained


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it gives for these values."""
    node, gpus = values["storage_node_read"], values["gpus"]
    for name, who, key in _RULES:
        rate = _RATES[key]
        total = units.text(rate * gpus, "B/s")
        per_gpu, nodes = units.text(rate, "B/s"), units.text(ceil(rate * gpus / node), "node")
        yield name, who, f"{per_gpu} per GPU: {total} read, {nodes}"
    yield "This job", "Samples × sample size", "{read_per_gpu} per GPU: {training_read} read for training"
    yield (
        "The figure for one node × all nodes",
        "A mistake: NVIDIA's figures for a unit and for a node are separate tests",
        f"{units.text(_ONE_NODE, 'B/s')} per GPU node: {units.text(_ONE_NODE * values['gpu_nodes'], 'B/s')} read",
    )
    hot, raw = values["hot_stored"], values["hot_raw"]
    yield (
        "Capacity in TB or TiB, before or after protection and free space",
        "Offers, file systems and df, each differently",
        (
            f"{units.text(hot, 'B')} or {units.text(hot, 'B', binary=True)} of data; "
            f"{units.text(raw, 'B')} or {units.text(raw, 'B', binary=True)} raw"
        ),
    )
    copies = max(1, ceil(gpus / _REPLICA))
    whole, window = values["checkpoint_size"] * copies, values["restore_window"]
    yield (
        "A restore reads once, or once per replica",
        "Frameworks that broadcast the state, or do not",
        (
            f"{{checkpoint_size}}, or {units.text(whole, 'B')} for {units.text(copies, 'replica')} of {_REPLICA} GPUs: "
            f"{units.text(whole / window, 'B/s')} within {{restore_window}}"
        ),
    )
    life = values["drive_endurance"]
    yield (
        "Drive writes per day over five years or three",
        "Datasheets; enterprise drives mostly five",
        (
            f"{units.text(life, 'B')} written over {{drive_warranty}} "
            "are the same drive with 5/3 of the DWPD over three years as over five"
        ),
    )
    yield (
        "MB/s that are MiB/s, and a mean of ten rates",
        "MLPerf Storage",
        (
            f"{{read_demand}} are {units.text(values['read_demand'], 'B/s', binary=True)}; "
            "its checkpoint rates are means of rates, up to 50% above bytes ÷ seconds: size by the seconds"
        ),
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting gives for the present numbers.",
    columns=("Way of counting", "Who uses it", "Result for this job"),
    rows=rows,
)

"""Where the field disagrees: what each way of counting makes of the present job."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table

_RULES = (
    (
        "A gigabyte a second for each GPU",
        "Meta built its RSC so in 2022; vendors repeat it",
        "storage-read-per-gpu-heuristic",
    ),
    ("DGX SuperPOD H100, good", "NVIDIA, Table 6: language models", "superpod-read-per-gpu-good"),
    ("DGX SuperPOD H100, better", "NVIDIA, Table 6: compressed images", "superpod-read-per-gpu-better"),
    ("DGX SuperPOD H100, best", "NVIDIA, Table 6: large or raw images", "superpod-read-per-gpu-best"),
    ("DGX SuperPOD GB200, enhanced", "NVIDIA, as a ledger quotes it", "superpod-gb200-su-read.enhanced_per_gpu"),
    ("Llama 3's storage", "Meta: sustained, over the run's GPUs", "llama3-tectonic.sustained_per_gpu"),
)
_RATES = {key: float(facts.fact(key).value) for _, _, key in _RULES}
_ONE_NODE = float(facts.fact("superpod-h100-node-read.best").value)
_REPLICA = 128  # GPUs that hold one copy of 405B: 8 tensor ranks times 16 pipeline stages, as Llama 3 trained


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it makes of these values."""
    node, gpus = values["storage_node_read"], values["gpus"]
    for name, who, key in _RULES:
        rate = _RATES[key]
        wanted = units.text(rate * gpus, "B/s")
        per_gpu, nodes = units.text(rate, "B/s"), units.text(ceil(rate * gpus / node), "node")
        yield name, who, f"{per_gpu} a GPU: {wanted} to read, {nodes}"
    yield "This job", "samples times their size", "{read_per_gpu} a GPU: {training_read} to read for training"
    yield (
        "The figure for one node, times all nodes",
        "A mistake: NVIDIA's figures for a unit and for a node are separate tests",
        f"{units.text(_ONE_NODE, 'B/s')} a GPU node: {units.text(_ONE_NODE * values['gpu_nodes'], 'B/s')} to read",
    )
    hot, raw = values["hot_stored"], values["hot_raw"]
    yield (
        "Capacity in TB or TiB, before or after protection and room to spare",
        "Offers, file systems and df, each its own",
        (
            f"{units.text(hot, 'B')} or {units.text(hot, 'B', binary=True)} of data; "
            f"{units.text(raw, 'B')} or {units.text(raw, 'B', binary=True)} raw"
        ),
    )
    copies = max(1, ceil(gpus / _REPLICA))
    whole, window = values["checkpoint_size"] * copies, values["restore_window"]
    yield (
        "A restore reads one copy, or one for every replica",
        "Frameworks that pass the state on, or do not",
        (
            f"{{checkpoint_size}}, or {units.text(whole, 'B')} for {units.text(copies, 'replica')} of {_REPLICA} GPUs: "
            f"{units.text(whole / window, 'B/s')} within {{restore_window}}"
        ),
    )
    life = values["drive_endurance"]
    yield (
        "Drive writes a day over five years or three",
        "Datasheets; enterprise drives mostly five",
        (
            f"{units.text(life, 'B')} written over {{drive_warranty}} "
            "are the same drive with five thirds of the rating over three years as over five"
        ),
    )
    yield (
        "MB/s that are MiB/s, and a mean of ten rates",
        "MLPerf Storage",
        (
            f"{{read_demand}} are {units.text(values['read_demand'], 'B/s', binary=True)}; "
            "its checkpoint rates are means of rates, up to half above bytes over seconds: size by the seconds"
        ),
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting makes of the present numbers.",
    columns=("Way of counting", "Who uses it", "What it makes of this job"),
    rows=rows,
)

"""Tables of serving in samples: batches and GPUs side by side."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from calculators import facts, units
from calculators.declare import Table

_BATCHES = (1, 4, 16, 64, 256, 1024, 4096)
_DEVICES = ("l4", "l40s", "a100-sxm-80gb", "h100-sxm", "h200-sxm", "b200-sxm")
_FIELDS = ("peak_flops", "peak_flops_fp8", "memory_bandwidth", "gpu_memory")
_SHOWN = (
    *("serving_rate_per_gpu", "sample_serving_gpus", "sample_latency", "sample_serving_limit", "sample_serving_fits"),
    *("sample_in_time", "serving_cost_per_hour"),
)
Trying = Callable[[Mapping[str, Any], Iterable[str], Iterable[str]], Callable[[Mapping[str, Any]], Mapping[str, Any]]]


def _cells(after: Mapping[str, Any]) -> tuple[str, ...]:
    fits, timely = after["sample_serving_fits"], after["sample_in_time"]
    if fits.level == "bad":
        return "does not fit", "", "", ""
    return (
        units.text(after["serving_rate_per_gpu"], "sample/s"),
        units.text(after["sample_serving_gpus"], "GPU"),
        units.text(after["sample_latency"], "s") + (", over target" if timely.level == "bad" else ""),
        after["sample_serving_limit"].word,
    )


def by_batch(trials: Trying) -> Table:
    """Table of batches for the same traffic; `trials` are the calculator's own."""

    def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
        after = trials(values, ("serving_batch",), _SHOWN)
        for batch in sorted({*map(float, _BATCHES), values["serving_batch"]}):
            name = units.text(batch, "sample") + (" (this one)" if batch == values["serving_batch"] else "")
            yield (name, *_cells(after({"serving_batch": batch})))

    return Table(
        name="batches",
        title="Batches compared",
        about="The same model, traffic and GPU; a measured speed holds at its own batch only.",
        columns=("Batch per GPU", "Per GPU", "GPUs", "Latency", "Limited by"),
        rows=rows,
    )


def by_gpu(trials: Trying, accelerators: Mapping[str, facts.Record]) -> Table:
    """Table of GPUs for the same traffic; `accelerators` are those of the menu, with a dated price where known."""

    def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
        after = trials(values, (*_FIELDS, "price_per_gpu_hour"), _SHOWN)
        for record in (accelerators[key] for key in _DEVICES):
            price = record.value("price_per_gpu_hour")
            found = after({**{name: record.value(name) for name in _FIELDS}, "price_per_gpu_hour": price or 0})
            cost = units.text(found["serving_cost_per_hour"], "USD") if price is not None else "no dated price"
            fits = found["sample_serving_fits"].level != "bad"
            yield (record.name, *_cells(found), cost if fits else "")

    return Table(
        name="devices",
        title="GPUs compared",
        about="The same model, traffic and batch. Where a GPU has no 8-bit rate, its 16-bit rate is used.",
        columns=("GPU", "Per GPU", "GPUs", "Latency", "Limited by", "USD per hour"),
        rows=rows,
    )

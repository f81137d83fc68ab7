"""Three published meanings of what a run cost, and others, side by side, with what each makes of the present run."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare.tables import Table


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each meaning, who prints it, and what it makes of these GPU-hours."""
    yield (
        "Rent: GPU-hours at a price",
        "DeepSeek-V3’s report, MPT-7B, Epoch’s cloud cost",
        "{training_cost} for {gpu_hours} at {price_per_gpu_hour}",
    )
    yield (
        "Hardware used up, and electricity",
        "Epoch’s amortized cost: value lost at the pace of new devices",
        "{run_used_up}, of it {run_electricity} electricity",
    )
    yield (
        "Purchase of the cluster",
        "Epoch’s acquisition cost; headlines about clusters",
        "{capital} for {gpus}, whatever ran on them",
    )
    yield (
        "Everything an owner pays, by the hour used",
        "whoever owns and books it all",
        "{run_owned}, with interest, space, operations and idle hours",
    )
    useful = values["gpu_hours"] * values["goodput"]
    yield (
        "GPU-hours that were kept",
        "who compares with measured speeds of steps",
        f"{units.text(useful, 'GPU-hour')} of {{gpu_hours}}: never count goodput twice",
    )
    yield (
        "A month of 720, 730 or 730.5 hours",
        "ClusterMAX and OpenRelay; silybench; this page",
        "a month of one GPU at {price_per_gpu_hour}: "
        + ", ".join(units.text(values["price_per_gpu_hour"] * hours, "USD") for hours in (720, 730, 730.5)),
    )


MEANINGS = Table(
    name="conventions",
    title="What “the cost of a run” means",
    about="The same run by each published meaning. Whole companies, failed runs and salaries are in none of them.",
    columns=("Meaning", "Who prints it", "What it makes of this run"),
    rows=rows,
)

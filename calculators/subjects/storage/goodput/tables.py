"""Conventions: what each definition and approximation of goodput gives for the present job."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare.tables import Table


def _signed(value: float) -> str:
    return units.text(value, "share") if value >= 0 else f"{units.text(value, 'share')}: below 0"


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it gives for these values."""
    progress = "Lasting progress ÷ all time since the first start"
    yield progress, "this calculator and Google's measurement library", "{goodput}"
    yield (
        "ETTR, failure losses added",
        "Meta's expected value for one long job that never queues",
        _signed(values["meta_ettr"]),
    )
    yield (
        "All losses added",
        "Young's sum, most spreadsheets",
        _signed(values["linear_goodput"]),
    )
    yield (
        "All losses added, at Young's interval",
        "users of √(2 × stall × MTBF)",
        _signed(values["young_goodput"]) + ", at {young_interval}; the best is {goodput_at_best} at {best_interval}",
    )
    yield (
        "Waits for nodes left out",
        "NVIDIA's telemetry: saved iterations ÷ time of the Slurm job",
        "{goodput_while_scheduled}",
    )
    yield (
        "1 − recovery ÷ time between failures",
        "FT-HSDP's abstract, on the wall clock",
        _signed(values["wall_clock_availability"]),
    )
    yield "Availability, failures counted while running", "service availability", "{running_availability}"
    yield (
        "Availability, failures during recovery too",
        "this calculator's time running",
        "{running_share}",
    )
    yield (
        "Interval from start to start, or training time between",
        "here and ByteCheckpoint; Young and Daly",
        "{interval} or {work}",
    )
    yield "Of all GPUs paid for, spares and stragglers included", "budget owners", "{of_what_is_paid}"


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="The same job has several goodputs, each correct by its own definition.",
    columns=("Convention", "Who uses it", "Result for this job"),
    rows=rows,
)

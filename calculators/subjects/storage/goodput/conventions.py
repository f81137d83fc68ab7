"""Where the field disagrees: what each definition and each shortcut makes of the present job."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare.tables import Table


def _signed(value: float) -> str:
    return units.text(value, "share") if value >= 0 else f"{units.text(value, 'share')}: less than nothing"


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it makes of these values."""
    kept = "Work that stays, by all time since the first start"
    yield kept, "this calculator; Google's measurement library divides the same", "{goodput}"
    yield (
        "ETTR, losses by failure added up",
        "Meta's expected value for one long job that never queues",
        _signed(values["meta_ettr"]),
    )
    yield (
        "All losses added up",
        "Young's bookkeeping, most spreadsheets",
        _signed(values["linear_goodput"]),
    )
    yield (
        "The same at Young's interval",
        "who takes √(2 × stall × time between failures)",
        _signed(values["young_goodput"])
        + ", promised at {young_interval}; the best is {goodput_at_best} at {best_interval}",
    )
    yield (
        "Waiting for nodes left out",
        "NVIDIA's telemetry: iterations that are saved, by the time of the Slurm job",
        "{goodput_while_scheduled}",
    )
    yield (
        "Recovery taken off the time between failures",
        "FT-HSDP's abstract, on the wall clock",
        _signed(values["wall_clock_availability"]),
    )
    yield "The same, failures counted while running", "availability of a service", "{running_availability}"
    yield (
        "The same, failures during recovery too",
        "this calculator's share of time up and running",
        "{running_share}",
    )
    yield (
        "Interval from start to start, or the work between",
        "here and ByteCheckpoint; Young and Daly",
        "{interval} or {work}",
    )
    yield "Of all that is paid, spares and slow nodes too", "whoever pays", "{of_what_is_paid}"


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="The same job has several goodputs, and each is right by its own definition.",
    columns=("Convention", "Who uses it", "What it makes of this job"),
    rows=rows,
)

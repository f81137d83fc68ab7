"""Failure rates as pages, figures and a file to download have them: the published ones, each by its definition."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from builder.pages.amounts import Amount
from calculators import units
from calculators.guide.failures import failure_data
from calculators.guide.failures.failure_rate import COUNTED, USES
from calculators.subjects.storage.goodput.failures import mtbf

if TYPE_CHECKING:
    from calculators.guide.failures.failure_rate import Rate

FILE = "data/failure-rates.csv"
_HOURS, _GPUS = "h", "GPU"
_COLUMNS = (
    *("machine", "accelerator", "gpus", "published", "use", "counts", "how_counted"),
    *("hours_of_one_gpu_per_failure", "lowest_hours", "highest_hours", "hours_between_failures_of_1024_gpus"),
    *("source", "address", "read"),
)
_OF_A_JOB = 1024.0  # the size at which the file compares them, named in its header
_DIGITS = 4
_BANDS = {"dedicated": failure_data.dedicated, "shared": failure_data.shared}
_FIRST_LINE, _LINE = 66, 22


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One published rate, ready to be shown and placed."""

    machine: str
    device: str
    use: str
    how: str
    gpus: Amount
    per_gpu: Amount
    low: Amount
    high: Amount
    spread: str
    alone: bool
    key: str
    keys: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ShownBand:
    """The ends of a band to plan with, and what lies between."""

    low: Shown
    middle: Shown
    high: Shown


def shown(counted: str) -> tuple[Shown, ...]:
    """The rates that count one thing, such as "stops", the most frequent failures first."""
    return tuple(_shown(rate) for rate in failure_data.counting(counted))


def with_keys(counted: str) -> tuple[tuple[Shown, ...], tuple[str, ...]]:
    """Those rates, and the facts that they rest on."""
    found = shown(counted)
    return found, tuple(key for rate in found for key in rate.keys)


def band(use: str) -> ShownBand:
    """The band to plan a "dedicated" or a "shared" machine with."""
    found = _BANDS[use]()
    return ShownBand(low=_shown(found.low), middle=_shown(found.middle), high=_shown(found.high))


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the drawing and its vertical position: a title, a rate, or a band."""

    y: int
    title: str = ""
    rate: Shown | None = None
    band: ShownBand | None = None


def lines() -> tuple[Line, ...]:
    """All rates under what they count, and at the end the bands to plan with; the last is empty and says how far."""
    found: list[dict[str, Any]] = []
    for counted, words in COUNTED.items():
        found += [{"title": words}, *({"rate": rate} for rate in shown(counted))]
    found += [{"title": "to plan with"}, *({"title": USES[use], "band": band(use)} for use in _BANDS), {}]
    return tuple(Line(y=_FIRST_LINE + index * _LINE, **each) for index, each in enumerate(found))


def table() -> str:
    """All of them as CSV: hours as numbers, and where each was read."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for rate in failure_data.rates():
        source = rate.fact.source
        hours = [rate.per_gpu, rate.low or rate.per_gpu, rate.high or rate.per_gpu, mtbf(rate.per_gpu, _OF_A_JOB)]
        writer.writerow(
            [
                *(rate.machine, rate.device, f"{rate.gpus:.0f}", rate.year or ""),
                *(USES[rate.use], COUNTED[rate.counted], rate.how),
                *(_number(each) for each in hours),
                *((source.title, source.url) if source else ("", "")),
                rate.fact.reading,
            ]
        )
    return file.getvalue()


def _shown(rate: Rate) -> Shown:
    low, high = _hours(rate.low or rate.per_gpu), _hours(rate.high or rate.per_gpu)
    return Shown(
        machine=rate.machine,
        device=rate.device,
        use=USES[rate.use],
        how=rate.how,
        gpus=Amount(base=rate.gpus, unit=_GPUS, text=units.text(rate.gpus, _GPUS, digits=_DIGITS, label=False)),
        per_gpu=_hours(rate.per_gpu),
        low=low,
        high=high,
        spread=f"{low} to {high}" if rate.low else f"up to {high}" if rate.high else "",
        key=rate.keys[0],
        alone=rate.use == "dedicated",
        keys=rate.keys,
    )


def _hours(base: float) -> Amount:
    return Amount(base=base, unit=_HOURS, text=units.text(base, _HOURS))


def _number(base: float) -> str:
    """A time in hours with as many digits as its sources bear."""
    hours = base / units.unit(_HOURS).factor
    return f"{float(f'{hours:.{_DIGITS}g}'):.10g}"

"""GPU power and utilization over time: CSV of nvidia-smi, output of dcgmi dmon, or CSV with DCGM's field names.

nvidia-smi: `--query-gpu=timestamp,index,power.draw,utilization.gpu --format=csv -l 1`. dcgmi: `dmon -e 155,203`, whose
columns are named as DCGM's dcgm_fields.cpp does (POWER, GPUTL); a header comes again after some rows.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from calculators.measured.record import ReadError, by_column, plain_text, reading, shown

_POWER = ("power.draw", "power.draw.instant", "power.draw.average", "POWER", "DCGM_FI_DEV_POWER_USAGE")
_BUSY = ("utilization.gpu", "GPUTL", "DCGM_FI_DEV_GPU_UTIL")
# Names of the GPU in lower case; tables of DCGM's fields have ID or GPU-Id, and the host in a column of its own.
_GPU = ("index", "gpu-id", "gpu_id", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "gpu", "name", "gpu_name", "id")
_HOST = ("hostname", "host", "node")
_VALUE = re.compile(r"^(-?[\d.]+(?:e[+-]?\d+)?)\s*(?:W|%)?$")
_NONE = ("", "N/A", "[N/A]", "[Not Supported]", "[Unknown Error]")
_PERCENT = 100


@dataclass(frozen=True, kw_only=True)
class GpuPower:
    """Samples of one GPU: power [W] and utilization [share], None where the log does not state it."""

    gpu: str
    watts: tuple[float, ...]
    busy: tuple[float, ...]


@reading()
def runs(text: str) -> list[GpuPower]:
    """Samples of every GPU. Raises ReadError."""
    text = plain_text(text)
    watts: dict[str, list[float]] = {}
    busy: dict[str, list[float]] = {}
    for place, row in _dmon(text) if "#Entity" in text else _csv(text):
        gpu = _gpu(row)
        power = _number(place, row, _POWER)
        if power is None:
            continue
        watts.setdefault(gpu, []).append(power)
        if (used := _number(place, row, _BUSY)) is not None:
            busy.setdefault(gpu, []).append(used / _PERCENT)
    if not watts:
        message = "there is no row with a power in it: log for a while under load, nvidia-smi … -l 1"
        raise ReadError(message)
    return [GpuPower(gpu=gpu, watts=tuple(one), busy=tuple(busy.get(gpu, ()))) for gpu, one in watts.items()]


def _gpu(row: Mapping[str, str]) -> str:
    """Name of the GPU of a row, with its host where there is one: GPUs of two hosts have the same numbers."""
    cells = {name.lower(): cell for name, cell in row.items()}
    gpu = next((cells[name] for name in _GPU if name in cells), "0")
    host = next((cells[name] for name in _HOST if name in cells), "")
    return f"{host} {gpu}" if host else gpu


def _name(cell: str) -> str:
    """Name of a column, without its unit in brackets."""
    cell = cell.strip()
    return cell.partition("[")[0].rstrip() if cell.endswith("]") else cell


def _csv(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of a CSV, by the names of its first line without their units."""
    lines = text.splitlines()
    head = [_name(cell) for cell in (lines or [""])[0].split(",")]
    if not any(name in head for name in _POWER):
        named = ", ".join(head) or "nothing"
        message = (
            f"line 1 names no power.draw, it has: {named[:120]}; log with a header: nvidia-smi --query-gpu="
            "timestamp,index,power.draw,utilization.gpu --format=csv -l 1"
        )
        raise ReadError(message)
    for place, cells in enumerate(csv.reader(lines[1:], skipinitialspace=True), 2):
        if not cells or [_name(one) for one in cells] == head:
            continue
        yield place, by_column(f"line {place}", head, [one.strip() for one in cells])


def _dmon(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of dcgmi dmon: "GPU 0  59.2  100" below a line "#Entity POWER GPUTL"."""
    head: Sequence[str] = ()
    for place, line in enumerate(text.splitlines(), 1):
        cells = line.split()
        if cells[:1] == ["#Entity"]:
            head = cells[1:]
            if not any(name in head for name in _POWER):
                message = f"line {place}: dcgmi dmon has no POWER, it has {', '.join(head)}: add field 155 (-e 155,203)"
                raise ReadError(message)
        elif cells[:1] == ["GPU"]:
            yield place, {"index": cells[1], **by_column(f"line {place}", head, cells[2:])}


def _number(place: int, row: Mapping[str, str], names: Sequence[str]) -> float | None:
    """The number of the first of some columns; None where the tool knew none."""
    for name in names:
        if name not in row or row[name] in _NONE:
            continue
        match = _VALUE.match(row[name])
        if not match:
            message = f"line {place}: {name} must be a number, not {shown(row[name])}: give the log as it was written"
            raise ReadError(message)
        return float(match[1])
    return None

"""GPU power and utilization over time: of nvidia-smi (CSV), dcgmi dmon, dcgm-exporter, or CSV of DCGM's field names.

nvidia-smi: `--query-gpu=timestamp,index,power.draw,utilization.gpu --format=csv -l 1`. dcgmi: `dmon -e 155,203`, whose
columns are named as DCGM's dcgm_fields.cpp does (POWER, GPUTL); a header comes again after some rows. dcgm-exporter:
what /metrics prints, each scrape a sample of every GPU.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from calculators.measured.record import ReadError, by_column, line_of, plain_text, reading, shown

_POWER = ("power.draw", "power.draw.instant", "power.draw.average", "POWER", "DCGM_FI_DEV_POWER_USAGE")
_BUSY = ("utilization.gpu", "GPUTL", "DCGM_FI_DEV_GPU_UTIL")
# Names of the GPU in lower case; tables of DCGM's fields have ID or GPU-Id, and the host in a column of its own.
_GPU = ("index", "gpu-id", "gpu_id", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "gpu", "name", "gpu_name", "id")
_EXPORTED = re.compile(r"^\s*(DCGM_FI_\w+)\{(.*)\}\s+(\S+)(?:\s+\d+)?\s*$", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="([^"]*)"')
_COUNTERS = re.compile(r"^\s*DCGM_FI_\w+\s*,[^,]*\b(?:gauge|counter|label)\b", re.MULTILINE)
_HOST = ("hostname", "host", "node")
_VALUE = re.compile(r"^(-?[\d.]+(?:e[+-]?\d+)?)\s*(?:W|%)?$")
_NONE = ("", "N/A", "[N/A]", "[Not Supported]", "[Unknown Error]")
_BLANK = 0x7FFFFFF0  # and above: no value, of dcgm_structs.h (DCGM_INT32_BLANK, DCGM_FP64_BLANK, DCGM_INT64_BLANK)
_PERCENT = 100
_DMON = "#Entity"


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
    rows = list(_rows(text))
    column = _column([row for _, row in rows])
    for place, row in rows:
        gpu = _gpu(row, column)
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


def _rows(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of any of the formats, by the names of their columns, with their lines."""
    if _DMON in text:
        return _dmon(text)
    if _EXPORTED.search(text):
        return _exported(text)
    if _COUNTERS.search(text):
        message = "this lists what dcgm-exporter collects, not what it measured: give what its /metrics prints"
        raise ReadError(message)
    return _csv(text)


def _column(rows: Sequence[Mapping[str, str]]) -> str:
    """Column that identifies a GPU: of those that name one, the one with most names that come again.

    Some logs have two of them, such as a number of the GPU and an index that is 0 in each row.
    """
    names = {name.lower(): name for row in rows[:1] for name in row}
    known = [names[name] for name in _GPU if name in names]
    different = {name: len({row.get(name, "") for row in rows}) for name in known}
    again = [name for name in known if different[name] < len(rows)] or known
    return max(again, key=different.__getitem__, default="")


def _gpu(row: Mapping[str, str], column: str) -> str:
    """Name of the GPU of a row, with its host where there is one: GPUs of two hosts have the same numbers."""
    cells = {name.lower(): cell for name, cell in row.items()}
    gpu = row.get(column, "0")
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


def _exported(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of dcgm-exporter: the labels of a GPU with its power and utilization, a row for each scrape."""
    under_way: dict[tuple[str, ...], tuple[int, dict[str, str]]] = {}
    for match in _EXPORTED.finditer(text):
        field, value = match[1], match[3]
        if field not in {*_POWER, *_BUSY}:
            continue
        labels = dict(_LABEL.findall(match[2]))
        gpu = (labels.get("Hostname", ""), labels.get("UUID", ""), labels.get("gpu", ""))
        if field in under_way.get(gpu, (0, {}))[1]:
            yield under_way.pop(gpu)
        place = line_of(text, match.start(1))
        _, row = under_way.setdefault(gpu, (place, dict(zip(("Hostname", "uuid", "gpu"), gpu, strict=True))))
        row[field] = value
    yield from under_way.values()


def _dmon(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of dcgmi dmon: "GPU 0  59.2  100" below a line "#Entity POWER GPUTL"; each may follow a time."""
    head: Sequence[str] = ()
    before = 0
    for place, line in enumerate(text.splitlines(), 1):
        cells = line.split()
        if _DMON in cells:
            before = cells.index(_DMON)
        cells = cells[before:]
        if cells[:1] == [_DMON]:
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
        value = float(match[1])
        if value < _BLANK:
            return value
    return None

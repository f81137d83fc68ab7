"""GPU power and utilization over time: of nvidia-smi (CSV), dcgmi dmon, dcgm-exporter, or CSV of DCGM's field names.

nvidia-smi: `--query-gpu=timestamp,index,power.draw,utilization.gpu --format=csv -l 1`. dcgmi: `dmon -e 155,203`, whose
columns are named as DCGM's dcgm_fields.cpp does (POWER, GPUTL); a header comes again after some rows. dcgm-exporter:
what /metrics prints, each scrape a sample of every GPU.
"""

import itertools
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isnan, nan
from statistics import fmean

from calculators.files import shown
from calculators.measured.pieces import Piece, Reading, pieces
from calculators.measured.record import ReadError, by_column, csv_rows, plain_text, reading
from calculators.pauses import finished

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
_DMON, _FIELD = "#Entity", "DCGM_FI_"


@dataclass(frozen=True, kw_only=True)
class GpuPower:
    """Samples of one GPU: power [W] and utilization [share], None where the log does not state it."""

    gpu: str
    watts: tuple[float, ...]
    busy: tuple[float, ...]


class PowerLog:
    """Samples of every GPU: power of all in rising order [W], means of each GPU and of all, mean utilization.

    `busy` is None where the log does not state utilization. All is added up once, for every state.
    """

    def __init__(self, gpus: Sequence[GpuPower]) -> None:
        self.gpus = gpus
        self.means = {gpu.gpu: fmean(gpu.watts) for gpu in gpus}
        self.watts = sorted(each for gpu in gpus for each in gpu.watts)
        self.mean = fmean(self.watts)
        busy = [each for gpu in gpus for each in gpu.busy]
        self.busy = fmean(busy) if busy else None


def runs(text: str) -> list[GpuPower]:
    """Samples of every GPU. Raises ReadError."""
    return [*finished(read(text)).gpus]


def read(text: str) -> Reading[PowerLog]:
    """Read a log with pauses. Raises ReadError."""
    text = plain_text(text)
    table = _Table()
    with reading():
        for piece, rows in _rows(text):
            for place, row in rows:
                table.add(place, row)
            yield piece.end
    gpus = tuple(table.gpus())
    if not gpus:
        message = "there is no row with a power in it: log for a while under load, nvidia-smi … -l 1"
        raise ReadError(message)
    yield len(text)
    return PowerLog(gpus)


_Rows = Iterator[tuple[int, Mapping[str, str]]]


class _Table:
    """Power and utilization of each row, and what it says of the GPU, by columns that may identify one."""

    def __init__(self) -> None:
        self.rows = 0
        self._columns: Sequence[str] | None = None
        self._host = ""
        self._names: dict[str, dict[str, int]] = {}  # of each column: what is in it, numbered
        self._numbers: dict[str, array[int]] = {}
        self._watts = array("d")
        self._busy = array("d")

    def add(self, place: int, row: Mapping[str, str]) -> None:
        """Add a row. Raises ReadError."""
        if self._columns is None:
            names = {name.lower(): name for name in row}
            self._columns = [names[name] for name in (*_GPU, *_HOST) if name in names]
            self._host = next((names[name] for name in _HOST if name in names), "")
            self._names = {name: {} for name in self._columns}
            self._numbers = {name: array("l") for name in self._columns}
        self.rows += 1
        for name in self._columns:
            known = self._names[name]
            self._numbers[name].append(known.setdefault(row.get(name, ""), len(known)))
        watts = _number(place, row, _POWER)
        busy = None if watts is None else _number(place, row, _BUSY)
        self._watts.append(nan if watts is None else watts)
        self._busy.append(nan if busy is None else busy / _PERCENT)

    def gpus(self) -> Iterator[GpuPower]:
        """Samples by GPU, with its host where there is one: GPUs of two hosts have the same numbers."""
        column = self._column()
        watts: dict[tuple[int, int], list[float]] = {}
        busy: dict[tuple[int, int], list[float]] = {}
        hosts, numbers = (self._numbers.get(name) or itertools.repeat(0, self.rows) for name in (self._host, column))
        for key, power, used in zip(zip(hosts, numbers, strict=True), self._watts, self._busy, strict=True):
            if not isnan(power):
                watts.setdefault(key, []).append(power)
                if not isnan(used):
                    busy.setdefault(key, []).append(used)
        host_names, names = ([*self._names.get(name, "")] for name in (self._host, column))
        for key, found in watts.items():
            host, gpu = key
            name = names[gpu] if names else "0"
            named = f"{host_names[host]} {name}" if host_names and host_names[host] else name
            yield GpuPower(gpu=named, watts=tuple(found), busy=tuple(busy.get(key, ())))

    def _column(self) -> str:
        """Column that identifies a GPU: of those that name one, the one with most names that come again.

        Some logs have two of them, such as a number of the GPU and an index that is 0 in each row.
        """
        different = {name: len(found) for name, found in self._names.items() if name.lower() in _GPU and any(found)}
        again = [name for name, count in different.items() if count < self.rows] or [*different]
        return max(again, key=different.__getitem__, default="")


def _rows(text: str) -> Iterator[tuple[Piece, _Rows]]:
    """Rows of any of the formats, piece by piece, by the names of their columns, with their lines."""
    if _DMON in text:
        return _dmon(text)
    if _FIELD in text and _EXPORTED.search(text):
        return _exported(text)
    if _FIELD in text and _COUNTERS.search(text):
        message = "this lists what dcgm-exporter collects, not what it measured: give what its /metrics prints"
        raise ReadError(message)
    return _csv(text)


def _name(cell: str) -> str:
    """Name of a column, without its unit in brackets."""
    cell = cell.strip()
    return cell.partition("[")[0].rstrip() if cell.endswith("]") else cell


def _csv(text: str) -> Iterator[tuple[Piece, _Rows]]:
    """Rows of a CSV, by the names of its first line without their units."""
    head: Sequence[str] = ()
    for piece in pieces(text or "\n"):
        lines = piece.lines
        if not head:
            head = [_name(cell) for cell in lines[0].split(",")]
            lines = ["", *lines[1:]]
            if not any(name in head for name in _POWER):
                named = ", ".join(head) or "nothing"
                message = (
                    f"line 1 names no power.draw, it has: {named[:120]}; log with a header: nvidia-smi --query-gpu="
                    "timestamp,index,power.draw,utilization.gpu --format=csv -l 1"
                )
                raise ReadError(message)
        yield piece, _of_csv(head, csv_rows(lines), piece.line)


def _of_csv(head: Sequence[str], rows: Iterable[tuple[int, list[str]]], line: int) -> _Rows:
    for number, cells in rows:
        place = line + number - 1
        if not cells or (_name(cells[0]) == head[0] and [_name(one) for one in cells] == head):
            continue
        yield place, by_column(f"line {place}", head, [one.strip() for one in cells])


def _exported(text: str) -> Iterator[tuple[Piece, _Rows]]:
    """Rows of dcgm-exporter: the labels of a GPU with its power and utilization, a row for each scrape."""
    under_way: dict[tuple[str, ...], tuple[int, dict[str, str]]] = {}
    for piece in pieces(text):
        yield piece, _of_exporter(piece, under_way)
    yield piece, iter(under_way.values())


def _of_exporter(piece: Piece, under_way: dict[tuple[str, ...], tuple[int, dict[str, str]]]) -> _Rows:
    """Rows that are whole, as the next scrape of their GPU begins."""
    for place, line in piece.numbered():
        match = _EXPORTED.match(line) if _FIELD in line else None
        if not match or match[1] not in {*_POWER, *_BUSY}:
            continue
        field, value = match[1], match[3]
        labels = dict(_LABEL.findall(match[2]))
        gpu = (labels.get("Hostname", ""), labels.get("UUID", ""), labels.get("gpu", ""))
        if field in under_way.get(gpu, (0, {}))[1]:
            yield under_way.pop(gpu)
        _, row = under_way.setdefault(gpu, (place, dict(zip(("Hostname", "uuid", "gpu"), gpu, strict=True))))
        row[field] = value


def _dmon(text: str) -> Iterator[tuple[Piece, _Rows]]:
    """Rows of dcgmi dmon: "GPU 0  59.2  100" below a line "#Entity POWER GPUTL"; each may follow a time."""
    head: list[str] = []
    for piece in pieces(text):
        yield piece, _of_dmon(piece, head)


def _of_dmon(piece: Piece, head: list[str]) -> _Rows:
    """Rows of a piece below `head`, the last line of names, which a piece may renew."""
    for place, line in piece.numbered():
        cells = line.split()
        if _DMON in cells:
            head[:] = cells
            if not any(name in head for name in _POWER):
                columns = ", ".join(cells[cells.index(_DMON) + 1 :])
                message = f"line {place}: dcgmi dmon has no POWER, it has {columns}: add field 155 (-e 155,203)"
                raise ReadError(message)
        before = head.index(_DMON) if head else 0
        if cells[before : before + 1] == ["GPU"]:
            names = head[before + 1 :]
            yield place, {"index": cells[before + 1], **by_column(f"line {place}", names, cells[before + 2 :])}


def _number(place: int, row: Mapping[str, str], names: Sequence[str]) -> float | None:
    """The number of the first of some columns; None where the tool knew none."""
    for name in names:
        if (cell := row.get(name)) is None:
            continue
        value = _value(cell)
        if value is None:
            message = f"line {place}: {name} must be a number, not {shown(cell)}: give the log as it was written"
            raise ReadError(message)
        if value < _BLANK:
            return value
    return None


@lru_cache(maxsize=1 << 16)
def _value(cell: str) -> float | None:
    """Number in a cell; infinite for what tools write without one, None for what is none."""
    if cell in _NONE:
        return inf
    match = _VALUE.match(cell)
    return float(match[1]) if match else None

"""Text of IOR 3 and 4: rows of access and bandwidth, with the options printed above them.

Columns as IOR's ior-output.c prints them (hpc/ior at 5fcf0ba); 3.0 to 3.2 print them without IOPS and latency. The
column Latency(s) has had three meanings, 420 s among them in a run of 420 s, and is not read: each task has one request
outstanding, so that tasks ÷ IOPS is the mean latency.
"""

import math
import re
from collections.abc import Mapping, Sequence

from calculators.measured.record import Kind, ReadError, StorageRun, by_column, count, number

_BEGIN = re.compile(r"^[ \t]*IOR-([\d.]+\S*): MPI Coordinated Test", re.MULTILINE)
_OPTION = re.compile(r"^\s*([A-Za-z][\w ()-]*?)\s*[:=]\s(.*)$")
_RATE, _SIZES = ("access", "bw(MiB/s)"), ("block(KiB)", "xfer(KiB)")
_TIMES = ("open(s)", "wr/rd(s)", "close(s)", "total(s)", "iter")
_COLUMNS = ((*_RATE, "IOPS", "Latency(s)", *_SIZES, *_TIMES), (*_RATE, *_SIZES, *_TIMES))
_MIB, _KIB = 2.0**20, 1024.0
_ROWS: tuple[Kind, ...] = ("read", "write")


def recognizes(text: str) -> bool:
    """Whether a text is an output of IOR."""
    return bool(_BEGIN.search(text)) or "bw(MiB/s)" in text


def runs(text: str) -> list[StorageRun]:
    """Every test in an output, by direction; of repetitions, the slowest. Raises ReadError."""
    starts = [match.start() for match in _BEGIN.finditer(text)] or [0]
    starts[0] = 0
    ends = [*starts[1:], len(text)]
    sections = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    found: list[StorageRun] = []
    before: set[str] = set()
    line = 1
    for section in sections:
        if section.strip() in before:
            message = f"line {line}: this run is in the file twice: give it once"
            raise ReadError(message)
        before.add(section.strip())
        found += _of_section(section, line)
        line += section.count("\n")
    return found


def _of_section(section: str, first: int) -> list[StorageRun]:
    lines = section.splitlines()
    head = next((place for place, one in enumerate(lines) if one.split()[:2] == ["access", "bw(MiB/s)"]), None)
    if head is None:
        last = first + len(lines) - 1
        message = f"line {last}: IOR ended before its results: give the whole output of a finished run"
        raise ReadError(message)
    columns = tuple(lines[head].split())
    if columns not in _COLUMNS:
        unknown = [one for one in columns if one not in _COLUMNS[0]] or ["another order"]
        message = f"line {first + head}: unknown columns of IOR ({', '.join(unknown)}): this reads IOR 3.0 to 4.1"
        raise ReadError(message)
    options = _options(lines[:head])
    rows: dict[Kind, list[Mapping[str, float]]] = {}
    for place, one in enumerate(lines[head + 1 :], first + head + 1):
        cells = one.split()
        for kind in _ROWS:
            if cells[:1] == [kind] and cells[1:2] != ["-"] and len(cells) > 1:
                rows.setdefault(kind, []).append(_row(place, columns, cells))
        if one.startswith("Summary of all tests"):
            break
    if not rows:
        message = f"line {first + head}: the table has no row of write or read: the run did not finish, run it again"
        raise ReadError(message)
    return [_result(kind, each, options, reads_own_data="write" in rows) for kind, each in rows.items()]


def _row(place: int, columns: Sequence[str], cells: Sequence[str]) -> Mapping[str, float]:
    stated = by_column(f"line {place}", columns[1:], cells[1:])
    return {name: number(f"line {place}", name, cell) for name, cell in stated.items() if cell != "NA"}


def _options(lines: Sequence[str]) -> Mapping[str, str]:
    """Options by name, as printed: "tasks : 640", in 3.0 "clients = 640 (8 per node)"."""
    return {match[1].strip(): match[2].strip() for match in map(_OPTION.match, lines) if match}


def _result(
    kind: Kind, rows: Sequence[Mapping[str, float]], options: Mapping[str, str], *, reads_own_data: bool
) -> StorageRun:
    slowest = min(rows, key=lambda row: row["bw(MiB/s)"])
    command = options.get("Command line", options.get("Command line used", ""))
    words = command.split()
    tasks, per_node = (
        count("the options", name, options[name]) if name in options else 0 for name in ("tasks", "clients per node")
    )
    nodes = math.ceil(tasks / per_node) if tasks and per_node else None
    bandwidth, seconds, rate = slowest["bw(MiB/s)"] * _MIB, slowest["total(s)"], slowest.get("IOPS")
    is_direct = "posix.odirect" in command or "-B" in words or "useO_DIRECT=1" in command
    return StorageRun(
        tool="IOR",
        name=kind,
        kind=kind,
        nodes=nodes,
        bandwidth=bandwidth,
        rate=rate,
        latency=tasks / rate if rate and tasks else None,
        request=slowest["xfer(KiB)"] * _KIB,
        is_random="-z" in words or options.get("ordering in a file") == "random offsets",
        jobs=per_node or None,
        depth=1,
        is_direct=is_direct,
        is_synced=kind == "read" or is_direct or "-e" in words,
        is_shared_file=options.get("access", "").startswith("single-shared-file"),
        reads_own_data=kind == "read"
        and reads_own_data
        and options.get("ordering inter file", "no tasks offsets") == "no tasks offsets",
        seconds=seconds,
        moved=bandwidth * seconds,
    )

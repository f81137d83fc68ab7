"""CSV of elbencho (`--csvfile`): one row per phase, named columns; "last" is when the last worker was done.

Columns as elbencho's Statistics.cpp and ProgArgs.cpp name them (breuner/elbencho at d085b19).
"""

from calculators.measured.record import Kind, ReadError, StorageRun, by_column, csv_rows, number

_NEEDED = (
    *("path type", "hosts", "threads", "file size", "block size", "direct IO", "random", "IO depth", "operation"),
    *("time ms [last]", "entries/s [last]", "IOPS [last]", "MiB/s [last]", "MiB [last]", "IO lat us [avg]"),
)
_PHASES: dict[str, Kind] = {"READ": "read", "WRITE": "write", "STAT": "metadata", "RMFILES": "metadata"}
_QUIET = ("SYNC", "DROPCACHE", "MKDIRS", "RMDIRS", "STATDIRS", "MKBUCKETS", "RMBUCKETS", "LISTOBJ")
_MIB = 2.0**20
_MICRO, _MILLI = 1e-6, 1e-3


def recognizes(text: str) -> bool:
    """Whether a text is a CSV of elbencho."""
    return text.lstrip().startswith("ISO date,label,")


def runs(text: str) -> list[StorageRun]:
    """Every phase of reading, writing, looking up or deleting. Raises ReadError."""
    (_, head), *rows = csv_rows(text.splitlines(keepends=True))
    if missing := [name for name in _NEEDED if name not in head]:
        message = f"line 1: the CSV has no column {', '.join(missing)}: this reads elbencho 2.0 to 3.1"
        raise ReadError(message)
    found, before = [], set()
    for place, cells in rows:
        if not cells or cells == head:
            continue
        row = by_column(f"line {place}", head, cells)
        phase = row["operation"]
        if phase in _QUIET:
            continue
        if phase not in _PHASES:
            known = ", ".join((*_PHASES, *_QUIET))
            message = f"line {place}: unknown operation {phase}: this reads {known}"
            raise ReadError(message)
        if tuple(cells) in before:
            message = f"line {place}: this row is in the file twice: give each run once"
            raise ReadError(message)
        before.add(tuple(cells))
        found.append(_run(f"line {place}", row, _PHASES[phase]))
    if not found:
        last = rows[-1][0] if rows else 1
        message = f"line {last}: no row of WRITE, READ, STAT or RMFILES: the run did not finish, or give --csvfile"
        raise ReadError(message)
    return found


def _run(place: str, row: dict[str, str], kind: Kind) -> StorageRun:
    def of(name: str) -> float | None:
        return number(place, name, row[name]) if row[name] else None

    hosts, threads, latency = of("hosts") or 0.0, of("threads"), of("IO lat us [avg]")
    moved, took, bandwidth = of("MiB [last]"), of("time ms [last]"), of("MiB/s [last]")
    if kind != "metadata" and bandwidth is None:
        message = f"{place}: {row['operation']} has no MiB/s [last]: give the file as elbencho wrote it"
        raise ReadError(message)
    is_direct = row["direct IO"] == "1"
    return StorageRun(
        tool="elbencho",
        name=row["label"] or row["operation"].lower(),
        kind=kind,
        nodes=max(int(hosts), 1),
        bandwidth=None if bandwidth is None or kind == "metadata" else bandwidth * _MIB,
        rate=of("entries/s [last]") if kind == "metadata" else of("IOPS [last]"),
        latency=None if latency is None else latency * _MICRO,
        request=None if kind == "metadata" else of("block size"),
        is_random=row["random"] == "1",
        jobs=threads,
        depth=of("IO depth"),
        is_direct=is_direct,
        is_synced=kind != "write" or is_direct,  # --sync is a phase of its own, after the time of WRITE
        is_shared_file=row["path type"] == "file",
        seconds=None if took is None else took * _MILLI,
        moved=None if moved is None else moved * _MIB,
    )

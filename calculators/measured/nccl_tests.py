"""Outputs of nccl-tests and rccl-tests: collective, number of GPUs, and bus bandwidth of each message size.

The table's head says which columns are between type and time: none, redop, root or both, by version and collective
(NVIDIA/nccl-tests at a0b82b2, util.cu; ROCm/rccl-tests at ae3e635, common.cu). Columns after busbw are not read:
versions since 2.17 add iterations, their spread and timestamps.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from calculators.measured.record import ReadError, line_of, plain_text

_PREFIX = re.compile(r"\[\d+(?:,\d+)?\](?:<stdout>:)?|^\s*\d+:")
_ROW = re.compile(
    r"^\s*(?P<size>\d+)\s+\d+\s+(?:b?float\d*|half|double|u?int\d+|fp8\w*|f8e\w*)\s+"
    r"(?:(?:sum|none|avg|max|min|prod|mulsum|all)\s+)?(?P<rest>[-\d.eEN/A\s]+)$"
)
_HEAD = re.compile(r"#\s+size\s+count\s+(?:\(?elements\)?\s+)?type\s+(.*?)\b(?:cpu)?time\s+algbw\s+busbw")
_CELLS = re.compile(r"^\s*(\d+)\s+\d+\s+([a-z]\w*)\s+(.*)$")
_PLAIN = re.compile(r"^\s*(?P<size>\d+)[\s,;]+(?P<bus>\d+(?:\.\d+)?)\s*$")
_RANK = re.compile(r"#\s+Rank\s+(?P<rank>\d+)\s.*?\son\s+(?P<host>\S+)\s+device")
_NRANKS = re.compile(r"\bnranks (\d+)")
_PROCESSES = re.compile(r"\s--?np? (\d+)\b")
_GPUS_OF_EACH = re.compile(r"\s-g (\d+)\b")
_TEST = re.compile(r"\b([a-z]+(?:_[a-z]+)?)_perf\b")
_STARTED = re.compile(r"# Collective test starting: (\w+)_perf")
_COLLECTIVES = {
    **{name: name for name in ("all_reduce", "reduce_scatter", "all_gather", "broadcast")},
    "alltoall": "all_to_all",
}
_OTHERS = ("sendrecv", "reduce", "gather", "scatter", "hypercube", "alltoallv")
_REDUCTIONS = ("sum", "avg", "max", "min", "prod", "mulsum")
_FEWER, _MORE = 0.95, 1.05  # busbw ÷ algbw of the largest size: below 1 of a reduce-scatter, above of an all-reduce
_CARDS = re.compile(r"NET/IB : Using ((?:\[\d+\][^\[;]+)+)")
_CARD = re.compile(r"\[\d+\]")
_FORCED = re.compile(
    r"NCCL_(?:ALGO|PROTO|NVLS_ENABLE|MAX_NCHANNELS|MIN_NCHANNELS)(?:=| set (?:by environment )?to )\w+"
)
_SOCKETS = re.compile(r"NET/Socket|Using network Socket|NCCL_IB_DISABLE=1")
_IN_HOST_MEMORY = re.compile(r"via SHM|NCCL_P2P_DISABLE=1")
_GIGA = 1e9
_MICRO = 1e-6
_TRIPLE = 3
_WITH_ROOT = (5, 9)


@dataclass(frozen=True, kw_only=True)
class Size:
    """One message size [B], its time [s], None where only a bandwidth was given, and its bus bandwidth [B/s]."""

    size: float
    time: float | None
    bus: float


@dataclass(frozen=True, kw_only=True)
class Run:
    """One output: sizes in rising order, collective and ranks where it names them, and NCCL's debug messages.

    `cards` is the number of NICs that NCCL listed on a host; `forced` are variables that override NCCL's choice.
    """

    sizes: tuple[Size, ...]
    collective: str = ""
    ranks: int | None = None
    hosts: int | None = None
    cards: int | None = None
    forced: tuple[str, ...] = ()
    sockets: bool = False
    in_host_memory: bool = False


def run(text: str) -> Run:
    """Results in an nccl-tests output, or in lines of a size [B] and a bus bandwidth [GB/s]. Raises ReadError.

    Of a size that was measured several times, the slowest.
    """
    text = plain_text(text)
    heads = list(_HEAD.finditer(text))
    if len(heads) > 1:
        line = line_of(text, heads[1].start())
        message = f"Line {line}: the table of a second run begins here: paste the output of one run"
        raise ReadError(message)
    between = heads[0][1].split() if heads else None
    found: dict[float, _Row] = {}
    for one in _rows(text, between):
        before = found.get(one.size.size)
        if before is None or one.size.bus < before.size.bus:
            found[one.size.size] = one
    if not found:
        message = (
            "No results in this text: paste the output of all_reduce_perf, with its rows of size, time, algbw and busbw"
        )
        raise ReadError(message)
    sizes = sorted(found)
    ranked = [(int(match["rank"]), match["host"]) for match in _RANK.finditer(text)]
    cards = [len(_CARD.findall(match[1])) for match in _CARDS.finditer(text)]
    return Run(
        sizes=tuple(found[size].size for size in sizes),
        collective=_collective(text) or found[sizes[-1]].collective,
        ranks=max(rank for rank, _ in ranked) + 1 if ranked else _ranks(text),
        hosts=len({host for _, host in ranked}) or None,
        cards=max(cards, default=None),
        forced=tuple(dict.fromkeys(match[0] for match in _FORCED.finditer(text))),
        sockets=bool(_SOCKETS.search(text)),
        in_host_memory=bool(_IN_HOST_MEMORY.search(text)),
    )


def _collective(text: str) -> str:
    """The collective that an output names; empty where it names none. Raises ReadError for one that is not modeled."""
    started, named = _STARTED.search(text), _TEST.findall(text)
    name = started[1] if started else next((one for one in named if one in (*_COLLECTIVES, *_OTHERS)), "")
    if name and name not in _COLLECTIVES:
        message = f"This is the output of {name}_perf: this reads {', '.join(f'{one}_perf' for one in _COLLECTIVES)}"
        raise ReadError(message)
    return _COLLECTIVES.get(name, "")


def _ranks(text: str) -> int | None:
    """Number of GPUs in an output that lists none: as NCCL prints it (nranks), or from the command."""
    if said := _NRANKS.findall(text):
        return max(map(int, said))
    processes, each = _PROCESSES.search(text), _GPUS_OF_EACH.search(text)
    return int(processes[1]) * (int(each[1]) if each else 1) if processes else None


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A row of the table, and the collective that its columns give away; empty where several fit."""

    size: Size
    collective: str = ""


def _rows(text: str, between: list[str] | None) -> Iterator[_Row]:
    """Out-of-place results, in-place ones where a version prints these only; `between` are columns before the time."""
    for line in text.splitlines():
        stripped = _PREFIX.sub(" ", line)
        if plain := _PLAIN.match(stripped):
            one = Size(size=float(plain["size"]), time=None, bus=float(plain["bus"]) * _GIGA)
            yield from _positive(_Row(size=one))
        elif between is not None and (cells := _CELLS.match(stripped)):
            yield from _row(
                cells[1], cells[3].split()[len(between) :], dict(zip(between, cells[3].split(), strict=False))
            )
        elif between is None and (row := _ROW.match(stripped)):
            columns = row["rest"].split()
            yield from _row(row["size"], columns[1:] if len(columns) in _WITH_ROOT else columns, {})


def _row(size: str, columns: list[str], named: dict[str, str]) -> Iterator[_Row]:
    """The row where its first three columns are a time [us] and two bandwidths [GB/s]."""
    try:
        time, algorithm, bus = map(float, columns[:_TRIPLE])
    except ValueError:
        return
    collective = ""
    if algorithm and named.get("redop") in _REDUCTIONS and named.get("root", "-1") == "-1":
        share = bus / algorithm
        collective = "all_reduce" if share > _MORE else "reduce_scatter" if 0 < share < _FEWER else ""
    yield from _positive(_Row(size=Size(size=float(size), time=time * _MICRO, bus=bus * _GIGA), collective=collective))


def _positive(one: _Row) -> Iterator[_Row]:
    if one.size.size > 0 and one.size.bus >= 0:
        yield one

"""Outputs of nccl-tests and rccl-tests: collective, number of GPUs, and bus bandwidth of each message size.

The table's head says which columns are between type and time: none, redop, root or both, by version and collective
(NVIDIA/nccl-tests at a0b82b2, util.cu; ROCm/rccl-tests at ae3e635, common.cu). Columns after busbw are not read:
versions since 2.17 add iterations, their spread and timestamps.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calculators.measured.pieces import Piece, Reading, pieces
from calculators.measured.record import ReadError, plain_text, whole
from calculators.pauses import finished

_PREFIX = re.compile(r"\[\d+(?:,\d+)?\](?:<stdout>:)?|^\s*\d+:")
_TYPE = re.compile(r"b?float\d*|half|double|u?int\d+|fp8\w*|f8e\w*")
_REDUCTION = re.compile(r"sum|none|avg|max|min|prod|mulsum|all")
_HEAD = re.compile(r"#\s+size\s+count\s+(?:\(?elements\)?\s+)?type\s+(.*?)\b(?:cpu)?time\s+algbw\s+busbw")
_CELLS = re.compile(r"^\s*(\d+)\s+\d+\s+([a-z]\w*)\s+(.*)$")
_BEYOND_ANY = 1e5  # GB/s: no bandwidth, as in a row of the table that is cut after its count of elements
_COMMA = re.compile(r"^\s*\d+[\s;]+\d+,\d+\s*$")
_PLAIN = re.compile(r"^\s*(?P<size>\d+)[\s,;]+(?P<bus>\d+(?:\.\d+)?)\s*$")
_RANK = re.compile(r"#\s+Rank\s+(?P<rank>\d+)\s.*?\son\s+(?P<host>\S+)\s+device(?:\s+\d+ \[[^\]\n]*\](?P<gpu>[^\n]*))?")
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
_RCCL = re.compile(r"^rccl-tests: |\bRCCL version\b", re.MULTILINE)
_IN_HOST_MEMORY = re.compile(r"via SHM|NCCL_P2P_DISABLE=1")
_DEBUG = "NCCL INFO"
_GIGA = 1e9
_MICRO = 1e-6
_TRIPLE = 3
_MISSING = "N/A"
_LONGEST_SHOWN = 60
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

    `gpu` is the name of the devices, empty where they have none or several; `rccl` is True for AMD's library. `cards`
    is the number of NICs that NCCL listed on a host; `forced` are variables that override NCCL's choice.
    """

    sizes: tuple[Size, ...]
    collective: str = ""
    ranks: int | None = None
    hosts: int | None = None
    gpu: str = ""
    rccl: bool = False
    cards: int | None = None
    forced: tuple[str, ...] = ()
    sockets: bool = False
    in_host_memory: bool = False


class _Output:
    """Output read so far: the columns before the time, a row per size, and findings of the lines around the table."""

    def __init__(self) -> None:
        self.between: list[str] | None = None
        self.rows: dict[float, _Row] = {}
        self.started = self.named = ""
        self.ranks: set[int] = set()
        self.hosts: set[str] = set()
        self.gpus_named: set[str] = set()
        self.rccl = False
        self.stated_ranks: int | None = None
        self.command_ranks: int | None = None
        self.gpus_of_each: int | None = None
        self.cards: int | None = None
        self.forced: dict[str, None] = {}
        self.sockets = self.in_host_memory = False

    def add(self, piece: Piece) -> None:
        """Read a piece. Raises ReadError where the table of a second run begins."""
        for head in _HEAD.finditer(piece.text):
            if self.between is not None:
                line = piece.line_of(head.start())
                message = f"Line {line}: the table of a second run begins here: paste the output of one run"
                raise ReadError(message)
            self.between = head[1].split()
        for one in _rows(piece.numbered(), self.between):
            before = self.rows.get(one.size.size)
            if before is None or one.size.bus < before.size.bus:
                self.rows[one.size.size] = one
        self._add_names(piece.text)
        self._add_job(piece.text)
        self._add_debug(piece.text)

    def _add_names(self, text: str) -> None:
        """The collective, by what nccl-tests says that it starts, else by the first of its commands."""
        if "_perf" not in text:
            return
        if not self.started and (match := _STARTED.search(text)):
            self.started = match[1]
        self.named = self.named or next((one for one in _TEST.findall(text) if one in (*_COLLECTIVES, *_OTHERS)), "")

    def _add_job(self, text: str) -> None:
        """GPUs and hosts: as listed, as NCCL prints them (nranks), or from the command."""
        for listed in _RANK.finditer(text):
            self.ranks.add(whole(listed["rank"]))
            self.hosts.add(listed["host"])
            self.gpus_named.add((listed["gpu"] or "").strip())
        self.rccl = self.rccl or bool(_RCCL.search(text))
        if "nranks " in text:
            self.stated_ranks = max([self.stated_ranks or 0, *map(whole, _NRANKS.findall(text))])
        if self.command_ranks is None and (match := _PROCESSES.search(text)):
            self.command_ranks = whole(match[1])
        if self.gpus_of_each is None and (match := _GPUS_OF_EACH.search(text)):
            self.gpus_of_each = whole(match[1])

    def _add_debug(self, text: str) -> None:
        """Read a line that NCCL_DEBUG prints."""
        if "NET/IB : Using" in text:
            cards = [len(_CARD.findall(match[1])) for match in _CARDS.finditer(text)]
            self.cards = max([self.cards or 0, *cards]) or None
        self.forced |= dict.fromkeys(match[0] for match in _FORCED.finditer(text))
        self.sockets = self.sockets or bool(_SOCKETS.search(text))
        self.in_host_memory = self.in_host_memory or bool(_IN_HOST_MEMORY.search(text))

    @property
    def collective(self) -> str:
        """The collective that is named; empty for none. Raises ReadError for one that is not modeled."""
        name = self.started or self.named
        if name and name not in _COLLECTIVES:
            message = (
                f"This is the output of {name}_perf: this reads {', '.join(f'{one}_perf' for one in _COLLECTIVES)}"
            )
            raise ReadError(message)
        return _COLLECTIVES.get(name, "")

    @property
    def gpus(self) -> int | None:
        """Number of GPUs."""
        if self.ranks:
            return max(self.ranks) + 1
        if self.stated_ranks:
            return self.stated_ranks
        return None if self.command_ranks is None else self.command_ranks * (self.gpus_of_each or 1)


def run(text: str) -> Run:
    """Results in an nccl-tests output, or in lines of a size [B] and a bus bandwidth [GB/s]. Raises ReadError.

    Of a size that was measured several times, the slowest.
    """
    return finished(read(text))


def read(text: str) -> Reading[Run]:
    """Read an output as `run` does, with pauses. Raises ReadError."""
    output = _Output()
    for piece in pieces(plain_text(text).replace("\t", " ")):
        output.add(piece)
        yield piece.end
    if not output.rows:
        message = (
            "No results in this text: paste the output of all_reduce_perf, with its rows of size, time, algbw and busbw"
        )
        raise ReadError(message)
    sizes = sorted(output.rows)
    return Run(
        sizes=tuple(output.rows[size].size for size in sizes),
        collective=output.collective or output.rows[sizes[-1]].collective,
        ranks=output.gpus,
        hosts=len(output.hosts) or None,
        gpu=next(iter(output.gpus_named)) if len(output.gpus_named) == 1 else "",
        rccl=output.rccl,
        cards=output.cards,
        forced=tuple(output.forced),
        sockets=output.sockets,
        in_host_memory=output.in_host_memory,
    )


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A row of the table, and the collective that its columns give away; empty where several fit."""

    size: Size
    collective: str = ""


def _rows(lines: Iterable[tuple[int, str]], between: list[str] | None) -> Iterator[_Row]:
    """Out-of-place results, in-place ones where a version prints these only; `between` are columns before the time."""
    for place, line in lines:
        if not line or _DEBUG in line:
            continue
        stripped = _PREFIX.sub(" ", line)
        plain = _PLAIN.match(stripped) if between is None else None
        if plain and float(plain["bus"]) < _BEYOND_ANY:
            one = Size(size=float(plain["size"]), time=None, bus=float(plain["bus"]) * _GIGA)
            yield from _positive(_Row(size=one))
        elif cells := _CELLS.match(stripped):
            yield from _of_table(place, cells, between)
        elif between is None and _COMMA.match(stripped):
            message = f"Line {place}: “{stripped.strip()}” has a decimal comma: write a size and GB/s as 1048576 51.75"
            raise ReadError(message)


def _of_table(place: int, cells: re.Match[str], between: list[str] | None) -> Iterator[_Row]:
    """The row of a table; of a line that only looks like one, none. Raises ReadError for a value that is none."""
    is_row = bool(_TYPE.fullmatch(cells[2]))
    columns = cells[3].split()
    if between is None:
        if not is_row:
            return
        columns = columns[1:] if columns and _REDUCTION.fullmatch(columns[0]) else columns
        values, named = columns[1:] if len(columns) in _WITH_ROOT else columns, {}
    else:
        values, named = columns[len(between) :], dict(zip(between, columns, strict=False))
    values = values[:_TRIPLE]
    if _MISSING in values:
        return
    try:
        time, algorithm, bus = map(float, values)
    except ValueError:
        if is_row:
            raise ReadError(_no_values(place, values)) from None
        return
    if not (0 <= time < math.inf and 0 <= algorithm < _BEYOND_ANY and 0 <= bus < _BEYOND_ANY):
        raise ReadError(_no_values(place, values))
    yield from _row(float(cells[1]), time, algorithm, bus, named)


def _no_values(place: int, values: Sequence[str]) -> str:
    there = " ".join(values)[:_LONGEST_SHOWN] or "nothing"
    return f"Line {place}: “{there}” is no time, algbw and busbw: paste the output as it was printed, with whole rows"


def _row(size: float, time: float, algorithm: float, bus: float, named: dict[str, str]) -> Iterator[_Row]:
    """A row of a time [us] and two bandwidths [GB/s], with the collective where these two give it away."""
    collective = ""
    if algorithm and named.get("redop") in _REDUCTIONS and named.get("root", "-1") == "-1":
        share = bus / algorithm
        collective = "all_reduce" if share > _MORE else "reduce_scatter" if 0 < share < _FEWER else ""
    yield from _positive(_Row(size=Size(size=size, time=time * _MICRO, bus=bus * _GIGA), collective=collective))


def _positive(one: _Row) -> Iterator[_Row]:
    if one.size.size > 0 and one.size.bus >= 0:
        yield one

"""Outputs of nccl-tests: the collective, its number of GPUs, and the bus bandwidth of each message size."""

import re
from dataclasses import dataclass

from calculators import files

_PREFIX = re.compile(r"\[\d+(?:,\d+)?\](?:<stdout>:)?|^\s*\d+:")
_ROW = re.compile(
    r"^\s*(?P<size>\d+)\s+\d+\s+(?:b?float\d*|half|double|u?int\d+|fp8\w*|f8e\w*)\s+"
    r"(?:(?:sum|none|avg|max|min|prod|mulsum|all)\s+)?(?P<rest>[-\d.eEN/A\s]+)$"
)
_PLAIN = re.compile(r"^\s*(?P<size>\d+)[\s,;]+(?P<bus>\d+(?:\.\d+)?)\s*$")
_RANK = re.compile(r"#\s+Rank\s+(?P<rank>\d+)\s.*?\son\s+(?P<host>\S+)\s+device")
_NRANKS = re.compile(r"\bnranks (\d+)")
_PROCESSES = re.compile(r"\s--?np? (\d+)\b")
_GPUS_OF_EACH = re.compile(r"\s-g (\d+)\b")
_TEST = re.compile(r"\b(all_reduce|reduce_scatter|all_gather|broadcast|alltoall)_perf")
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


class LogError(ValueError):
    """Text without a result of nccl-tests; the message says what to paste."""


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
    """Results in an nccl-tests output, or in lines of a size [B] and a bus bandwidth [GB/s]. Raises LogError."""
    found: dict[float, Size] = {}
    try:
        text = files.plain(text)
    except ValueError as error:
        raise LogError(str(error).capitalize()) from None
    for line in text.splitlines():
        if one := _size(line):
            found[one.size] = one
    if not found:
        raise LogError(
            "No results in this text: paste the output of all_reduce_perf, with its rows of size, time, algbw and busbw"
        )
    ranked = [(int(match["rank"]), match["host"]) for match in _RANK.finditer(text)]
    test = _TEST.search(text)
    cards = [len(_CARD.findall(match[1])) for match in _CARDS.finditer(text)]
    return Run(
        sizes=tuple(found[size] for size in sorted(found)),
        collective={"alltoall": "all_to_all"}.get(test[1], test[1]) if test else "",
        ranks=max(rank for rank, _ in ranked) + 1 if ranked else _ranks(text),
        hosts=len({host for _, host in ranked}) or None,
        cards=max(cards, default=None),
        forced=tuple(dict.fromkeys(match[0] for match in _FORCED.finditer(text))),
        sockets=bool(_SOCKETS.search(text)),
        in_host_memory=bool(_IN_HOST_MEMORY.search(text)),
    )


def _ranks(text: str) -> int | None:
    """Number of GPUs in an output that lists none: as NCCL prints it (nranks), or from the command."""
    if said := _NRANKS.findall(text):
        return max(map(int, said))
    processes, each = _PROCESSES.search(text), _GPUS_OF_EACH.search(text)
    return int(processes[1]) * (int(each[1]) if each else 1) if processes else None


def _size(line: str) -> Size | None:
    """Out-of-place result on a line; None for any other line, and for a size of 0."""
    stripped = _PREFIX.sub(" ", line)
    if plain := _PLAIN.match(stripped):
        return _positive(Size(size=float(plain["size"]), time=None, bus=float(plain["bus"]) * _GIGA))
    row = _ROW.match(stripped)
    if not row:
        return None
    columns = row["rest"].split()
    if len(columns) in _WITH_ROOT:
        columns = columns[1:]
    try:
        time, _, bus = map(float, columns[:_TRIPLE])
    except ValueError:
        return None
    return _positive(Size(size=float(row["size"]), time=time * _MICRO, bus=bus * _GIGA))


def _positive(one: Size) -> Size | None:
    return one if one.size > 0 and one.bus >= 0 else None

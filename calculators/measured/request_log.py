"""Logs of requests: how often they come, how long prompts and outputs are, and how much of the prompts repeats.

CSV with a line of names, or a JSON object per line, with a time and two counts of tokens under the names of published
traces: Azure's (AzureLLMInferenceTrace), BurstGPT's, Vidur's and Splitwise's (all CSV), Mooncake's, Qwen's on Bailian,
LMBench's and APEX's (all JSON lines; but for the last, prompts are hashes of blocks). Other names are an error that
lists them. A time is a date or a number, whose unit follows from its name, its size or the trace's other names.
"""

import datetime
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.measured.record import ReadError, by_column, csv_rows, json_of, number, plain_text, reading, since_1970

_MILLI, _NANO = 1e-3, 1e-9
_TIMES = (
    "timestamp",
    "timestamp_ms",
    "time",
    "arrival_time",
    "arrival_timestamp",
    "arrived_at",
    "created_at",
    "created_time",
    "starttimeoffset",
)
_INPUTS = (
    "contexttokens",
    "request tokens",
    "input_length",
    "input_tokens",
    "prompt_tokens",
    "num_prefill_tokens",
    "prompt_size",
)
_OUTPUTS = (
    "generatedtokens",
    "response tokens",
    "output_length",
    "output_tokens",
    "completion_tokens",
    "num_decode_tokens",
    "token_size",
)
_BLOCKS = "hash_ids"
_CHAT = "chat_id"  # of Qwen's traces, which have blocks and seconds; others with blocks have milliseconds
_UNITS_BY_NAME = {"timestamp_ms": _MILLI, "starttimeoffset": _NANO}
# A time since 1970 is above these numbers in nano-, micro-, milliseconds and seconds (from 2001 on).
_UNITS_SINCE_1970 = ((1e17, _NANO), (1e14, 1e-6), (1e11, _MILLI), (1e9, 1.0))
_MINUTE = 60.0
_P50, _P90, _P99 = 0.5, 0.9, 0.99
_FEW = 2
_LONGEST_HEAD = 120


@dataclass(frozen=True, kw_only=True)
class Lengths:
    """A distribution of lengths [token]: mean and percentiles of the requests themselves."""

    mean: float
    p50: float
    p90: float
    p99: float


@dataclass(frozen=True, kw_only=True)
class RequestLog:
    """Requests: number, time from the first to the last [s], those of the busiest minute, lengths, repeated prompts.

    `prefix_share` is the share of prompt blocks before the first one that is new, which a cache that forgets nothing
    would have; None where the log has no hashes.
    """

    requests: int
    seconds: float
    busiest_minute: int
    prompt: Lengths
    output: Lengths
    prefix_share: float | None

    @property
    def rate(self) -> float:
        """Mean rate of arrivals [request/s]."""
        return self.requests / self.seconds

    @property
    def given(self) -> dict[str, str]:
        """Inputs of the calculator of inference that the log states."""
        known = {
            "request_rate": self.rate,
            "input_tokens": round(self.prompt.mean),
            "output_tokens": round(self.output.mean),
        }
        texts = {name: f"{value:.6g}" for name, value in known.items()}
        return texts if self.prefix_share is None else {**texts, "prefix_cache_hit_rate": f"{self.prefix_share:.4f}"}


def recognizes(text: str) -> bool:
    """Whether a text begins as a log of requests: two of a time and counts of tokens in and out, by their names."""
    names = _names(text)
    return sum(any(name in names for name in kind) for kind in (_TIMES, _INPUTS, _OUTPUTS)) >= _FEW


def _names(text: str) -> Sequence[str]:
    """Names in the first line: of CSV's columns, or of a JSON object's members; none where it is neither."""
    first = text.lstrip("\ufeff \r\n").partition("\n")[0]
    try:
        names = [str(name) for name in json_of(first)] if first.startswith("{") else first.split(",")
    except ValueError:
        return ()
    return [_name(name) for name in names]


@reading()
def log(text: str) -> RequestLog:
    """The requests of a log. Raises ReadError, which names the line."""
    rows = list(_rows(plain_text(text).lstrip()))
    stated = sorted(time for time, *_ in rows)
    unit = _unit(_names(text), stated[0]) if rows else 1.0
    times = [time * unit for time in stated]
    if len(rows) < _FEW or times[0] == times[-1]:
        message = "a rate needs two requests at different times: give a longer part of the log"
        raise ReadError(message)
    blocks = [found for *_, found in rows if found]
    minutes = Counter(int((time - times[0]) // _MINUTE) for time in times)
    return RequestLog(
        requests=len(rows),
        seconds=times[-1] - times[0],
        busiest_minute=max(minutes.values()),
        prompt=_lengths([prompt for _, prompt, *_ in rows]),
        output=_lengths([output for _, _, output, _ in rows]),
        prefix_share=_repeated(blocks) if blocks else None,
    )


def _rows(text: str) -> Iterator[tuple[float, float, float, Sequence[Any]]]:
    """Time as stated, prompt and output [token] and blocks of the prompt, of each request."""
    if text.startswith("{"):
        for place, line in enumerate(text.splitlines(), 1):
            if line.strip():
                stated = {_name(name): value for name, value in _parsed(place, line).items()}
                yield _request(place, stated, _read_names(place, stated))
        return
    lines = csv_rows(text.splitlines())
    _, head = next(lines, (1, []))
    heads = [_name(one) for one in head]
    names = _read_names(1, heads)
    for place, cells in lines:
        if cells:
            yield _request(place, by_column(f"line {place}", heads, cells), names)


def _name(stated: str) -> str:
    return stated.strip().lower()


def _read_names(place: int, stated: Collection[str]) -> list[str]:
    """The names of time, prompt and output among those of a line. Raises ReadError where one is missing."""
    found = []
    for known, what in ((_TIMES, "time"), (_INPUTS, "count of prompt tokens"), (_OUTPUTS, "count of output tokens")):
        name = next((one for one in known if one in stated), None)
        if name is None:
            message = (
                f"line {place} has no {what}: it has {', '.join(stated)[:_LONGEST_HEAD]}; this reads {', '.join(known)}"
            )
            raise ReadError(message)
        found.append(name)
    return found


def _parsed(place: int, line: str) -> Mapping[str, Any]:
    try:
        found = json_of(line)
    except ValueError:
        found = None
    if not isinstance(found, Mapping):
        message = f"line {place} is not a JSON object: copy the whole line"
        raise ReadError(message)
    return found


def _request(place: int, stated: Mapping[str, Any], names: Sequence[str]) -> tuple[float, float, float, Sequence[Any]]:
    time, *counts = names
    prompt, output = (number(f"line {place}", name, stated[name]) for name in counts)
    return _time(place, stated[time]), prompt, output, stated.get(_BLOCKS) or ()


def _unit(names: Sequence[str], least: float) -> float:
    """The unit [s] of times of which this is the least, in a log with these names."""
    by_name = next((unit for name, unit in _UNITS_BY_NAME.items() if name in names), None)
    since_1970 = next((unit for start, unit in _UNITS_SINCE_1970 if least > start), None)
    relative = _MILLI if _BLOCKS in names and _CHAT not in names else 1.0
    return by_name or since_1970 or relative


def _time(place: int, stated: Any) -> float:
    """A time as its number, or a date as seconds since 1970."""
    try:
        return float(stated)
    except (TypeError, ValueError):
        pass
    try:
        date = datetime.datetime.fromisoformat(str(stated).strip())
    except ValueError:
        message = f"line {place}: “{str(stated)[:40]}” is no time: write seconds, or a date such as 2026-11-22 01:30:00"
        raise ReadError(message) from None
    return since_1970(date)


def _lengths(counts: list[float]) -> Lengths:
    ordered = sorted(counts)

    def at(share: float) -> float:
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    return Lengths(mean=sum(ordered) / len(ordered), p50=at(_P50), p90=at(_P90), p99=at(_P99))


def _repeated(prompts: Sequence[Sequence[Any]]) -> float:
    """Share of blocks at the beginning of prompts that were seen before.

    >>> _repeated([[1, 2, 3], [1, 2, 4], [5, 2]])
    0.25
    """
    seen: set[Any] = set()
    hits = 0
    for blocks in prompts:
        hits += next((place for place, one in enumerate(blocks) if one not in seen), len(blocks))
        seen.update(blocks)
    return hits / sum(map(len, prompts))

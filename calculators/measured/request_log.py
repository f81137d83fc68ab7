"""Logs of requests: how often they come, how long prompts and outputs are, and how much of the prompts repeats.

CSV with a line of names, or a JSON object per line, with a time and two counts of tokens under the names of published
traces: Azure's (AzureLLMInferenceTrace, CSV), BurstGPT's (CSV), Vidur's (CSV) and Mooncake's (JSON lines, times in
milliseconds, prompts as hashes of blocks). Other names are an error that lists them.
"""

import csv
import datetime
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.measured.record import ReadError, json_of, number, plain_text, reading

_TIMES = ("timestamp", "time", "arrival_time", "arrived_at", "created_at")
_INPUTS = ("contexttokens", "request tokens", "input_length", "input_tokens", "prompt_tokens", "num_prefill_tokens")
_OUTPUTS = (
    "generatedtokens",
    "response tokens",
    "output_length",
    "output_tokens",
    "completion_tokens",
    "num_decode_tokens",
)
_BLOCKS = "hash_ids"
_MILLI = 1e-3
_MINUTE = 60.0
_P50, _P90, _P99 = 0.5, 0.9, 0.99
_FEW = 2


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
    """Whether a text begins as a log of requests: a time and a count of tokens under names known here."""
    first = text.lstrip("\ufeff \r\n").partition("\n")[0]
    if first.startswith("{"):
        try:
            names = [str(name).lower() for name in json_of(first)]
        except ValueError:
            return False
    else:
        names = [name.strip().lower() for name in first.split(",")]
    return any(name in names for name in _TIMES) and any(name in names for name in (*_INPUTS, *_OUTPUTS))


@reading()
def log(text: str) -> RequestLog:
    """The requests of a log. Raises ReadError, which names the line."""
    rows = list(_rows(plain_text(text).lstrip()))
    times = sorted(time for time, *_ in rows)
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
    """Time [s], prompt and output [token] and blocks of the prompt, of each request."""
    if text.startswith("{"):
        for place, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield _request(place, _parsed(place, line))
        return
    lines = csv.reader(text.splitlines())
    heads = next(lines, [])
    for place, cells in enumerate(lines, 2):
        if cells:
            yield _request(place, dict(zip(heads, cells, strict=False)))


def _parsed(place: int, line: str) -> Mapping[str, Any]:
    try:
        found = json_of(line)
    except ValueError:
        found = None
    if not isinstance(found, Mapping):
        message = f"line {place} is not JSON object: copy the whole line"
        raise ReadError(message)
    return found


def _request(place: int, stated: Mapping[str, Any]) -> tuple[float, float, float, Sequence[Any]]:
    named = {name.strip().lower(): value for name, value in stated.items()}
    cells = []
    for names, what in ((_TIMES, "time"), (_INPUTS, "count of prompt tokens"), (_OUTPUTS, "count of output tokens")):
        name = next((one for one in names if one in named), None)
        if name is None:
            message = f"line {place} has no {what}: it has {', '.join(named)}; this reads {', '.join(names)}"
            raise ReadError(message)
        cells.append((name, named[name]))
    (_, time), *counts = cells
    prompt, output = (number(f"line {place}", *one) for one in counts)
    blocks = named.get(_BLOCKS) or ()
    seconds = _seconds(place, time) * (_MILLI if _BLOCKS in named else 1)
    return seconds, prompt, output, blocks


def _seconds(place: int, stated: Any) -> float:
    """A time [s], from a number or a date."""
    try:
        return float(stated)
    except (TypeError, ValueError):
        pass
    try:
        date = datetime.datetime.fromisoformat(str(stated).strip())
    except ValueError:
        message = f"line {place}: “{str(stated)[:40]}” is no time: write seconds, or a date such as 2026-11-22 01:30:00"
        raise ReadError(message) from None
    return (date if date.tzinfo else date.replace(tzinfo=datetime.UTC)).timestamp()


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

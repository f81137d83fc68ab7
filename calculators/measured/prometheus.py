"""Prometheus text of vLLM (/metrics): requests, lengths and their spread, latencies, share of prompts found in a cache.

Names as vLLM's v1 engine exposes them (docs/design/metrics.md). Counters only rise: one scrape gives totals since the
server started, two give what happened between them. A metric that is missing or renamed is an error that names it.
"""

import math
import re
from dataclasses import dataclass

from calculators.measured.record import ReadError, reading

_LINE = re.compile(r"^\s*(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>.*)\})?\s+(?P<value>\S+)(?:\s+\d+)?\s*$")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_PREFIX = "vllm:"
_SUCCESS = "vllm:request_success_total"
_PROMPT, _OUTPUT = "vllm:request_prompt_tokens", "vllm:request_generation_tokens"
_TTFT = "vllm:time_to_first_token_seconds"
# Per request; else per token, under the name of 0.10 and later, or an earlier one.
_TPOTS = (
    "vllm:request_time_per_output_token_seconds",
    "vllm:inter_token_latency_seconds",
    "vllm:time_per_output_token_seconds",
)
_QUERIES, _HITS = "vllm:prefix_cache_queries_total", "vllm:prefix_cache_hits_total"
_COMPLETED = ("stop", "length", "repetition")
_QUANTILES = (0.5, 0.9, 0.99)


@dataclass(frozen=True, kw_only=True)
class Spread:
    """A distribution from a histogram: its count, its mean and its quantiles, within the width of their buckets."""

    count: float
    mean: float
    p50: float
    p90: float
    p99: float


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """Traffic of a server since its start, or between two scrapes. `prefix_share` is None where nothing was asked."""

    completed: float
    failed: float
    prompt: Spread
    output: Spread
    ttft: Spread
    tpot: Spread
    prefix_share: float | None
    is_between: bool


_Scrape = dict[str, dict[tuple[tuple[str, str], ...], float]]


def recognizes(text: str) -> bool:
    """Whether a text is a scrape of vLLM."""
    return any(line.lstrip().startswith((_PREFIX, "# TYPE vllm:", "# HELP vllm:")) for line in text.splitlines())


@reading()
def traffic(after: str, before: str = "") -> Traffic:
    """Totals of a scrape, or what happened since an earlier one. Raises ReadError."""
    now, then = _read(after), _read(before) if before else {}
    finished = _counter(now, then, _SUCCESS)
    done = sum(value for labels, value in finished.items() if dict(labels).get("finished_reason") in _COMPLETED)
    tpot = next((name for name in _TPOTS if f"{name}_count" in now), None)
    if tpot is None:
        message = f"the scrape has none of {', '.join(_TPOTS)}: a version of vLLM that this reader does not know"
        raise ReadError(message)
    prompt, output = _spread(now, then, _PROMPT), _spread(now, then, _OUTPUT)
    ttft, token = _spread(now, then, _TTFT), _spread(now, then, tpot)
    queries, hits = (sum(_counter(now, then, name).values()) for name in (_QUERIES, _HITS))
    return Traffic(
        completed=done,
        failed=sum(finished.values()) - done,
        prompt=prompt,
        output=output,
        ttft=ttft,
        tpot=token,
        prefix_share=hits / queries if queries else None,
        is_between=bool(before),
    )


def _read(text: str) -> _Scrape:
    """Every sample of vLLM, by name and labels."""
    found: _Scrape = {}
    for place, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#") or _PREFIX not in line:
            continue
        match = _LINE.match(line)
        try:
            value = float(match["value"]) if match else math.nan
        except ValueError:
            value = math.nan
        if not match or math.isnan(value):
            message = f"line {place}: this is no whole sample of Prometheus: copy all of /metrics"
            raise ReadError(message)
        labels = tuple(sorted(_LABEL.findall(match["labels"] or "")))
        series = found.setdefault(match["name"], {})
        if labels in series:
            message = f"line {place}: {match['name']} is there twice with the same labels: give one scrape per file"
            raise ReadError(message)
        series[labels] = value
    return found


def _counter(now: _Scrape, then: _Scrape, name: str) -> dict[tuple[tuple[str, str], ...], float]:
    """Increase of a counter, by its labels."""
    if name not in now or (then and name not in then):
        which = "scrape" if name not in now else "earlier scrape"
        message = f"the {which} has no {name}: a version of vLLM that renamed it, or not all of /metrics"
        raise ReadError(message)
    rises = {labels: value - then.get(name, {}).get(labels, 0.0) for labels, value in now[name].items()}
    if min(rises.values()) < 0:
        message = f"{name} fell between the scrapes: the server restarted, or they are in the wrong order"
        raise ReadError(message)
    return rises


def _spread(now: _Scrape, then: _Scrape, name: str) -> Spread:
    """Mean and quantiles of a histogram, over all its labels."""
    count, total = (sum(_counter(now, then, f"{name}_{part}").values()) for part in ("count", "sum"))
    buckets: dict[float, float] = {}
    for labels, value in _counter(now, then, f"{name}_bucket").items():
        end = float(dict(labels).get("le", "inf"))
        buckets[end] = buckets.get(end, 0.0) + value
    if not count:
        message = f"{name} counts nothing: no request finished in this time"
        raise ReadError(message)
    p50, p90, p99 = (_quantile(buckets, share) for share in _QUANTILES)
    return Spread(count=count, mean=total / count, p50=p50, p90=p90, p99=p99)


def _quantile(buckets: dict[float, float], share: float) -> float:
    """Quantile of a histogram, linear within its bucket as Prometheus's histogram_quantile; in the last, its start.

    >>> _quantile({10.0: 50.0, 20.0: 100.0, math.inf: 100.0}, 0.75)
    15.0
    """
    ends = sorted(buckets)
    wanted = share * buckets[ends[-1]]
    low = below = 0.0
    for end in ends:
        if buckets[end] >= wanted:
            inside = buckets[end] - below
            return low if math.isinf(end) or not inside else low + (end - low) * (wanted - below) / inside
        low, below = end, buckets[end]
    return low

"""Prometheus text of vLLM or SGLang (/metrics): requests, lengths and their spread, latencies, prefix-cache hit rate.

Names as vLLM's v1 engine exposes them (docs/design/metrics.md), and as SGLang's srt/metrics/collector.py does. Counters
only rise: one scrape gives totals since the server started, two give what happened between them, and with the time
between them a run. A metric that is missing or renamed is an error that names it.
"""

import math
import re
from dataclasses import dataclass

from calculators import units
from calculators.files import shown
from calculators.measured.record import LARGEST, ReadError, number, reading
from calculators.measured.serving import ServingRun

# A sample, with a time and with an exemplar where OpenMetrics has them.
_LINE = re.compile(
    r"^\s*(?P<name>[a-zA-Z_:][\w:]*)"
    r'(?:\{(?P<labels>(?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?'
    r"\s+(?P<value>\S+)(?:\s+-?[\d.]+(?:e[+-]?\d+)?)?\s*(?:#.*)?$"
)
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
# Between two scrapes in one text, the time between them.
_INTERVAL = re.compile(r"^[ \t]*(?:# *)?(?:--)?interval[ \t:=]+(?P<time>\S.*?)[ \t\r]*$", re.MULTILINE | re.IGNORECASE)
_TWO = "give one scrape, or an earlier one, a line such as “interval 5min”, and a later one"
_AS_PRINTED = "give /metrics as the server prints it"
_VLLM, _SGLANG = "vllm:", "sglang:"
_IS_PROMETHEUS = re.compile(r"^\s*# (?:HELP|TYPE) \w", re.MULTILINE)
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
_NO_END = ("inf", "+inf")
_QUANTILES = (0.5, 0.9, 0.99)
# SGLang's: lengths as sums, and as histograms where it was started with --collect-tokens-histogram.
# A finished request counts in both of _REQUESTS; earlier versions have the second alone.
_REQUESTS = ("sglang:num_requests_total", "sglang:e2e_request_latency_seconds_count")
_ABORTED = "sglang:num_aborted_requests_total"
_PROMPT_SUM, _OUTPUT_SUM = "sglang:prompt_tokens_total", "sglang:generation_tokens_total"
_PROMPTS, _OUTPUTS = "sglang:prompt_tokens_histogram", "sglang:generation_tokens_histogram"
_CACHED = "sglang:cached_tokens_total"
_SGLANG_TTFT = "sglang:time_to_first_token_seconds"
_SGLANG_TPOTS = ("sglang:inter_token_latency_seconds", "sglang:time_per_output_token_seconds")


@dataclass(frozen=True, kw_only=True)
class Spread:
    """A distribution from a histogram: its count, its mean and its quantiles, within the width of their buckets.

    `within` is the share that lies in buckets with an end: a quantile above it is only known to be no less than stated.
    """

    count: float
    mean: float
    p50: float
    p90: float
    p99: float
    within: float = 1.0

    @property
    def at_least(self) -> tuple[str, ...]:
        """Names of the quantiles that lie in the last bucket, which has no end."""
        named = zip(("p50", "p90", "p99"), _QUANTILES, strict=True)
        return tuple(name for name, share in named if share > self.within)


@dataclass(frozen=True, kw_only=True)
class Mean:
    """A distribution of which a server counts the sum alone: its count and its mean."""

    count: float
    mean: float


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """Traffic of a server since its start, or between two scrapes. `prefix_share` is None where it is not stated."""

    engine: str

    completed: float
    failed: float
    prompt: Spread | Mean
    output: Spread | Mean
    ttft: Spread
    tpot: Spread
    prefix_share: float | None
    is_between: bool


_Scrape = dict[str, dict[tuple[tuple[str, str], ...], float]]


def recognizes(text: str) -> bool:
    """Whether a text is a scrape, of whichever server."""
    return bool(_IS_PROMETHEUS.search(text)) or any(
        line.lstrip().startswith((_VLLM, _SGLANG)) for line in text.splitlines()
    )


def parted(text: str) -> tuple[str, float, str] | None:
    r"""An earlier scrape, the time to a later one [s], and the later one; None where no line states a time.

    >>> parted("vllm:one 1\ninterval 5min\nvllm:one 9")
    ('vllm:one 1\n', 300.0, '\nvllm:one 9')

    Raises ReadError.
    """
    stated = list(_INTERVAL.finditer(text))
    if not stated:
        return None
    if len(stated) > 1:
        message = f"{len(stated)} lines state an interval: {_TWO}"
        raise ReadError(message)
    (line,) = stated
    try:
        seconds = units.parse(line["time"], "s")
    except ValueError as error:
        message = f"interval: {error}"
        raise ReadError(message) from None
    if seconds <= 0:
        message = f"interval must be more than 0 s, not {line['time']}"
        raise ReadError(message)
    return text[: line.start()], seconds, text[line.end() :]


def run(seen: Traffic, seconds: float) -> ServingRun:
    """Traffic between two scrapes, this time apart [s], as a run at its arrival rate."""
    return ServingRun(
        input_tokens=seen.prompt.mean,
        output_tokens=seen.output.mean,
        most=None,
        request_rate=seen.completed / seconds,
        completed=seen.completed,
        failed=seen.failed,
        requests_per_second=seen.completed / seconds,
        tokens_per_second=seen.output.mean * seen.output.count / seconds,
        ttft=seen.ttft.mean,
        ttft_p99=_measured_p99(seen.ttft),
        tpot=seen.tpot.mean,
        tpot_p99=_measured_p99(seen.tpot),
        prefix_share=seen.prefix_share,
    )


def _measured_p99(spread: Spread) -> float | None:
    return None if "p99" in spread.at_least else spread.p99


@reading()
def traffic(after: str, before: str = "") -> Traffic:
    """Totals of a scrape, or what happened since an earlier one. Raises ReadError."""
    now, then = _read(after), _read(before) if before else {}
    engines = {prefix for prefix in (_VLLM, _SGLANG) if any(name.startswith(prefix) for name in now)}
    if len(engines) != 1:
        held = "both vllm: and sglang:" if engines else "no name that begins with vllm: or sglang:"
        message = f"the scrape has {held}: give what one server of vLLM or SGLang prints under /metrics"
        raise ReadError(message)
    return (_of_vllm if _VLLM in engines else _of_sglang)(now, then)


def _of_vllm(now: _Scrape, then: _Scrape) -> Traffic:
    finished = _counter(now, then, _SUCCESS)
    done = sum(value for labels, value in finished.items() if dict(labels).get("finished_reason") in _COMPLETED)
    prompt, output = _spread(now, then, _PROMPT), _spread(now, then, _OUTPUT)
    ttft, token = _spread(now, then, _TTFT), _spread(now, then, _histogram(now, _TPOTS))
    queries, hits = (_total(now, then, name) for name in (_QUERIES, _HITS))
    return Traffic(
        engine="vLLM",
        completed=done,
        failed=sum(finished.values()) - done,
        prompt=prompt,
        output=output,
        ttft=ttft,
        tpot=token,
        prefix_share=hits / queries if queries >= 1 else None,
        is_between=bool(then),
    )


def _of_sglang(now: _Scrape, then: _Scrape) -> Traffic:
    counter = _present(now, _REQUESTS)
    requests, prompts = (_total(now, then, name) for name in (counter, _PROMPT_SUM))
    if requests < 1:
        message = f"{counter} counts nothing: no request finished in this time"
        raise ReadError(message)
    return Traffic(
        engine="SGLang",
        completed=requests,
        failed=_total(now, then, _ABORTED) if _ABORTED in now else 0.0,  # printed from the first abort on
        prompt=_lengths(now, then, _PROMPTS, _PROMPT_SUM, requests),
        output=_lengths(now, then, _OUTPUTS, _OUTPUT_SUM, requests),
        ttft=_spread(now, then, _SGLANG_TTFT),
        tpot=_spread(now, then, _histogram(now, _SGLANG_TPOTS)),
        prefix_share=_total(now, then, _CACHED) / prompts if _CACHED in now and prompts >= 1 else None,
        is_between=bool(then),
    )


def _lengths(now: _Scrape, then: _Scrape, histogram: str, total: str, requests: float) -> Spread | Mean:
    """Lengths from their histogram; from their sum, without quantiles, where there is none."""
    if f"{histogram}_count" in now:
        return _spread(now, then, histogram)
    return Mean(count=requests, mean=_total(now, then, total) / requests)


def _present(now: _Scrape, names: tuple[str, ...]) -> str:
    """The first of the names under which versions expose a metric."""
    for name in names:
        if name in now:
            return name
    message = (
        f"the scrape has none of {', '.join(names)}: {_empty(names[0])}a version that this reader does not know, "
        "or no whole /metrics"
    )
    raise ReadError(message)


def _empty(name: str) -> str:
    """A reason for a missing metric that vLLM cannot have: SGLang lists one from its first value on."""
    return "no request was counted there yet, " if name.startswith(_SGLANG) else ""


def _histogram(now: _Scrape, names: tuple[str, ...]) -> str:
    """The first of the names under which versions expose a histogram."""
    return _present(now, tuple(f"{name}_count" for name in names)).removesuffix("_count")


def _read(text: str) -> _Scrape:
    """Every sample of the engines, by name and labels; those without a number (NaN) are left out."""
    found: _Scrape = {}
    for place, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith((_VLLM, _SGLANG)):
            continue
        match = _LINE.match(line)
        try:
            value = float(match["value"]) if match else None
        except ValueError:
            value = None
        if not match or value is None:
            message = f"line {place}: this is no whole sample of Prometheus: copy all of /metrics"
            raise ReadError(message)
        if math.isnan(value):
            continue
        if abs(value) >= LARGEST:
            message = f"line {place}: {match['name']} must be below 1e100, not {shown(match['value'])}: {_AS_PRINTED}"
            raise ReadError(message)
        labels = tuple(sorted(_LABEL.findall(match["labels"] or "")))
        series = found.setdefault(match["name"], {})
        if labels in series:
            message = f"line {place}: {match['name']} is there twice with the same labels: {_TWO}"
            raise ReadError(message)
        series[labels] = value
    return found


def _counter(now: _Scrape, then: _Scrape, name: str) -> dict[tuple[tuple[str, str], ...], float]:
    """Increase of a counter, by its labels."""
    if name not in now or (then and name not in then):
        which = "scrape" if name not in now else "earlier scrape"
        message = f"the {which} has no {name}: {_empty(name)}a version that renamed it, or not all of /metrics"
        raise ReadError(message)
    rises = {labels: value - then.get(name, {}).get(labels, 0.0) for labels, value in now[name].items()}
    if min(rises.values()) < 0 and not then:
        message = f"{name} is below 0, which no counter is: {_AS_PRINTED}"
        raise ReadError(message)
    if min(rises.values()) < 0:
        message = f"{name} fell between the scrapes: the server restarted, or they are in the wrong order"
        raise ReadError(message)
    return rises


def _total(now: _Scrape, then: _Scrape, name: str) -> float:
    """Increase of a counter, over all its labels."""
    return sum(_counter(now, then, name).values())


def _spread(now: _Scrape, then: _Scrape, name: str) -> Spread:
    """Mean and quantiles of a histogram, over all its labels."""
    count, total = (_total(now, then, f"{name}_{part}") for part in ("count", "sum"))
    buckets: dict[float, float] = {}
    for labels, value in _counter(now, then, f"{name}_bucket").items():
        end = _bucket_end(name, dict(labels).get("le", "inf"))
        buckets[end] = buckets.get(end, 0.0) + value
    if count < 1:
        message = f"{name} counts nothing: no request finished in this time"
        raise ReadError(message)
    p50, p90, p99 = (_quantile(buckets, share) for share in _QUANTILES)
    ended = max((value for end, value in buckets.items() if not math.isinf(end)), default=0.0)
    return Spread(count=count, mean=total / count, p50=p50, p90=p90, p99=p99, within=ended / count)


def _bucket_end(name: str, stated: str) -> float:
    """End of a bucket, which may be +Inf."""
    return math.inf if stated.lower() in _NO_END else number(name, "the end of a bucket (le)", stated)


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

"""A run of serving next to the model, or traffic that states lengths and rate: read, and set against a state."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare import CheckedRun, MeasuredResult, Reason
from calculators.declare.measurements import Reading
from calculators.measured import prometheus, request_log
from calculators.measured.prometheus import Spread, Traffic
from calculators.measured.request_log import RequestLog
from calculators.measured.serving import BenchmarkError, ServingRun
from calculators.subjects.serving.inference import benchmark

# A benchmark has no targets: sequences run as memory allows.
NO_TARGETS = {"replicas": "1", "tpot_target": "100 s", "ttft_target": "1000 s"}
_QUEUED = 2.0  # times the modeled TTFT, at the TPOT that was measured
_FULL = 0.8  # of the requests allowed
_FEW = 8  # running sequences: a step then reads weights and launches kernels
_SHORT = 8  # output tokens: TPOT is then over a few steps, and one prefill between them moves it
_MINUTE = 60
_OVERLOADED = Reason(
    name="overloaded",
    looks="One replica cannot carry this load in the model",
    look_at="Give more replicas, or other GPUs per replica.",
)
_FEW_SLOW = Reason(
    name="slow steps",
    looks="A few sequences are slow",
    look_at="CUDA graphs off (--enforce-eager), links between GPUs, clocks, power limits.",
)
_MANY_SLOW = Reason(
    name="slow steps",
    looks="A full batch is slow",
    look_at="Preemptions in the server's log, max_num_seqs, kernels without FP8, unevenly loaded experts, prefill in "
    "the same steps (max_num_batched_tokens).",
)
_WAITING = Reason(
    name="late first token",
    looks="The first token waits longer than the steps explain",
    look_at="max_num_seqs, chunked prefill, the network, or the load generator.",
)
_REPEATED = Reason(
    name="early first token",
    looks="The first token is much faster than a full prefill",
    look_at="Prompts repeat, and the prefix cache answers.",
)
_FASTER = Reason(
    name="fast steps",
    looks="Faster than published runs",
    look_at="Speculative decoding, narrower weights than given here, or more GPUs.",
)


def read(text: str) -> Reading:
    """A run of a load generator, a log of requests, or one or two scrapes of /metrics. Raises ReadError."""
    yield 0
    if prometheus.recognizes(text):
        parts = prometheus.parted(text)
        if parts is None:
            return prometheus.traffic(text)
        earlier, seconds, later = parts
        return prometheus.run(prometheus.traffic(later, earlier), seconds)
    if request_log.recognizes(text):
        return request_log.log(text)
    found = benchmark.runs(text)
    if len(found) > 1:
        message = f"{len(found)} runs are in it: give one, which is one line of the file"
        raise BenchmarkError(message)
    return found[0]


def given(run: ServingRun | RequestLog | Traffic) -> Mapping[str, str]:
    """Inputs that it states: lengths, load, repeated prompts."""
    if not isinstance(run, Traffic):
        return run.given
    tokens = {"input_tokens": run.prompt.mean, "output_tokens": run.output.mean}
    share = {} if run.prefix_share is None else {"prefix_cache_hit_rate": f"{min(run.prefix_share, 1.0):.4f}"}
    return {**{name: str(round(count)) for name, count in tokens.items()}, **share}


def assumed(run: ServingRun | RequestLog | Traffic) -> Mapping[str, str]:
    """One replica without targets, for a run of a load generator."""
    return NO_TARGETS if isinstance(run, ServingRun) else {}


def check(run: ServingRun | RequestLog | Traffic, values: Mapping[str, Any]) -> CheckedRun:
    """Compare a run or traffic with the values of a state."""
    if isinstance(run, ServingRun):
        return CheckedRun(run=described(run), results=tuple(_results(run, values)), reasons=tuple(reasons(run, values)))
    if isinstance(run, RequestLog):
        length = units.text(run.seconds, "s")
        return CheckedRun(
            run=f"{units.counted(run.requests, 'request')} in {length}", results=tuple(_of_log(run)), reasons=()
        )
    completed = units.counted(run.completed, "request")
    message = f"{completed} completed, {run.failed:,.0f} not, since {run.engine} started"
    return CheckedRun(run=message, results=tuple(_of_traffic(run)), reasons=(_TOTALS,))


_TOTALS = Reason(
    name="totals",
    looks="One scrape has totals since the server started, and no rate",
    look_at="Give an earlier scrape, a line with the time between them such as “interval 5min”, and a later scrape.",
)


def described(run: ServingRun) -> str:
    """Lengths, load and size of a run."""
    load = (
        f"{units.text(run.request_rate or 0.0, 'request/s')}"
        if run.users is None
        else f"{units.counted(run.users, 'request')} at a time"
    )
    lengths = f"{run.input_tokens:,.0f} tokens in, {run.output_tokens:,.0f} out"
    return f"{lengths}, {load}; {run.completed:,.0f} completed"


def reasons(run: ServingRun, values: Mapping[str, Any]) -> Iterator[Reason]:
    """Likely reasons of a difference, the likeliest first."""
    if run.failed:
        yield Reason(
            name="failed requests",
            looks=f"{units.counted(run.failed, 'request')} failed",
            look_at="Read the server's log before any other number.",
        )
    if values["replica_load"] is None:
        yield _OVERLOADED
        return
    if not is_short(run) and run.tpot > values["user_tpot_at_most"]:
        yield _FEW_SLOW if values["mean_running_sequences"] <= _FEW else _MANY_SLOW
    modelled = values["ttft"] or math.inf
    if run.ttft > _late(run, values):
        yield _WAITING
    if values["ttft"] and run.ttft < modelled / _QUEUED:
        yield _REPEATED
    if not is_short(run) and run.tpot < values["user_tpot_at_least"]:
        yield _FASTER
    if run.most is not None and run.running < _FULL * run.most and not run.failed:
        allowed = units.counted(run.most, "request")
        yield Reason(
            name="few requests at a time",
            looks=f"{run.running:,.1f} of {allowed} allowed at a time ran on average",
            look_at="Run longer, or load faster.",
        )
    if run.is_burst:
        yield Reason(
            name="a burst",
            looks="All requests came at once",
            look_at=f"The model takes the mean of {run.users:,.0f} that ran.",
        )


def is_short(run: ServingRun) -> bool:
    """Whether outputs are too short for a TPOT."""
    return run.output_tokens < _SHORT


def _late(run: ServingRun, values: Mapping[str, Any]) -> float:
    """TTFT above which something besides slow steps delays it [s]."""
    return float(_QUEUED * (values["ttft"] or math.inf) * max(run.tpot / values["user_tpot"], 1))


def _results(run: ServingRun, values: Mapping[str, Any]) -> Iterator[MeasuredResult]:
    """Latencies with what the model allows, and rates, each with the model's own."""
    served = values["served_request_rate"]
    tokens = served and served * run.output_tokens
    is_loaded = values["replica_load"] is not None
    yield MeasuredResult(
        name="tpot",
        label=_next_to("TPOT, mean", values["user_tpot"], "ms"),
        unit="ms",
        measured=run.tpot,
        passing=values["user_tpot_at_most"] if is_loaded else None,
        failing=math.inf,
        at_most=True,
        doubt=f"{run.output_tokens:,.1f} output tokens are too few for it" if is_short(run) else "",
    )
    yield MeasuredResult(
        name="ttft",
        label=_next_to("TTFT, mean", values["ttft"], "ms"),
        unit="ms",
        measured=run.ttft,
        passing=_late(run, values) if is_loaded and values["ttft"] else None,
        failing=math.inf,
        at_most=True,
    )
    for name, label, unit, measured, modelled in (
        ("tpot_p99", "TPOT, p99", "ms", run.tpot_p99, values["user_tpot_p99"]),
        ("ttft_p99", "TTFT, p99", "ms", run.ttft_p99, values["ttft_p99"]),
        ("output_throughput", "Output tokens/s", "token/s", run.tokens_per_second, tokens),
        ("request_throughput", "Requests/s", "request/s", run.requests_per_second, served),
    ):
        if measured is not None:
            yield MeasuredResult(name=name, label=_next_to(label, modelled, unit), unit=unit, measured=measured)


def _next_to(label: str, modelled: float | None, unit: str) -> str:
    return label if modelled is None else f"{label} (modeled {units.text(modelled, unit)})"


def _of_log(log: RequestLog) -> Iterator[MeasuredResult]:
    busiest = log.busiest_minute / _MINUTE
    yield MeasuredResult(name="request_rate", label="Requests per second", unit="request/s", measured=log.rate)
    yield MeasuredResult(name="busiest_minute", label="In the busiest minute", unit="request/s", measured=busiest)
    yield from _spread("input_tokens", "Input tokens", "token", vars(log.prompt))
    yield from _spread("output_tokens", "Output tokens", "token", vars(log.output))
    yield from _repeated(log.prefix_share)


def _of_traffic(seen: Traffic) -> Iterator[MeasuredResult]:
    for name, label, unit, spread in (
        ("input_tokens", "Input tokens", "token", seen.prompt),
        ("output_tokens", "Output tokens", "token", seen.output),
        ("ttft", "TTFT", "s", seen.ttft),
        ("tpot", "TPOT", "s", seen.tpot),
    ):
        open_ended = spread.at_least if isinstance(spread, Spread) else ()
        quantiles = ("p50", "p90", "p99") if isinstance(spread, Spread) else ()
        known = {each: getattr(spread, each) for each in ("mean", *quantiles) if each not in open_ended}
        yield from _spread(name, label, unit, known)
    yield from _repeated(seen.prefix_share)


def _spread(name: str, label: str, unit: str, known: Mapping[str, float]) -> Iterator[MeasuredResult]:
    for each, value in known.items():
        yield MeasuredResult(name=f"{name}_{each}", label=f"{label}, {each}", unit=unit, measured=value)


def _repeated(share: float | None) -> Iterator[MeasuredResult]:
    if share is not None:
        yield MeasuredResult(name="prefix_share", label="Repeated prompts", unit="share", measured=share)

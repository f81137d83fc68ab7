"""Results of a load generator for serving, read from its file: `vllm bench serve` and SGLang's `bench_serving`.

Both write one JSON object per run, of the same names (vllm/benchmarks/serve.py, sglang/bench_serving.py; read in
November 2026): vLLM with --save-result one file per run, SGLang with --output-file one line per run. A metric that is
missing or has another name is an error that says which, never a default.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_NEEDED = (
    *("completed", "total_input_tokens", "total_output_tokens", "request_throughput", "output_throughput"),
    *("mean_ttft_ms", "p99_ttft_ms", "mean_tpot_ms", "p99_tpot_ms"),
)
_MILLI = 1e-3


class BenchmarkError(ValueError):
    """A file that holds no run of a load generator: a sentence."""


@dataclass(frozen=True, kw_only=True)
class ServingRun:
    """One run: mean lengths [token], how it was loaded, and what was measured [s, request/s, token/s].

    `most` is how many requests may run at a time, `request_rate` how many arrive; with neither they come all at once.
    """

    input_tokens: float
    output_tokens: float
    most: float | None
    request_rate: float | None
    completed: float
    failed: float
    requests_per_second: float
    tokens_per_second: float
    ttft: float
    ttft_p99: float
    tpot: float
    tpot_p99: float

    @property
    def is_burst(self) -> bool:
        """Whether all requests came at once."""
        return self.most is None and self.request_rate is None

    @property
    def users(self) -> float | None:
        """Requests at a time in the model: as many as may run, of a burst as many as ran; None for a rate."""
        return self.running if self.is_burst else self.most

    @property
    def running(self) -> float:
        """Mean number of requests that ran, by Little's law: their rate times the time that each took [request]."""
        return self.requests_per_second * (self.ttft + (self.output_tokens - 1) * self.tpot)

    @property
    def given(self) -> dict[str, str]:
        """Inputs of the calculator that the run states: its traffic, on one replica."""
        load = (
            {"request_rate": repr(self.request_rate)}
            if self.users is None
            else {"concurrent_users": repr(float(max(round(self.users), 1)))}
        )
        tokens = {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}
        return {**{name: repr(float(round(count))) for name, count in tokens.items()}, **load}


def runs(text: str) -> list[ServingRun]:
    """Every run of a file. Raises BenchmarkError."""
    found = [_run(number, one) for number, one in enumerate(_objects(text), 1)]
    if not found:
        message = "there is no run in it: it must be the JSON of vllm bench serve or of sglang.bench_serving"
        raise BenchmarkError(message)
    return found


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    try:
        whole = json.loads(text)
        parts = whole if isinstance(whole, list) else [whole]
    except ValueError:
        parts = []
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            try:
                parts.append(json.loads(line))
            except ValueError as error:
                message = f"line {number} is not JSON: {error}"
                raise BenchmarkError(message) from None
    for one in parts:
        if not isinstance(one, Mapping):
            message = "a run must be a JSON object, as vllm bench serve --save-result writes it"
            raise BenchmarkError(message)
        yield one


def _run(number: int, stated: Mapping[str, Any]) -> ServingRun:
    if missing := [name for name in _NEEDED if name not in stated]:
        message = f"run {number} has no {', '.join(missing)}: is it of vllm bench serve or of sglang.bench_serving?"
        raise BenchmarkError(message)
    number_of = {name: _number(number, name, stated[name]) for name in _NEEDED}
    if number_of["completed"] < 1 or number_of["total_output_tokens"] < 1:
        message = f"run {number} completed no request"
        raise BenchmarkError(message)
    completed = number_of["completed"]
    most = stated.get("max_concurrency")
    return ServingRun(
        input_tokens=number_of["total_input_tokens"] / completed,
        output_tokens=number_of["total_output_tokens"] / completed,
        most=None if most is None else _number(number, "max_concurrency", most),
        request_rate=_rate(stated.get("request_rate")),
        completed=completed,
        failed=float(stated.get("failed") or 0),
        requests_per_second=number_of["request_throughput"],
        tokens_per_second=number_of["output_throughput"],
        ttft=number_of["mean_ttft_ms"] * _MILLI,
        ttft_p99=number_of["p99_ttft_ms"] * _MILLI,
        tpot=number_of["mean_tpot_ms"] * _MILLI,
        tpot_p99=number_of["p99_tpot_ms"] * _MILLI,
    )


def _rate(stated: Any) -> float | None:
    """Requests per second [request/s]; None for “inf”, all at once."""
    rate = float(stated) if stated is not None else math.inf
    return rate if math.isfinite(rate) else None


def _number(run: int, name: str, stated: Any) -> float:
    if isinstance(stated, bool) or not isinstance(stated, int | float) or not math.isfinite(stated) or stated < 0:
        message = f"run {run}: {name} must be a number, not {stated!r}"
        raise BenchmarkError(message)
    return float(stated)

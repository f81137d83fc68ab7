"""Results of a load generator for serving, read from its file: vLLM, SGLang, AIPerf and GenAI-Perf.

`vllm bench serve` and SGLang's `bench_serving` write one JSON object per run, of the same names
(vllm/benchmarks/serve.py, sglang/bench_serving.py; read in November 2026): vLLM with --save-result one file per run,
SGLang with --output-file one line per run. A metric that is missing or has another name is an error that says which,
never a default.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from calculators.measured import aiperf
from calculators.measured.record import json_of, number, reading
from calculators.measured.serving import BenchmarkError, ServingRun

_NEEDED = (
    *("completed", "total_input_tokens", "total_output_tokens", "request_throughput", "output_throughput"),
    *("mean_ttft_ms", "p99_ttft_ms", "mean_tpot_ms", "p99_tpot_ms"),
)
_MILLI = 1e-3
_ALL_AT_ONCE = ("inf", "infinity")


@reading()
def runs(text: str) -> list[ServingRun]:
    """Every run of a file. Raises BenchmarkError."""
    found = [_run(number, one) for number, one in enumerate(_objects(text), 1)]
    if not found:
        message = "there is no run in it: it must be the JSON of vllm bench serve, sglang.bench_serving or AIPerf"
        raise BenchmarkError(message)
    return found


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    try:
        whole = json_of(text)
        parts = whole if isinstance(whole, list) else [whole]
    except ValueError as error:
        if text.lstrip()[:1] == "{" and text.lstrip().partition("\n")[0].strip() == "{":
            # one object over several lines, cut off or followed by another
            message = (
                f"line {getattr(error, 'lineno', 1)}: the JSON ends or breaks here: copy the whole file, of one run"
            )
            raise BenchmarkError(message) from None
        parts = [_parsed(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for one in parts:
        if not isinstance(one, Mapping):
            message = "a run must be a JSON object, as vllm bench serve --save-result writes it"
            raise BenchmarkError(message)
        yield one


def _parsed(number: int, line: str) -> Any:
    try:
        return json_of(line)
    except ValueError as error:
        column = f", column {error.colno:,}" if isinstance(error, json.JSONDecodeError) else ""
        message = f"line {number}{column}: this is not JSON: copy the whole file, of one run, as it was written"
        raise BenchmarkError(message) from None


def _run(place: int, stated: Mapping[str, Any]) -> ServingRun:
    if aiperf.recognizes(stated):
        return aiperf.run(stated)
    if "metadata" in stated and "metrics" in stated:
        message = "this is AIPerf's record of each request: give profile_export_aiperf.json, which is next to it"
        raise BenchmarkError(message)
    if missing := [name for name in _NEEDED if name not in stated]:
        message = f"run {place} has no {', '.join(missing)}: is it of vllm bench serve or of sglang.bench_serving?"
        raise BenchmarkError(message)
    number_of = {name: number(f"run {place}", name, stated[name], as_text=False) for name in _NEEDED}
    if number_of["completed"] < 1 or number_of["total_output_tokens"] < 1:
        message = f"run {place} completed no request: see what its server and its load generator printed"
        raise BenchmarkError(message)
    completed = number_of["completed"]
    most = stated.get("max_concurrency")
    return ServingRun(
        input_tokens=number_of["total_input_tokens"] / completed,
        output_tokens=number_of["total_output_tokens"] / completed,
        most=None if most is None else number(f"run {place}", "max_concurrency", most, as_text=False),
        request_rate=_rate(place, stated.get("request_rate")),
        completed=completed,
        failed=number(f"run {place}", "failed", stated.get("failed") or 0, as_text=False),
        requests_per_second=number_of["request_throughput"],
        tokens_per_second=number_of["output_throughput"],
        ttft=number_of["mean_ttft_ms"] * _MILLI,
        ttft_p99=number_of["p99_ttft_ms"] * _MILLI,
        tpot=number_of["mean_tpot_ms"] * _MILLI,
        tpot_p99=number_of["p99_tpot_ms"] * _MILLI,
    )


def _rate(place: int, stated: Any) -> float | None:
    """Requests per second [request/s]; None for “inf”, all at once."""
    if stated is None or str(stated).lower() in _ALL_AT_ONCE:
        return None
    return number(f"run {place}", "request_rate", stated)

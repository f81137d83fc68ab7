"""JSON of AIPerf (profile_export_aiperf.json) and GenAI-Perf (profile_export_genai_perf.json): one run per file.

Metrics as AIPerf's json_exporter.py writes them: a name with its unit and statistics. Its inter-token latency is per
request, (latency - TTFT) ÷ (output tokens - 1), which others call TPOT.
"""

from collections.abc import Mapping
from typing import Any

from calculators.measured.record import number
from calculators.measured.serving import BenchmarkError, ServingRun

_NEEDED = (
    ("request_count", "requests", ("avg",)),
    ("request_throughput", "requests/sec", ("avg",)),
    ("output_token_throughput", "tokens/sec", ("avg",)),
    ("time_to_first_token", "ms", ("avg", "p99")),
    ("inter_token_latency", "ms", ("avg", "p99")),
    ("input_sequence_length", "tokens", ("avg",)),
    ("output_sequence_length", "tokens", ("avg",)),
)
_ERRORS = "error_request_count"
_OTHER_UNITS = {"request_count": "count"}  # GenAI-Perf's, of genai_perf/metrics/metrics.py
_MILLI = 1e-3


def recognizes(stated: Mapping[str, Any]) -> bool:
    """Whether an object is a run of AIPerf or GenAI-Perf."""
    names = ("request_throughput", "request_latency", _ERRORS)
    return "aiperf_version" in stated or any(isinstance(stated.get(name), Mapping) for name in names)


def run(stated: Mapping[str, Any]) -> ServingRun:
    """The run. Raises BenchmarkError, which names what is missing."""
    failed = 0.0 if stated.get(_ERRORS) is None else _value(stated, _ERRORS, "requests", "avg")
    if failed and stated.get("request_count") is None:
        message = f"no request of this run completed, {failed:,.0f} failed: see its error_summary"
        raise BenchmarkError(message)
    value = {(name, one): _value(stated, name, unit, one) for name, unit, names in _NEEDED for one in names}
    if value["request_count", "avg"] < 1:
        message = "request_count is 0: no request of this run completed; see its error_summary"
        raise BenchmarkError(message)
    most, rate = _load(stated)
    return ServingRun(
        input_tokens=value["input_sequence_length", "avg"],
        output_tokens=value["output_sequence_length", "avg"],
        most=most,
        request_rate=rate,
        completed=value["request_count", "avg"],
        failed=failed,
        requests_per_second=value["request_throughput", "avg"],
        tokens_per_second=value["output_token_throughput", "avg"],
        ttft=value["time_to_first_token", "avg"] * _MILLI,
        ttft_p99=value["time_to_first_token", "p99"] * _MILLI,
        tpot=value["inter_token_latency", "avg"] * _MILLI,
        tpot_p99=value["inter_token_latency", "p99"] * _MILLI,
    )


def _value(stated: Mapping[str, Any], name: str, unit: str, statistic: str) -> float:
    """A statistic of a metric, in its unit."""
    metric = stated.get(name)
    if not isinstance(metric, Mapping) or statistic not in metric:
        hint = ": run it with --streaming" if name in {"time_to_first_token", "inter_token_latency"} else ""
        hint = hint or ": give profile_export_aiperf.json, or profile_export_genai_perf.json"
        message = f"the run has no {name} ({statistic}){hint}"
        raise BenchmarkError(message)
    if metric.get("unit", unit) not in {unit, _OTHER_UNITS.get(name)}:
        message = f"{name} is in {metric['unit']}, not in {unit}: a version that this reader does not know"
        raise BenchmarkError(message)
    return number("the run", f"{name} ({statistic})", metric[statistic], as_text=False)


def _load(stated: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Requests at a time and requests per second [request/s] of the measured phase, as its configuration states."""
    config = stated.get("input_config") or {}
    phases = [one for one in config.get("phases") or () if not one.get("exclude_from_results")]
    places = (
        *phases[-1:],
        config.get("loadgen") or {},
        (config.get("perf_analyzer") or {}).get("stimulus") or {},
        config,
    )
    for place in places:
        most, rate = place.get("concurrency"), place.get("request_rate") or place.get("rate")
        if most or rate:
            if most:
                return number("input_config", "concurrency", most), None
            return None, number("input_config", "request_rate", rate)
    message = "input_config states neither a concurrency nor a request_rate: give --concurrency to AIPerf"
    raise BenchmarkError(message)

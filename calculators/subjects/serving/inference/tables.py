"""Tables of inference: other GPUs and other parallelism side by side, and where the field disagrees."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from calculators import facts, units
from calculators.declare import Table
from calculators.subjects.serving.inference.replica import open_load

_DEVICES = ("h100-sxm", "h200-sxm", "b200-sxm", "mi300x", "mi325x", "mi355x")
_FIELDS = ("gpu_memory", "memory_bandwidth", "peak_flops", "link_bandwidth")
_NARROW = ("peak_flops_fp8", "peak_flops_fp4")
_MEDIAN, _P95, _P99 = 0.5, 0.95, 0.99
_RANKS = (1, 2, 4, 8)
_SCHEDULE = "{sequences_within_target}"
_OTHER_SCHEDULE = "{other_schedule_sequences}, {other_schedule_tokens_per_second_per_gpu} per GPU"
_WIDTHS = ((2.0, "16 bits"), (1.0, "8 bits"))
_SHOWN = (
    *("serving_gpus", "concurrent_sequences", "tpot", "serving_tokens_per_second_per_gpu", "cost_per_million_output"),
    *("serving_max_sequences", "tpot_target"),
)
Tried = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
Trying = Callable[[Mapping[str, Any], Iterable[str], Iterable[str]], Tried]


def _cells(after: Mapping[str, Any] | None, *, priced: bool) -> tuple[str, ...]:
    if after is None:
        return "engines refuse it", "", "", "", ""
    if after["serving_gpus"] is None or after["concurrent_sequences"] > after["serving_max_sequences"]:
        return "does not fit", "", "", "", ""
    met = after["tpot"] <= after["tpot_target"] * (1 + 1e-9)
    cost = after["cost_per_million_output"]
    return (
        units.text(after["serving_gpus"], "GPU"),
        units.text(after["concurrent_sequences"], "sequence"),
        units.text(after["tpot"], "ms") + ("" if met else ", over target"),
        units.text(after["serving_tokens_per_second_per_gpu"], "token/s"),
        units.text(cost, "USD") if priced else "no dated price",
    )


def side_by_side(trials: Trying, accelerators: Mapping[str, facts.Record]) -> Table:
    """Table of the traffic on other GPUs, and with other ranks per replica; `trials` are the calculator's own.

    `accelerators` are those of its menu, with the price of an hour where a dated one is known.
    """

    def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
        moved = (*_FIELDS, *_NARROW, "arithmetic", "price_per_gpu_hour")
        after = trials(values, moved, _SHOWN)
        for record in (accelerators[key] for key in _DEVICES):
            changes = {"arithmetic": values["arithmetic"], **{field: record.value(field) for field in moved[:-2]}}
            if changes["arithmetic"] in {"8", "4"} and changes[f"peak_flops_fp{changes['arithmetic']}"] is None:
                changes["arithmetic"] = "auto"
            price = record.value("price_per_gpu_hour")
            changes["price_per_gpu_hour"] = price or 0
            yield (record.name, "{serving_tensor_parallel}", *_cells(after(changes), priced=price is not None))
        after = trials(values, ("weight_bytes", "arithmetic", "serving_tensor_parallel"), _SHOWN)
        for width, name in _WIDTHS:
            for ranks in _RANKS:
                if values["heads"] % ranks:
                    continue
                changes = {"weight_bytes": width, "arithmetic": "auto", "serving_tensor_parallel": float(ranks)}
                cells = _cells(after(changes), priced=True)
                yield (f"This GPU, weights in {name}", units.text(ranks, "rank"), *cells)

    return Table(
        name="side_by_side",
        title="GPUs and parallelism compared",
        about="The same traffic and targets on other GPUs, with everything else as set; then on this GPU, with other "
        "weight precisions and ranks per replica. Prices only where one of this year is known, or yours.",
        columns=(
            *("Configuration", "Ranks per replica", "GPUs", "Concurrent sequences per replica", "TPOT"),
            *("Output tokens/s per GPU", "Per million output tokens"),
        ),
        rows=rows,
    )


def _conventions(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it makes of these values."""
    tpot, output_tokens, ttft = values["user_tpot"], values["output_tokens"], values["ttft"]
    yield "TPOT, first token excluded", "vLLM's TPOT, AIConfigurator, this page", "{user_tpot}"
    if ttft is not None:
        whole = units.text((ttft + (output_tokens - 1) * tpot) / output_tokens, "ms")
        yield "TPOT, first token included", "GuideLLM and others", whole
    yield "Output throughput", "TensorRT-LLM, InferenceMAX, this page", "{output_rate} per replica"
    total = values["output_rate"] * values["context"] / output_tokens
    yield (
        "Input and output throughput",
        "GPUStack; InferenceMAX prints it as well",
        f"{units.text(total, 'token/s')} per replica",
    )
    yield "Output throughput per GPU", "newer tables, InferenceMAX, this page", "{serving_tokens_per_second_per_gpu}"
    yield "Output throughput of the system", "TensorRT-LLM's table of version 1.0", "{output_rate}"
    if not values["disaggregated"]:
        yield (
            "At the TPOT target, prefill in whole chunks",
            "engines; closer to published runs",
            _SCHEDULE if values["prefill_schedule"] == "chunks" else _OTHER_SCHEDULE,
        )
        yield (
            "At the TPOT target, prefill spread evenly",
            "rooflines of a mean step",
            _SCHEDULE if values["prefill_schedule"] == "evenly" else _OTHER_SCHEDULE,
        )
    with_tables = units.text(values["active_parameters"], "parameter")
    without = units.text(max(0, values["active_parameters"] - values["lookup_table_parameters"]), "parameter")
    yield (
        "Active parameters with or without lookup tables",
        "model cards differ",
        f"{with_tables} or {without}",
    )
    yield from _prefill(values)
    if values["cost_per_million_output"] is not None:
        yield "Per million output tokens, all GPUs and prefill included", "this page", "{cost_per_million_output}"
        yield "Per million tokens, input and output", "providers that quote a blend", "{cost_per_million_total}"
    yield "Per million output tokens, every replica always full", "benchmarks' costs", "{cost_per_million}"
    if values["prefix_cache_hit_rate"] > 0:
        inside = units.text(values["request_rate"] * values["input_tokens"], "token/s")
        outside = units.text(values["request_rate"] * values["uncached_input_tokens"], "token/s")
        yield "Input rate with or without cache hits", "DeepSeek prints it with hits", f"{inside} or {outside}"


def _prefill(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Prefill rate by compute alone and with all-reduces and latency, and from where on KV offload pays off."""
    tokens = values["uncached_input_tokens"]
    attending = values["prompt_attention_flops"] / values["serving_tensor_parallel"] / values["attention_flops_rate"]
    rate = tokens / (tokens * values["token_compute_time"] + attending)
    read, made = units.text(rate, "token/s"), units.text(rate * values["cache_per_token"], "B/s")
    yield (
        "Prefill by compute alone",
        "rooflines: all-reduces and latency per layer left out",
        f"{read}; KV offload pays off above {made} per replica",
    )
    yield (
        "Prefill with all-reduces and latency",
        "this page: two all-reduces of every token in each layer",
        "{prefill_rate}; KV offload pays off above {break_even_bandwidth} per replica",
    )


_LOADS = (0.1, 0.5, 0.8, 0.95)


def _by_load(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """One replica at each share of its capacity."""
    engine, ranks = values["serving_engine"], values["serving_tensor_parallel"]
    if values["replicas"] is None:
        return
    for share in _LOADS:
        rate = share * engine.limits.capacity
        load = open_load(engine, rate, share / engine.limits.prefill if values["disaggregated"] else 0)
        if load is None:
            yield units.text(share, "share"), units.text(rate, "request/s"), *("offload tier too slow",) + ("",) * 6
            continue
        yield (
            units.text(share, "share"),
            units.text(rate, "request/s"),
            units.text(load.running, "sequence"),
            units.text(1 / load.tpot, "token/s"),
            units.text(load.tpot_within(_P95), "s"),
            units.text(load.ttft_within(_MEDIAN), "s"),
            units.text(load.ttft_within(_P95), "s"),
            units.text(load.ttft_within(_P99), "s"),
            units.text(rate * values["output_tokens"] / ranks, "token/s"),
        )


BY_LOAD = Table(
    name="by_load",
    title="One replica by load",
    about="Speed of a user and of a GPU at shares of a replica's capacity, with arrivals and lengths as varied as set.",
    columns=(
        *("Load", "Requests/s per replica", "Running sequences", "Tokens/s per user", "TPOT, p95"),
        *("TTFT, median", "TTFT, p95", "TTFT, p99", "Output tokens/s per GPU"),
    ),
    rows=_by_load,
)
CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="Each way of counting, applied to this service.",
    columns=("Way of counting", "Who uses it", "Result for this service"),
    rows=_conventions,
)

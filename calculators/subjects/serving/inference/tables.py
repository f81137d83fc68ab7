"""For inference: costs side by side on other GPUs and in other layouts, and where the field disagrees."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from calculators import facts, units
from calculators.declare import Table

_DEVICES = ("h100-sxm", "h200-sxm", "b200-sxm", "mi300x", "mi325x", "mi355x")
_FIELDS = ("gpu_memory", "memory_bandwidth", "peak_flops", "link_bandwidth")
_NARROW = ("peak_flops_fp8", "peak_flops_fp4")
_RANKS = (1, 2, 4, 8)
_BALANCED = "{sequences_within_target}"
_OTHERWISE = "{other_schedule_sequences}, {other_schedule_tokens_per_second_per_gpu} for each GPU"
_WIDTHS = ((2.0, "16 bits"), (1.0, "8 bits"))
_SHOWN = (
    *("serving_gpus", "concurrent_sequences", "tpot", "serving_tokens_per_second_per_gpu", "cost_per_million_output"),
    *("serving_max_sequences", "tpot_target"),
)
Trying = Callable[[Mapping[str, Any], Iterable[str], Iterable[str]], Callable[[Mapping[str, Any]], Mapping[str, Any]]]


def _told(after: Mapping[str, Any], *, priced: bool) -> tuple[str, ...]:
    if after["serving_gpus"] is None:
        return "does not fit", "", "", "", ""
    met = after["tpot"] <= after["tpot_target"] * (1 + 1e-9)
    cost = after["cost_per_million_output"]
    return (
        units.text(after["serving_gpus"], "GPU"),
        units.text(after["concurrent_sequences"], "sequence"),
        units.text(after["tpot"], "ms") + ("" if met else ", over the target"),
        units.text(after["serving_tokens_per_second_per_gpu"], "token/s"),
        units.text(cost, "USD") if priced else "no dated price",
    )


def side_by_side(trials: Trying, accelerators: Mapping[str, facts.Record]) -> Table:
    """The same traffic on other GPUs, and with copies of other widths; `trials` are the calculator's own.

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
            yield (record.name, "{serving_tensor_parallel}", *_told(after(changes), priced=price is not None))
        after = trials(values, ("weight_bytes", "arithmetic", "serving_tensor_parallel"), _SHOWN)
        for width, name in _WIDTHS:
            for ranks in _RANKS:
                if values["heads"] % ranks:
                    continue
                changes = {"weight_bytes": width, "arithmetic": "auto", "serving_tensor_parallel": float(ranks)}
                told = _told(after(changes), priced=True)
                yield (f"As set, weights in {name}", units.text(ranks, "rank"), *told)

    return Table(
        name="side_by_side",
        title="Side by side",
        about="The same traffic and targets on other GPUs with everything else as set; then as set, with weights and "
        "copies of other widths. Prices only where one of this year is known, or yours.",
        columns=("What", "A copy over", "GPUs", "At once", "A token takes", "For each GPU", "A million written"),
        rows=rows,
    )


def _conventions(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it makes of these values."""
    tpot, output_tokens, ttft = values["tpot"], values["output_tokens"], values["ttft"]
    yield "Time per token, the first left out", "vLLM's TPOT, AIConfigurator, this page", "{tpot}"
    if ttft is not None:
        whole = units.text((ttft + (output_tokens - 1) * tpot) / output_tokens, "ms")
        yield "Time per token, the first inside", "GuideLLM and others", whole
    yield "Throughput of what is written", "TensorRT-LLM, InferenceMAX, this page", "{output_rate} for a copy"
    total = values["output_rate"] * values["context"] / output_tokens
    yield (
        "Throughput of what is read and written",
        "GPUStack; InferenceMAX prints it as well",
        f"{units.text(total, 'token/s')} for a copy",
    )
    yield "For each GPU", "newer tables, InferenceMAX, this page", "{serving_tokens_per_second_per_gpu}"
    yield "For the system", "TensorRT-LLM's table of version 1.0", "{output_rate}"
    if not values["disaggregated"]:
        yield (
            "At the target, prompts read along in few long steps",
            "engines; nearer to published runs",
            _BALANCED if values["prefill_schedule"] == "chunks" else _OTHERWISE,
        )
        yield (
            "At the target, prompts spread evenly over all steps",
            "rooflines of a mean step",
            _BALANCED if values["prefill_schedule"] == "evenly" else _OTHERWISE,
        )
    with_tables = units.text(values["active_parameters"], "parameter")
    without = units.text(max(0, values["active_parameters"] - values["lookup_table_parameters"]), "parameter")
    yield (
        "Active parameters with or without tables that are looked up",
        "model cards differ",
        f"{with_tables} or {without}",
    )
    yield from _prompts_read(values)
    if values["cost_per_million_output"] is not None:
        yield "A million written, all GPUs and prompts inside", "this page", "{cost_per_million_output}"
        yield "A million read and written", "providers that quote a blend", "{cost_per_million_total}"
    yield "A million written, every copy always full", "benchmarks' costs", "{cost_per_million}"
    if values["prefix_cache_hit_rate"] > 0:
        inside = units.text(values["request_rate"] * values["input_tokens"], "token/s")
        outside = units.text(values["request_rate"] * values["uncached_input_tokens"], "token/s")
        yield "Input with or without hits of the cache", "DeepSeek prints it with them", f"{inside} or {outside}"


def _prompts_read(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """How fast prompts are read by arithmetic alone, and with what else a layer waits for; from when caches pay."""
    speed = values["serving_tensor_parallel"] * values["serving_peak_flops"] * values["compute_efficiency"]
    rate = values["uncached_input_tokens"] * speed / values["prefill_flops"]
    read, made = units.text(rate, "token/s"), units.text(rate * values["cache_per_token"], "B/s")
    yield (
        "Reading prompts by arithmetic alone",
        "rooflines: exchanges between GPUs and the latency of layers left out",
        f"{read}; kept caches pay above {made} for a copy",
    )
    yield (
        "Reading prompts with exchanges and latency",
        "this page: two all-reduces of every token in each layer",
        "{prefill_rate}; kept caches pay above {break_even_bandwidth} for a copy",
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting makes of the present service.",
    columns=("Way of counting", "Who uses it", "What it makes of this service"),
    rows=_conventions,
)

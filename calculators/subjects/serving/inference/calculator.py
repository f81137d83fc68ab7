"""Inference: how many GPUs traffic needs, its TTFT and TPOT, and what a token costs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from calculators import facts
from calculators.declare import AnyFormula, Calculator, Preset, RunReader
from calculators.declare.pictures import Bars, bar
from calculators.llm import dimensions, heads, shape
from calculators.llm.serving import (
    attention,
    batching,
    cache_size,
    compute,
    exchange,
    latency,
    memory,
    prefill,
    step,
    tokens,
    weight_reads,
)
from calculators.llm.serving.constraints import CONSTRAINTS
from calculators.llm.serving.engine import DRAFT
from calculators.llm.serving.inputs import ENGINE, REQUESTS
from calculators.llm.serving.speed import SPEED
from calculators.llm.size import MODEL_SIZE
from calculators.subjects.serving.inference import verdicts, warnings
from calculators.subjects.serving.inference.aliases import RESULT_ALIASES
from calculators.subjects.serving.inference.curve import CURVE
from calculators.subjects.serving.inference.formulas import band, fleet, load, offload, throughput
from calculators.subjects.serving.inference.inputs import Inputs
from calculators.subjects.serving.inference.inputs.fleet import FLEET, TIER
from calculators.subjects.serving.inference.inputs.traffic import TARGETS
from calculators.subjects.serving.inference.recommendations import recommendations
from calculators.subjects.serving.inference.tables import BY_LOAD, CONVENTIONS, side_by_side
from calculators.vocabulary import money
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import MACHINE, MODEL, SHARD
from calculators.vocabulary.models import model_preset

_DIMENSIONS_BY_SIZE = ("layers", "heads", "head_dim", "ffn_hidden")


def _trials(
    values: Mapping[str, Any], names: Iterable[str], results: Iterable[str]
) -> Callable[[Mapping[str, Any]], Mapping[str, Any] | None]:
    """Results after changes; None where engines refuse the KV cache or the layout."""
    checks = CALCULATOR.checks_on(frozenset(names), values)
    needs = [need for one in checks for need in one.needs]
    trial = CALCULATOR.trials(values, names, (*results, "cache_refused", *needs))

    def after(changes: Mapping[str, Any]) -> Mapping[str, Any] | None:
        found = trial(changes)
        refused = found["cache_refused"] or any(one.function(*[found[need] for need in one.needs]) for one in checks)
        return None if refused else found

    return after


def _recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that serve with fewer GPUs, or meet targets that are missed, the fewest GPUs first.

    None moves a target of the reader's, and none misses at p95 what is met now.
    """
    met = values["targets_met"].level != "bad"
    now = values["serving_gpus"] if met else None
    tried = []
    for label, changes in recommendations(values):
        after = CALCULATOR.after(values, changes)
        gpus = after["serving_gpus"]
        if gpus is None or after["targets_met"].level == "bad" or (now is not None and gpus >= now):
            continue
        if met and max(values["user_tpot_p95"], values["tpot_target"]) < after["user_tpot_p95"]:
            continue
        tried.append((gpus, label, changes))
    for _, label, changes in sorted(tried, key=lambda one: one[0]):
        yield "{serving_gpus}: " + label, changes


def _does_not_fit(values: Mapping[str, Any]) -> str:
    """The sentence of a replica without room for one sequence, or of replicas that cannot carry the traffic."""
    if values["max_sequences"] >= 1:
        return verdicts.unserved(values)
    return (
        "A replica of {parameters} on {serving_tensor_parallel} does not fit: weights take {serving_weight_memory} of "
        "{gpu_memory} per GPU and leave no room for a sequence of {context}. Use more GPUs per replica, narrower "
        "weights or GPUs with more memory."
    )


def _precisions(
    name: str, label: str, *keys: str, fills: tuple[str, ...], group: str, aliases: tuple[str, ...] = ()
) -> Preset:
    records = tuple(facts.records("precisions")[key] for key in keys)
    return Preset(
        name=name,
        label=label,
        records=records,
        fills={one: one for one in fills},
        group=group,
        aliases=aliases,
        none="as the model is published, or custom (enter values below)",
    )


_ACCELERATORS = accelerator_preset(
    "gpu_memory",
    "memory_bandwidth",
    "peak_flops",
    optional=(
        *("link_bandwidth", "gpus_per_domain", "peak_flops_fp8", "peak_flops_fp4", "price_per_gpu_hour"),
        "device_efficiency",
    ),
)
FORMULAS: tuple[AnyFormula, ...] = (
    *verdicts.FORMULAS,
    *tokens.FORMULAS,
    *compute.FORMULAS,
    *latency.FORMULAS,
    *step.FORMULAS,
    *exchange.FORMULAS,
    *batching.FORMULAS,
    *throughput.FORMULAS,
    *prefill.FORMULAS,
    *load.FORMULAS,
    *fleet.FORMULAS,
    *offload.FORMULAS,
    *band.FORMULAS,
    money.cost_per_million,
    cache_size.cached_heads,
    cache_size.cached_values,
    cache_size.cache_entry,
    cache_size.cache_per_token,
    cache_size.cache_share_per_gpu,
    cache_size.cache_per_token_per_gpu,
    cache_size.global_layers,
    cache_size.global_layer_tokens,
    cache_size.window_layer_tokens,
    cache_size.cache_per_sequence,
    cache_size.cache_per_sequence_per_gpu,
    *memory.MEMORY_FORMULAS,
    *weight_reads.WEIGHT_READ_FORMULAS,
    *attention.ATTENTION_FORMULAS,
    heads.heads_width,
    *MODEL_SIZE,
    *(f for f in shape.LIKELY_SHAPE if f.name.partition("_")[2] in _DIMENSIONS_BY_SIZE),
    *CONSTRAINTS,
    *warnings.FORMULAS,
)

CALCULATOR = Calculator(
    name="inference",
    title="Inference",
    question="How many GPUs does this traffic need, at what TTFT and TPOT, and what does a token cost?",
    answer=(
        "**{serving_gpus}** can serve {traffic_rate} at {input_tokens} in and {output_tokens} out: "
        "**{tokens_per_second_per_user}** per user, TTFT {ttft} ({ttft_p95} at p95), **{fleet_cost}** {money_per}. "
        "Latency that memory bandwidth does not shorten is {serving_latency_share} of every step."
    ),
    inputs_type=Inputs,
    formulas=FORMULAS,
    headline=(
        "serving_gpus",
        "tokens_per_second_per_user",
        "user_tpot_p95",
        "ttft_p95",
        "fleet_cost",
        "serving_tokens_per_second_per_gpu",
        "sequences_within_target",
        "max_sequences",
        "replicas_needed",
        "user_tpot",
        "ttft",
        "tpot",
        "replica_utilization",
        "break_even_bandwidth",
        "offload_read_rate",
        "resident_sessions",
        "start_time",
        "cost_per_million_total",
    ),
    bands=band.BANDS,
    run_reader=RunReader(
        title="Your own benchmark or traffic",
        about="Latencies and rates of a load generator next to this model and accelerator, on one replica without "
        "targets; or rate, lengths and repeated prompts of your traffic. Nothing leaves this page.",
        formats="JSON of vllm bench serve, SGLang's bench_serving or AIPerf; a log of requests (CSV or JSON lines); "
        "/metrics of vLLM or SGLang, twice with a line such as “interval 5min” between",
        module="calculators.subjects.serving.inference.measured_run",
    ),
    unanswered=_does_not_fit,
    first_sliders=("request_rate", "input_tokens", "output_tokens", "tpot_target"),
    presets=(
        model_preset(
            *("attention", "window", "global_layer_share", "positions", "attention_width"),
            *dimensions.COUNTED_FROM,
            *dimensions.KEPT,
            yields_to=("parameters", "active_parameters"),
            incidental=("weight_bytes",),
            serves=True,
        ),
        _ACCELERATORS,
        _precisions(
            "precision",
            "Weight precision",
            *("bf16", "fp8", "fp8-feed-forward", "int8", "nvfp4", "mxfp4", "awq", "gptq"),
            fills=("weight_bytes", "arithmetic"),
            group=MODEL,
        ),
        _precisions(
            "cache_precision",
            "KV-cache precision",
            *("cache-auto", "cache-fp8", "cache-nvfp4"),
            fills=("cache_bytes",),
            group=ENGINE,
            aliases=("kv_cache_dtype",),
        ),
    ),
    groups={
        REQUESTS: "Traffic",
        TARGETS: "Latency targets",
        MODEL: "Model",
        SHARD: "Parallelism (per replica)",
        FLEET: "Fleet",
        MACHINE: "GPU",
        ENGINE: "Engine",
        DRAFT: "Speculative decoding",
        TIER: "KV-cache offload",
        SPEED: "Efficiency and latency of engines",
        dimensions.SHAPE: "Model dimensions",
    },
    assumptions=(
        "Continuous batching at steady load; p95 is within 15% of a simulation, or longer near a full replica.",
        "Lengths are lognormal; engines keep room for a whole sequence of mean length from its start.",
        "Replicas share the traffic evenly, each within one scale-up domain, with CUDA graphs.",
        "Efficiencies and latencies are fitted on published runs, which their sources name.",
        "Ranges are 20% either way, which held for 84% of 244 published rows; warnings say where they are wider.",
        "Ranges keep the present batch, though a slower engine would run fewer sequences within the TPOT target.",
        "The output layer stays in 16 bits where weights are narrower.",
        "Cached prefixes are stored somewhere at the given hit rate; their memory is not taken from the batch.",
    ),
    omits=(
        "Cold engines, and preemption when memory runs out; bursts longer than a few requests.",
        "Popular experts beyond the imbalance, and overlap of two half batches where experts are on other nodes.",
        "All-to-all of disaggregated prefill with experts on other GPUs: compute efficiency then includes it.",
        "Quantized weights that are dequantized on the fly in very large models, which run slower than calculated.",
        "Host processors: tokenizing, sampling and detokenizing beyond the latency per sequence.",
    ),
    recommendations=_recommendations,
    recommendations_heading="Changes that need fewer GPUs or meet the targets",
    result_aliases=RESULT_ALIASES,
    tables=(BY_LOAD, side_by_side(_trials, _ACCELERATORS.by_key), CONVENTIONS),
    tradeoff=CURVE,
    picture=Bars(
        title="Where the time of a step goes",
        rows=(
            bar(
                "One step",
                memory_time="weights",
                exposed_compute_time="work",
                cache_time="optimizer",
                latency_time="stall",
                draft_time="other",
            ),
        ),
    ),
)

"""Inference: how many GPUs traffic needs, how fast it feels, and what a token costs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from calculators import facts
from calculators.declare import AnyFormula, Calculator, Preset
from calculators.declare.pictures import Bars, Row, Segment
from calculators.llm import dimensions, heads, shape
from calculators.llm.size import MODEL_SIZE
from calculators.subjects.serving import attention, cache_size, memory, weight_reads
from calculators.subjects.serving.constraints import CONSTRAINTS
from calculators.subjects.serving.inference import (
    band,
    batching,
    exchange,
    fleet,
    offload,
    prefill,
    step,
    verdicts,
    warnings,
)
from calculators.subjects.serving.inference.aliases import RESULT_ALIASES
from calculators.subjects.serving.inference.curve import CURVE
from calculators.subjects.serving.inference.inputs import DRAFT, FLEET, SPEED, TARGETS, TIER, Inputs
from calculators.subjects.serving.inference.recommendations import recommendations
from calculators.subjects.serving.inference.tables import CONVENTIONS, side_by_side
from calculators.subjects.serving.inputs import ENGINE, REQUESTS
from calculators.vocabulary import money
from calculators.vocabulary.inputs import MACHINE, MODEL, SHARD, accelerator_preset, model_preset

_DIMENSIONS_BY_SIZE = ("layers", "heads", "head_dim", "ffn_hidden")


def _trials(
    values: Mapping[str, Any], names: Iterable[str], results: Iterable[str]
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    return CALCULATOR.trials(values, names, results)


def _advice(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What serves with fewer GPUs than at present, or serves what is not served, the fewest GPUs first."""
    now = values["serving_gpus"] if values["targets_met"].level != "bad" else None
    tried = []
    for label, changes in recommendations(values):
        after = CALCULATOR.after(values, changes)
        gpus = after["serving_gpus"]
        if gpus is not None and after["targets_met"].level != "bad" and (now is None or gpus < now):
            tried.append((gpus, label, changes))
    for _, label, changes in sorted(tried, key=lambda one: one[0]):
        yield "{serving_gpus}: " + label, changes


def _precisions(name: str, label: str, *keys: str, fills: tuple[str, ...], group: str) -> Preset:
    records = tuple(facts.records("precisions")[key] for key in keys)
    return Preset(
        name=name,
        label=label,
        records=records,
        fills={one: one for one in fills},
        group=group,
        none="as the model is published, or typed below",
    )


_ACCELERATORS = accelerator_preset(
    "gpu_memory",
    "memory_bandwidth",
    "peak_flops",
    beside=("link_bandwidth", "gpus_per_domain", "peak_flops_fp8", "peak_flops_fp4", "price_per_gpu_hour"),
)
FORMULAS: tuple[AnyFormula, ...] = (
    *verdicts.FORMULAS,
    *step.FORMULAS,
    *exchange.FORMULAS,
    *batching.FORMULAS,
    *prefill.FORMULAS,
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
    question="How many GPUs does this traffic need, how fast does it feel, and what does a token cost?",
    answer=(
        "**{serving_gpus}** can serve {request_rate} of {input_tokens} in and {output_tokens} out: each user reads "
        "{tokens_per_second_per_user} after {ttft}, and a million written tokens cost **{cost_per_million_output}**. "
        "{serving_latency_share} of every step is latency no memory bandwidth buys back."
    ),
    inputs_type=Inputs,
    formulas=FORMULAS,
    headline=(
        "serving_gpus",
        "tpot",
        "ttft",
        "cost_per_million_output",
        "serving_tokens_per_second_per_gpu",
        "sequences_within_target",
        "max_sequences",
        "replicas_needed",
        "tokens_per_second_per_user",
        "replica_utilization",
        "break_even_bandwidth",
        "offload_read_rate",
        "resident_sessions",
        "start_time",
        "cost_per_million_total",
    ),
    bands=band.BANDS,
    first_sliders=("request_rate", "input_tokens", "output_tokens", "tpot_target"),
    presets=(
        model_preset(
            *("attention", "window", "global_layer_share", "positions", "attention_width"),
            *dimensions.COUNTED_FROM,
            *dimensions.KEPT,
            yields_to=("parameters", "active_parameters"),
            beside=("weight_bytes",),
        ),
        _ACCELERATORS,
        _precisions(
            "precision",
            "Weights in",
            *("bf16", "fp8", "int8", "nvfp4", "mxfp4", "awq", "gptq"),
            fills=("weight_bytes", "arithmetic"),
            group=MODEL,
        ),
        _precisions(
            "cache_precision",
            "Cache in",
            *("cache-auto", "cache-fp8", "cache-nvfp4"),
            fills=("cache_bytes",),
            group=ENGINE,
        ),
    ),
    groups={
        REQUESTS: "The traffic",
        TARGETS: "The targets",
        MODEL: "The model",
        SHARD: "How a copy is split",
        FLEET: "The fleet",
        MACHINE: "The GPU",
        ENGINE: "The engine",
        DRAFT: "Speculative decoding",
        TIER: "Caches that wait",
        SPEED: "What engines reach",
        dimensions.SHAPE: "The model's dimensions",
    },
    assumptions=(
        "Continuous batching at a steady load: a sequence that ends is replaced at once, and its prompt is read along.",
        "All requests are alike: means stand for all, and engines keep room for a whole sequence from its start.",
        "Copies share the traffic evenly, each within one domain of fast links, with captured graphs.",
        "Constants of speed are fitted on published runs; which ones stands in their sources.",
        "Ranges reach a fifth either way, as four fifths of 255 published rows did; cautions say where further.",
        "Ranges are for the sequences that run at present, though a slower engine would run fewer within the target.",
        "The output layer stays in 16 bits where weights are narrower.",
        "Cached prefixes are held somewhere for the present share of hits; their room is not taken from the batch.",
    ),
    omits=(
        "Tails: targets at the 99th percentile are missed sooner than means say.",
        "Bursts, cold engines, requests of many lengths at once, and preemption when memory runs out.",
        "Popular experts; and computing one half of a batch while the other is on its way to experts on other nodes.",
        "Tokens on their way to experts while prompts are read apart: what is reached of arithmetic then holds them.",
        "Weights kept narrow and widened on the fly in very large models, which run slower than counted.",
        "Host processors: tokenizing, sampling and detokenizing beyond the latency of a sequence.",
    ),
    recommendations=_advice,
    recommendations_heading="What would take fewer GPUs, or serve it at all",
    result_aliases=RESULT_ALIASES,
    tables=(side_by_side(_trials, _ACCELERATORS.by_key), CONVENTIONS),
    tradeoff=CURVE,
    picture=Bars(
        title="What a step waits for",
        rows=(
            Row(
                label="One step",
                segments=(
                    Segment(value="memory_time", tone="weights"),
                    Segment(value="exposed_compute_time", tone="work"),
                    Segment(value="cache_time", tone="optimizer"),
                    Segment(value="latency_time", tone="stall"),
                    Segment(value="draft_time", tone="other"),
                ),
            ),
        ),
    ),
)

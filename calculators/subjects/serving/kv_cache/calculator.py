"""KV cache and serving capacity: how many users, at what context, fit beside the weights."""

from collections.abc import Iterable, Mapping
from typing import Any

from calculators.declare import AnyFormula, Calculator
from calculators.declare.pictures import Bars, Row, Segment
from calculators.llm import dimensions
from calculators.llm.shape import (
    likely_ffn_hidden,
    likely_head_dim,
    likely_heads,
    likely_layers,
    sized_ffn_hidden,
    sized_head_dim,
    sized_heads,
    sized_layers,
)
from calculators.llm.size import MODEL_SIZE
from calculators.subjects.serving.kv_cache.aliases import RESULT_ALIASES
from calculators.subjects.serving.kv_cache.attention import ATTENTION_FORMULAS
from calculators.subjects.serving.kv_cache.cache_size import SIZE_FORMULAS
from calculators.subjects.serving.kv_cache.capacity import CAPACITY_FORMULAS
from calculators.subjects.serving.kv_cache.conventions import CONVENTIONS
from calculators.subjects.serving.kv_cache.decoding import DECODING_FORMULAS
from calculators.subjects.serving.kv_cache.inputs import ENGINE, REQUESTS, Inputs
from calculators.subjects.serving.kv_cache.recommendations import as_much_as_fits, widths_and_ranks
from calculators.subjects.serving.kv_cache.warnings import CAUTIONS
from calculators.vocabulary.inputs import MACHINE, MODEL, SHARD, accelerator_preset, model_preset


def _advice(values: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Changes that may make it fit, cheapest first: those that alone may do, then fewer sequences or a shorter context.

    All of them within what the model is made for; none where it fits.
    """
    if values["serving_fits"].level == "good":
        return
    changed = list(widths_and_ranks(values))
    positions = values["positions"]
    if positions is not None and values["context"] > positions:
        yield "Limit the context to {context}", {"context": positions}
        if values["serving_fits"].level == "tight":
            return
        changed = [
            (f"{label}, with {{context}} at most", {**changes, "context": positions}) for label, changes in changed
        ]
    yield from changed
    for label, changes in (("", {}), *changed):
        yield from as_much_as_fits(label, changes, CALCULATOR.after(values, changes))


FORMULAS: tuple[AnyFormula, ...] = (
    *SIZE_FORMULAS,
    *CAPACITY_FORMULAS,
    *DECODING_FORMULAS,
    *ATTENTION_FORMULAS,
    *MODEL_SIZE,
    likely_layers,
    likely_heads,
    likely_head_dim,
    likely_ffn_hidden,
    sized_layers,
    sized_heads,
    sized_head_dim,
    sized_ffn_hidden,
    *CAUTIONS,
)

CALCULATOR = Calculator(
    name="kv_cache",
    title="KV cache and serving capacity",
    question="How many users, at what context, fit beside the weights?",
    answer=(
        "Beside the weights of {parameters} over {serving_tensor_parallel} there is room for "
        "**{max_sequences}** of {context} at once: "
        "each takes {cache_per_sequence_per_gpu} of the {cache_budget} that every GPU has left for the cache."
    ),
    inputs_type=Inputs,
    formulas=FORMULAS,
    headline=(
        "max_sequences",
        "cache_per_sequence",
        "cache_per_token",
        "cache_per_token_average",
        "cache_per_token_per_gpu",
        "cache_memory",
        "cache_memory_per_gpu",
        "serving_weight_memory",
        "cache_budget",
        "max_tokens",
        "max_context",
        "decode_tokens_per_second",
        "decode_tokens_per_second_per_sequence",
    ),
    first_sliders=("context", "sequences", "serving_tensor_parallel"),
    presets=(
        model_preset(
            *("attention", "window", "global_layer_share", "positions"),
            *dimensions.KEPT,
            *dimensions.COUNTED_FROM,
            yields_to=("parameters", "active_parameters"),
            beside=("weight_bytes",),
        ),
        accelerator_preset("gpu_memory", "memory_bandwidth"),
    ),
    groups={
        REQUESTS: "The requests",
        MODEL: "The model",
        SHARD: "How it is split",
        ENGINE: "The engine",
        MACHINE: "The GPU",
        dimensions.SHAPE: "The model's dimensions",
    },
    assumptions=(
        "Every sequence is at its full context at once: the worst moment, not the average one.",
        "Weights are split evenly over the tensor-parallel ranks, and one copy of the model is served.",
        "The cache is paged: a sequence holds whole pages, and nothing is reserved beyond its present length.",
        "With latent attention every rank holds the whole cache, as engines keep it unless they shard by context.",
        "Every sequence chooses its experts at random; of a mixture a step reads the distinct ones and what is shared.",
        "Embedding tables are looked up, not read, unless the output layer is the same table.",
    ),
    omits=(
        "Prefixes shared by several requests, which occupy their pages once.",
        "Cache moved to host memory or storage, and engines that shard it by context or keep it on other GPUs.",
        "Draft models, adapters, encoders, encoder-decoders, and the extra layers that predict several tokens.",
        "For speed: arithmetic, all-reduces between ranks, launch latencies, sampling, and prompts read in between.",
        "How an engine pads or replicates weights, and scales of quantized weights unless the bytes include them.",
    ),
    tables=(CONVENTIONS,),
    recommendations=_advice,
    recommendations_heading="What would make it fit",
    result_aliases=RESULT_ALIASES,
    picture=Bars(
        title="Memory of one GPU",
        rows=(
            Row(
                label="One GPU",
                segments=(
                    Segment(value="serving_weight_memory", tone="weights"),
                    Segment(value="serving_overhead", tone="other"),
                    Segment(value="cache_memory_per_gpu", tone="cache"),
                    Segment(value="cache_free", tone="free"),
                    Segment(value="memory_reserve", tone="gradients"),
                ),
            ),
        ),
        limit="gpu_memory",
        limit_label="GPU memory",
    ),
)

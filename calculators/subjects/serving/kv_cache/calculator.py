"""KV cache and serving capacity: how many sequences, at what context, fit in GPU memory next to the weights."""

from collections.abc import Iterable, Mapping
from typing import Any

from calculators.declare import AnyFormula, Calculator
from calculators.declare.pictures import Bars, bar
from calculators.llm import dimensions
from calculators.llm.serving.attention import ATTENTION_FORMULAS
from calculators.llm.serving.cache_size import SIZE_FORMULAS
from calculators.llm.serving.constraints import CONSTRAINTS
from calculators.llm.serving.inputs import ENGINE, REQUESTS
from calculators.llm.serving.memory import MEMORY_FORMULAS
from calculators.llm.serving.weight_reads import WEIGHT_READ_FORMULAS
from calculators.llm.shape import LIKELY_SHAPE
from calculators.llm.size import MODEL_SIZE
from calculators.subjects.serving.kv_cache.aliases import RESULT_ALIASES
from calculators.subjects.serving.kv_cache.capacity import CAPACITY_FORMULAS
from calculators.subjects.serving.kv_cache.decoding import DECODING_FORMULAS
from calculators.subjects.serving.kv_cache.inputs import Inputs
from calculators.subjects.serving.kv_cache.recommendations import as_much_as_fits, narrower_and_wider
from calculators.subjects.serving.kv_cache.tables import CONVENTIONS
from calculators.subjects.serving.kv_cache.verdicts import serving_fits
from calculators.subjects.serving.kv_cache.warnings import WARNINGS
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import MACHINE, MODEL, SHARD
from calculators.vocabulary.models import model_preset

_DIMENSIONS_BY_SIZE = {"layers", "heads", "head_dim", "ffn_hidden"}


def _recommendations(values: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Changes that may make the KV cache fit, cheapest first; none where it fits.

    Changes that may be enough alone come first, then fewer sequences or a shorter context. All of them keep the context
    within what the model supports.
    """
    if values["serving_fits"].level == "good":
        return
    changed = list(narrower_and_wider(values))
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
    *MEMORY_FORMULAS,
    *CAPACITY_FORMULAS,
    serving_fits,
    *WEIGHT_READ_FORMULAS,
    *DECODING_FORMULAS,
    *ATTENTION_FORMULAS,
    *MODEL_SIZE,
    *(formula for formula in LIKELY_SHAPE if formula.name.partition("_")[2] in _DIMENSIONS_BY_SIZE),
    *CONSTRAINTS,
    *WARNINGS,
)

CALCULATOR = Calculator(
    name="kv_cache",
    title="KV cache and serving capacity",
    question="How many sequences, at what context length, fit in GPU memory next to the weights?",
    answer=(
        "GPU memory holds **{max_sequences}** of {context} next to the weights of {parameters} on "
        "{serving_tensor_parallel}: each sequence takes {cache_per_sequence_per_gpu} of the {cache_budget} "
        "left for the KV cache on every GPU."
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
            incidental=("weight_bytes",),
            serves=True,
        ),
        accelerator_preset("gpu_memory", "memory_bandwidth"),
    ),
    groups={
        REQUESTS: "Requests",
        MODEL: "Model",
        SHARD: "Parallelism (per replica)",
        ENGINE: "Engine",
        MACHINE: "GPU",
        dimensions.SHAPE: "Model dimensions",
    },
    assumptions=(
        "Every sequence is at its full context at the same time: the worst case, not the average.",
        "Weights are split evenly over the tensor-parallel ranks of one replica.",
        "The cache is paged: a sequence holds whole KV blocks, and nothing is reserved beyond its present length.",
        "With latent attention (MLA) every rank holds the whole cache, as engines do unless they shard it by context.",
        "Each sequence picks its experts at random; a step reads the distinct experts picked and all shared weights.",
        "Embedding tables are looked up, not read, unless the output layer is the same table.",
    ),
    omits=(
        "Prefix caching: prefixes shared by several requests occupy their KV blocks once.",
        "KV-cache offload to host memory or storage, and engines that shard the cache by context or across replicas.",
        "Draft models, adapters, encoders, encoder-decoder models, and multi-token prediction layers.",
        "For speed: compute, all-reduces between ranks, launch latency, sampling, and prefill between decode steps.",
        "Padding or replication of weights by an engine; scales of quantized weights unless bytes per weight has them.",
    ),
    tables=(CONVENTIONS,),
    recommendations=_recommendations,
    recommendations_heading="Changes that make it fit",
    result_aliases=RESULT_ALIASES,
    picture=Bars(
        title="Memory of one GPU",
        rows=(
            bar(
                "One GPU",
                serving_weight_memory="weights",
                serving_overhead="other",
                cache_memory_per_gpu="cache",
                cache_free="free",
                memory_reserve="gradients",
            ),
        ),
        limit="gpu_memory",
        limit_label="GPU memory",
    ),
)

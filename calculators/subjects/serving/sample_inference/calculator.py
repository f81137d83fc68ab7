"""Serving beyond language models: GPUs, latency, memory and cost of traffic that is counted in samples."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from calculators.declare import Calculator
from calculators.declare.pictures import Bars, bar
from calculators.subjects.serving.sample_inference import formulas, recommendations, verdicts, warnings
from calculators.subjects.serving.sample_inference.inputs import FLEET, MEMORY, SPEED, TRAFFIC, Inputs
from calculators.subjects.serving.sample_inference.tables import by_batch, by_gpu
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import MACHINE, MODEL, PRECISION
from calculators.vocabulary.samples import sample_model_preset

_MODEL = ("trained_parameters", "forward_flops", "activation_values")
_OPTIONAL = (
    *("embedding_bytes", "embedding_read", "denoising_steps", "passes_per_step", "once_flops"),
    *("sample_latency_target", "serving_batch", "sample_request_rate", "serving_matrix_share"),
)
_ACCELERATORS = accelerator_preset(
    *("peak_flops", "memory_bandwidth", "gpu_memory"), optional=("peak_flops_fp8", "price_per_gpu_hour")
)
_JUDGED = ("sample_serving_fits", "sample_in_time")


def _trials(
    values: Mapping[str, Any], names: Iterable[str], results: Iterable[str]
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    return CALCULATOR.trials(values, names, results)


def _recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes after which nothing is missed, the fewest GPUs first; only fewer where nothing is missed now."""
    met = all(values[name].level != "bad" for name in _JUDGED)
    tried = []
    for label, change in recommendations.changes(values):
        after = CALCULATOR.after(values, change)
        if any(after[name].level == "bad" for name in _JUDGED):
            continue
        if met and after["sample_serving_gpus"] >= values["sample_serving_gpus"]:
            continue
        tried.append((after["sample_serving_gpus"], label, change))
    for _, label, change in sorted(tried, key=lambda one: one[0]):
        yield "{sample_serving_gpus}: " + label, change


CALCULATOR = Calculator(
    name="sample_inference",
    title="Serving beyond LLMs",
    question="How many GPUs serve vision, diffusion and recommender models?",
    answer=(
        "Serving {sample_request_rate} takes **{sample_serving_gpus}**, each with {serving_rate_per_gpu} in batches of "
        "{serving_batch}: latency **{sample_latency}**, {serving_memory} of GPU memory, "
        "**{cost_per_million_samples}** per million samples."
    ),
    inputs_type=Inputs,
    formulas=(*formulas.FORMULAS, *verdicts.FORMULAS, *warnings.FORMULAS),
    headline=(
        *("sample_serving_gpus", "sample_latency", "serving_rate_per_gpu", "cost_per_million_samples"),
        *("serving_memory", "largest_serving_batch", "sample_serving_utilization", "serving_cost_per_hour"),
    ),
    bands={"sample_serving_gpus": ("sample_serving_gpus_at_least", "sample_serving_gpus_at_most")},
    unanswered=verdicts.unanswered,
    first_sliders=("sample_request_rate", "serving_batch", "served_value_bytes"),
    presets=(sample_model_preset(*_MODEL, secondary=_OPTIONAL, known=("sample_request_rate",)), _ACCELERATORS),
    groups={
        MODEL: "Model",
        PRECISION: "Precision",
        TRAFFIC: "Traffic",
        FLEET: "Fleet",
        MACHINE: "GPU",
        SPEED: "Speed",
        MEMORY: "Memory",
    },
    assumptions=(
        "Arithmetic and memory traffic of a pass overlap: the longer one is its time.",
        "The share of peak was fitted in 8 bits on eight H100: ResNet-50 and RetinaNet; for SDXL its own run.",
        "Two batches are in flight on each GPU, so that copies and launches are hidden in throughput.",
        "Every GPU holds the whole model; embedding tables are split over the GPUs of a replica.",
        "Samples arrive evenly over the GPUs, and a batch is dispatched when it is full.",
    ),
    omits=(
        "Decoding and resizing of images on CPUs, and the network to the client.",
        "Exchange of embedding rows between GPUs.",
        "Bursts, and batches that wait for a busy GPU: the target utilization leaves room for them.",
        "Text encoders of diffusion models, unless entered as FLOPs once per sample and as other models in memory.",
        "A model split over several GPUs to shorten its latency.",
    ),
    recommendations=_recommendations,
    recommendations_heading="Changes that need fewer GPUs or meet the targets",
    tables=(by_batch(_trials), by_gpu(_trials, _ACCELERATORS.by_key)),
    picture=Bars(
        title="Where the time of a forward pass goes",
        rows=(
            bar("Arithmetic", forward_arithmetic_time="work"),
            bar(
                "Memory traffic",
                forward_weight_time="weights",
                forward_activation_time="activations",
                forward_lookup_time="cache",
            ),
        ),
    ),
)

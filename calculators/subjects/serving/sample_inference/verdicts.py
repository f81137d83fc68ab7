"""Verdicts: whether a batch fits, comes in time, and what its speed is limited by."""

from collections.abc import Mapping
from typing import Any

from calculators.declare import NOT_CHECKED, Verdict, formulas_of, verdict

_NEARLY = 0.9


@verdict(
    "Fits in GPU memory, serving",
    good="",
    tight="serving_batch=45,000",
    bad="serving_batch=60,000",
)
def sample_serving_fits(serving_memory: float, gpu_memory: float, largest_serving_batch: float | None) -> Verdict:
    """Whether weights, activations and tables fit."""
    reason = (
        "{serving_memory} of {gpu_memory}: {served_weights} of weights, {served_activations} of activations, "
        "{served_tables} of tables, {companion_bytes} of other models."
    )
    if serving_memory > gpu_memory:
        way = (
            "Not one sample fits: narrower values, more GPUs for the tables, or a larger GPU."
            if largest_serving_batch is None
            else "A batch of {largest_serving_batch} fits."
        )
        return Verdict(level="bad", word="does not fit", reason=f"{reason} {way}")
    if serving_memory > _NEARLY * gpu_memory:
        return Verdict(level="tight", word="tight", reason=f"{reason} The runtime's buffers come on top.")
    return Verdict(level="good", word="OK", reason=reason)


@verdict("Latency target", good="", tight="sample_latency_target=2.5ms", bad="sample_latency_target=2ms")
def sample_in_time(
    sample_latency: float,
    sample_latency_target: float,
    batch_fill_time: float,
    serving_batch_time: float,
    sample_serving_fits: Verdict,
    sample_serving_limit: Verdict,
) -> Verdict:
    """Whether the first sample of a batch comes in time."""
    if "bad" in {sample_serving_fits.level, sample_serving_limit.level}:
        reason = "Such a batch does not fit, or its speed is not possible: it has no latency."
        return Verdict(level="tight", word=NOT_CHECKED, reason=reason)
    parts = "the batch fills for {batch_fill_time} and runs for {serving_batch_time}"
    reason = f"{{sample_latency}}, target {{sample_latency_target}}: {parts}."
    if sample_latency > sample_latency_target:
        way = (
            "Dispatch smaller batches." if batch_fill_time > serving_batch_time else "A smaller batch or a faster GPU."
        )
        return Verdict(level="bad", word="too slow", reason=f"{reason} {way}")
    if sample_latency > _NEARLY * sample_latency_target:
        return Verdict(level="tight", word="barely", reason=f"{reason} Bursts and the network come on top.")
    return Verdict(level="good", word="OK", reason=reason)


def unanswered(values: Mapping[str, Any]) -> str:
    """The sentence of a batch that does not fit or of a speed that no GPU has: it has no latency and no price."""
    if values["sample_serving_limit"].level == "bad":
        return (
            "{measured_serving_rate} per GPU are not possible: they take {measured_peak_share} of {served_peak}. Check "
            "the measured speed, the FLOPs and the precision."
        )
    if values["sample_serving_fits"].level != "bad":
        return ""
    smaller = "" if values["largest_serving_batch"] is None else "a smaller batch, "
    return (
        "A batch of {serving_batch} does not fit: weights, activations, tables and other models take {serving_memory} "
        f"of {{gpu_memory}} per GPU. Use {smaller}narrower values, more GPUs for the tables or a GPU with more memory."
    )


@verdict(
    "Serving speed limited by",
    good="",
    bad="measured_serving_rate=1,000,000",
    tight="serving_batch=1&forward_flops=1GFLOP",
)
def sample_serving_limit(
    measured_serving_rate: float | None,
    forward_arithmetic_time: float,
    forward_weight_time: float,
    forward_activation_time: float,
    forward_lookup_time: float,
    forward_memory_time: float,
    measured_peak_share: float | None,
) -> Verdict:
    """The part of a forward pass that decides its time."""
    if measured_peak_share is not None and measured_peak_share > 1:
        reason = (
            "{measured_serving_rate} takes {measured_peak_share} of {served_peak}: check the measured speed, the "
            "FLOPs and the precision."
        )
        return Verdict(level="bad", word="not possible", reason=reason)
    if measured_serving_rate is not None:
        return Verdict(level="good", word="measured", reason="The speed is yours: {serving_rate_per_gpu} per GPU.")
    reason = (
        "Per pass: arithmetic {forward_arithmetic_time}; weights {forward_weight_time}, "
        "activations {forward_activation_time}, lookups {forward_lookup_time}."
    )
    if forward_arithmetic_time >= forward_memory_time:
        return Verdict(level="good", word="arithmetic", reason=reason)
    traffic = {
        "weights": (forward_weight_time, "A larger batch reads them once for more samples."),
        "activations": (forward_activation_time, "Narrower values and fused layers move less."),
        "embedding rows": (forward_lookup_time, "Narrower rows, or more GPUs for the same rate."),
    }
    word = max(traffic, key=lambda one: traffic[one][0])
    return Verdict(level="tight", word=word, reason=f"{reason} {traffic[word][1]}")


FORMULAS = formulas_of(globals())

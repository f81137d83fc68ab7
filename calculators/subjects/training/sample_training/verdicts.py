"""Verdicts: whether a batch fits, and what a sample waits for."""

from collections.abc import Mapping
from typing import Any

from calculators.declare import Verdict, formulas_of, verdict
from calculators.subjects.training.sample_training.formulas import FILL


@verdict("Fits in GPU memory", good="", tight="batch_size=2600", bad="batch_size=6000")
def batch_fits(sample_memory: float, gpu_memory: float, largest_trained_batch: float | None) -> Verdict:
    """Whether state and activations fit."""
    reason = (
        "{sample_memory} of {gpu_memory}: {sample_activation_memory} of activations, {sample_state_memory} of state."
    )
    if sample_memory > gpu_memory:
        way = (
            "Not one sample fits next to the state: a lighter optimizer, recomputation, more GPUs for the tables, or "
            "sharded weights (FSDP), which are not calculated here."
            if largest_trained_batch is None
            else "A batch of {largest_trained_batch} fits, or recomputation."
        )
        return Verdict(level="bad", word="does not fit", reason=f"{reason} {way}")
    if sample_memory > FILL * gpu_memory:
        return Verdict(level="tight", word="tight", reason=f"{reason} Buffers of the framework come on top.")
    return Verdict(level="good", word="OK", reason=reason)


@verdict("Speed limited by", good="", tight="memory_bandwidth=1TB/s", bad="measured_sample_rate=100,000")
def sample_limit(
    measured_sample_rate: float | None,
    sample_arithmetic_time: float,
    sample_memory_time: float,
    sample_embedding_time: float,
    sample_exchange_time: float,
    sample_fixed_time: float,
    sample_mfu: float,
) -> Verdict:
    """The largest part of a sample's time."""
    if measured_sample_rate is not None and sample_mfu > 1:
        reason = "{measured_sample_rate} takes {sample_mfu} of peak: check the measured speed and the FLOPs."
        return Verdict(level="bad", word="not possible", reason=reason)
    if measured_sample_rate is not None:
        return Verdict(level="good", word="measured", reason="The speed is yours; it runs at {sample_mfu} MFU.")
    parts = {
        "arithmetic": sample_arithmetic_time,
        "memory bandwidth": sample_memory_time,
        "embedding rows": sample_embedding_time,
        "embedding exchange": sample_exchange_time,
        "small batch": sample_fixed_time,
    }
    reason = "Per sample: arithmetic {sample_arithmetic_time}, memory traffic {sample_memory_time}"
    if sample_embedding_time:
        reason += ", embedding rows {sample_embedding_time}"
    if sample_exchange_time:
        reason += ", their exchange {sample_exchange_time}"
    reason += ", fixed time of the step {sample_fixed_time}. MFU {sample_mfu}."
    word = max(parts, key=parts.__getitem__)
    return Verdict(level="good" if word == "arithmetic" else "tight", word=word, reason=reason)


def unanswered(values: Mapping[str, Any]) -> str:
    """The sentence of a batch that does not fit or of a speed that no GPU has: it has no run and no price."""
    if values["sample_limit"].level == "bad":
        return (
            "{measured_sample_rate} per GPU are not possible: they take {sample_mfu} of peak. Check the measured speed "
            "and the FLOPs."
        )
    if values["batch_fits"].level == "bad":
        smaller = "" if values["largest_trained_batch"] is None else "a smaller batch, "
        return (
            "Training with {batch_size} per GPU does not fit: it takes {sample_memory} of {gpu_memory}. Use "
            f"{smaller}a lighter optimizer or GPUs with more memory."
        )
    return ""


FORMULAS = formulas_of(globals())

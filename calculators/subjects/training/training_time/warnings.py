"""Warnings about a training run: speed above peak or published ones, FLOPs convention, energy, tokens, price."""

import math

from calculators import facts
from calculators.declare import constraint, formulas_of, warning
from calculators.llm.adapters import Job
from calculators.subjects.training.training_time.flops import AttentionFlops, Counted
from calculators.subjects.training.training_time.run import OPTIMAL_TOKENS_PER_PARAMETER
from calculators.vocabulary.money import PRICE

_FAR_FROM_OPTIMAL = 10
_ATTENTION_MATTERS_FROM = 0.1
_HIGHEST_PUBLISHED_MFU = float(facts.fact("mfu").high or 1)
_USUAL_MFU = float(facts.fact("mfu").value)
_H100_PEAK = float(facts.fact("h100-sxm.peak_flops").value)
_H100_PRICE = float(facts.fact(PRICE).value)
_HIGHEST_ON_A100 = float(facts.fact("mfu-a100-highest").value)
_HIGHEST_ON_TPU = float(facts.fact("mfu-tpu-highest").value)
_A100_TEXT, _TPU_TEXT = facts.fact("mfu-a100-highest").text, facts.fact("mfu-tpu-highest").text


@warning(
    speaks="parameters=70B&measured_rate=2500&peak_flops=989TFLOP/s",
    silent="parameters=70B&measured_rate=2350&peak_flops=989TFLOP/s",
)
def faster_than_peak(hfu: float) -> str:
    """More FLOPs per second than the peak given."""
    if hfu <= 1:
        return ""
    return "This speed is {hfu} of the given peak: the run uses a faster precision, or the peak is too low."


@constraint(
    "sequence_length",
    speaks="model=llama-3-1-405b&sequence_length=1048576",
    silent="model=llama-3-1-405b&mfu=0.85&sequence_length=131072",
)
def beyond_any_precision(mfu_causal: float, hfu: float) -> str:
    """An MFU planned without attention, for sequences whose attention takes more than the peak of FP8, twice bf16's."""
    if mfu_causal <= 2 or hfu > 1:  # noqa: PLR2004  the peak of FP8 is 2 of bf16
        return ""
    return (
        "At {sequence_length} this speed is {mfu_causal} of the peak with causal attention counted, which no device "
        "reaches: give an MFU, or a measured rate, of this length, or shorter sequences"
    )


@warning(
    speaks="model=llama-3-1-405b&mfu=0.85&sequence_length=131072",
    silent="model=llama-3-1-405b&mfu=0.59&sequence_length=131072",
)
def faster_than_peak_with_attention(mfu_causal: float, hfu: float) -> str:
    """More FLOPs per second than the peak given, once the attention that the count ignores is added."""
    if mfu_causal <= 1 or hfu > 1:
        return ""
    return (
        "With causal attention counted this speed is {mfu_causal} of the given peak, which no device reaches: "
        "an MFU without attention does not apply at {sequence_length}, or the peak is too low."
    )


@warning(speaks="mfu=0.6", silent="mfu=0.55")
def above_published(mfu_without_attention: float, mfu_causal: float, hfu: float) -> str:
    """A utilization that no published run of this kind has."""
    if mfu_without_attention <= _HIGHEST_PUBLISHED_MFU or max(hfu, mfu_causal) > 1:
        return ""
    message = "{mfu_without_attention} without attention is above all published dense bf16 runs on H100"
    if mfu_without_attention <= _HIGHEST_ON_A100:
        return f"{message}; A100s and TPUs have reached it."
    if mfu_without_attention <= _HIGHEST_ON_TPU:
        return f"{message} and on A100 ({_A100_TEXT} at most); TPUs have reached it."
    return f"{message}, A100 ({_A100_TEXT}) and TPUs ({_TPU_TEXT}); fp8 compared with a bf16 peak can look like this."


@warning(
    speaks="model=llama-3-8b&mfu=0.95&attention_flops=causal&sequence_length=131072",
    silent="model=llama-3-8b&mfu=0.71&attention_flops=causal&sequence_length=131072",
)
def above_published_with_attention(mfu_without_attention: float, mfu_causal: float, hfu: float) -> str:
    """A long sequence at a speed that only the attention in its count makes look usual."""
    if mfu_without_attention > _HIGHEST_PUBLISHED_MFU or not _HIGHEST_ON_TPU < mfu_causal <= 1 or hfu > 1:
        return ""
    return f"{{mfu_causal}} with causal attention counted is above all published runs: {_TPU_TEXT}, on TPUs."


@warning(speaks="model=llama-3-1-405b&sequence_length=131072", silent="model=llama-3-1-405b&sequence_length=8192")
def attention_left_out(attention_flops: AttentionFlops, attention_share: float) -> str:
    """A long sequence whose attention the count ignores."""
    if attention_flops != "ignored" or attention_share < _ATTENTION_MATTERS_FROM:
        return ""
    return (
        "At {sequence_length} attention scores add {attention_share} to the FLOPs of the parameters and are ignored: "
        "correct only if the given MFU ignores them too."
    )


@warning(speaks="mfu=0.4&recompute=full", silent="mfu=0.4&recompute=full&utilization_counts=model")
def not_model_flops(recompute_flops_per_token: float, utilization_counts: Counted, measured_rate: float | None) -> str:
    """The utilization given includes recomputation, which an MFU does not."""
    if recompute_flops_per_token == 0 or utilization_counts == "model" or measured_rate is not None:
        return ""
    return "The {mfu} includes recomputed FLOPs; as model FLOPs utilization the same speed is {step_mfu}."


@warning(speaks="", silent="host_power_per_gpu=575W")
def gpus_alone(host_power_per_gpu: float) -> str:
    """Energy without the server around the GPUs, as most publications count it."""
    if host_power_per_gpu > 0:
        return ""
    return (
        "Energy and emissions count the accelerators only, {gpu_power} each, as publications do; "
        "the rest of the servers is not included."
    )


@warning(speaks="parameters=1B&tokens=201B", silent="parameters=1B&tokens=200B")
def far_from_optimal(tokens_per_parameter: float, job: Job) -> str:
    """Far from the tokens that spend training compute best; right for some aims, and no question in fine-tuning."""
    if job != "pre-training":
        return ""
    if tokens_per_parameter > OPTIMAL_TOKENS_PER_PARAMETER * _FAR_FROM_OPTIMAL:
        return (
            "{tokens} is far above the compute-optimal {compute_optimal_tokens}: "
            "typical for a small model that should be cheap to serve."
        )
    if tokens_per_parameter < OPTIMAL_TOKENS_PER_PARAMETER / _FAR_FROM_OPTIMAL:
        return (
            "{tokens} is far below the compute-optimal {compute_optimal_tokens}: "
            "a smaller model would learn as much from them."
        )
    return ""


@warning(speaks="model=mixtral-8x7b", silent="model=mixtral-8x7b&tokens=1T")
def tokens_by_rule(tokens: float, compute_optimal_tokens: float, job: Job) -> str:
    """Tokens by the compute-optimal rule, neither given nor published."""
    if job != "pre-training" or not math.isclose(tokens, compute_optimal_tokens):
        return ""
    return (
        "{tokens} is the compute-optimal number, {tokens_per_parameter} tokens per parameter, not a published one; "
        "models built for serving train on many more."
    )


@warning(speaks="accelerator=b300-sxm", silent="accelerator=b300-sxm&mfu=0.45&price_per_gpu_hour=6")
def of_another_device(price_per_gpu_hour: float, mfu: float, measured_rate: float | None, peak_flops: float) -> str:
    """Price or utilization of an H100 with another device's peak."""
    if peak_flops == _H100_PEAK:
        return ""
    utilization = mfu == _USUAL_MFU and measured_rate is None
    if price_per_gpu_hour == _H100_PRICE:
        also = ", and so is an MFU of {mfu}" if utilization else ""
        return (
            "{price_per_gpu_hour} is the price of an H100" + also + ". {peak_flops} is another device's peak: "
            "set its own to compare cost and time."
        )
    if utilization:
        return "{mfu} is the MFU of H100s. {peak_flops} is another device's peak: set its own MFU to compare times."
    return ""


WARNINGS = formulas_of(globals())

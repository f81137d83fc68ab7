"""Training precision: the input, what a device's units for it multiply over bf16, and the peak rate in it."""

from typing import Any, Literal

from calculators.declare import choice, constraint, formulas_of, not_applicable, quantity, step
from calculators.vocabulary.groups import MACHINE

Precision = Literal["bf16", "fp8", "mxfp8", "nvfp4"]
SPEEDUPS = ("fp8_speedup", "fp4_speedup")


def training_precision() -> Any:
    """Precision of the matrix products of a training step."""
    options = {
        "bf16": "bf16",
        "fp8": "FP8, a scale per tensor or block",
        "mxfp8": "MXFP8, a scale per 32 values",
        "nvfp4": "NVFP4, 4 bits, a scale per 16 values",
    }
    return choice(
        "bf16",
        "Training precision",
        options,
        help="Of the matrix products in layers. Attention scores and the output layer stay in bf16.",
        group=MACHINE,
    )


def speedup(bits: int) -> Any:
    """Peak rate of matrix products with so few bits over that of bf16."""
    return quantity(
        not_applicable("no such units"),
        "1",
        f"{bits}-bit ÷ bf16 peak FLOP/s",
        hard=(1, 16),
        slider=(1, 8),
        help=f"Dense {bits}-bit matrix products over those in bf16. Empty: the device has no units for them.",
        group=MACHINE,
    )


@step("FLOP/s", "Peak FLOP/s in the training precision", rises_with=("peak_flops",))
def arithmetic_flops(
    training_precision: Precision, peak_flops: float, fp8_speedup: float | None, fp4_speedup: float | None
) -> float:
    """Rate of matrix products in the training precision [FLOP/s]; that of bf16 where the device has no other.

    >>> arithmetic_flops("fp8", 1e15, 2.0, None), arithmetic_flops("bf16", 1e15, 2.0, None)
    (2000000000000000.0, 1000000000000000.0)
    """
    if training_precision == "bf16":
        return peak_flops
    return peak_flops * ((fp4_speedup if training_precision == "nvfp4" else fp8_speedup) or 1.0)


@constraint(
    "training_precision",
    speaks="accelerator=a100-sxm-80gb&training_precision=fp8",
    silent="accelerator=h100-sxm&training_precision=fp8",
)
def precision_has_units(training_precision: Precision, fp8_speedup: float | None, fp4_speedup: float | None) -> str:
    """A device multiplies in the training precision; block scales of MXFP8 come with units for 4 bits."""
    if training_precision == "bf16":
        return ""
    if training_precision == "fp8":
        return "" if fp8_speedup else "This accelerator has no FP8 units: train in bf16, or enter its 8-bit speedup"
    if fp4_speedup:
        return ""
    name = "MXFP8" if training_precision == "mxfp8" else "NVFP4"
    return f"This accelerator has no units for {name} (Blackwell and later have): train in bf16 or FP8"


PRECISION_FORMULAS = formulas_of(globals())

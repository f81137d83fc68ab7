"""Warnings: where published runs were slower than calculated, and what is not plausible."""

from calculators.declare import formulas_of, warning

_FEW_FLOPS = 20e9
_SMALL_BATCH = 8


@warning(speaks="accelerator=a100-sxm-80gb&served_value_bytes=1", silent="served_value_bytes=1")
def narrow_rate_unknown(
    served_value_bytes: float, peak_flops_fp8: float | None, measured_serving_rate: float | None
) -> str:
    """Narrow values on a GPU without an 8-bit rate among the facts."""
    if served_value_bytes > 1 or peak_flops_fp8 is not None or measured_serving_rate is not None:
        return ""
    return (
        "This GPU has no 8-bit rate here, so products are timed at its 16-bit rate. INT8 on an A100 runs at up to "
        "624 TFLOP/s: enter it as the peak in 8 bits."
    )


@warning(speaks="trained_model=sample-model-dlrm-dcnv2&table_gpus=8", silent="trained_model=sample-model-dlrm-dcnv2")
def remote_rows(embedding_bytes: float, table_gpus: float, measured_serving_rate: float | None) -> str:
    """Tables over many GPUs: the exchange between them is not calculated."""
    if not embedding_bytes or table_gpus <= 2 or measured_serving_rate is not None:  # noqa: PLR2004  a pair exchanges half
        return ""
    return (
        "Tables are split over {table_gpus}: most rows of a sample are on other GPUs, and their exchange is not "
        "calculated."
    )


@warning(speaks="serving_batch=2", silent="")
def small_serving_batch(serving_batch: float, forward_flops: float, measured_serving_rate: float | None) -> str:
    """A small batch of a small model, whose kernels do not fill a GPU."""
    if serving_batch >= _SMALL_BATCH or forward_flops >= _FEW_FLOPS or measured_serving_rate is not None:
        return ""
    return (
        "{serving_batch} of a small model do not fill a GPU: an A100 ran ResNet-50 in 0.46 ms for one image, which "
        "is 2,200 images/s, and about 37,000 in large batches. Enter a measured speed."
    )


FORMULAS = formulas_of(globals())

"""Warnings: where published runs were slower than calculated, and what is not plausible."""

from calculators.declare import formulas_of, warning

_MANY = 1000  # GPUs from which published runs were slower than calculated
_HALF = 0.5  # of a step
_PCIE = 200e9  # B/s, both ways: what no card without NVLink has


@warning(speaks="gpus=2,048", silent="")
def many_gpus(gpus: float, measured_sample_rate: float | None) -> str:
    """More GPUs than exchange of gradients is calculated for."""
    if gpus < _MANY or measured_sample_rate is not None:
        return ""
    return (
        "On 1,000 GPUs and more, with one to three samples each, published runs of RetinaNet and Stable Diffusion took "
        "up to half as long again as calculated, and ResNet-50 as long: exchange of gradients over so many is not "
        "calculated."
    )


@warning(speaks="batch_size=16", silent="")
def small_batch(sample_fixed_time: float, sample_rate_per_gpu: float, measured_sample_rate: float | None) -> str:
    """A batch whose step is mostly its fixed time."""
    share = sample_fixed_time * sample_rate_per_gpu
    if share < _HALF or measured_sample_rate is not None:
        return ""
    return (
        "More than half of each step is its fixed time of {fixed_step_time}: with more than {batch_size} per GPU, more "
        "samples share it. More GPUs at the same total batch make the run little shorter."
    )


@warning(
    speaks="trained_model=sample-model-dlrm-dcnv2&accelerator=l40s", silent="trained_model=sample-model-dlrm-dcnv2"
)
def recommender_without_nvlink(
    embedding_exchange: float, link_bandwidth: float, gpus: float, measured_sample_rate: float | None
) -> str:
    """Embedding tables split over GPUs that only PCIe connects."""
    if not embedding_exchange or gpus == 1 or link_bandwidth > _PCIE or measured_sample_rate is not None:
        return ""
    return (
        "GPUs without NVLink exchange embedding rows through the processors of a server: published runs on L40S and "
        "H100 PCIe took 1.6 to 3.7 times as long as calculated."
    )


FORMULAS = formulas_of(globals())

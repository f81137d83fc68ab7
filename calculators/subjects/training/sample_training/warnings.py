"""Warnings: where published runs were slower than calculated, and what is not plausible."""

from calculators.declare import formulas_of, warning

_SMALL_BATCH = 64  # of a model of few FLOPs
_FEW_FLOPS = 20e9
_MANY = 64  # GPUs up to which one server's speed holds about


@warning(speaks="gpus=512", silent="")
def many_gpus(gpus: float, measured_sample_rate: float | None) -> str:
    """More GPUs than the speed was checked on."""
    if gpus <= _MANY or measured_sample_rate is not None:
        return ""
    return (
        "Beyond 64 GPUs published runs scale very differently: ViT-g keeps 96% of its speed on 128, ResNet-50 "
        "about 67% on 1,024, FLUX.1 and OpenFold 25% to 40% where several GPUs share each sample. Set the scaling "
        "efficiency from a run of your own."
    )


@warning(speaks="batch_size=16", silent="")
def small_batch(batch_size: float, forward_flops: float, measured_sample_rate: float | None) -> str:
    """A small batch of a small model, whose kernels do not fill a GPU."""
    if batch_size >= _SMALL_BATCH or forward_flops >= _FEW_FLOPS or measured_sample_rate is not None:
        return ""
    return (
        "{batch_size} of a small model do not fill a GPU: ResNet-50 on H100 lost a third of its speed when the batch "
        "per GPU fell from 400 to 50."
    )


@warning(speaks="trained_model=sample-model-dlrm-dcnv2", silent="")
def recommender(embedding_bytes: float, measured_sample_rate: float | None) -> str:
    """Embedding tables: the exchange between GPUs is not calculated."""
    if not embedding_bytes or measured_sample_rate is not None:
        return ""
    return (
        "The exchange of embedding rows between GPUs is not calculated: published runs took 19 to 63% longer on eight "
        "GPUs, and 2.6 times as long on 64."
    )


FORMULAS = formulas_of(globals())

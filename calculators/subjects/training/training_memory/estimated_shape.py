"""Dimensions of a model of which only the size is known, divisible by the layout's ranks and stages."""

from collections.abc import Mapping

from calculators.declare import Computed, computed, formulas_of, record, step
from calculators.llm.shape import likely_shape


def likely(dimension: str) -> Computed:
    """Default of a dimension estimated from the parameters."""
    return computed(f"fitting_{dimension}", "estimated for this size", when=("parameters",))


@record("Estimated shape of the model")
def fitting_shape(
    parameters: float,
    tensor_parallel: float,
    pipeline_parallel: float,
    interleave: float,
    experts: float,
    vocab: float,
    gated: bool,  # noqa: FBT001  an input of the graph
) -> Mapping[str, float]:
    """Dimensions of a model with this many `parameters`, its layers in whole stages and its heads in whole ranks."""
    return likely_shape(
        parameters,
        head_multiple=int(tensor_parallel),
        layer_multiple=int(pipeline_parallel * interleave),
        experts=experts,
        vocab=vocab,
        gated=gated,
    )


@step("layer", "Estimated layers")
def fitting_layers(fitting_shape: Mapping[str, float]) -> float:
    """Layers [layer] of a model of this size, in whole stages."""
    return fitting_shape["layers"]


@step("1", "Estimated hidden size")
def fitting_hidden(fitting_shape: Mapping[str, float]) -> float:
    """Width of the residual stream [1] of a model of this size, its heads of equal width."""
    return fitting_shape["hidden"]


@step("head", "Estimated attention heads")
def fitting_heads(fitting_shape: Mapping[str, float]) -> float:
    """Query heads per layer [head] of a model of this size, a multiple of the tensor-parallel ranks."""
    return fitting_shape["heads"]


@step("head", "Estimated key-value heads")
def fitting_kv_heads(fitting_shape: Mapping[str, float]) -> float:
    """Key and value heads per layer [head] of a model of this size."""
    return fitting_shape["kv_heads"]


@step("1", "Estimated head dimension")
def fitting_head_dim(fitting_shape: Mapping[str, float]) -> float:
    """Width of one head [1] of a model of this size."""
    return fitting_shape["head_dim"]


@step("1", "Estimated feed-forward width")
def fitting_ffn_hidden(fitting_shape: Mapping[str, float]) -> float:
    """Width of a feed-forward block [1] of a model of this size."""
    return fitting_shape["ffn_hidden"]


LIKELY = formulas_of(globals())

"""Dimensions of a model of which only the size is known, divisible by the layout's ranks and stages."""

from calculators.declare import Computed, computed, formulas_of, step
from calculators.llm.shape import likely_shape


def likely(dimension: str) -> Computed:
    """Default of a dimension estimated from the parameters."""
    return computed(f"fitting_{dimension}", "estimated for this size", when=("parameters",))


@step("layer", "Estimated layers")
def fitting_layers(
    parameters: float,
    tensor_parallel: float,
    pipeline_parallel: float,
    interleave: float,
    experts: float,
    vocab: float,
    gated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Layers [layer] of a model with this many `parameters`, in whole stages."""
    return likely_shape(
        parameters,
        head_multiple=int(tensor_parallel),
        layer_multiple=int(pipeline_parallel * interleave),
        experts=experts,
        vocab=vocab,
        gated=gated,
    )["layers"]


@step("1", "Estimated hidden size")
def fitting_hidden(parameters: float, tensor_parallel: float, experts: float, gated: bool) -> float:  # noqa: FBT001
    """Width of the residual stream [1] of a model with this many `parameters`, its heads of equal width."""
    return likely_shape(parameters, head_multiple=int(tensor_parallel), experts=experts, gated=gated)["hidden"]


@step("head", "Estimated attention heads")
def fitting_heads(parameters: float, tensor_parallel: float, experts: float, gated: bool) -> float:  # noqa: FBT001
    """Query heads per layer [head] of a model with this many `parameters`, a multiple of the tensor-parallel ranks."""
    return likely_shape(parameters, head_multiple=int(tensor_parallel), experts=experts, gated=gated)["heads"]


@step("head", "Estimated key-value heads")
def fitting_kv_heads(parameters: float) -> float:
    """Key and value heads per layer [head] of a model with this many `parameters`."""
    return likely_shape(parameters)["kv_heads"]


@step("1", "Estimated head dimension")
def fitting_head_dim(parameters: float, tensor_parallel: float, experts: float, gated: bool) -> float:  # noqa: FBT001
    """Width of one head [1] of a model with this many `parameters`."""
    return likely_shape(parameters, head_multiple=int(tensor_parallel), experts=experts, gated=gated)["head_dim"]


@step("1", "Estimated feed-forward width")
def fitting_ffn_hidden(parameters: float, tensor_parallel: float, experts: float, gated: bool) -> float:  # noqa: FBT001
    """Width of a feed-forward block [1] of a model with this many `parameters`."""
    return likely_shape(parameters, head_multiple=int(tensor_parallel), experts=experts, gated=gated)["ffn_hidden"]


LIKELY = formulas_of(globals())

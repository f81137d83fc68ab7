"""Dimensions of a model of which only the size is known, divisible by the layout's ranks and stages."""

from calculators.declare import Computed, computed, formulas_of, step
from calculators.llm.shape import likely_shape


def likely(dimension: str) -> Computed:
    """What a dimension is otherwise when only the model's parameters are given."""
    return computed(f"fitting_{dimension}", "likely for this size", when=("parameters",))


@step("layer", "Likely layers")
def fitting_layers(
    parameters: float,
    tensor_parallel: float,
    pipeline_parallel: float,
    interleave: float,
    experts: float,
    vocab: float,
    gated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Layers [layer] of a model of so many `parameters`, in whole stages."""
    return likely_shape(
        parameters,
        head_multiple=int(tensor_parallel),
        layer_multiple=int(pipeline_parallel * interleave),
        experts=experts,
        vocab=vocab,
        gated=gated,
    )["layers"]


@step("1", "Likely hidden size")
def fitting_hidden(parameters: float, tensor_parallel: float, experts: float, gated: bool) -> float:  # noqa: FBT001
    """Width of the residual stream [1] of a model of so many `parameters`, its heads dealt out evenly."""
    return likely_shape(parameters, head_multiple=int(tensor_parallel), experts=experts, gated=gated)["hidden"]


@step("head", "Likely attention heads")
def fitting_heads(parameters: float, tensor_parallel: float, experts: float, gated: bool) -> float:  # noqa: FBT001
    """Query heads per layer [head] of a model of so many `parameters`, a multiple of the tensor-parallel ranks."""
    return likely_shape(parameters, head_multiple=int(tensor_parallel), experts=experts, gated=gated)["heads"]


@step("head", "Likely key-value heads")
def fitting_kv_heads(parameters: float) -> float:
    """Key and value heads per layer [head] of a model of so many `parameters`."""
    return likely_shape(parameters)["kv_heads"]


@step("1", "Likely head dimension")
def fitting_head_dim(parameters: float, tensor_parallel: float, experts: float, gated: bool) -> float:  # noqa: FBT001
    """Width of one head [1] of a model of so many `parameters`."""
    return likely_shape(parameters, head_multiple=int(tensor_parallel), experts=experts, gated=gated)["head_dim"]


@step("1", "Likely feed-forward width")
def fitting_ffn_hidden(parameters: float, tensor_parallel: float, experts: float, gated: bool) -> float:  # noqa: FBT001
    """Width of a feed-forward block [1] of a model of so many `parameters`."""
    return likely_shape(parameters, head_multiple=int(tensor_parallel), experts=experts, gated=gated)["ffn_hidden"]


LIKELY = formulas_of(globals())

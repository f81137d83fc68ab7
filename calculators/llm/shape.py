"""Estimated shape of a model of known size, from published dense models."""

import math

from calculators import facts
from calculators.declare import AnyFormula, Computed, computed, formulas_of, step, variant

HEAD_DIM = facts.fact("model-head-dim").value
HIDDEN_PER_LAYER = facts.fact("model-hidden-per-layer").value
FFN_PER_HIDDEN = facts.fact("model-ffn-per-hidden").value
KV_HEADS = facts.fact("model-kv-heads").value
VOCAB = facts.fact("llama-3-70b.vocab").value
_NARROWEST_HEAD = 16
_MATRICES_GATED, _MATRICES_PLAIN = 3, 2
_SMALL = 1e9  # parameters
_MOSTLY_TABLES = 0.5
MOSTLY_TABLES = (
    "Of {parameters} most are embedding tables at a vocabulary of {vocab}, which leaves {layers}: small models "
    "differ too much to estimate. Give layers, hidden size, vocabulary, and whether embeddings are tied."
)


def likely_shape(
    parameters: float,
    *,
    head_multiple: int = 1,
    layer_multiple: int = 1,
    experts: float = 1,
    vocab: float = VOCAB,
    gated: bool = True,
) -> dict[str, float]:
    """Layers, hidden size, heads, key-value heads, head dimension and feed-forward width for so many parameters.

    Heads of the usual width, a fixed ratio of hidden size to layers, a feed-forward block of a fixed ratio and grouped
    key-value heads give a hidden size; then as many layers as make up the parameters. Heads and layers are rounded to
    the multiples that a parallel layout needs.

    >>> shape = likely_shape(70.6e9)
    >>> shape["layers"], shape["hidden"]  # Llama 3 70B has 80 layers 8,192 wide
    (67, 8928)
    """
    matrices = _MATRICES_GATED if gated else _MATRICES_PLAIN
    squares = 2 + 2 / KV_HEADS + matrices * FFN_PER_HIDDEN * experts
    width = (parameters * HIDDEN_PER_LAYER / squares) ** (1 / 3)
    heads = _nearest(width / HEAD_DIM, math.lcm(int(KV_HEADS), head_multiple))
    head_dim = max(_NARROWEST_HEAD, min(HEAD_DIM, round(width / heads)))
    hidden = heads * head_dim
    layer = hidden**2 * (2 + 2 * KV_HEADS / heads + matrices * FFN_PER_HIDDEN * experts)
    return {
        "layers": _nearest((parameters - 2 * vocab * hidden) / layer, layer_multiple),
        "hidden": hidden,
        "heads": heads,
        "kv_heads": KV_HEADS,
        "head_dim": head_dim,
        "ffn_hidden": round(FFN_PER_HIDDEN * hidden),
    }


def is_small(parameters: float, tables: float) -> bool:
    """Whether a model is so small that tables are most of it.

    >>> is_small(500e6, 250e6), is_small(500e6, 249e6), is_small(1e9, 600e6)
    (True, False, False)
    """
    return parameters < _SMALL and tables >= _MOSTLY_TABLES * parameters


@step("layer", "Estimated layers")
def likely_layers(active_parameters: float) -> float:
    """Layers [layer] of a dense model with this many parameters, or of a mixture with so many active per token."""
    return likely_shape(active_parameters)["layers"]


@step("1", "Estimated hidden size")
def likely_hidden(active_parameters: float) -> float:
    """Width of the residual stream [1] of a dense model with this many parameters."""
    return likely_shape(active_parameters)["hidden"]


@step("head", "Estimated attention heads")
def likely_heads(active_parameters: float) -> float:
    """Query heads per layer [head] of a dense model with this many parameters."""
    return likely_shape(active_parameters)["heads"]


@step("1", "Estimated head dimension")
def likely_head_dim(active_parameters: float) -> float:
    """Width of one head [1] of a dense model with this many parameters."""
    return likely_shape(active_parameters)["head_dim"]


@step("head", "Estimated key-value heads")
def likely_kv_heads(active_parameters: float) -> float:
    """Key and value heads per layer [head] of a dense model with this many parameters."""
    return likely_shape(active_parameters)["kv_heads"]


@step("1", "Estimated feed-forward width")
def likely_ffn_hidden(active_parameters: float) -> float:
    """Width of a feed-forward block [1] of a dense model with this many parameters."""
    return likely_shape(active_parameters)["ffn_hidden"]


BY_ALL_PARAMETERS = tuple(
    variant(
        formula,
        {"active_parameters": "parameters"},
        name=formula.name.replace("likely", "sized"),
        label=f"{formula.label}, by all parameters",
    )
    for formula in formulas_of(globals())
)


def of_this_size(dimension: str) -> tuple[Computed, Computed]:
    """Defaults of a dimension when sizes are given: from a dense model with the active parameters, else with all."""
    word = "estimated for this size"
    return (
        computed(f"likely_{dimension}", word, when=("active_parameters",)),
        computed(f"sized_{dimension}", word, when=("parameters",)),
    )


LIKELY_SHAPE: tuple[AnyFormula, ...] = (*formulas_of(globals()), *BY_ALL_PARAMETERS)


def _nearest(wanted: float, multiple: int) -> int:
    return multiple * max(1, round(wanted / multiple))

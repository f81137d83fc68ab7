"""Heads and experts of a model: width of the heads, and constraints, also for tensor-parallel ranks."""

from calculators.declare import constraint, step

_ROUNDING = 5e-4  # numbers of links and boxes have four digits


@step("1", "Width of all heads")
def heads_width(heads: float, head_dim: float, v_head_dim: float) -> float:
    """Heads times their dimension [1]; where values are narrower than keys, times the mean of the two.

    >>> heads_width(128, 192, 128)  # DeepSeek-V3
    20480.0
    """
    return heads * (head_dim + v_head_dim) / 2


@constraint("tensor_parallel", speaks="tp=12", silent="tp=64")
def heads_divide(heads: float, tensor_parallel: float) -> str:
    """Tensor parallelism gives every rank the same number of whole attention heads."""
    return _uneven(heads, tensor_parallel, "{tensor_parallel}")


@constraint("serving_tensor_parallel", speaks="heads=64&tp=12", silent="heads=64&tp=8")
def serving_heads_divide(heads: float, serving_tensor_parallel: float) -> str:
    """Tensor parallelism in serving gives every rank the same number of whole attention heads."""
    return _uneven(heads, serving_tensor_parallel, "{serving_tensor_parallel}")


def _uneven(heads: float, ranks: float, shown: str) -> str:
    if heads % ranks == 0:
        return ""
    below = next(fewer for fewer in range(int(min(heads, ranks)), 0, -1) if heads % fewer == 0)
    return (
        f"Attention heads cannot be split evenly: {{heads}} over {shown}, "
        f"which engines and frameworks refuse; try {below}"
    )


def uneven_kv_heads(kv_heads: float, ranks: float) -> str:
    """Error if `ranks` of tensor parallelism can neither split nor evenly replicate the heads; else empty."""
    if kv_heads % ranks == 0 or ranks % kv_heads == 0:
        return ""
    below = next(fewer for fewer in range(int(ranks), 0, -1) if kv_heads % fewer == 0)
    return (
        "Key-value heads can be neither split nor replicated evenly, {kv_heads} over {tensor_parallel}: "
        f"Megatron Core and torchtitan refuse it; try tensor parallel {below}"
    )


@constraint("kv_heads", speaks="heads=64&kv_heads=128", silent="heads=64&kv_heads=64")
def enough_heads(kv_heads: float, heads: float) -> str:
    """Each key-value head serves a group of query heads, all groups of one size."""
    if heads % kv_heads == 0:
        return ""
    if kv_heads > heads:
        return "Key-value heads must be at most {heads}, not {kv_heads}: each serves one or more attention heads"
    return "Key-value heads must divide {heads} evenly, not be {kv_heads}: each serves a group of the same size"


@constraint("attention_layers", speaks="layers=80&attention_layers=81", silent="layers=80&attention_layers=80")
def attending_within_layers(attention_layers: float, layers: float) -> str:
    """No model has more layers with attention than layers."""
    return (
        "" if attention_layers <= layers else "Layers with attention must be at most {layers}, not {attention_layers}"
    )


@constraint("experts_per_token", speaks="experts=4&experts_per_token=5", silent="experts=4&experts_per_token=4")
def enough_experts(experts_per_token: float, experts: float) -> str:
    """The router cannot choose more experts than there are."""
    return (
        "" if experts_per_token <= experts else "Experts per token must be at most {experts}, not {experts_per_token}"
    )


@constraint(
    "active_parameters", speaks="parameters=70B&active_parameters=71B", silent="parameters=70B&active_parameters=70B"
)
def active_within_all(active_parameters: float, parameters: float) -> str:
    """No model uses more parameters per token than it has."""
    if active_parameters <= parameters * (1 + _ROUNDING):
        return ""
    return "Active parameters must be at most all {parameters}, not {active_parameters}"

"""Model size estimated from layers, where only those are given: close enough for the traffic and FLOPs of a step."""

from calculators.declare import formulas_of, step


@step("parameter", "Parameters of the layers")
def layers_parameters(
    layers: float,
    expert_layers: float,
    hidden: float,
    kv_heads: float,
    head_dim: float,
    shared_expert_parameters: float,
    routed_parameters: float,
) -> float:
    """Parameters of all layers [parameter], without embeddings, norms, routers and shared experts.

    Queries and outputs are assumed as wide as the hidden state, keys and values at most as wide (latent attention).
    Llama 3 70B without its two embedding tables:

    >>> layers_parameters(80, 0, 8192, 8, 128, 704643072, 0) / 1e9
    68.45104128
    """
    attention = 2 * hidden * (hidden + min(kv_heads * head_dim, hidden))
    return layers * attention + (layers - expert_layers) * shared_expert_parameters + routed_parameters


@step("parameter", "Active parameters of the layers")
def layers_active_parameters(
    parameters: float, layers_parameters: float, routed_parameters: float, experts: float, experts_per_token: float
) -> float:
    """Parameters used per token [parameter]: all but the experts that the router did not choose.

    >>> round(layers_active_parameters(10e9, 10e9, 8e9, 8, 2))
    4000000000
    """
    return parameters * (1 - routed_parameters / layers_parameters * (1 - experts_per_token / experts))


FORMULAS = formulas_of(globals())

"""Weight reads: the bytes of weights that one decoding step reads from GPU memory."""

from calculators.declare import formulas_of, step


@step("expert", "Distinct experts read per layer")
def experts_touched(
    experts: float,
    experts_per_token: float,
    routed_tokens_per_step: float,
    expert_groups: float,
) -> float:
    """Experts of a layer that at least one token of a step chooses, in the mean [expert].

    Each of n tokens chooses k of E at random and leaves E - k: E × (1 - (1 - k / E)^n) are touched. Where groups of
    GPUs share the experts, the tokens of all groups choose. Real routers prefer some experts, which touches fewer.
    A dense model has one expert, and reads it.

    >>> experts_touched(256, 8, 1, 1), experts_touched(4, 1, 2, 1), experts_touched(4, 1, 1, 2)
    (8.0, 1.75, 1.75)
    >>> experts_touched(4, 8, 1, 1)
    4
    """
    left = max(0, 1 - experts_per_token / experts)
    return experts * (1 - left ** (routed_tokens_per_step * expert_groups))  # type: ignore[no-any-return]


@step("parameter", "Lookup-table parameters, all tables")
def lookup_table_parameters(
    embedding_parameters: float,
    count_correction: float,
    attention_layers: float,
    layers: float,
    parameters: float,
    active_parameters: float,
    layer_embedding_parameters: float,
) -> float:
    """Parameters of tables that a step looks up rows of [parameter]: as counted, at most their share of the model.

    Where some layers have no attention the dimensions count too much, and the tables are taken unscaled. Tables that
    each layer looks up are added as given. Some parameters are always left to be read.

    >>> lookup_table_parameters(1e9, 1, 80, 80, 8e9, 8e9, 0), lookup_table_parameters(1e9, 0.5, 80, 80, 8e9, 8e9, 0)
    (1000000000.0, 500000000.0)
    >>> lookup_table_parameters(1e9, 3, 80, 80, 8e9, 8e9, 0), lookup_table_parameters(1e9, 0.5, 10, 80, 8e9, 8e9, 2e9)
    (1000000000.0, 3000000000.0)
    >>> lookup_table_parameters(1e9, 0.5, 10, 80, 8e8, 8e8, 0)
    500000000.0
    """
    scaled = embedding_parameters * min(1, count_correction)
    tables = (embedding_parameters if attention_layers < layers else scaled) + layer_embedding_parameters
    return tables if tables < active_parameters else scaled * active_parameters / parameters


@step("B", "Shared weights read per step, all GPUs")
def shared_weights_read(
    parameters: float, weight_bytes: float, routed_share: float, lookup_table_parameters: float
) -> float:
    """Weights that every step reads [B]: all but routed experts and lookup tables."""
    return weight_bytes * max(0, parameters * (1 - routed_share) - lookup_table_parameters)


@step("B", "Routed experts read per step, all GPUs")
def routed_weights_read(
    parameters: float, weight_bytes: float, routed_share: float, experts: float, experts_touched: float
) -> float:
    """Weights of the routed experts that a step reads [B]; 0 in a dense model."""
    return weight_bytes * parameters * routed_share * experts_touched / experts


@step("B", "Weights read per step, all GPUs")
def model_weights_read(shared_weights_read: float, routed_weights_read: float) -> float:
    """Weights that all GPUs of a replica read in a step, which makes one token for every running sequence [B].

    Shared weights once, and the routed experts that tokens choose. Lookup tables are not read.
    """
    return shared_weights_read + routed_weights_read


@step("B", "Weights read per step, per GPU")
def weights_read(
    shared_weights_read: float,
    routed_weights_read: float,
    serving_tensor_parallel: float,
    expert_groups: float,
) -> float:
    """Weights that each GPU reads in a step [B].

    Several groups of ranks may share the routed experts; each group reads the rest of the model itself.
    """
    return (shared_weights_read + routed_weights_read / expert_groups) / serving_tensor_parallel


WEIGHT_READ_FORMULAS = formulas_of(globals())

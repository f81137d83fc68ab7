"""Decoding: what one step reads, and how fast memory bandwidth alone lets it go."""

from calculators.declare import formulas_of, step


@step("sequence", "Sequences running at once")
def running_sequences(sequences: float, max_sequences: float) -> float:
    """The wanted sequences, or those of them that fit [sequence]; the others wait."""
    return min(sequences, max_sequences)


@step("expert", "Distinct experts touched, per layer")
def experts_touched(experts: float, experts_per_token: float, running_sequences: float) -> float:
    """How many of a layer's experts at least one sequence chooses [expert], in the mean.

    Each of n sequences chooses k of E at random and leaves E - k: E × (1 - (1 - k / E)^n) are touched.
    Real routers prefer some experts, which touches fewer. A dense model has one, and touches it.

    >>> experts_touched(256, 8, 1), experts_touched(4, 1, 2), experts_touched(1, 1, 128)
    (8.0, 1.75, 1)
    """
    return experts * (1 - max(0, 1 - experts_per_token / experts) ** running_sequences)  # type: ignore[no-any-return]


@step("share", "Share of the weights in routed experts")
def routed_share(parameters: float, active_parameters: float, experts: float, experts_per_token: float) -> float:
    """Which part of a mixture's weights the router chooses from [share]; nothing in a dense model.

    A token leaves E - k of E experts unused, and those are all that is not active.
    DeepSeek-V3, 671.0B with 37.6B active, 8 of 256 experts: 653.9B are routed.

    >>> round(routed_share(671.026404352e9, 37.552282624e9, 256, 8) * 671.026404352, 1)
    653.9
    """
    unused = experts - experts_per_token
    return (parameters - active_parameters) / parameters * experts / unused if unused > 0 else 0


@step("parameter", "Tables not read")
def unread_parameters(embedding_parameters: float, count_correction: float) -> float:
    """Parameters of tables of which only rows are looked up [parameter]: as counted, at most their part of the model.

    >>> unread_parameters(1e9, 1), unread_parameters(1e9, 0.5), unread_parameters(1e9, 3)
    (1000000000.0, 500000000.0, 1000000000.0)
    """
    return embedding_parameters * min(1, count_correction)


@step("B", "Weights read per step, whole model")
def model_weights_read(
    parameters: float,
    weight_bytes: float,
    unread_parameters: float,
    routed_share: float,
    experts: float,
    experts_touched: float,
) -> float:
    """Weights that all GPUs together read to make one token for every running sequence [B].

    Everything shared once, and of the routed experts those touched. Tables that are only looked up are not read.
    """
    touched = 1 - routed_share * (1 - experts_touched / experts)
    return weight_bytes * max(0, parameters * touched - unread_parameters)


@step("B", "Weights read per step, per GPU")
def weights_read(model_weights_read: float, serving_tensor_parallel: float) -> float:
    """Weights each GPU reads to make one token for every running sequence [B]."""
    return model_weights_read / serving_tensor_parallel


@step("s", "Time per decoding step", falls_with=("memory_bandwidth",))
def decode_step_time(
    weights_read: float, cache_per_sequence_per_gpu: float, running_sequences: float, memory_bandwidth: float
) -> float:
    """Least time to make one token for every running sequence [s]: weights and cache through each GPU's memory once."""
    return (weights_read + cache_per_sequence_per_gpu * running_sequences) / memory_bandwidth


@step("token/s", "Decoding speed, upper bound", source="gpt-fast", rises_with=("memory_bandwidth",))
def decode_tokens_per_second(running_sequences: float, decode_step_time: float) -> float:
    """Tokens per second of all running sequences together [token/s], by memory bandwidth alone; 0 if nothing fits."""
    return running_sequences / decode_step_time if running_sequences > 0 else 0


@step("token/s", "Decoding speed per sequence, upper bound", source="gpt-fast", rises_with=("memory_bandwidth",))
def decode_tokens_per_second_per_sequence(running_sequences: float, decode_step_time: float) -> float:
    """Tokens per second that each running sequence sees [token/s], by memory bandwidth alone; 0 if nothing fits."""
    return 1 / decode_step_time if running_sequences > 0 else 0


DECODING_FORMULAS = formulas_of(globals())

"""Where the numbers of the KV cache stop being good: what inputs cannot be together, and what to be warned of."""

from calculators.declare import Formula, caution, check
from calculators.serving.capacity import LONGEST_CONTEXT


@check("active_parameters")
def active_within_all(active_parameters: float, parameters: float) -> str:
    """No model uses more parameters per token than it has."""
    if active_parameters <= parameters:
        return ""
    return "Active parameters must be at most all {parameters}, not {active_parameters}"


@caution
def heads_replicated(cached_heads: float, tensor_parallel: float) -> str:
    """More ranks than heads to share among them."""
    if tensor_parallel <= cached_heads:
        return ""
    return (
        "There are more tensor-parallel ranks than cached heads, so ranks hold copies: "
        "each GPU keeps {cache_share_per_gpu} of the cache however many more there are."
    )


@caution
def uneven_heads(cached_heads: float, tensor_parallel: float) -> str:
    """Heads that ranks cannot share evenly."""
    if tensor_parallel > cached_heads or cached_heads % tensor_parallel == 0:
        return ""
    return (
        "{cached_heads} cannot be shared evenly by {tensor_parallel}: engines refuse it. "
        "The fullest rank is counted here."
    )


@caution
def no_limit(max_context: float) -> str:
    """Memory sets no limit to the context."""
    if max_context < LONGEST_CONTEXT:
        return ""
    return "Memory sets no limit to the context here; what the model was trained for does."


@caution
def speed_is_a_bound(decode_tokens_per_second: float) -> str:
    """The decoding speed is an upper bound, always."""
    if decode_tokens_per_second <= 0:
        return ""
    return (
        "{decode_tokens_per_second} is an upper bound, by memory bandwidth alone: engines measured stay below it, "
        "the more so with small models, many GPUs, mixtures of experts and large batches."
    )


@caution
def some_wait(sequences: float, max_sequences: float) -> str:
    """Sequences that must wait."""
    if sequences <= max_sequences or max_sequences <= 0:
        return ""
    return "Speeds are for the {max_sequences} that fit at full context; the others wait or are pushed out."


CAUTIONS: tuple[Formula, ...] = (
    active_within_all,
    heads_replicated,
    uneven_heads,
    no_limit,
    speed_is_a_bound,
    some_wait,
)

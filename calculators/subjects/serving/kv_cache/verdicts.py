"""Verdict: whether the KV cache of all sequences fits in GPU memory."""

from calculators.declare import Verdict, verdict

TIGHT_FROM = 0.9


@verdict("KV cache in GPU memory", good="", tight="sequences=160", bad="sequences=1000")
def serving_fits(
    cache_budget: float,
    cache_memory_per_gpu: float,
    max_sequences: float,
    max_context: float,
    context: float,
    positions: float | None,
) -> Verdict:
    """Whether the sequences fit next to the weights at full context, and which limit decides."""
    if cache_budget <= 0:
        return Verdict(
            level="bad",
            word="does not fit",
            reason="No memory is left for the KV cache: {serving_weight_memory} of weights and {serving_overhead} of "
            "overhead fill what the engine may use of each GPU.",
        )
    if cache_memory_per_gpu > cache_budget:
        room = "{max_sequences} of this length is the most" if max_sequences > 0 else "Not even one sequence fits"
        shorter = "; for {sequences} the longest context is {max_context}." if max_context > 0 else "."
        return Verdict(
            level="bad",
            word="does not fit",
            reason="The KV cache of {sequences} takes {cache_memory_per_gpu} per GPU, and {cache_budget} is left. "
            + room
            + shorter,
        )
    if cache_memory_per_gpu > cache_budget * TIGHT_FROM:
        return Verdict(
            level="tight",
            word="tight",
            reason="The KV cache takes {cache_memory_per_gpu} of {cache_budget} per GPU; "
            "there is room for {max_sequences}.",
        )
    if positions is not None and context > positions:
        return Verdict(
            level="tight",
            word="fits, but beyond the model's context",
            reason="The KV cache takes {cache_memory_per_gpu} of {cache_budget} per GPU, "
            "but the model supports {positions}, not {context}.",
        )
    return Verdict(
        level="good",
        word="fits",
        reason="The KV cache takes {cache_memory_per_gpu} of {cache_budget} per GPU; "
        "there is room for {max_sequences}.",
    )

"""Inputs of the KV cache: what is served, and how many sequences of which length."""

from dataclasses import dataclass

from calculators.declare import computed, quantity
from calculators.llm.serving.inputs import ENGINE, REQUESTS, Served
from calculators.llm.serving.memory import LONGEST_CONTEXT


@dataclass(frozen=True, kw_only=True)
class Inputs(Served):
    """All inputs; base units (bytes, bytes per second, shares)."""

    context: float = quantity(
        computed("default_context", "typical, or all that the model supports"),
        "token",
        "Context per sequence",
        hard=(1, LONGEST_CONTEXT),
        slider=(512, 1048576),
        scale="log",
        whole=True,
        doubling=True,
        help="Input and output tokens together, at most: every sequence is counted at this length.",
        group=REQUESTS,
        aliases=("context_length", "max_model_len"),
    )
    sequences: float = quantity(
        128,
        "sequence",
        "Concurrent sequences",
        hard=(1, 1e9),
        slider=(1, 2048),
        scale="log",
        whole=True,
        doubling=True,
        help="Requests that one replica of the model serves at the same time.",
        group=REQUESTS,
        aliases=("users",),
    )
    routed_tokens_per_step: float = quantity(
        computed("running_sequences", "one for each running sequence"),
        "token",
        "Tokens per step that choose experts",
        hard=(0, 1e12),
        slider=(1, 65536),
        scale="log",
        doubling=True,
        help="More than one for each sequence with speculative decoding or with prefill in the same batch. "
        "It decides how many experts a step reads.",
        group=ENGINE,
        aliases=("serving_tokens_per_step",),
    )

"""Inputs of the KV cache: what is served, and how many sequences of which length."""

from dataclasses import dataclass

from calculators.declare import computed, quantity
from calculators.subjects.serving.inputs import ENGINE, REQUESTS, Served
from calculators.subjects.serving.memory import LONGEST_CONTEXT


@dataclass(frozen=True, kw_only=True)
class Inputs(Served):
    """What the reader may set; base units (bytes, bytes per second, shares)."""

    context: float = quantity(
        computed("default_context", "usual, or all the model is made for"),
        "token",
        "Context per sequence",
        hard=(1, LONGEST_CONTEXT),
        slider=(512, 1048576),
        scale="log",
        whole=True,
        doubling=True,
        help="Prompt and answer together, at the longest: every sequence is counted at this length.",
        group=REQUESTS,
    )
    sequences: float = quantity(
        128,
        "sequence",
        "Sequences at once",
        hard=(1, 1e9),
        slider=(1, 2048),
        scale="log",
        whole=True,
        doubling=True,
        help="Requests that this one copy of the model serves at the same time.",
        group=REQUESTS,
        aliases=("users",),
    )
    serving_tokens_per_step: float = quantity(
        computed("running_sequences", "one for each that runs"),
        "token",
        "Tokens a decoding step works on",
        hard=(0, 1e12),
        slider=(1, 65536),
        scale="log",
        doubling=True,
        help="More than one for each sequence where drafts are checked or prompts are read along. "
        "It decides how many experts are read.",
        group=ENGINE,
    )

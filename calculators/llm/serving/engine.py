"""Inputs on the engine: chunked prefill, batch limit, compute precision and speculative decoding."""

from dataclasses import dataclass
from typing import Literal

from calculators import facts
from calculators.declare import choice, quantity
from calculators.llm.serving.inputs import ENGINE

DRAFT = "draft"
Arithmetic = Literal["auto", "16", "8", "4"]
PrefillSchedule = Literal["evenly", "chunks"]


@dataclass(frozen=True, kw_only=True)
class Engine:
    """Settings of the engine; base units (tokens, shares)."""

    prefill_chunk: float = quantity(
        facts.fact("serving-chunk"),
        "token",
        "Prefill chunk (max_num_batched_tokens)",
        hard=(16, 10e6),
        slider=(256, 65536),
        scale="log",
        whole=True,
        doubling=True,
        help="Tokens that an engine batches in one step at most, so the largest piece of a prompt that a step reads.",
        group=ENGINE,
        aliases=("max_num_batched_tokens", "chunk"),
    )
    prefill_schedule: PrefillSchedule = choice(
        "chunks",
        "Prefill mixed with decode",
        {
            "evenly": "evenly: a part of the prompts in every step",
            "chunks": "in whole chunks: few long steps",
        },
        help="Evenly is a roofline of the mean step. Whole chunks are what engines do: closer to published runs, and "
        "fewer sequences.",
        group=ENGINE,
        aliases=("prompts_read",),
    )
    max_concurrent_sequences: float = quantity(
        facts.fact("serving-most-sequences"),
        "sequence",
        "Max concurrent sequences (max_num_seqs)",
        hard=(1, 1e6),
        slider=(1, 16384),
        scale="log",
        whole=True,
        doubling=True,
        help="An engine setting: 256 to 1,024 in vLLM, 2,048 in TensorRT-LLM (max_batch_size).",
        group=ENGINE,
        aliases=("max_num_seqs", "max_batch_size", "most_sequences"),
    )
    arithmetic: Arithmetic = choice(
        "auto",
        "Compute precision",
        {
            "auto": "auto: as narrow as weights and GPU allow",
            "16": "16 bits, for any weight precision",
            "8": "8 bits",
            "4": "4 bits",
        },
        help="Weights of one byte run at the 8-bit rate, narrower ones at the 4-bit rate where the GPU has one, "
        "otherwise at the 16-bit rate.",
        group=ENGINE,
    )
    draft_tokens: float = quantity(
        0,
        "token",
        "Draft tokens per step",
        hard=(0, 64),
        slider=(0, 16),
        whole=True,
        help="Speculative decoding (num_speculative_tokens): so many tokens are drafted and verified in one step.",
        group=DRAFT,
    )
    draft_acceptance_rate: float = quantity(
        facts.fact("serving-acceptance"),
        "share",
        "Draft acceptance rate",
        hard=(0, 1),
        help="Of each draft token, given that those before it were accepted.",
        group=DRAFT,
        aliases=("acceptance",),
    )
    draft_cost: float = quantity(
        facts.fact("serving-draft-cost"),
        "share",
        "Draft cost per token",
        hard=(0, 1),
        slider=(0, 0.5),
        help="As a share of a step's weight reads and latency without drafts.",
        group=DRAFT,
    )

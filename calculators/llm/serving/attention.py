"""Attention: the kinds that are distinguished, and the heads and widths that each has by default."""

import math
from typing import Literal

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.llm.shape import KV_HEADS
from calculators.vocabulary.models import of_default_model

Attention = Literal["mha", "gqa", "mqa", "mla", "hybrid", "compressed"]
WINDOWED = ("hybrid", "compressed")

_HEADS = of_default_model("heads")
LATENT_WIDTH = float(facts.fact("deepseek-v3.kv_lora_rank").value)
_ROTARY_WIDTH = float(facts.fact("deepseek-v3.rope_head_dim").value)
_WITHOUT_ROTATION = float(facts.fact("deepseek-v3.nope_head_dim").value)


@step("head", "Typical key-value heads")
def typical_kv_heads(attention: Attention, heads: float) -> float:
    """Key-value heads of a layer by default [head]: as many as heads, one, or those of typical GQA."""
    return heads if attention == "mha" else 1 if attention in {"mqa", "compressed"} else min(KV_HEADS, heads)


@step("head", "Typical heads for these key-value heads")
def typical_heads(attention: Attention, kv_heads: float) -> float:
    """Query heads of a layer where only key-value heads are given [head]: as many (MHA), or whole groups.

    >>> typical_heads("mha", 40), typical_heads("gqa", 8), typical_heads("gqa", 6), typical_heads("gqa", 128)
    (40, 64, 66, 128)
    """
    return kv_heads if attention == "mha" else kv_heads * math.ceil(_HEADS / kv_heads)


@step("head", "Heads that fill the hidden size")
def heads_of_hidden(hidden: float, head_dim: float) -> float:
    """Query heads of a layer that fill the hidden size [head].

    >>> heads_of_hidden(4096, 128)
    32
    """
    return max(1, round(hidden / head_dim))


@step("1", "Hidden size that the heads fill")
def hidden_of_heads(heads: float, head_dim: float) -> float:
    """Hidden size that the heads fill [1].

    >>> hidden_of_heads(32, 128)
    4096
    """
    return heads * head_dim


@step("1", "Typical MLA latent width")
def typical_kv_lora_rank(attention: Attention) -> float:
    """Width of the latent [1]: DeepSeek-V3's with latent attention (MLA), 0 without."""
    return LATENT_WIDTH if attention == "mla" else 0


@step("1", "Typical MLA rotary key width")
def typical_rope_head_dim(attention: Attention) -> float:
    """Width of the key part that carries position [1]: DeepSeek-V3's with latent attention (MLA), 0 without."""
    return _ROTARY_WIDTH if attention == "mla" else 0


@step("1", "Typical MLA key width without rotation")
def typical_nope_head_dim(attention: Attention) -> float:
    """Width of the key part without position [1]: DeepSeek-V3's with latent attention (MLA), 0 without."""
    return _WITHOUT_ROTATION if attention == "mla" else 0


ATTENTION_FORMULAS = formulas_of(globals())

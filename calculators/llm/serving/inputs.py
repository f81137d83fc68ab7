"""Inputs that all calculators of serving share: the model and its attention, parallelism, engine and GPU."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import choice, computed, not_applicable, quantity
from calculators.llm import dimensions
from calculators.llm.serving.attention import Attention
from calculators.llm.serving.memory import LONGEST_CONTEXT
from calculators.llm.shape import of_this_size
from calculators.llm.size import Biases
from calculators.units import GIB
from calculators.vocabulary.accelerators import gpu_memory, memory_bandwidth, serving_overhead
from calculators.vocabulary.groups import MODEL, SHARD
from calculators.vocabulary.models import (
    active_parameters,
    head_dim,
    heads,
    hidden,
    kv_heads,
    layers,
    of_default_model,
    parameters,
)
from calculators.vocabulary.parallelism import serving_tensor_parallel

REQUESTS, ENGINE = "requests", "engine"
_MEMORY_SHARE = facts.fact("vllm-memory-default.before")


def _of_hybrid(field: str) -> float:
    return float(facts.fact(f"gemma-2-27b.{field}").value)


@dataclass(frozen=True, kw_only=True)
class Served:
    """Model, parallelism, engine and GPU of a replica; base units (bytes, bytes per second, tokens, shares)."""

    attention: Attention = choice(
        "gqa",
        "Attention",
        {
            "mha": "multi-head: every head has its own keys and values",
            "gqa": "grouped-query: heads share keys and values in groups",
            "mqa": "multi-query: all heads share one key-value head",
            "mla": "latent (MLA): one compressed vector for all heads",
            "hybrid": "hybrid: some layers have a sliding window",
            "compressed": "compressed: a sliding window, and entries made of several tokens",
        },
        group=MODEL,
    )
    layers: float = layers(*of_this_size("layers"), of_default_model("layers"))
    heads: float = heads(
        computed("heads_of_hidden", "hidden ÷ head dimension", when=("hidden",)),
        computed("typical_heads", "typical for these key-value heads", when=("kv_heads",)),
        *of_this_size("heads"),
        of_default_model("heads"),
    )
    kv_heads: float = kv_heads(computed("typical_kv_heads", "typical for this attention"))
    head_dim: float = head_dim(*of_this_size("head_dim"), of_default_model("head_dim"))
    window: float = quantity(
        _of_hybrid("window"),
        "token",
        "Sliding window",
        hard=(1, LONGEST_CONTEXT),
        slider=(128, 32768),
        scale="log",
        whole=True,
        doubling=True,
        help="Tokens that a sliding-window layer attends to; used with hybrid and compressed attention only.",
        group=MODEL,
    )
    global_layer_share: float = quantity(
        _of_hybrid("global_layer_share"),
        "share",
        "Full-attention layers",
        hard=(0, 1),
        help="Share of attention layers without a sliding window; used with hybrid and compressed attention only.",
        group=MODEL,
    )
    attention_layers: float = dimensions.attention_layers()
    window_entry_ratio: float = dimensions.window_entry_ratio()
    compressed_values: float = dimensions.compressed_values()
    state_per_sequence: float = dimensions.state_per_sequence()
    layer_embedding_parameters: float = dimensions.layer_embedding_parameters()
    parameters: float = parameters(
        computed("active_parameters", "as active parameters", when=("active_parameters",)),
        computed("counted_parameters", "counted"),
    )
    active_parameters: float = active_parameters(computed("counted_active_parameters", "counted"))
    experts: float = dimensions.experts()
    experts_per_token: float = dimensions.experts_per_token()
    positions: float | None = dimensions.positions()
    hidden: float = hidden(computed("hidden_of_heads", "heads × head dimension"))
    ffn_hidden: float = dimensions.ffn_hidden(*of_this_size("ffn_hidden"))
    vocab: float = dimensions.vocab()
    gated: bool = dimensions.gated()
    tied_embeddings: bool = dimensions.tied_embeddings()
    shared_experts: float = dimensions.shared_experts()
    expert_hidden: float = dimensions.expert_hidden()
    dense_layers: float = dimensions.dense_layers()
    dense_ffn_hidden: float = dimensions.dense_ffn_hidden()
    mtp_layers: float = dimensions.mtp_layers()
    q_lora_rank: float = dimensions.q_lora_rank()
    kv_lora_rank: float = dimensions.kv_lora_rank(computed("typical_kv_lora_rank", "typical for this attention"))
    rope_head_dim: float = dimensions.rope_head_dim(computed("typical_rope_head_dim", "typical for this attention"))
    nope_head_dim: float = dimensions.nope_head_dim(computed("typical_nope_head_dim", "typical for this attention"))
    v_head_dim: float = dimensions.v_head_dim()
    position_embeddings: float = dimensions.position_embeddings()
    norms_per_layer: float = dimensions.norms_per_layer()
    qk_norm: bool = dimensions.qk_norm()
    biases: Biases = dimensions.biases()
    block_layers: float = dimensions.block_layers()
    mixer_parameters: float | None = dimensions.mixer_parameters()
    weight_bytes: float = quantity(
        2,
        "B/parameter",
        "Bytes per served weight",
        hard=(0.1, 8),
        slider=(0.5, 4),
        help="As loaded for serving: two in bf16, one in fp8, about half of one in four-bit formats with their scales.",
        group=MODEL,
    )
    cache_bytes: float = quantity(
        2,
        "B/value",
        "Bytes per cached value",
        hard=(0.1, 8),
        slider=(0.5, 4),
        help="Two in bf16, one in fp8.",
        group=ENGINE,
    )
    entry_bytes: float = quantity(
        not_applicable("counted"),
        "B",
        "KV-cache entry in the engine's own layout",
        hard=(1, 1e9),
        slider=(64, 16384),
        scale="log",
        help="Bytes per token and layer where an engine pads or adds scales, as vLLM's fp8 layout of latents does. "
        "It replaces the number of values times their bytes.",
        group=ENGINE,
    )
    serving_tensor_parallel: float = serving_tensor_parallel(8)
    serving_expert_parallel: float = quantity(
        1,
        "GPU",
        "Expert parallelism",
        hard=(1, 1024),
        slider=(1, 256),
        scale="log",
        whole=True,
        doubling=True,
        help="GPUs over which the routed experts of a layer are divided. If that is more than tensor parallelism, "
        "several tensor-parallel groups share the experts, each with the rest of the model and sequences of its own. "
        "For data-parallel attention set tensor parallelism 1, and all GPUs here. As many as tensor parallelism (TP8 "
        "with EP8) puts whole experts on each GPU instead of slices of each.",
        group=SHARD,
        aliases=("expert_parallel", "ep"),
    )
    gpu_memory: float = gpu_memory()
    gpu_memory_utilization: float = quantity(
        _MEMORY_SHARE,
        "share",
        "GPU memory utilization",
        hard=(0.01, 1),
        slider=(0.5, 1),
        spread=facts.fact("memory-share-serving").spread,
        help="Share of GPU memory that the engine may use (gpu_memory_utilization): vLLM's default for years, and "
        "that of most guides. Its newer releases default slightly higher and count CUDA graphs inside.",
        group=ENGINE,
        aliases=("memory_share",),
    )
    serving_overhead: float = serving_overhead(
        facts.fact("serving-overhead"),
        help="Activations, CUDA graphs and buffers; grows with the largest batch of tokens.",
    )
    kv_block_size: float = quantity(
        facts.fact("kv-page-tokens"),
        "token",
        "KV block size",
        hard=(1, 65536),
        slider=(1, 256),
        scale="log",
        whole=True,
        doubling=True,
        help="Tokens per block of the paged KV cache; the last block of a sequence is partly empty.",
        group=ENGINE,
        aliases=("page_size", "block_size"),
    )
    tokens_in_flight: float = quantity(
        1,
        "token",
        "New tokens per sequence and step",
        hard=(1, LONGEST_CONTEXT),
        slider=(1, 32768),
        scale="log",
        whole=True,
        doubling=True,
        help="One in decode; in prefill the engine's chunk, which sliding-window layers must hold as well. The "
        "whole context where they cache all of it: TensorRT-LLM without `max_attention_window`, vLLM with "
        "`--disable-hybrid-kv-cache-manager`.",
        group=ENGINE,
    )
    logged_cache_memory: float = quantity(
        not_applicable("none"),
        "B",
        "Available KV-cache memory per GPU, from the engine log",
        hard=(1e6, 8192 * GIB),
        slider=(GIB, 256 * GIB),
        scale="log",
        binary=True,
        help="The available KV cache memory that an engine logged: it replaces the estimate from weights and overhead.",
        group=ENGINE,
    )
    memory_bandwidth: float = memory_bandwidth()

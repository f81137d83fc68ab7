"""KV-cache size: bytes per token and per sequence for each kind of attention, for the whole model and per GPU."""

import math

from calculators.declare import formulas_of, step
from calculators.llm.serving.attention import WINDOWED, Attention


@step("head", "KV heads cached per layer")
def cached_heads(attention: Attention, kv_heads: float) -> float:
    """Key-value heads that each layer caches [head]: all, or the one that serves all heads (MQA, MLA, compressed)."""
    return 1 if attention in {"mqa", "mla", "compressed"} else kv_heads


@step("value", "Values cached per token and layer", source=("paged-attention", "deepseek-isca"))
def cached_values(
    attention: Attention,
    cached_heads: float,
    head_dim: float,
    v_head_dim: float,
    kv_lora_rank: float,
    rope_head_dim: float,
) -> float:
    """Values that one layer caches for one token [value]: a key and a value per head, or MLA's latent and rotary key.

    With compressed attention one vector per head serves as key and as value.

    >>> cached_values("gqa", 8, 128, 128, 0, 0), cached_values("mla", 1, 192, 128, 512, 64)
    (2048, 576)
    """
    if attention == "mla":
        return kv_lora_rank + rope_head_dim
    return cached_heads * (head_dim if attention == "compressed" else head_dim + v_head_dim)


@step("B", "KV-cache entry per token and layer", binary=True)
def cache_entry(cached_values: float, cache_bytes: float, entry_bytes: float | None) -> float:
    """Bytes that one layer caches for one token [B]; `entry_bytes` where the engine's own layout is given."""
    return cached_values * cache_bytes if entry_bytes is None else entry_bytes


@step(
    "B/token",
    "KV cache per token, whole model",
    source="paged-attention",
    binary=True,
    rises_with=("attention_layers",),
)
def cache_per_token(
    cache_entry: float,
    attention_layers: float,
    global_layers: float,
    window_entry_ratio: float,
    compressed_values: float,
    cache_bytes: float,
) -> float:
    """KV cache of one token in all layers [B/token], each value once, however many GPUs hold a copy.

    Layers that keep a state instead of tokens cache none of it. OPT-13B, two bytes, 40 layers, a key and a value of
    5,120: printed as 800 KB, which is KiB.

    >>> cache_per_token(2 * 5120 * 2, 40, 40, 1, 0, 2) / 1024
    800.0
    >>> cache_per_token(4, 3, 1, 0.5, 5, 2)
    18.0
    """
    windows = (attention_layers - global_layers) * window_entry_ratio
    return cache_entry * (global_layers + windows) + compressed_values * cache_bytes


@step("share", "KV-cache share on each GPU", source="vllm-cache-config")
def cache_share_per_gpu(cached_heads: float, serving_tensor_parallel: float) -> float:
    """Share of the KV cache that every tensor-parallel rank holds [share].

    Ranks hold whole heads, so with fewer heads than ranks each rank holds one and heads are replicated. MLA's latent
    serves all heads at once: every rank holds all of it.

    >>> cache_share_per_gpu(8, 4), cache_share_per_gpu(8, 16), cache_share_per_gpu(1, 8)
    (0.25, 0.125, 1.0)
    """
    return math.ceil(cached_heads / serving_tensor_parallel) / cached_heads


@step("1", "KV-cache replication factor")
def cache_replication(cache_share_per_gpu: float, serving_tensor_parallel: float) -> float:
    """Ranks of a replica that hold each cached value [1].

    >>> cache_replication(0.125, 16), cache_replication(1, 8)
    (2.0, 8)
    """
    return cache_share_per_gpu * serving_tensor_parallel


@step("B/token", "KV cache per token, per GPU", binary=True)
def cache_per_token_per_gpu(cache_per_token: float, cache_share_per_gpu: float) -> float:
    """KV cache of one token on each GPU [B/token], replicated heads included."""
    return cache_per_token * cache_share_per_gpu


@step("layer", "Full-attention layers")
def global_layers(attention: Attention, attention_layers: float, global_layer_share: float) -> float:
    """Layers with attention and no sliding window [layer]: all, or a share in whole layers."""
    return round(attention_layers * global_layer_share) if attention in WINDOWED else attention_layers


@step("token", "Tokens cached per full-attention layer")
def global_layer_tokens(context: float, kv_block_size: float) -> float:
    """Slots that one sequence takes in a full-attention layer [token]: the context in whole KV blocks."""
    return math.ceil(context / kv_block_size) * kv_block_size


@step("token", "Tokens cached per sliding-window layer", source="vllm-cache-config")
def window_layer_tokens(context: float, window: float, tokens_in_flight: float, kv_block_size: float) -> float:
    """Slots that one sequence takes in a sliding-window layer [token]: window and new tokens, in whole KV blocks.

    One block more, because a window may begin inside one. Counted as vLLM reserves it: Gemma 2 with 8,192 tokens in
    flight and blocks of 16.

    >>> window_layer_tokens(131072, 4096, 8192, 16), window_layer_tokens(131072, 4096, 131072, 16)
    (12304, 131088)
    """
    return (math.ceil(min(window - 1 + tokens_in_flight, context) / kv_block_size) + 1) * kv_block_size


@step("B", "KV cache per sequence, whole model", binary=True, rises_with=("context",))
def cache_per_sequence(
    cache_entry: float,
    attention_layers: float,
    global_layers: float,
    window_entry_ratio: float,
    global_layer_tokens: float,
    window_layer_tokens: float,
    compressed_values: float,
    cache_bytes: float,
    state_per_sequence: float,
) -> float:
    """KV cache of one sequence of the full context [B], in whole blocks and with sliding windows, each value once.

    With the state of layers that keep one, and the entries into which tokens are compressed.

    >>> cache_per_sequence(2, 3, 1, 4, 10, 5, 0, 1, 0), cache_per_sequence(2, 1, 1, 1, 10, 5, 3, 2, 7)
    (100, 87)
    """
    windows = (attention_layers - global_layers) * window_entry_ratio
    entries = cache_entry * (global_layers * global_layer_tokens + windows * window_layer_tokens)
    return entries + compressed_values * cache_bytes * global_layer_tokens + state_per_sequence


@step("B/token", "KV cache per token, average over a sequence", binary=True)
def cache_per_token_average(cache_per_sequence: float, context: float) -> float:
    """Mean KV cache of a token over a sequence of the full context [B/token], each value once.

    With sliding windows less than the first tokens take; the rounding to whole blocks included.
    """
    return cache_per_sequence / context


@step("B/token", "KV cache per additional token", binary=True)
def cache_per_further_token(
    cache_entry: float,
    attention_layers: float,
    global_layers: float,
    window_entry_ratio: float,
    compressed_values: float,
    cache_bytes: float,
    context: float,
    window: float,
    tokens_in_flight: float,
) -> float:
    """KV cache of one token more than the context [B/token], each value once: windows that are full do not grow.

    Gemma 3 27B, 10 of 62 layers without a window of 1,024, 16,384 B per token and layer, at 131,072 tokens.

    >>> cache_per_further_token(16384, 62, 10, 1, 0, 2, 131072, 1024, 1) / 1024
    160.0
    >>> cache_per_further_token(4, 1, 1, 1, 3, 2, 100, 10, 1)
    10
    """
    windows = (attention_layers - global_layers) * window_entry_ratio
    growing = global_layers if context >= window - 1 + tokens_in_flight else global_layers + windows
    return cache_entry * growing + compressed_values * cache_bytes


@step("B", "KV cache per sequence, per GPU", binary=True)
def cache_per_sequence_per_gpu(
    cache_per_sequence: float, cache_share_per_gpu: float, state_per_sequence: float, serving_tensor_parallel: float
) -> float:
    """KV cache of one sequence of the full context on each GPU [B], replicated heads included.

    The state of a sequence is split evenly over the ranks, however many heads are cached.
    """
    cached = cache_per_sequence - state_per_sequence
    return cached * cache_share_per_gpu + state_per_sequence / serving_tensor_parallel


@step("B", "KV cache of all sequences, whole model", binary=True, rises_with=("sequences",))
def cache_memory(cache_per_sequence: float, sequences: float) -> float:
    """KV cache of all sequences at full context [B], each value once."""
    return cache_per_sequence * sequences


@step("B", "KV cache of all sequences, per GPU", binary=True, rises_with=("sequences",))
def cache_memory_per_gpu(cache_per_sequence_per_gpu: float, sequences: float) -> float:
    """KV cache of all sequences at full context on each GPU [B], replicated heads included."""
    return cache_per_sequence_per_gpu * sequences


SIZE_FORMULAS = formulas_of(globals())

"""Families with latent or compressed attention: DeepSeek's, and those built like them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from calculators.configuration.assembly import assembled, read_layers
from calculators.configuration.attention import indexer, latent_mixer, latent_projections, read_heads, read_latent
from calculators.configuration.feed_forward import dense, experts, read_chosen, with_experts
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Block, Heads, Latent, Mixer, Stack

_FULL, _SHARED = "full", "shared"
_RATIOS = {0: "window", 4: "sparse", 128: "heavy"}
_SPARSE, _HEAVY = 4, 128


@dataclass(frozen=True, kw_only=True)
class _Defaults:
    """Defaults of a family for missing keys: attention widths and experts."""

    queries: int = 1536
    plain: int = 128
    values: int = 128
    index_heads: int = 64
    experts: int = 256
    width: int = 2048
    shared: int = 1
    dense_first: int = 3


_V3 = _Defaults()
_V2 = _Defaults(experts=64, width=1407, shared=2, dense_first=0)
_GLM = _Defaults(queries=2048, plain=192, values=256, index_heads=32)
_GLM_LITE = _Defaults(queries=768, plain=192, values=256, experts=64, width=1536, dense_first=1)
_MISTRAL4 = _Defaults(queries=1024, plain=64, experts=128, dense_first=0)


def _heads(keys: Keys, usual: _Defaults) -> tuple[Heads, Latent]:
    return read_latent(keys, queries=usual.queries, plain=usual.plain, values=usual.values)


def _blocks(keys: Keys, heads: Heads, layers: int, usual: _Defaults) -> list[Block]:
    """Dense layers first, as listed or as many as a key says, then experts."""
    h, width = heads.hidden, keys.count("moe_intermediate_size", default=usual.width)
    count = keys.unless_null("n_routed_experts", "num_local_experts", "num_experts", default=usual.experts)
    first = keys.count("first_k_dense_replace", default=usual.dense_first, least=0)
    every = keys.count("moe_layer_freq", default=1)
    plain = dense(h, keys.count("intermediate_size"))
    listed = keys.words("mlp_layer_types", {"dense": "dense", "sparse": "sparse"}, layers)
    places = [one == "sparse" for one in listed or ["dense" if layer < first else "sparse" for layer in range(layers)]]
    if every != 1:
        keys.wrong("moe_layer_freq", f"moe_layer_freq = {every} is not known of this family")
    if not count:
        return [plain] * layers
    shared = (keys.unless_null("n_shared_experts", default=usual.shared) or 0) * width
    block = experts(h, width, count, read_chosen(keys, count, "num_experts_per_tok"), shared=shared)
    return with_experts(layers, block, plain, places)


def _stack(keys: Keys, heads: Heads, mixers: list[Mixer], usual: _Defaults) -> Stack:
    h, blocks = heads.hidden, _blocks(keys, heads, len(mixers), usual)
    keys.always("mlp_bias", usual=False)
    return assembled(keys, heads, mixers, blocks, norms=2 * h, tied=False, final=h)


def deepseek(keys: Keys, *, usual: _Defaults = _V3) -> Stack:
    """Latent attention, experts after dense layers; the router's bias is no weight."""
    heads, latent = _heads(keys, usual)
    weights = latent_projections(heads, latent, bias=keys.flag("attention_bias"))
    return _stack(keys, heads, [latent_mixer(latent, weights)] * read_layers(keys), usual)


def deepseek_sparse(keys: Keys, *, usual: _Defaults = _V3) -> Stack:
    """Latent attention behind an indexer, which layers may share with the one before."""
    heads, latent = _heads(keys, usual)
    layers = read_layers(keys)
    weights = latent_projections(heads, latent, bias=keys.flag("attention_bias"))
    index_heads = keys.count("index_n_heads", default=usual.index_heads)
    chooses = indexer(heads, latent, index_heads, keys.count("index_head_dim", default=128))
    keys.words(
        "layer_types",
        dict.fromkeys(("indexed_attention", "full_attention", "deepseek_sparse_attention"), "latent"),
        layers,
    )
    listed = keys.words("indexer_types", {_FULL: _FULL, _SHARED: _SHARED}, layers) or [_FULL] * layers
    mixers = [latent_mixer(latent, weights + (chooses if kind == _FULL else 0)) for kind in listed]
    return _stack(keys, heads, mixers, usual)


def minicpm3(keys: Keys) -> Stack:
    """Latent attention over dense blocks, tied tables."""
    even = max(1, keys.count("hidden_size") // keys.count("num_attention_heads"))
    heads, latent = read_latent(keys, queries=768, plain=64, values=even, rotary=32)
    h, weights = heads.hidden, latent_projections(heads, latent, bias=keys.flag("attention_bias"))
    layers, block = read_layers(keys), dense(h, keys.count("intermediate_size"), bias=keys.flag("mlp_bias"))
    for name in ("dim_model_base", "scale_depth", "scale_emb"):
        keys.given(name)
    mixers = [latent_mixer(latent, weights)] * layers
    return assembled(keys, heads, mixers, [block] * layers, norms=2 * h, tied=True, final=h)


def deepseek_v4(keys: Keys) -> Stack:
    """One key-value for all heads, a window in every layer, compressed entries by ratio, hyper-connections."""
    heads = read_heads(keys, head_dim=512, kv_heads=1)
    layers, h = read_layers(keys), heads.hidden
    q, window = keys.count("q_lora_rank", default=1024), keys.count("sliding_window", default=128)
    groups, rank = keys.count("o_groups", default=8), keys.count("o_lora_rank", default=1024)
    keys.maybe("qk_rope_head_dim")
    keys.maybe("intermediate_size")
    keys.flag("attention_bias")
    keys.always("mlp_bias", usual=False)
    bare = heads.heads + h * q + q + q * heads.heads * heads.head_dim + h * heads.head_dim + heads.head_dim
    bare += heads.heads * heads.head_dim // groups * groups * rank + groups * rank * h
    found = _compressed(keys, heads, q)
    mixers = []
    for kind in _ratios(keys, layers):
        weights, compressed = found[kind]
        mixers.append(
            Mixer(
                kind="compressed",
                parameters=bare + weights,
                cached=heads.head_dim,
                window=window,
                compressed=compressed,
            )
        )
    streams = keys.count("hc_mult", default=4)
    mixing = (2 + streams) * streams
    connections = 2 * (mixing * streams * h + mixing + 3)
    width, count = keys.count("moe_intermediate_size"), keys.count("n_routed_experts", "num_local_experts")
    if keys.count("n_shared_experts", default=1, least=0) != 1:
        keys.wrong("n_shared_experts", f"n_shared_experts must be 1, not {keys.peek('n_shared_experts')}")
    block = experts(h, width, count, read_chosen(keys, count, "num_experts_per_tok"), shared=width)
    keys.maybe("num_hash_layers")
    keys.words("mlp_layer_types", {"hash_moe": "experts", "moe": "experts"}, layers)
    head = streams * streams * h + streams + 1
    return assembled(
        keys,
        heads,
        mixers,
        [block] * layers,
        norms=2 * h + connections,
        tied=False,
        final=h,
        extra=head,
    )


def _ratios(keys: Keys, layers: int) -> list[str]:
    """Compression of each layer: none, a few tokens per entry with an indexer, or many."""
    words = {
        "sliding_attention": "window",
        "compressed_sparse_attention": "sparse",
        "heavily_compressed_attention": "heavy",
    }
    named = keys.words("layer_types", words, layers)
    given = keys.numbers("compress_ratios")
    rates = keys.table("compress_rates")
    expected = {"compressed_sparse_attention": _SPARSE, "heavily_compressed_attention": _HEAVY}
    if rates and dict(rates) != expected:
        keys.wrong("compress_rates", "compress_rates are not the known ones, 4 and 128")
    if named is not None:
        return named
    if given is not None and len(given) >= layers and all(one in _RATIOS for one in given):
        return [_RATIOS[one] for one in given[:layers]]
    keys.wrong("compress_ratios", "compress_ratios must name 0, 4 or 128 for each layer")
    return ["window"] * layers


def _compressed(keys: Keys, heads: Heads, q: int) -> dict[str, tuple[int, float]]:
    """Parameters of the compressor and mean values it caches per token, by compression."""
    h, d = heads.hidden, heads.head_dim
    index_heads, index_width = keys.count("index_n_heads", default=64), keys.count("index_head_dim", default=128)
    heavy = _HEAVY * d + 2 * h * d + d
    sparse = _SPARSE * 2 * d + 2 * h * 2 * d + d
    chooses = _SPARSE * 2 * index_width + 2 * h * 2 * index_width + index_width
    chooses += q * index_heads * index_width + h * index_heads
    return {
        "window": (0, 0),
        "heavy": (heavy, d / _HEAVY),
        "sparse": (sparse + chooses, (d + index_width) / _SPARSE),
    }


FAMILIES: dict[str, Callable[[Keys], Stack]] = {
    "deepseek_v2": partial(deepseek, usual=_V2),
    "deepseek_v3": deepseek,
    "kimi_k2": deepseek,
    "glm4_moe_lite": partial(deepseek, usual=_GLM_LITE),
    "mistral4": partial(deepseek, usual=_MISTRAL4),
    "minicpm3": minicpm3,
    "deepseek_v32": deepseek_sparse,
    "glm_moe_dsa": partial(deepseek_sparse, usual=_GLM),
    "deepseek_v4": deepseek_v4,
}

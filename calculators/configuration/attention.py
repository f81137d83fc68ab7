"""Attention of one layer: parameters of its projections and values cached per token."""

from dataclasses import replace

from calculators.configuration.keys import Keys
from calculators.configuration.stack import Heads, Latent, Mixer


def read_heads(
    keys: Keys, *, head_dim: int | None = None, kv_heads: int | None = None, heads: int | None = None
) -> Heads:
    """Heads from their usual keys; missing keys take the family's defaults, else as many KV heads as heads."""
    hidden = keys.count("hidden_size", "n_embd", "n_embed", "d_model")
    count = keys.count("num_attention_heads", "n_head", default=heads)
    width = keys.maybe("head_dim", least=1) or head_dim or max(1, hidden // count)
    if hidden % count and "head_dim" not in keys and not head_dim:
        keys.wrong(
            "hidden_size", f"hidden_size {hidden} cannot be shared evenly among {count} heads: head_dim is missing"
        )
    shared = keys.unless_null("num_key_value_heads", default=kv_heads, least=1) or count
    if count % shared and "num_key_value_heads" not in keys:
        keys.wrong(
            "num_key_value_heads", f"num_key_value_heads is missing, and the family's {shared} divide no {count}"
        )
    elif count % shared:
        keys.wrong("num_key_value_heads", f"num_key_value_heads must divide {count} heads, not be {shared}")
    return Heads(hidden=hidden, heads=count, kv_heads=shared, head_dim=width, value_dim=width)


def grouped(
    heads: Heads, *, query_bias: bool = False, key_bias: bool = False, out_bias: bool = False, gate: bool = False
) -> int:
    """Parameters of the four projections, `gate` doubling the queries'.

    Llama 3.1 8B, 32 heads of 128 and 8 for keys and values:

    >>> grouped(Heads(hidden=4096, heads=32, kv_heads=8, head_dim=128, value_dim=128))
    41943040
    """
    queries = heads.heads * heads.head_dim * (2 if gate else 1)
    keys_values = heads.kv_heads * (heads.head_dim + heads.value_dim)
    out = heads.heads * heads.value_dim
    biases = query_bias * queries + key_bias * keys_values + out_bias * heads.hidden
    return heads.hidden * (queries + keys_values + out) + biases


def cached(heads: Heads) -> int:
    """Values that a layer caches per token: a key and a value for each KV head."""
    return heads.kv_heads * (heads.head_dim + heads.value_dim)


def full_attention(heads: Heads, parameters: int) -> Mixer:
    """Full attention with these `parameters`."""
    return Mixer(kind="global", parameters=parameters, cached=cached(heads))


def of_kind(mixer: Mixer, kind: str, window: int | None) -> Mixer:
    """`mixer` with a sliding window where `kind` is "window", else unchanged."""
    return replace(mixer, kind="window", window=window) if kind == "window" else mixer


def read_latent(keys: Keys, *, queries: int, plain: int, values: int, rotary: int = 64) -> tuple[Heads, Latent]:
    """Heads and widths of multi-head latent attention; missing keys take the family's defaults."""
    hidden = keys.count("hidden_size")
    count = keys.count("num_attention_heads")
    keys.maybe("num_key_value_heads")
    keys.maybe("head_dim", "qk_head_dim")
    latent = Latent(
        queries=keys.unless_null("q_lora_rank", default=queries, least=1) or 0,
        keys=keys.count("kv_lora_rank"),
        rotary=keys.count("qk_rope_head_dim", default=rotary),
        plain=keys.count("qk_nope_head_dim", default=plain),
        values=keys.count("v_head_dim", default=values),
    )
    key = latent.plain + latent.rotary
    return Heads(hidden=hidden, heads=count, kv_heads=1, head_dim=key, value_dim=latent.values, latent=latent), latent


def latent_projections(heads: Heads, latent: Latent, *, bias: bool) -> int:
    """Parameters of multi-head latent attention: down to the latents, their norms, up to every head, and out."""
    h, a = heads.hidden, heads.heads
    down = latent.keys + latent.rotary
    queries = latent.queries * (h + 1 + a * heads.head_dim) if latent.queries else h * a * heads.head_dim
    up = latent.keys * a * (latent.plain + latent.values)
    biases = bias * (latent.queries + down + h)
    return queries + h * down + latent.keys + up + a * latent.values * h + biases


def latent_mixer(latent: Latent, parameters: int) -> Mixer:
    """Latent attention, which caches its latent and the rotated key."""
    return Mixer(kind="latent", parameters=parameters, cached=latent.keys + latent.rotary)


def indexer(heads: Heads, latent: Latent, index_heads: int, index_width: int) -> int:
    """Parameters of the sparse-attention indexer: queries, a key with its norm, head weights."""
    return (
        latent.queries * index_heads * index_width
        + heads.hidden * index_width
        + 2 * index_width
        + heads.hidden * index_heads
    )

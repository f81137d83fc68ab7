"""Inputs of a model's dimensions: experts, latent attention, and details that counting needs."""

from typing import Any

from calculators import facts
from calculators.declare import Default, choice, computed, not_applicable, quantity, switch
from calculators.units import GIB

SHAPE = "shape"
_DEFAULT = "llama-3-70b"
_WIDTH = (16.0, 10e6)
COUNTED_FROM = (
    *("layers", "hidden", "heads", "kv_heads", "head_dim", "ffn_hidden", "vocab", "gated", "tied_embeddings"),
    *("experts", "experts_per_token", "shared_experts", "expert_hidden", "dense_layers", "dense_ffn_hidden"),
    *("q_lora_rank", "kv_lora_rank", "rope_head_dim", "nope_head_dim", "v_head_dim"),
    *("position_embeddings", "norms_per_layer", "qk_norm", "biases", "block_layers", "mixer_parameters"),
)
"""Inputs that the menu of models fills so that parameters can be counted."""
KEPT = (
    *("attention_layers", "window_entry_ratio", "compressed_values", "state_per_sequence"),
    "layer_embedding_parameters",
)
"""Inputs that the menu of models fills if layers cache tokens differently."""


def ffn_hidden(*first: Default) -> Any:
    """Width of the feed-forward block; by the typical rule if nothing in `first` applies."""
    return quantity(
        (*first, computed("usual_ffn_hidden", "4 × hidden, or 8/3 × hidden when gated")),
        "1",
        "Feed-forward width",
        hard=_WIDTH,
        slider=(1024, 131072),
        whole=True,
        help="In a mixture of experts, that of one expert.",
        group=SHAPE,
        aliases=("ffn",),
    )


def attention_width() -> Any:
    """Heads times their dimension: the width over which attention scores and sums."""
    return quantity(
        (
            computed("heads_width", "heads × their dimension", when=("heads",)),
            computed("hidden", "= hidden size"),
        ),
        "1",
        "Attention width",
        hard=(16, 1e6),
        slider=(1024, 32768),
        whole=True,
        help="Heads times head dimension; usually the hidden size.",
        group=SHAPE,
    )


def vocab() -> Any:
    """Rows of the embedding table."""
    return quantity(
        float(facts.fact(f"{_DEFAULT}.vocab").value),
        "token",
        "Vocabulary",
        hard=(1, 100e6),
        slider=(16384, 262144),
        whole=True,
        help="Rows of the embedding table, padding included.",
        group=SHAPE,
    )


def gated() -> Any:
    """Whether the feed-forward block has a gate, as SwiGLU has."""
    return switch(
        default=True,
        label="Gated feed-forward block",
        help="SwiGLU and its like: three matrices instead of two.",
        group=SHAPE,
    )


def tied_embeddings() -> Any:
    """Whether the output layer shares the embedding table."""
    return switch(
        default=False,
        label="Tied embeddings",
        help="The output layer uses the input embedding's table instead of its own.",
        group=SHAPE,
    )


def _small_count(unit: str, label: str, default: float, least: float, usual: float, **more: Any) -> Any:
    return quantity(default, unit, label, hard=(least, 100e3), slider=(least, usual), whole=True, group=SHAPE, **more)


def experts() -> Any:
    """Experts per layer among which the router chooses; 1 is a dense model."""
    return _small_count("expert", "Experts", 1, 1, 512, help="Routed experts of a layer. 1 is a dense model.")


def experts_per_token() -> Any:
    """Experts that work on each token."""
    return _small_count(
        "expert", "Experts per token", 1, 1, 16, help="Experts that the router selects per token (top-k)."
    )


def shared_experts() -> Any:
    """Experts that process every token, besides the routed ones."""
    return _small_count(
        "expert", "Shared experts", 0, 0, 4, help="Experts that process every token, besides the routed ones."
    )


def expert_hidden() -> Any:
    """Width of a routed expert's input: the hidden state, or a latent made of it."""
    return quantity(
        computed("hidden", "= hidden size"),
        "1",
        "Expert input width",
        hard=_WIDTH,
        slider=(16, 32768),
        whole=True,
        help="Less than the hidden size if routed experts work in a latent space, as in Nemotron 3 Super.",
        group=SHAPE,
    )


def dense_layers() -> Any:
    """First layers of a mixture of experts that have one feed-forward block instead."""
    return _small_count("layer", "Leading dense layers", 0, 0, 8, help="First layers without experts, in a mixture.")


def _width(default: Default, label: str, *, usual: float = 2048, **more: Any) -> Any:
    return quantity(default, "1", label, hard=(0, 1e6), slider=(0, usual), whole=True, group=SHAPE, **more)


def dense_ffn_hidden() -> Any:
    """Feed-forward width of the leading dense layers."""
    as_experts = computed("ffn_hidden", "= experts")
    return quantity(
        as_experts,
        "1",
        "Feed-forward width of the dense layers",
        hard=_WIDTH,
        slider=(16, 131072),
        whole=True,
        group=SHAPE,
    )


def q_lora_rank() -> Any:
    """Width of the latent from which multi-head latent attention makes its queries."""
    return _width(0, "MLA query latent width", help="0 if queries are projected directly from the hidden state.")


def kv_lora_rank(default: Default = 0) -> Any:
    """Width of the latent from which multi-head latent attention makes keys and values."""
    return _width(default, "MLA latent width", help="Multi-head latent attention (MLA); 0 without.")


def rope_head_dim(default: Default = 0) -> Any:
    """Rotated part of a head in multi-head latent attention, shared by all heads."""
    return _width(default, "MLA rotary key width", usual=256)


def nope_head_dim(default: Default = 0) -> Any:
    """Part of a head without rotation in multi-head latent attention."""
    return _width(default, "MLA key width without rotation", usual=256)


def v_head_dim() -> Any:
    """Width of a value in multi-head latent attention."""
    return _width(computed("head_dim", "= keys"), "MLA value width", usual=256)


def position_embeddings() -> Any:
    """Rows of a learned table of positions."""
    return _width(0, "Learned positions", usual=8192, help="Rows of a learned position table, as in GPT-3.")


def mtp_layers() -> Any:
    """Multi-token prediction modules after the last layer."""
    trained_with = facts.fact("deepseek-v3.mtp_layers").value
    return _small_count(
        "layer",
        "Multi-token prediction layers",
        0,
        0,
        4,
        help=f"Multi-token prediction modules, one layer each: DeepSeek-V3 was trained with {trained_with:g}.",
        aliases=("mtp_num_layers",),
    )


def attention_layers() -> Any:
    """Layers with a KV cache; the others keep a state per sequence, or nothing."""
    return quantity(
        computed("layers", "all layers"),
        "layer",
        "Layers with attention",
        hard=(0, 10_000),
        slider=(1, 160),
        whole=True,
        help="Layers with a KV cache; not those with a state instead (Mamba, delta nets).",
        group=SHAPE,
    )


def window_entry_ratio() -> Any:
    """KV-cache entry of a sliding-window layer, over that of a full-attention layer."""
    return quantity(
        1,
        "1",
        "Sliding-window KV entry ÷ full-attention entry",
        hard=(0.01, 100),
        slider=(0.5, 4),
        help="Where sliding-window layers have key-value heads of their own: 2 in Gemma 4 26B and MiMo-V2.",
        group=SHAPE,
    )


def compressed_values() -> Any:
    """Values that compressed layers cache for each token of the whole context, mean, all layers together."""
    return quantity(
        0,
        "value",
        "Compressed values per token",
        hard=(0, 1e7),
        slider=(0, 10_000),
        help="Cached for every token besides the window, all layers together, where several tokens make one entry.",
        group=SHAPE,
    )


def state_per_sequence() -> Any:
    """State per sequence of layers without attention, at any length."""
    return quantity(
        0,
        "B",
        "State per sequence",
        hard=(0, 1e12),
        slider=(0, GIB),
        binary=True,
        help="Sum over all layers with a state instead of a KV cache; independent of the sequence length.",
        group=SHAPE,
    )


def layer_embedding_parameters() -> Any:
    """Parameters of per-layer embedding tables, as in Gemma since 3n."""
    return quantity(
        0,
        "parameter",
        "Lookup-table parameters",
        hard=(0, 1e15),
        slider=(0, 10e9),
        help="Embedding rows for each token and layer besides the token embedding, in the small Gemmas since 3n: "
        "parameters of which a step looks up rows only.",
        group=SHAPE,
    )


def positions() -> Any:
    """Longest sequence that the model supports."""
    return quantity(
        not_applicable("no limit known"),
        "token",
        "Maximum positions",
        hard=(1, 1e9),
        slider=(512, 1048576),
        scale="log",
        doubling=True,
        whole=True,
        help="Longest sequence that the model supports (`max_position_embeddings`).",
        group=SHAPE,
        aliases=("max_position_embeddings",),
    )


def biases() -> Any:
    """Biases: choice of the matrices that have them."""
    options = {
        "usual": "typical: all without a gate, none with one",
        "none": "none",
        "attention": "query, key and value projections only",
        "all": "every matrix and norm",
    }
    return choice("usual", "Biases", options, group=SHAPE)


def norms_per_layer() -> Any:
    """Norms of the hidden size in one layer."""
    return _small_count("1", "Norms per layer", 2, 1, 4, help="2; Gemma 2 and 3 have 4.")


def block_layers() -> Any:
    """Layers with a feed-forward block; the others have attention or a state alone."""
    return quantity(
        computed("layers", "all layers"),
        "layer",
        "Layers with feed-forward blocks",
        hard=(0, 10_000),
        slider=(1, 160),
        whole=True,
        help="Dense blocks and experts. Fewer than all layers where a layer is one thing alone, as in Nemotron-H.",
        group=SHAPE,
    )


def mixer_parameters() -> Any:
    """Parameters of attention and states, all layers together."""
    return quantity(
        not_applicable("counted from heads"),
        "parameter",
        "Attention and state parameters",
        hard=(0, 1e15),
        slider=(0, 100e9),
        help="All layers together, where layers differ: states next to attention, heads of two kinds, indexers.",
        group=SHAPE,
    )


def qk_norm() -> Any:
    """Whether queries and keys are normed per head."""
    return switch(default=False, label="Norms on queries and keys", help="Qwen3 and Gemma 3 have them.", group=SHAPE)


def dropout() -> Any:
    """Whether layers keep masks for dropout."""
    options = {"usual": "typical: yes without a gate, no with one", "yes": "yes", "no": "no"}
    return choice("usual", "Dropout", options, help="Layers with dropout keep its masks.", group=SHAPE)


def capacity_factor() -> Any:
    """Capacity factor: tokens that an expert may take ÷ an even share."""
    return quantity(
        1,
        "1",
        "Expert capacity factor",
        hard=(0.1, 1000),
        slider=(1, 4),
        help="Tokens of the fullest GPU's experts ÷ an even share.",
        group=SHAPE,
    )

"""Work of a model's layers in a training step, bytes and FLOPs: records that no layout changes."""

from typing import Literal, NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.llm.adapters import ADAPTERS, Job
from calculators.llm.parts import AttentionHeads, FeedForward, LatentAttention, Mixture
from calculators.llm.size import LayerParameters
from calculators.llm.step.adapters import AdapterWork

Split = Literal["none", "columns", "rows"]  # how tensor-parallel ranks divide a weight matrix
Attention = Literal["mha", "gqa", "mqa", "mla", "hybrid", "compressed"]
WINDOWED = frozenset(("hybrid", "compressed"))
TILE = 128  # tokens of a block of flash attention, which is computed whole at the edge of a window


class Product(NamedTuple):
    """One weight matrix of some layers: its sides, its layers, and how tensor-parallel ranks divide it.

    `module` is the name by which frameworks recompute it.
    """

    rows: float
    columns: float
    layers: float
    split: Split
    module: str


class AttentionWork(NamedTuple):
    """Layers with attention scores, their heads and widths, and what a sliding window leaves of the sequence."""

    layers: float
    heads: float
    query_width: float
    value_width: float
    kv_values: float
    window_layers: float
    window: float
    compressed_entries: float


class ExpertWork(NamedTuple):
    """Layers with routed experts: experts of a layer, those of a token, and the sides of their matrices."""

    layers: float
    experts: float
    per_token: float
    input_width: float
    width: float
    matrices: int


class StateWork(NamedTuple):
    """Layers that keep a state instead of a KV cache: their inner width, and the values of their state."""

    layers: float
    width: float
    state_values: float


class StepShapes(NamedTuple):
    """A model as a training step sees it; frozen products have no gradient of their own, their adapters have."""

    hidden: float
    layers: float
    products: tuple[Product, ...]
    attention: AttentionWork
    experts: ExpertWork
    states: StateWork
    dense_width: float
    dense_layers: float
    vocab: float
    outputs: float
    frozen: bool
    adapters: AdapterWork


class LayerCounts(NamedTuple):
    """Layers of a model by what they hold."""

    all: float
    attention: float
    experts: float
    predicting: float
    dense: float

    @property
    def states(self) -> float:
        """Layers with a state in the place of attention, next to blocks or, as in Nemotron-H, each alone."""
        alone = self.experts + self.dense
        return self.all - self.attention - (alone if alone < self.all else 0)


@record("Layers by kind")
def layer_counts(
    layers: float, attention_layers: float, expert_layers: float, mtp_layers: float, block_layers: float
) -> LayerCounts:
    """Layers of the model, those with attention, experts or dense blocks, and those that predict further tokens.

    >>> layer_counts(118, 10, 0, 0, 54).states  # Nemotron-H 56B: attention, Mamba-2 or a dense block in a layer
    54
    >>> layer_counts(64, 16, 0, 0, 64).states
    48
    """
    dense = max(0, block_layers - expert_layers)
    return LayerCounts(layers, attention_layers, expert_layers, mtp_layers, dense)


@record("Attention work of a step")
def attention_work(
    layer_counts: LayerCounts,
    attention_heads: AttentionHeads,
    attention: Attention,
    window: float,
    global_layer_share: float,
    compressed_values: float,
) -> AttentionWork:
    """Layers with attention, those of them with a sliding window, and what scores are computed from.

    gpt-oss-120b: half of 36 layers see 128 tokens.

    >>> found = attention_work(LayerCounts(36, 36, 36, 0, 0), AttentionHeads(64, 8, 64, 64), "hybrid", 128, 0.5, 0)
    >>> found.layers, found.window_layers, found.window
    (36, 18, 128)
    """
    scored = layer_counts.attention + layer_counts.predicting
    near = layer_counts.attention - round(layer_counts.attention * global_layer_share) if attention in WINDOWED else 0
    heads, kv_heads, head_dim, v_head_dim = attention_heads
    entries = compressed_values / (layer_counts.attention * head_dim) if near else 0.0
    return AttentionWork(scored, heads, head_dim, v_head_dim, kv_heads * (head_dim + v_head_dim), near, window, entries)


@record("Expert work of a step")
def expert_work(
    layer_counts: LayerCounts, mixture: Mixture, experts_per_token: float, feed_forward: FeedForward
) -> ExpertWork:
    """Routed experts of the layers that have them, also of layers that predict further tokens."""
    layers = layer_counts.experts + (layer_counts.predicting if layer_counts.experts else 0)
    return ExpertWork(
        layers, mixture.experts, experts_per_token, mixture.hidden, feed_forward.ffn_hidden, feed_forward.matrices
    )


@step("parameter", "Active parameters outside state layers")
def attended_parameters(
    layer_counts: LayerCounts,
    layer_parameters: LayerParameters,
    experts_per_token: float,
    expert_parameters: float,
    output_parameters: float,
) -> float:
    """Active parameters of layers with attention, of dense blocks, of experts and of the output layer [parameter].

    >>> attended_parameters(LayerCounts(5, 1, 2, 0, 1), LayerParameters(100, 20, 10), 3, 5, 7)
    177
    """
    mixed = layer_counts.experts * (layer_parameters.expert_block + experts_per_token * expert_parameters)
    blocks = layer_counts.dense * layer_parameters.dense_block + mixed
    return layer_counts.attention * layer_parameters.attention + blocks + output_parameters


@record("State work of a step")
def state_work(
    layer_counts: LayerCounts,
    feed_forward: FeedForward,
    state_per_sequence: float,
    multiplied_parameters: float,
    attended_parameters: float,
) -> StateWork:
    """Layers without attention and the width that their share of the active parameters gives them.

    A layer of Mamba-2 has about three matrices of hidden size by its inner width, and a state in four bytes a value.
    """
    layers = layer_counts.states
    if layers <= 0:
        return StateWork(0, 0, 0)
    rest = max(0.0, multiplied_parameters - attended_parameters)
    return StateWork(layers, rest / (3 * feed_forward.hidden * layers), state_per_sequence / (4 * layers))


@record("Shapes of a training step")
def step_shapes(
    layer_counts: LayerCounts,
    attention_work: AttentionWork,
    expert_work: ExpertWork,
    state_work: StateWork,
    latent_attention: LatentAttention,
    feed_forward: FeedForward,
    mixture: Mixture,
    step_outputs: tuple[float, float, bool, AdapterWork],
) -> StepShapes:
    """All weight matrices of the layers, with what is not one of them."""
    vocab, predicting, frozen, adapters = step_outputs
    hidden, _, dense_ffn_hidden, matrices, _, _ = feed_forward
    dense = layer_counts.dense + (0 if layer_counts.experts else layer_counts.predicting)
    up = (matrices - 1) * dense_ffn_hidden
    products = [
        *_attention_products(attention_work, latent_attention, hidden),
        Product(hidden, up, dense, "columns", "mlp"),
        Product(dense_ffn_hidden, hidden, dense, "rows", "mlp"),
        Product(hidden, 2 * state_work.width, state_work.layers, "columns", "mamba"),
        Product(state_work.width, hidden, state_work.layers, "rows", "mamba"),
    ]
    if expert_work.layers:
        products.append(Product(hidden, expert_work.experts, expert_work.layers, "none", "router"))
        shared = mixture.shared * expert_work.width
        products += [
            Product(hidden, (matrices - 1) * shared, expert_work.layers, "columns", "shared_experts"),
            Product(shared, hidden, expert_work.layers, "rows", "shared_experts"),
        ]
        if mixture.hidden != hidden:
            products += [Product(hidden, 2 * mixture.hidden, expert_work.layers, "none", "moe")]
    return StepShapes(
        hidden=hidden,
        layers=layer_counts.all,
        products=tuple(one for one in products if one.rows and one.columns and one.layers),
        attention=attention_work,
        experts=expert_work,
        states=state_work,
        dense_width=dense_ffn_hidden,
        dense_layers=dense,
        vocab=vocab,
        outputs=1 + predicting,
        frozen=frozen,
        adapters=adapters,
    )


@record("Output layers and adapters of a step")
def step_outputs(
    vocab: float, mtp_layers: float, job: Job, adapter_work: AdapterWork
) -> tuple[float, float, bool, AdapterWork]:
    """Rows of the output layer, further tokens predicted, whether weights are frozen, and the adapters on them."""
    return vocab, mtp_layers, job in ADAPTERS, adapter_work


def _attention_products(work: AttentionWork, latent: LatentAttention, hidden: float) -> list[Product]:
    """Projections of queries, keys, values and outputs; low-rank ones with multi-head latent attention."""
    heads, layers = work.heads, work.layers
    out = Product(heads * work.value_width, hidden, layers, "rows", "core")
    if not latent.kv_rank:
        inner = heads * work.query_width + work.kv_values
        return [Product(hidden, inner, layers, "columns", "qkv"), out]
    down = (latent.q_rank or heads * work.query_width) + latent.kv_rank + latent.rope_dim
    ups = [Product(latent.kv_rank, heads * (latent.nope_dim + work.value_width), layers, "columns", "mla_up_proj")]
    if latent.q_rank:
        ups.append(Product(latent.q_rank, heads * work.query_width, layers, "columns", "mla_up_proj"))
    return [Product(hidden, down, layers, "none", "qkv"), *ups, out]


SHAPES = formulas_of(globals())

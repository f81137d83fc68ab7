"""Parameter counts from a model's dimensions: attention, feed-forward blocks, experts, embeddings, norms and biases."""

from typing import Literal, NamedTuple

from calculators.declare import AnyFormula, formulas_of, record, step
from calculators.llm.parts import PARTS, AttentionHeads, LatentAttention, Mixture

Biases = Literal["usual", "none", "attention", "all"]


class LayerParameters(NamedTuple):
    """Parameters of one layer: its attention with norms, and its feed-forward block, dense or around experts."""

    attention: float
    dense_block: float
    expert_block: float


@step("1", "Hidden size ÷ heads")
def even_head_dim(hidden: float, heads: float) -> float:
    """Length of one query or key where the hidden size is shared evenly among the heads.

    >>> even_head_dim(6144, 64)
    96.0
    """
    return hidden / heads


@step("1", "Typical feed-forward width")
def usual_ffn_hidden(hidden: float, gated: bool) -> float:  # noqa: FBT001  an input of the graph
    """Width of a feed-forward block by the rule: 4 × hidden for two matrices.

    A gate adds a third matrix, and 8/3 × hidden keeps the parameters the same.
    """
    return 8 / 3 * hidden if gated else 4 * hidden


@step("layer", "Layers with experts")
def expert_layers(experts: float, layers: float, dense_layers: float) -> float:
    """Layers whose feed-forward block is a set of experts: none in a dense model."""
    return max(0, layers - dense_layers) if experts > 1 else 0


@step("1", "Biases on all matrices")
def full_biases(biases: Biases, gated: bool) -> float:  # noqa: FBT001  an input of the graph
    """1 where every matrix and norm has a bias, else 0. Default: plain blocks have them, gated ones do not."""
    return 1 if biases == "all" or (biases == "usual" and not gated) else 0


@step("parameter", "Key and value projections of a layer")
def kv_parameters(hidden: float, kv_heads: float, head_dim: float, kv_lora_rank: float) -> float:
    """Key and value projections; smaller than the query's with grouped heads.

    0 with multi-head latent attention, whose up-projections are counted with the rest of the attention.
    """
    return 0 if kv_lora_rank > 0 else 2 * hidden * kv_heads * head_dim


@step("parameter", "Other attention weights of a layer")
def attention_parameters(
    hidden: float,
    heads: float,
    head_dim: float,
    v_head_dim: float,
    q_lora_rank: float,
    kv_lora_rank: float,
    rope_head_dim: float,
    nope_head_dim: float,
) -> float:
    """Query and output projections; with multi-head latent attention (`kv_lora_rank` > 0) all its projections.

    The latter: down to the latents of keys, values and (`q_lora_rank`) queries, up to every head, and the rotated key
    that all heads share.

    >>> attention_parameters(8192, 64, 128, 128, 0, 0, 0, 0)
    134217728
    """
    queries = q_lora_rank * (hidden + heads * head_dim) if q_lora_rank > 0 else hidden * heads * head_dim
    latent = kv_lora_rank * (hidden + heads * (nope_head_dim + v_head_dim)) + hidden * rope_head_dim
    return queries + heads * v_head_dim * hidden + (latent if kv_lora_rank > 0 else 0)


@step("parameter", "Norms and biases of a layer's attention")
def small_parameters(
    hidden: float,
    attention_heads: AttentionHeads,
    latent_attention: LatentAttention,
    norms_per_layer: float,
    qk_norm: bool,  # noqa: FBT001  an input of the graph
    biases: Biases,
    full_biases: float,
) -> float:
    """Norms of a layer (each with a bias where `full_biases`), of queries, keys or latents; biases of attention."""
    head_dim = attention_heads.head_dim
    latents = latent_attention.q_rank + latent_attention.kv_rank
    norms = norms_per_layer * hidden * (1 + full_biases) + (2 * head_dim if qk_norm else 0) + latents
    projections = (attention_heads.heads + 2 * attention_heads.kv_heads) * head_dim
    return norms + (projections if full_biases or biases == "attention" else 0) + full_biases * hidden


@step("parameter", "Feed-forward block of a dense layer")
def mlp_parameters(hidden: float, dense_ffn_hidden: float, gated: bool, full_biases: float) -> float:  # noqa: FBT001
    """Two matrices, three with a gate, and their biases where there are any.

    >>> mlp_parameters(8192, 28672, True, 0)
    704643072
    """
    return (3 if gated else 2) * hidden * dense_ffn_hidden + full_biases * (dense_ffn_hidden + hidden)


@step("parameter", "Parameters of one expert")
def expert_parameters(expert_hidden: float, ffn_hidden: float, gated: bool, full_biases: float) -> float:  # noqa: FBT001
    """One routed expert of one layer: a feed-forward block of its own.

    Nemotron 3 Ultra, whose 512 experts of 5,120 see a latent of 2,048:

    >>> expert_parameters(2048, 5120, False, 0)
    20971520
    """
    return (3 if gated else 2) * expert_hidden * ffn_hidden + full_biases * (ffn_hidden + expert_hidden)


@step("parameter", "Parameters of one shared expert")
def shared_expert_parameters(hidden: float, ffn_hidden: float, gated: bool, full_biases: float) -> float:  # noqa: FBT001
    """One shared expert of one layer: it sees the whole hidden state.

    >>> shared_expert_parameters(2, 3, False, 1), shared_expert_parameters(2, 3, True, 0)
    (17, 18)
    """
    return (3 if gated else 2) * hidden * ffn_hidden + full_biases * (ffn_hidden + hidden)


@step("parameter", "Latent projections of experts")
def latent_parameters(hidden: float, expert_hidden: float, expert_layers: float) -> float:
    """Projections of a layer around routed experts that see less than the hidden state; nothing where they see it."""
    return 2 * hidden * expert_hidden if expert_layers > 0 and expert_hidden != hidden else 0


@step("parameter", "Input embedding")
def input_table_parameters(vocab: float, position_embeddings: float, hidden: float) -> float:
    """A row per token of the vocabulary and per learned position.

    >>> input_table_parameters(128256, 0, 8192)
    1050673152
    """
    return (vocab + position_embeddings) * hidden


@step("parameter", "Lookup tables, not multiplied")
def embedding_parameters(tied_embeddings: bool, vocab: float, position_embeddings: float, hidden: float) -> float:  # noqa: FBT001
    """Lookup tables: each token reads one row. A table tied to the output layer is not counted.

    >>> embedding_parameters(False, 129280, 0, 7168), embedding_parameters(True, 256000, 0, 4608)
    (926679040, 0)
    """
    return (position_embeddings + (0 if tied_embeddings else vocab)) * hidden


@step("parameter", "Output layer")
def output_parameters(tied_embeddings: bool, vocab: float, hidden: float) -> float:  # noqa: FBT001
    """Output matrix from the hidden state to the vocabulary; 0 where it is tied to the embedding."""
    return 0 if tied_embeddings else vocab * hidden


@record("Parameters of a layer")
def layer_parameters(
    kv_parameters: float,
    attention_parameters: float,
    small_parameters: float,
    mlp_parameters: float,
    shared_expert_parameters: float,
    latent_parameters: float,
    mixture: Mixture,
    hidden: float,
) -> LayerParameters:
    """Parameters of one layer besides routed experts; a router has a row per expert."""
    return LayerParameters(
        attention=kv_parameters + attention_parameters + small_parameters,
        dense_block=mlp_parameters,
        expert_block=mixture.shared * shared_expert_parameters + latent_parameters + mixture.experts * hidden,
    )


@step("parameter", "Parameters outside routed experts")
def shared_layer_parameters(
    layer_parameters: LayerParameters,
    layers: float,
    expert_layers: float,
    block_layers: float,
    mixer_parameters: float | None,
    norms_per_layer: float,
    hidden: float,
    full_biases: float,
) -> float:
    """Parameters in the layers that work on every token, and the last norm.

    Attention, norms, dense blocks, shared experts and routers. Where `mixer_parameters` are given, they are attention
    and states of all layers together.
    """
    norms = norms_per_layer * hidden * (1 + full_biases)
    each = layers * layer_parameters.attention if mixer_parameters is None else mixer_parameters + layers * norms
    dense = max(0, block_layers - expert_layers) * layer_parameters.dense_block
    mixed = expert_layers * layer_parameters.expert_block
    return each + dense + mixed + (1 + full_biases) * hidden


@step("parameter", "Routed experts")
def routed_parameters(expert_layers: float, experts: float, expert_parameters: float) -> float:
    """All routed experts of all layers; nothing in a dense model."""
    return expert_layers * experts * expert_parameters


@step("parameter", "Multi-token prediction without routed experts", source="megatron-core")
def mtp_parameters(
    mtp_layers: float, layer_parameters: LayerParameters, expert_layers: float, hidden: float, full_biases: float
) -> float:
    """Multi-token prediction modules: each a layer like the last one, a projection of two hidden states, 3 norms.

    They share both embedding tables with the model.
    """
    block = layer_parameters.expert_block if expert_layers > 0 else layer_parameters.dense_block
    around = 2 * hidden**2 + 3 * (1 + full_biases) * hidden
    return mtp_layers * (layer_parameters.attention + block + around)


@step("parameter", "Routed experts of multi-token prediction")
def mtp_routed_parameters(mtp_layers: float, expert_layers: float, experts: float, expert_parameters: float) -> float:
    """Routed experts of multi-token prediction modules; 0 where the last layer has none."""
    return mtp_layers * experts * expert_parameters if expert_layers > 0 else 0


@step("parameter", "Parameters counted from dimensions", source="megatron-2021")
def counted_parameters(
    shared_layer_parameters: float,
    routed_parameters: float,
    input_table_parameters: float,
    output_parameters: float,
    mtp_parameters: float,
    mtp_routed_parameters: float,
) -> float:
    """Parameters counted from dimensions; for GPT 12 × layers × hidden² and small terms (Narayanan et al.)."""
    tables = input_table_parameters + output_parameters
    return shared_layer_parameters + routed_parameters + tables + mtp_parameters + mtp_routed_parameters


@step("1", "Given ÷ counted parameters")
def count_correction(parameters: float, counted_parameters: float) -> float:
    """Factor on every part so that parts add up to the parameters given; 1 where none were given."""
    return parameters / counted_parameters


@step("parameter", "Active parameters counted from dimensions")
def counted_active_parameters(
    parameters: float,
    routed_parameters: float,
    mtp_routed_parameters: float,
    experts: float,
    experts_per_token: float,
    count_correction: float,
) -> float:
    """Parameters active per token, both embedding tables included: all but unchosen experts."""
    routed = routed_parameters + mtp_routed_parameters
    return parameters - count_correction * routed * (1 - experts_per_token / experts)


MODEL_SIZE: tuple[AnyFormula, ...] = (*PARTS, *formulas_of(globals()))

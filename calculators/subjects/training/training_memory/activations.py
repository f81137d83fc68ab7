"""Activations on one GPU after Korthikanti et al. (2022), extended to gated blocks, grouped heads, experts and more.

What is the paper's: every coefficient for a GPT layer in 16 bits (10 + 24/t + 5as/(ht), 34/t with sequence
parallelism), selective and full recomputation, and the micro-batches in flight. What is ours: widths other than the
hidden size (grouped heads, latent attention, gates, other feed-forward widths), layers without dropout, flash
attention, context parallelism, experts, and other precisions in proportion.
"""

from typing import Literal, NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.llm.parts import AttentionHeads, FeedForward, LatentAttention
from calculators.vocabulary.recipes import Recompute

Dropout = Literal["usual", "yes", "no"]


@step("token", "Tokens per GPU and micro-batch")
def micro_batch_tokens(micro_batch: float, sequence_length: float, context_parallel: float) -> float:
    """Tokens of one micro-batch on one GPU: sb in the paper; context parallelism divides the sequence (ours)."""
    return micro_batch * sequence_length / context_parallel


class Routing(NamedTuple):
    """Copies of a token that a router sends to experts, the ranks that share one expert, and experts of every token."""

    experts_per_token: float
    capacity_factor: float
    expert_ranks: float
    shared: float = 0


class LayerPart(NamedTuple):
    """Activations of a layer per token [B/token]: what tensor ranks split only by sequence, and what they always do."""

    around: float
    within: float


@record("Routing of tokens to experts")
def routing(
    experts_per_token: float, capacity_factor: float, expert_tensor_parallel: float, shared_experts: float
) -> Routing:
    """Experts that a token visits, their capacity, the ranks that share each, and the experts that see every token."""
    return Routing(experts_per_token, capacity_factor, expert_tensor_parallel, shared_experts)


@step("B/token", "Activations around the blocks, per layer", source="korthikanti")
def residual_activation(
    activation_bytes: float,
    dropout: Dropout,
    gated: bool,  # noqa: FBT001  an input of the graph
    feed_forward: FeedForward,
    routing: Routing,
    sequence_ranks: float,
    latent_attention: LatentAttention,
) -> float:
    """Bytes that a layer keeps per token outside its two blocks [B/token]; tensor parallelism alone does not split it.

    The paper's 10h: inputs of two norms and of two blocks 8h, masks of two dropouts 2h. Ours: no masks where there is
    no dropout (as usual: gated layers have none), input and output of every copy of a token sent to an expert (2h
    each, the input on every rank that shares the expert), and the latents of multi-head latent attention.

    >>> gpt, latents = FeedForward(6144, 24576, 24576, 2, 48, 0), LatentAttention(0, 0, 0, 0)
    >>> residual_activation(2, "usual", False, gpt, Routing(1, 1, 1), 1, latents) / 6144
    10.0
    """
    hidden = feed_forward.hidden
    masks = 2 * hidden if dropout == "yes" or (dropout == "usual" and not gated) else 0
    sent = 2 * sent_values(feed_forward, routing, sequence_ranks)
    latents = latent_attention.q_rank + latent_attention.kv_rank + latent_attention.rope_dim
    return activation_bytes / 2 * (8 * hidden + masks + sent + 2 * latents)


def sent_values(feed_forward: FeedForward, routing: Routing, sequence_ranks: float) -> float:
    """Values per token and layer at both ends of experts: what each copy adds (to every rank) and takes back."""
    inputs = min(routing.expert_ranks, sequence_ranks)
    copies = feed_forward.hidden * (1 + inputs) * routing.experts_per_token * routing.capacity_factor
    return copies * feed_forward.expert_layers / feed_forward.layers


@step("B/token", "Activations of attention, per layer", source="korthikanti")
def attention_activation(
    activation_bytes: float, attention_heads: AttentionHeads, kv_replication: float, kv_lora_rank: float
) -> float:
    """Bytes that attention keeps per token without its scores [B/token], before tensor ranks split it.

    The paper's 8h: queries, keys, values and the input of the output projection, 2 B each. Ours: grouped key-value
    heads are fewer; with latent attention every head has its own key and value.

    >>> attention_activation(2, AttentionHeads(64, 64, 96, 96), 1, 0) / 6144
    8.0
    """
    heads, kv_heads, head_dim, v_head_dim = attention_heads
    keys_and_values = heads if kv_lora_rank > 0 else kv_heads * kv_replication
    return activation_bytes * (heads + keys_and_values) * (head_dim + v_head_dim)


@step("B/token", "Activations of feed-forward blocks, per layer", source="korthikanti")
def mlp_activation(activation_bytes: float, feed_forward: FeedForward, routing: Routing) -> float:
    """Bytes that feed-forward blocks keep per token [B/token], before tensor ranks split them, averaged over layers.

    The paper's 16h: input and output of the nonlinearity, 4h wide, 2 B each. Ours: any width; a gate keeps three such
    tensors (gate, up, product; a fused kernel, else a fourth); a token passes its chosen experts and the shared ones.

    >>> mlp_activation(2, FeedForward(6144, 24576, 24576, 2, 48, 0), Routing(1, 1, 1)) / 6144
    16.0
    >>> mlp_activation(2, FeedForward(50, 10, 100, 3, 4, 3), Routing(2, 1.5, 1, 1))
    330.0
    """
    return activation_bytes * feed_forward.matrices * width_passed(feed_forward, routing)


def width_passed(feed_forward: FeedForward, routing: Routing) -> float:
    """Width per token of all feed-forward blocks that it passes, averaged over all layers [1]."""
    return sum(block_widths(feed_forward, routing))


def block_widths(feed_forward: FeedForward, routing: Routing) -> tuple[float, float, float]:
    """Width per token of dense blocks, routed and shared experts, each averaged over all layers [1]."""
    share = feed_forward.expert_layers / feed_forward.layers
    visited = routing.experts_per_token * routing.capacity_factor
    return (
        feed_forward.dense_ffn_hidden * (1 - share),
        feed_forward.ffn_hidden * visited * share,
        feed_forward.ffn_hidden * routing.shared * share,
    )


@step("B/token", "Attention scores, per layer", source="korthikanti", rises_with=("sequence_length",))
def score_activation(
    activation_bytes: float,
    heads: float,
    sequence_length: float,
    flash_attention: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Bytes of attention scores per token [B/token], before tensor ranks split them: 5as, softmax and dropout.

    Flash attention keeps none of it (ours; its statistics, 4 B per head, are left out).

    >>> score_activation(2, 64, 2048, False)
    655360.0
    """
    return 0 if flash_attention else activation_bytes / 2 * 5 * heads * sequence_length


@step("rank", "Ranks that split the sequence", source="korthikanti")
def sequence_ranks(tensor_parallel: float, sequence_parallel: bool) -> float:  # noqa: FBT001  an input of the graph
    """Ranks among which sequence parallelism splits what lies between the blocks: the tensor ranks, or none."""
    return tensor_parallel if sequence_parallel else 1


@step(
    "B",
    "Activations of one layer without scores",
    binary=True,
    source=("korthikanti", "transformers-llama", "peft-lora-layer", "megatron-bridge-lora", "bitsandbytes-4bit"),
    rises_with=("micro_batch",),
)
def linear_layer_activation(
    micro_batch_tokens: float,
    residual_activation: float,
    sequence_ranks: float,
    attention_activation: float,
    mlp_activation: float,
    kernel_activation: LayerPart,
    tensor_parallel: float,
) -> float:
    """Activations of one layer and micro-batch on one GPU [B], attention scores apart: sbh(10 + 24/t), or 34 sbh/t."""
    return micro_batch_tokens * (
        (residual_activation + kernel_activation.around) / sequence_ranks
        + (attention_activation + mlp_activation + kernel_activation.within) / tensor_parallel
    )


@step("B", "Attention scores of one layer", binary=True, source="korthikanti")
def layer_scores(micro_batch_tokens: float, score_activation: float, tensor_parallel: float) -> float:
    """Attention scores of one layer and micro-batch on one GPU [B]: the paper's 5as²b/t."""
    return micro_batch_tokens * score_activation / tensor_parallel


@step("B", "Activations per layer", binary=True, source="korthikanti")
def layer_activation(
    recompute: Recompute,
    linear_layer_activation: float,
    layer_scores: float,
    dropped_memory: float,
    micro_batch_tokens: float,
    activation_bytes: float,
    hidden: float,
    sequence_ranks: float,
) -> float:
    """Activations of one layer and micro-batch until the backward pass [B].

    Everything, or all but what selective recomputation drops, or the layer's input alone: 2sbh (full). With sequence
    parallelism that input is already split over the tensor ranks (ours).

    >>> [layer_activation(how, 70, 5, 5, 10, 2, 6, 4) for how in ("full", "selective", "none")]
    [30.0, 70, 75]
    """
    if recompute == "full":
        return micro_batch_tokens * activation_bytes * hidden / sequence_ranks
    return linear_layer_activation + layer_scores - (dropped_memory if recompute == "selective" else 0)


@step("micro-batch", "Micro-batches in flight, first stage", source="korthikanti")
def first_in_flight(pipeline_parallel: float, interleave: float, micro_batches: float) -> float:
    """Micro-batches whose activations the first stage holds at once: p, fewer when a step has fewer.

    p(1 + (p-1)/(pm)) when stages interleave m-fold.

    >>> first_in_flight(8, 3, 100) / 8
    1.2916666666666667
    """
    pipeline = pipeline_parallel if interleave == 1 else pipeline_parallel + (pipeline_parallel - 1) / interleave
    return min(micro_batches, pipeline)


@step("micro-batch", "Micro-batches in flight, last stage")
def last_in_flight(pipeline_parallel: float, interleave: float, micro_batches: float) -> float:
    """Micro-batches the last stage holds at once (ours): one, or ((m-1)p + 1)/m when stages interleave m-fold."""
    return min(micro_batches, ((interleave - 1) * pipeline_parallel + 1) / interleave)


@step("B", "Logits of the last stage", binary=True)
def last_stage_logits(
    micro_batch_tokens: float, vocab: float, logit_bytes: float, mtp_layers: float, tensor_parallel: float
) -> float:
    """Logits and their gradient for one micro-batch [B], split over tensor ranks (4sbv/t in the paper).

    Once for the next token and once for each further token that is predicted (ours).
    """
    return micro_batch_tokens * vocab * logit_bytes * (1 + mtp_layers) / tensor_parallel


@step("B", "Memory of last stage − first stage", binary=True)
def last_stage_excess(
    last_stage_logits: float,
    layer_activation: float,
    stage_layers: float,
    mtp_layers: float,
    first_in_flight: float,
    last_in_flight: float,
) -> float:
    """By how much the last stage is fuller than the first [B]: its logits less the micro-batches it does not hold.

    Both hold the same layers and a table of the same size; layers that predict further tokens are on the last. The
    fuller one is what all results are about.
    """
    more = last_stage_logits + layer_activation * mtp_layers * last_in_flight
    return more - layer_activation * stage_layers * (first_in_flight - last_in_flight)


@step("micro-batch", "Micro-batches in flight, fullest stage")
def in_flight(last_stage_excess: float, first_in_flight: float, last_in_flight: float) -> float:
    """Micro-batches in flight on the fullest stage."""
    return last_in_flight if last_stage_excess > 0 else first_in_flight


@step("B", "Activations of all micro-batches in flight", binary=True, source="korthikanti")
def activations_in_flight(
    layer_activation: float, stage_layers: float, mtp_layers: float, in_flight: float, last_stage_excess: float
) -> float:
    """Activations of the fullest stage [B]: every layer, for every micro-batch in flight."""
    held = stage_layers + mtp_layers if last_stage_excess > 0 else stage_layers
    return layer_activation * held * in_flight


@step("B", "Activations per GPU", binary=True)
def activation_memory(activations_in_flight: float, activation_offload: float) -> float:
    """Activations on one GPU of the fullest stage [B]: those in flight that are not in host memory."""
    return activations_in_flight * (1 - activation_offload)


@step("B", "Logits per GPU", binary=True)
def logit_memory(last_stage_excess: float, last_stage_logits: float) -> float:
    """Logits on the fullest stage [B]: nothing when that is the first of several, for only the last one has them."""
    return last_stage_logits if last_stage_excess > 0 else 0


ACTIVATIONS = formulas_of(globals())

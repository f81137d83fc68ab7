"""Activation recomputation by module, and what kernels and frozen weights change in a layer's activations.

Names are those of Megatron Core's `--recompute-modules`; `per-op` is torchtitan's selective checkpointing by operator.
"""

from typing import Any, Literal

from calculators.declare import choice, formulas_of, record, step, switch
from calculators.llm.adapters import BLOCKS_TOO, Job, Targets
from calculators.llm.parts import AttentionHeads, FeedForward, Mixture
from calculators.llm.step.adapters import AdapterWork
from calculators.subjects.training.training_memory.activations import LayerPart, Routing, block_widths, sent_values
from calculators.vocabulary.groups import BATCH
from calculators.vocabulary.recipes import Recompute

Modules = Literal[
    "core_attn",
    "layernorm",
    "mlp",
    "moe",
    "moe_act",
    "shared_experts",
    "mla_up_proj",
    "layernorm+moe_act",
    "moe+layernorm",
    "mla_up_proj+mlp",
    "mla_up_proj+layernorm+moe_act",
    "per-op",
]
_EAGER_NORMS = 6  # values per hidden size: of both norms an fp32 copy (two 16-bit values) and a normalized one


def recompute_modules() -> Any:
    """Modules that selective recomputation drops."""
    options = {
        "core_attn": "core_attn: attention scores",
        "layernorm": "layernorm: outputs of both norms",
        "mlp": "mlp: dense feed-forward blocks",
        "moe": "moe: whole mixture-of-experts blocks",
        "moe_act": "moe_act: activation function of routed experts",
        "shared_experts": "shared_experts: blocks of shared experts",
        "mla_up_proj": "mla_up_proj: up-projections of latent attention",
        "layernorm+moe_act": "layernorm and moe_act",
        "moe+layernorm": "moe and layernorm",
        "mla_up_proj+mlp": "mla_up_proj and mlp",
        "mla_up_proj+layernorm+moe_act": "mla_up_proj, layernorm and moe_act, as DeepSeek-V3",
        "per-op": "per-op: every second matrix product (torchtitan)",
    }
    return choice(
        "core_attn",
        "Modules recomputed selectively",
        options,
        help="Megatron Core's `--recompute-modules`; torchtitan's selective checkpointing is per-op. "
        "Used with selective recomputation only.",
        group=BATCH,
    )


def fused_kernels() -> Any:
    """Whether norms and gates run in fused kernels."""
    return switch(
        default=True,
        label="Fused kernels",
        help="Norms and gates in one kernel each: Transformer Engine, Liger, or torch.compile. "
        "Eager PyTorch keeps more tensors.",
        group=BATCH,
    )


@record("Activations of adapters")
def adapter_activation(
    adapter_work: AdapterWork,
    lora_targets: Targets,
    adapter_input_bytes: float,
    activation_bytes: float,
    feed_forward: FeedForward,
    routing: Routing,
    mixture: Mixture,
    sequence_ranks: float,
) -> LayerPart:
    """Activations per token and layer that adapters keep for their own gradients [B/token].

    The output of each first matrix, whole on every tensor rank, and where frameworks copy it each one's input. Under
    sequence parallelism Megatron Bridge keeps the inputs that it gathers for `linear_qkv` and `linear_fc1`.

    >>> from calculators.llm.step.adapters import Adapted
    >>> dense, routing, none = FeedForward(10, 30, 30, 3, 2, 0), Routing(1, 1, 1), Mixture(1, 0, 10)
    >>> q, down = Adapted(10, 10, 2, "columns"), Adapted(30, 10, 2, "rows")
    >>> adapter_activation(AdapterWork(4, (q, down), 0), "linear", 3, 2, dense, routing, none, 1)
    LayerPart(around=46.0, within=90.0)
    >>> adapter_activation(AdapterWork(4, (q, down), 0), "linear", 0, 2, dense, routing, none, 2)
    LayerPart(around=72.0, within=0.0)
    """
    around = within = 0.0
    for one in adapter_work.matrices:
        visited = routing.experts_per_token * routing.capacity_factor / mixture.experts if one.expert else 1
        number = visited * one.number / feed_forward.layers
        copied = adapter_input_bytes * one.rows * number
        around += activation_bytes * adapter_work.rank * number * sequence_ranks
        around, within = (around, within + copied) if one.split == "rows" else (around + copied, within)
    if adapter_work.matrices:
        mixed = 0 if mixture.shared else feed_forward.expert_layers / feed_forward.layers
        gathered = 2 - mixed if lora_targets in BLOCKS_TOO else 1
        around += activation_bytes * feed_forward.hidden * gathered * (sequence_ranks - 1)
    return LayerPart(around, within)


@record("Whether matrices keep their inputs")
def inputs_kept(job: Job, quantized_inputs_kept: bool) -> bool:  # noqa: FBT001  an input of the graph
    """Whether a matrix product keeps its input: for the gradient of its weights, or by bitsandbytes before 0.43.2.

    >>> inputs_kept("full", False), inputs_kept("lora", True), inputs_kept("qlora", True), inputs_kept("qlora", False)
    (True, False, True, False)
    """
    return quantized_inputs_kept if job == "qlora" else job != "lora"


@record("Activations by kernel and frozen weight")
def kernel_activation(
    activation_bytes: float,
    fused_kernels: bool,  # noqa: FBT001  an input of the graph
    inputs_kept: bool,  # noqa: FBT001  a node of the graph
    lora_targets: Targets,
    adapter_input_bytes: float,
    adapter_activation: LayerPart,
    feed_forward: FeedForward,
    routing: Routing,
) -> LayerPart:
    """Activations per token that eager kernels and adapters keep besides, less what frozen matrices do not [B/token].

    Eager norms keep an fp32 copy of their input and a normalized copy, an eager gate a fourth tensor. A frozen
    matrix keeps no input, and nothing else does where its adapter keeps a copy or it has none.

    >>> nothing = LayerPart(0, 0)
    >>> kernel_activation(2, False, True, "all", 2, nothing, FeedForward(10, 30, 30, 3, 4, 0), Routing(1, 1, 1))
    LayerPart(around=120, within=60.0)
    """
    width = sum(block_widths(feed_forward, routing))
    copied = adapter_input_bytes > 0
    products = 0 if inputs_kept or not (copied or lora_targets not in BLOCKS_TOO) else 1
    inputs = products + 1 if copied and not inputs_kept else products
    eager = 0 if fused_kernels else 1
    gate = eager * (feed_forward.matrices - 2)
    return LayerPart(
        around=activation_bytes * feed_forward.hidden * (_EAGER_NORMS * eager - inputs) + adapter_activation.around,
        within=activation_bytes * width * (gate - products) + adapter_activation.within,
    )


@record("Activations dropped by module")
def dropped_activation(
    recompute_modules: Modules,
    activation_bytes: float,
    feed_forward: FeedForward,
    routing: Routing,
    attention_heads: AttentionHeads,
    kv_lora_rank: float,
    sequence_ranks: float,
    kernel_activation: LayerPart,
) -> LayerPart:
    """Activations per token that the modules drop and compute again [B/token], attention scores apart.

    `per-op` keeps the outputs of every second matrix product (query, value, gate, down) and of attention, no others.

    >>> llama = FeedForward(4096, 14336, 14336, 3, 32, 0)
    >>> heads, nothing = AttentionHeads(32, 8, 128, 128), LayerPart(0, 0)
    >>> dropped_activation("per-op", 2, llama, Routing(1, 1, 1), heads, 0, 1, nothing)
    LayerPart(around=16384, within=59392.0)
    """
    dense, routed, shared = block_widths(feed_forward, routing)
    heads, kv_heads, head_dim, v_head_dim = attention_heads
    sent = sent_values(feed_forward, routing, sequence_ranks)
    norms, matrices = 2 * feed_forward.hidden, feed_forward.matrices
    up = heads * (2 * head_dim + v_head_dim) if kv_lora_rank > 0 else 0
    keys = (heads if kv_lora_rank > 0 else kv_heads) * head_dim
    around, within = {
        "core_attn": (0, 0),
        "layernorm": (norms, 0),
        "mlp": (0, matrices * dense),
        "moe": (sent, matrices * (routed + shared)),
        "moe_act": (0, routed),
        "shared_experts": (0, matrices * shared),
        "mla_up_proj": (0, up),
        "layernorm+moe_act": (norms, routed),
        "moe+layernorm": (sent + norms, matrices * (routed + shared)),
        "mla_up_proj+mlp": (0, up + matrices * dense),
        "mla_up_proj+layernorm+moe_act": (norms, up + routed),
        "per-op": (norms, keys + (matrices - 1) * (dense + routed + shared)),
    }[recompute_modules]
    also = kernel_activation if recompute_modules == "per-op" else LayerPart(0, 0)
    return LayerPart(
        around=activation_bytes * around + max(0, also.around), within=activation_bytes * within + max(0, also.within)
    )


@step("B", "Dropped by selective recomputation", binary=True, source=("megatron-recompute", "torchtitan-checkpointing"))
def dropped_memory(
    recompute_modules: Modules,
    dropped_activation: LayerPart,
    layer_scores: float,
    micro_batch_tokens: float,
    sequence_ranks: float,
    tensor_parallel: float,
) -> float:
    """Activations of one layer and micro-batch that selective recomputation does not keep [B].

    Attention scores are among them with `core_attn` and `per-op` only.

    >>> dropped_memory("core_attn", LayerPart(0, 0), 7, 10, 1, 1), dropped_memory("mlp", LayerPart(4, 6), 7, 10, 2, 3)
    (7.0, 40.0)
    """
    scores = layer_scores if recompute_modules in {"core_attn", "per-op"} else 0
    part = dropped_activation
    return scores + micro_batch_tokens * (part.around / sequence_ranks + part.within / tensor_parallel)


@step("B", "Recomputation buffer of one layer", binary=True)
def recomputed_memory(
    linear_layer_activation: float, layer_scores: float, dropped_memory: float, recompute: Recompute
) -> float:
    """Room for what one layer computes again in its backward pass [B] (ours): the whole layer, or what was dropped."""
    return (
        linear_layer_activation + layer_scores
        if recompute == "full"
        else dropped_memory
        if recompute == "selective"
        else 0
    )


RECOMPUTATION = formulas_of(globals())

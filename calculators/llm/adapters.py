"""Trained part of a model: all of it, or low-rank adapters on frozen weights (LoRA, QLoRA)."""

from typing import Any, Literal

from calculators import facts
from calculators.declare import choice, computed, constraint, formulas_of, quantity, step, switch
from calculators.llm.parts import AttentionHeads, FeedForward, LatentAttention, Mixture
from calculators.vocabulary.groups import MODEL

Job = Literal["pre-training", "full", "lora", "qlora"]
Targets = Literal["fused", "query-value", "attention", "linear", "all"]
ADAPTERS = ("lora", "qlora")
QUERIES_AND_VALUES = ("fused", "query-value")
BLOCKS_TOO = ("linear", "all")
_FROZEN = float(facts.fact("frozen-bytes-16-bit").value)
_QUANTIZED = float(facts.fact("nf4-bytes").value)


def job() -> Any:
    """Training job: pre-training, full fine-tuning, LoRA or QLoRA."""
    options = {
        "pre-training": "pre-training: every weight, from scratch or continued",
        "full": "full fine-tuning: every weight",
        "lora": "LoRA: adapters on frozen 16-bit weights",
        "qlora": "QLoRA: adapters on frozen 4-bit weights",
    }
    return choice("pre-training", "Training job", options, group=MODEL, aliases=("method",))


def lora_rank() -> Any:
    """Width of the adapters."""
    return quantity(
        facts.fact("lora-rank"),
        "1",
        "LoRA rank",
        hard=(1, 100e3),
        slider=(4, 256),
        scale="log",
        doubling=True,
        whole=True,
        help="Width of the two adapter matrices per adapted matrix. Used with LoRA and QLoRA only.",
        group=MODEL,
        aliases=("rank",),
    )


def lora_targets() -> Any:
    """Matrices that have adapters, as PEFT's `target_modules` and `target_parameters` name them."""
    options = {
        "fused": "linear_qkv: Megatron's fused projection, one adapter",
        "query-value": "q_proj, v_proj: PEFT's default for Llama",
        "attention": "q_proj, k_proj, v_proj, o_proj",
        "linear": "all-linear: attention, dense blocks and shared experts",
        "all": "all-linear and every routed expert",
    }
    return choice(
        "linear",
        "Target modules",
        options,
        help="PEFT's `all-linear` leaves routed experts out: they are parameters, not linear modules, and need "
        "`target_parameters`. Used with LoRA and QLoRA only.",
        group=MODEL,
        aliases=("target_modules",),
    )


def adapter_input_bytes(group: str) -> Any:
    """Bytes of the copy of its input that each adapter keeps."""
    return quantity(
        facts.fact("adapter-input-bytes"),
        "B/value",
        "Bytes per copied adapter input",
        hard=(0, 8),
        slider=(0, 5),
        help="Each adapter's own copy of its input: 2 in PEFT under bf16 autocast, 4 in PEFT without; with "
        "`lora_dropout` 3 anywhere, copy and mask; else 0 in Megatron Bridge, torchtune and Unsloth, which share it. "
        "Used with LoRA and QLoRA only.",
        group=group,
    )


def quantized_inputs_kept(group: str) -> Any:
    """Whether the kernel of a matrix in 4 bits keeps its input."""
    return switch(
        default=False,
        label="4-bit matrices keep their inputs",
        help="bitsandbytes before 0.43.2 (July 2024) did, for a gradient that it never computes. Used with QLoRA only.",
        group=group,
    )


def frozen_bytes(group: str) -> Any:
    """Bytes per frozen weight."""
    return quantity(
        computed("usual_frozen_bytes", "16 bits, or 4 with constants"),
        "B/parameter",
        "Bytes per frozen weight",
        hard=(0.1, 8),
        slider=(0.5, 4),
        help="2 in bf16, 1 in 8 bits, 0.516 in NF4 with its constants quantized too; tables stay in 16 bits. "
        "Used with LoRA and QLoRA only.",
        group=group,
    )


@step("B/parameter", "Typical bytes per frozen weight", source="qlora")
def usual_frozen_bytes(job: Job) -> float:
    """Bytes per frozen weight [B/parameter]: 16 bits, or 4.127 bits quantized as in QLoRA."""
    return _QUANTIZED if job == "qlora" else _FROZEN


@step("parameter", "Adapter parameters of a layer's attention", source="lora")
def attention_adapters(
    lora_rank: float,
    lora_targets: Targets,
    hidden: float,
    attention_heads: AttentionHeads,
    latent_attention: LatentAttention,
) -> float:
    """Two matrices of the rank for each adapted one: its width in and its width out, times the rank [parameter].

    Llama 3 8B, rank 16, all of attention:

    >>> attention_adapters(16, "attention", 4096, AttentionHeads(32, 8, 128, 128), LatentAttention(0, 0, 0, 0))
    425984

    One of its fused projection, 4,096 to 6,144:

    >>> attention_adapters(16, "fused", 4096, AttentionHeads(32, 8, 128, 128), LatentAttention(0, 0, 0, 0))
    163840
    """
    heads, kv_heads, head_dim, v_head_dim = attention_heads
    q_rank, kv_rank, rope_dim, nope_dim = latent_attention
    queries = hidden + 2 * q_rank + heads * head_dim
    grouped_keys = hidden + kv_heads * head_dim
    grouped_values = hidden + kv_heads * v_head_dim
    latents = hidden + kv_rank + rope_dim + kv_rank + heads * (nope_dim + v_head_dim)
    keys = 0 if kv_rank > 0 else grouped_keys
    values = latents if kv_rank > 0 else grouped_values
    out = heads * v_head_dim + hidden
    if lora_targets == "fused" and not kv_rank:
        return lora_rank * (queries + keys + values - 2 * hidden)
    return lora_rank * (queries + values + (0 if lora_targets in QUERIES_AND_VALUES else keys + out))


@step("parameter", "Adapter parameters of the feed-forward blocks", source=("lora", "peft"))
def block_adapters(
    lora_rank: float, lora_targets: Targets, feed_forward: FeedForward, block_layers: float, mixture: Mixture
) -> float:
    """Adapters of all feed-forward blocks of the model [parameter], those of routed experts only where all have one.

    Two layers of eight experts of 100 by 200 and a shared one, without a gate, rank 1:

    >>> blocks, experts = FeedForward(100, 200, 400, 2, 2, 2), Mixture(8, 1, 100)
    >>> [block_adapters(1, which, blocks, 2, experts) for which in ("attention", "linear", "all")]
    [0, 1200, 10800]
    """
    if lora_targets not in BLOCKS_TOO:
        return 0
    hidden, ffn_hidden, dense_ffn_hidden, matrices, _, expert_layers = feed_forward
    dense = max(0, block_layers - expert_layers) * (hidden + dense_ffn_hidden)
    routed = mixture.experts * (mixture.hidden + ffn_hidden) if lora_targets == "all" else 0
    return lora_rank * matrices * (dense + expert_layers * (routed + mixture.shared * (hidden + ffn_hidden)))


@step("parameter", "Adapter parameters", source="lora", rises_with=("lora_rank",))
def adapter_parameters(
    job: Job, layers: float, block_layers: float, attention_adapters: float, block_adapters: float
) -> float:
    """All adapters of the model [parameter]; none where every weight is trained.

    LLaMA 7B, rank 8 on queries and values: printed as 4,194,304.

    >>> adapter_parameters("lora", 32, 32, 8 * 2 * (4096 + 4096), 0)
    4194304
    """
    return mixer_layers(layers, block_layers) * attention_adapters + block_adapters if job in ADAPTERS else 0


def mixer_layers(layers: float, block_layers: float) -> float:
    """Layers with attention, or with a state, whose adapters are taken for as large [layer].

    Nemotron-H has 54 blocks in 118 layers, each a layer alone:

    >>> mixer_layers(118, 54), mixer_layers(80, 80)
    (64, 80)
    """
    return layers - block_layers if block_layers < layers else layers


@constraint("lora_rank", speaks="job=lora&lora_rank=8193&hidden=8192", silent="job=lora&lora_rank=64&hidden=8192")
def rank_within_matrices(job: Job, lora_rank: float, hidden: float) -> str:
    """A rank above the side of the matrices has more parameters than the matrices themselves."""
    if job not in ADAPTERS or lora_rank <= hidden:
        return ""
    return (
        "LoRA rank must be at most the hidden size, {hidden}, not {lora_rank}: no matrix has a higher rank. "
        "Use a lower one"
    )


@step("parameter", "Trainable parameters")
def trainable_parameters(job: Job, parameters: float, adapter_parameters: float) -> float:
    """Parameters with gradients and optimizer state [parameter]: all, or the adapters only."""
    return adapter_parameters if job in ADAPTERS else parameters


@constraint("lora_rank", speaks="job=lora&lora_rank=8000&hidden=8192", silent="job=lora&lora_rank=256&hidden=8192")
def adapters_within_weights(job: Job, trainable_parameters: float, parameters: float) -> str:
    """Adapters with more parameters than the weights that they adapt: all of them could be trained for less."""
    if job not in ADAPTERS or trainable_parameters <= parameters:
        return ""
    return (
        "Adapters of LoRA rank {lora_rank} have {trainable_parameters}, more than all {parameters} of the model: use "
        "a lower rank, or train all weights"
    )


@step("share", "Trainable share")
def trainable_share(trainable_parameters: float, parameters: float) -> float:
    """Trainable parameters over all of the model's own [share]."""
    return trainable_parameters / parameters


TRAINED = formulas_of(globals())

"""FLOPs of training: what one token costs by each convention in use, and what utilization each would print."""

from typing import Literal

from calculators.declare import formulas_of, step, variant
from calculators.llm.adapters import ADAPTERS, Job, Targets
from calculators.llm.parts import FeedForward, Mixture
from calculators.vocabulary.recipes import Recompute

AttentionFlops = Literal["ignored", "causal", "full"]
Counted = Literal["hardware", "model"]


@step("token", "Tokens seen in a sliding-window layer, mean")
def seen_in_window(
    sequence_length: float, window: float, compressed_values: float, attention_layers: float, head_dim: float
) -> float:
    """Tokens that a token of a layer with a sliding window sees in the mean [token], compressed entries included.

    The first `window` tokens see those before them. Gemma 3's 1,024 at 131,072 tokens: 1,020.

    >>> seen_in_window(131072, 1024, 0, 62, 128), seen_in_window(1024, 4096, 0, 62, 128)
    (1020.0, 512.0)
    """
    causal = sequence_length / 2
    near = causal if window >= sequence_length else window - window**2 / (2 * sequence_length)
    entries = compressed_values / (attention_layers * head_dim) if attention_layers else 0
    return min(causal, near + entries * causal)


@step("FLOP/token", "Attention scores, causal count", source="megatron-2021", rises_with=("sequence_length",))
def causal_attention_flops(
    attention_layers: float,
    global_layers: float,
    mtp_layers: float,
    attention_width: float,
    sequence_length: float,
    seen_in_window: float,
) -> float:
    """FLOPs per token of the attention scores [FLOP/token], forward and backward, when each token sees those before it.

    `attention_width` is heads times head dimension; all but the `global_layers` see a window, and layers that keep a
    state instead have no scores. Half of the full count: what Megatron Core prints since 2024.

    >>> causal_attention_flops(80, 80, 0, 8192, 8192, 4096) / 1e9
    32.21225472
    """
    seen = (global_layers + mtp_layers) * sequence_length + (attention_layers - global_layers) * 2 * seen_in_window
    return 6 * attention_width * seen


@step("FLOP/token", "Attention scores, full count", source="megatron-2021", rises_with=("sequence_length",))
def full_attention_flops(causal_attention_flops: float) -> float:
    """FLOPs per token of the attention scores [FLOP/token] when every token sees the whole sequence.

    12 × layers × width × sequence: PaLM, Megatron 2021, LLM Foundry, nanotron and torchtitan count this, causal or not.
    """
    return 2 * causal_attention_flops


@step("FLOP/token", "Attention FLOPs as counted")
def attention_flops_per_token(
    attention_flops: AttentionFlops, causal_attention_flops: float, full_attention_flops: float
) -> float:
    """The attention scores by the chosen convention [FLOP/token]; nothing when they are ignored."""
    return (
        0
        if attention_flops == "ignored"
        else causal_attention_flops
        if attention_flops == "causal"
        else full_attention_flops
    )


@step("parameter", "Parameters in matrix products", source=("megatron-core", "nanotron", "torchtitan"))
def multiplied_parameters(
    active_parameters: float,
    embedding_parameters: float,
    counted_active_parameters: float,
    count_correction: float,
    attention_layers: float,
    layers: float,
    layer_embedding_parameters: float,
) -> float:
    """Active parameters [parameter] that go into matrix products: all but the tables of which a token takes a row.

    Their share is that of the dimensions, whatever parameter count is given; the tables as they are where some
    layers have no attention or look up tables of their own, because the dimensions then count something else.

    >>> multiplied_parameters(70553706496, 1050673152, 70553706496, 1, 80, 80, 0)  # Llama 3 70B
    69503033344.0
    >>> multiplied_parameters(56324350464, 1073741824, 56324350464, 0.676, 10, 118, 0)  # Nemotron-H 56B
    55250608640
    """
    tables = embedding_parameters + layer_embedding_parameters
    if (attention_layers < layers or layer_embedding_parameters > 0) and tables < active_parameters:
        return active_parameters - tables
    return active_parameters * (1 - embedding_parameters * count_correction / counted_active_parameters)


@step("FLOP/token", "Output layers of multi-token prediction", source="megatron-core")
def mtp_output_flops(mtp_layers: float, vocab: float, hidden: float) -> float:
    """FLOPs per token of the output layer for the further tokens predicted [FLOP/token]: the model's own, once more."""
    return 6 * mtp_layers * vocab * hidden


@step("parameter", "Adapter parameters active per token", source="lora", rises_with=("lora_rank",))
def active_adapter_parameters(
    adapter_parameters: float,
    lora_rank: float,
    lora_targets: Targets,
    feed_forward: FeedForward,
    mixture: Mixture,
    experts_per_token: float,
) -> float:
    """Adapters that a token passes [parameter]: all but those of the experts that it is not sent to.

    Two layers of eight experts, each with three matrices of 100 by 200, rank 1: 2 × 8 × 3 × 300, a quarter for 2 of 8.

    >>> active_adapter_parameters(14_400, 1, "all", FeedForward(100, 200, 200, 3, 2, 2), Mixture(8, 0, 100), 2)
    3600
    """
    if not adapter_parameters or lora_targets != "all":
        return adapter_parameters
    idle = feed_forward.expert_layers * (mixture.experts - experts_per_token)
    return adapter_parameters - lora_rank * feed_forward.matrices * idle * (mixture.hidden + feed_forward.ffn_hidden)


@step("FLOP/token", "FLOPs saved by frozen weights, all parameters counted", source="lora")
def frozen_parameter_flops(job: Job, active_parameters: float, active_adapter_parameters: float) -> float:
    """FLOPs saved per token where weights are frozen [FLOP/token]: 2 of 6 for each, and 6 more for each adapter's.

    A frozen weight is multiplied forward, and backward for the gradient of its input; its own is not computed.

    >>> frozen_parameter_flops("lora", 8e9, 0), frozen_parameter_flops("full", 8e9, 0)
    (16000000000.0, 0)
    """
    return 2 * active_parameters - 6 * active_adapter_parameters if job in ADAPTERS else 0


frozen_product_flops = variant(
    frozen_parameter_flops,
    {"active_parameters": "multiplied_parameters"},
    name="frozen_product_flops",
    label="FLOPs saved by frozen weights, matrix products counted",
)


@step("FLOP/token", "FLOPs saved by frozen weights", source="lora")
def frozen_flops_per_token(
    attention_flops: AttentionFlops, frozen_parameter_flops: float, frozen_product_flops: float
) -> float:
    """FLOPs that frozen weights save of the chosen count [FLOP/token].

    >>> frozen_flops_per_token("ignored", 16e9, 14e9), frozen_flops_per_token("causal", 16e9, 14e9)
    (16000000000.0, 14000000000.0)
    """
    return frozen_parameter_flops if attention_flops == "ignored" else frozen_product_flops


@step("FLOP/token", "FLOPs per token, causal attention", source=("megatron-core", "deepseek-isca"))
def causal_flops_per_token(
    multiplied_parameters: float, mtp_output_flops: float, causal_attention_flops: float, frozen_product_flops: float
) -> float:
    """Matrix products and causal attention per token [FLOP/token], tables that are only looked up left out.

    Megatron Core's count of Llama 3 70B at 8,192 tokens is 449.2 GFLOP.

    >>> round(causal_flops_per_token(69503033344, 0, 32212254720, 0) / 1e9, 1)
    449.2
    """
    return 6 * multiplied_parameters + mtp_output_flops + causal_attention_flops - frozen_product_flops


full_flops_per_token = variant(
    causal_flops_per_token,
    {"causal_attention_flops": "full_attention_flops"},
    name="full_flops_per_token",
    label="FLOPs per token, full attention",
    source=("nanotron", "torchtitan"),
)


@step("FLOP/token", "Model FLOPs per token", source="kaplan", rises_with=("active_parameters",))
def model_flops_per_token(
    attention_flops: AttentionFlops,
    active_parameters: float,
    mtp_output_flops: float,
    causal_flops_per_token: float,
    full_flops_per_token: float,
    frozen_flops_per_token: float,
) -> float:
    """FLOPs of the model per token [FLOP/token], forward and backward, nothing computed twice.

    6 per parameter that works on the token: 2 forward, 4 backward. Counts that add the attention scores leave out the
    tables that are only looked up; the count without attention takes every parameter.

    >>> model_flops_per_token("ignored", 175e9, 0, 0, 0, 0)
    1050000000000.0
    """
    return (
        6 * active_parameters + mtp_output_flops - frozen_flops_per_token
        if attention_flops == "ignored"
        else causal_flops_per_token
        if attention_flops == "causal"
        else full_flops_per_token
    )


@step("FLOP/token", "Recomputed FLOPs per token", source=("megatron-2021", "korthikanti"))
def recompute_flops_per_token(
    recompute: Recompute,
    model_flops_per_token: float,
    attention_flops_per_token: float,
    frozen_flops_per_token: float,
) -> float:
    """FLOPs of recomputed activations per token [FLOP/token].

    Full recomputation runs the forward pass again, a third of the model FLOPs: 6 per parameter become 8. Selective
    recomputation repeats the attention scores only, so it adds nothing where they are ignored.

    >>> [recompute_flops_per_token(how, 60, 10, 3) for how in ("full", "selective", "none")]
    [21.0, 3.3333333333333335, 0]
    """
    return (
        (model_flops_per_token + frozen_flops_per_token) / 3
        if recompute == "full"
        else attention_flops_per_token / 3
        if recompute == "selective"
        else 0
    )


@step("FLOP/token", "FLOPs per token", source=("kaplan", "megatron-2021"))
def flops_per_token(model_flops_per_token: float, recompute_flops_per_token: float) -> float:
    """FLOPs that the GPUs perform per token [FLOP/token], recomputation included.

    >>> flops_per_token(6 * 175e9, 2 * 175e9)
    1400000000000.0
    """
    return model_flops_per_token + recompute_flops_per_token


@step("FLOP", "Training FLOPs", rises_with=("tokens",))
def training_flops(flops_per_token: float, tokens: float) -> float:
    """FLOPs of the whole run on the GPUs [FLOP], recomputation included, work repeated after failures left out.

    >>> training_flops(8 * 175e9, 300e9)
    4.2e+23
    """
    return flops_per_token * tokens


@step("share", "MFU by the chosen count")
def step_mfu(model_flops_per_token: float, tokens_per_second_per_gpu: float, arithmetic_flops: float) -> float:
    """Model FLOPs over peak while a step runs [share], attention counted as chosen, recomputation never."""
    return model_flops_per_token * tokens_per_second_per_gpu / arithmetic_flops


@step("share", "MFU without attention (6N)", source="kaplan")
def mfu_without_attention(
    active_parameters: float,
    mtp_output_flops: float,
    frozen_parameter_flops: float,
    tokens_per_second_per_gpu: float,
    arithmetic_flops: float,
) -> float:
    """MFU of this speed with 6 FLOPs per parameter, 4 if frozen, and nothing else [share]."""
    return (
        (6 * active_parameters + mtp_output_flops - frozen_parameter_flops)
        * tokens_per_second_per_gpu
        / arithmetic_flops
    )


@step("share", "MFU with causal attention", source=("megatron-core", "deepseek-isca"))
def mfu_causal(causal_flops_per_token: float, tokens_per_second_per_gpu: float, arithmetic_flops: float) -> float:
    """MFU of this speed by the causal count of Megatron Core and DeepSeek [share]."""
    return causal_flops_per_token * tokens_per_second_per_gpu / arithmetic_flops


@step("share", "MFU with full attention", source=("nanotron", "torchtitan"))
def mfu_full(full_flops_per_token: float, tokens_per_second_per_gpu: float, arithmetic_flops: float) -> float:
    """MFU of this speed by the full count of PaLM, LLM Foundry, nanotron and torchtitan [share]."""
    return full_flops_per_token * tokens_per_second_per_gpu / arithmetic_flops


@step("share", "Hardware utilization (HFU)", source="megatron-2021")
def hfu(flops_per_token: float, tokens_per_second_per_gpu: float, arithmetic_flops: float) -> float:
    """All FLOPs performed over peak while a step runs [share]: recomputation as chosen, attention as counted.

    The rates that Megatron 2021, BLOOM and OPT print, 8 FLOPs per parameter and token, are of this kind.
    """
    return flops_per_token * tokens_per_second_per_gpu / arithmetic_flops


@step("share", "Whole-run MFU, as billed", rises_with=("goodput",))
def whole_run_mfu(step_mfu: float, goodput: float) -> float:
    """Model FLOPs of the finished run over the peak of every hour paid for [share]. Not what a step's log prints."""
    return step_mfu * goodput


FLOPS_FORMULAS = formulas_of(globals())

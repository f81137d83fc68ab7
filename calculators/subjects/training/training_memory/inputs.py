"""Inputs of training memory: batch, layout, precision, device, and the model's dimensions."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import computed, placed, quantity, switch
from calculators.llm import adapters, dimensions
from calculators.llm.size import Biases
from calculators.subjects.training.training_memory import offload
from calculators.subjects.training.training_memory import preference as preferences
from calculators.subjects.training.training_memory.activations import Dropout
from calculators.subjects.training.training_memory.buffers import reshard_after_forward
from calculators.subjects.training.training_memory.estimated_shape import likely
from calculators.subjects.training.training_memory.preference import Preference
from calculators.subjects.training.training_memory.recomputation import Modules, fused_kernels, recompute_modules
from calculators.subjects.training.training_memory.states import Resharding
from calculators.vocabulary import nodes, parallelism, recipes
from calculators.vocabulary.accelerators import gpu_memory, gpus, training_overhead
from calculators.vocabulary.groups import BATCH, MACHINE, PRECISION
from calculators.vocabulary.models import (
    active_parameters,
    head_dim,
    heads,
    hidden,
    kv_heads,
    layers,
    of_default_model,
    parameters,
    sequence_length,
)
from calculators.vocabulary.parallelism import tensor_parallel
from calculators.vocabulary.precision import Precision, speedup, training_precision
from calculators.vocabulary.recipes import RECIPE, Recompute, recompute_choice

LOSS = "loss-pytorch"


def _part(field: str, label: str, help: str) -> Any:  # noqa: A002
    fact = facts.fact(f"{RECIPE}.{field}")
    return quantity(fact, "B/parameter", label, hard=(0, 16), slider=(0, 8), help=help, group=PRECISION)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of training memory, in base units (bytes)."""

    parameters: float = parameters(computed("counted_parameters", "counted"))
    active_parameters: float = active_parameters(computed("counted_active_parameters", "counted"))
    job: adapters.Job = adapters.job()
    lora_rank: float = adapters.lora_rank()
    lora_targets: adapters.Targets = adapters.lora_targets()
    gpus: float = gpus(parallelism.OF_THE_LAYOUT)
    sequence_length: float = placed(sequence_length(computed("usual_sequence_length", "typical")), BATCH)
    micro_batch: float = parallelism.micro_batch()
    micro_batches: float = parallelism.micro_batches()
    recompute: Recompute = recompute_choice(BATCH, default="selective")
    flash_attention: bool = switch(
        default=True,
        label="Flash attention",
        help="Never keeps the attention scores. Selective recomputation then has nothing left to save.",
        group=BATCH,
    )
    recompute_modules: Modules = recompute_modules()
    fused_kernels: bool = fused_kernels()
    tensor_parallel: float = tensor_parallel(parallelism.TENSOR_RANKS)
    pipeline_parallel: float = parallelism.pipeline_parallel(parallelism.STAGES)
    data_parallel: float = parallelism.data_parallel(16)
    context_parallel: float = parallelism.context_parallel()
    expert_parallel: float = parallelism.expert_parallel()
    expert_tensor_parallel: float = parallelism.expert_tensor_parallel()
    sequence_parallel: bool = parallelism.sequence_parallel()
    interleave: float = parallelism.interleave()
    zero_stage: int = parallelism.zero_stage()
    reshard_after_forward: Resharding = reshard_after_forward()
    shard_group: float = parallelism.shard_group()
    optimizer_offload: float = offload.optimizer_offload()
    gradient_offload: bool = offload.gradient_offload()
    parameter_offload: bool = offload.parameter_offload()
    activation_offload: float = offload.activation_offload()
    preference: Preference = preferences.preference()
    reward_size: float = preferences.reward_size()
    critic_size: float = preferences.critic_size()
    engine_share: float = preferences.engine_share()
    host_memory: float = placed(nodes.host_memory(), offload.OFFLOAD)
    gpus_per_node: float = placed(nodes.gpus_per_node(), offload.OFFLOAD)
    weight_bytes_trained: float = _part(
        "weight_bytes_trained", "Bytes per weight", "In the precision of the forward pass."
    )
    frozen_bytes: float = adapters.frozen_bytes(PRECISION)
    adapter_input_bytes: float = adapters.adapter_input_bytes(PRECISION)
    quantized_inputs_kept: bool = adapters.quantized_inputs_kept(PRECISION)
    gradient_bytes: float = recipes.gradient_bytes()
    master_bytes: float = _part(
        "master_bytes", "Bytes per master weight", "The optimizer's own fp32 copy of the weights."
    )
    optimizer_bytes: float = _part("optimizer_bytes", "Bytes of optimizer state", "Adam keeps two moments per weight.")
    activation_bytes: float = recipes.activation_bytes()
    training_precision: Precision = placed(training_precision(), PRECISION)
    fp8_speedup: float | None = placed(speedup(8), MACHINE)
    fp4_speedup: float | None = placed(speedup(4), MACHINE)
    logit_bytes: float = quantity(
        facts.fact(f"{LOSS}.logit_bytes"),
        "B/value",
        "Bytes per logit",
        hard=(0, 32),
        slider=(0, 20),
        help="Logits, their fp32 copy and gradient; less where the loss is fused or computed in chunks.",
        group=PRECISION,
    )
    gpu_memory: float = gpu_memory()
    training_overhead: float = training_overhead(
        facts.fact("training-overhead"),
        help="Taken on each GPU before any tensor: the CUDA context and the communication library's buffers.",
    )
    fragmentation: float = quantity(
        facts.fact("allocator-fragmentation"),
        "share",
        "Fragmentation",
        hard=(0, 1),
        slider=(0, 0.4),
        help="Memory the allocator cannot use, as a share of all tensors.",
        group=MACHINE,
    )
    layers: float = placed(layers(likely("layers"), of_default_model("layers")), dimensions.SHAPE)
    hidden: float = placed(hidden(likely("hidden"), of_default_model("hidden")), dimensions.SHAPE)
    heads: float = placed(heads(likely("heads"), of_default_model("heads")), dimensions.SHAPE)
    kv_heads: float = placed(kv_heads(likely("kv_heads"), computed("heads", "= attention heads")), dimensions.SHAPE)
    head_dim: float = placed(
        head_dim(likely("head_dim"), computed("even_head_dim", "hidden ÷ heads")), dimensions.SHAPE
    )
    ffn_hidden: float = dimensions.ffn_hidden(likely("ffn_hidden"))
    vocab: float = dimensions.vocab()
    gated: bool = dimensions.gated()
    tied_embeddings: bool = dimensions.tied_embeddings()
    experts: float = dimensions.experts()
    experts_per_token: float = dimensions.experts_per_token()
    shared_experts: float = dimensions.shared_experts()
    expert_hidden: float = dimensions.expert_hidden()
    dense_layers: float = dimensions.dense_layers()
    dense_ffn_hidden: float = dimensions.dense_ffn_hidden()
    mtp_layers: float = dimensions.mtp_layers()
    capacity_factor: float = dimensions.capacity_factor()
    q_lora_rank: float = dimensions.q_lora_rank()
    kv_lora_rank: float = dimensions.kv_lora_rank()
    rope_head_dim: float = dimensions.rope_head_dim()
    nope_head_dim: float = dimensions.nope_head_dim()
    v_head_dim: float = dimensions.v_head_dim()
    position_embeddings: float = dimensions.position_embeddings()
    positions: float | None = dimensions.positions()
    norms_per_layer: float = dimensions.norms_per_layer()
    qk_norm: bool = dimensions.qk_norm()
    biases: Biases = dimensions.biases()
    block_layers: float = dimensions.block_layers()
    mixer_parameters: float | None = dimensions.mixer_parameters()
    dropout: Dropout = dimensions.dropout()

"""What a reader may set for training memory: batch, layout, precision, device, and the model's dimensions."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import Option, choice, computed, quantity, switch
from calculators.model import dimensions
from calculators.model.size import Biases
from calculators.model.vocabulary import (
    MACHINE,
    SHARD,
    active_parameters,
    gpu_memory,
    gpus,
    head_dim,
    heads,
    hidden,
    kv_heads,
    layers,
    of_default_model,
    parameters,
    recompute_choice,
    sequence_length,
    tensor_parallel,
    training_overhead,
)
from calculators.training.activations import Dropout, Recompute
from calculators.training.likely import likely
from calculators.training.memory_advice import STAGES, TENSOR_RANKS

BATCH, PRECISION = "batch", "precision"
RECIPE = "recipe-adam-bf16-18"


def _placed(field: Any, group: str) -> Any:
    """An input of the vocabulary in another group of this form."""
    declared = dataclasses.replace(field.metadata["declared"], group=group)
    return dataclasses.field(default=field.default, metadata={"declared": declared})


def _degree(otherwise: Any, label: str, help: str, alias: str, *, hard: float = 100e3, usual: float = 64) -> Any:  # noqa: A002
    return quantity(
        otherwise,
        "rank",
        label,
        hard=(1, hard),
        slider=(1, usual),
        scale="log",
        doubling=True,
        whole=True,
        help=help,
        group=SHARD,
        aliases=(alias,),
    )


def _part(field: str, label: str, help: str) -> Any:  # noqa: A002
    fact = facts.fact(f"{RECIPE}.{field}")
    return quantity(fact, "B/parameter", label, hard=(0, 16), slider=(0, 8), help=help, group=PRECISION)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What the reader may set; base units (bytes)."""

    parameters: float = parameters(computed("counted_parameters", "counted"))
    active_parameters: float = active_parameters(computed("counted_active_parameters", "counted"))
    gpus: float = gpus(computed("layout_gpus", "the layout's"))
    sequence_length: float = _placed(sequence_length(computed("usual_sequence_length", "usual")), BATCH)
    micro_batch: float = quantity(
        1,
        "sequence",
        "Micro-batch",
        hard=(1, 100e3),
        slider=(1, 32),
        scale="log",
        doubling=True,
        whole=True,
        help="Sequences that one data-parallel rank works on at once.",
        group=BATCH,
        aliases=("micro_batch_size",),
    )
    micro_batches: float = quantity(
        32,
        "micro-batch",
        "Micro-batches per step",
        hard=(1, 1e6),
        slider=(1, 256),
        scale="log",
        doubling=True,
        whole=True,
        help="How many of them a pipeline runs through per optimizer step. Fewer than stages leave stages idle.",
        group=BATCH,
    )
    recompute: Recompute = recompute_choice(BATCH, default="selective")
    flash_attention: bool = switch(
        default=True,
        label="Flash attention",
        help="Never keeps the attention scores. Selective recomputation then has nothing left to save.",
        group=BATCH,
    )
    tensor_parallel: float = tensor_parallel(TENSOR_RANKS)
    pipeline_parallel: float = _degree(STAGES, "Pipeline parallel", "Stages of consecutive layers.", "pp", hard=10_000)
    data_parallel: float = _degree(
        (computed("layout_replicas", "what the GPUs make", when=("gpus",)), 16),
        "Data parallel",
        "Replicas that each take their own sequences; ZeRO shards over them.",
        "dp",
        usual=1024,
    )
    context_parallel: float = _degree(1, "Context parallel", "GPUs that share each sequence.", "cp", hard=10_000)
    expert_parallel: float = _degree(
        1, "Expert parallel", "GPUs among which a layer's experts are spread, taken from the data-parallel ranks.", "ep"
    )
    expert_tensor_parallel: float = _degree(
        computed("tensor_parallel", "as tensor parallel"),
        "Expert tensor parallel",
        "GPUs that share each expert's matrices. 1 leaves experts whole, and more ranks to spread them over.",
        "etp",
        hard=1024,
        usual=32,
    )
    sequence_parallel: bool = switch(
        default=True,
        label="Sequence parallel",
        help="Tensor ranks also split what lies between the blocks, along the sequence.",
        group=SHARD,
        aliases=("sp",),
    )
    interleave: float = quantity(
        1,
        "1",
        "Pipeline interleaving",
        hard=(1, 1000),
        slider=(1, 8),
        whole=True,
        help="Groups of layers per stage. More of them shorten the pipeline's bubble and keep more activations.",
        group=SHARD,
        aliases=("virtual_pipeline_parallel", "vpp"),
    )
    zero_stage: int = choice(
        "1",
        "ZeRO stage",
        {
            "0": Option(value=0, label="0: every replica holds everything"),
            "1": Option(value=1, label="1: shard the optimizer"),
            "2": Option(value=2, label="2: and the gradients"),
            "3": Option(value=3, label="3: and the weights (FSDP)"),
        },
        help="What data-parallel ranks share instead of each holding it.",
        group=SHARD,
        aliases=("zero",),
    )
    weight_bytes_trained: float = _part(
        "weight_bytes_trained", "Bytes per weight", "In the precision of the forward pass."
    )
    gradient_bytes: float = _part("gradient_bytes", "Bytes per gradient", "4 where micro-batches are summed in fp32.")
    master_bytes: float = _part(
        "master_bytes", "Bytes per master weight", "The optimizer's own fp32 copy of the weights."
    )
    optimizer_bytes: float = _part("optimizer_bytes", "Bytes of optimizer state", "Adam keeps two moments per weight.")
    activation_bytes: float = quantity(
        2,
        "B/value",
        "Bytes per activation",
        hard=(0.5, 8),
        slider=(1, 4),
        help="2 for bf16. Dropout masks are counted at half of it.",
        group=PRECISION,
    )
    logit_bytes: float = quantity(
        facts.fact("logit-bytes"),
        "B/value",
        "Bytes per logit",
        hard=(0, 32),
        slider=(0, 16),
        help="fp32 logits and their gradient; less where the loss reuses or cuts up the logits.",
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
    layers: float = _placed(layers(likely("layers"), of_default_model("layers")), dimensions.SHAPE)
    hidden: float = _placed(hidden(likely("hidden"), of_default_model("hidden")), dimensions.SHAPE)
    heads: float = _placed(heads(likely("heads"), of_default_model("heads")), dimensions.SHAPE)
    kv_heads: float = _placed(kv_heads(likely("kv_heads"), computed("heads", "as the heads")), dimensions.SHAPE)
    head_dim: float = _placed(
        head_dim(likely("head_dim"), computed("even_head_dim", "hidden ÷ heads")), dimensions.SHAPE
    )
    ffn_hidden: float = dimensions.ffn_hidden(likely("ffn_hidden"))
    vocab: float = dimensions.vocab()
    gated: bool = dimensions.gated()
    tied_embeddings: bool = dimensions.tied_embeddings()
    experts: float = dimensions.experts()
    experts_per_token: float = dimensions.experts_per_token()
    shared_experts: float = dimensions.shared_experts()
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
    dropout: Dropout = dimensions.dropout()

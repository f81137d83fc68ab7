"""Degrees of parallelism: splits of a model, its batch and its training state over GPUs."""

from typing import Any

from calculators.declare import Default, Option, choice, computed, quantity, switch
from calculators.vocabulary.groups import BATCH, SHARD

TENSOR_RANKS, STAGES = 8, 4  # the default layout
OF_THE_LAYOUT = computed("layout_gpus", "the layout's")


def _degree(
    default: Default | tuple[Default, ...],
    label: str,
    about: str,
    aliases: tuple[str, ...],
    *,
    hard: float = 100e3,
    slider: float = 64,
) -> Any:
    return quantity(
        default,
        "rank",
        label,
        hard=(1, hard),
        slider=(1, slider),
        scale="log",
        doubling=True,
        whole=True,
        help=about,
        group=SHARD,
        aliases=aliases,
    )


def tensor_parallel(default: float) -> Any:
    """Ranks over which each layer's matrices are split in training."""
    return _tensor_ranks(default, ("tp", "tensor_model_parallel_size"))


def serving_tensor_parallel(default: float) -> Any:
    """Ranks over which each layer's matrices are split in serving."""
    return _tensor_ranks(default, ("tensor_parallel", "tp", "tensor_parallel_size"))


def _tensor_ranks(default: float, aliases: tuple[str, ...]) -> Any:
    about = "GPUs over which each layer's matrices are split; normally those of one NVLink domain."
    return _degree(default, "Tensor parallel", about, aliases, hard=1024, slider=32)


def pipeline_parallel(default: float) -> Any:
    """Stages of the pipeline."""
    aliases = ("pp", "pipeline_model_parallel_size")
    return _degree(default, "Pipeline parallel", "Stages of consecutive layers.", aliases, hard=10_000)


def data_parallel(default: float) -> Any:
    """Data-parallel replicas; by default as many as the GPUs allow."""
    return _degree(
        (computed("layout_replicas", "GPUs ÷ GPUs per replica", when=("gpus",)), default),
        "Data parallel",
        "Replicas that each process their own sequences; ZeRO shards over them.",
        ("dp",),
        slider=1024,
    )


def context_parallel() -> Any:
    """Ranks over which each sequence is split."""
    aliases = ("cp", "context_parallel_size")
    return _degree(1, "Context parallel", "GPUs over which each sequence is split.", aliases, hard=10_000)


def expert_parallel() -> Any:
    """Ranks over which experts are distributed."""
    about = "GPUs over which a layer's experts are distributed, taken from the data-parallel ranks."
    return _degree(1, "Expert parallel", about, ("ep", "expert_model_parallel_size"))


def expert_tensor_parallel() -> Any:
    """Ranks over which each expert's matrices are split."""
    return _degree(
        computed("tensor_parallel", "as tensor parallel"),
        "Expert tensor parallel",
        "GPUs over which each expert's matrices are split. 1 leaves experts whole and more ranks for expert parallel.",
        ("etp", "expert_tensor_parallel_size"),
        hard=1024,
        slider=32,
    )


def sequence_parallel() -> Any:
    """Whether tensor ranks also split norms and dropout along the sequence."""
    return switch(
        default=True,
        label="Sequence parallel",
        help="Tensor-parallel ranks also split norms and dropout, along the sequence.",
        group=SHARD,
        aliases=("sp",),
    )


def interleave() -> Any:
    """Virtual pipeline stages on each GPU."""
    return quantity(
        1,
        "1",
        "Virtual pipeline stages per GPU (interleaving)",
        hard=(1, 1000),
        slider=(1, 8),
        whole=True,
        help="Groups of layers per stage. More of them shorten the pipeline bubble and keep more activations.",
        group=SHARD,
        aliases=("virtual_pipeline_parallel", "vpp"),
    )


def zero_stage() -> Any:
    """Training state that data-parallel ranks shard (ZeRO stage)."""
    return choice(
        "1",
        "ZeRO stage",
        {
            "0": Option(value=0, label="0: no sharding (DDP)"),
            "1": Option(value=1, label="1: shard the optimizer state (distributed optimizer)"),
            "2": Option(value=2, label="2: shard optimizer state and gradients"),
            "3": Option(value=3, label="3: shard optimizer state, gradients and weights (FSDP)"),
        },
        help="What data-parallel ranks shard instead of replicating it.",
        group=SHARD,
        aliases=("zero",),
    )


def shard_group() -> Any:
    """Ranks of one group over which ZeRO shards."""
    return _degree(
        computed("data_ranks", "all data-parallel ranks"),
        "ZeRO shard group",
        "Ranks that share one copy of the sharded state: hybrid sharding (HSDP), torchtitan's "
        "`data_parallel_shard_degree`, MiCS. Smaller groups replicate the state.",
        ("hsdp",),
        hard=10e6,
        slider=1024,
    )


def micro_batch() -> Any:
    """Sequences of one micro-batch."""
    return quantity(
        1,
        "sequence",
        "Micro-batch size",
        hard=(1, 100e3),
        slider=(1, 32),
        scale="log",
        doubling=True,
        whole=True,
        help="Sequences that one data-parallel rank processes at once.",
        group=BATCH,
        aliases=("micro_batch_size",),
    )


def micro_batches() -> Any:
    """Micro-batches of one optimizer step (gradient accumulation)."""
    return quantity(
        32,
        "micro-batch",
        "Micro-batches per step",
        hard=(1, 1e6),
        slider=(1, 256),
        scale="log",
        doubling=True,
        whole=True,
        help="Micro-batches that each replica accumulates gradients over per optimizer step. Fewer than pipeline "
        "stages leave stages idle.",
        group=BATCH,
    )

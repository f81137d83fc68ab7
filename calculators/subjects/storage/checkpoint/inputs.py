"""Inputs of the checkpoint calculator: the training state, how it is written, and the storage behind it."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import Computed, choice, computed, placed, quantity
from calculators.llm import adapters, dimensions
from calculators.subjects.storage.checkpoint import trained_state
from calculators.subjects.storage.checkpoint.formulas import Mode
from calculators.vocabulary.accelerators import gpus
from calculators.vocabulary.groups import CHECKPOINT, MACHINE, MODEL, RETENTION, STORAGE
from calculators.vocabulary.models import (
    head_dim,
    heads,
    hidden,
    kv_heads,
    layers,
    of_default_model,
    parameters,
)
from calculators.vocabulary.nodes import gpus_per_node
from calculators.vocabulary.storage import (
    NEAR,
    checkpoint_bytes_per_parameter,
    checkpoint_interval,
    cold_checkpoints,
    copies_per_shard,
    hot_checkpoints,
    local_write,
    persist_every,
    warm_checkpoints,
    write_window,
)

GROUPS = {
    MODEL: "Training state",
    dimensions.SHAPE: "Model dimensions",
    CHECKPOINT: "Checkpoint",
    STORAGE: "Storage system",
    NEAR: "Local checkpoints on GPU nodes",
    MACHINE: "Job",
    RETENTION: "Checkpoints retained",
}


def _sized(dimension: str) -> Computed:
    """Default of a dimension where only the model's size is given."""
    return computed(f"sized_{dimension}", "estimated for this size", when=("parameters",))


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs in base units (bytes, seconds, bytes per second)."""

    parameters: float = parameters()
    job: adapters.Job = adapters.job()
    lora_rank: float = adapters.lora_rank()
    lora_targets: adapters.Targets = adapters.lora_targets()
    trainable_parameters: float = trained_state.trainable_parameters()
    checkpoint_bytes_per_parameter: float = checkpoint_bytes_per_parameter(MODEL)
    gpus: float = gpus(16384)
    checkpoint_interval: float = checkpoint_interval(facts.fact("checkpoint-interval-typical"))
    write_window: float = write_window()
    write_bandwidth: float = quantity(
        40e9,
        "B/s",
        "Storage write bandwidth",
        hard=(1e6, 1e15),
        slider=(1e9, 2e12),
        scale="log",
        help="Sustained for this job with every rank writing. Measure it; the default is an example.",
        group=STORAGE,
    )
    read_bandwidth: float = quantity(
        computed("typical_read_bandwidth", "twice the write bandwidth"),
        "B/s",
        "Storage read bandwidth",
        hard=(1e6, 2e15),
        slider=(1e9, 4e12),
        scale="log",
        help="Sustained with every rank reading the checkpoint back. Measure it; "
        "the default is twice the write bandwidth, as in NVIDIA's guideline for nodes.",
        group=STORAGE,
    )
    checkpoint_mode: Mode = choice(
        "synchronous",
        "Checkpoint mode",
        {
            "synchronous": "synchronous: training waits for the write",
            "asynchronous": "asynchronous: training waits only for the copy to host memory",
        },
        group=CHECKPOINT,
        aliases=("mode",),
    )
    snapshot_bandwidth: float = quantity(
        facts.fact("host-snapshot-bandwidth"),
        "B/s",
        "Snapshot bandwidth per GPU",
        hard=(1e6, 1e13),
        slider=(1e9, 200e9),
        scale="log",
        help="From one GPU to its host's memory. Only asynchronous checkpoints use it.",
        group=CHECKPOINT,
    )
    persist_every: float = persist_every(1)
    copies_per_shard: float = copies_per_shard()
    local_write: float = local_write()
    gpus_per_node: float = gpus_per_node()
    hot_checkpoints: float = hot_checkpoints()
    warm_checkpoints: float = warm_checkpoints()
    cold_checkpoints: float = cold_checkpoints(12)
    layers: float = placed(layers(_sized("layers"), of_default_model("layers")), dimensions.SHAPE)
    block_layers: float = dimensions.block_layers()
    hidden: float = placed(hidden(_sized("hidden"), of_default_model("hidden")), dimensions.SHAPE)
    heads: float = placed(heads(_sized("heads"), of_default_model("heads")), dimensions.SHAPE)
    kv_heads: float = placed(kv_heads(_sized("kv_heads"), computed("heads", "= attention heads")), dimensions.SHAPE)
    head_dim: float = placed(
        head_dim(_sized("head_dim"), computed("even_head_dim", "hidden ÷ heads")), dimensions.SHAPE
    )
    ffn_hidden: float = dimensions.ffn_hidden(_sized("ffn_hidden"))
    gated: bool = dimensions.gated()
    experts: float = dimensions.experts()
    shared_experts: float = dimensions.shared_experts()
    expert_hidden: float = dimensions.expert_hidden()
    dense_layers: float = dimensions.dense_layers()
    dense_ffn_hidden: float = dimensions.dense_ffn_hidden()
    q_lora_rank: float = dimensions.q_lora_rank()
    kv_lora_rank: float = dimensions.kv_lora_rank()
    rope_head_dim: float = dimensions.rope_head_dim()
    nope_head_dim: float = dimensions.nope_head_dim()
    v_head_dim: float = dimensions.v_head_dim()

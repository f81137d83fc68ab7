"""Checkpoint size and bandwidth: what one save of the training state weighs, and how fast storage must take it."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import Calculator, choice, computed, quantity
from calculators.declare.pictures import Bars, Row, Segment
from calculators.llm import adapters, dimensions
from calculators.subjects.storage.checkpoint import local_checkpoints, trained_state
from calculators.subjects.storage.checkpoint.conventions import CONVENTIONS
from calculators.subjects.storage.checkpoint.formulas import FORMULAS, Mode
from calculators.subjects.storage.checkpoint.recommendations import recommendations
from calculators.subjects.storage.goodput.renewal import interval
from calculators.vocabulary.inputs import (
    KEEP,
    MACHINE,
    MODEL,
    SAVE,
    STORE,
    gpus,
    model_preset,
    parameters,
    recipe_preset,
)
from calculators.vocabulary.nodes import gpu_nodes, gpus_per_node
from calculators.vocabulary.storage import (
    NEAR,
    checkpoint_interval,
    cold_checkpoints,
    durable_every,
    hot_checkpoints,
    local_write,
    near_copies,
    warm_checkpoints,
    write_window,
)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What the reader may set; base units (bytes, seconds, bytes per second)."""

    parameters: float = parameters()
    job: adapters.Job = adapters.job()
    lora_rank: float = adapters.lora_rank()
    lora_targets: adapters.Targets = adapters.lora_targets()
    experts: float = dimensions.experts()
    trainable_parameters: float = trained_state.trainable_parameters()
    checkpoint_bytes_per_parameter: float = quantity(
        facts.fact("ckpt-bf16-master-adam"),
        "B/parameter",
        "Bytes saved per parameter",
        hard=(0.1, 64),
        slider=(1, 20),
        help="2 for bf16 weights, 4 for fp32 master weights, 8 for Adam's two moments: 14.",
        group=MODEL,
        aliases=("bytes_per_parameter",),
    )
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
        help="What storage sustains for this job when every rank writes. Measure it; the default is an example.",
        group=STORE,
    )
    read_bandwidth: float = quantity(
        computed("usual_read_bandwidth", "twice the write"),
        "B/s",
        "Storage read bandwidth",
        hard=(1e6, 2e15),
        slider=(1e9, 4e12),
        scale="log",
        help="What storage sustains when every rank reads the checkpoint back. Measure it; "
        "otherwise it is twice what it writes, as NVIDIA's guideline for nodes asks.",
        group=STORE,
    )
    checkpoint_mode: Mode = choice(
        "synchronous",
        "Checkpoint mode",
        {
            "synchronous": "synchronous: training waits for the write",
            "asynchronous": "asynchronous: training waits for a copy to host memory",
        },
        group=SAVE,
        aliases=("mode",),
    )
    snapshot_bandwidth: float = quantity(
        facts.fact("host-snapshot-bandwidth"),
        "B/s",
        "Snapshot bandwidth per GPU",
        hard=(1e6, 1e13),
        slider=(1e9, 200e9),
        scale="log",
        help="From one GPU to its host's memory. Only asynchronous saves use it.",
        group=SAVE,
    )
    durable_every: float = durable_every(1)
    near_copies: float = near_copies()
    local_write: float = local_write()
    gpus_per_node: float = gpus_per_node()
    hot_checkpoints: float = hot_checkpoints()
    warm_checkpoints: float = warm_checkpoints()
    cold_checkpoints: float = cold_checkpoints(12)


CALCULATOR = Calculator(
    name="checkpoint",
    title="Checkpoint size and bandwidth",
    question="How big is a checkpoint, and how fast must storage take it?",
    answer=(
        "A checkpoint of {trainable_parameters} weighs **{checkpoint_size}**. "
        "To land it within {write_window}, storage must take **{required_write_bandwidth}**; "
        "at the {write_bandwidth} there is, training stalls for {checkpoint_stall} every {interval}."
    ),
    inputs_type=Inputs,
    formulas=(gpu_nodes, *trained_state.FORMULAS, *local_checkpoints.FORMULAS, interval, *FORMULAS),
    headline=(
        "checkpoint_size",
        "required_write_bandwidth",
        "checkpoint_size_per_gpu",
        "write_duration",
        "checkpoint_stall",
        "stall_share",
        "effective_interval",
        "written_per_day",
        "average_write_bandwidth",
        "restore_time",
        "expected_loss",
        "hot_capacity",
        "warm_capacity",
        "cold_capacity",
    ),
    first_sliders=("parameters", "checkpoint_interval", "write_bandwidth"),
    presets=(
        model_preset("parameters", default="llama-3-1-405b", beside=("experts",)),
        recipe_preset(
            "saved_state",
            "What is saved",
            prefix="ckpt-",
            default="ckpt-bf16-master-adam",
            fills={"checkpoint_bytes_per_parameter": "value"},
            group=MODEL,
            aliases=("recipe",),
        ),
    ),
    groups={
        MODEL: "The training state",
        dimensions.SHAPE: "The model's dimensions",
        SAVE: "The save",
        STORE: "Storage",
        NEAR: "Saves on the GPU nodes",
        MACHINE: "The job",
        KEEP: "What is kept",
    },
    assumptions=(
        "One copy of the training state is written, shared evenly among the GPUs; replicas write nothing twice.",
        "Bandwidth is what storage sustains for the whole burst, with every rank writing at once.",
        "A failure is equally likely at every moment of an interval, and the newest finished save can be restored.",
        "One save is in flight at a time; where it is not safe when the next is due, the next begins once it is.",
    ),
    omits=(
        "Time to plan a save, serialize tensors, create files and commit: for small checkpoints more than the write.",
        "Data-loader and random-number state, kilobytes to gigabytes beside the weights.",
        "Replication and erasure coding of what is kept; compression and deduplication, which save little on weights.",
        "Detecting the failure, replacing the node and starting the job: the restart takes longer than the restore.",
    ),
    tables=(CONVENTIONS,),
    recommendations=recommendations,
    recommendations_heading="What would let it drain in time",
    picture=Bars(
        title="One checkpoint interval",
        rows=(
            Row(
                label="GPUs",
                segments=(
                    Segment(value="stalled_between_writes", tone="stall"),
                    Segment(value="training_between_writes", tone="work"),
                ),
            ),
            Row(
                label="Storage",
                segments=(
                    Segment(value="snapshot_duration", tone="other"),
                    Segment(value="write_duration", tone="write"),
                    Segment(value="storage_rest", tone="free"),
                ),
            ),
        ),
        limit="durable_interval",
        limit_label="next save due",
    ),
)

"""Checkpoint size and bandwidth: bytes of the training state, and the write bandwidth that storage must sustain."""

from calculators.declare import Calculator
from calculators.declare.pictures import Bars, bar
from calculators.subjects.storage.checkpoint import formulas, local_checkpoints, trained_state, verdicts, warnings
from calculators.subjects.storage.checkpoint.inputs import GROUPS, Inputs
from calculators.subjects.storage.checkpoint.recommendations import recommendations
from calculators.subjects.storage.checkpoint.tables import CONVENTIONS
from calculators.subjects.storage.goodput.renewal import interval
from calculators.vocabulary.groups import MODEL
from calculators.vocabulary.models import model_preset
from calculators.vocabulary.nodes import gpu_nodes
from calculators.vocabulary.recipes import recipe_preset

CALCULATOR = Calculator(
    name="checkpoint",
    title="Checkpoint size and bandwidth",
    question="How big is a checkpoint, and how fast must storage write it?",
    answer=(
        "A checkpoint of {trainable_parameters} is **{checkpoint_size}**. "
        "Writing it within {write_window} needs **{required_write_bandwidth}**; "
        "at {write_bandwidth} training stalls {checkpoint_stall} every {interval} ({stall_share})."
    ),
    inputs_type=Inputs,
    formulas=(
        gpu_nodes,
        *trained_state.FORMULAS,
        *local_checkpoints.FORMULAS,
        interval,
        *formulas.FORMULAS,
        *verdicts.VERDICTS,
        *warnings.WARNINGS,
    ),
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
        model_preset("parameters", default="llama-3-1-405b", incidental=trained_state.DIMENSIONS),
        recipe_preset(
            "saved_state",
            "Checkpoint contents",
            prefix="ckpt-",
            default="ckpt-bf16-master-adam",
            fills={"checkpoint_bytes_per_parameter": "value"},
            group=MODEL,
            aliases=("recipe",),
        ),
    ),
    groups=GROUPS,
    assumptions=(
        "One copy of the training state is written, shared evenly among the GPUs; replicas write nothing twice.",
        "Bandwidth is what storage sustains for the whole burst, with every rank writing at once.",
        "A failure is equally likely at every moment of an interval, and the newest finished checkpoint is readable.",
        "One checkpoint is in flight at a time; if it is not done when the next is due, the next starts once it is.",
    ),
    omits=(
        "Planning, serialization, file creation and commit: for small checkpoints longer than the write itself.",
        "Data-loader and random-number state: kilobytes to gigabytes on top of the weights.",
        "Replication and erasure coding of retained checkpoints; compression, which saves little.",
        "Failure detection, node replacement and job start: a restart takes longer than the restore.",
        "Adapters that frameworks share: Megatron Bridge has one for `linear_qkv`, and one for all experts of a rank.",
    ),
    result_aliases={
        "drains": "write_in_time",
        "near_bytes_per_node": "local_bytes_per_node",
        "near_write_time": "local_write_time",
        "training_between_saves": "training_between_checkpoints",
        "usual_read_bandwidth": "typical_read_bandwidth",
        "likely_trainable_parameters": "typical_trainable_parameters",
    },
    tables=(CONVENTIONS,),
    recommendations=recommendations,
    recommendations_heading="Changes that let the write finish in time",
    picture=Bars(
        title="One checkpoint interval",
        rows=(
            bar("GPUs", stalled_between_writes="stall", training_between_writes="work"),
            bar("Storage", snapshot_duration="other", write_duration="write", storage_rest="free"),
        ),
        limit="durable_interval",
        limit_label="next checkpoint due",
    ),
)

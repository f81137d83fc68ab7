"""Checkpoint size and bandwidth: what one save of the training state weighs, and how fast storage must take it."""

from dataclasses import dataclass
from typing import Literal

from calculators import facts
from calculators.declare import Calculator, Formula, Verdict, caution, choice, quantity, step, verdict
from calculators.declare.pictures import Bars, Row, Segment
from calculators.model.vocabulary import (
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
from calculators.units import DAY, MINUTE

Mode = Literal["synchronous", "asynchronous"]
TIGHT_FROM = 0.5


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What the reader may set; base units (bytes, seconds, bytes per second)."""

    parameters: float = parameters()
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
    checkpoint_interval: float = quantity(
        facts.fact("checkpoint-interval-typical"),
        "s",
        "Checkpoint interval",
        hard=(1, 30 * DAY),
        slider=(5 * MINUTE, 6 * 60 * MINUTE),
        scale="log",
        help="From the start of one save to the start of the next.",
        group=SAVE,
        aliases=("interval",),
    )
    write_window: float = quantity(
        facts.fact("write-window-typical"),
        "s",
        "Time allowed for the write",
        hard=(0.1, 7 * DAY),
        slider=(5, 60 * MINUTE),
        scale="log",
        help="Your target for how long a save may take, from its first byte to the last one safe on storage.",
        group=SAVE,
    )
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
        80e9,
        "B/s",
        "Storage read bandwidth",
        hard=(1e6, 1e15),
        slider=(1e9, 4e12),
        scale="log",
        help="What storage sustains when every rank reads the checkpoint back. The default is an example.",
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
    hot_checkpoints: float = quantity(
        facts.fact("retention-hot"),
        "checkpoint",
        "Kept hot",
        hard=(0, 1e6),
        slider=(1, 48),
        whole=True,
        help="The newest ones, on the tier a restart reads from.",
        group=KEEP,
    )
    warm_checkpoints: float = quantity(
        14,
        "checkpoint",
        "Kept warm",
        hard=(0, 1e6),
        slider=(0, 400),
        whole=True,
        help="Recent history in object storage, to roll back a loss spike and to evaluate: one a day for two weeks.",
        group=KEEP,
    )
    cold_checkpoints: float = quantity(
        12,
        "checkpoint",
        "Kept cold",
        hard=(0, 1e6),
        slider=(0, 400),
        whole=True,
        help="Milestones in the archive. Everything else is deleted.",
        group=KEEP,
    )


@step("B", "Checkpoint size", source="zero", rises_with=("parameters", "checkpoint_bytes_per_parameter"))
def checkpoint_size(parameters: float, checkpoint_bytes_per_parameter: float) -> float:
    """What one checkpoint weighs [B].

    `parameters` of the whole model, `checkpoint_bytes_per_parameter` [B/parameter] saved once, however many
    data-parallel copies of the model there are. ByteCheckpoint and MLPerf Storage save one copy as well.

    >>> checkpoint_size(70e9, 14)
    980000000000.0
    """
    return parameters * checkpoint_bytes_per_parameter


@step("B", "Checkpoint per GPU", falls_with=("gpus",))
def checkpoint_size_per_gpu(checkpoint_size: float, gpus: float) -> float:
    """What each GPU writes [B] when all share one `checkpoint_size` [B] evenly. The fullest rank writes more."""
    return checkpoint_size / gpus


@step("B/s", "Write bandwidth required", rises_with=("parameters",), falls_with=("write_window",))
def required_write_bandwidth(checkpoint_size: float, write_window: float) -> float:
    """What storage must sustain [B/s] to take `checkpoint_size` [B] within `write_window` [s]."""
    return checkpoint_size / write_window


@step("s", "Write duration", falls_with=("write_bandwidth",))
def write_duration(checkpoint_size: float, write_bandwidth: float) -> float:
    """How long one write takes [s] at `write_bandwidth` [B/s]. A lower bound, without planning and opening files."""
    return checkpoint_size / write_bandwidth


@step("s", "Snapshot to host memory")
def snapshot_duration(checkpoint_mode: Mode, checkpoint_size_per_gpu: float, snapshot_bandwidth: float) -> float:
    """How long the copy to host memory takes [s]; nothing when the save is synchronous and goes straight to storage."""
    return checkpoint_size_per_gpu / snapshot_bandwidth if checkpoint_mode == "asynchronous" else 0


@step("s", "Training stalls for")
def checkpoint_stall(checkpoint_mode: Mode, write_duration: float, snapshot_duration: float) -> float:
    """How long training stands still for one save [s]: the whole write, or the snapshot when writing goes on behind."""
    return snapshot_duration if checkpoint_mode == "asynchronous" else write_duration


@step("share", "Share of time stalled")
def stall_share(checkpoint_stall: float, checkpoint_interval: float) -> float:
    """Share of the wall clock in which the GPUs wait for saves; 1 when a stall fills the whole interval."""
    return min(1, checkpoint_stall / checkpoint_interval)


@step("s", "Until the save is safe")
def time_to_safe(snapshot_duration: float, write_duration: float) -> float:
    """From the start of a save until its last byte is on storage [s]."""
    return snapshot_duration + write_duration


@step("s", "Training between stalls")
def training_between_saves(checkpoint_interval: float, checkpoint_stall: float) -> float:
    """What is left of an interval for training [s]."""
    return max(0, checkpoint_interval - checkpoint_stall)


@step("s", "Slack before the next save")
def write_slack(checkpoint_interval: float, time_to_safe: float) -> float:
    """How long storage rests before the next save begins [s]; negative when the write is not done by then."""
    return checkpoint_interval - time_to_safe


@verdict("Does the write finish in time?")
def drains(time_to_safe: float, checkpoint_interval: float) -> Verdict:
    """Whether a write is over before the next save begins; tight when it fills more than half of the interval."""
    if time_to_safe > checkpoint_interval:
        return Verdict(
            level="bad",
            word="does not drain",
            reason="A save needs {time_to_safe}, but the next one begins after {checkpoint_interval}.",
        )
    if time_to_safe > checkpoint_interval * TIGHT_FROM:
        return Verdict(
            level="tight",
            word="drains, barely",
            reason="A save is safe after {time_to_safe} of the {checkpoint_interval} there are: {write_slack} spare.",
        )
    return Verdict(
        level="good",
        word="drains",
        reason="A save is safe after {time_to_safe}; the next one begins {write_slack} later.",
    )


@step("B/s", "Average write bandwidth", falls_with=("checkpoint_interval",))
def average_write_bandwidth(checkpoint_size: float, checkpoint_interval: float) -> float:
    """What the saves amount to when spread evenly over time [B/s]."""
    return checkpoint_size / checkpoint_interval


@step("B", "Written per day", falls_with=("checkpoint_interval",))
def written_per_day(average_write_bandwidth: float) -> float:
    """What all saves of a day weigh together [B]."""
    return average_write_bandwidth * DAY


@step("s", "Restore time", falls_with=("read_bandwidth",))
def restore_time(checkpoint_size: float, read_bandwidth: float) -> float:
    """How long it takes to read one checkpoint back [s]. Data-parallel copies read it again unless they share it."""
    return checkpoint_size / read_bandwidth


@step("s", "Work lost per failure", rises_with=("checkpoint_interval",))
def expected_loss(checkpoint_mode: Mode, checkpoint_interval: float, write_duration: float) -> float:
    """Work a failure costs on average [s], without the restart.

    Failures come at any moment of an interval, so half of it is lost. A save that is still being written in the
    background cannot be restored from, so an asynchronous one also loses the time of its write.
    """
    return checkpoint_interval / 2 + write_duration if checkpoint_mode == "asynchronous" else checkpoint_interval / 2


@step("B", "Hot capacity")
def hot_capacity(checkpoint_size: float, hot_checkpoints: float) -> float:
    """What the newest checkpoints occupy on the fast tier [B]."""
    return checkpoint_size * hot_checkpoints


@step("B", "Warm capacity")
def warm_capacity(checkpoint_size: float, warm_checkpoints: float) -> float:
    """What recent history occupies in object storage [B], before replication or erasure coding."""
    return checkpoint_size * warm_checkpoints


@step("B", "Cold capacity")
def cold_capacity(checkpoint_size: float, cold_checkpoints: float) -> float:
    """What milestones occupy in the archive [B], before replication or erasure coding."""
    return checkpoint_size * cold_checkpoints


@caution
def missed_window(write_duration: float, write_window: float) -> str:
    """The bandwidth there is does not meet the window that was asked for."""
    if write_duration <= write_window:
        return ""
    return (
        "At {write_bandwidth} a write takes {write_duration}, longer than the {write_window} allowed: "
        "it needs {required_write_bandwidth}."
    )


FORMULAS: tuple[Formula, ...] = (
    checkpoint_size,
    checkpoint_size_per_gpu,
    required_write_bandwidth,
    write_duration,
    snapshot_duration,
    checkpoint_stall,
    stall_share,
    drains,
    time_to_safe,
    training_between_saves,
    write_slack,
    average_write_bandwidth,
    written_per_day,
    restore_time,
    expected_loss,
    hot_capacity,
    warm_capacity,
    cold_capacity,
    missed_window,
)

CALCULATOR = Calculator(
    name="checkpoint",
    title="Checkpoint size and bandwidth",
    question="How big is a checkpoint, and how fast must storage take it?",
    answer=(
        "A checkpoint of {parameters} weighs **{checkpoint_size}**. "
        "To land it within {write_window}, storage must take **{required_write_bandwidth}**; "
        "at the {write_bandwidth} there is, training stalls for {checkpoint_stall} every {checkpoint_interval}."
    ),
    inputs_type=Inputs,
    formulas=FORMULAS,
    headline=(
        "checkpoint_size",
        "required_write_bandwidth",
        "checkpoint_size_per_gpu",
        "write_duration",
        "checkpoint_stall",
        "stall_share",
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
        model_preset("parameters", default="llama-3-1-405b"),
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
        SAVE: "The save",
        STORE: "Storage",
        MACHINE: "The job",
        KEEP: "What is kept",
    },
    assumptions=(
        "One copy of the training state is written, shared evenly among the GPUs; replicas write nothing twice.",
        "Bandwidth is what storage sustains for the whole burst, with every rank writing at once.",
        "A failure is equally likely at every moment of an interval, and the newest finished save can be restored.",
    ),
    omits=(
        "Time to plan a save, serialize tensors, create files and commit: for small checkpoints more than the write.",
        "Data-loader and random-number state, kilobytes to gigabytes beside the weights.",
        "Replication and erasure coding of what is kept; compression and deduplication, which save little on weights.",
        "Detecting the failure, replacing the node and starting the job: the restart takes longer than the restore.",
    ),
    picture=Bars(
        title="One checkpoint interval",
        rows=(
            Row(
                label="GPUs",
                segments=(
                    Segment(value="checkpoint_stall", tone="stall"),
                    Segment(value="training_between_saves", tone="work"),
                ),
            ),
            Row(
                label="Storage",
                segments=(
                    Segment(value="snapshot_duration", tone="other"),
                    Segment(value="write_duration", tone="write"),
                    Segment(value="write_slack", tone="free"),
                ),
            ),
        ),
        limit="checkpoint_interval",
        limit_label="next save",
    ),
)

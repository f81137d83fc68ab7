"""Saves: what one checkpoint weighs, how long it takes, how often one can begin, and what a failure then costs."""

from typing import Literal

from calculators import facts
from calculators.declare import Verdict, formulas_of, step, verdict, warning
from calculators.units import DAY

Mode = Literal["synchronous", "asynchronous"]
TIGHT_FROM = 0.5
READ_PER_WRITE = float(
    facts.fact("superpod-h100-node-read.best").value / facts.fact("superpod-h100-node-write.best").value
)


@step("B", "Checkpoint size", source="zero", rises_with=("trainable_parameters", "checkpoint_bytes_per_parameter"))
def checkpoint_size(trainable_parameters: float, checkpoint_bytes_per_parameter: float) -> float:
    """What one checkpoint weighs [B].

    `trainable_parameters`: all of the model's, or those of its adapters; `checkpoint_bytes_per_parameter` [B/parameter]
    saved once, however many data-parallel copies there are. ByteCheckpoint and MLPerf Storage save one copy as well.

    >>> checkpoint_size(70e9, 14)
    980000000000.0
    """
    return trainable_parameters * checkpoint_bytes_per_parameter


@step("B", "Checkpoint per GPU", falls_with=("gpus",))
def checkpoint_size_per_gpu(checkpoint_size: float, gpus: float) -> float:
    """What each GPU writes [B] when all share one `checkpoint_size` [B] evenly. The fullest rank writes more."""
    return checkpoint_size / gpus


@step("B/s", "Write bandwidth required", falls_with=("write_window",))
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


@step("s", "Until the save is safe")
def time_to_safe(
    durable_every: float, snapshot_duration: float, near_write_time: float, write_duration: float
) -> float:
    """From the start of a save until a restart could read it [s]: on storage, or near if not every save is durable.

    >>> time_to_safe(1, 0.5, 5, 50), time_to_safe(30, 0.5, 5, 50)
    (50.5, 5.5)
    """
    return snapshot_duration + (near_write_time if durable_every > 1 else write_duration)


@step("s", "Training stalls for")
def checkpoint_stall(checkpoint_mode: Mode, snapshot_duration: float, time_to_safe: float) -> float:
    """How long training stands still for one save [s]: until it is safe, or for the snapshot when it is written behind.

    >>> checkpoint_stall("synchronous", 0, 50), checkpoint_stall("asynchronous", 0.5, 50.5)
    (50, 0.5)
    """
    return snapshot_duration if checkpoint_mode == "asynchronous" else time_to_safe


@step("s", "A durable save stalls for")
def durable_stall(durable_every: float, checkpoint_mode: Mode, write_duration: float) -> float:
    """How much longer training stands still when the save is also written to storage [s]: nothing behind its back.

    Where every save is durable that wait is the stall itself.
    """
    return write_duration if durable_every > 1 and checkpoint_mode == "synchronous" else 0


@step("s", "Until the durable save is safe")
def durable_time_to_safe(
    durable_every: float, time_to_safe: float, checkpoint_stall: float, write_duration: float
) -> float:
    """From the start of a save that reaches storage until its last byte is there [s], near copies or not.

    >>> durable_time_to_safe(30, 5.5, 0.5, 50), durable_time_to_safe(1, 50.5, 0.5, 50)
    (50.5, 50.5)
    """
    return time_to_safe if durable_every == 1 else max(time_to_safe, checkpoint_stall + write_duration)


@step("s", "Effective interval", rises_with=("checkpoint_interval",), falls_with=("write_bandwidth",))
def effective_interval(
    durable_every: float, interval: float, durable_stall: float, durable_time_to_safe: float
) -> float:
    """From the start of one save that reaches storage to the start of the next, as it comes about [s].

    Every `durable_every`-th save does; they are an `interval` [s] apart, and longer by a `durable_stall` [s] each time
    one is written out. One is in flight at a time: where it is not safe by then, the next waits for it.

    >>> effective_interval(1, 40, 0, 50.5), effective_interval(30, 120, 0, 50.5)
    (50.5, 3600)
    """
    return max(durable_every * interval + durable_stall, durable_time_to_safe)


@step("share", "Share of time stalled")
def stall_share(checkpoint_stall: float, durable_stall: float, durable_every: float, interval: float) -> float:
    """Share of the wall clock in which the GPUs wait for saves; 1 when a stall fills the whole interval.

    >>> round(stall_share(6, 60, 30, 118), 4)
    0.0667
    """
    return (checkpoint_stall + durable_stall / durable_every) / (interval + durable_stall / durable_every)


@step("s", "Training between stalls")
def training_between_saves(interval: float, checkpoint_stall: float) -> float:
    """What is left of the interval between two saves for training [s]."""
    return interval - checkpoint_stall


@step("s", "Stalled from write to write")
def stalled_between_writes(stall_share: float, effective_interval: float) -> float:
    """How long training stands still from one write to storage to the next [s], for near saves too."""
    return stall_share * effective_interval


@step("s", "Training from write to write")
def training_between_writes(effective_interval: float, stalled_between_writes: float) -> float:
    """How long training goes on from one write to storage to the next [s]."""
    return effective_interval - stalled_between_writes


@step("s", "Slack before the next save")
def write_slack(durable_interval: float, durable_time_to_safe: float) -> float:
    """How long before the next save to storage is due the last one is safe [s]; negative when it is not by then."""
    return durable_interval - durable_time_to_safe


@step("s", "Storage rests for")
def storage_rest(effective_interval: float, snapshot_duration: float, write_duration: float) -> float:
    """How long storage takes no save [s] in every interval; nothing where one follows the other."""
    return max(0, effective_interval - snapshot_duration - write_duration)


@verdict("Does the write finish in time?")
def drains(
    checkpoint_mode: Mode,
    durable_every: float,
    time_to_safe: float,
    checkpoint_interval: float,
    durable_time_to_safe: float,
    durable_interval: float,
    write_duration: float,
    write_window: float,
) -> Verdict:
    """Whether a write ends before the next save is due, and within the time allowed; tight beyond half the interval."""
    save = "A save" if durable_every == 1 else "A durable save"
    if durable_every > 1 and time_to_safe > checkpoint_interval:
        return Verdict(
            level="bad",
            word="does not drain",
            reason="A near save is safe after {time_to_safe}, but the next is due before that, after "
            "{checkpoint_interval}: "
            "one begins every {interval}, as fast as the GPU nodes take them.",
        )
    if durable_time_to_safe > durable_interval:
        until = (
            "training waits for storage all the time."
            if checkpoint_mode == "synchronous"
            else "saves queue, and one begins every {effective_interval}, as fast as storage takes them."
        )
        late = "" if write_duration <= write_window else " Nor does a write end within the {write_window} allowed."
        due = "is safe after {durable_time_to_safe}, but the next is due before that, after {durable_interval}: "
        return Verdict(level="bad", word="does not drain", reason=f"{save} {due}{until}{late}")
    if write_duration > write_window:
        return Verdict(
            level="bad",
            word="misses its window",
            reason="At {write_bandwidth} a write takes {write_duration}, longer than the {write_window} allowed: "
            "that needs {required_write_bandwidth}.",
        )
    if durable_time_to_safe > durable_interval * TIGHT_FROM:
        return Verdict(
            level="tight",
            word="drains, barely",
            reason=f"{save} is safe after {{durable_time_to_safe}} of the {{durable_interval}} there are: "
            "{write_slack} spare.",
        )
    return Verdict(
        level="good",
        word="drains",
        reason=f"{save} is safe after {{durable_time_to_safe}}; the next one begins {{write_slack}} later.",
    )


@step("B/s", "Average write bandwidth", falls_with=("checkpoint_interval",))
def average_write_bandwidth(checkpoint_size: float, effective_interval: float) -> float:
    """What the saves amount to when spread evenly over time [B/s]: never more than storage takes."""
    return checkpoint_size / effective_interval


@step("B", "Written per day")
def written_per_day(checkpoint_size: float, effective_interval: float) -> float:
    """What all saves of a day weigh together [B].

    >>> written_per_day(1, 9000)
    9.6
    """
    return checkpoint_size * DAY / effective_interval


@step("B/s", "Usual read bandwidth", source="superpod-h100")
def usual_read_bandwidth(write_bandwidth: float) -> float:
    """What storage that takes `write_bandwidth` [B/s] usually reads [B/s]: twice that in NVIDIA's table for nodes.

    Every level of that table asks for it, and so does the one for units of 256 GPUs within 8 %.
    """
    return write_bandwidth * READ_PER_WRITE


@step("s", "Restore from durable storage", falls_with=("read_bandwidth",))
def durable_restore_time(checkpoint_size: float, read_bandwidth: float) -> float:
    """How long it takes to read one checkpoint back from storage [s].

    Data-parallel copies read it again unless they share it.
    """
    return checkpoint_size / read_bandwidth


@step("s", "Restore time", falls_with=("read_bandwidth",))
def restore_time(
    durable_every: float, near_write_time: float, near_copies: float, durable_restore_time: float
) -> float:
    """How long the newest save takes to read back [s]: from storage, or near, as fast as a node's drives write.

    Each node reads its own part of a near save; one that was replaced gets it from a partner meanwhile.

    >>> restore_time(1, 5, 2, 70), restore_time(30, 5, 2, 70)
    (70, 2.5)
    """
    return near_write_time / near_copies if durable_every > 1 else durable_restore_time


@step("s", "Work lost per failure", rises_with=("checkpoint_interval",))
def expected_loss(training_between_saves: float, time_to_safe: float, interval: float) -> float:
    """Work a failure costs on average [s], without the restart, where the newest save can be read.

    Failures strike at any moment of the wall clock, stalls included. What was trained since the last save began is
    lost, on average half of `training_between_saves` [s] once training runs, nothing while it stands. A failure within
    the `time_to_safe` [s] finds the newest save unfinished and loses the work of one more interval. Exact where
    failures are rare beside the `interval` [s]; a blocking save of C in an interval of T costs T/2 - C²/(2T).

    >>> expected_loss(3600 - 600, 600, 3600), 3600 / 2 - 600**2 / (2 * 3600)
    (1750.0, 1750.0)
    """
    return training_between_saves * (time_to_safe + training_between_saves / 2) / interval


@step("s", "Work lost without near copies", rises_with=("checkpoint_interval",))
def durable_loss(
    training_between_saves: float, durable_time_to_safe: float, interval: float, durable_every: float
) -> float:
    """Work that a failure costs on average [s] when only a save on storage can be read: where all are, the same.

    Beside what a failure loses since the newest save, on average half of the saves since the last durable one.

    >>> durable_loss(3000, 600, 3600, 1)
    1750.0
    """
    since_newest = training_between_saves * (durable_time_to_safe + training_between_saves / 2) / interval
    return since_newest + training_between_saves * (durable_every - 1) / 2


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


@warning
def may_wait(checkpoint_mode: Mode, durable_time_to_safe: float, durable_interval: float) -> str:
    """Saves in the background that are not done when the next is due."""
    if checkpoint_mode == "synchronous" or durable_time_to_safe <= durable_interval:
        return ""
    return (
        "Training is taken to go on until the last save is safe. "
        "A framework that waits for it when the next is due stalls for the rest of every {effective_interval}."
    )


@warning
def stalls_for_durable_saves(durable_stall: float) -> str:
    """Near saves that are quick, and a write to storage that training waits for all the same."""
    if not durable_stall:
        return ""
    return (
        "One save in {durable_every} also waits {durable_stall} for storage: "
        "write it out of the near copy, asynchronously, and training does not."
    )


@warning
def window_beyond_interval(write_window: float, durable_interval: float) -> str:
    """A promise that could be kept and saves would still queue."""
    if write_window <= durable_interval:
        return ""
    return (
        "A write may take {write_window} here, longer than the {durable_interval} until the next save is due: "
        "writes that use the time allowed would queue."
    )


FORMULAS = formulas_of(globals())

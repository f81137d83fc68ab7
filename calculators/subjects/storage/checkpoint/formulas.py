"""Checkpoints: size, write time, how often one can start, and the work that a failure loses."""

from typing import Literal

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.units import DAY

Mode = Literal["synchronous", "asynchronous"]
READ_PER_WRITE = float(
    facts.fact("superpod-h100-node-read.best").value / facts.fact("superpod-h100-node-write.best").value
)


@step("B", "Checkpoint size", source="zero", rises_with=("trainable_parameters", "checkpoint_bytes_per_parameter"))
def checkpoint_size(trainable_parameters: float, checkpoint_bytes_per_parameter: float) -> float:
    """Size of one checkpoint [B].

    `trainable_parameters`: all of the model's, or those of its adapters; `checkpoint_bytes_per_parameter` [B/parameter]
    is written once, however many data-parallel replicas there are, as in ByteCheckpoint and MLPerf Storage.

    >>> checkpoint_size(70e9, 14)
    980000000000.0
    """
    return trainable_parameters * checkpoint_bytes_per_parameter


@step("B", "Checkpoint per GPU", falls_with=("gpus",))
def checkpoint_size_per_gpu(checkpoint_size: float, gpus: float) -> float:
    """Bytes each GPU writes [B] when all share one `checkpoint_size` [B] evenly. The fullest rank writes more."""
    return checkpoint_size / gpus


@step("B/s", "Required write bandwidth", falls_with=("write_window",))
def required_write_bandwidth(checkpoint_size: float, write_window: float) -> float:
    """Bandwidth storage must sustain [B/s] to write `checkpoint_size` [B] within `write_window` [s]."""
    return checkpoint_size / write_window


@step("s", "Write duration", falls_with=("write_bandwidth",))
def write_duration(checkpoint_size: float, write_bandwidth: float) -> float:
    """Time of one write [s] at `write_bandwidth` [B/s]: a lower bound, without planning and file creation."""
    return checkpoint_size / write_bandwidth


@step("s", "Snapshot to host memory")
def snapshot_duration(checkpoint_mode: Mode, checkpoint_size_per_gpu: float, snapshot_bandwidth: float) -> float:
    """Time of the copy to host memory [s]; 0 for a synchronous checkpoint, which goes straight to storage."""
    return checkpoint_size_per_gpu / snapshot_bandwidth if checkpoint_mode == "asynchronous" else 0


@step("s", "Time until the checkpoint is restorable")
def time_to_safe(
    persist_every: float, snapshot_duration: float, local_write_time: float, write_duration: float
) -> float:
    """Time from the start of a checkpoint until a restart can read it [s]: from storage, or from the local copy.

    >>> time_to_safe(1, 0.5, 5, 50), time_to_safe(30, 0.5, 5, 50)
    (50.5, 5.5)
    """
    return snapshot_duration + (local_write_time if persist_every > 1 else write_duration)


@step("s", "Training stall per checkpoint")
def checkpoint_stall(checkpoint_mode: Mode, snapshot_duration: float, time_to_safe: float) -> float:
    """Training stall per checkpoint [s]: the whole write, or only the snapshot when the write is asynchronous.

    >>> checkpoint_stall("synchronous", 0, 50), checkpoint_stall("asynchronous", 0.5, 50.5)
    (50, 0.5)
    """
    return snapshot_duration if checkpoint_mode == "asynchronous" else time_to_safe


@step("s", "Extra stall per persisted checkpoint")
def durable_stall(persist_every: float, checkpoint_mode: Mode, write_duration: float) -> float:
    """Extra training stall when a checkpoint is also written to storage [s]; 0 for an asynchronous write.

    Where every checkpoint is persisted, that write is the stall itself.
    """
    return write_duration if persist_every > 1 and checkpoint_mode == "synchronous" else 0


@step("s", "Time until the persisted checkpoint is safe")
def durable_time_to_safe(
    persist_every: float, time_to_safe: float, checkpoint_stall: float, write_duration: float
) -> float:
    """Time from the start of a persisted checkpoint until its last byte is on storage [s].

    >>> durable_time_to_safe(30, 5.5, 0.5, 50), durable_time_to_safe(1, 50.5, 0.5, 50)
    (50.5, 50.5)
    """
    return time_to_safe if persist_every == 1 else max(time_to_safe, checkpoint_stall + write_duration)


@step("s", "Effective persist interval", rises_with=("checkpoint_interval",), falls_with=("write_bandwidth",))
def effective_interval(
    persist_every: float, interval: float, durable_stall: float, durable_time_to_safe: float
) -> float:
    """Time from the start of one persisted checkpoint to the start of the next, as achieved [s].

    Every `persist_every`-th checkpoint is persisted; checkpoints are an `interval` [s] apart, plus a
    `durable_stall` [s] each time one is persisted. One write is in flight at a time: if it is
    not done by then, the next one waits.

    >>> effective_interval(1, 40, 0, 50.5), effective_interval(30, 120, 0, 50.5)
    (50.5, 3600)
    """
    return max(persist_every * interval + durable_stall, durable_time_to_safe)


@step("share", "Stall share")
def stall_share(checkpoint_stall: float, durable_stall: float, persist_every: float, interval: float) -> float:
    """Share of wall-clock time in which GPUs wait for checkpoints; 1 when a stall fills the whole interval.

    >>> round(stall_share(6, 60, 30, 118), 4)
    0.0667
    """
    return (checkpoint_stall + durable_stall / persist_every) / (interval + durable_stall / persist_every)


@step("s", "Training time between checkpoints")
def training_between_checkpoints(interval: float, checkpoint_stall: float) -> float:
    """Training time left between two checkpoints [s]."""
    return interval - checkpoint_stall


@step("s", "Stall per persist interval")
def stalled_between_writes(stall_share: float, effective_interval: float) -> float:
    """Training stall between two writes to storage [s], local checkpoints included."""
    return stall_share * effective_interval


@step("s", "Training time per persist interval")
def training_between_writes(effective_interval: float, stalled_between_writes: float) -> float:
    """Training time between two writes to storage [s]."""
    return effective_interval - stalled_between_writes


@step("s", "Slack before the next checkpoint")
def write_slack(durable_interval: float, durable_time_to_safe: float) -> float:
    """Time between the end of one write to storage and the start of the next [s]; negative when it ends too late."""
    return durable_interval - durable_time_to_safe


@step("s", "Storage idle time per interval")
def storage_rest(effective_interval: float, snapshot_duration: float, write_duration: float) -> float:
    """Time per interval in which storage writes no checkpoint [s]; 0 where writes follow each other."""
    return max(0, effective_interval - snapshot_duration - write_duration)


@step("B/s", "Average write bandwidth", falls_with=("checkpoint_interval",))
def average_write_bandwidth(checkpoint_size: float, effective_interval: float) -> float:
    """Checkpoint writes spread evenly over time [B/s]: never more than the storage system sustains."""
    return checkpoint_size / effective_interval


@step("B", "Written per day")
def written_per_day(checkpoint_size: float, effective_interval: float) -> float:
    """Bytes of all checkpoints persisted in a day [B].

    >>> written_per_day(1, 9000)
    9.6
    """
    return checkpoint_size * DAY / effective_interval


@step("B/s", "Typical read bandwidth", source="superpod-h100")
def typical_read_bandwidth(write_bandwidth: float) -> float:
    """Read bandwidth of storage that writes `write_bandwidth` [B/s]: twice that in NVIDIA's table for nodes [B/s].

    Every level of that table has this ratio, and the one for units of 256 GPUs has it within 8%.
    """
    return write_bandwidth * READ_PER_WRITE


@step("s", "Restore time from storage", falls_with=("read_bandwidth",))
def durable_restore_time(checkpoint_size: float, read_bandwidth: float) -> float:
    """Time to read one checkpoint back from storage [s].

    Each data-parallel replica reads it again unless they share one read.
    """
    return checkpoint_size / read_bandwidth


@step("s", "Restore time", falls_with=("read_bandwidth",))
def restore_time(
    persist_every: float, local_write_time: float, copies_per_shard: float, durable_restore_time: float
) -> float:
    """Time to read the newest checkpoint back [s]: from storage, or locally, as fast as a node's drives write.

    Each node reads its own shards of a local checkpoint; a replaced node gets them from a partner meanwhile.

    >>> restore_time(1, 5, 2, 70), restore_time(30, 5, 2, 70)
    (70, 2.5)
    """
    return local_write_time / copies_per_shard if persist_every > 1 else durable_restore_time


@step("s", "Recomputed work per failure", rises_with=("checkpoint_interval",))
def expected_loss(training_between_checkpoints: float, time_to_safe: float, interval: float) -> float:
    """Work that a failure loses on average [s], without the restart, where the newest checkpoint can be read.

    Failures occur at any moment of the wall clock, stalls included. The work since the last checkpoint started is
    lost: on average half of `training_between_checkpoints` [s] while training runs, none during a stall. A failure
    within `time_to_safe` [s] finds the newest checkpoint unfinished and loses one more interval. Exact where failures
    are rare compared with the `interval` [s]; a blocking checkpoint of C in an interval of T costs T/2 - C²/(2T).

    >>> expected_loss(3600 - 600, 600, 3600), 3600 / 2 - 600**2 / (2 * 3600)
    (1750.0, 1750.0)
    """
    return training_between_checkpoints * (time_to_safe + training_between_checkpoints / 2) / interval


@step("s", "Recomputed work per failure that loses local copies", rises_with=("checkpoint_interval",))
def durable_loss(
    training_between_checkpoints: float, durable_time_to_safe: float, interval: float, persist_every: float
) -> float:
    """Work that a failure loses on average [s] when only a persisted checkpoint can be read.

    The loss since the newest checkpoint, plus on average half of the checkpoints since the last persisted one.

    >>> durable_loss(3000, 600, 3600, 1)
    1750.0
    """
    since_newest = training_between_checkpoints * (durable_time_to_safe + training_between_checkpoints / 2) / interval
    return since_newest + training_between_checkpoints * (persist_every - 1) / 2


@step("B", "Hot capacity")
def hot_capacity(checkpoint_size: float, hot_checkpoints: float) -> float:
    """Capacity of the newest checkpoints on the fast tier [B]."""
    return checkpoint_size * hot_checkpoints


@step("B", "Warm capacity")
def warm_capacity(checkpoint_size: float, warm_checkpoints: float) -> float:
    """Capacity of recent checkpoints in object storage [B], before replication or erasure coding."""
    return checkpoint_size * warm_checkpoints


@step("B", "Cold capacity")
def cold_capacity(checkpoint_size: float, cold_checkpoints: float) -> float:
    """Capacity of milestone checkpoints in the archive [B], before replication or erasure coding."""
    return checkpoint_size * cold_checkpoints


FORMULAS = formulas_of(globals())

"""Demand of a job on storage: bytes and requests per second for samples, checkpoints, restores, weights, metadata."""

from calculators.declare import formulas_of, step


@step("s", "Checkpoint interval, at least the write time", rises_with=("checkpoint_interval",))
def spaced_interval(durable_interval: float, write_window: float) -> float:
    """Time from the start of one persisted checkpoint to the next [s], one at a time: the next waits for the last.

    `durable_interval` [s] is the interval as set, `write_window` [s] the time limit of a write.
    """
    return max(durable_interval, write_window)


@step("B/s", "Read demand per GPU", source="mlperf-storage-rules", falls_with=("cache_hit_share",))
def read_per_gpu(samples_per_second: float, sample_bytes: float, cache_hit_share: float) -> float:
    """Read demand of one GPU in training [B/s]: `samples_per_second` times `sample_bytes` [B], less cache hits.

    MLPerf Storage also counts samples times record size over time.

    >>> round(read_per_gpu(7 / 0.162, 146_600_628, 0) / 1e9, 2)
    6.33
    """
    return samples_per_second * sample_bytes * (1 - cache_hit_share)


@step("B/s", "Read demand of training", rises_with=("gpus", "samples_per_second", "sample_bytes"))
def training_read(gpus: float, read_per_gpu: float) -> float:
    """Read demand of all `gpus` in training [B/s]."""
    return gpus * read_per_gpu


@step("B/s", "Read demand of a restore", rises_with=("restore_copies",), falls_with=("restore_window",))
def restore_read(checkpoint_size: float, restore_copies: float, restore_window: float) -> float:
    """Read demand of a restore [B/s]: `restore_copies` times `checkpoint_size` [B] within `restore_window` [s]."""
    return checkpoint_size * restore_copies / restore_window


@step("B/s", "Read demand of weight loading", rises_with=("weights_replicas",), falls_with=("load_window",))
def weights_load_rate(weights_size: float, weights_replicas: float, load_window: float) -> float:
    """Read demand of `weights_replicas` that each load `weights_size` [B] within `load_window` [s] [B/s].

    >>> weights_load_rate(811.7e9, 1000, 60) / 1e12
    13.528333333333334
    """
    return weights_size * weights_replicas / load_window


@step("B/s", "Read demand", rises_with=("gpus", "weights_replicas", "kv_read", "shared_index_read"))
def read_demand(
    training_read: float, restore_read: float, weights_load_rate: float, kv_read: float, shared_index_read: float
) -> float:
    """Read demand on storage [B/s]: training, KV caches, vector index, and the larger of a restore and weight loading.

    `kv_read` [B/s] are offloaded KV caches of a serving fleet, `shared_index_read` [B/s] searches; both all day.
    """
    return training_read + kv_read + shared_index_read + max(restore_read, weights_load_rate)


@step("B/s", "Write demand", rises_with=("checkpoint_size", "kv_written"), falls_with=("write_window",))
def write_demand(required_write_bandwidth: float, kv_written: float, shared_index_written: float) -> float:
    """Write demand on storage [B/s]: one checkpoint within its time limit, new KV caches, and a vector index.

    Logs and prepared data are small in comparison.
    """
    return required_write_bandwidth + kv_written + shared_index_written


@step("IOPS", "Read request demand", rises_with=("gpus", "shared_index_requests"), falls_with=("read_size",))
def request_demand(training_read: float, read_size: float, shared_index_requests: float) -> float:
    """Read requests of `read_size` [B] per second for `training_read` [B/s], and those of a vector index."""
    return training_read / read_size + shared_index_requests


@step("IOPS", "Metadata demand", rises_with=("gpus", "files_per_sample", "operations_per_file"))
def metadata_demand(
    gpus: float,
    samples_per_second: float,
    cache_hit_share: float,
    files_per_sample: float,
    operations_per_file: float,
) -> float:
    """Metadata operations per second in training: none from shards, several for each small file.

    >>> round(metadata_demand(256, 0.9 * 24 / 0.04755, 0, 1, 3), -3)
    349000.0
    """
    return gpus * samples_per_second * (1 - cache_hit_share) * files_per_sample * operations_per_file


FORMULAS = formulas_of(globals())

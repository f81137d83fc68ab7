"""What a job asks of storage: bytes and requests per second for samples, saves, restores, weights and metadata."""

from calculators.declare import formulas_of, step


@step("s", "Later of interval and write", rises_with=("checkpoint_interval",))
def spaced_interval(durable_interval: float, write_window: float) -> float:
    """From the start of one save here to the start of the next [s], one at a time: the next waits for the last.

    `durable_interval` [s] as it is set, `write_window` [s] for which a write may last.
    """
    return max(durable_interval, write_window)


@step("B/s", "Read per GPU", source="mlperf-storage-rules", falls_with=("cache_hit_share",))
def read_per_gpu(samples_per_second: float, sample_bytes: float, cache_hit_share: float) -> float:
    """What one GPU takes from storage while it trains [B/s].

    `samples_per_second` that it would eat, `sample_bytes` [B] as they are stored, less the `cache_hit_share` that
    comes from caches. MLPerf Storage counts samples times record size over time as well.

    >>> round(read_per_gpu(7 / 0.162, 146_600_628, 0) / 1e9, 2)
    6.33
    """
    return samples_per_second * sample_bytes * (1 - cache_hit_share)


@step("B/s", "Training reads", rises_with=("gpus", "samples_per_second", "sample_bytes"))
def training_read(gpus: float, read_per_gpu: float) -> float:
    """What all `gpus` take from storage while they train [B/s]."""
    return gpus * read_per_gpu


@step("B/s", "A restore reads", rises_with=("restore_copies",), falls_with=("restore_window",))
def restore_read(checkpoint_size: float, restore_copies: float, restore_window: float) -> float:
    """What a restart takes [B/s]: `restore_copies` of `checkpoint_size` [B] within `restore_window` [s]."""
    return checkpoint_size * restore_copies / restore_window


@step("B/s", "Loading weights reads", rises_with=("weights_replicas",), falls_with=("load_window",))
def weights_load_rate(weights_size: float, weights_replicas: float, load_window: float) -> float:
    """What `weights_replicas` take [B/s] when each loads `weights_size` [B] by itself within `load_window` [s].

    >>> weights_load_rate(811.7e9, 1000, 60) / 1e12
    13.528333333333334
    """
    return weights_size * weights_replicas / load_window


@step("B/s", "Reads to sustain", rises_with=("gpus", "weights_replicas", "kv_read"))
def read_demand(training_read: float, restore_read: float, weights_load_rate: float, kv_read: float) -> float:
    """What storage must read out [B/s]: for training and for answers, and the larger of a restore and of loading.

    `kv_read` [B/s] are caches of a serving fleet that are read back all day.
    """
    return training_read + kv_read + max(restore_read, weights_load_rate)


@step("B/s", "Writes to sustain", rises_with=("checkpoint_size", "kv_written"), falls_with=("write_window",))
def write_demand(required_write_bandwidth: float, kv_written: float) -> float:
    """What storage must take [B/s]: one save within the time allowed, and new caches of a serving fleet beside it.

    Logs and prepared data are small beside them.
    """
    return required_write_bandwidth + kv_written


@step("IOPS", "Read requests to serve", rises_with=("gpus",), falls_with=("read_size",))
def request_demand(training_read: float, read_size: float) -> float:
    """How many requests of `read_size` [B] a second `training_read` [B/s] takes."""
    return training_read / read_size


@step("IOPS", "Metadata operations to serve", rises_with=("gpus", "files_per_sample", "operations_per_file"))
def metadata_demand(
    gpus: float,
    samples_per_second: float,
    cache_hit_share: float,
    files_per_sample: float,
    operations_per_file: float,
) -> float:
    """How many metadata operations a second training takes: none from shards, several for every small file.

    >>> round(metadata_demand(256, 0.9 * 24 / 0.04755, 0, 1, 3), -3)
    349000.0
    """
    return gpus * samples_per_second * (1 - cache_hit_share) * files_per_sample * operations_per_file


FORMULAS = formulas_of(globals())

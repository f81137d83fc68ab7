"""Buffers of the data loader: their host memory, and the share of the data set that they shuffle."""

from calculators.declare import formulas_of, step


@step("B", "Loader buffers per node", rises_with=("loader_workers", "prefetch_batches", "batch_size", "decoded_bytes"))
def buffer_per_node(
    gpus_at_work: float,
    loader_workers: float,
    prefetch_batches: float,
    batch_size: float,
    decoded_bytes: float,
    shuffle_buffer_samples: float,
    sample_bytes: float,
    dataset_samples: float,
) -> float:
    """Host memory of one node's loaders [B]: batches prepared ahead, and the shuffle buffer.

    For each of `gpus_at_work`: `loader_workers` times `prefetch_batches` of `batch_size` samples of `decoded_bytes`
    [B], and `shuffle_buffer_samples` of `sample_bytes` [B], at most the `dataset_samples`.

    >>> round(buffer_per_node(8, 12, 2, 24, 1.92e6, 10_000, 322_957, 1_170_301) / 1e9, 1)
    34.7
    """
    ahead = loader_workers * prefetch_batches * batch_size * decoded_bytes
    return gpus_at_work * (ahead + min(shuffle_buffer_samples, dataset_samples) * sample_bytes)


@step("sample", "Samples in the shuffle window", rises_with=("shuffle_buffer_samples",))
def samples_in_view(
    shuffle_buffer_samples: float, open_shards: float | None, shard_size: float, sample_bytes: float
) -> float:
    """Samples from which one GPU's next is drawn: those in the buffer and in the open shards."""
    return shuffle_buffer_samples + (open_shards or 0) * shard_size / sample_bytes


@step(
    "share", "Shuffle window, of the data set", rises_with=("shuffle_buffer_samples",), falls_with=("dataset_samples",)
)
def shuffle_reach(gpus: float, samples_in_view: float, dataset_samples: float) -> float:
    """Share of the data set in the shuffle windows of all `gpus`, at most 1.

    >>> shuffle_reach(8, 10_000, 800_000)
    0.1
    """
    return min(1, gpus * samples_in_view / dataset_samples)


FORMULAS = formulas_of(globals())

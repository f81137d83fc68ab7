"""The loader's buffers: what they hold in host memory, and how much of the data set they can shuffle."""

from calculators.declare import formulas_of, step


@step("B", "Buffers of a node", rises_with=("loader_workers", "prefetch_batches", "batch_size", "decoded_bytes"))
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
    """Host memory that the loaders of one node fill [B]: batches prepared ahead, and samples waiting to be drawn.

    For each of `gpus_at_work`: `loader_workers` times `prefetch_batches` of `batch_size` samples of `decoded_bytes`
    [B], and `shuffle_buffer_samples` of `sample_bytes` [B], no more than the `dataset_samples` there are.

    >>> round(buffer_per_node(8, 12, 2, 24, 1.92e6, 10_000, 322_957, 1_170_301) / 1e9, 1)
    34.7
    """
    ahead = loader_workers * prefetch_batches * batch_size * decoded_bytes
    return gpus_at_work * (ahead + min(shuffle_buffer_samples, dataset_samples) * sample_bytes)


@step("sample", "Samples in view", rises_with=("shuffle_buffer_samples",))
def samples_in_view(
    shuffle_buffer_samples: float, open_shards: float | None, shard_size: float, sample_bytes: float
) -> float:
    """Samples among which one GPU's next is drawn: those in the buffer, and those of the shards open at once."""
    return shuffle_buffer_samples + (open_shards or 0) * shard_size / sample_bytes


@step("share", "Shuffled at a time", rises_with=("shuffle_buffer_samples",), falls_with=("dataset_samples",))
def shuffle_reach(gpus: float, samples_in_view: float, dataset_samples: float) -> float:
    """Share of the data set that all `gpus` have in view at once; 1 where that is everything.

    >>> shuffle_reach(8, 10_000, 800_000)
    0.1
    """
    return min(1, gpus * samples_in_view / dataset_samples)


FORMULAS = formulas_of(globals())

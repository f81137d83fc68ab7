"""An epoch from its beginning: workers that start empty, and the utilization that MLPerf Storage v1.0 prints of it.

Each worker prepares a batch of its own, all of them at once, as PyTorch's do. So the first batch comes when nearly all
are ready, and in short epochs that wait is no small part. Readers that share one batch, as those of tf.data, count as
one worker here.
"""

from math import floor

from calculators.declare import formulas_of, step


@step("1", "Steps in an epoch", falls_with=("batch_size",))
def steps_per_epoch(dataset_samples: float, batch_size: float, gpus: float) -> float:
    """Steps until every sample was read once, a last one that is not whole left out; at least one.

    >>> steps_per_epoch(28_000, 7, 8), steps_per_epoch(28_055, 7, 8), steps_per_epoch(111, 7, 8)
    (500, 500, 1)
    """
    return max(1, floor(dataset_samples / batch_size / gpus))


@step("s", "Until the first batch", source="dlio")
def first_batch_wait(
    loader_workers: float, steps_per_epoch: float, batch_size: float, storage_rate: float, decode_rate: float
) -> float:
    """How long a GPU waits at the beginning of an epoch [s], with nothing prefetched or cached.

    Until then as many batches are on their way as there are workers, and come as fast as the loader brings samples.

    >>> first_batch_wait(12, 500, 24, 14_400, 1_500)
    0.192
    """
    return min(loader_workers, steps_per_epoch) * batch_size / min(storage_rate, decode_rate)


@step("s", "An epoch without a cache", rises_with=("step_compute_time", "dataset_samples"))
def epoch_time(
    steps_per_epoch: float,
    batch_size: float,
    step_compute_time: float,
    storage_rate: float,
    decode_rate: float,
    first_batch_wait: float,
) -> float:
    """How long an epoch takes that begins with empty workers [s]: held up by the loader, or by computing.

    Either the last batch comes when the loader has brought all samples, and is computed, or steps follow each other.

    >>> epoch_time(10, 100, 1, 50, 1000, 4), epoch_time(10, 100, 1, 1000, 1000, 0.2)
    (21.0, 10.2)
    """
    held_by_loader = steps_per_epoch * batch_size / min(storage_rate, decode_rate) + step_compute_time
    return max(held_by_loader, first_batch_wait + steps_per_epoch * step_compute_time)


@step("share", "Utilization over a whole epoch")
def epoch_utilization(steps_per_epoch: float, step_compute_time: float, epoch_time: float) -> float:
    """Share of an epoch without a cache in which a GPU computes, the wait for the first batch included."""
    return steps_per_epoch * step_compute_time / epoch_time


@step("share", "Utilization over a later epoch", rises_with=("loader_rate",))
def later_epoch_utilization(
    loader_workers: float, steps_per_epoch: float, batch_size: float, step_compute_time: float, loader_rate: float
) -> float:
    """The same of an epoch after the first, which brings samples faster where a cache serves some of them.

    >>> later_epoch_utilization(2, 10, 100, 1, 50), round(later_epoch_utilization(2, 10, 100, 1, 1000), 4)
    (0.47619047619047616, 0.9804)
    """
    wait = min(loader_workers, steps_per_epoch) * batch_size / loader_rate
    computing = steps_per_epoch * step_compute_time
    return computing / max(steps_per_epoch * batch_size / loader_rate + step_compute_time, wait + computing)


@step("share", "Utilization as MLPerf Storage v1.0 prints it", source=("dlio", "mlperf-storage-v1"))
def printed_utilization(
    steps_per_epoch: float, step_compute_time: float, epoch_time: float, first_batch_wait: float
) -> float:
    """Computing over time, with the first step and the wait for it left out of both; its printed rate keeps them.

    So its rate and its utilization are of two clocks. From v2.0 on both leave the first step out.

    >>> round(printed_utilization(500, 0.636, 500 * 7 / 7.83 + 0.636, 12 * 7 / 7.83), 3)  # 448 s, of which 10.7 wait
    0.727
    """
    counted = (steps_per_epoch - 1) * step_compute_time
    return min(1, counted / (epoch_time - first_batch_wait - step_compute_time)) if counted else 1


FORMULAS = formulas_of(globals())

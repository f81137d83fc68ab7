"""Whole epochs, which start with empty workers, and the utilization as MLPerf Storage v1.0 prints it.

Each worker prepares its own batch, all at the same time, as in PyTorch. So the first batch is ready when nearly all
are, and in short epochs that wait matters. Readers that share one batch, as in tf.data, count as one worker here.
"""

from math import floor

from calculators.declare import formulas_of, step


@step("step", "Steps per epoch", falls_with=("batch_size",))
def steps_per_epoch(dataset_samples: float, batch_size: float, gpus: float) -> float:
    """Steps until every sample was read once, without a partial last one; at least 1.

    >>> steps_per_epoch(28_000, 7, 8), steps_per_epoch(28_055, 7, 8), steps_per_epoch(111, 7, 8)
    (500, 500, 1)
    """
    return max(1, floor(dataset_samples / batch_size / gpus))


@step("s", "Wait for the first batch", source="dlio")
def first_batch_wait(
    loader_workers: float, steps_per_epoch: float, batch_size: float, storage_rate: float, decode_rate: float
) -> float:
    """Wait of a GPU at the start of an epoch [s], without prefetched or cached data.

    Until then one batch per worker is in preparation, at the rate of the loader.

    >>> first_batch_wait(12, 500, 24, 14_400, 1_500)
    0.192
    """
    return min(loader_workers, steps_per_epoch) * batch_size / min(storage_rate, decode_rate)


@step("s", "Epoch time without a cache", rises_with=("step_compute_time", "dataset_samples"))
def epoch_time(
    steps_per_epoch: float,
    batch_size: float,
    step_compute_time: float,
    storage_rate: float,
    decode_rate: float,
    first_batch_wait: float,
) -> float:
    """Time of an epoch that starts with empty workers [s], limited by the loader or by computing.

    Either the last batch is computed after the loader has delivered all samples, or steps follow without waits.

    >>> epoch_time(10, 100, 1, 50, 1000, 4), epoch_time(10, 100, 1, 1000, 1000, 0.2)
    (21.0, 10.2)
    """
    held_by_loader = steps_per_epoch * batch_size / min(storage_rate, decode_rate) + step_compute_time
    return max(held_by_loader, first_batch_wait + steps_per_epoch * step_compute_time)


@step("share", "GPU utilization over a whole epoch")
def epoch_utilization(steps_per_epoch: float, step_compute_time: float, epoch_time: float) -> float:
    """Share of an epoch without a cache in which a GPU computes, the wait for the first batch included."""
    return steps_per_epoch * step_compute_time / epoch_time


@step("share", "GPU utilization over a later epoch", rises_with=("loader_rate",))
def later_epoch_utilization(
    loader_workers: float, steps_per_epoch: float, batch_size: float, step_compute_time: float, loader_rate: float
) -> float:
    """Share of an epoch after the first in which a GPU computes; a cache raises the loader's rate.

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
    """Compute time over epoch time, both without the first step and its wait, which its printed rate includes.

    From v2.0 on both leave the first step out.

    >>> round(printed_utilization(500, 0.636, 500 * 7 / 7.83 + 0.636, 12 * 7 / 7.83), 3)  # 448 s, of which 10.7 wait
    0.727
    """
    counted = (steps_per_epoch - 1) * step_compute_time
    return min(1, counted / (epoch_time - first_batch_wait - step_compute_time)) if counted else 1


FORMULAS = formulas_of(globals())

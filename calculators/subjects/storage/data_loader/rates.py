"""Rates of the data loader: GPU demand, and the supply of CPU workers, outstanding reads, network port and cache."""

from math import ceil

from calculators.declare import formulas_of, step


@step("sample/s", "GPU demand", source="mlperf-storage-rules", rises_with=("batch_size",))
def gpu_rate(batch_size: float, step_compute_time: float) -> float:
    """Samples per second that one GPU consumes if it never waits: `batch_size` per `step_compute_time` [s].

    >>> round(gpu_rate(24, 0.04755))
    505
    """
    return batch_size / step_compute_time


@step("GPU", "GPUs per node of the job")
def gpus_at_work(gpus: float, gpu_nodes: float) -> float:
    """GPUs that share a node's port and cache: `gpus` spread evenly over `gpu_nodes`.

    >>> gpus_at_work(12, 2)
    6.0
    """
    return gpus / gpu_nodes


@step("sample/s", "CPU worker rate", rises_with=("loader_workers",))
def decode_rate(loader_workers: float, decode_time: float, storage_rate: float, cached_rate: float) -> float:
    """Samples per second that `loader_workers` prepare for one GPU, each in `decode_time` [s].

    Without preprocessing the rate is that of storage or the cache.

    >>> decode_rate(12, 0.008, 1, 1)
    1500.0
    """
    return loader_workers / decode_time if decode_time else max(storage_rate, cached_rate)


@step("s", "Time of one read", rises_with=("read_latency", "sample_bytes"))
def read_time(read_latency: float, sample_bytes: float, stream_bandwidth: float) -> float:
    """Time of one read of `sample_bytes` [B] [s]: `read_latency` [s], then `stream_bandwidth` [B/s].

    >>> round(read_time(0.15, 322957, 87.5e6), 4)
    0.1537
    """
    return read_latency + sample_bytes / stream_bandwidth


@step("sample/s", "Rate by outstanding reads", source="little-1961", rises_with=("reads_in_flight",))
def stream_rate(reads_in_flight: float, read_time: float) -> float:
    """Samples per second by `reads_in_flight`, each taking `read_time` [s]: Little's law.

    >>> stream_rate(12, 0.15)
    80.0
    """
    return reads_in_flight / read_time


@step("sample/s", "Rate by network port", rises_with=("node_read_bandwidth",), falls_with=("sample_bytes",))
def loader_port_rate(node_read_bandwidth: float, gpus_at_work: float, sample_bytes: float) -> float:
    """Samples per second for each of the `gpus_at_work` through one node's `node_read_bandwidth` [B/s]."""
    return node_read_bandwidth / gpus_at_work / sample_bytes


@step("sample/s", "Storage rate", rises_with=("node_read_bandwidth", "reads_in_flight"))
def storage_rate(stream_rate: float, loader_port_rate: float) -> float:
    """Samples per second from storage for one GPU: the lower of outstanding reads and the node's port."""
    return min(stream_rate, loader_port_rate)


@step("sample/s", "Cache rate", rises_with=("cache_bandwidth",), falls_with=("sample_bytes",))
def cached_rate(cache_bandwidth: float, gpus_at_work: float, sample_bytes: float) -> float:
    """Samples per second per GPU of `gpus_at_work` if all came from the node's cache of `cache_bandwidth` [B/s]."""
    return cache_bandwidth / gpus_at_work / sample_bytes


@step("sample/s", "Fetch rate with the cache", source="mohan-2021")
def fetch_rate(cache_hit_share: float, cached_rate: float, storage_rate: float) -> float:
    """Samples per second fetched for one GPU from the second epoch on, by cache hits and from storage.

    Times add, so it is the weighted harmonic mean of the rates. Mohan et al. measured within 4% of it.

    >>> round(fetch_rate(0.5, 19352, 78.08), 1)
    155.5
    """
    return 1 / (cache_hit_share / cached_rate + (1 - cache_hit_share) / storage_rate)


@step("sample/s", "Loader rate")
def loader_rate(fetch_rate: float, decode_rate: float) -> float:
    """Samples per second fetched and prepared for one GPU, from the second epoch on."""
    return min(fetch_rate, decode_rate)


@step("share", "GPU utilization in the first epoch")
def first_epoch_utilization(storage_rate: float, decode_rate: float, gpu_rate: float) -> float:
    """Share of the first epoch in which a GPU computes, with empty caches."""
    return min(1, min(storage_rate, decode_rate) / gpu_rate)


@step("share", "GPU utilization", source="mlperf-storage-rules")
def accelerator_utilization(loader_rate: float, gpu_rate: float) -> float:
    """Share of the time in which a GPU computes, from the second epoch on: MLPerf Storage's AU.

    It waits if `loader_rate` is below `gpu_rate`. An upper bound, without jitter.

    >>> accelerator_utilization(50, 100), accelerator_utilization(200, 100)
    (0.5, 1)
    """
    return min(1, loader_rate / gpu_rate)


@step("share", "GPU utilization over the run")
def run_utilization(epochs: float, first_epoch_utilization: float, accelerator_utilization: float) -> float:
    """Share of all `epochs` in which a GPU computes, the first without a cache, the others with it.

    >>> round(run_utilization(5, 0.5, 1), 3)
    0.833
    """
    return epochs / (1 / first_epoch_utilization + (epochs - 1) / accelerator_utilization)


@step("1", "Loader headroom", falls_with=("batch_size",))
def loader_headroom(loader_rate: float, gpu_rate: float) -> float:
    """Loader rate over GPU demand; below 1 the GPU waits."""
    return loader_rate / gpu_rate


@step("sample/s", "Samples delivered per GPU")
def loader_samples_per_second(gpu_rate: float, accelerator_utilization: float) -> float:
    """Samples per second that one GPU gets, from the second epoch on."""
    return gpu_rate * accelerator_utilization


@step("sample/s", "GPU demand not met")
def waited_rate(gpu_rate: float, loader_samples_per_second: float) -> float:
    """Samples per second that one GPU could consume and does not get."""
    return gpu_rate - loader_samples_per_second


@step("1", "Workers needed per GPU", rises_with=("batch_size",))
def workers_needed(gpu_rate: float, decode_time: float) -> float:
    """Workers per GPU that meet its demand, with `decode_time` [s] per sample; at least 1.

    >>> workers_needed(505, 0.008)
    5
    """
    return max(1, ceil(gpu_rate * decode_time))


@step("1", "Outstanding reads needed per GPU", source="little-1961", rises_with=("batch_size", "read_latency"))
def reads_needed(gpu_rate: float, read_time: float) -> float:
    """Concurrent reads per GPU that meet its demand, each lasting `read_time` [s]; whole ones.

    >>> reads_needed(504.7, 0.1537)
    78
    """
    return max(1, ceil(gpu_rate * read_time))


@step("B/s", "Read demand per node", rises_with=("sample_bytes",))
def loader_node_read(
    loader_samples_per_second: float, cache_hit_share: float, sample_bytes: float, gpus_at_work: float
) -> float:
    """Bandwidth that one node reads from storage [B/s], from the second epoch on, without cache hits."""
    return loader_samples_per_second * (1 - cache_hit_share) * sample_bytes * gpus_at_work


FORMULAS = formulas_of(globals())

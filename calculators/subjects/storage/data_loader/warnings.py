"""Warnings of the data loader: caches, buffers, outstanding reads, first and short epochs."""

from calculators import facts
from calculators.declare import formulas_of, warning
from calculators.subjects.storage.data_loader.inputs import CachePolicy, CacheScope
from calculators.subjects.storage.data_loader.verdicts import FED_FROM, begins_empty

OF_MEMORY = float(facts.fact("loader-memory-share").value)
_LITTLE = 0.1
_ALIKE = 0.99


@warning(speaks="cache_policy=lru&cache_per_node=100GB", silent="cache_policy=lru&cache_per_node=30GB")
def evicts_too_early(cache_policy: CachePolicy, cache_share: float, cache_hit_share: float, epochs: float) -> str:
    """An LRU cache that evicts samples before they are read again."""
    if epochs == 1 or cache_policy == "kept" or not _LITTLE < cache_share < 1:
        return ""
    if cache_hit_share > cache_share * _ALIKE:
        return ""
    return (
        "An LRU cache for {cache_share} of the data serves only {cache_hit_share} of reads; "
        "one without eviction serves {cache_share}."
    )


@warning(speaks="gpus=16&cache_per_node=200GB", silent="gpus=16&cache_per_node=200GB&cache_scope=shared")
def caches_apart(
    cache_scope: CacheScope, cache_per_node: float | None, gpu_nodes: float, dataset_bytes: float, cache_share: float
) -> str:
    """Caches that would hold the whole data set if shared."""
    if cache_scope == "shared" or cache_share >= 1 or (cache_per_node or 0) * gpu_nodes < dataset_bytes:
        return ""
    return (
        "The caches of {gpu_nodes} together can hold all {dataset_bytes}, but each serves only its node: share "
        "them, or give each node the same part of the data every epoch, and no sample is fetched twice."
    )


@warning(speaks="host_memory=100GB", silent="")
def buffers_fill_memory(buffer_per_node: float, host_memory: float) -> str:
    """Buffers that take too much host memory."""
    if buffer_per_node <= OF_MEMORY * host_memory:
        return ""
    return (
        "Loader buffers need {buffer_per_node} of {host_memory} per node: reduce the prefetch factor or shuffle buffer."
    )


@warning(speaks="store=store-object", silent="store=store-object&reads_in_flight=78")
def concurrency_before_bandwidth(
    reads_needed: float, reads_in_flight: float, stream_rate: float, loader_port_rate: float
) -> str:
    """Too few outstanding reads, where more bandwidth would not help."""
    if reads_needed <= reads_in_flight or stream_rate > loader_port_rate:
        return ""
    return (
        "A read takes {read_time}, so each GPU needs {reads_needed} outstanding reads, not {reads_in_flight}: more "
        "bandwidth does not help without more reads."
    )


@warning(
    speaks="store=store-object&cache_per_node=360GB",
    silent="store=store-object&reads_in_flight=78&cache_per_node=360GB",
)
def first_epoch_waits(epochs: float, first_epoch_utilization: float, accelerator_utilization: float) -> str:
    """A first epoch too slow, while later ones are served by the cache."""
    if epochs == 1 or not first_epoch_utilization < FED_FROM <= accelerator_utilization:
        return ""
    return (
        "Only later epochs are fast enough: the first, which reads everything from storage, reaches "
        "{first_epoch_utilization}, the run {run_utilization}. A benchmark without cache hits measures a first epoch."
    )


@warning(speaks="dataset_samples=191", silent="dataset_samples=192")
def less_than_a_step(dataset_samples: float, batch_size: float, gpus: float) -> str:
    """A data set smaller than one batch per GPU."""
    if dataset_samples >= batch_size * gpus:
        return ""
    return (
        "The data set of {dataset_samples} is too small for one step of {batch_size} per GPU on {gpus}: "
        "some GPUs get no data."
    )


@warning(speaks="read_latency=20ms&dataset_samples=10000", silent="read_latency=20ms&dataset_samples=100000")
def epochs_begin_empty(
    later_epoch_utilization: float, accelerator_utilization: float, epochs: float, steps_per_epoch: float
) -> str:
    """Epochs so short that the wait for their first batch matters."""
    if accelerator_utilization < FED_FROM or not begins_empty(later_epoch_utilization, epochs, steps_per_epoch):
        return ""
    return (
        "Epochs are short, {steps_per_epoch}, and each starts with a wait of up to {first_batch_wait} for a "
        "batch: over whole epochs utilization is {later_epoch_utilization}, unless the next epoch is prefetched before "
        "the last ends (`persistent_workers`)."
    )


@warning(speaks="epochs=1&cache_per_node=100GB", silent="epochs=2&cache_per_node=100GB")
def read_only_once(epochs: float, cache_share: float) -> str:
    """A cache in a single epoch."""
    if epochs > 1 or cache_share == 0:
        return ""
    return "In a single epoch no sample is read twice: the cache helps only if it was filled before."


FORMULAS = formulas_of(globals())

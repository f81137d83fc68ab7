"""Verdicts and warnings of the data loader: GPU utilization, bottleneck, shuffle, cache and buffers."""

from calculators import facts
from calculators.declare import Verdict, formulas_of, verdict, warning
from calculators.subjects.storage.data_loader.inputs import CachePolicy, CacheScope

FED_FROM = float(facts.fact("mlperf-utilization-required").value)
SPARE_FROM = float(facts.fact("loader-spare").value)
IN_VIEW = float(facts.fact("shuffle-in-view").value)
OF_MEMORY = float(facts.fact("loader-memory-share").value)
_LITTLE = 0.1
_ALIKE = 0.99


@verdict("Data supply")
def fed(  # noqa: PLR0911  a word for each shortage
    loader_headroom: float,
    first_epoch_utilization: float,
    later_epoch_utilization: float,
    epochs: float,
    steps_per_epoch: float,
    dataset_samples: float,
    batch_size: float,
    gpus: float,
    buffer_per_node: float,
    host_memory: float,
) -> Verdict:
    """Whether GPUs compute 90 % of the time, as MLPerf Storage requires, with 25 % headroom against jitter.

    A single epoch is judged by the storage rate: nothing is read from a cache.
    """
    if loader_headroom < FED_FROM:
        return Verdict(
            level="bad",
            word="too slow",
            reason="A GPU computes {accelerator_utilization} of the time and waits the rest; bottleneck: {limiting}.",
        )
    if dataset_samples < batch_size * gpus:
        return Verdict(
            level="bad",
            word="too few samples",
            reason="A step of {batch_size} per GPU on {gpus} exceeds the data set of {dataset_samples}.",
        )
    if buffer_per_node > host_memory:
        return Verdict(
            level="bad",
            word="does not fit",
            reason="Loader buffers of a node need {buffer_per_node}; its host memory is {host_memory}.",
        )
    if loader_headroom < 1:
        return Verdict(
            level="tight",
            word="tight",
            reason="A GPU computes at most {accelerator_utilization} of the time; bottleneck: {limiting}.",
        )
    if first_epoch_utilization < FED_FROM:
        return Verdict(
            level="tight",
            word="too slow in the first epoch",
            reason="With an empty cache a GPU computes {first_epoch_utilization} of the time.",
        )
    if _begins_empty(later_epoch_utilization, epochs, steps_per_epoch):
        return Verdict(
            level="tight",
            word="slow epoch starts",
            reason="Over whole epochs of {steps_per_epoch} steps a GPU computes {later_epoch_utilization} of the time.",
        )
    if loader_headroom < SPARE_FROM:
        return Verdict(
            level="tight",
            word="little headroom",
            reason="The loader delivers {loader_headroom}× the GPU demand: late batches will stall training.",
        )
    return Verdict(level="good", word="OK", reason="The loader delivers {loader_headroom}× the GPU demand, on average.")


@verdict("Bottleneck")
def limiting(
    gpu_rate: float,
    loader_rate: float,
    decode_time: float,
    decode_rate: float,
    stream_rate: float,
    loader_port_rate: float,
    cached_rate: float,
    cache_hit_share: float,
    accelerator_utilization: float,
) -> Verdict:
    """Name of the stage that keeps the loader below GPU demand; of cache hits and misses, the one that takes longer."""
    if loader_rate >= gpu_rate:
        return Verdict(level="good", word="GPU", reason="The loader delivers {loader_rate}, a GPU consumes {gpu_rate}.")
    from_storage = min(stream_rate, loader_port_rate)
    if decode_time and decode_rate <= loader_rate:
        word = "CPU workers"
        reason = "They prepare {decode_rate}, a GPU consumes {gpu_rate}: it needs {workers_needed} workers."
    elif cache_hit_share / cached_rate > (1 - cache_hit_share) / from_storage:
        word = "cache bandwidth"
        reason = (
            "The cache delivers {cached_rate}, a GPU consumes {gpu_rate}: raise its bandwidth or serve less from it."
        )
    elif stream_rate <= loader_port_rate:
        word = "outstanding reads"
        reason = "{reads_in_flight} outstanding reads of {read_time} deliver {stream_rate}: {reads_needed} are needed."
    else:
        word = "network port"
        reason = "{node_read_bandwidth} per node is {loader_port_rate} per GPU, which consumes {gpu_rate}."
    return Verdict(level="bad" if accelerator_utilization < FED_FROM else "tight", word=word, reason=reason)


@verdict("Shuffle")
def shuffled(shuffle_reach: float, shuffled_on_disk: bool) -> Verdict:  # noqa: FBT001  formulas are wired by position
    """Whether neighboring samples are separated, by the stored order or by the shuffle window."""
    if shuffle_reach >= IN_VIEW:
        return Verdict(level="good", word="OK", reason="The shuffle window holds {shuffle_reach} of the data set.")
    if shuffled_on_disk:
        return Verdict(
            level="good",
            word="OK as stored",
            reason="The shuffle window holds only {shuffle_reach} of the data set, but its stored order is random.",
        )
    return Verdict(
        level="bad",
        word="too narrow",
        reason="The shuffle window holds only {shuffle_reach} of the data set: stored neighbors stay together.",
    )


def _begins_empty(later_epoch_utilization: float, epochs: float, steps_per_epoch: float) -> bool:
    """Whether waits at the start of epochs push utilization below the limit."""
    return epochs > 1 and steps_per_epoch > 1 and later_epoch_utilization < FED_FROM


@warning
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


@warning
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


@warning
def buffers_fill_memory(buffer_per_node: float, host_memory: float) -> str:
    """Buffers that take too much host memory."""
    if buffer_per_node <= OF_MEMORY * host_memory:
        return ""
    return (
        "Loader buffers need {buffer_per_node} of {host_memory} per node: reduce the prefetch factor or shuffle buffer."
    )


@warning
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


@warning
def first_epoch_waits(epochs: float, first_epoch_utilization: float, accelerator_utilization: float) -> str:
    """A first epoch too slow, while later ones are served by the cache."""
    if epochs == 1 or not first_epoch_utilization < FED_FROM <= accelerator_utilization:
        return ""
    return (
        "Only later epochs are fast enough: the first, which reads everything from storage, reaches "
        "{first_epoch_utilization}, the run {run_utilization}. A benchmark without cache hits measures a first epoch."
    )


@warning
def less_than_a_step(dataset_samples: float, batch_size: float, gpus: float) -> str:
    """A data set smaller than one batch per GPU."""
    if dataset_samples >= batch_size * gpus:
        return ""
    return (
        "The data set of {dataset_samples} is too small for one step of {batch_size} per GPU on {gpus}: "
        "some GPUs get no data."
    )


@warning
def epochs_begin_empty(
    later_epoch_utilization: float, accelerator_utilization: float, epochs: float, steps_per_epoch: float
) -> str:
    """Epochs so short that the wait for their first batch matters."""
    if accelerator_utilization < FED_FROM or not _begins_empty(later_epoch_utilization, epochs, steps_per_epoch):
        return ""
    return (
        "Epochs are short, {steps_per_epoch} steps, and each starts with a wait of up to {first_batch_wait} for a "
        "batch: over whole epochs utilization is {later_epoch_utilization}, unless the next epoch is prefetched before "
        "the last ends (`persistent_workers`)."
    )


@warning
def read_only_once(epochs: float, cache_share: float) -> str:
    """A cache in a single epoch."""
    if epochs > 1 or cache_share == 0:
        return ""
    return "In a single epoch no sample is read twice: the cache helps only if it was filled before."


FORMULAS = formulas_of(globals())

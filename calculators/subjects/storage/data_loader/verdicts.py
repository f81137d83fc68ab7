"""What the loader's figures mean: whether GPUs are fed, what is short, how wide the shuffle is, what to mind."""

from calculators import facts
from calculators.declare import Verdict, formulas_of, verdict, warning
from calculators.subjects.storage.data_loader.inputs import CachePolicy, CacheScope

FED_FROM = float(facts.fact("mlperf-utilization-required").value)
SPARE_FROM = float(facts.fact("loader-spare").value)
IN_VIEW = float(facts.fact("shuffle-in-view").value)
OF_MEMORY = float(facts.fact("loader-memory-share").value)
_LITTLE = 0.1
_ALIKE = 0.99


@verdict("Are the GPUs fed?")
def fed(  # noqa: PLR0911  a word for each way of not being fed
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
    """Fed means nine tenths of the time, as MLPerf Storage asks, and a quarter more than that so that jitter is hidden.

    A single epoch is judged by what storage brings: nothing is read from a cache.
    """
    if loader_headroom < FED_FROM:
        return Verdict(
            level="bad",
            word="starved",
            reason="A GPU computes {accelerator_utilization} of the time and waits the rest, held back by {limiting}.",
        )
    if dataset_samples < batch_size * gpus:
        return Verdict(
            level="bad",
            word="too few samples",
            reason="A step of {batch_size} on each of {gpus} takes more samples than there are: {dataset_samples}.",
        )
    if buffer_per_node > host_memory:
        return Verdict(
            level="bad",
            word="does not fit",
            reason="What waits in memory for the GPUs of a node is {buffer_per_node}; the node has {host_memory}.",
        )
    if loader_headroom < 1:
        return Verdict(
            level="tight",
            word="nearly fed",
            reason="A GPU computes {accelerator_utilization} of the time at best, held back by {limiting}.",
        )
    if first_epoch_utilization < FED_FROM:
        return Verdict(
            level="tight",
            word="fed from the second epoch",
            reason="In the first, with nothing cached yet, a GPU computes {first_epoch_utilization} of the time.",
        )
    if _begins_empty(later_epoch_utilization, epochs, steps_per_epoch):
        return Verdict(
            level="tight",
            word="fed within an epoch",
            reason="Over whole epochs of {steps_per_epoch} steps a GPU computes {later_epoch_utilization} of the time.",
        )
    if loader_headroom < SPARE_FROM:
        return Verdict(
            level="tight",
            word="fed, barely",
            reason="The loader brings {loader_headroom} times what a GPU eats: batches that come late will show.",
        )
    return Verdict(
        level="good", word="fed", reason="The loader brings {loader_headroom} times what a GPU eats, on average."
    )


@verdict("What is short?")
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
    """The link that keeps the loader below what a GPU eats; where time is lost to hits and misses, the larger part."""
    if loader_rate >= gpu_rate:
        return Verdict(
            level="good", word="the GPU itself", reason="The loader brings {loader_rate}, a GPU eats {gpu_rate}."
        )
    from_storage = min(stream_rate, loader_port_rate)
    if decode_time and decode_rate <= loader_rate:
        word = "processors"
        reason = "They prepare {decode_rate} of the {gpu_rate} that a GPU eats: {workers_needed} workers would do."
    elif cache_hit_share / cached_rate > (1 - cache_hit_share) / from_storage:
        word = "the cache"
        reason = "It gives {cached_rate} where a GPU eats {gpu_rate}: it needs more bandwidth, or to serve less."
    elif stream_rate <= loader_port_rate:
        word = "concurrency"
        reason = "Reads of {read_time}, {reads_in_flight} at a time, bring {stream_rate}: {reads_needed} would do."
    else:
        word = "the port"
        reason = "{node_read_bandwidth} for a node are {loader_port_rate} for each GPU, which eats {gpu_rate}."
    return Verdict(level="bad" if accelerator_utilization < FED_FROM else "tight", word=word, reason=reason)


@verdict("Is the shuffle wide?")
def shuffled(shuffle_reach: float, shuffled_on_disk: bool) -> Verdict:  # noqa: FBT001  formulas are wired by position
    """Whether samples that lie side by side are parted: by the stored order, or by what is in view at once."""
    if shuffle_reach >= IN_VIEW:
        return Verdict(level="good", word="wide", reason="{shuffle_reach} of the data set is in view at once.")
    if shuffled_on_disk:
        return Verdict(
            level="good",
            word="as stored",
            reason="Only {shuffle_reach} of the data set is in view at once, but its stored order is random.",
        )
    return Verdict(
        level="bad",
        word="narrow",
        reason="Only {shuffle_reach} of the data set is in view at once: neighbours on disk stay neighbours.",
    )


def _begins_empty(later_epoch_utilization: float, epochs: float, steps_per_epoch: float) -> bool:
    """Whether the wait at the beginning of each epoch leaves too little of it."""
    return epochs > 1 and steps_per_epoch > 1 and later_epoch_utilization < FED_FROM


@warning
def evicts_too_early(cache_policy: CachePolicy, cache_share: float, cache_hit_share: float, epochs: float) -> str:
    """A cache that throws out what comes round again."""
    if epochs == 1 or cache_policy == "kept" or not _LITTLE < cache_share < 1:
        return ""
    if cache_hit_share > cache_share * _ALIKE:
        return ""
    return (
        "A cache for {cache_share} of the data that evicts the longest unused serves only {cache_hit_share} of the "
        "reads; one that keeps a fixed part serves {cache_share}."
    )


@warning
def caches_apart(
    cache_scope: CacheScope, cache_per_node: float | None, gpu_nodes: float, dataset_bytes: float, cache_share: float
) -> str:
    """Caches that would hold everything if they were one."""
    if cache_scope == "shared" or cache_share >= 1 or (cache_per_node or 0) * gpu_nodes < dataset_bytes:
        return ""
    return (
        "The caches of {gpu_nodes} together would hold all {dataset_bytes}, but each serves only its own node: shared, "
        "or with the same part of the data for each node every epoch, nothing would be fetched again."
    )


@warning
def buffers_fill_memory(buffer_per_node: float, host_memory: float) -> str:
    """Buffers that crowd out what else host memory is for."""
    if buffer_per_node <= OF_MEMORY * host_memory:
        return ""
    return "Its buffers want {buffer_per_node}, and a node has {host_memory}: fewer batches ahead or a smaller shuffle."


@warning
def concurrency_before_bandwidth(
    reads_needed: float, reads_in_flight: float, stream_rate: float, loader_port_rate: float
) -> str:
    """A link that more bandwidth would not mend."""
    if reads_needed <= reads_in_flight or stream_rate > loader_port_rate:
        return ""
    return (
        "A read takes {read_time}, so {reads_needed} must be in flight for each GPU, not {reads_in_flight}: more "
        "bandwidth would change nothing before there are more reads."
    )


@warning
def first_epoch_waits(epochs: float, first_epoch_utilization: float, accelerator_utilization: float) -> str:
    """What only later epochs see."""
    if epochs == 1 or not first_epoch_utilization < FED_FROM <= accelerator_utilization:
        return ""
    return (
        "Only later epochs are fed: the first, which reads everything from storage, reaches {first_epoch_utilization}, "
        "the whole run {run_utilization}. A benchmark that defeats caches measures a first epoch."
    )


@warning
def less_than_a_step(dataset_samples: float, batch_size: float, gpus: float) -> str:
    """A data set too small to give each GPU one batch."""
    if dataset_samples >= batch_size * gpus:
        return ""
    return (
        "The data set has {dataset_samples}, too few for one step of {batch_size} on each of {gpus}: "
        "some of them get nothing."
    )


@warning
def epochs_begin_empty(
    later_epoch_utilization: float, accelerator_utilization: float, epochs: float, steps_per_epoch: float
) -> str:
    """Epochs so short that filling the workers again is no small part of them, though their steps are fed."""
    if accelerator_utilization < FED_FROM or not _begins_empty(later_epoch_utilization, epochs, steps_per_epoch):
        return ""
    return (
        "Epochs are short, {steps_per_epoch} steps, and each begins with up to {first_batch_wait} of waiting for a "
        "batch: over whole epochs a GPU reaches {later_epoch_utilization}, unless the next epoch is read ahead before "
        "the last ends."
    )


@warning
def read_only_once(epochs: float, cache_share: float) -> str:
    """A cache of which nothing is read again."""
    if epochs > 1 or cache_share == 0:
        return ""
    return "With a single epoch nothing is read twice: the cache helps only if it was filled before."


FORMULAS = formulas_of(globals())

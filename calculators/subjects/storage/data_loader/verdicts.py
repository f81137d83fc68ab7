"""Verdicts of the data loader: GPU utilization, bottleneck, shuffle."""

from collections.abc import Mapping
from typing import Any

from calculators import facts
from calculators.declare import Verdict, formulas_of, verdict

FED_FROM = float(facts.fact("mlperf-utilization-required").value)
SPARE_FROM = float(facts.fact("loader-spare").value)
IN_VIEW = float(facts.fact("shuffle-in-view").value)
_TOO_FEW = "A step of {batch_size} per GPU on {gpus} exceeds the data set of {dataset_samples}."
_NO_ROOM = "Loader buffers of a node need {buffer_per_node}; its host memory is {host_memory}."
_NO_EPOCH = {"too few samples": _TOO_FEW, "does not fit": _NO_ROOM}


def unanswered(values: Mapping[str, Any]) -> str:
    """Sentence of a state in which no epoch can be read; empty for all others."""
    return _NO_EPOCH.get(values["fed"].word, "")


@verdict("Data supply", good="", tight="loader_workers=5", bad="loader_workers=3")
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
    """Whether GPUs compute 90% of the time, as MLPerf Storage requires, with 25% headroom against jitter.

    A single epoch is judged by the storage rate: nothing is read from a cache.
    """
    if dataset_samples < batch_size * gpus:
        return Verdict(level="bad", word="too few samples", reason=_TOO_FEW)
    if buffer_per_node > host_memory:
        return Verdict(level="bad", word="does not fit", reason=_NO_ROOM)
    if loader_headroom < FED_FROM:
        return Verdict(
            level="bad",
            word="too slow",
            reason="A GPU computes {accelerator_utilization} of the time and waits the rest; bottleneck: {limiting}.",
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
    if begins_empty(later_epoch_utilization, epochs, steps_per_epoch):
        return Verdict(
            level="tight",
            word="slow epoch starts",
            reason="Over whole epochs of {steps_per_epoch} a GPU computes {later_epoch_utilization} of the time.",
        )
    if loader_headroom < SPARE_FROM:
        return Verdict(
            level="tight",
            word="little headroom",
            reason="The loader delivers {loader_headroom}× the GPU demand: late batches will stall training.",
        )
    return Verdict(level="good", word="OK", reason="The loader delivers {loader_headroom}× the GPU demand, on average.")


@verdict("Bottleneck", good="", tight="loader_workers=4", bad="loader_workers=3")
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


@verdict("Shuffle", good="shuffle_buffer_samples=10", bad="shuffle_buffer_samples=10&shuffled_on_disk=no")
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


def begins_empty(later_epoch_utilization: float, epochs: float, steps_per_epoch: float) -> bool:
    """Whether waits at the start of epochs push utilization below the limit."""
    return epochs > 1 and steps_per_epoch > 1 and later_epoch_utilization < FED_FROM


FORMULAS = formulas_of(globals())

"""Formulas: time of a sample by arithmetic, memory, exchange and fixed part, the run, memory, reads from storage."""

import math

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.units import HOUR

_TRAINED = 3  # forward, and twice as much backward
FILL = 0.9  # of GPU memory, that a batch is fitted into: the rest is the framework's
_ROUNDING = 1e-9  # so that a ratio of exactly 8 is a batch of 8
_BOTH_WAYS = 2  # directions that the bandwidth of links is printed for
_LINK_SHARE = float(facts.fact("all-to-all-link-efficiency").value)
_NIC_SHARE = float(facts.fact("all-to-all-nic-efficiency").value)


@step("FLOP/sample", "FLOPs of a trained sample", rises_with=("forward_flops", "untrained_passes"))
def trained_flops(forward_flops: float, untrained_passes: float) -> float:
    """FLOPs of one sample's passes forward, backward and without gradient [FLOP/sample].

    >>> trained_flops(8.22e9, 0) / 1e9, trained_flops(11.8e12, 1.5) / 1e12
    (24.66, 53.1)
    """
    return (_TRAINED + untrained_passes) * forward_flops


@step("s", "Arithmetic per sample", source="timm-benchmarks", rises_with=("forward_flops",), falls_with=("peak_flops",))
def sample_arithmetic_time(
    trained_flops: float, arithmetic_flops: float, matrix_work_share: float, matrix_reach: float
) -> float:
    """Time of a sample's convolutions and matrix products [s].

    >>> round(sample_arithmetic_time(24.66e9, 312e12, 0.357, 1) * 1e6)  # ResNet-50 on an A100, in microseconds
    221
    """
    return trained_flops / (arithmetic_flops * matrix_work_share * matrix_reach)


@step("s", "Memory traffic per sample", rises_with=("activation_values",), falls_with=("memory_bandwidth",))
def sample_memory_time(
    activation_values: float, activation_value_bytes: float, activation_passes: float, memory_bandwidth: float
) -> float:
    """Time in which a sample's activations go to and from GPU memory [s].

    >>> round(sample_memory_time(11.11e6, 2, 10.5, 2039e9) * 1e6)
    114
    """
    return activation_values * activation_value_bytes * activation_passes / memory_bandwidth


@step("s", "Embedding rows per sample, time", rises_with=("embedding_read",), falls_with=("memory_bandwidth",))
def sample_embedding_time(embedding_read: float, embedding_passes: float, memory_bandwidth: float) -> float:
    """Time in which a sample's embedding rows are read and updated [s].

    >>> sample_embedding_time(109568, 3, 3.35e12) < 1e-7
    True
    """
    return embedding_read * embedding_passes / memory_bandwidth


@step("s", "Embedding exchange per sample", rises_with=("embedding_exchange",), falls_with=("link_bandwidth",))
def sample_exchange_time(
    embedding_exchange: float, gpus: float, gpus_per_domain: float, link_bandwidth: float, nic_bandwidth: float
) -> float:
    """Time in which a sample's pooled embedding vectors and their gradients go between GPUs [s], as all-to-all.

    Inside a domain over its links; beyond it each GPU's own network card carries what leaves the domain.

    >>> sample_exchange_time(13312, 1, 8, 900e9, 50e9)
    0.0
    >>> [round(sample_exchange_time(13312, gpus, 8, 900e9, 50e9) * 1e9) for gpus in (8, 64)]
    [36, 262]
    """
    inside = embedding_exchange * (1 - 1 / gpus) / (link_bandwidth / _BOTH_WAYS * _LINK_SHARE)
    if gpus <= gpus_per_domain:
        return inside
    return max(inside, embedding_exchange * (1 - gpus_per_domain / gpus) / (nic_bandwidth * _NIC_SHARE))


@step("s", "Fixed time per sample", rises_with=("fixed_step_time",), falls_with=("batch_size",))
def sample_fixed_time(fixed_step_time: float, batch_size: float) -> float:
    """A sample's part of what a step takes however small its batch is [s].

    >>> sample_fixed_time(0.004, 400)
    1e-05
    """
    return fixed_step_time / batch_size


@step("sample/s", "Samples/s per GPU", rises_with=("scaling_efficiency",))
def sample_rate_per_gpu(
    measured_sample_rate: float | None,
    sample_arithmetic_time: float,
    sample_memory_time: float,
    sample_embedding_time: float,
    sample_exchange_time: float,
    sample_fixed_time: float,
    scaling_efficiency: float,
) -> float:
    """Speed of one GPU [sample/s]: measured, or one sample after the other at the scaling efficiency.

    >>> sample_rate_per_gpu(None, 0.5e-3, 0.25e-3, 0.0, 0.125e-3, 0.125e-3, 0.9)
    900.0
    >>> sample_rate_per_gpu(1200.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.9)
    1200.0
    """
    if measured_sample_rate is not None:
        return measured_sample_rate
    on_one_gpu = sample_arithmetic_time + sample_memory_time + sample_embedding_time
    return scaling_efficiency / (on_one_gpu + sample_exchange_time + sample_fixed_time)


@step("sample/s", "Samples/s of the job")
def sample_rate(sample_rate_per_gpu: float, gpus: float) -> float:
    """Speed of all GPUs [sample/s].

    >>> sample_rate(3400.0, 8)
    27200.0
    """
    return sample_rate_per_gpu * gpus


@step("share", "MFU", falls_with=("peak_flops",))
def sample_mfu(sample_rate_per_gpu: float, trained_flops: float, arithmetic_flops: float) -> float:
    """The model's FLOPs over what the GPU could do in the same time and precision [share].

    >>> round(sample_mfu(3402, 24.66e9, 312e12), 2)
    0.27
    """
    return sample_rate_per_gpu * trained_flops / arithmetic_flops


@step("s", "Training time", rises_with=("samples_trained",), falls_with=("goodput",))
def sample_run_time(samples_trained: float, sample_rate: float, goodput: float) -> float:
    """Wall clock of the run [s].

    >>> sample_run_time(1e6, 1000.0, 0.5)
    2000.0
    """
    return samples_trained / sample_rate / goodput


@step("s", "Training time, low end")
def sample_run_time_at_least(
    sample_run_time: float, shortest_run_time: float, measured_sample_rate: float | None
) -> float:
    """Wall clock at the fast end of published runs [s]; of a measured speed there is no range.

    >>> sample_run_time_at_least(100.0, 0.75, None), sample_run_time_at_least(100.0, 0.75, 5.0)
    (75.0, 100.0)
    """
    return sample_run_time * (shortest_run_time if measured_sample_rate is None else 1)


@step("s", "Training time, high end")
def sample_run_time_at_most(
    sample_run_time: float, longest_run_time: float, measured_sample_rate: float | None
) -> float:
    """Wall clock at the slow end of published runs [s].

    >>> sample_run_time_at_most(100.0, 1.5, None), sample_run_time_at_most(100.0, 1.5, 5.0)
    (150.0, 100.0)
    """
    return sample_run_time * (longest_run_time if measured_sample_rate is None else 1)


@step("GPU-hour", "GPU-hours")
def sample_gpu_hours(sample_run_time: float, gpus: float) -> float:
    """Billed GPU-hours of the run [GPU-hour].

    >>> sample_gpu_hours(7200, 8)
    16.0
    """
    return sample_run_time * gpus / HOUR


@step("USD", "Cost of the run", rises_with=("price_per_gpu_hour",))
def sample_run_cost(sample_gpu_hours: float, price_per_gpu_hour: float) -> float:
    """GPU-hours at their price [USD].

    >>> sample_run_cost(16.0, 3)
    48.0
    """
    return sample_gpu_hours * price_per_gpu_hour


@step("s", "Compute time per step")
def step_compute_time(batch_size: float, sample_rate_per_gpu: float) -> float:
    """From one batch to the next where data is always ready [s]: the compute time of a data loader's step.

    >>> step_compute_time(400, 4000.0)
    0.1
    """
    return batch_size / sample_rate_per_gpu


@step("B/s", "Read rate of the job", rises_with=("sample_bytes",))
def sample_read_rate(sample_rate: float, sample_bytes: float) -> float:
    """Bandwidth that storage must deliver so that no GPU waits [B/s], without a cache.

    >>> sample_read_rate(27000.0, 115000.0)
    3105000000.0
    """
    return sample_rate * sample_bytes


@step("B", "Activations per GPU", binary=True, rises_with=("batch_size",))
def sample_activation_memory(
    batch_size: float, activation_values: float, activation_value_bytes: float, stored_activations: float
) -> float:
    """Memory of a batch's activations [B].

    >>> round(sample_activation_memory(32, 236_661_824, 2, 1.65) / 1e9, 1)  # published: 0.78 GB a sample
    25.0
    """
    return batch_size * activation_values * activation_value_bytes * stored_activations


@step("B", "Training state per GPU", binary=True, rises_with=("trained_parameters",))
def sample_state_memory(
    trained_parameters: float,
    trained_state_bytes: float,
    embedding_bytes: float,
    table_state_share: float,
    gpus: float,
) -> float:
    """Memory of weights, gradients and optimizer [B], whole on every GPU; of embedding tables and their state its part.

    >>> sample_state_memory(866e6, 16, 0, 0, 8), sample_state_memory(0, 16, 104e9, 1, 8)
    (13856000000.0, 26000000000.0)
    """
    return trained_parameters * trained_state_bytes + embedding_bytes * (1 + table_state_share) / gpus


@step("B", "GPU memory needed", binary=True)
def sample_memory(sample_state_memory: float, sample_activation_memory: float) -> float:
    """State and activations [B]; a framework's own buffers come on top.

    >>> sample_memory(5.2e9, 25.0e9) / 1e9  # published: 30.0 GB for Stable Diffusion, 32 samples per GPU
    30.2
    """
    return sample_state_memory + sample_activation_memory


@step("sample", "Largest batch per GPU that fits", not_applicable="none fits")
def largest_trained_batch(
    gpu_memory: float, sample_state_memory: float, sample_activation_memory: float, batch_size: float
) -> float | None:
    """Largest batch per GPU with 10% of GPU memory to spare [sample]; none where the state alone is too much.

    >>> largest_trained_batch(100.0, 10.0, 40.0, 4.0), largest_trained_batch(10.0, 10.0, 1.0, 1.0)
    (8, None)
    """
    room = FILL * gpu_memory - sample_state_memory
    if not sample_activation_memory:
        return None if room < 0 else batch_size
    found = math.floor(room * batch_size / sample_activation_memory * (1 + _ROUNDING))
    return found if found >= 1 else None


@step("B", "Checkpoint", rises_with=("trained_parameters", "embedding_bytes"))
def sample_checkpoint(trained_parameters: float, saved_bytes_per_parameter: float, embedding_bytes: float) -> float:
    """Size of a checkpoint [B], embedding tables whole.

    >>> sample_checkpoint(866e6, 12, 0)
    10392000000.0
    """
    return trained_parameters * saved_bytes_per_parameter + embedding_bytes


FORMULAS = formulas_of(globals())

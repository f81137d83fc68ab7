"""Formulas: time of a batch by arithmetic and memory traffic, GPUs for the traffic, latency, memory, money."""

import math

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.units import HOUR, MILLION

_EIGHT_BITS = 1.0  # bytes per value up to which the 8-bit rate is used
FILL = 0.9  # of GPU memory, that batch and tables are fitted into: the rest is the runtime's
_ROUNDING = 1e-9  # so that a ratio of exactly 4 is 4 GPUs
_BAND = facts.fact("sample-serving-band").spread or (1.0, 1.0)


@step("FLOP/s", "Peak in the precision served", rises_with=("peak_flops",))
def served_peak(peak_flops: float, peak_flops_fp8: float | None, served_value_bytes: float) -> float:
    """Dense rate of matrix products in the precision served [FLOP/s]: 16 bits where there is no 8-bit rate.

    >>> served_peak(989e12, 1979e12, 1) / 1e12, served_peak(989e12, 1979e12, 2) / 1e12, served_peak(312e12, None, 1)
    (1979.0, 989.0, 312000000000000.0)
    """
    return peak_flops if peak_flops_fp8 is None or served_value_bytes > _EIGHT_BITS else peak_flops_fp8


@step("1", "Forward passes per sample", rises_with=("denoising_steps", "passes_per_step"))
def passes_per_sample(denoising_steps: float, passes_per_step: float) -> float:
    """Forward passes of a sample: steps of a diffusion model, each with and without the prompt under guidance.

    >>> passes_per_sample(20, 2)
    40
    """
    return denoising_steps * passes_per_step


@step(
    "s",
    "Arithmetic of a pass",
    source="mlperf-inference-v4-1",
    rises_with=("serving_batch",),
    falls_with=("peak_flops",),
)
def forward_arithmetic_time(
    serving_batch: float, forward_flops: float, served_peak: float, serving_matrix_share: float
) -> float:
    """Time of a batch's convolutions and matrix products in one forward pass [s].

    >>> round(forward_arithmetic_time(2048, 8.22e9, 1979e12, 0.367) * 1e3, 2)  # ResNet-50 in 8 bits on an H100
    23.18
    """
    return serving_batch * forward_flops / (served_peak * serving_matrix_share)


@step("s", "Weights read in a pass", rises_with=("trained_parameters",), falls_with=("memory_bandwidth",))
def forward_weight_time(trained_parameters: float, served_value_bytes: float, memory_bandwidth: float) -> float:
    """Time in which the weights are read once, whatever the batch [s].

    >>> round(forward_weight_time(11.9e9, 2, 3.35e12) * 1e3, 1)
    7.1
    """
    return trained_parameters * served_value_bytes / memory_bandwidth


@step("s", "Activation traffic of a pass", rises_with=("serving_batch",), falls_with=("memory_bandwidth",))
def forward_activation_time(
    serving_batch: float,
    activation_values: float,
    served_value_bytes: float,
    serving_activation_passes: float,
    memory_bandwidth: float,
) -> float:
    """Time in which a batch's activations go to and from GPU memory [s].

    >>> round(forward_activation_time(2048, 11.11e6, 1, 2, 3.35e12) * 1e3, 2)
    13.58
    """
    return serving_batch * activation_values * served_value_bytes * serving_activation_passes / memory_bandwidth


@step("s", "Embedding lookups of a pass", rises_with=("serving_batch",), falls_with=("memory_bandwidth",))
def forward_lookup_time(
    serving_batch: float,
    embedding_read: float,
    served_embedding_share: float,
    lookup_share: float,
    memory_bandwidth: float,
) -> float:
    """Time in which a batch's embedding rows are read [s].

    >>> round(forward_lookup_time(2048, 109568, 0.5, 0.5, 3.35e12) * 1e6)
    67
    """
    return serving_batch * embedding_read * served_embedding_share / (lookup_share * memory_bandwidth)


@step("s", "Memory traffic of a pass", falls_with=("memory_bandwidth",))
def forward_memory_time(
    forward_weight_time: float, forward_activation_time: float, forward_lookup_time: float
) -> float:
    """Time of all memory traffic of one forward pass [s].

    >>> forward_memory_time(0.25, 0.5, 0.125)
    0.875
    """
    return forward_weight_time + forward_activation_time + forward_lookup_time


@step("s", "Time of a pass", rises_with=("serving_batch",))
def forward_time(forward_arithmetic_time: float, forward_memory_time: float) -> float:
    """Time of one forward pass of a batch [s]: arithmetic and memory traffic overlap, the longer one counts.

    >>> forward_time(2.0, 3.0)
    3.0
    """
    return max(forward_arithmetic_time, forward_memory_time)


@step("s", "Encoders and decoder of a batch", rises_with=("serving_batch", "once_flops"), falls_with=("peak_flops",))
def once_time(serving_batch: float, once_flops: float, peak_flops: float, serving_matrix_share: float) -> float:
    """Time of what runs once per sample, in 16 bits [s].

    >>> round(once_time(1, 10.47e12, 989e12, 0.367) * 1e3, 1)
    28.8
    """
    return serving_batch * once_flops / (peak_flops * serving_matrix_share)


@step("s", "Time of a batch", rises_with=("serving_batch", "denoising_steps"))
def serving_batch_time(
    passes_per_sample: float,
    forward_time: float,
    once_time: float,
    serving_batch: float,
    measured_serving_rate: float | None,
) -> float:
    """GPU time of a batch [s]: its forward passes and what runs once, or the batch at a measured speed.

    >>> serving_batch_time(40, 0.25, 0.5, 1, None), serving_batch_time(40, 0.25, 0.5, 32, 64.0)
    (10.5, 0.5)
    """
    if measured_serving_rate is not None:
        return serving_batch / measured_serving_rate
    return passes_per_sample * forward_time + once_time


@step("share", "Peak that the measured speed takes", not_applicable="not measured")
def measured_peak_share(
    measured_serving_rate: float | None, forward_flops: float, passes_per_sample: float, served_peak: float
) -> float | None:
    """FLOPs of the forward passes at the measured speed over the GPU's peak [share]; above 1 it is not possible.

    >>> measured_peak_share(1000.0, 5e9, 2, 100e12), measured_peak_share(None, 5e9, 2, 100e12)
    (0.1, None)
    """
    if measured_serving_rate is None:
        return None
    return measured_serving_rate * forward_flops * passes_per_sample / served_peak


@step("sample/s", "Samples/s per GPU, serving")
def serving_rate_per_gpu(serving_batch: float, serving_batch_time: float) -> float:
    """Samples per second of one GPU, one batch after the other [sample/s].

    >>> serving_rate_per_gpu(32, 0.5)
    64.0
    """
    return serving_batch / serving_batch_time


@step("GPU", "GPUs that hold the tables", rises_with=("embedding_bytes",))
def fewest_table_gpus(
    embedding_bytes: float, served_embedding_share: float, gpu_memory: float, whole_memory: float
) -> float:
    """Fewest GPUs of one replica that hold the embedding tables next to the rest [GPU]; 1 where there is no room.

    >>> fewest_table_gpus(104.5e9, 1, 85.9e9, 1e9), fewest_table_gpus(0, 1, 85.9e9, 1e9)
    (2, 1)
    >>> fewest_table_gpus(0, 1, 85.9e9, 90e9), fewest_table_gpus(1e9, 1, 85.9e9, 90e9)
    (1, 1)
    """
    room = FILL * gpu_memory - whole_memory
    tables = embedding_bytes * served_embedding_share
    if not tables or room <= 0:
        return 1  # more GPUs would not help: the verdict says that it does not fit
    return max(1, math.ceil(tables / room * (1 - _ROUNDING)))


@step("GPU", "GPUs for the rate alone", rises_with=("sample_request_rate",), falls_with=("target_utilization",))
def rate_gpus(sample_request_rate: float, serving_rate_per_gpu: float, target_utilization: float) -> float:
    """Fewest GPUs that carry the peak rate at the target utilization [GPU].

    >>> rate_gpus(1000, 100, 0.7), rate_gpus(70, 100, 0.7)
    (15, 1)
    """
    return max(1, math.ceil(sample_request_rate / (serving_rate_per_gpu * target_utilization) * (1 - _ROUNDING)))


@step("GPU", "GPUs needed", rises_with=("sample_request_rate",))
def sample_serving_gpus(rate_gpus: float, table_gpus: float) -> float:
    """GPUs in whole replicas [GPU].

    >>> sample_serving_gpus(15, 2), sample_serving_gpus(1, 4)
    (16, 4)
    """
    return math.ceil(rate_gpus / table_gpus) * table_gpus


@step("GPU", "GPUs needed, low end")
def sample_serving_gpus_at_least(
    sample_request_rate: float,
    serving_rate_per_gpu: float,
    target_utilization: float,
    table_gpus: float,
    measured_serving_rate: float | None,
) -> float:
    """GPUs at the fast end of published runs [GPU]; a measured speed has no range.

    >>> sample_serving_gpus_at_least(1000, 100, 0.7, 1, None), sample_serving_gpus_at_least(1000, 100, 0.7, 1, 100)
    (10, 15)
    """
    rate = serving_rate_per_gpu * (_BAND[1] if measured_serving_rate is None else 1)
    return sample_serving_gpus.function(rate_gpus.function(sample_request_rate, rate, target_utilization), table_gpus)


@step("GPU", "GPUs needed, high end")
def sample_serving_gpus_at_most(
    sample_request_rate: float,
    serving_rate_per_gpu: float,
    target_utilization: float,
    table_gpus: float,
    measured_serving_rate: float | None,
) -> float:
    """GPUs at the slow end of published runs [GPU].

    >>> sample_serving_gpus_at_most(1000, 100, 0.7, 1, None)
    20
    """
    rate = serving_rate_per_gpu * (_BAND[0] if measured_serving_rate is None else 1)
    return sample_serving_gpus.function(rate_gpus.function(sample_request_rate, rate, target_utilization), table_gpus)


@step("share", "GPU utilization at the peak")
def sample_serving_utilization(
    sample_request_rate: float, sample_serving_gpus: float, serving_rate_per_gpu: float
) -> float:
    """Share of the GPUs' capacity that the peak takes [share].

    >>> sample_serving_utilization(1000, 15, 100)
    0.6666666666666666
    """
    return sample_request_rate / (sample_serving_gpus * serving_rate_per_gpu)


@step("s", "Wait for a full batch")
def batch_fill_time(serving_batch: float, sample_serving_gpus: float, sample_request_rate: float) -> float:
    """Time from the first sample of a batch to its last, at the GPU's part of the peak rate [s].

    >>> batch_fill_time(33, 4, 64)
    2.0
    """
    return (serving_batch - 1) * sample_serving_gpus / sample_request_rate


@step("s", "Latency", rises_with=("forward_latency",))
def sample_latency(
    batch_fill_time: float, serving_batch_time: float, passes_per_sample: float, forward_latency: float
) -> float:
    """Time of the first sample of a batch, which waits longest [s]: batch fills, launches, GPU time.

    >>> sample_latency(0.25, 0.5, 10, 0.025)
    1.0
    """
    return batch_fill_time + passes_per_sample * forward_latency + serving_batch_time


@step("B", "Weights per GPU, served", binary=True, rises_with=("trained_parameters",))
def served_weights(trained_parameters: float, served_value_bytes: float) -> float:
    """Memory of the weights in the precision served, whole on every GPU [B].

    >>> served_weights(11_901_410_000, 2)  # FLUX.1-dev: 22.2 GiB of the 22.6 GiB measured
    23802820000
    """
    return trained_parameters * served_value_bytes


@step("B", "Activations of a batch, served", binary=True, rises_with=("serving_batch",))
def served_activations(
    serving_batch: float, activation_values: float, served_value_bytes: float, working_share: float
) -> float:
    """Memory of the activations that a batch keeps at once [B].

    >>> round(served_activations(1, 1_779_100_000, 2, 0.08) / 2**30, 2)  # SDXL: 0.27 GiB measured
    0.27
    """
    return serving_batch * activation_values * served_value_bytes * working_share


@step("B", "Memory besides tables", binary=True)
def whole_memory(served_weights: float, served_activations: float, companion_bytes: float) -> float:
    """Memory that every GPU needs besides its part of the tables [B].

    >>> whole_memory(8, 4, 2)
    14
    """
    return served_weights + served_activations + companion_bytes


@step("B", "Tables per GPU, served", binary=True, rises_with=("embedding_bytes",))
def served_tables(embedding_bytes: float, served_embedding_share: float, table_gpus: float) -> float:
    """Memory of a GPU's part of the embedding tables [B].

    >>> served_tables(104e9, 0.5, 2)
    26000000000.0
    """
    return embedding_bytes * served_embedding_share / table_gpus


@step("B", "GPU memory needed, serving", binary=True)
def serving_memory(whole_memory: float, served_tables: float) -> float:
    """Weights, activations, tables and other models on one GPU [B].

    >>> serving_memory(14, 26)
    40
    """
    return whole_memory + served_tables


@step("sample", "Largest batch that fits", not_applicable="none fits")
def largest_serving_batch(
    gpu_memory: float,
    served_weights: float,
    companion_bytes: float,
    served_tables: float,
    served_activations: float,
    serving_batch: float,
) -> float | None:
    """Largest batch with 10% of GPU memory to spare [sample]; none where weights and tables alone are too much.

    >>> largest_serving_batch(100.0, 10.0, 0.0, 20.0, 12.0, 4.0), largest_serving_batch(10.0, 10.0, 0.0, 0.0, 1.0, 1.0)
    (20, None)
    """
    room = FILL * gpu_memory - served_weights - companion_bytes - served_tables
    if not served_activations:
        return None if room < 0 else serving_batch
    found = math.floor(room / (served_activations / serving_batch) * (1 + _ROUNDING))
    return found if found >= 1 else None


@step("USD", "Cost per hour", rises_with=("price_per_gpu_hour",))
def serving_cost_per_hour(sample_serving_gpus: float, price_per_gpu_hour: float) -> float:
    """Rent of the GPUs for an hour [USD].

    >>> serving_cost_per_hour(16, 3)
    48
    """
    return sample_serving_gpus * price_per_gpu_hour


@step("USD", "Per million samples", rises_with=("price_per_gpu_hour",))
def cost_per_million_samples(serving_cost_per_hour: float, sample_request_rate: float) -> float:
    """Rent of a million samples at the peak rate [USD]; at a lower average rate each costs more.

    >>> cost_per_million_samples(36.0, 1000.0)
    10.0
    """
    return serving_cost_per_hour / (sample_request_rate * HOUR) * MILLION


FORMULAS = formulas_of(globals())

"""Inputs of serving in samples: work of a sample, precision, traffic, the device."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import computed, not_applicable, quantity
from calculators.vocabulary import money, samples
from calculators.vocabulary.accelerators import gpu_memory, memory_bandwidth, narrow_peak_flops, peak_flops
from calculators.vocabulary.groups import MODEL, PRECISION
from calculators.vocabulary.serving import target_utilization

TRAFFIC, FLEET, SPEED, MEMORY = "traffic", "fleet", "speed", "memory"


def _fitted(key: str, unit: str, label: str, hard: tuple[float, float], slider: tuple[float, float], about: str) -> Any:
    return quantity(facts.fact(key), unit, label, hard=hard, slider=slider, help=about, group=SPEED)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of serving beyond language models, in base units (FLOP, B, s, USD, shares)."""

    trained_parameters: float = samples.trained_parameters()
    forward_flops: float = samples.forward_flops()
    activation_values: float = samples.activation_values()
    embedding_bytes: float = samples.embedding_bytes()
    embedding_read: float = samples.embedding_read()
    denoising_steps: float = quantity(
        1,
        "1",
        "Denoising steps",
        hard=(1, 10_000),
        slider=(1, 100),
        whole=True,
        help="Of a diffusion model, per sample; 1 for others.",
        group=MODEL,
    )
    passes_per_step: float = quantity(
        1,
        "1",
        "Forward passes per step",
        hard=(1, 100),
        slider=(1, 4),
        whole=True,
        help="2 with classifier-free guidance: one pass with the prompt, one without.",
        group=MODEL,
    )
    once_flops: float = quantity(
        0,
        "FLOP/sample",
        "FLOPs once per sample",
        hard=(0, 1e18),
        slider=(0, 1e14),
        help="Encoders and decoders that run once, in 16 bits: the image decoder of a diffusion model.",
        group=MODEL,
    )
    served_value_bytes: float = quantity(
        2,
        "B",
        "Bytes per value served",
        hard=(0.5, 4),
        slider=(1, 4),
        help="Weights and activations: 2 in bf16 and fp16, 1 in FP8 and INT8. 1 or less uses the GPU's 8-bit rate.",
        group=PRECISION,
    )
    served_embedding_share: float = quantity(
        1,
        "share",
        "Embedding rows served, of their trained size",
        hard=(0.01, 1),
        slider=(0.1, 1),
        help="1/2 for tables trained in 32 bits and served in 16, 1/4 in 8.",
        group=PRECISION,
    )
    sample_request_rate: float = quantity(
        100_000,
        "sample/s",
        "Samples per second",
        hard=(1e-6, 1e12),
        slider=(0.1, 1e6),
        scale="log",
        help="In the peak hour, over all GPUs: images, or user-item pairs that a recommender ranks.",
        group=TRAFFIC,
    )
    sample_latency_target: float = quantity(
        0.1,
        "s",
        "Latency target",
        hard=(1e-4, 1e5),
        slider=(0.005, 60),
        scale="log",
        help="From a sample's arrival to its result, for the first sample of a batch, which waits longest.",
        group=TRAFFIC,
    )
    serving_batch: float = quantity(
        32,
        "sample",
        "Batch per GPU",
        hard=(1, 1e7),
        slider=(1, 4096),
        scale="log",
        whole=True,
        help="Samples that one GPU processes at once; dynamic batching waits until so many have arrived.",
        group=TRAFFIC,
    )
    target_utilization: float = target_utilization(group=FLEET)
    table_gpus: float = quantity(
        computed("fewest_table_gpus", "fewest that hold the tables"),
        "GPU",
        "GPUs that share the embedding tables",
        hard=(1, 1e6),
        slider=(1, 64),
        scale="log",
        whole=True,
        help="One replica: each of its GPUs holds a part of the tables and the whole of the rest.",
        group=FLEET,
    )
    measured_serving_rate: float | None = quantity(
        not_applicable("calculated"),
        "sample/s",
        "Measured samples/s per GPU, serving",
        hard=(1e-9, 1e12),
        slider=(0.1, 1e6),
        scale="log",
        help="From trtexec, perf_analyzer or a load test at this batch; it replaces the calculated speed.",
        group=FLEET,
    )
    price_per_gpu_hour: float = money.price_per_gpu_hour(group=FLEET)
    peak_flops: float = peak_flops()
    peak_flops_fp8: float | None = narrow_peak_flops(8, 20e15)
    memory_bandwidth: float = memory_bandwidth()
    gpu_memory: float = gpu_memory()
    serving_matrix_share: float = _fitted(
        "sample-serving-share",
        "share",
        "Share of peak in matrix work, serving",
        (0.001, 1),
        (0.1, 0.9),
        "Of convolutions and matrix products, at the peak of the precision served.",
    )
    serving_activation_passes: float = _fitted(
        "sample-serving-passes",
        "1",
        "Memory passes over activations, serving",
        (0, 1000),
        (1, 10),
        "2 where norms and activations are fused into the layer before them.",
    )
    lookup_share: float = _fitted(
        "sample-lookup-share",
        "share",
        "Memory bandwidth of lookups",
        (0.01, 1),
        (0.1, 1),
        "Share of the GPU's memory bandwidth that reads of single rows reach.",
    )
    forward_latency: float = _fitted(
        "sample-forward-latency",
        "s",
        "Fixed time per forward pass",
        (0, 10),
        (0, 0.01),
        "Launches and small kernels; it adds to latency, and is hidden in throughput by a second batch in flight.",
    )
    working_share: float = quantity(
        facts.fact("sample-working-share"),
        "share",
        "Activations kept at once",
        hard=(0.0001, 1),
        slider=(0.01, 0.5),
        help="Serving frees what no later layer reads; training keeps all of it.",
        group=MEMORY,
    )
    companion_bytes: float = quantity(
        0,
        "B",
        "Other models in GPU memory",
        hard=(0, 1e13),
        slider=(0, 100e9),
        binary=True,
        help="Text encoders, image decoders, other versions, and the runtime's own buffers.",
        group=MEMORY,
    )

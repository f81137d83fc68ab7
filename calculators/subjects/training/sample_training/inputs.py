"""Inputs of training in samples: work of a sample, the run, the device, storage."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import computed, not_applicable, placed, quantity
from calculators.vocabulary import money
from calculators.vocabulary.accelerators import gpu_memory, gpus, memory_bandwidth, peak_flops
from calculators.vocabulary.groups import MODEL, RUN
from calculators.vocabulary.storage import DATA, sample_bytes

DEFAULT_MODEL = "sample-model-resnet-50"
SPEED, MEMORY = "speed", "memory"


def _of(field: str) -> Any:
    return facts.fact(f"{DEFAULT_MODEL}.{field}").value


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of training beyond language models, in base units (FLOP, B, s, USD, shares)."""

    trained_parameters: float = quantity(
        _of("trained_parameters"),
        "parameter",
        "Parameters outside embedding tables",
        hard=(1e3, 1e15),
        slider=(1e6, 1e12),
        scale="log",
        help="All of them are trained, and every GPU holds them.",
        group=MODEL,
    )
    forward_flops: float = quantity(
        _of("forward_flops"),
        "FLOP/sample",
        "FLOPs of a forward pass",
        hard=(1e3, 1e18),
        slider=(1e9, 1e14),
        scale="log",
        help="Twice the multiply-accumulate operations (MACs) that tables print, at the size of input in use.",
        group=MODEL,
    )
    activation_values: float = quantity(
        _of("activation_values"),
        "1",
        "Activation values per sample",
        hard=(0, 1e14),
        slider=(1e6, 1e10),
        scale="log",
        help="Outputs of all convolutions and linear layers, as timm counts them.",
        group=MODEL,
    )
    embedding_bytes: float = quantity(
        0,
        "B",
        "Embedding tables",
        hard=(0, 1e16),
        slider=(0, 1e13),
        help="Of a recommender, split over all GPUs.",
        group=MODEL,
    )
    embedding_read: float = quantity(
        0,
        "B",
        "Embedding rows per sample",
        hard=(0, 1e9),
        slider=(0, 1e6),
        help="Lookups times the bytes of a row.",
        group=MODEL,
    )
    samples_trained: float = quantity(
        _of("samples_trained"),
        "sample",
        "Training samples",
        hard=(1, 1e15),
        slider=(1e5, 1e11),
        scale="log",
        help="Every sample the model sees: data set times epochs, until the target is reached.",
        group=RUN,
    )
    gpus: float = placed(gpus(8), RUN)
    batch_size: float = quantity(
        _of("batch_size"),
        "sample",
        "Batch size per GPU",
        hard=(1, 1e6),
        slider=(1, 1024),
        scale="log",
        whole=True,
        help="Samples that one GPU processes in one step.",
        group=RUN,
    )
    scaling_efficiency: float = quantity(
        computed("typical_scaling", "typical"),
        "share",
        "Scaling efficiency",
        hard=(0.01, 1),
        slider=(0.4, 1),
        help="Speed per GPU at this number of GPUs over that of one server.",
        group=RUN,
    )
    measured_sample_rate: float | None = quantity(
        not_applicable("calculated"),
        "sample/s",
        "Measured samples/s per GPU",
        hard=(1e-9, 1e9),
        slider=(0.1, 10_000),
        scale="log",
        help="From a training log; it replaces the calculated speed.",
        group=RUN,
    )
    goodput: float = money.goodput(group=RUN)
    price_per_gpu_hour: float = money.price_per_gpu_hour(group=RUN)
    sample_bytes: float = placed(sample_bytes(_of("sample_bytes")), DATA)
    peak_flops: float = peak_flops()
    memory_bandwidth: float = memory_bandwidth()
    gpu_memory: float = gpu_memory()
    matrix_work_share: float = quantity(
        facts.fact("sample-matrix-work-share"),
        "share",
        "Share of peak in matrix work",
        hard=(0.001, 1),
        slider=(0.1, 0.9),
        help="Of convolutions and matrix products alone, without the time of memory traffic.",
        group=SPEED,
    )
    activation_passes: float = quantity(
        facts.fact("sample-activation-passes"),
        "1",
        "Memory passes over activations",
        hard=(0, 1000),
        slider=(1, 40),
        help="How often activations are read or written in a step: forward, norms, backward, gradients.",
        group=SPEED,
    )
    embedding_passes: float = quantity(
        3,
        "1",
        "Memory passes over embedding rows",
        hard=(1, 100),
        slider=(1, 10),
        help="Read forward; read and written again in the update.",
        group=SPEED,
    )
    activation_value_bytes: float = quantity(
        2, "B", "Bytes per activation value", hard=(0.5, 8), slider=(1, 4), help="2 in mixed precision.", group=MEMORY
    )
    trained_state_bytes: float = quantity(
        16,
        "B/parameter",
        "Training state per parameter",
        hard=(2, 64),
        slider=(6, 20),
        help="Weights, gradients and optimizer: 16 B with Adam in mixed precision, 12 B with momentum.",
        group=MEMORY,
    )
    saved_bytes_per_parameter: float = quantity(
        12,
        "B/parameter",
        "Checkpoint per parameter",
        hard=(1, 64),
        slider=(2, 16),
        help="The training state without weights and gradients in 16 bits.",
        group=MEMORY,
    )

"""Inputs of training in samples: work of a sample, the run, the device, storage."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import not_applicable, placed, quantity
from calculators.vocabulary import money, samples
from calculators.vocabulary.accelerators import (
    gpu_memory,
    gpus,
    link_bandwidth,
    matrix_reach,
    memory_bandwidth,
    peak_flops,
)
from calculators.vocabulary.groups import MODEL, RUN
from calculators.vocabulary.links import gpus_per_domain, nic_bandwidth
from calculators.vocabulary.precision import Precision, speedup, training_precision
from calculators.vocabulary.storage import DATA, sample_bytes

SPEED, MEMORY, LINKS = "speed", "memory", "links"
_of = samples.of_default_model


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of training beyond language models, in base units (FLOP, B, s, USD, shares)."""

    trained_parameters: float = samples.trained_parameters()
    forward_flops: float = samples.forward_flops()
    activation_values: float = samples.activation_values()
    embedding_bytes: float = samples.embedding_bytes()
    embedding_read: float = samples.embedding_read()
    embedding_exchange: float = quantity(
        0,
        "B",
        "Embedding vectors sent per sample",
        hard=(0, 1e9),
        slider=(0, 1e5),
        help="Pooled vectors to where the sample is, and their gradients back: tables x values x bytes x 2.",
        group=MODEL,
    )
    untrained_passes: float = quantity(
        0,
        "1",
        "Forward passes without gradient",
        hard=(0, 1000),
        slider=(0, 8),
        help="Per sample, before the pass that is trained: recycling of protein folding takes 1.5 on average.",
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
        facts.fact("sample-scaling-efficiency"),
        "share",
        "Scaling efficiency",
        hard=(0.01, 1),
        slider=(0.4, 1),
        help="Speed per GPU at this number of GPUs over that of one server, with the same batch per GPU.",
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
    training_precision: Precision = training_precision()
    fp8_speedup: float | None = speedup(8)
    fp4_speedup: float | None = speedup(4)
    memory_bandwidth: float = memory_bandwidth()
    gpu_memory: float = gpu_memory()
    link_bandwidth: float = link_bandwidth(LINKS)
    gpus_per_domain: float = gpus_per_domain(LINKS)
    nic_bandwidth: float = nic_bandwidth(LINKS)
    matrix_work_share: float = quantity(
        facts.fact("sample-matrix-work-share"),
        "share",
        "Share of peak in matrix work",
        hard=(0.001, 1),
        slider=(0.1, 0.9),
        help="Of convolutions and matrix products alone, without the time of memory traffic. A model of the menu has "
        "its own, fitted on published runs.",
        group=SPEED,
    )
    matrix_reach: float = matrix_reach(SPEED)
    fixed_step_time: float = quantity(
        facts.fact("sample-fixed-step-time"),
        "s",
        "Fixed time of a step",
        hard=(0, 60),
        slider=(0, 0.1),
        help="However small the batch: launches of kernels, the optimizer, and of the gradients' exchange what the "
        "backward pass does not hide.",
        group=SPEED,
    )
    activation_passes: float = quantity(
        facts.fact("sample-activation-passes"),
        "1",
        "Memory passes over activations",
        hard=(0, 1000),
        slider=(1, 200),
        help="How often activations are read or written in a step: forward, norms, backward, gradients. Protein "
        "folding takes about 100, launches of its small kernels among them.",
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
    shortest_run_time: float = quantity(
        facts.fact("sample-speed-band.shortest"),
        "1",
        "Training time of fast runs ÷ calculated",
        hard=(0.01, 1),
        slider=(0.5, 1),
        help="The low end of the range: of published runs that were not fitted, by model.",
        group=SPEED,
    )
    longest_run_time: float = quantity(
        facts.fact("sample-speed-band.longest"),
        "1",
        "Training time of slow runs ÷ calculated",
        hard=(1, 100),
        slider=(1, 3),
        help="The high end of the range.",
        group=SPEED,
    )
    activation_value_bytes: float = quantity(
        2, "B", "Bytes per activation value", hard=(0.5, 8), slider=(1, 4), help="2 in mixed precision.", group=MEMORY
    )
    stored_activations: float = quantity(
        facts.fact("sample-stored-activations"),
        "1",
        "Stored activations ÷ layer outputs",
        hard=(0, 10),
        slider=(0.2, 2),
        help="Outputs of norms and activation functions are kept for the backward pass too. Below 1 where blocks are "
        "recomputed.",
        group=MEMORY,
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
    table_state_share: float = quantity(
        0,
        "share",
        "Optimizer state of the tables",
        hard=(0, 4),
        slider=(0, 2),
        help="Over the size of the embedding tables: none with SGD, 1/128 with row-wise Adagrad on rows of 128 "
        "values, 100% with Adagrad, 200% with Adam.",
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

"""Training beyond language models: time, memory and read rate of a run that is counted in samples."""

from calculators.declare import Calculator
from calculators.declare.pictures import Bars, bar
from calculators.subjects.training.sample_training import formulas, verdicts, warnings
from calculators.subjects.training.sample_training.inputs import LINKS, MEMORY, SPEED, Inputs
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import MACHINE, MODEL, RUN
from calculators.vocabulary.precision import PRECISION_FORMULAS, SPEEDUPS
from calculators.vocabulary.samples import sample_model_preset
from calculators.vocabulary.storage import DATA

_MODEL = ("trained_parameters", "forward_flops", "activation_values")
_OPTIONAL = (
    *("embedding_bytes", "embedding_read", "embedding_exchange", "untrained_passes", "activation_passes"),
    *("samples_trained", "batch_size", "sample_bytes"),
    *("matrix_work_share", "fixed_step_time", "stored_activations", "shortest_run_time", "longest_run_time"),
)
_DEVICE = ("link_bandwidth", "gpus_per_domain", "matrix_reach", "price_per_gpu_hour", *SPEEDUPS)

CALCULATOR = Calculator(
    name="sample_training",
    title="Training beyond LLMs",
    question="How long do vision, recommender and science models train?",
    answer=(
        "Training on {samples_trained} takes **{sample_run_time}** on {gpus}: {sample_rate_per_gpu} per GPU, "
        "{sample_gpu_hours}, {sample_run_cost}. Storage must deliver **{sample_read_rate}**; a GPU needs "
        "{sample_memory}."
    ),
    unanswered=verdicts.unanswered,
    inputs_type=Inputs,
    formulas=(*PRECISION_FORMULAS, *formulas.FORMULAS, *verdicts.FORMULAS, *warnings.FORMULAS),
    headline=(
        *("sample_run_time", "sample_rate", "sample_rate_per_gpu", "sample_gpu_hours", "sample_run_cost"),
        *("sample_read_rate", "sample_memory", "largest_trained_batch", "sample_mfu", "step_compute_time"),
        "sample_checkpoint",
    ),
    bands={"sample_run_time": ("sample_run_time_at_least", "sample_run_time_at_most")},
    first_sliders=("samples_trained", "gpus", "batch_size"),
    presets=(
        sample_model_preset(*_MODEL, secondary=_OPTIONAL, known=("samples_trained",)),
        accelerator_preset("peak_flops", "memory_bandwidth", "gpu_memory", optional=_DEVICE),
    ),
    groups={
        MODEL: "Model",
        RUN: "Run",
        DATA: "Training data",
        MACHINE: "GPU",
        LINKS: "Links",
        SPEED: "Speed",
        MEMORY: "Memory and checkpoint",
    },
    assumptions=(
        "Backward takes twice the FLOPs of forward; matrix work and memory traffic do not overlap.",
        "A model of the menu has its own share of peak and fixed time of a step, fitted on published runs of it.",
        "A model that is typed in has the share of ResNet-50 and 3D U-Net, a typical fixed time and a wide range.",
        "The share of peak is the same in every precision, and activations stay in 16 bits.",
        "Every GPU holds the whole model; embedding tables are split over all GPUs.",
        "No activation is recomputed, but for blocks of AlphaFold 2.",
    ),
    omits=(
        "Exchange of gradients, but for what is in the fixed time of a step and the scaling efficiency.",
        "Samples shared by several GPUs, as protein folding does on many hundreds.",
        "Encoders that run with the trained model, such as those of text and images in diffusion.",
        "Decoding and augmentation of samples: see the data loader.",
    ),
    picture=Bars(
        title="Time of a sample on one GPU",
        rows=(
            bar("Arithmetic", sample_arithmetic_time="work"),
            bar("Memory traffic", sample_memory_time="activations"),
            bar("Embedding rows", sample_embedding_time="weights"),
            bar("Embedding exchange", sample_exchange_time="write"),
            bar("Fixed time of a step", sample_fixed_time="stall"),
        ),
    ),
)

"""Trainable state in a checkpoint: the whole model, or only the adapters of a fine-tuning job."""

from typing import Any

from calculators.declare import computed, constraint, quantity, step, warning
from calculators.llm.adapters import ADAPTERS, Job, Targets, attention_adapters, block_adapters
from calculators.llm.parts import AttentionHeads, FeedForward, LatentAttention, Mixture
from calculators.llm.shape import likely_shape
from calculators.vocabulary.groups import MODEL


def trainable_parameters() -> Any:
    """Parameters whose state is in a checkpoint."""
    return quantity(
        (
            computed("typical_trainable_parameters", "typical for this size and job", when=("job",)),
            computed("parameters", "all parameters"),
        ),
        "parameter",
        "Trainable parameters",
        hard=(1, 1e15),
        slider=(1e6, 2e12),
        scale="log",
        help="Parameters with optimizer state, which are in the checkpoint: with LoRA and QLoRA only the adapters. "
        "Adapters of a mixture of experts are many times those of a dense model: Training memory counts them.",
        group=MODEL,
    )


@step("parameter", "Typical trainable parameters")
def typical_trainable_parameters(job: Job, parameters: float, lora_rank: float, lora_targets: Targets) -> float:
    """All parameters, or the adapters of a dense model of this size and typical shape [parameter].

    >>> typical_trainable_parameters("full", 70e9, 16, "all")
    70000000000.0
    """
    return _likely_adapters(parameters, lora_rank, lora_targets) if job in ADAPTERS else parameters


@constraint("trainable_parameters", speaks="parameters=7B&trainable_parameters=8B", silent="")
def no_more_trained_than_there_are(trainable_parameters: float, parameters: float, job: Job) -> str:
    """Trainable parameters exceed the model's parameters."""
    if trainable_parameters <= parameters:
        return ""
    smaller = "; a smaller rank has fewer" if job in ADAPTERS else ""
    return f"Trainable parameters must be at most all {{parameters}}, not {{trainable_parameters}}{smaller}"


@warning(speaks="model=deepseek-v3&job=lora", silent="job=lora")
def experts_have_adapters(
    job: Job, experts: float, trainable_parameters: float, typical_trainable_parameters: float
) -> str:
    """Adapters of a mixture of experts, counted in the typical shape of a dense model."""
    if job not in ADAPTERS or experts <= 1 or trainable_parameters != typical_trainable_parameters:
        return ""
    return (
        "{trainable_parameters} are the adapters of a dense model of this size; with {experts} per layer there are "
        "several times as many. Training memory counts them: enter its figure, or follow its link to this page."
    )


def _likely_adapters(parameters: float, lora_rank: float, lora_targets: Targets) -> float:
    """Adapters of a dense model of this size and typical shape [parameter]."""
    shape = likely_shape(parameters)
    hidden, layers, head_dim, ffn = (shape[name] for name in ("hidden", "layers", "head_dim", "ffn_hidden"))
    heads = AttentionHeads(shape["heads"], shape["kv_heads"], head_dim, head_dim)
    attention = attention_adapters(lora_rank, lora_targets, hidden, heads, LatentAttention(0, 0, 0, 0))
    dense = FeedForward(hidden, ffn, ffn, matrices=3, layers=layers, expert_layers=0)
    blocks = block_adapters(lora_rank, lora_targets, dense, Mixture(0, 0, hidden))
    return float(layers * attention + blocks)


FORMULAS = (typical_trainable_parameters, experts_have_adapters, no_more_trained_than_there_are)

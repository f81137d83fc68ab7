"""What of a model a save holds: all of it, or the adapters that were trained beside it."""

from typing import Any

from calculators.declare import computed, constraint, quantity, step, warning
from calculators.llm.adapters import ADAPTERS, Job, Targets, attention_adapters, block_adapters
from calculators.llm.shape import likely_shape
from calculators.vocabulary.inputs import MODEL


def trainable_parameters() -> Any:
    """Parameters whose state a save holds."""
    return quantity(
        (
            computed("likely_trainable_parameters", "likely for this size and job", when=("job",)),
            computed("parameters", "all of them"),
        ),
        "parameter",
        "Trainable parameters",
        hard=(1, 1e15),
        slider=(1e6, 2e12),
        scale="log",
        help="What has an optimizer's state and is saved: with LoRA and QLoRA the adapters alone. "
        "Those of a mixture's experts are many times a dense model's: training memory counts them.",
        group=MODEL,
    )


@step("parameter", "Likely trainable parameters")
def likely_trainable_parameters(job: Job, parameters: float, lora_rank: float, lora_targets: Targets) -> float:
    """All parameters, or the adapters of a dense model of this size in the likely shape [parameter].

    >>> likely_trainable_parameters("full", 70e9, 16, "all")
    70000000000.0
    """
    return _likely_adapters(parameters, lora_rank, lora_targets) if job in ADAPTERS else parameters


@constraint("trainable_parameters")
def no_more_trained_than_there_are(trainable_parameters: float, parameters: float, job: Job) -> str:
    """What is trained is a part of the model, or stands beside it and is smaller."""
    if trainable_parameters <= parameters:
        return ""
    smaller = ": a smaller rank has fewer" if job in ADAPTERS else ""
    return f"Trainable parameters must be at most all {{parameters}}, not {{trainable_parameters}}{smaller}"


@warning
def experts_have_adapters(
    job: Job, experts: float, trainable_parameters: float, likely_trainable_parameters: float
) -> str:
    """Adapters of a mixture, counted in the likely shape of a dense model."""
    if job not in ADAPTERS or experts <= 1 or trainable_parameters != likely_trainable_parameters:
        return ""
    return (
        "Counted here are the adapters of a dense model of this size, {trainable_parameters}; for one with {experts} "
        "in a layer that is several times off. Training memory counts them: give what it says, or come from there."
    )


def _likely_adapters(parameters: float, lora_rank: float, lora_targets: Targets) -> float:
    """The adapters of a dense model of this size in the likely shape [parameter]."""
    shape = likely_shape(parameters)
    hidden, layers, head_dim, ffn = (shape[name] for name in ("hidden", "layers", "head_dim", "ffn_hidden"))
    no_latents = dict.fromkeys(("q_lora_rank", "kv_lora_rank", "rope_head_dim", "nope_head_dim"), 0)
    attention = attention_adapters.function(
        lora_rank, lora_targets, hidden, shape["heads"], shape["kv_heads"], head_dim, head_dim, **no_latents
    )
    no_experts = dict.fromkeys(("expert_layers", "experts", "shared_experts"), 0)
    widths = {"hidden": hidden, "expert_hidden": hidden, "ffn_hidden": ffn, "dense_ffn_hidden": ffn}
    blocks = block_adapters.function(lora_rank, lora_targets, layers, gated=True, **no_experts, **widths)
    return float(layers * attention + blocks)


FORMULAS = (likely_trainable_parameters, experts_have_adapters, no_more_trained_than_there_are)

"""Trainable state in a checkpoint: the whole model, or only the adapters of a fine-tuning job."""

from typing import Any

from calculators.declare import computed, constraint, quantity, step
from calculators.llm.adapters import (
    ADAPTERS,
    Job,
    adapter_parameters,
    attention_adapters,
    block_adapters,
    rank_within_matrices,
)
from calculators.llm.parts import PARTS
from calculators.llm.shape import BY_ALL_PARAMETERS
from calculators.llm.size import even_head_dim, expert_layers, usual_ffn_hidden
from calculators.vocabulary.groups import MODEL

DIMENSIONS = (
    *("layers", "block_layers", "hidden", "heads", "kv_heads", "head_dim", "ffn_hidden", "gated"),
    *("experts", "shared_experts", "expert_hidden", "dense_layers", "dense_ffn_hidden"),
    *("q_lora_rank", "kv_lora_rank", "rope_head_dim", "nope_head_dim", "v_head_dim"),
)
"""Inputs from which adapters are counted, and which the menu of models fills."""


def trainable_parameters() -> Any:
    """Parameters whose state is in a checkpoint."""
    return quantity(
        (
            computed("typical_trainable_parameters", "of this job", when=("job",)),
            computed("parameters", "all parameters"),
        ),
        "parameter",
        "Trainable parameters",
        hard=(1, 1e15),
        slider=(1e6, 2e12),
        scale="log",
        help="Parameters with optimizer state, which are in the checkpoint: with LoRA and QLoRA only the adapters.",
        group=MODEL,
    )


@step("parameter", "Typical trainable parameters", source="lora")
def typical_trainable_parameters(job: Job, parameters: float, adapter_parameters: float) -> float:
    """All parameters, or those of the adapters, counted from the model's dimensions [parameter].

    >>> typical_trainable_parameters("full", 70e9, 0), typical_trainable_parameters("lora", 70e9, 207e6)
    (70000000000.0, 207000000.0)
    """
    return adapter_parameters if job in ADAPTERS else parameters


@constraint("trainable_parameters", speaks="parameters=7B&trainable_parameters=8B", silent="")
def no_more_trained_than_there_are(trainable_parameters: float, parameters: float, job: Job) -> str:
    """Trainable parameters exceed the model's parameters."""
    if trainable_parameters <= parameters:
        return ""
    smaller = "; a smaller rank has fewer" if job in ADAPTERS else ""
    return f"Trainable parameters must be at most all {{parameters}}, not {{trainable_parameters}}{smaller}"


FORMULAS = (
    *PARTS,
    expert_layers,
    even_head_dim,
    usual_ffn_hidden,
    *BY_ALL_PARAMETERS,
    attention_adapters,
    block_adapters,
    adapter_parameters,
    typical_trainable_parameters,
    rank_within_matrices,
    no_more_trained_than_there_are,
)

"""Catalog of calculators by subject, in the order of the site, which pages, menus and tests follow."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

from calculators.declare import Calculator, Quantity, computed, join
from calculators.subjects.facility.power import calculator as power
from calculators.subjects.money.cost import calculator as cost
from calculators.subjects.network.collectives import calculator as collectives
from calculators.subjects.network.fabric import calculator as fabric
from calculators.subjects.post_training.post_training import calculator as post_training
from calculators.subjects.retrieval.retrieval import calculator as retrieval
from calculators.subjects.serving.inference import calculator as inference
from calculators.subjects.serving.kv_cache import calculator as kv_cache
from calculators.subjects.serving.sample_inference import calculator as sample_inference
from calculators.subjects.storage.checkpoint import calculator as checkpoint
from calculators.subjects.storage.data_lifecycle import calculator as data_lifecycle
from calculators.subjects.storage.data_loader import calculator as data_loader
from calculators.subjects.storage.goodput import calculator as goodput
from calculators.subjects.storage.goodput import measured
from calculators.subjects.storage.storage_demand import calculator as storage_demand
from calculators.subjects.training.sample_training import calculator as sample_training
from calculators.subjects.training.training_memory import calculator as training_memory
from calculators.subjects.training.training_time import calculator as training_time


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Subject of the calculators of one folder; not shown while it has none."""

    title: str
    calculators: tuple[Calculator, ...]


SUBJECTS = (
    Subject(
        title="Training",
        calculators=(training_memory.CALCULATOR, training_time.CALCULATOR, sample_training.CALCULATOR),
    ),
    Subject(title="Post-training", calculators=(post_training.CALCULATOR,)),
    Subject(title="Serving", calculators=(inference.CALCULATOR, kv_cache.CALCULATOR, sample_inference.CALCULATOR)),
    Subject(title="Retrieval", calculators=(retrieval.CALCULATOR,)),
    Subject(
        title="Storage",
        calculators=(
            checkpoint.CALCULATOR,
            goodput.CALCULATOR,
            storage_demand.CALCULATOR,
            data_loader.CALCULATOR,
            data_lifecycle.CALCULATOR,
        ),
    ),
    Subject(title="Network", calculators=(fabric.CALCULATOR, collectives.CALCULATOR)),
    Subject(title="Power and cooling", calculators=(power.CALCULATOR,)),
    Subject(title="Money", calculators=(cost.CALCULATOR,)),
)

# Where calculators ask the same with different defaults, the one whose default is used when they are joined.
PREFERRED_DEFAULTS: Mapping[str, str] = MappingProxyType(
    {
        name: leader
        for leader, names in {
            "training_time": (
                "model parameters active_parameters gpus recompute layers hidden heads kv_heads head_dim ffn_hidden"
            ),
            "training_memory": "sequence_length data_parallel",
            "goodput": "checkpoint_interval persist_every",
            "kv_cache": "kv_lora_rank rope_head_dim nope_head_dim",
            "checkpoint": "cold_checkpoints",
            "inference": "request_rate input_tokens output_tokens serving_tensor_parallel",
            "power": "gpu_power host_power_per_gpu pue",
            "cost": "money_per egress egress_per_gb operations",
            "data_loader": "batch_size",
            "storage_demand": "workload samples_per_second sample_bytes growth_years",
        }.items()
        for name in names.split()
    }
)


# What is asked of one calculator and answered by another under a name of its own: storage is sized from what GPUs would
# eat, never from what a loader on that storage reaches; what supports GPU servers is counted where there is a fabric.
JOINED_INPUTS: Mapping[str, Quantity] = MappingProxyType(
    {
        # One machine is used for one share of the hours: power's year of training is cost's hours in use.
        "utilization_of_year": dataclasses.replace(
            cast("Quantity", power.CALCULATOR.inputs["utilization_of_year"]),
            fallbacks=(computed("utilization", "from utilization"),),
        ),
        "samples_per_second": dataclasses.replace(
            cast("Quantity", storage_demand.CALCULATOR.inputs["samples_per_second"]),
            fallbacks=(computed("gpu_rate", "consumption per GPU", over_menu=True),),
        ),
        "support_share": dataclasses.replace(
            cast("Quantity", power.CALCULATOR.inputs["support_share"]),
            fallbacks=(computed("counted_support_share", "counted, fabric included"),),
        ),
        # A prompt has what is retrieved in it where there is a corpus to search.
        "input_tokens": dataclasses.replace(
            cast("Quantity", inference.CALCULATOR.inputs["input_tokens"]),
            fallbacks=(
                computed("augmented_prompt", "with what is retrieved", when=("documents", "vectors")),
                *cast("Quantity", inference.CALCULATOR.inputs["input_tokens"]).fallbacks,
            ),
        ),
        # The published utilization is used unless that of the kernels is given, which a profile shows.
        "mfu": dataclasses.replace(
            cast("Quantity", training_time.CALCULATOR.inputs["mfu"]),
            fallbacks=(
                computed("layout_mfu", "from kernels, bubble and exposed communication", when=("matmul_utilization",)),
            ),
        ),
    }
)


# What only all calculators together can answer: a training job and a post-training job are two.
_OF_ALL: Mapping[str, Quantity] = MappingProxyType(
    {
        # A job of post-training saves every so many steps.
        "checkpoint_interval": dataclasses.replace(
            cast("Quantity", goodput.CALCULATOR.inputs["checkpoint_interval"]),
            fallbacks=(
                computed(
                    "rl_checkpoint_interval", "of RL post-training", when=("prompts_per_step", "checkpoint_every")
                ),
                *cast("Quantity", goodput.CALCULATOR.inputs["checkpoint_interval"]).fallbacks,
            ),
        ),
    }
)


def joined(name: str = "all") -> Calculator:
    """All calculators joined: an input that one of them computes is computed."""
    overrides = {**JOINED_INPUTS, **_OF_ALL}
    return join(name, tuple(CALCULATORS.values()), prefer=PREFERRED_DEFAULTS, overrides=overrides)


CALCULATORS: Mapping[str, Calculator] = MappingProxyType(
    {calculator.name: calculator for subject in SUBJECTS for calculator in subject.calculators}
)

# What reads a log of a job that ran, as plain data and as text, for calculators that forecast what logs can say.
LOGS: Mapping[str, tuple[Callable[[str], dict[str, Any]], Callable[[str], str]]] = MappingProxyType(
    {goodput.CALCULATOR.name: (measured.described, measured.report)}
)

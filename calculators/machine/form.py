"""Inputs of a system besides those of its calculators: failures per day, one batch, limits, who owns the hardware."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Literal

from calculators import facts
from calculators.declare import choice, computed, not_applicable, quantity
from calculators.units import DAY
from calculators.vocabulary.groups import BATCH, MACHINE, RUN, SHARD, STORAGE

Paid = Literal["rent", "own"]
THOUSAND = 1000
# The verdict on memory calls a layout tight that leaves less.
_MARGIN = math.ceil(100 * (1 - 1 / facts.fact("training-memory-range.most").value)) / 100
_GPU_MTBF = facts.fact("gpu-mtbf")


def _rate(gpu_mtbf: float) -> float:
    return THOUSAND / gpu_mtbf


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Base units: seconds, failures per second, bytes, dollars."""

    failure_rate: float = quantity(
        _rate(_GPU_MTBF.value),
        "failure/day",
        "Failures per day per 1,000 GPUs",
        hard=(1e-6 / DAY, 1e6 / DAY),
        slider=(0.05 / DAY, 5 / DAY),
        scale="log",
        spread=(_rate(_GPU_MTBF.spread[1]), _rate(_GPU_MTBF.spread[0])) if _GPU_MTBF.spread else None,
        help="Interruptions of a job per 1,000 GPU-days. Llama 3 405B had 419 in 54 days on 16,384 GPUs.",
        group=MACHINE,
    )
    batch_tokens: float = quantity(
        computed("usual_batch_tokens", "typical for this job"),
        "token",
        "Batch size (tokens per optimizer step)",
        hard=(1, 1e12),
        slider=(2.0**17, 2.0**26),
        scale="log",
        doubling=True,
        help="Global batch, split into micro-batches over the replicas. Typical: 16.8M tokens in pre-training as for "
        "Llama 3 405B, 262k tokens in fine-tuning.",
        group=BATCH,
    )
    storage_capacity: float = quantity(
        computed("capacity_of_nodes", "from its nodes"),
        "B",
        "Raw storage capacity",
        hard=(1, 1e24),
        slider=(1e13, 1e18),
        scale="log",
        help="All drives as sold, before protection and free space.",
        group=STORAGE,
    )
    deadline: float | None = quantity(
        not_applicable("none"),
        "s",
        "Deadline",
        hard=(1, 1e10),
        slider=(DAY, 365 * DAY),
        scale="log",
        help="Latest end of the run. If GPUs are not given, the fewest that meet it are used.",
        group=RUN,
    )
    budget: float | None = quantity(
        not_applicable("none"),
        "USD",
        "Budget",
        hard=(1e-2, 1e15),
        slider=(1e3, 1e9),
        scale="log",
        help="Maximum cost of the run. If GPUs are not given, the number that ends earliest within it is used.",
        group=RUN,
    )
    memory_margin: float = quantity(
        _MARGIN,
        "share",
        "GPU memory left free by layouts",
        hard=(0, 0.9),
        slider=(0, 0.3),
        help="Layouts are searched that leave this free; where none does, the fastest that fits is shown as tight.",
        group=SHARD,
    )
    paid: Paid = choice(
        "rent",
        "Hardware ownership",
        {"rent": "rented by the GPU-hour", "own": "owned: every hour is paid"},
        help="Rented hours cost their price. Owned hours include purchase, space, energy and operations.",
        group=RUN,
    )


@dataclass(frozen=True, kw_only=True)
class Field:
    """One question of the first screen: what it is about, and the inputs and menus that answer it."""

    title: str
    names: tuple[str, ...]


ACCELERATOR = Field(title="Accelerator", names=("accelerator",))
NETWORK = Field(title="Network", names=("port_rate", "oversubscription"))
HALL = Field(title="Data hall", names=("hall_power", "rack_limit", "cooling"))
MONEY = Field(title="Money", names=("paid", "price_per_gpu_hour", "money_per"))
# The first screen. Everything else is what it is otherwise, and can be opened and pinned.
FORM = (
    Field(title="Model", names=("model",)),
    Field(title="Workload", names=("job", "tokens", "batch_tokens")),
    Field(title="GPUs, a deadline or a budget", names=("gpus", "deadline", "budget")),
    ACCELERATOR,
    NETWORK,
    Field(title="Storage", names=("write_bandwidth", "read_bandwidth", "storage_capacity", "storage_cost")),
    HALL,
    Field(title="Failures", names=("failure_rate",)),
    MONEY,
)


def declared() -> dict[str, Any]:
    """The machine's own inputs, by their names."""
    return {
        field.name: dataclasses.replace(field.metadata["declared"], name=field.name)
        for field in dataclasses.fields(Inputs)
    }

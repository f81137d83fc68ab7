"""State of a system by workload: training by default, or one of those that need no search."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from calculators.answers.explore.search import Run, Search
from calculators.machine import post_training, rag, serving, training_state
from calculators.machine.kinds import Kind
from calculators.machine.training import TRAINING
from calculators.machine.training_state import TrainingState
from calculators.machine.workload import Workload, WorkloadState

JOB = "job"
State = TrainingState | WorkloadState
# By the names of their systems.
WORKLOADS: Mapping[str, Workload] = MappingProxyType(
    {"machine_serving": serving.SERVICE, "machine_rag": rag.ANSWERING, "machine_rl": post_training.ROLLOUTS}
)


def machine_state(given: Mapping[str, Any], run: Run = Search.run) -> State:
    """The machine in this state, whose layout `run` searches for. Raises InputError with every problem."""
    if workload := workload_of(given):
        return workload.state({name: text for name, text in given.items() if name != JOB})
    return training_state.training_state(given, run)


def workload_of(given: Mapping[str, Any]) -> Workload | None:
    """Workload asked for; None for training."""
    asked = str(given.get(JOB, "")).strip().lower()
    return next((one for one in WORKLOADS.values() if one.kind.name == asked), None)


def kind_of(given: Mapping[str, Any]) -> Kind:
    """The kind of what is done with it."""
    workload = workload_of(given)
    return workload.kind if workload else TRAINING

"""State of a system by workload: training by default, or serving."""

from collections.abc import Mapping
from typing import Any

from calculators.machine import serving, training_state
from calculators.machine.kinds import Kind
from calculators.machine.serving import SERVING, ServingState
from calculators.machine.training import TRAINING
from calculators.machine.training_state import TrainingState

JOB = "job"


def machine_state(given: Mapping[str, Any]) -> TrainingState | ServingState:
    """The machine in this state. Raises InputError with every problem."""
    if kind_of(given) is SERVING:
        return serving.serving_state({name: text for name, text in given.items() if name != JOB})
    return training_state.training_state(given)


def kind_of(given: Mapping[str, Any]) -> Kind:
    """What is done with it."""
    return SERVING if str(given.get(JOB, "")).strip().lower() == SERVING.name else TRAINING

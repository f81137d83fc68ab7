"""A machine of either kind, by what is done with it: it trains unless it is asked to serve."""

from collections.abc import Mapping
from typing import Any

from calculators.machine import service, standing
from calculators.machine.kinds import Kind
from calculators.machine.service import SERVING, Service
from calculators.machine.standing import Standing
from calculators.machine.training import TRAINING

JOB = "job"


def stand(given: Mapping[str, Any]) -> Standing | Service:
    """The machine in this state. Raises InputError with every problem."""
    if kind_of(given) is SERVING:
        return service.standing({name: text for name, text in given.items() if name != JOB})
    return standing.standing(given)


def kind_of(given: Mapping[str, Any]) -> Kind:
    """What is done with it."""
    return SERVING if str(given.get(JOB, "")).strip().lower() == SERVING.name else TRAINING

"""Curve of step time over the GPUs that train, one point for each split."""

from collections.abc import Mapping
from typing import Any

from calculators.declare import Mark, Tradeoff

_POINTS = 24


def places(values: Mapping[str, Any]) -> list[float]:
    """Splits of the curve in whole training replicas, up to the last that leaves an engine; one where GPUs are shared.

    The last place is where the curve ends.
    """
    if values["algorithm"] == "dpo" or values["placement"] == "colocated":
        return [float(values["gpus"])]
    group = values["train_group"]
    most = max(1, int((values["gpus"] - values["serving_tensor_parallel"]) // group))
    chosen = sorted({max(1, round(place * most / _POINTS)) for place in range(1, _POINTS + 1)} | {1})
    return [float(groups * group) for groups in chosen]


def _best(values: Mapping[str, Any]) -> float | None:
    return float(values["best_train_gpus"])


def _none(values: Mapping[str, Any]) -> list[Mark]:
    """No published points: no source prints the same job at several splits."""
    del values
    return []


CURVE = Tradeoff(
    title="Step time over the split",
    about="One point for each number of GPUs that train. On the left the trainer decides, on the right the rollout "
    "engines; the lowest point is the best split.",
    along="train_gpus",
    across="trainer_gpus",
    up="rl_step_time",
    places=places,
    end_label="one rollout engine left",
    target=_best,
    target_label="best split",
    marks=_none,
)

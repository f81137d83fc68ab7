"""Wholes that are the sum of their parts in every state, by calculator: time, memory, money, power, bytes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_SAME, _NOTHING = 1e-6, 1e-12


def _always(_: Mapping[str, Any]) -> bool:
    return True


@dataclass(frozen=True)
class Sum:
    """A whole, a value or 1, and its parts, in the states of which this holds."""

    whole: str | float
    parts: str
    holds: Callable[[Mapping[str, Any]], bool] = _always


SUMS: dict[str, list[Sum]] = {
    "training_memory": [
        Sum(
            "training_memory",
            "weight_memory gradient_memory optimizer_memory activation_memory logit_memory reserved_memory"
            " companion_memory engine_memory",
        ),
    ],
    "training_time": [
        Sum(
            "step_duration",
            "ideal_duration lost_to_utilization",
            lambda one: one["ideal_duration"] <= one["step_duration"],
        ),
        Sum(
            "training_duration",
            "ideal_duration lost_to_utilization lost_to_goodput",
            lambda one: one["ideal_duration"] <= one["step_duration"],
        ),
    ],
    "post_training": [
        Sum(
            "rl_step_time",
            "logprob_time update_time reward_pass_time weight_sync_time trainer_wait_time",
            lambda one: one["placement"] == "apart",
        ),
        Sum(
            "rl_step_time",
            "rollout_busy_time rollout_wait_time",
            lambda one: one["placement"] == "apart" and one["algorithm"] != "dpo",
        ),
    ],
    "inference": [
        Sum("serving_step_time", "memory_time exposed_compute_time cache_time latency_time draft_time"),
    ],
    "sample_inference": [
        Sum("forward_memory_time", "forward_weight_time forward_activation_time forward_lookup_time"),
    ],
    "checkpoint": [
        Sum(
            "effective_interval",
            "snapshot_duration write_duration storage_rest",
            lambda one: one["effective_interval"] == one["durable_interval"],
        ),
        Sum(
            "effective_interval",
            "stalled_between_writes training_between_writes",
        ),
    ],
    "goodput": [
        Sum(1, "goodput stalled_share lost_share down_share rest_share"),
        Sum(1, "goodput_at_best stalled_at_best lost_at_best down_at_best rest_at_best"),
        Sum(1, "goodput_on_twice stalled_on_twice lost_on_twice down_on_twice rest_on_twice"),
        Sum(1, "goodput_on_eight stalled_on_eight lost_on_eight down_on_eight rest_on_eight"),
    ],
    "data_loader": [
        Sum("gpu_rate", "loader_samples_per_second waited_rate"),
    ],
    "data_lifecycle": [
        Sum("cold_held", "raw_cold cold_rest"),
    ],
    "collectives": [
        Sum(1, "latency_share transfer_share"),
        Sum(
            1,
            "arithmetic_share bubble_step_share tensor_share context_share expert_share pipeline_share data_share",
        ),
    ],
    "power": [
        Sum("facility_power", "gpus_power servers_rest_power support_power other_power overhead_power"),
        Sum("installed_power", "facility_power spare_power"),
    ],
    "cost": [
        Sum(
            "own_per_gpu_hour",
            "hardware_per_gpu_hour interest_per_gpu_hour colocation_per_gpu_hour electricity_per_gpu_hour"
            " operations_per_gpu_hour",
        ),
        Sum(
            "rent_shown",
            "used_rent_per_hour unused_rent_per_hour beside_the_rent",
            lambda one: one["money_per"] == "hour",
        ),
    ],
}


def broken(calculator: str, values: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for every whole that its parts do not add up to; where one of them has no value there is no whole."""
    for one in SUMS.get(calculator, ()):
        parts = [values[name] for name in one.parts.split()]
        whole = values[one.whole] if isinstance(one.whole, str) else one.whole
        if whole is None or None in parts or not one.holds(values):
            continue
        if not math.isclose(sum(parts), whole, rel_tol=_SAME, abs_tol=_NOTHING):
            yield f"{one.whole} is {whole!r}, its parts are {sum(parts)!r} ({one.parts})"

"""Values that exclude a green verdict, by calculator: errors of logic that a test of one verdict does not see."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from calculators.catalog import CALCULATORS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_NEARLY = 1 + 1e-9


def _no_run(one: Mapping[str, Any]) -> bool:
    """Whether rollout engines do not fit, so that no step is there to be judged."""
    return bool(one["placement"] == "apart" and one["engine_fits"].level == "bad")


# Of what these say one framework or engine refuses, others have a way.
WITH_A_WAY = ("offload_excludes", "uneven_experts")


def _frameworks_refuse(calculator: str) -> Callable[[Mapping[str, Any]], bool]:
    """Whether a warning says that the layout is refused, whatever it declares."""

    def refuse(one: Mapping[str, Any]) -> bool:
        spoken = (
            warning.function(*[one[need] for need in warning.needs])
            for warning in CALCULATORS[calculator].of_role("warning")
            if warning.name not in WITH_A_WAY
        )
        return any("refuse" in sentence for sentence in spoken)

    return refuse


def _no_engine(one: Mapping[str, Any]) -> bool:
    """Whether engines refuse the KV cache: NVFP4, of 4 bits and a scale of 8 for 16 values, on a GPU without it."""
    return bool(one["cache_bytes"] == 0.5625 and one["peak_flops_fp4"] is None)


# Calculator, green verdict, what must not hold with it
PAIRS: dict[str, list[tuple[str, Callable[[Mapping[str, Any]], bool]]]] = {
    "checkpoint": [
        ("write_in_time", lambda one: one["write_duration"] > one["durable_interval"] * _NEARLY),
    ],
    "goodput": [
        ("time_kept", lambda one: one["gpus_lost"] > one["gpus"] / 2),
        ("interval_right", lambda one: one["waiting_for_spare"] > 1 / 2),
        ("interval_right", lambda one: one["goodput_at_best"] - one["goodput"] > 0.05),
        ("interval_right", lambda one: one["goodput"] < 0.49),
        ("keeps_up", lambda one: one["waiting_for_spare"] > 1 / 2),
        ("keeps_up", lambda one: one["down_share"] > 1 / 2),
    ],
    "power": [
        ("hall_fits", lambda one: one["facility_power"] > one["hall_power"] * _NEARLY),
        ("hall_fits", lambda one: one["racks"] > one["hall_racks"] * _NEARLY),
        ("hall_fits", lambda one: one["rack_power"] > one["rack_limit"] * _NEARLY),
        ("hall_fits", lambda one: one["rack_power"] > one["cooling_limit"] * _NEARLY),
        ("hall_fits", lambda one: (one["gpus_that_fit"] or 0) < one["gpus"]),
        ("heat_carried", lambda one: one["hall_fits"].word == "does not fit; the limit is rack cooling"),
        ("supply_follows", lambda one: one["facility_power"] > one["hall_power"] * _NEARLY),
    ],
    "storage_demand": [
        ("burst_ends", lambda one: one["network_carries"].word == "too slow to write"),
        ("burst_ends", lambda one: one["write_demand"] > one["write_supply"] * _NEARLY),
        ("drives_last", lambda one: (one["drive_life"] or math.inf) < one["drive_warranty"] / _NEARLY),
    ],
    "training_memory": [
        ("fits", lambda one: one["training_memory"] > one["gpu_memory"] * _NEARLY),
        ("fits", _frameworks_refuse("training_memory")),
        ("fits", lambda one: 0 < one["position_embeddings"] < one["sequence_length"]),
    ],
    "inference": [
        *((name, _no_engine) for name in ("targets_met", "enough_replicas", "replica_failure", "offload_pays_off")),
        ("targets_met", _frameworks_refuse("inference")),
        ("enough_replicas", _frameworks_refuse("inference")),
        ("targets_met", lambda one: one["tpot"] > one["tpot_target"] * _NEARLY),
        ("targets_met", lambda one: one["ttft_p95"] > one["ttft_target"] * _NEARLY),
        ("targets_met", lambda one: one["max_sequences"] < 1),
        ("enough_replicas", lambda one: one["replica_utilization"] > _NEARLY),
        ("enough_replicas", lambda one: one["concurrent_sequences"] > one["max_sequences"]),
        ("replica_failure", lambda one: one["concurrent_sequences"] > one["max_sequences"]),
        ("replica_failure", lambda one: one["degraded_utilization"] > _NEARLY),
        ("offload_pays_off", lambda one: one["max_sequences"] < 1),
        ("offload_pays_off", lambda one: one["concurrent_sequences"] > one["max_sequences"]),
    ],
    "kv_cache": [
        ("serving_fits", lambda one: one["max_sequences"] < 1),
        ("serving_fits", _frameworks_refuse("kv_cache")),
        ("serving_fits", lambda one: one["context"] > one["max_context"] * _NEARLY),
    ],
    "retrieval": [
        ("traffic_carried", lambda one: one["search_load"] > _NEARLY),
        ("search_in_time", lambda one: one["search_latency_p95"] > one["search_latency_target"] * _NEARLY),
        ("search_in_time", lambda one: one["search_load"] > _NEARLY),
        ("node_lost", lambda one: one["copies_of_index"] < 2),
        ("index_drives_last", lambda one: (one["index_drive_life"] or math.inf) < one["drive_warranty"] / _NEARLY),
    ],
    "data_loader": [
        ("fed", lambda one: one["later_epoch_utilization"] < 1 / 2),
        ("fed", lambda one: one["buffer_per_node"] > one["host_memory"] * _NEARLY),
        ("fed", lambda one: one["dataset_samples"] < one["batch_size"] * one["gpus"]),
    ],
    "data_lifecycle": [
        ("cold_enough", lambda one: one["recall_space"] > one["staged_break_even"] * one["raw_cold"] * _NEARLY),
        ("limits_first", lambda one: one["restored"].level == "bad"),
        ("limits_first", lambda one: one["prepared_in_time"].level == "bad"),
        ("restored", lambda one: (one["cheapest_bill"] or 0) > one["bill_total"] * _NEARLY),
        ("prepared_in_time", lambda one: one["prep_time"] > one["version_interval"] * _NEARLY),
        ("restored", lambda one: one["cold_restore_time"] > one["cold_restore_window"] * _NEARLY),
        ("prepared_in_time", lambda one: any(limit.name == "preparation" for limit in one["limits"])),
        ("restored", lambda one: any(limit.name == "recall from cold" for limit in one["limits"])),
    ],
    "fabric": [
        # The last node may be filled in part: its GPUs have ports where a whole node would have none.
        ("fits_tiers", lambda one: one["topology"] == "fat_tree" and one["gpu_nodes"] >= one["nodes_within_tiers"] + 2),
        ("non_blocking", lambda one: one["worst_oversubscription"] > 1.1),
    ],
    "post_training": [
        ("phases_fit", lambda one: one["rl_memory_use"] > _NEARLY),
        ("split_chosen", lambda one: one["split_chosen"].word == "best split" and one["rl_memory_use"] > _NEARLY),
        ("engine_fits", lambda one: one["algorithm"] != "dpo" and one["rollout_slots"] < 1),
        *((name, _no_run) for name in ("pools_wait", "rl_bottleneck", "split_chosen", "transfer_hidden")),
        ("transfer_hidden", lambda one: one["weight_sync_time"] > one["rl_step_time"] * _NEARLY),
    ],
    "sample_training": [
        ("sample_limit", lambda one: one["sample_mfu"] > _NEARLY),
        ("batch_fits", lambda one: one["sample_memory"] > one["gpu_memory"] * _NEARLY),
    ],
    "sample_inference": [
        ("sample_serving_fits", lambda one: one["serving_memory"] > one["gpu_memory"] * _NEARLY),
        ("sample_in_time", lambda one: (one["measured_peak_share"] or 0) > _NEARLY),
        ("sample_in_time", lambda one: one["serving_memory"] > one["gpu_memory"] * _NEARLY),
        ("sample_in_time", lambda one: one["sample_latency"] > one["sample_latency_target"] * _NEARLY),
    ],
    "collectives": [
        ("communication_overlapped", lambda one: one["exposed_share"] > 1 / 2),
        ("communication_overlapped", _frameworks_refuse("collectives")),
    ],
}

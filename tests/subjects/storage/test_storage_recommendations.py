"""Advice on storage: each piece at its boundary, alone and with others, by hand; nothing where all is good."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from calculators.subjects.storage.checkpoint import recommendations as checkpoint_advice
from calculators.subjects.storage.data_loader import recommendations as loader_advice
from calculators.subjects.storage.goodput import recommendations as goodput_advice
from calculators.subjects.storage.goodput.spares import ENOUGH
from calculators.subjects.storage.storage_demand import recommendations as demand_advice

if TYPE_CHECKING:
    from collections.abc import Mapping

GOOD, BAD = SimpleNamespace(level="good"), SimpleNamespace(level="bad")

# Every limit asks for as many nodes as capacity does, a save takes half of the interval: nothing is to be fixed.
DEMAND = {
    "binding": BAD,
    "network_carries": GOOD,
    "burst_ends": GOOD,
    "drives_last": GOOD,
    "fewest_nodes": 2,
    "storage_nodes_for_capacity": 5,
    "storage_nodes_for_endurance": 3,
    "storage_nodes_for_metadata": 5,
    "storage_nodes_for_read": 5,
    "storage_nodes_for_requests": 5,
    "storage_nodes_for_write": 5,
    "weights_replicas": 2,
    "restore_copies": 2,
    "training_read": 10e9,
    "node_iops": 1000,
    "checkpoint_size": 2.1e12,
    "storage_node_write": 7e9,
    "write_window": 60,
    "durable_interval": 120,
    "persist_every": 2,
    "storage_nodes": 6,
    "nodes_needed": 6,
    "local_interval": None,
}
PACK = ("Pack samples into shards", {"files_per_sample": 0})
WEIGHTS = ("Read weights once and broadcast them", {"weights_replicas": 1})
COPY = ("Read one replica in a restore and broadcast it", {"restore_copies": 1})


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, []),
        ({"storage_nodes_for_metadata": 5.1}, [PACK]),
        ({"storage_nodes_for_metadata": 5.1, "fewest_nodes": 6}, []),
        ({"storage_nodes_for_metadata": 5.1, "storage_nodes_for_endurance": 5.2}, []),
        (
            {"storage_nodes_for_read": 5.1},
            [
                WEIGHTS,
                COPY,
                (
                    "Read weights once and broadcast them and read one replica in a restore and broadcast it",
                    {"weights_replicas": 1, "restore_copies": 1},
                ),
            ],
        ),
        ({"storage_nodes_for_read": 5.1, "weights_replicas": 1}, [COPY]),
        ({"storage_nodes_for_read": 5.1, "restore_copies": 1}, [WEIGHTS]),
        # 10 GB/s by five times a thousand requests are 2 MB each.
        ({"storage_nodes_for_requests": 5.1}, [("Read in requests of {read_size}", {"read_size": 2e6})]),
        # 2.1 TB into five nodes of 7 GB/s take a minute, half of the interval; 2.17 TB take 62 s, said as 65.
        ({"storage_nodes_for_write": 5.1}, [("Allow {write_window} for the write", {"write_window": 60})]),
        (
            {"storage_nodes_for_write": 5.1, "checkpoint_size": 2.17e12},
            [
                ("Allow {write_window} for the write", {"write_window": 65}),
                ("Checkpoint every {checkpoint_interval}", {"checkpoint_interval": 65}),
                (
                    "Allow {write_window} for the write and checkpoint every {checkpoint_interval}",
                    {"write_window": 65, "checkpoint_interval": 65},
                ),
            ],
        ),
        ({"durable_interval": 119}, [("Checkpoint every {checkpoint_interval}", {"checkpoint_interval": 60})]),
        ({"storage_nodes": 5}, [("Buy {storage_nodes}", {"storage_nodes": 6})]),
        # Worn out in half of the warranty: half as often. A save of 12 s does not end in ten.
        (
            {"local_interval": 10, "drive_warranty": 4e7, "local_drive_life": 2e7, "local_write_time": 1},
            [("Checkpoint locally every {local_interval}", {"local_interval": 20})],
        ),
        (
            {"local_interval": 10, "drive_warranty": 4e7, "local_drive_life": 8e7, "local_write_time": 12},
            [("Checkpoint locally every {local_interval}", {"local_interval": 12})],
        ),
        ({"local_interval": 10, "drive_warranty": 4e7, "local_drive_life": 4e7, "local_write_time": 10}, []),
        ({"binding": GOOD, "storage_nodes_for_metadata": 5.1}, []),
        ({"binding": GOOD, "network_carries": BAD, "storage_nodes_for_metadata": 5.1}, [PACK]),
        ({"binding": GOOD, "burst_ends": BAD, "storage_nodes_for_metadata": 5.1}, [PACK]),
        ({"binding": GOOD, "drives_last": BAD, "storage_nodes_for_metadata": 5.1}, [PACK]),
    ],
)
def test_a_storage_system_is_fixed_where_bursts_need_more_than_is_kept(
    changed: dict[str, Any], report: list[Any]
) -> None:
    assert list(demand_advice.recommendations({**DEMAND, **changed})) == report


# As quick as anybody has published: 590 ms and 51.06 s of a save, 30 s to notice, a minute to restart.
GOODPUT = {
    "time_kept": BAD,
    "interval_right": GOOD,
    "keeps_up": GOOD,
    "best_interval": 102,
    "interval": 102,
    "rare_failure_share": None,
    "persist_every": 1,
    "durable_time_to_safe": 300,
    "checkpoint_stall": 0.59,
    "time_to_safe": 51.06,
    "waiting_for_spare": ENOUGH,
    "spares_needed": 7,
    "detection_time": 30,
    "restart_time": 60,
    "gpus": 1000,
}
HALVED = [("Run on {gpus}, with fewer failures", {"gpus": gpus}) for gpus in (500, 250, 125, 62)]
NOTICE = ("Detect failures within {detection_time}", {"detection_time": 30})


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, HALVED),
        ({"time_kept": GOOD}, []),
        ({"time_kept": SimpleNamespace(level="tight")}, []),
        ({"time_kept": GOOD, "keeps_up": BAD}, HALVED),
        (
            {"time_kept": GOOD, "interval_right": BAD},
            [("Checkpoint every {checkpoint_interval}", {"checkpoint_interval": 110}), *HALVED],
        ),
        # A durable save is safe after three intervals: not with one in two, but with one in three.
        (
            {"interval_right": BAD, "interval": 100, "rare_failure_share": 0.05, "persist_every": 2},
            [("Persist one checkpoint in {persist_every}", {"persist_every": 3}), *HALVED],
        ),
        ({"interval": 100, "rare_failure_share": 0.05, "persist_every": 3}, HALVED),
        ({"detection_time": 31}, [NOTICE, *HALVED]),
        ({"restart_time": 61}, [("Restart within {restart_time}", {"restart_time": 60}), *HALVED]),
        ({"waiting_for_spare": ENOUGH * 1.1}, [("Keep {spare_nodes} spare", {"spare_nodes": 7}), *HALVED]),
        (
            {"checkpoint_stall": 0.6, "time_to_safe": 52, "detection_time": 31},
            [
                ("Checkpoint asynchronously, with a stall of {checkpoint_stall}", {"checkpoint_stall": 0.59}),
                ("Make checkpoints restorable within {time_to_safe}", {"time_to_safe": 51.06}),
                (
                    (
                        "Checkpoint asynchronously, with a stall of {checkpoint_stall} and make checkpoints restorable "
                        "within {time_to_safe}"
                    ),
                    {"checkpoint_stall": 0.59, "time_to_safe": 51.06},
                ),
                NOTICE,
                (
                    (
                        "Checkpoint asynchronously, with a stall of {checkpoint_stall}, make checkpoints restorable "
                        "within {time_to_safe} and detect failures within {detection_time}"
                    ),
                    {"checkpoint_stall": 0.59, "time_to_safe": 51.06, "detection_time": 30},
                ),
                *HALVED,
            ],
        ),
    ],
)
def test_time_is_kept_by_what_is_slower_than_published(changed: dict[str, Any], report: list[Any]) -> None:
    assert list(goodput_advice.recommendations({**GOODPUT, **changed})) == report


# A GPU eats 100 samples/s, so 125 are wanted: 1.25 workers of 10 ms, 2.5 reads of 20 ms, 1 GB/s for eight of 1 MB.
LOADER = {
    "fed": BAD,
    "gpu_rate": 100,
    "decode_time": 0.01,
    "loader_workers": 2,
    "read_time": 0.02,
    "reads_in_flight": 3,
    "epochs": 1,
    "cache_share": 0,
    "cache_policy": "kept",
    "cache_scope": "alone",
    "gpu_nodes": 2,
    "dataset_bytes": 100e9,
    "sample_bytes": 1e6,
    "gpus_at_work": 8,
    "node_read_bandwidth": 1e9,
}
WORKERS = ("Use {loader_workers} workers per GPU", {"loader_workers": 2})
READS = ("Use {reads_in_flight} outstanding reads per GPU", {"reads_in_flight": 3})
FIXED = ("Cache a fixed part, without eviction", {"cache_policy": "kept"})
SHARED = ("Share the caches among nodes", {"cache_scope": "shared"})
TWICE = {"epochs": 2, "cache_share": 0.4}


def held(room: float) -> tuple[str, dict[str, float]]:
    return "Cache the whole data set, {cache_per_node} per node", {"cache_per_node": room}


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, []),
        ({"fed": SimpleNamespace(level="tight"), "loader_workers": 1}, [WORKERS]),
        ({"fed": GOOD, "loader_workers": 1}, []),
        ({"loader_workers": 1}, [WORKERS]),
        ({"reads_in_flight": 2}, [READS]),
        (
            {"loader_workers": 1, "reads_in_flight": 2},
            [
                WORKERS,
                READS,
                (
                    "Use {loader_workers} workers and {reads_in_flight} outstanding reads per GPU",
                    {"loader_workers": 2, "reads_in_flight": 3},
                ),
            ],
        ),
        (TWICE, [SHARED, held(100e9)]),
        (TWICE | {"cache_policy": "lru"}, [FIXED, SHARED, held(100e9)]),
        (TWICE | {"cache_policy": "lru", "epochs": 1}, []),
        (TWICE | {"gpu_nodes": 1}, [held(100e9)]),
        (TWICE | {"cache_scope": "shared"}, [held(50e9)]),
        (TWICE | {"cache_share": 0}, [held(100e9)]),
        (TWICE | {"cache_share": 1}, [SHARED]),
        (
            {"node_read_bandwidth": 0.99e9},
            [("Give each node {node_read_bandwidth} of read bandwidth", {"node_read_bandwidth": 1e9})],
        ),
        (
            {"loader_workers": 1, "node_read_bandwidth": 0.99e9},
            [
                WORKERS,
                (
                    "Give each node {node_read_bandwidth} of read bandwidth",
                    {"loader_workers": 2, "node_read_bandwidth": 1e9},
                ),
            ],
        ),
    ],
)
def test_gpus_are_fed_by_what_is_short(changed: dict[str, Any], report: list[Any]) -> None:
    assert list(loader_advice.recommendations({**LOADER, **changed})) == report


# A checkpoint is written within the limit, every 50 s; every second one goes to storage, with half of 100 s to copy.
SAVES = {
    "write_in_time": BAD,
    "checkpoint_mode": "asynchronous",
    "write_duration": 60,
    "write_window": 60,
    "checkpoint_size": 700e9,
    "checkpoint_size_per_gpu": 10e9,
    "snapshot_bandwidth": 5e9,
    "durable_time_to_safe": 100,
    "persist_every": 2,
    "time_to_safe": 50,
    "checkpoint_interval": 50,
    "durable_interval": 100,
    "snapshot_duration": 50,
}
ALLOW = ("Allow {write_window} for the write", {"write_window": 65})


def every(seconds: float) -> tuple[str, Mapping[str, float]]:
    return "Checkpoint every {checkpoint_interval}", {"checkpoint_interval": seconds}


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, []),
        ({"write_in_time": GOOD, "write_duration": 62}, []),
        ({"write_duration": 62}, [ALLOW]),
        ({"time_to_safe": 51}, [every(110)]),  # twice 51 s
        ({"durable_time_to_safe": 101}, [every(110)]),
        (
            {"time_to_safe": 51, "write_duration": 62},
            [
                (
                    "Checkpoint every {checkpoint_interval} and allow {write_window} for the write",
                    {"checkpoint_interval": 110, "write_window": 65},
                )
            ],
        ),
        # Behind training's back 2 s of copying come on top: 102 s over two, and 98 s over two.
        (
            {"checkpoint_mode": "synchronous"},
            [
                (
                    "Write asynchronously every {checkpoint_interval}",
                    {"checkpoint_mode": "asynchronous", "checkpoint_interval": 110},
                )
            ],
        ),
        (
            {"checkpoint_mode": "synchronous", "durable_time_to_safe": 96, "write_duration": 62},
            [
                (
                    "Write asynchronously and allow {write_window} for the write",
                    {"checkpoint_mode": "asynchronous", "write_window": 65},
                ),
                ALLOW,
            ],
        ),
        # 700 GB in the 10 s that copying leaves of half the interval; in the minute allowed where that is less.
        (
            {"snapshot_duration": 40},
            [("Raise storage write bandwidth to {write_bandwidth}", {"write_bandwidth": 70e9})],
        ),
        (
            {"snapshot_duration": 40, "write_window": 7, "write_duration": 7},
            [("Raise storage write bandwidth to {write_bandwidth}", {"write_bandwidth": 100e9})],
        ),
    ],
)
def test_checkpoints_finish_in_time_by_the_cheapest_change(changed: dict[str, Any], report: list[Any]) -> None:
    assert list(checkpoint_advice.recommendations({**SAVES, **changed})) == report

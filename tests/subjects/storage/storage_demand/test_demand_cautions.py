"""Cautions of storage demand: each speaks in one state and is silent in another, near its boundary and far from it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.readers import unfigured
from tests.subjects.storage.storage_demand.asked_demand import warned


@pytest.mark.parametrize(
    ("speaks", "silent", "said"),
    [
        (
            {"files_per_sample": 1, "node_metadata_rate": 190},
            {"files_per_sample": 1, "node_metadata_rate": 192},
            (
                "A file a sample asks for 192 IOPS of metadata: "
                "pack samples into shards, and bandwidth alone is left to size."
            ),
        ),
        (
            {"files_per_sample": 1, "node_metadata_rate": 190},
            {"files_per_sample": 1, "node_metadata_rate": 500},
            (
                "A file a sample asks for 192 IOPS of metadata: "
                "pack samples into shards, and bandwidth alone is left to size."
            ),
        ),
        (
            {"weights_replicas": 41, "broadcast_bandwidth": "5 GB/s", "storage_nodes": 5},
            {"weights_replicas": 40, "broadcast_bandwidth": "5 GB/s", "storage_nodes": 5},
            (
                "A thundering herd: 41 replicas that read the same weights take 8.2 s of this store; "
                "read once and passed on they take 2 s."
            ),
        ),
        (
            {"weights_replicas": 41, "broadcast_bandwidth": "5 GB/s", "storage_nodes": 5},
            {"weights_replicas": 10, "broadcast_bandwidth": "5 GB/s", "storage_nodes": 5},
            (
                "A thundering herd: 41 replicas that read the same weights take 8.2 s of this store; "
                "read once and passed on they take 2 s."
            ),
        ),
        (
            {"restore_copies": 2},
            {"restore_copies": 1},
            (
                "2 copies of one state are read at once in a restore: "
                "let one replica read and the others receive it over the compute fabric, which waits anyway."
            ),
        ),
        (
            {"read_size": "3333 B"},
            {"read_size": "3334 B"},
            (
                "In requests of 3.25 KiB a drive does not reach its 10 GB/s: "
                "requests, not bandwidth, are what this store must be bought and tested for."
            ),
        ),
        (
            {"rule_per_gpu": "1.251 GB/s"},
            {"rule_per_gpu": "1.25 GB/s"},
            "1.25 GB/s for each GPU would buy 9 nodes, more than four times what this job does ask.",
        ),
        (
            {"checkpoint_interval": "899 s", "storage_nodes": 2},
            {"checkpoint_interval": "900 s", "storage_nodes": 2},
            (
                "A save every 15 min belongs in memory or on the GPU nodes' own drives: "
                "for flash to last 5 years with it takes 1.92 nodes, and the drives of 2 nodes last 5.2 years."
            ),
        ),
        (
            {"checkpoint_interval": "899 s", "storage_nodes": 1},
            {"checkpoint_interval": "900 s", "storage_nodes": 1},
            (
                "A save every 15 min belongs in memory or on the GPU nodes' own drives: "
                "on 1 node of flash it wears the drives out in 2.6 years."
            ),
        ),
        (
            {"checkpoint_interval": "899 s", "storage_nodes": 4},
            {"checkpoint_interval": "900 s", "storage_nodes": 4},
            (
                "A save every 15 min belongs in memory or on the GPU nodes' own drives; "
                "the 4 nodes of flash of this store bear it, at 1.44 drive writes a day of 3 rated."
            ),
        ),
        (
            {"parity_fragments": 0},
            {"parity_fragments": 1},
            "Without parity the first drive that fails takes data with it: scratch at best, never checkpoints.",
        ),
        (
            {"data_fragments": 4, "storage_nodes": 2},
            {"data_fragments": 3, "storage_nodes": 2},
            "A stripe has more fragments than there are drives, 4 drives: several would be lost with one.",
        ),
        (
            {"near_interval": "1.4 s", "local_drives": 100, "drive_writes_per_day": 100},
            {"near_interval": "1.5 s", "local_drives": 100, "drive_writes_per_day": 100},
            "A near save takes 1.5 s, longer than there is until the next: 61,714 are due a day.",
        ),
        (
            {"near_interval": "1 h", "local_drives": 1, "local_capacity": "29 GB", "drive_writes_per_day": 100},
            {"near_interval": "1 h", "local_drives": 1, "local_capacity": "30 GB", "drive_writes_per_day": 100},
            (
                "Two near saves of 15 GB do not fit on the 1 drive of a GPU node, "
                "and the last must stay until the next is whole."
            ),
        ),
        (
            {"near_interval": "1 h", "local_drives": 3, "local_capacity": "9 GB", "drive_writes_per_day": 100},
            {"near_interval": "1 h", "local_drives": 3, "local_capacity": "10 GB", "drive_writes_per_day": 100},
            (
                "Two near saves of 15 GB do not fit on the 3 drives of a GPU node, "
                "and the last must stay until the next is whole."
            ),
        ),
        (
            {"near_interval": "1 h", "local_drives": 3, "local_capacity": "9 GB", "drive_writes_per_day": 100},
            {"near_interval": "1 h", "local_drives": 3, "local_capacity": "90 GB", "drive_writes_per_day": 100},
            (
                "Two near saves of 15 GB do not fit on the 3 drives of a GPU node, "
                "and the last must stay until the next is whole."
            ),
        ),
        (
            {"files_per_sample": 1, "node_metadata_rate": 190},
            {"files_per_sample": 0.5, "node_metadata_rate": 1},
            (
                "A file a sample asks for 192 IOPS of metadata: "
                "pack samples into shards, and bandwidth alone is left to size."
            ),
        ),
        (
            {"near_interval": "14 s"},
            {"near_interval": "15 s"},
            "Near saves wear the GPU nodes' own drives out in 4.98 years: keep them in host memory.",
        ),
    ],
)
def test_a_caution_speaks_and_is_silent(speaks: dict[str, Any], silent: dict[str, Any], said: str) -> None:
    assert said in warned(**speaks)
    assert unfigured(said) not in map(unfigured, warned(**silent))

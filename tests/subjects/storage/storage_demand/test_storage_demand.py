"""Storage demand: the default scenario, every verdict's boundary, every piece of advice, and the sheets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calculators.__main__ import main
from calculators.declare import InputError
from calculators.page import exploration
from tests.subjects.storage.storage_demand.asked_demand import CALCULATOR, found, level, of_round


def default_figure(name: str, **given: Any) -> str:
    return CALCULATOR.text(name, found(**given)[name])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("training_read", "10.7 MB/s"),
        ("read_per_gpu", "652 B/s"),
        ("required_write_bandwidth", "94.7 GB/s"),
        ("restore_read", "47.3 GB/s"),
        ("hot_stored", "82.7 TB"),
        ("storage_nodes_for_read", "0.592 nodes"),
        ("storage_nodes_for_capacity", "1.05 nodes"),
        ("storage_nodes_for_write", "1.18 nodes"),
        ("storage_nodes_for_endurance", "1.39 nodes"),
        ("storage_nodes", "5 nodes"),
        ("storage_nodes_by_rule", "205 nodes"),
        ("warm_stored", "670 TB"),
        ("cold_stored", "56.8 TB"),
    ],
)
def test_the_default_scenario_is_that_of_405b_on_text(name: str, text: str) -> None:
    assert default_figure(name) == text


def test_the_interval_that_goodput_likes_wears_flash_out() -> None:
    best = {"checkpoint_interval": "1.9 min"}
    assert default_figure("storage_nodes_for_endurance", **best) == "43.8 nodes"
    assert default_figure("storage_nodes", **best) == "44 nodes"
    assert default_figure("drive_life", **best, storage_nodes=5) == "208 days"
    near = {"local_interval": "1.9 min"}
    assert default_figure("local_bytes_per_node", **near) == "5.55 GB"
    assert default_figure("local_write_time", **near) == "555 ms"
    assert default_figure("local_drive_writes_per_day", **near) == "0.137"


def test_small_files_need_more_nodes_than_their_bytes() -> None:
    given = {"gpus": 256, "workload": "workload-retinanet-b200", "samples_per_second": 454.259, "checkpoint_size": 0}
    assert default_figure("training_read", **given) == "37.6 GB/s"
    assert default_figure("storage_nodes_for_metadata", **given) == "6.98 nodes"
    assert found(**given)["binding"].word == "metadata"


def test_a_thousand_replicas_are_read_once_and_passed_on() -> None:
    assert default_figure("storage_nodes", weights_replicas=1000) == "170 nodes"
    assert default_figure("load_broadcast", weights_replicas=1000, storage_nodes=5) == "16.2 s"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ("good", "cluster size")),
        ({"prepared_data": "2 TB"}, ("good", "cluster size")),
        ({"prepared_data": "2.1 TB"}, ("good", "capacity")),
        ({"checkpoint_interval": "60 s", "write_window": "20 s"}, ("good", "endurance")),
        ({"restore_window": "3.0095 s"}, ("tight", "read bandwidth")),
        ({"restore_window": "3.0097 s"}, ("good", "cluster size")),
        ({"write_window": "2.9 s"}, ("tight", "write bandwidth")),
        ({"write_window": "3 s"}, ("good", "cluster size")),
        ({"files_per_sample": 1, "node_metadata_rate": 95}, ("tight", "metadata")),
        ({"files_per_sample": 1, "node_metadata_rate": 97}, ("good", "cluster size")),
        ({"node_iops": 30, "read_size": "1 MB"}, ("tight", "requests")),
        ({"node_iops": 32, "read_size": "1 MB"}, ("good", "cluster size")),
        ({"prepared_data": "4.3 TB", "write_window": "1.25 s"}, ("good", "write bandwidth")),
        ({"prepared_data": "4.3 TB", "write_window": "1.15 s"}, ("tight", "write bandwidth")),
        ({"storage_nodes": 1}, ("bad", "cluster size")),
        ({"storage_nodes": 2}, ("good", "cluster size")),
    ],
)
def test_the_limit_that_needs_most_decides(changed: dict[str, Any], expected: tuple[str, str]) -> None:
    # Two nodes outlive one; each reads 10 GB/s and takes 10 GB/s, holds 2 TB raw and is written 6 TB a day.
    assert level("binding", **changed) == expected


def test_bursts_covered_by_whole_nodes_buy_none() -> None:
    """60 GB in 1.25 s are 4.8 nodes of 10 GB/s, 4.3 TB kept twice 4.3 of 2 TB: either way five are bought."""
    message = of_round(prepared_data="4.3 TB", write_window="1.25 s")["binding"].reason
    assert message.startswith(
        "Bursts need {storage_nodes_for_write} to write {write_demand}, within the {nodes_needed} bought anyway"
    )
    assert message.endswith("capacity needs {storage_nodes_for_capacity}.")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"restore_window": "0.75061 s"}, ("good", "OK")),
        ({"restore_window": "0.75059 s"}, ("bad", "too slow to read")),
        ({"writer_nodes": 1, "write_window": "6 s"}, ("good", "OK")),
        ({"writer_nodes": 1, "write_window": "5.99 s"}, ("bad", "too slow to write")),
        ({"storage_nodes": 2, "restore_window": "3.0097 s"}, ("good", "OK")),
        ({"storage_nodes": 2, "restore_window": "3.0095 s"}, ("bad", "too slow at storage")),
    ],
)
def test_the_narrow_side_of_the_network_is_named(changed: dict[str, Any], expected: tuple[str, str]) -> None:
    # Eight GPU nodes carry 80 GB/s, two of the store 20 GB/s; training takes 64 MB/s besides the restore of 60 GB.
    assert level("network_carries", **changed) == expected


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"checkpoint_interval": "120 s"}, ("good", "OK")),
        ({"checkpoint_interval": "119.9 s"}, ("bad", "too little pause")),
        ({"checkpoint_interval": "60 s"}, ("bad", "too little pause")),
        ({"checkpoint_interval": "59.9 s"}, ("bad", "too slow")),
    ],
)
def test_a_burst_leaves_half_of_the_interval(changed: dict[str, Any], expected: tuple[str, str]) -> None:
    assert level("burst_ends", **changed) == expected


def test_a_checkpoint_begins_when_the_last_is_safe() -> None:
    assert of_round(checkpoint_interval="30 s")["effective_interval"] == 60
    assert of_round(checkpoint_interval="30 s")["written_per_day"] == 60e9 * 86400 / 60


@pytest.mark.parametrize(("interval", "expected"), [("864 s", "good"), ("863 s", "bad")])
def test_drives_outlive_their_warranty_or_wear_out(interval: str, expected: str) -> None:
    # 100 saves a day of 60 GB, twice, over four drives of 1 TB: three drive writes a day.
    assert level("drives_last", checkpoint_interval=interval, storage_nodes=2)[0] == expected


def test_nothing_is_green_next_to_local_checkpoints_that_meet_or_wear_drives_out() -> None:
    """5.55 GB on each node at 1 GB/s take 5.55 s; 8 x 3.84 TB bear one full write a day, a save every 15.6 s."""
    given = {"checkpoint_size": "5.682 TB", "gpus": 16384, "copies_per_shard": 2}
    given |= {"local_write": "1 GB/s", "local_drives": 8, "local_capacity": "3.84 TB"}

    def judged(verdict: str, every: str) -> tuple[str, str]:
        report = found(**given, local_interval=every)[verdict]
        return report.level, report.word

    assert judged("burst_ends", "5.6 s") == ("good", "OK")
    assert judged("burst_ends", "5.5 s") == ("bad", "local drives too slow")
    assert judged("drives_last", "15.7 s") == ("good", "OK")
    assert judged("drives_last", "15.5 s") == ("bad", "local drives wear out")


def test_what_wears_the_drives_is_named() -> None:
    """1 kB/s of new KV caches is 86.4 MB per day in addition to checkpoints."""
    alone, both = of_round()["drives_last"], of_round(kv_written="1 kB/s")["drives_last"]
    assert alone.reason.startswith("Checkpoints are")
    assert both.reason.startswith("Checkpoints and new KV caches are")
    worn = of_round(kv_written="1 GB/s", storage_nodes=2)["drives_last"]
    assert worn.reason.startswith("Checkpoints and new KV caches wear")


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        (
            {"effective_interval": "10 min", "checkpoint_interval": "20 min"},
            {"effective_interval": "20 min", "checkpoint_interval": "20 min"},
            {
                "effective_interval": "The effective checkpoint interval 10 min is shorter than the 20 min set: "
                "leave it empty, or checkpoint as often"
            },
        ),
        (
            {"restore_copies": 65},
            {"restore_copies": 64},
            {"restore_copies": "Replicas that read in a restore must be at most one per GPU of 64 GPUs, not 65"},
        ),
        (
            {"writer_nodes": 9},
            {"writer_nodes": 8},
            {"writer_nodes": "GPU nodes that write a checkpoint must be at most all 8 nodes, not 9 nodes"},
        ),
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any], right: dict[str, Any], message: dict[str, str]) -> None:
    with pytest.raises(InputError) as refused:
        of_round(**wrong)
    assert refused.value.problems == message
    of_round(**right)


def advised(**changed: Any) -> list[str]:
    return [one["label"] for one in exploration.exploration(CALCULATOR, of_round(**changed))["advice"]]


@pytest.mark.parametrize(
    ("changed", "label"),
    [
        ({"files_per_sample": 1, "node_metadata_rate": 50}, "Pack samples into shards"),
        ({"weights_replicas": 1000}, "Read weights once and broadcast them"),
        ({"restore_copies": 64}, "Read one replica in a restore and broadcast it"),
        ({"read_size": "1 kB", "node_iops": 10000}, "Read in requests of 3.12 KiB"),
        ({"write_window": "2 s", "checkpoint_interval": "2 h"}, "Allow 3 s for the write"),
        ({"checkpoint_interval": "100 s"}, "Checkpoint every 2 min"),
        ({"storage_nodes": 1}, "Buy 2 nodes"),
    ],
)
def test_recommendations_fix_what_is_red_and_are_silent_where_nothing_is(changed: dict[str, Any], label: str) -> None:
    assert label in advised(**changed)
    assert not advised()


def test_results_appear_under_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["storage_demand", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["results"]["storage_nodes"]["value"] == report["inputs"]["storage_nodes"]["value"] == 5
    assert report["inputs"]["local_interval"]["value"] is None
    assert report["results"]["binding"]["value"] == "cluster size"
    # Five nodes of two ports each.
    assert report["results"]["ports"]["value"] == report["results"]["storage_ports"]["value"] == 10

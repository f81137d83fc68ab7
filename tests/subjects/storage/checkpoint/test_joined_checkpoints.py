"""Saves described once: what checkpoint computes of them feeds goodput and storage demand, and nothing counts twice."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS, joined
from calculators.declare import Calculator, InputError, Values

# A save of 1 TB, every two minutes, on 125 nodes of 8 GPUs; every thirtieth also to a store that takes 20 GB/s.
TIERS: dict[str, Any] = {
    "parameters": 100e9,
    "checkpoint_bytes_per_parameter": 10.0,
    "gpus": 1000.0,
    "gpus_per_node": 8.0,
    "checkpoint_interval": 120.0,
    "rare_failure_share": 0.05,
    "write_bandwidth": 20e9,
    "read_bandwidth": 40e9,
    "snapshot_bandwidth": 2e9,
    "local_write": 4e9,
    "checkpoint_mode": "asynchronous",
}


@cache
def whole() -> Calculator:
    return joined()


def both(**changed: Any) -> Values:
    return whole().evaluate({**TIERS, **changed})


def test_of_local_checkpoints_every_thirtieth_is_stored_and_all_of_them_wear_local_drives() -> None:
    found = both()
    assert found["persist_every"] == 30
    assert found["written_per_day"] == 24e12  # one an hour
    assert found["local_drive_writes_per_day"] == pytest.approx(720 * 16e9 / (8 * 3.84e12))
    fragments = (found["data_fragments"] + found["parity_fragments"]) / found["data_fragments"]
    assert found["writes_per_drive_and_day"] == pytest.approx(
        24e12 * fragments / found["drives"] / found["drive_capacity"]
    )


def test_goodput_takes_the_stall_the_time_until_safe_and_the_restore_of_each_tier() -> None:
    found = both()
    assert (found["checkpoint_stall"], found["time_to_safe"], found["restore_time"]) == (0.5, 4.5, 2)
    assert (found["durable_stall"], found["durable_time_to_safe"], found["durable_restore_time"]) == (0, 50.5, 25)
    given = ("gpus", "gpu_mtbf", "detection_time", "restart_time", "checkpoint_interval", "rare_failure_share")
    times = {
        "checkpoint_stall": 0.5,
        "time_to_safe": 4.5,
        "restore_time": 2.0,
        "durable_stall": 0.0,
        "durable_time_to_safe": 50.5,
        "durable_restore_time": 25.0,
    }
    alone = CALCULATORS["goodput"].evaluate({name: found[name] for name in given} | times)
    assert alone["goodput"] == found["goodput"]
    assert alone["interval"] * alone["persist_every"] == found["effective_interval"]


def test_a_wait_for_durable_checkpoints_lengthens_the_interval_of_goodput_and_of_the_storage_system_alike() -> None:
    """Where nothing fails, what is kept is the work between two durable saves over the time between them."""
    found = both(checkpoint_mode="synchronous", gpu_mtbf=1e13, rare_failure_share=0.0, persist_every=30.0)
    assert found["effective_interval"] == 30 * 120 + 50
    assert found["goodput"] == pytest.approx(30 * (120 - 4) / found["effective_interval"], rel=1e-4)
    assert found["stall_share"] == pytest.approx(1 - found["goodput"], rel=1e-3)


def test_where_every_checkpoint_is_durable_the_tiers_are_one() -> None:
    found = both(persist_every=1.0)
    for name in ("time_to_safe", "restore_time"):
        assert found[name] == found[f"durable_{name}"]
    assert found["goodput"] == pytest.approx(found["one_tier_share"], rel=1e-12)
    assert found["goodput"] == pytest.approx(both(persist_every=1.0, rare_failure_share=None)["goodput"], rel=1e-12)
    assert found["local_checkpoints_per_day"] == 0
    assert found["written_per_day"] == 720e12


def test_the_best_interval_is_that_of_local_checkpoints_and_feeds_the_storage_system() -> None:
    given = {name: value for name, value in TIERS.items() if name != "checkpoint_interval"}
    found = whole().evaluate(given)
    assert found["checkpoint_interval"] == found["best_interval"]
    assert found["effective_interval"] == pytest.approx(30 * found["best_interval"])
    all_stored = whole().evaluate({**given, "persist_every": 1.0})
    assert all_stored["effective_interval"] == all_stored["best_interval"]
    # One failure in twenty undoes thirty times as much: 0.95 + 0.05 x 30 = 2.45 times the work; its root is 1.565.
    assert all_stored["best_interval"] / found["best_interval"] == pytest.approx(1.565, rel=0.01)


def test_local_checkpoints_that_come_twice_as_often_as_checkpoints_are_refused() -> None:
    alone = CALCULATORS["storage_demand"]
    twice = {"checkpoint_interval": "2 min", "persist_every": "30", "local_interval": "1 min"}
    with pytest.raises(InputError, match="all are local, one every 2 min, not every 60 s"):
        answer.evaluated(alone, valid_inputs(alone, twice))
    answer.evaluated(alone, valid_inputs(alone, {**twice, "local_interval": "2 min"}))
    answer.evaluated(alone, valid_inputs(alone, {**twice, "persist_every": "1"}))


def test_goodput_asks_for_the_share_of_failures_that_need_a_durable_checkpoint() -> None:
    alone = CALCULATORS["goodput"]
    text = "One checkpoint in 30 is persisted, but no failure destroys local checkpoints"
    assert any(one.startswith(text) for one in answer.warnings(alone, alone.evaluate({"persist_every": 30.0})))
    report = alone.evaluate({"persist_every": 30.0, "rare_failure_share": 0.0})
    assert not any(one.startswith(text) for one in answer.warnings(alone, report))

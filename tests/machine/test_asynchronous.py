"""Asynchronous checkpoints as a recommendation: together with an interval that drives bear, where they need one."""

from __future__ import annotations

import pytest

from calculators.machine.changes import changes, worthwhile
from calculators.machine.training_state import training_state

LITTLE_DATA = {"model": "qwen3-30b-a3b", "gpus": "64", "tokens": "200B", "accelerator": "h200-sxm"}


@pytest.mark.daily(3)
@pytest.mark.parametrize("given", [{"gpus": "4096", "write_bandwidth": "100 GB/s"}, {}], ids=str)
def test_asynchronous_checkpoints_are_proposed_at_an_interval_that_drives_bear(given: dict[str, str]) -> None:
    """Alone they follow their best interval, 70 s, and wear drives out; a quarter of an hour gains nearly as much."""
    found = training_state(given)
    known = {frozenset(one.given): one for one in worthwhile(found)}
    both = known[frozenset(("checkpoint_mode", "checkpoint_interval"))]
    alone = known[frozenset(("checkpoint_mode",))]
    assert not both.breaks
    assert "Drive endurance" in alone.breaks
    assert 0.6 * alone.first < both.first < alone.first
    after = training_state({**given, **both.given}).values
    assert after["writes_per_drive_and_day"] <= after["drive_writes_per_day"]
    assert after["training_duration"] == pytest.approx(found.values["training_duration"] - both.first, rel=1e-6)
    assert both in changes(found)


@pytest.mark.daily(3)
def test_asynchronous_checkpoints_are_proposed_once_where_drives_bear_their_best_interval() -> None:
    """A small run writes so little that both would be one change: 11 minutes sooner."""
    known = [one for one in worthwhile(training_state(LITTLE_DATA)) if "checkpoint_mode" in one.given]
    assert [tuple(one.given) for one in known] == [("checkpoint_mode",)]
    pinned = worthwhile(training_state({**LITTLE_DATA, "checkpoint_interval": "4 h"}))
    assert ("checkpoint_mode", "checkpoint_interval") in [tuple(one.given) for one in pinned]

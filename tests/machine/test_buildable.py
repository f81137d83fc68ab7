"""Advice that an architect would sign: what PCIe carries, what is faster, whose power and price are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from calculators.machine.changes import worthwhile
from calculators.machine.report.change_texts import described
from calculators.machine.resources import buildable
from calculators.machine.serving import SERVICE
from calculators.machine.training_state import training_state

if TYPE_CHECKING:
    from calculators.machine.changes import Change
    from calculators.machine.training_state import TrainingState
    from calculators.machine.workload import WorkloadState

LARGE = {"gpus": "4096", "model": "llama-3-70b"}
CACHED = {"prefix_cache_hit_rate": "90%", "offload_tier": "storage"}
Q3400 = "fabric-switch-q3400"


def offered(found: TrainingState | WorkloadState, name: str) -> list[Change]:
    return [one for one in worthwhile(found) if name in one.given]


@pytest.mark.parametrize(("accelerator", "carries"), [("h100-sxm", 63e9), ("b300-sxm", 121e9), ("a100-sxm-80gb", 31e9)])
def test_a_port_is_no_faster_than_the_pcie_slot_of_its_gpu(accelerator: str, carries: float) -> None:
    found = training_state({**LARGE, "accelerator": accelerator})
    for bandwidth in (carries, carries * 1.01):
        is_more = buildable.exceeds_host_link(found, {"nic_bandwidth": bandwidth})
        assert is_more == (bandwidth > max(carries, found.values["nic_bandwidth"])), bandwidth


@pytest.mark.daily(3)
def test_no_switch_of_800_gbit_is_proposed_for_gpus_on_pcie_5() -> None:
    """100 GB/s for each H100, whose slot carries 63."""
    assert Q3400 not in {one.given["switch_model"] for one in offered(training_state(LARGE), "switch_model")}


@pytest.mark.daily(3)
def test_a_switch_whose_power_is_unknown_saves_none() -> None:
    """The record of the Q3400 has no watts: with those of another switch it would save power."""
    found = training_state({**LARGE, "accelerator": "b300-sxm"})
    (one,) = (one for one in offered(found, "switch_model") if one.given["switch_model"] == Q3400)
    (shown,) = described(found, [one])
    assert shown["power_text"] == "its power is not known: enter it"
    assert shown["saves"]["facility_power"] is None
    entered = training_state({**LARGE, "accelerator": "b300-sxm", "switch_power": "3 kW"})
    assert not any(one.is_dark for one in offered(entered, "switch_model"))


def test_slower_accelerators_fix_nothing_by_needing_more_of_themselves() -> None:
    """One replica of eight H100 has none left when it is down; more, slower GPUs make two, and are no advice."""
    found = SERVICE.state(CACHED)
    assert found.values["replica_failure"].word == "N−1: no replica left"
    for one in offered(found, "accelerator"):
        assert one.first > 0 or not one.fixes, one.title


def test_without_the_offload_tier_its_hits_are_gone() -> None:
    """At 50 MB/s reading back is slower than prefill: without the tier every prompt is prefilled, on more GPUs."""
    found = SERVICE.state({**CACHED, "offload_bandwidth": "50 MB/s"})
    (one,) = offered(found, "offload_tier")
    assert one.given == {"offload_tier": "none", "prefix_cache_hit_rate": "0%"}
    after = SERVICE.state({**CACHED, "offload_bandwidth": "50 MB/s", **one.given}).values
    assert one.first == pytest.approx(found.values["gpus_by_load"] - after["gpus_by_load"])
    assert one.first < -10
    assert "Latency targets" in one.fixes
    assert not offered(SERVICE.state(CACHED), "offload_tier"), "a tier that pays off is kept"


@pytest.mark.daily(3)
def test_a_price_of_a_survey_is_not_compared_with_one_of_a_list() -> None:
    """The survey has an H100 at 2 dollars, the list at 3: what a GB300 at 5 costs more is in neither."""
    found = training_state({})
    first = offered(found, "accelerator")[0]
    (shown,) = described(found, [first])
    assert first.given == {"accelerator": "gb300"}
    assert first.title.endswith(", in racks of 135 kW")
    assert shown["saves"]["run_price"] is None
    assert shown["price_text"].endswith("$5/GPU-hour, $2/GPU-hour for an H100; not comparable with the present price")
    surveyed = training_state({"accelerator": "mi325x"})
    of_survey = offered(surveyed, "accelerator")[0]
    assert of_survey.given == {"accelerator": "gb300"}
    assert not (of_survey.unpriced and of_survey.unpriced.wholly)


@pytest.mark.daily(3)
def test_a_rack_that_is_sold_whole_is_no_advice_for_fewer_gpus_than_its_own() -> None:
    accelerators = {one.given["accelerator"] for one in offered(training_state({"gpus": "64"}), "accelerator")}
    assert not accelerators & {"gb200", "gb300"}

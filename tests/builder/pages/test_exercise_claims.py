"""Words in exercises' answers that no result prints ("eighteen times", "half of it"): each ratio is computed again.

An answer's numbers are computed at every build; words next to them are not, and stay when a formula or a fact moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from builder.pages.amounts import of_result
from builder.paths import CONTENT


@dataclass(frozen=True, kw_only=True)
class Claim:
    """Words on a page, and the two results whose ratio they state, in a state and in that state with a change."""

    page: str
    words: str
    which: str
    name: str
    ratio: float
    other: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    then: dict[str, Any] = field(default_factory=dict)
    within: float = 0.06


LLAMA = {"model": "llama-3-70b"}
FLASH = {"drive": "drive-d5-p5336", "storage_nodes": 5}
CLAIMS = [
    Claim(
        page="checkpointing",
        words="eighteen times the planner's",
        which="checkpoint",
        name="checkpoint_size",
        state={"parameters": "37B"},
        then={"parameters": "671B"},
        ratio=18,
    ),
    Claim(
        page="collectives",
        words='{{ illustrative("five times") }} as fast',
        which="collectives",
        name="step_time",
        state={**LLAMA, "data_parallel": 256, "micro_batches": 4},
        then={"data_parallel": 32, "micro_batches": 32},
        ratio=5,
        within=0.1,
    ),
    Claim(
        page="inside-storage",
        words="so fifty times",
        which="storage_demand",
        name="rebuild_time",
        state={"drive": "drive-d7-ps1010", "storage_nodes": 5},
        then=FLASH,
        ratio=50,
    ),
    Claim(
        page="inside-storage",
        words='to {{ gives("rebuild_time") }}, half',
        which="storage_demand",
        name="rebuild_time",
        state=FLASH,
        then={"rebuild_share": "50%"},
        ratio=0.5,
    ),
    Claim(
        page="node",
        words="three times as many on twice the hardware",
        which="kv_cache",
        name="max_sequences",
        state={**LLAMA, "serving_tensor_parallel": 4, "sequences": 16},
        then={"serving_tensor_parallel": 8},
        ratio=3,
    ),
    Claim(
        page="power",
        words="is half of it",
        which="power",
        name="shortcut_power",
        other="facility_power",
        state={"gpus": 1024},
        ratio=2,
    ),
    Claim(
        page="reference-designs",
        words="The compute fabric doubles",
        which="fabric",
        name="switches",
        state={"gpus": 256},
        then={"gpus": 320},
        ratio=2,
    ),
    Claim(
        page="why",
        words="one and a half times the speed",
        which="training_time",
        name="training_duration",
        state={**LLAMA, "gpus": 1024, "peak_flops": "2967 TFLOP/s", "mfu": 0.2},
        then={"peak_flops": "989 TFLOP/s", "mfu": 0.4},
        ratio=1.5,
    ),
    Claim(
        page="rack-scale",
        words="eighteen times the bandwidth",
        which="storage_demand",
        name="load_direct",
        state={"gpus": 576, "weights_size": "1.03 TB", "weights_replicas": 8, "storage_nodes": 2},
        then={"weights_replicas": 144},
        ratio=18,
    ),
    Claim(
        page="money",
        words="The gap is more than a quarter",
        which="cost",
        name="rent_per_useful_hour",
        state={"gpus": 1024, "goodput": "95%"},
        then={"goodput": "75%"},
        ratio=1.267,
    ),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.page}: {claim.words[:30]}")
def test_the_words_of_an_answer_say_what_the_calculators_say(claim: Claim) -> None:
    assert claim.words in (CONTENT / "guide" / f"{claim.page}.md").read_text("utf-8")
    first = of_result(claim.which, claim.name, claim.state).base
    second = of_result(claim.which, claim.other or claim.name, {**claim.state, **claim.then}).base
    assert second / first == pytest.approx(claim.ratio, rel=claim.within)


def test_what_the_first_design_needs_for_eighty_people_is_more_than_it_has() -> None:
    four = {"model": "qwen3-32b", "precision": "fp8", "cache_precision": "cache-fp8", "tensor_parallel": 1}
    four |= {"think_time": "30 s", "accelerator": "rtx-pro-6000-server", "gpus": 4, "gpus_per_node": 4}

    def needed(**changed: Any) -> float:
        return of_result("machine_serving", "replicas_needed", {**four, "concurrent_users": 80, **changed}).base

    # "there are four, and one of them was the spare"; "so that the spare is back"; "costs nothing at all".
    assert needed() > 4
    assert needed(concurrent_users=40) == 3
    assert needed(tpot_target="60 ms") == 3
    assert needed(model="qwen3-5-35b-a3b") < 4


def test_a_gigabyte_a_second_for_each_gpu_is_a_third_of_what_the_volumes_need() -> None:
    needed = of_result("storage_demand", "training_read", {"gpus": 256, "workload": "workload-unet3d-h100"}).base
    assert needed / 256e9 == pytest.approx(3, rel=0.1)


def test_a_plant_of_small_engines_has_thirteen_of_them_and_one_of_large_turbines_three() -> None:
    plant = {"gpus": 16384, "hall_power": "60 MW", "hall_racks": 4096}
    assert of_result("power", "modules_installed", {**plant, "module_size": "2.5 MW"}).base == 13
    assert of_result("power", "modules_installed", {**plant, "module_size": "16.5 MW"}).base == 3

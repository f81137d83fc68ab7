"""What goes along from one calculator to the next, what follows from it there, and what is said of it."""

from __future__ import annotations

import itertools
import json
import random
import urllib.parse
from dataclasses import replace
from typing import Any

import pytest

from calculators import checkpoint, goodput
from calculators.answers.input_state import parse_inputs
from calculators.answers.transfer import import_states, source
from calculators.bridge import respond
from calculators.catalog import CALCULATORS
from calculators.declare import Quantity
from calculators.machine.state import WORKLOADS
from tests.each import each
from tests.soak.states import drawn


def moved(start: str, target: str, **given: str) -> tuple[dict[str, str], str]:
    texts, report = import_states(CALCULATORS[target], [source(CALCULATORS[start], given)])
    return texts, " ".join(report)


def arrived(target: str, fragment: str) -> dict[str, Any]:
    asked = {"asks": ["answer", "link"], "calculator": target, "fragment": fragment}
    found: dict[str, Any] = json.loads(respond(json.dumps(asked)))
    return found


def test_what_was_set_goes_along_as_it_was_typed() -> None:
    texts, report = moved("training_time", "training_memory", gpus="1024", sequence_length="4k")
    assert texts == {"model": "llama-3-1-405b", "gpus": "1,024", "sequence_length": "4,096"}
    assert report.startswith("Imported from “Training time and cost”: Model, GPUs in the job and Sequence length as")


def test_gpus_set_there_are_the_replicas_of_the_layout_here() -> None:
    """The layout by default is 8 tensor ranks in 4 stages: 1,024 GPUs make 32 replicas of 32."""
    assert "Data parallel is now 32 ranks" in moved("training_time", "training_memory", gpus="1024")[1]


def test_gpus_computed_there_from_ranks_are_pinned_here() -> None:
    texts, report = moved("training_memory", "training_time", data_parallel="64")
    assert texts["gpus"] == "2,048"
    assert "GPUs in the job as calculated there" in report


def test_a_checkpoint_computed_there_is_the_checkpoint_here() -> None:
    """70B parameters at 14 B are 980 GB: 24.5 s at 40 GB/s, and 12.25 s to read back at twice that."""
    texts, report = moved("checkpoint", "goodput", parameters="70B")
    saved = {"restore_time": "12.25 s", "checkpoint_stall": "24.5 s", "time_to_safe": "24.5 s"}
    assert saved.items() <= texts.items()
    assert "as calculated there" in report


def test_what_was_given_there_and_is_computed_here_is_reported_with_both_values() -> None:
    texts, report = moved("training_time", "goodput", goodput="80%")
    assert "goodput" not in texts
    assert "Goodput is calculated here: 93" in report


def test_a_record_that_the_menu_here_does_not_know_brings_its_values() -> None:
    texts, _ = moved("training_time", "power", accelerator="b200")
    assert texts["gpu_power"] == "1 kW"


@each([pytest.param(*two, id="/".join(two)) for two in itertools.permutations(sorted(CALCULATORS), 2)])
def test_every_shared_input_arrives_and_is_accepted(start: str, target: str) -> None:
    """Every shared quantity is set in one calculator a little off its default, and is so in every other."""
    there, here = CALCULATORS[start], CALCULATORS[target]
    usual = parse_inputs(there, {}).values
    shared = [
        name
        for name, one in there.inputs.items()
        if isinstance(one, Quantity) and name in here.inputs and usual[name] and not one.whole
    ]
    for name in shared[:3]:
        declared = there.inputs[name]
        assert isinstance(declared, Quantity)
        text = declared.box((usual[name] + declared.slider[0]) / 2)
        texts, _ = import_states(here, [source(there, {name: text})])
        found = parse_inputs(here, texts)
        assert found.values[name] == parse_inputs(there, {name: text}).values[name]
        assert name not in found.problems


def test_a_link_from_another_calculator_arrives_with_its_sentence() -> None:
    report = arrived("training_memory", "gpus=1024&v=0.0.1&was=training_duration:3days&from=training_time")
    assert report["given"]["gpus"] == "1,024"
    assert [notice.split(":")[0].split(" is now")[0] for notice in report["notices"]] == [
        "Imported from “Training time and cost”",
        "Data parallel",
    ]
    assert "from=" not in report["stamped"]


@pytest.mark.parametrize("fragment", ["gpus=512&from=unknown", "gpus=512&from=", "gpus=512&from=checkpoint"])
def test_a_link_from_nowhere_is_read_as_any_other(fragment: str) -> None:
    report = arrived("checkpoint", fragment)
    assert report["given"]["gpus"] == "512"
    assert report["notices"] == []


@pytest.mark.parametrize("start", ["post_training", "machine_rl"])
@pytest.mark.parametrize("target", ["training_memory", "collectives", "training_time"])
def test_gpus_that_no_engine_uses_are_no_spares_of_a_layout(start: str, target: str) -> None:
    """Engines of 8 ranks on 21 GPUs leave 5 idle; the link to a layout's calculator ended in a KeyError."""
    report = arrived(target, f"gpus=64&train_gpus=43&serving_tensor_parallel=8&from={start}")
    assert "failure" not in report, report
    assert report["given"]["gpus"] == "64"


@pytest.mark.daily(5)
@pytest.mark.parametrize("start", [*CALCULATORS, *WORKLOADS])
def test_a_state_drawn_by_chance_arrives_at_every_calculator(start: str) -> None:
    """In one sentence or another: with every state, another target."""
    there = CALCULATORS[start] if start in CALCULATORS else WORKLOADS[start].calculator()
    chance = random.Random(start)  # noqa: S311  states, not secrets
    for target in (one for one in (*CALCULATORS, *CALCULATORS) if one != start):
        given = urllib.parse.urlencode(drawn(there, chance))
        assert "failure" not in (report := arrived(target, f"{given}&from={start}")), (given, target, report)


def test_what_is_wrong_there_stays_there() -> None:
    assert moved("training_time", "checkpoint", gpus="many", model="gpt-3-175b")[0] == {"model": "gpt-3-175b"}


def test_from_python_an_answer_goes_on_as_another() -> None:
    assert checkpoint(parameters="70B").carried(goodput).checkpoint_stall == pytest.approx(24.5)


def way(fragment: str) -> str:
    """A link that led to a calculator, as it goes along behind the next one's."""
    return f"&with={urllib.parse.quote(fragment, safe='')}"


SAVED = "parameters=8B&checkpoint_interval=30min&v=0.1.0&was=checkpoint_size:112GB&from=checkpoint"


def test_what_the_one_between_is_not_asked_for_comes_from_the_one_before() -> None:
    """8B parameters at 14 B are 112 GB, which goodput does not ask for and storage demand does."""
    between = arrived("goodput", SAVED)
    report = arrived("storage_demand", f"{between['link']}&from=goodput{way(SAVED)}")
    assert report["given"] == {"checkpoint_interval": "30 min", "checkpoint_size": "112 GB"}
    assert report["notices"] == [
        "Imported from “Goodput and checkpoint interval”: Checkpoint interval as set there.",
        "Imported from “Checkpoint size and bandwidth”: Checkpoint size as calculated there.",
    ]
    assert "with=" not in report["stamped"]


def test_what_was_set_later_counts_in_the_state_before_it() -> None:
    """The interval is goodput's to say, also for the checkpoint whose size it does not move."""
    report = arrived("storage_demand", f"checkpoint_interval=15min&from=goodput{way(SAVED)}")
    assert report["given"]["checkpoint_interval"] == "15 min"
    assert report["given"]["checkpoint_size"] == "112 GB"


def test_a_reader_who_comes_back_finds_what_was_set_there() -> None:
    between = arrived("goodput", SAVED)
    report = arrived("checkpoint", f"{between['link']}&from=goodput{way(SAVED)}")
    assert report["given"] == {"checkpoint_interval": "30 min", "parameters": "8B"}
    assert "Set here before: Model parameters." in report["notices"]
    assert not [notice for notice in report["notices"] if "is calculated here" in notice]  # it is computed alike


def test_where_the_reader_was_before_is_no_input_and_no_mistake() -> None:
    own = f"gpu_mtbf=50000h{way(SAVED)}"
    assert arrived("goodput", own)["notices"] == []
    assert arrived("goodput", own)["given"] == {"gpu_mtbf": "50000h"}
    for broken in ("&with=", "&with=%", "&with=nowhere", "&with=a%3D1%26from%3Dunknown", way(SAVED) * 9):
        assert arrived("storage_demand", f"gpus=64&from=goodput{broken}")["given"]["gpus"] == "64"


def test_a_machine_before_passes_on_its_values() -> None:
    before = "parameters=8B&tokens=1T&gpus=512&write_bandwidth=20GB/s&from=machine"
    report = arrived("storage_demand", f"gpus=512&from=goodput{way(before)}")
    assert report["given"]["checkpoint_size"] == "112 GB"
    assert report["notices"][1].startswith("Imported from “System planner: training”: Checkpoint size")


def test_a_value_that_is_the_same_on_both_sides_is_not_pinned() -> None:
    """Everything goes along exactly; pinned is only what would differ without it."""
    start, target = CALCULATORS["checkpoint"], CALCULATORS["goodput"]
    there = source(start, {"parameters": "405B"})
    texts, _ = import_states(target, [replace(there, exact=True)])
    values, without = parse_inputs(target, texts).values, parse_inputs(target, {}).values
    assert texts
    for name in texts:
        assert values[name] != pytest.approx(without[name], rel=1e-9), name
    assert there.values
    shared = [name for name in target.inputs if name in there.values and name not in texts]
    assert shared
    assert [values[name] for name in shared] == [pytest.approx(there.values[name], rel=1e-9) for name in shared]


def test_training_in_samples_gives_the_data_loader_its_step() -> None:
    """3D U-Net on H100: seven crops a step; what a step takes, and the volumes that it reads."""
    texts, _ = moved("sample_training", "data_loader", trained_model="sample-model-unet-3d", gpus="16")
    assert texts["batch_size"] == "7"
    assert texts["gpus"] == "16"
    alone = source(CALCULATORS["sample_training"], {"trained_model": "sample-model-unet-3d", "gpus": "16"}).values
    assert alone is not None
    there = parse_inputs(CALCULATORS["data_loader"], texts).values
    assert there["step_compute_time"] == pytest.approx(alone["step_compute_time"], rel=1e-3)
    assert there["sample_bytes"] == pytest.approx(alone["sample_bytes"], rel=1e-3)

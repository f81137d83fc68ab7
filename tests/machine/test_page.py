"""What a machine's page shows: at once and in slices, as the command line prints it; from and to every calculator."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from builder.paths import TEMPLATES
from calculators import bridge, units
from calculators.answers import answer, transfer
from calculators.answers.input_state import parse_inputs
from calculators.bridge import respond
from calculators.catalog import CALCULATORS
from calculators.declare import Verdict
from calculators.machine import breakdown, hall_and_storage
from calculators.machine.description import machine
from calculators.machine.machines import existing
from calculators.machine.report import formats
from calculators.machine.resources.bottlenecks import Resource
from calculators.machine.serving import serving_machine
from calculators.machine.training_state import TrainingState
from calculators.page import machine as page
from tests.machine.test_description import known_here_alone

OF_HALL = {one.name for one in hall_and_storage.FORMULAS}

STATES: dict[str, list[dict[str, str]]] = {
    "machine": [{}, {"like": "deepseek-v3"}, {"model": "llama-2-7b", "gpus": "64", "paid": "own", "tokens": "100B"}],
    "machine_serving": [{}, {"model": "deepseek-v3", "serving_tensor_parallel": "16", "disaggregated": "yes"}],
    "machine_rag": [{}, {"documents": "1B", "index_kind": "diskann", "index_place": "shared", "paid": "own"}],
    "machine_rl": [{}, {"algorithm": "ppo", "gpus": "256", "paid": "own"}, {"algorithm": "dpo", "model": "llama-3-8b"}],
}


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "_PAGE", page.Page())


def ask(name: str = "machine", asks: str = "answer", **more: Any) -> dict[str, Any]:
    report_of: dict[str, Any] = json.loads(
        respond(json.dumps({"calculator": name, "asks": [asks], "python": [], **more}))
    )
    assert "failure" not in report_of, report_of["failure"]
    return report_of


def in_slices(**more: Any) -> tuple[dict[str, Any], int]:
    """All that follows an answer, each key as it was sent last but cells gathered, and the number of slices."""
    whole: dict[str, Any] = {"cells": {}}
    asked = {"asks": ["explore"], "calculator": "machine", "slice_ms": 0, **more}
    slices, cursor = 0, None
    while slices == 0 or cursor is not None:
        part = json.loads(respond(json.dumps(asked if cursor is None else {**asked, "cursor": cursor})))
        assert "failure" not in part, part["failure"]
        whole = {**whole, **part, "cells": {**whole["cells"], **part.get("cells", {})}}
        cursor, slices = part.get("cursor"), slices + 1
    return whole, slices


def test_a_page_gets_what_the_command_line_prints() -> None:
    given = {"model": "llama-2-7b", "gpus": "64", "tokens": "100B"}
    expected = formats.described(page.found_state(page.MACHINES["machine"](), given))
    answered = ask(given=given)
    assert answered["sentence"] == expected["sentence"]
    for part in expected["breakdown"]:
        assert answered["cells"][f"time.{part['name']}"] == part["text"]
        assert answered["cells"][f"share.{part['name']}"] == part["share_text"]
    assert answered["cells"]["layout"] == " ".join(expected["layout"]["said"])
    whole, slices = in_slices(given=given)
    assert slices > 100  # it can be left between any two trials
    assert whole["cells"]["limit"] == expected["limiting_pillar"]["said"]
    assert [row["label"] for row in whole["advice"]] == [one["title"] for one in expected["changes"]]
    for one in expected["pillars"]:
        assert whole["cells"][f"pillar.{one['name']}.asked"] == one["asked"]
        assert whole["levels"][f"pillar.{one['name']}"] == one["level"]
    assert json.loads(ask(asks="described", given=given)["described"])["sentence"] == expected["sentence"]


@pytest.mark.daily(3)
def test_before_the_search_the_layout_of_a_neighbor_is_shown_and_says_so() -> None:
    first = ask(provisional=True)
    assert first["searching"]
    assert first["texts"]["gpus"] == "16,384 GPUs"
    in_slices()
    assert "searching" not in ask(provisional=True)
    nearby = ask(provisional=True, given={"gpus": "8,192"})
    assert nearby["searching"]
    assert nearby["texts"]["gpus"] == "8,192 GPUs"
    found, _ = in_slices(given={"gpus": "8,192"})
    assert found["texts"] == ask(given={"gpus": "8,192"})["texts"]
    assert "searching" not in ask(provisional=True, given={"gpus": "8,192"})


def test_what_no_search_hangs_on_asks_for_none() -> None:
    ask()
    for given in ({"price_per_gpu_hour": "$2"}, {"write_bandwidth": "400 GB/s"}, {"failure_rate": "1/day"}):
        at_once = ask(provisional=True, given=given)
        assert "searching" not in at_once
        assert at_once["texts"] == ask(given=given)["texts"]
        page_of_its_own = page.found_state(page.MACHINES["machine"](), given)
        assert at_once["sentence"] == formats.sentence(page_of_its_own)


@pytest.mark.parametrize("given", [{"network": "1"}, {"gpus": "7", "tensor_parallel": "5"}, {"gpus": "many"}], ids=str)
def test_what_cannot_be_is_a_sentence_at_once_or_after_the_search(given: dict[str, str]) -> None:
    at_once = ask(provisional=True, given=given)
    whole, _ = in_slices(given=given)
    problems = {**at_once.get("problems", {}), **whole.get("problems", {})}
    if "network" in given:
        assert problems == {}
        return
    assert problems
    assert all(sentence.endswith((".", "…")) or " " in sentence for sentence in problems.values())


@pytest.mark.daily(3)
def test_a_deadline_finds_the_gpus_in_slices() -> None:
    ask()
    at_once = ask(provisional=True, given={"deadline": "120 d"})
    assert at_once["searching"]
    whole, _ = in_slices(given={"deadline": "120 d"})
    assert whole["texts"]["gpus"] == ask(given={"deadline": "120 d"})["texts"]["gpus"]
    assert at_once["controls"]["gpus"]["word"] == "estimate: searching"
    assert whole["controls"]["gpus"]["word"] == "fewest that meet the deadline"


@pytest.mark.daily(3)
def test_two_machines_are_side_by_side() -> None:
    """A store four times as fast; the differences of all parts add up to that of the run."""
    whole, _ = in_slices(given={"write_bandwidth": "400 GB/s"}, states=["write_bandwidth=100GB/s"])
    cells = whole["cells"]
    assert (
        cells["comparison.training_duration.0"]
        == ask(given={"write_bandwidth": "100 GB/s"})["texts"]["training_duration"]
    )
    assert (
        cells["comparison.training_duration.1"]
        == ask(given={"write_bandwidth": "400 GB/s"})["texts"]["training_duration"]
    )
    assert cells["comparison.text"].startswith("Differences: Storage write bandwidth 400 GB/s instead of 100 GB/s. ")
    assert "earlier" in cells["comparison.training_duration.saved"]
    assert cells["comparison.time_at_peak.saved"] == "the same"
    assert cells["comparison.time_stalled.saved"].endswith(" less")
    assert all(text for place, text in cells.items() if place.startswith("comparison.") and place.endswith(".saved"))


def resource(key: str, **known: Any) -> Resource:
    fits = Verdict(level="good", word="in use")
    report_of: dict[str, Any] = {
        "asked": "much",
        "there": "more",
        "calculator": "collectives",
        "verdict": fits,
        **known,
    }
    return Resource(key=key, title=key.capitalize(), kind="rate" if "gain" in known else "capacity", **report_of)


def test_a_pillar_has_its_texts_at_its_places() -> None:
    rate = {"gain_text": "ends sooner", "slack_text": "may fall", "gain_per_dollar_text": "saves nothing"}
    known = (
        resource("compute", gain=0.08, slack=0.25, **rate),
        resource("network", gain=-1e-17, slack=-1e-17, **rate),  # nothing, in another order of adding
        resource("memory", margin=0.2, margin_text="20%"),
    )
    report_of = page.of_resources(known)
    cells = report_of["cells"]
    assert [cells[f"pillar.{one.key}.gain"] for one in known] == ["+8%", "+0%", "20%"]
    assert [cells[f"pillar.{one.key}.slack"] for one in known] == ["25%", "0%", ""]
    assert [cells[f"pillar.{one.key}.text"] for one in known] == [*["ends sooner; may fall"] * 2, ""]
    assert cells["limit"] == "Bottleneck: Compute, ends sooner."
    assert report_of["levels"] == {f"pillar.{one.key}": "good" for one in known}


def test_a_link_is_stamped_with_the_answer_once_that_is_known() -> None:
    before = ask(asks="link", given={"gpus": "4,096"})
    assert before["stamped"] == before["link"]
    report_of = ask(given={"gpus": "4,096"})
    after = ask(asks="link", given={"gpus": "4,096"})
    assert after["link"] == before["link"]
    assert after["stamped"].startswith(f"{after['link']}&v=")
    assert "was=training_duration" in after["stamped"]
    assert report_of["texts"]["gpus"] == "4,096 GPUs"


def test_two_machines_are_compared_by_their_measures_and_those_that_train_by_every_part() -> None:
    serves, trains = (page.found_state(machine(), {}) for machine in (serving_machine, machine))
    assert [name for name, _ in page.compared_rows(serves)] == ["gpus_by_load", "yearly_price", "facility_power"]
    names, labels = zip(*page.compared_rows(trains), strict=True)
    assert names[:3] == ("training_duration", "run_price", "facility_power")
    assert names[3:] == tuple(part.result for part in breakdown.PARTS)
    assert {"Training time", "Checkpoint stalls"} <= set(labels)


def test_whether_another_pillar_limits_as_well_is_reported() -> None:
    found = page.found_state(page.MACHINES["machine_serving"](), {})
    compute, network = (resource(key, gain=0.1, slack=0.5) for key in ("compute", "network"))
    for held, message in ((network, "another"), (compute, "the same")):
        cells = page.of_both((found, (held,)), (found, (compute,)))
        assert cells["comparison.limit.saved"] == message
        assert [cells[f"comparison.limit.{place}"] for place in (0, 1)] == [held.title, "Compute"]


def test_a_server_comes_with_its_accelerator_and_is_not_reported_of_a_link() -> None:
    chosen = ask(given={"accelerator": "a100-sxm-80gb"})
    assert chosen["presets"]["server"] == "server-dgx-a100"
    assert "server" not in chosen["given"]
    link = ask(asks="link", given={"accelerator": "a100-sxm-80gb"})["link"]
    assert link == "accelerator=a100-sxm-80gb"
    own = ask(asks="link", given={"accelerator": "a100-sxm-80gb", "server": "server-dgx-h100"})["link"]
    assert "server=server-dgx-h100" in own


@pytest.mark.parametrize(
    ("accelerator", "server", "message"),
    [
        ("b200-sxm", "server-dgx-b200", ""),  # it comes with the accelerator
        ("b200-sxm", "server-dgx-a100", "&server=server-dgx-a100"),
        ("b200-sxm", "none", "&server=none"),
        ("mi300x", "server-dgx-h100", "&server=server-dgx-h100"),  # otherwise none, though it is the default
    ],
)
def test_a_server_is_reported_of_a_link_where_another_was_chosen(accelerator: str, server: str, message: str) -> None:
    given = {"accelerator": accelerator, "server": server}
    for name in page.MACHINES:
        assert page.link(name, given) == f"accelerator={accelerator}{message}"


@pytest.mark.parametrize(
    ("name", "given"), [(name, each) for name, states in STATES.items() for each in states], ids=str
)
def test_every_calculator_opened_from_it_shows_the_same_figures(name: str, given: dict[str, str]) -> None:
    found = page.found_state(page.MACHINES[name](), given)
    for part in (CALCULATORS[each] for each in page.parts_of(name)):
        source = transfer.Source(calculator=found.calculator, state=found.resolved, values=found.values, exact=True)
        texts, _ = transfer.import_states(part, [source])
        values = answer.evaluated(part, parse_inputs(part, texts))
        # A calculator gets what the machine takes as the hall's limits; the machine knows that none was given.
        left_out = OF_HALL | (known_here_alone(found) if isinstance(found, TrainingState) else set())
        shared = [step for step in part.steps if step in found.values and step not in left_out]
        unlike = [step for step in shared if not same(values[step], found.values[step])]
        assert unlike == [], part.name


@pytest.mark.parametrize("name", STATES)
def test_limits_of_the_hall_that_are_not_given_have_no_verdict(name: str) -> None:
    """What the hall supplies is then what the machine takes: all of it, which is no news."""
    without = ask(name)["verdicts"]["hall_fits"]
    assert not without["word"].endswith(("is power", "rack positions"))
    takes = page.found_state(page.MACHINES[name](), {}).values["facility_power"]
    tight = ask(name, given={"hall_power": f"{takes * 1.05:.0f} W"})["verdicts"]["hall_fits"]
    assert (tight["level"], tight["word"]) == ("tight", "tight; the limit is power")
    short = ask(name, given={"hall_power": f"{takes * 0.95:.0f} W"})["verdicts"]
    assert short["hall_fits"]["word"] == "does not fit; the limit is power"


def same(one: Any, other: Any) -> bool:
    if isinstance(one, Verdict) and isinstance(other, Verdict):
        return one.level == other.level
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-300)
    return bool(one == other)


def test_its_link_opens_a_calculator_in_this_state_and_back() -> None:
    there = ask(given={"write_bandwidth": "200 GB/s", "checkpoint_interval": "20 min"})
    link = ask(asks="link", given=there["given"])["link"]
    opened = ask("goodput", fragment=f"{link}&from=machine")
    assert opened["texts"]["goodput"] == there["texts"]["goodput"]
    assert opened["notices"][0].startswith("Imported from “System planner: training”")
    back = ask(fragment="write_bandwidth=300GB/s&parameters=70B&from=checkpoint")
    assert back["given"]["write_bandwidth"].replace(" ", "") == "300GB/s"
    assert back["texts"]["write_bandwidth"] == "300 GB/s"


@pytest.mark.parametrize("name", page.MACHINES)
def test_the_years_of_its_data_take_a_system_and_hand_its_capacity_back(name: str) -> None:
    """Checkpoints and weights go there; what the hot tier then needs is the capacity to buy."""
    link = ask(name, asks="link", given={"hot_checkpoints": "9"})["link"]
    there = ask("data_lifecycle", fragment=f"{link}&from={name}")
    assert there["given"]["hot_checkpoints"] == "9"
    given = {"prepared_data": "5 PB", "estate": "none"}
    needed = answer.evaluated(CALCULATORS["data_lifecycle"], parse_inputs(CALCULATORS["data_lifecycle"], given))
    back = ask(name, fragment="prepared_data=5PB&estate=none&from=data_lifecycle")
    assert back["texts"]["storage_capacity"] == units.text(needed["storage_capacity"], "B")


def test_records_in_the_browser_know_the_same_places() -> None:
    assert page.PLACES.keys() == page.MACHINES.keys()
    script = (TEMPLATES / "browser/records/draft.ts").read_text("utf-8")
    for name, place in page.PLACES.items():
        assert f'{name}: "{place}",' in script


@pytest.mark.daily(3)
def test_machines_that_exist_are_links_that_open() -> None:
    for one in existing().values():
        link = page.link("machine", one.given)
        expected = formats.sentence(page.found_state(page.MACHINES["machine"](), one.given))
        assert ask(fragment=link)["sentence"] == expected, one.key

"""Goodput: the default scenario, every verdict at its boundary, recommendations."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.declare import Values, Verdict, pictures
from calculators.page import exploration
from calculators.subjects.storage.goodput import recommendations, variants
from calculators.subjects.storage.goodput.calculator import CALCULATOR
from tests.readers import states


def values(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))


def shares(**given: Any) -> list[float]:
    found = values(**given)
    return [round(100 * found[name], 1) for name in ("goodput", "down_share", "lost_share", "stalled_share")]


def test_llama_3_on_16384_gpus_keeps_93_percent_at_two_minutes_and_80_at_an_hour() -> None:
    found = values()
    assert found["mtbf"] / 3600 == pytest.approx(3.09, abs=0.005)
    assert found["failures_per_day"] == pytest.approx(7.76, abs=0.005)
    assert found["best_interval"] / 60 == pytest.approx(1.9, abs=0.05)
    assert shares() == [93.3, 5.3, 0.9, 0.5]
    assert shares(checkpoint_interval="1 h")[0] == 79.9
    assert shares(checkpoint_interval="1 h")[2] == 14.8
    assert round(values(checkpoint_interval="1 h")["gpus_lost"]) == 3301


def test_the_same_checkpoint_blocking_for_51_seconds_keeps_86_percent_at_18_minutes() -> None:
    found = values(checkpoint_stall="51.06 s")
    assert found["goodput"] == pytest.approx(0.859, abs=0.0005)
    assert found["interval"] / 60 == pytest.approx(18, abs=0.5)
    assert found["time_to_safe"] == 51.06


def test_on_131072_gpus_62_percent_is_goodput_and_quick_recovery_brings_back_19_points() -> None:
    found = values(gpus=131_072)
    assert found["goodput"] == pytest.approx(0.617, abs=0.0005)
    assert found["linear_goodput"] == pytest.approx(0.496, abs=0.0005)
    quick = values(gpus=131_072, detection_time="15 s", restart_time="1 min")
    assert quick["goodput"] - found["goodput"] == pytest.approx(0.19, abs=0.005)
    assert values(gpus=131_072, checkpoint_interval="1 h")["goodput"] == pytest.approx(0.13, abs=0.005)


def test_llama_3_with_a_minute_of_detection_and_five_of_restart_keeps_94_3_percent() -> None:
    assert shares(detection_time="60 s", restart_time="5 min")[0] == 94.3


def test_what_the_picture_says_of_more_gpus_is_what_the_calculator_says_there() -> None:
    here = values(node_repair_time="2 h", corruption_gpu_mtbf="400 years", rare_failure_share="5%")
    for times, name in ((2, "twice"), (8, "eight")):
        there = values(
            gpus=16384 * times,
            node_repair_time="2 h",
            corruption_gpu_mtbf="400 years",
            rare_failure_share="5%",
        )
        assert here[f"goodput_on_{name}"] == pytest.approx(there["goodput"], rel=1e-12)
        for what in ("stalled", "lost", "down", "rest"):
            assert here[f"{what}_on_{name}"] == pytest.approx(there[f"{what}_share"], rel=1e-12)


def test_what_is_computed_elsewhere_says_for_how_many_gpus() -> None:
    written = {formula.name: formula.written for formula in variants.FORMULAS}
    assert written["goodput_at_best"] == "goodput(checkpoint_interval=best_interval)"
    assert written["lost_on_twice"] == "lost_share(checkpoint_interval=best_interval, gpus=2 * gpus)"
    assert written["down_on_eight"] == "down_share(checkpoint_interval=best_interval, gpus=8 * gpus)"


def test_goodput_beyond_ninety_percent_is_not_drawn_as_too_much() -> None:
    picture = CALCULATOR.picture
    assert picture is not None
    places = pictures.drawing(picture, values()).places
    assert places["limit"]["x1"] == "90.000%"
    assert {place["width"] for name, place in places.items() if name.endswith("excess")} == {"0.000%"}


def test_an_optional_loss_that_is_not_given_is_none() -> None:
    found = values()
    assert (found["waiting_for_spare"], found["planned_loss"], found["corruption_loss"], found["rare_share"]) == (
        0,
    ) * 4


@given(data=st.data())
@settings(max_examples=40)
def test_the_shares_add_to_one_and_nothing_is_kept_beyond_the_time_there_is(data: st.DataObject) -> None:
    inputs = data.draw(states(CALCULATOR))
    if (
        inputs["time_to_safe"] < inputs["checkpoint_stall"]
        or inputs["checkpoint_interval"] <= inputs["checkpoint_stall"]
    ):
        return
    found = CALCULATOR.evaluate(inputs)
    undisturbed = [found[f"{what}_while_undisturbed"] for what in ("stalled", "lost", "down")]
    assert found["kept_share"] + sum(undisturbed) == pytest.approx(1, abs=1e-9)
    of_the_wall_clock = [found[f"{what}_share"] for what in ("stalled", "lost", "down", "rest")]
    assert found["goodput"] + sum(of_the_wall_clock) == pytest.approx(1, abs=1e-9)
    assert 0 <= found["goodput"] <= 1
    assert found["of_what_is_paid"] <= found["goodput"]


def verdict(name: str, **known: Any) -> str:
    formula = CALCULATOR.steps[name]
    message: Verdict = formula.function(*[known[need] for need in formula.needs])
    return message.level


@pytest.mark.parametrize(
    ("goodput", "level"), [(1, "good"), (0.9, "good"), (0.8999, "tight"), (0.75, "tight"), (0.7499, "bad"), (0, "bad")]
)
def test_goodput_is_ok_from_90_percent_on_and_lost_below_75_percent(goodput: float, level: str) -> None:
    assert verdict("time_kept", goodput=goodput, good_goodput=0.9) == level


@pytest.mark.parametrize(
    ("missing", "level"), [(-0.1, "good"), (0.0049, "good"), (0.0051, "tight"), (0.0199, "tight"), (0.0201, "bad")]
)
def test_an_interval_is_right_within_half_a_point_and_wrong_beyond_two(missing: float, level: str) -> None:
    one_tier: dict[str, Any] = {"rare_failure_share": None, "persist_every": 1}
    one_tier |= {"durable_time_to_safe": 900, "interval": 60, "waiting_for_spare": 0.5}
    assert verdict("interval_right", goodput=0.9 - missing, goodput_at_best=0.9, **one_tier) == level


@pytest.mark.parametrize(
    ("at_best", "rare", "every", "message"),
    [
        (0.5, 0.01, 2, "within 0.5 points of the {goodput_at_best} at {best_interval}, "),
        (0.5, 0.01, 2, "which with two tiers is the best to 0.2 points."),
        (0.49, 0.99, 2, "the best to 0.5 points."),
        (0.34, 0.5, 30, "the best to 0.5 points."),
        (0.33, 0.5, 30, "the best to 1.5 points."),
        (0.1, 0.5, 1, "within 0.5 points of the best."),
        (0.1, 0, 30, "within 0.5 points of the best."),
        (0.1, 1, 30, "within 0.5 points of the best."),
        (0.1, None, 30, "within 0.5 points of the best."),
    ],
)
def test_the_best_is_called_an_estimate_where_some_failures_are_rare(
    at_best: float, rare: float | None, every: float, message: str
) -> None:
    texts_of = CALCULATOR.steps["interval_right"].function(at_best, at_best, rare, every, 60, 60, 0)
    assert message in texts_of.reason


@pytest.mark.parametrize(
    ("every", "rare", "safe", "level"),
    [(2, 0.05, "240 s", "good"), (2, 0.05, "241 s", "bad"), (1, 0.05, "121 s", "bad"), (1, "none", "241 s", "good")],
)
def test_no_interval_is_right_at_which_durable_checkpoints_pile_up(
    every: int, rare: float | str, safe: str, level: str
) -> None:
    """Saved every two minutes, and one in two durable: four minutes until the next."""
    tiers = {"rare_failure_share": rare, "persist_every": every, "durable_time_to_safe": safe}
    found = values(checkpoint_interval="2 min", **tiers)
    assert found["interval_right"].level == level
    assert ("Persisted checkpoints queue" in "".join(answer.warnings(CALCULATOR, found))) == (level == "bad")


def test_trying_every_interval_finds_no_more_than_the_verdict_says() -> None:
    """Eight failures an hour, every hundredth of which takes near copies along, and hardly a tenth is kept."""
    rare = {"gpus": 131072, "gpu_mtbf": "15800 h", "checkpoint_stall": "156 s", "time_to_safe": "171 s"}
    rare |= {"rare_failure_share": "1%", "persist_every": 100, "durable_stall": "10 s", "durable_time_to_safe": "70 s"}
    rare |= {"detection_time": "0 s", "restart_time": "60 s", "restore_time": "130 s", "durable_restore_time": "130 s"}
    found = values(**rare)
    tried = [values(**rare, checkpoint_interval=f"{seconds} s")["goodput"] for seconds in range(175, 700, 5)]
    assert 0.005 < max(tried) - found["goodput_at_best"] < 0.015
    assert "is the best to 1.5 points" in found["interval_right"].reason


@pytest.mark.parametrize(("running", "level"), [(0.9, "good"), (0.8999, "tight"), (0.5, "tight"), (0.4999, "bad")])
def test_a_job_keeps_up_that_runs_ninety_percent_of_the_time_and_does_not_below_half(
    running: float, level: str
) -> None:
    assert verdict("keeps_up", running_with_rare_failures=running, waiting_for_spare=0) == level


@pytest.mark.parametrize(
    ("running", "waiting", "level"),
    [(1, 0.1, "good"), (1, 0.11, "tight"), (1, 0.5, "tight"), (1, 0.51, "bad"), (0.8, 0.3, "tight"), (0.8, 0.4, "bad")],
)
def test_a_job_that_waits_for_nodes_does_not_keep_up(running: float, waiting: float, level: str) -> None:
    assert verdict("keeps_up", running_with_rare_failures=running, waiting_for_spare=waiting) == level


@pytest.mark.parametrize(
    ("waiting", "kept", "level"), [(0.5, 0.5, "good"), (0.51, 0.5, "tight"), (0.5, 0.49, "tight"), (0, 0.49, "tight")]
)
def test_no_interval_decides_for_a_job_that_mostly_waits(waiting: float, kept: float, level: str) -> None:
    best: dict[str, Any] = {"goodput": kept, "goodput_at_best": kept, "rare_failure_share": None, "persist_every": 1}
    best |= {"durable_time_to_safe": 1, "interval": 60, "waiting_for_spare": waiting}
    assert verdict("interval_right", **best) == level


def reasons(**given: Any) -> list[str]:
    found = values(**given)
    return [one["reason"] for one in answer.verdicts(CALCULATOR, found).values()]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "93.3% of the time becomes lasting progress."),
        ({"checkpoint_interval": "1 h"}, "Goodput is 79.9%; large published runs reach 90% or more."),
        ({"gpus": 3_000_000}, "Goodput is 0.0287%: almost no progress lasts, on any of 3M GPUs."),
        ({"gpus": 131072}, "Goodput is 61.7%: the equivalent of 50,259 GPUs idle, of 131,072 GPUs."),
        ({}, "A checkpoint every 115 s gives 93.3%, within 0.5 points of the best."),
        ({"checkpoint_interval": "10 min"}, "A checkpoint every 115 s would give 93.3%."),
        ({"checkpoint_interval": "1 h"}, "A checkpoint every 115 s would give 93.3% instead of 79.9%."),
        ({}, "The job runs 94.7% of the time."),
        ({"gpus": 131072}, "Detection, restart and load take 34.1% of the time at any interval."),
        (
            {"gpus": 131072, "gpu_mtbf": "20000 h"},
            "Detection, restart and load take 63.2% of the time at any interval, more than training.",
        ),
    ],
)
def test_a_verdict_says_why(given: dict[str, Any], message: str) -> None:
    assert message in reasons(**given)


def test_each_convention_is_made_of_the_present_numbers() -> None:
    def message(**given: Any) -> list[str]:
        cells = answer.cells(CALCULATOR, values(**given))
        return [cells[f"conventions.{row}.2"] for row in range(len(cells) // 3)]

    assert "−73%: below 0" in message(gpus=131072, checkpoint_interval="1 h")
    calm = message(gpus=1024, checkpoint_interval="1 h", checkpoint_stall="60 s", time_to_safe="60 s")
    assert "1 h or 59 min" in calm
    assert not [text for text in calm if "below 0" in text]


def advised(**given: Any) -> dict[str, Any]:
    """What is advised, and what each piece changes."""
    found = exploration.exploration(CALCULATOR, values(**given))["advice"]
    return {one["label"]: one["changes"] for one in found}


@pytest.mark.parametrize(
    ("given", "first", "changes"),
    [
        ({"checkpoint_interval": "6 h"}, "Checkpoint every 2 min", {"checkpoint_interval": "2 min"}),
        (
            {"checkpoint_stall": "10 min"},
            "Checkpoint asynchronously, with a stall of 590 ms",
            {"checkpoint_stall": "590 ms"},
        ),
        ({"time_to_safe": "30 min"}, "Make checkpoints restorable within 51.1 s", {"time_to_safe": "51.06 s"}),
        ({"node_repair_time": "30 days"}, "Keep 201 nodes spare", {"spare_nodes": "201"}),
        (
            {"gpus": 131_072},
            "Detect failures within 30 s and restart within 60 s",
            {"detection_time": "30 s", "restart_time": "60 s"},
        ),
        ({"corruption_gpu_mtbf": "10 years"}, "Run on 8,192 GPUs, with fewer failures", {"gpus": "8,192"}),
    ],
)
def test_advice_is_what_keeps_more_of_the_time(given: dict[str, Any], first: str, changes: dict[str, str]) -> None:
    label, changed = next(iter(advised(**given).items()))
    assert (label, changed) == (first, changes)


def test_what_is_quicker_than_anybody_published_is_not_advised_to_be_slower() -> None:
    red = {"gpus": 131_072, "checkpoint_interval": "6 h"}
    usual = dict(recommendations.recommendations(values(**red)))
    assert usual["Detect failures within {detection_time}"] == {"detection_time": 30}
    assert usual["Restart within {restart_time}"] == {"restart_time": 60}
    quick = {"detection_time": "20 s", "restart_time": "45 s", "checkpoint_stall": "0.1 s", "time_to_safe": "20 s"}
    left = dict(recommendations.recommendations(values(**red, **quick)))
    assert all(label.startswith(("Checkpoint every", "Run on", "Keep ")) for label in left)


def test_where_nothing_is_red_nothing_is_advised() -> None:
    assert advised() == {}


@pytest.mark.parametrize(
    ("rare", "every", "stall", "durable_stall"),
    [
        ("5%", 30, "0.59 s", "0 s"),
        ("100%", 30, "0.59 s", "0 s"),
        ("5%", 1, "0.59 s", "10 min"),
        ("20%", 5, "3 min", "0 s"),
    ],
)
def test_with_two_tiers_no_other_interval_keeps_half_a_point_more(
    rare: str, every: int, stall: str, durable_stall: str
) -> None:
    """Sixty intervals from a tenth to ten times the best one are tried."""
    given = {"gpus": 65536, "rare_failure_share": rare, "persist_every": every, "checkpoint_stall": stall}
    given |= {"time_to_safe": stall, "durable_stall": durable_stall, "durable_time_to_safe": "10 min"}
    best = values(**given)
    tried = (best["best_interval"] * 10 ** (step / 30) for step in range(-30, 31))
    kept = [
        CALCULATOR.after(best, {"checkpoint_interval": one}, "goodput")["goodput"]
        for one in tried
        if one > best["checkpoint_stall"]
    ]
    assert max(kept) - best["goodput"] < 0.005
    assert max(kept) > 1.05 * min(kept)


@pytest.mark.parametrize(
    "given",
    [
        {"spare_nodes": 0, "node_repair_time": "60 d"},
        {"corruption_gpu_mtbf": "30 d"},
        {"planned_interval": "1 d", "planned_stop": "20 h"},
    ],
)
def test_the_sentence_names_every_loss(given: dict[str, Any]) -> None:
    """What is kept and the four shares of the sentence are all of the time, and the largest is among them."""
    found = values(**given)
    shares = [found[name] for name in ("down_share", "lost_share", "stalled_share", "rest_share")]
    assert found["goodput"] + sum(shares) == pytest.approx(1)
    assert found["rest_share"] == pytest.approx(1 - found["undisturbed_share"])
    assert f"{CALCULATOR.text('rest_share', max(shares))} to waits for nodes" in answer.sentence(CALCULATOR, found)


def test_no_interval_decides_where_goodput_is_small_at_any() -> None:
    assert values(corruption_gpu_mtbf="30 d")["interval_right"].level == "tight"


def test_a_job_that_waits_for_nodes_cannot_lose_more_to_restarts_than_the_time_that_is_left() -> None:
    """It waits 97.7% of the time; detection and restart were given as 5.29% of it, and waits as 91.2%."""
    found = values(node_repair_time="7 d", spare_nodes=0)
    assert found["rest_share"] == pytest.approx(found["waiting_for_spare"])
    assert found["down_share"] == pytest.approx(values()["down_share"] * (1 - found["waiting_for_spare"]))
    assert found["minute_worth"] < found["down_share"]

"""Two machines side by side: the differences add up, and the sentence names the part that most of them is."""

from __future__ import annotations

import json
import math

import pytest

from calculators.__main__ import main
from calculators.declare import InputError
from calculators.machine.report import comparison
from calculators.machine.state import machine_state
from calculators.machine.training_state import TrainingState, training_state

JOB = {"model": "llama-3-1-405b", "gpus": "16384", "write_bandwidth": "100 GB/s"}


@pytest.fixture(scope="module")
def slow() -> TrainingState:
    return training_state(JOB)


@pytest.fixture(scope="module")
def fast() -> TrainingState:
    return training_state({**JOB, "write_bandwidth": "400 GB/s"})


def test_four_times_the_bandwidth_saves_what_waiting_and_repeated_work_lose_less(
    slow: TrainingState, fast: TrainingState
) -> None:
    response = comparison.described(slow, fast)
    parts = {part["name"]: part["saved"] for part in response["parts"]}
    saved = slow.values["training_duration"] - fast.values["training_duration"]
    assert math.fsum(parts.values()) == pytest.approx(saved, rel=1e-9)
    assert parts["time_at_peak"] == 0
    assert max(parts, key=lambda name: parts[name]) in {"time_stalled", "time_repeated"}
    largest = max(response["parts"], key=lambda part: part["saved"])
    assert f"mostly “{largest['label']}”" in response["said"]
    assert "days earlier" in response["said"]
    back = comparison.summary(fast, slow)
    assert "days later" in back
    assert f"mostly “{largest['label']}”, {largest['texts'][1]} and {largest['texts'][0]}." in back


def test_the_sentence_names_what_differs_and_leaves_out_what_does_not(slow: TrainingState, fast: TrainingState) -> None:
    message = comparison.summary(
        slow, training_state({**JOB, "write_bandwidth": "400 GB/s", "accelerator": "b200-sxm"})
    )
    assert message.startswith("Differences: Accelerator NVIDIA B200 SXM 180 GB instead of NVIDIA H100 SXM 80 GB; ")
    assert "Storage write bandwidth 400 GB/s instead of 100 GB/s" in message
    assert "Storage read bandwidth" not in message  # computed from the write, not changed
    assert "the same" not in comparison.summary(slow, fast)  # the power
    assert comparison.summary(slow, slow) == "Second system: the same."
    every = {**JOB, "detection_time": "7 min", "restart_time": "9 min", "failure_rate": "2", "oversubscription": "2"}
    assert "; and 1 more. " in comparison.summary(training_state(every), fast)


def test_the_parts_of_both_are_in_one_unit(slow: TrainingState, fast: TrainingState) -> None:
    units = {text.split(" ", 1)[1] for part in comparison.described(slow, fast)["parts"] for text in part["texts"]}
    assert units == {"days"}


def test_a_second_machine_is_the_first_but_for_what_is_reported() -> None:
    given = {"write-bandwidth": "1 GB/s", "gpus": "8", "zero_stage": "1"}
    assert comparison.changed(given, ["write_bandwidth=2 GB/s"]) == {
        "gpus": "8",
        "write_bandwidth": "2 GB/s",
        "zero_stage": "1",
    }


def test_a_part_of_the_run_takes_less_or_more_or_the_same() -> None:
    assert [comparison._time(less) for less in (30.0, -30.0, 0.0)] == ["30 s less", "30 s more", "the same"]


@pytest.mark.parametrize(("gained", "lost", "label"), [(2.0, 2.5, "Lost"), (2.5, 2.0, "Gained")])
def test_most_of_what_is_saved_or_lost_is_the_part_that_went_furthest_that_way(
    gained: float, lost: float, label: str, slow: TrainingState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a second in all."""
    parts = [{"label": "Gained", "saved": gained}, {"label": "None", "saved": 0.0}, {"label": "Lost", "saved": -lost}]
    monkeypatch.setattr(comparison, "_parts", lambda *_: [part | {"texts": ["1 s", "2 s"]} for part in parts])
    monkeypatch.setattr(comparison, "_less", lambda *_: gained - lost)
    assert comparison.summary(slow, slow).endswith(f"mostly “{label}”, 1 s and 2 s.")


def test_a_document_has_the_first_before_the_second(slow: TrainingState, monkeypatch: pytest.MonkeyPatch) -> None:
    response = {
        "sentences": ["One.", "Other."],
        "limiting_pillars": ["compute", "network"],
        "measures": [{"label": "Time", "texts": ["7 d", "6 d"]}],
        "parts": [{"label": "Part", "texts": ["3 d", "2 d"]}],
        "said": "Sooner.",
    }
    monkeypatch.setattr(comparison, "described", lambda *_: response)
    lines = comparison.lines(slow, slow)
    assert [line for line in lines if line and not line.startswith(("|", "#"))] == ["1. One.", "2. Other.", "Sooner."]
    rows = ["| Time | 7 d | 6 d |", "| Part | 3 d | 2 d |", "| Bottleneck | compute | network |"]
    assert lines[-3:] == rows


def test_of_two_machines_both_train_or_both_serve() -> None:
    for given, words in (({}, "job=serve"), ({"job": "serve"}, "job=pre-training")):
        with pytest.raises(InputError, match="compare two of the same workload"):
            comparison.changed(given, [words])
    assert comparison.changed({"job": "serve"}, ["job=serve"]) == {"job": "serve"}
    assert comparison.changed({}, ["job=lora"]) == {"job": "lora"}


@pytest.mark.parametrize(
    ("unlike", "response"), [(3, "1; 2; 3. "), (4, "1; 2; 3; 4. "), (6, "1; 2; 3; 4; and 2 more. ")]
)
def test_what_differs_is_named_up_to_four_and_counted_beyond(
    unlike: int, response: str, slow: TrainingState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "unlike", lambda *_: [str(place) for place in range(1, unlike + 1)])
    assert comparison.summary(slow, slow) == f"Differences: {response}Second system: the same."


def test_two_that_serve_are_compared_by_their_gpus() -> None:
    given = {"job": "serve"}
    message = comparison.summary(machine_state(given), machine_state({**given, "target_utilization": "80%"}))
    assert "GPUs fewer" in message


def test_the_command_line_sets_two_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["machine", "--model", "llama-2-7b", "--gpus", "64", "--compare-with", "write_bandwidth=400 GB/s"]
    assert main(given) == 0
    assert "| Checkpoint stalls |" in capsys.readouterr().out
    assert main([*given, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert main([*given[:-2], "--beside", given[-1], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == printed, "the old name of the option"
    assert {"sentences", "measures", "parts", "said"} <= printed.keys()
    assert main(["machine", "--beside", "faster"]) == 2
    assert "is given as INPUT=VALUE, not “faster”" in capsys.readouterr().err
